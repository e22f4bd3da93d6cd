//! What a line wins or loses by force: the search's line followed until it is quiet, and the
//! material counted there.

use shakmaty::{Color, Move, Position, Role, Square};

use super::ScoredLine;
use super::exchanges::hanging;
use super::material::pieces_in_words;
use super::words::{LEVEL, role_name};
use squarewise_engine::evaluation::Tables;
use squarewise_engine::evaluation::breakdown::Breakdown;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::played_move::{captured_square, captures_own};
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::search::see::value_of;

/// The plies of a line that are followed: what comes later isn't forced.
pub(super) const MAX_PLIES: usize = 14;

/// The plies of a line that are followed if nothing is won in all of them: a side that wins a piece
/// may lose pawns later.
const FORCED_PLIES: usize = 9;

/// Material below this many centipawns is no gain: a bishop for a knight is an exchange.
pub(super) const MIN_GAIN: i32 = 80;
/// Less than this many centipawns is no gain by force where it is made late: among so many moves
/// there are others that are as good.
const MIN_LATE_GAIN: i32 = 200;

/// The material that changes hands in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Harvest {
    /// The side that gains.
    pub winner: Color,
    /// Its gain in centipawns.
    pub value: i32,
    /// What it takes and what it gives, after equal pieces are set off against each other.
    taken: Vec<Role>,
    given: Vec<Role>,
    /// The piece that it makes of a pawn, by the ply in the line.
    promotes: Option<(usize, Role)>,
    /// Whether a queen is among what it takes, besides those that its pawns become.
    takes_queen: bool,
    /// The capture that decides, by its ply in the line, with its victim.
    pub capture: Option<(usize, Role, Square)>,
    /// The plies up to the last change of the material.
    pub plies: usize,
    /// Whether the winner was about as far behind before or farther, so that it only wins back.
    is_recovery: bool,
}

impl Harvest {
    /// What the winner does, such as "wins a rook" or "wins a bishop for two pawns".
    pub(super) fn in_words(&self) -> String {
        match self.promotes {
            Some((_, Role::Queen)) if self.takes_queen => {
                return "wins the queen and queens a pawn".to_owned();
            }
            Some((_, Role::Queen)) => return "queens a pawn".to_owned(),
            Some((_, role)) if self.takes_queen => {
                let new = role_name(role);
                return format!("wins the queen and promotes a pawn to a {new}");
            }
            Some((_, role)) => return format!("promotes a pawn to a {}", role_name(role)),
            None => {}
        }
        let is_plain = self.is_recovery && self.given.is_empty();
        let verb = if is_plain { "wins back" } else { "wins" };
        match (self.taken.as_slice(), self.given.as_slice()) {
            ([Role::Rook], [Role::Knight | Role::Bishop]) => format!("{verb} the exchange"),
            ([Role::Queen], []) => format!("{verb} the queen"),
            (taken, []) => format!("{verb} {}", pieces_in_words(taken)),
            ([Role::Queen], given) => format!("{verb} the queen for {}", pieces_in_words(given)),
            (taken, given) => format!(
                "{verb} {} for {}",
                pieces_in_words(taken),
                pieces_in_words(given)
            ),
        }
    }

    /// The ply of the promotion that it is told as.
    pub(super) fn promotes_by(&self) -> Option<usize> {
        self.promotes.map(|(ply, _)| ply)
    }

    /// The ply of the move that decides: the promotion or the capture.
    pub(super) fn decides_at(&self) -> Option<usize> {
        let capture = self.capture.map(|(ply, ..)| ply);
        self.promotes_by().or(capture)
    }
}

/// A gain lasts if it changes later by no more than this many centipawns, or by a third.
const ABOUT: i32 = 150;

/// The captures and promotions of a line, and the material after each ply.
struct Walk {
    /// White's gain after each ply, in centipawns; the first is the start with 0.
    balance: Vec<i32>,
    /// Whether nothing hangs, nobody is in check and no pawn is about to promote, so that the
    /// material can be counted.
    is_quiet: Vec<bool>,
    captures: Vec<Option<(Role, Square)>>,
    /// What a side takes of its own.
    given_up: Vec<Option<Role>>,
    promotions: Vec<Option<Role>>,
    /// Whether something hangs of the side that has just moved.
    is_loose: Vec<bool>,
    turn: Color,
}

