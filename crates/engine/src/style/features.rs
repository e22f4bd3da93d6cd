//! Finds the features of a line: how good it is, what its first move is like, and which pieces have
//! left their squares at its end.

use shakmaty::{Board, Chess, Color, Move, Position, Rank, Role, Square, attacks};

use super::candidates::Candidate;
use super::traits::{PER_PHASE, Quality, Trait, square_place};
use crate::evaluation::tapered_score::unclamped_phase;
use crate::evaluation::{MAX_PHASE, Tables};
use crate::position::game::Game;
use crate::position::packed_move::PackedMove;
use crate::search::see::{see_ge, value_of};

/// How many plies of a line are played until its end is looked at.
const LEAF_PLIES: usize = 3;

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
    collector.note(
        packed.is_some_and(|m| !see_ge(game.position(), m, 0)),
        Offers,
    );
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
