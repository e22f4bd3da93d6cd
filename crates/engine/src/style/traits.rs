//! What a line is like: the features by which a player chooses among nearly equal moves.
//!
//! Three kinds of them stand in one list, the *index space*. How good the line is: what it loses,
//! and how early the search had it. What its first move is like: a check, a trade, a step of the
//! h-pawn. And which pieces stand where at its end, each piece on its square: the weights of those
//! are differences to the tables of the evaluation. Each feature counts twice, for the middlegame
//! and for the endgame, weighted by the phase of the game.
//!
//! The last kind follows Hoki and Kaneko (*Large-Scale Optimization for Evaluation Functions with
//! Minimax Search*, JAIR 49, 2014): since the evaluation is linear, the gradient of a line's score
//! is the difference of the features at its leaf.

use shakmaty::{Board, Chess, Color, File, Move, Piece, Position, Rank, Role, Square, attacks};

use super::candidates::Candidate;
use crate::evaluation::tapered_score::unclamped_phase;
use crate::evaluation::{MAX_PHASE, Tables};
use crate::position::game::Game;
use crate::position::packed_move::PackedMove;
use crate::search::see::{see_ge, value_of};

/// How good a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// What it loses, up to 10 centipawns; 1 for all of them.
    FirstLoss,
    /// What it loses from 10 to 30 centipawns; 1 for all of them.
    FurtherLoss,
    /// What it loses beyond 30 centipawns, in half pawns.
    GreatLoss,
    /// It is the best.
    Best,
    /// What it lost on average in the first half of the iterations, by 30 centipawns.
    EarlyLoss,
    /// The same in the second half.
    LateLoss,
    /// The share of the iterations in which it was the best.
    BestShare,
    /// What it loses where the game is decided: by 30 centipawns and 5 pawns of the score.
    LossWhenDecided,
    /// What the static evaluation gains by the move, in pawns.
    AtFirstSight,
}

/// What a move is like, or the line that it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trait {
    /// A piece of this role moves; castling is a trait of its own.
    Moves(Role),
    /// It captures a piece of this role.
    Takes(Role),
    /// The pawn of this file moves.
    PawnOf(File),
    /// It gives check.
    Check,
    /// It castles on the king's side.
    CastlesShort,
    /// It castles on the queen's side.
    CastlesLong,
    /// A pawn is promoted.
    Promotes,
    /// It captures what has just captured.
    Recaptures,
    /// It captures a piece of about its own value.
    Trades,
    /// The piece was attacked by a lesser one, or attacked and not defended.
    Withdraws,
    /// The piece goes to where a pawn attacks it.
    IntoPawn,
    /// The exchanges on the target square lose material.
    Offers,
    /// A piece goes forward, by 4 ranks.
    Advances,
    /// A piece goes backward.
    Retreats,
    /// A piece comes closer to the enemy king, by 4 squares.
    TowardsEnemyKing,
    /// A piece comes closer to its own king, by 4 squares.
    TowardsOwnKing,
    /// A pawn moves in front of the enemy king.
    PawnStorm,
    /// A pawn moves in front of its own king.
    OpensOwnKing,
    /// A pawn takes two steps.
    DoubleStep,
    /// The piece is that of the player's last move.
    SamePiece,
    /// It attacks a more valuable piece, or one that is not defended; by their number.
    Threatens,
    /// The piece attacks squares around the enemy king, by 4 squares more than before.
    AtEnemyKing,
    /// A knight or bishop leaves its own first rank.
    Develops,
    /// The queens come off in the line.
    QueensOff,
    /// Pieces come off in the line, by 2.
    PiecesOff,
    /// Material is given for other things, at the end of the line.
    Sacrifices,
    /// Material is won at the end of the line.
    WinsMaterial,
}

const QUALITIES: usize = 9;
const TRAITS: usize = 6 + 5 + 8 + 24;
const SQUARES: usize = 2 * 6 * 64;

/// The place of the first piece on a square; all that come before it are qualities and traits.
pub const FIRST_SQUARE: usize = QUALITIES + TRAITS;