impl Walk {
    fn of(game: &Game, line: &[Move]) -> Walk {
        let mut position = game.position().clone();
        let mut walk = Walk {
            balance: vec![0],
            is_quiet: vec![true],
            captures: Vec::new(),
            given_up: Vec::new(),
            promotions: Vec::new(),
            is_loose: vec![false],
            turn: position.turn(),
        };
        let mut balance = 0;
        for m in line.iter().take(MAX_PLIES) {
            let is_own = captures_own(&position, *m);
            let victim = m.capture().zip(captured_square(*m)).filter(|_| !is_own);
            let given_up = m.capture().filter(|_| is_own);
            let promoted = m.promotion();
            let gain = victim.map_or(0, |(role, _)| value_of(role)) - given_up.map_or(0, value_of)
                + promoted.map_or(0, |role| value_of(role) - value_of(Role::Pawn));
            balance += position.turn().fold_wb(gain, -gain);
            position.play_unchecked(*m);
            walk.balance.push(balance);
            let is_loose = !hanging(position.board(), !position.turn()).is_empty();
            walk.is_quiet.push(!is_loose && is_still(&position));
            walk.is_loose.push(is_loose);
            walk.captures.push(victim);
            walk.given_up.push(given_up);
            walk.promotions.push(promoted);
        }
        for ply in 0..walk.promotions.len() {
            if walk.loses_at_once(line, ply) {
                walk.is_quiet[ply + 1] = false;
            }
        }
        walk
    }

    /// Whether a ply of the line promotes a pawn to a piece that the next takes.
    fn loses_at_once(&self, line: &[Move], ply: usize) -> bool {
        let taken = self.captures.get(ply + 1).copied().flatten();
        self.promotions[ply].is_some() && taken.is_some_and(|(_, square)| square == line[ply].to())
    }

    /// The first quiet ply at which a side has gained material that it keeps up to this horizon.
    /// What it picks up later isn't counted.
    fn lasting_gain(&self, horizon: usize) -> Option<usize> {
        let plies = 1..self.balance.len().min(horizon + 1);
        let longest = plies.end - 1;
        let quiet: Vec<usize> = plies.filter(|ply| self.is_quiet[*ply]).collect();
        let at_last = self.balance[*quiet.last().unwrap_or(&longest)];
        let about = ABOUT.max(at_last.abs() / 3);
        let lasts = |ply: &usize| {
            let balance = self.balance[*ply] * at_last.signum();
            balance >= MIN_GAIN && (balance - at_last.abs()).abs() <= about
        };
        if quiet.is_empty() {
            return lasts(&longest).then_some(longest);
        }
        let unsettled = quiet.iter().rposition(|ply| !lasts(ply));
        quiet.get(unsettled.map_or(0, |place| place + 1)).copied()
    }

    fn side_of(&self, ply: usize) -> Color {
        if ply.is_multiple_of(2) {
            self.turn
        } else {
            !self.turn
        }
    }

    /// What a side took and gave in the first plies; a promotion counts as the new piece taken for
    /// a pawn.
    fn taken_by(&self, side: Color, plies: usize) -> (Vec<Role>, Vec<Role>) {
        let (mut taken, mut given) = (Vec::new(), Vec::new());
        for ply in (0..plies).filter(|ply| self.side_of(*ply) == side) {
            taken.extend(self.captures[ply].map(|(role, _)| role));
            given.extend(self.given_up[ply]);
            if let Some(role) = self.promotions[ply] {
                taken.push(role);
                given.push(Role::Pawn);
            }
        }
        (taken, given)
    }
}

/// Whether nobody is in check and no pawn is about to promote.
fn is_still(position: &VariantPosition) -> bool {
    let promotes = || position.legal_moves().iter().any(|m| m.is_promotion());
    !position.is_check() && !promotes()
}

/// Whether a line ends while material changes hands, so that what it wins may be lost again.
pub(super) fn ends_unsettled(game: &Game, line: &[Move]) -> bool {
    let walk = Walk::of(game, line);
    let mut last = walk.balance.windows(2).rev().take(2);
    let has_changed = last.any(|pair| pair[0] != pair[1]);
    line.len() < MAX_PLIES && (has_changed || walk.is_quiet.last() == Some(&false))
}