/// The number of features in each phase: the endgame's places are so much further on.
pub const PER_PHASE: usize = FIRST_SQUARE + SQUARES;

/// The number of features.
pub const FEATURES: usize = 2 * PER_PHASE;

/// How many plies of a line are played until its end is looked at.
const LEAF_PLIES: usize = 3;

impl Quality {
    /// Its place in the index space.
    pub const fn place(self) -> usize {
        self as usize
    }
}

impl Trait {
    /// Every trait, in the order of the index space.
    pub fn all() -> impl Iterator<Item = Trait> {
        use Trait::*;
        let of_roles = Role::ALL.into_iter().map(Moves);
        let of_takes = Role::ALL.into_iter().take(5).map(Takes);
        let of_files = File::ALL.into_iter().map(PawnOf);
        let others = [
            Check,
            CastlesShort,
            CastlesLong,
            Promotes,
            Recaptures,
            Trades,
            Withdraws,
            IntoPawn,
            Offers,
            Advances,
            Retreats,
            TowardsEnemyKing,
            TowardsOwnKing,
            PawnStorm,
            OpensOwnKing,
            DoubleStep,
            SamePiece,
            Threatens,
            AtEnemyKing,
            Develops,
            QueensOff,
            PiecesOff,
            Sacrifices,
            WinsMaterial,
        ];
        of_roles.chain(of_takes).chain(of_files).chain(others)
    }

    /// Its place in the index space.
    pub fn place(self) -> usize {
        use Trait::*;
        let place = match self {
            Moves(role) => usize::from(role) - 1,
            Takes(role) => 6 + usize::from(role) - 1,
            PawnOf(file) => 11 + usize::from(file),
            other => 19 + other.number(),
        };
        QUALITIES + place
    }

    /// The place of a trait without a parameter among its like.
    fn number(self) -> usize {
        let mut others = Trait::all().skip(19);
        others.position(|other| other == self).unwrap_or_default()
    }
}

/// The place of a piece on a square as the player sees it, from behind the own pieces.
pub fn square_place(player: Color, piece: Piece, square: Square) -> usize {
    let side = usize::from(piece.color != player);
    let seen = player.fold_wb(square, square.flip_vertical());
    FIRST_SQUARE + (side * 6 + usize::from(piece.role) - 1) * 64 + usize::from(seen)
}

/// The features of a line: their indices, and how much of each there is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features(pub Vec<(u16, f32)>);

/// Collects features of both phases.
struct Collector {
    features: Vec<(u16, f32)>,
    /// The weight of the middlegame, 0 to 1.
    middlegame: f32,
}

impl Collector {
    fn add(&mut self, place: usize, value: f32) {
        if value == 0.0 {
            return;
        }
        for (place, share) in [
            (place, self.middlegame),
            (place + PER_PHASE, 1.0 - self.middlegame),
        ] {
            if share != 0.0 {
                self.features.push((place as u16, value * share));
            }
        }
    }

    fn note(&mut self, is_so: bool, named: Trait) {
        self.count(f32::from(u8::from(is_so)), named);
    }

    fn count(&mut self, value: f32, named: Trait) {
        if value != 0.0 {
            self.add(named.place(), value);
        }
    }
}

impl Features {
    /// The features of a line from the last position of a game. `best` is the score of the best
    /// line in centipawns; the tables tell what the move gains at first sight.
    pub fn of(game: &Game, candidate: &Candidate, best: i32, tables: &Tables) -> Features {
        let position = game.position().chess();
        let phase = unclamped_phase(position.board()).min(MAX_PHASE);
        let mut collector = Collector {
            features: Vec::new(),
            middlegame: phase as f32 / MAX_PHASE as f32,
        };
        let mut after = position.clone();
        after.play_unchecked(candidate.m());
        add_quality(&mut collector, position, &after, candidate, best, tables);
        add_move(&mut collector, game, &after, candidate.m());
        let mut leaf = after;
        for m in candidate.line.iter().take(LEAF_PLIES).skip(1) {
            leaf.play_unchecked(*m);
        }
        add_line(&mut collector, position, leaf.board());
        add_squares(&mut collector, position, leaf.board());
        Features(collector.features)
    }

    /// The sum of the weights of the features.
    pub fn weigh(&self, weights: &[f32]) -> f64 {
        let parts = self.0.iter();
        let part = |(place, value): &(u16, f32)| {
            f64::from(weights[usize::from(*place)]) * f64::from(*value)
        };
        parts.map(part).sum()
    }
}

fn add_quality(
    collector: &mut Collector,
    position: &Chess,
    after: &Chess,
    candidate: &Candidate,
    best: i32,
    tables: &Tables,
) {
    let loss = candidate.loss as f32;
    let mut add = |quality: Quality, value: f32| collector.add(quality.place(), value);
    add(Quality::FirstLoss, loss.min(10.0) / 10.0);
    add(Quality::FurtherLoss, (loss - 10.0).clamp(0.0, 20.0) / 20.0);
    add(Quality::GreatLoss, (loss - 30.0).max(0.0) / 50.0);
    add(Quality::Best, f32::from(u8::from(candidate.is_best)));
    add(Quality::EarlyLoss, candidate.early_loss / 30.0);
    add(Quality::LateLoss, candidate.late_loss / 30.0);
    add(Quality::BestShare, candidate.best_share);
    let decided = best.abs().min(500) as f32 / 500.0;
    add(Quality::LossWhenDecided, loss / 30.0 * decided);
    let gain = -tables.evaluate(after).value() - tables.evaluate(position).value();
    add(Quality::AtFirstSight, gain.clamp(-300, 300) as f32 / 100.0);
}

/// The distance of two squares in moves of a king.
fn distance(a: Square, b: Square) -> i32 {
    a.distance(b) as i32
}

fn add_move(collector: &mut Collector, game: &Game, after: &Chess, m: Move) {
    use Trait::*;
    let position = game.position().chess();
    let (board, player) = (position.board(), position.turn());
    collector.note(after.is_check(), Check);
    let (Some(from), to, role) = (m.from(), m.to(), m.role()) else {
        return;
    };
    if m.is_castle() {
        let is_short = to > from;
        collector.note(is_short, CastlesShort);
        collector.note(!is_short, CastlesLong);
        return;
    }
    collector.note(true, Moves(role));
    if let Some(taken) = m.capture() {
        collector.note(true, Takes(taken));
        collector.note((value_of(taken) - value_of(role)).abs() < 50, Trades);
        collector.note(game.arrival(0) == Some(to), Recaptures);
    }
    collector.note(m.promotion().is_some(), Promotes);
    collector.note(game.arrival(1) == Some(from), SamePiece);
    let attackers = board.attacks_to(from, !player, board.occupied());
    let is_defended = board.attacks_to(from, player, board.occupied()).any();
    let is_by_less = attackers.into_iter().any(|square| {
        let attacker = board.role_at(square);
        attacker.is_some_and(|attacker| value_of(attacker) < value_of(role))
    });
    let is_attacked = is_by_less || (attackers.any() && !is_defended);
    collector.note(is_attacked && role != Role::King, Withdraws);
    let pawns = board.by_piece(Role::Pawn.of(!player));
    let into_pawn = (attacks::pawn_attacks(player, to) & pawns).any();
    collector.note(into_pawn && role != Role::Pawn, IntoPawn);
    let packed = PackedMove::new(m);
    collector.note(packed.is_some_and(|m| !see_ge(position, m, 0)), Offers);
    let (own_king, enemy_king) = (board.king_of(player), board.king_of(!player));
    let ranks = (rank_of(player, to) - rank_of(player, from)) as f32;
    if role == Role::Pawn {
        add_pawn_move(collector, (from, to), (own_king, enemy_king));
        collector.note(ranks == 2.0, DoubleStep);
    } else if role != Role::King {
        collector.count(ranks.max(0.0) / 4.0, Advances);
        collector.note(ranks < 0.0, Retreats);
        let closer = |king: Option<Square>| {
            king.map_or(0, |king| distance(from, king) - distance(to, king)) as f32
        };
        collector.count(closer(enemy_king) / 4.0, TowardsEnemyKing);
        collector.count(closer(own_king) / 4.0, TowardsOwnKing);
    }
    let is_minor = matches!(role, Role::Knight | Role::Bishop);
    let leaves_home = rank_of(player, from) == 0 && rank_of(player, to) > 0;
    collector.note(is_minor && leaves_home, Develops);
    add_attacks(collector, position, after, m);
}