/// What a line wins by force for either side; `None` if the material stays as it is or the score
/// of the line doesn't bear it out.
pub(super) fn harvest(game: &Game, tables: &Tables, line: &ScoredLine) -> Option<Harvest> {
    let walk = Walk::of(game, &line.moves);
    let mut ends = [MAX_PLIES, FORCED_PLIES].into_iter();
    let end = ends.find_map(|horizon| walk.lasting_gain(horizon))?;
    let net = walk.balance[end];
    let settled = (1..=end)
        .rev()
        .find(|ply| walk.balance[*ply - 1] != net)
        .unwrap_or(1);
    // What is won late must be much, and must not be taken back.
    let is_doubtful = net.abs() < MIN_LATE_GAIN || walk.is_loose[settled];
    if settled > FORCED_PLIES && is_doubtful {
        return None;
    }
    let winner = Color::from_white(net > 0);
    let before = Breakdown::of(game.position(), tables).total;
    let gain = (line.for_white(walk.turn).value() - before) * winner.fold_wb(1, -1);
    let is_better = line.for_white(walk.turn).value() * winner.fold_wb(1, -1) > LEVEL;
    if !line.score.is_decisive() && 4 * gain < net.abs() && !is_better {
        return None;
    }
    let (mut taken, mut given) = walk.taken_by(winner, end);
    let (lost, paid) = walk.taken_by(!winner, end);
    given.extend(lost);
    taken.extend(paid);
    set_off(&mut taken, &mut given);
    let material = material_balance(game.position().board());
    let of_winner = |ply: &usize| walk.side_of(*ply) == winner;
    let captures = (0..settled).filter(of_winner).filter_map(|ply| {
        let (role, square) = walk.captures[ply]?;
        taken.contains(&role).then_some((ply, role, square))
    });
    // The first that only takes back decides nothing.
    let gains =
        |(ply, ..): &(usize, Role, Square)| walk.balance[ply + 1] * net.signum() >= MIN_GAIN;
    let capture = captures
        .clone()
        .find(gains)
        .or_else(|| captures.clone().next());
    let keeps = |ply: &usize| !walk.loses_at_once(&line.moves, *ply);
    let promotes = (0..end).filter(of_winner).filter(keeps).find_map(|ply| {
        let role = walk.promotions[ply].filter(|role| taken.contains(role))?;
        Some((ply, role))
    });
    let is_queen = |ply: &usize| walk.promotions[*ply] == Some(Role::Queen);
    let new_queens = (0..end).filter(of_winner).filter(is_queen).count();
    let queens = taken.iter().filter(|role| **role == Role::Queen).count();
    Some(Harvest {
        winner,
        takes_queen: queens > new_queens,
        value: net.abs(),
        capture,
        promotes,
        taken,
        given,
        plies: settled,
        is_recovery: material.signum() == -net.signum() && material.abs() + MIN_GAIN > net.abs(),
    })
}

/// White's material minus Black's, in the centipawns of exchanges.
pub(super) fn material_balance(board: &shakmaty::Board) -> i32 {
    let pieces = board.iter().filter(|(_, piece)| piece.role != Role::King);
    pieces
        .map(|(_, piece)| {
            piece
                .color
                .fold_wb(value_of(piece.role), -value_of(piece.role))
        })
        .sum()
}

/// Removes what is on both lists: equal pieces, then a bishop for a knight.
fn set_off(taken: &mut Vec<Role>, given: &mut Vec<Role>) {
    let minor = [Role::Knight, Role::Bishop];
    let is_same = |a: Role, b: Role| a == b;
    let is_alike = |a: Role, b: Role| minor.contains(&a) && minor.contains(&b);
    for alike in [&is_same as &dyn Fn(Role, Role) -> bool, &is_alike] {
        let mut place = 0;
        while place < taken.len() {
            match given.iter().position(|role| alike(*role, taken[place])) {
                Some(other) => {
                    given.swap_remove(other);
                    taken.remove(place);
                }
                None => place += 1,
            }
        }
    }
    for roles in [taken, given] {
        roles.sort_by_key(|role| -value_of(*role));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use shakmaty::uci::UciMove;
    use squarewise_engine::evaluation::TableSet;
    use squarewise_engine::position::from_fen;
    use squarewise_engine::position::rules::Variant;
    use squarewise_engine::score::Score;

    /// What a line wins if it has this score for the side to move.
    fn won(fen: &str, line: &str, score: i32) -> Option<String> {
        won_by_rules(Variant::Chess, fen, line, score)
    }

    fn won_by_rules(rules: Variant, fen: &str, line: &str, score: i32) -> Option<String> {
        let harvest = harvest_by_rules(rules, fen, line, score)?;
        Some(format!("{} {}", harvest.winner, harvest.in_words()))
    }

    fn harvest_by_rules(rules: Variant, fen: &str, line: &str, score: i32) -> Option<Harvest> {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        let game = Game::new(VariantPosition::new(position, rules));
        let mut played = game.clone();
        let moves = line.split(' ').map(|word| {
            let uci: UciMove = word.parse().expect("a move");
            let m = uci.to_move(played.position()).expect("a legal move");
            played.play(m);
            m
        });
        let line = ScoredLine {
            moves: moves.collect(),
            score: Score::centipawns(score),
            depth: 1,
            is_in_tablebases: false,
        };
        harvest(&game, &TableSet::Simplified.tables(), &line)
    }

    #[test]
    fn a_promotion_decides_with_its_own_move_and_not_with_a_capture_before() {
        let fen = "1r6/P6k/8/8/8/8/8/1R5K w - - 0 1";
        let line = "b1b8 h7g7 a7a8q g7f7";
        let harvest = harvest_by_rules(Variant::Chess, fen, line, 1_500).expect("a queen");
        assert_eq!(harvest.in_words(), "queens a pawn");
        assert_eq!(
            (harvest.decides_at(), harvest.promotes_by()),
            (Some(2), Some(2))
        );
    }

    #[test]
    fn a_line_wins_what_is_left_after_all_recaptures() {
        for (fen, line, score, expected) in [
            // A rook is taken and the bishop is taken back.
            (
                "3rk3/3n4/8/6B1/8/8/8/4K3 w - - 0 1",
                "g5d8 e8d8",
                0,
                "white wins the exchange",
            ),
            (
                "4k3/8/8/3q4/8/2N5/3P4/4K3 w - - 0 1",
                "c3d5 e8d7",
                400,
                "white wins the queen",
            ),
            (
                "8/P6k/8/8/8/8/8/4K3 w - - 0 1",
                "a7a8q h7g7",
                900,
                "white queens a pawn",
            ),
            (
                "8/P6k/8/8/8/8/8/4K3 w - - 0 1",
                "a7a8r h7g7",
                500,
                "white promotes a pawn to a rook",
            ),
            (
                "4k3/8/8/8/3r4/8/2N5/4K3 b - - 0 1",
                "e8e7 c2d4 e7d7",
                -300,
                "white wins a rook",
            ),
        ] {
            assert_eq!(won(fen, line, score).as_deref(), Some(expected), "{line}");
        }
    }

    #[test]
    fn what_a_side_takes_of_its_own_is_lost_to_it() {
        // The knight takes its own bishop.
        let fen = "4k2r/8/8/3B4/8/4N3/8/4K3 w - - 0 1";
        let own = won_by_rules(Variant::SelfCapture, fen, "e3d5 e8d7", -400);
        assert_eq!(own.as_deref(), Some("black wins a bishop"));
        let fen = "4k3/8/8/3b4/8/4N3/8/4K3 w - - 0 1";
        assert_eq!(
            won(fen, "e3d5 e8d7", 400).as_deref(),
            Some("white wins a bishop")
        );
    }

    #[test]
    fn a_side_that_was_as_far_behind_only_wins_back() {
        // A pawn down before the exchange, and a pawn down after it.
        let gambit = "rnbqk1nr/pppp1ppp/8/8/4P3/2b2N2/PP3PPP/R1BQKB1R w KQkq - 0 6";
        assert_eq!(
            won(gambit, "b2c3 g8f6", 0).as_deref(),
            Some("white wins back a bishop")
        );
    }

    #[test]
    fn the_queen_that_a_promotion_wins_is_named() {
        let fork = "8/p1q1P1k1/7p/8/8/P7/6PP/7K w - - 0 1";
        assert_eq!(
            won(fork, "e7e8n g7f7 e8c7 f7e7 g2g4 e7d6", 600).as_deref(),
            Some("white wins the queen and promotes a pawn to a knight")
        );
        // The new queen is taken, and the one that takes it is lost.
        let pinned = "3q2k1/P4ppp/8/8/8/6P1/5PBP/6K1 w - - 0 1";
        assert_eq!(
            won(pinned, "a7a8q d8a8 g2a8 g8f8 g1g2 f8e7", 400).as_deref(),
            Some("white wins the queen for a pawn")
        );
    }

    #[test]
    fn equal_exchanges_and_lines_without_captures_win_nothing() {
        let fen = "4k3/3p4/2n5/8/3N4/2P5/8/4K3 w - - 0 1";
        assert_eq!(won(fen, "d4c6 d7c6", 20), None);
        assert_eq!(won(fen, "e1e2 e8e7", 20), None);
    }
}