fn add_pawn_move(
    collector: &mut Collector,
    (from, to): (Square, Square),
    (own_king, enemy_king): (Option<Square>, Option<Square>),
) {
    collector.note(true, Trait::PawnOf(from.file()));
    let is_near =
        |king: Option<Square>| king.is_some_and(|king| to.file().distance(king.file()) <= 1);
    collector.note(is_near(enemy_king), Trait::PawnStorm);
    collector.note(is_near(own_king), Trait::OpensOwnKing);
}

/// What the moved piece attacks.
fn add_attacks(collector: &mut Collector, position: &Chess, after: &Chess, m: Move) {
    let (player, to) = (position.turn(), m.to());
    let board = after.board();
    let Some(role) = board.role_at(to) else {
        return;
    };
    let targets = board.attacks_from(to) & board.by_color(!player);
    let is_threatened = |square: &Square| {
        let target = board.role_at(*square).unwrap_or(Role::Pawn);
        let is_defended = board.attacks_to(*square, !player, board.occupied()).any();
        target != Role::King && (value_of(target) > value_of(role) || !is_defended)
    };
    let threatened = targets.into_iter().filter(is_threatened).count();
    collector.count(threatened as f32, Trait::Threatens);
    if let (Some(king), Some(from)) = (board.king_of(!player), m.from()) {
        let ring = attacks::king_attacks(king);
        let before = position.board().attacks_from(from) & ring;
        let now = board.attacks_from(to) & ring;
        let more = now.count() as f32 - before.count() as f32;
        collector.count(more / 4.0, Trait::AtEnemyKing);
    }
}

/// What comes of the line, at its leaf.
fn add_line(collector: &mut Collector, position: &Chess, leaf: &Board) {
    let (board, player) = (position.board(), position.turn());
    let had_queens = Color::ALL.map(|side| board.by_piece(Role::Queen.of(side)).any());
    let queens_off = had_queens == [true; 2] && leaf.queens().is_empty();
    collector.note(queens_off, Trait::QueensOff);
    let pieces = |board: &Board| (board.occupied() & !board.pawns()).count() as f32;
    let off = (pieces(board) - pieces(leaf)).max(0.0);
    collector.count(off / 2.0, Trait::PiecesOff);
    let gain = balance(leaf, player) - balance(board, player);
    collector.note(gain <= -80, Trait::Sacrifices);
    collector.note(gain >= 80, Trait::WinsMaterial);
}

/// The material of a side minus that of the other, in centipawns.
fn balance(board: &Board, side: Color) -> i32 {
    let value = |side| {
        let count = |role: Role| board.by_piece(role.of(side)).count() as i32;
        let roles = Role::ALL.into_iter().take(5);
        roles.map(|role| value_of(role) * count(role)).sum::<i32>()
    };
    value(side) - value(!side)
}

/// Which pieces have left their squares at the leaf, and which have come.
fn add_squares(collector: &mut Collector, position: &Chess, leaf: &Board) {
    let (board, player) = (position.board(), position.turn());
    for square in board.occupied() | leaf.occupied() {
        let [before, after] = [board, leaf].map(|board| board.piece_at(square));
        if before != after {
            let place = |piece| square_place(player, piece, square);
            if let Some(piece) = before {
                collector.add(place(piece), -1.0);
            }
            if let Some(piece) = after {
                collector.add(place(piece), 1.0);
            }
        }
    }
}

/// The rank of a square as a side sees it, 0 to 7.
fn rank_of(side: Color, square: Square) -> i32 {
    let rank = i32::from(square.rank() as u8 - Rank::First as u8);
    side.fold_wb(rank, 7 - rank)
}
