//! Tactics that a player sees at a glance: what a move does.

use shakmaty::attacks::attacks;
use shakmaty::{Bitboard, Board, Color, Move, Position, Role, Square};
use squarewise_engine::position::variant_position::VariantPosition;

use super::exchanges::{attackers, capture_gain, exchange, hanging, is_trapped};
use super::line_tactics::{OnLine, new_pins, skewer};
use super::words::{listed, piece_on, role_name};
use crate::notation::san_plus;
use crate::pgn::passed;
use squarewise_engine::position::played_move::{captured_square, captures_own, moved_squares};
use squarewise_engine::search::see::value_of;

/// Something that a move does, as a player would say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Mates,
    Promotes(Role),
    Captures {
        victim: Role,
        square: Square,
    },
    /// Takes a piece of its own.
    GivesUp(Role, Square),
    /// Brings the king away from an enemy queen.
    CastlesIntoSafety,
    /// Castles where there is no queen to fear; the rook stands on this square then.
    CastlesWithRookTo(Square),
    /// Threatens mate in one by this move, in SAN.
    ThreatensMate(String),
    /// Attacks several pieces at once, the king among them if it gives check.
    Forks(Vec<(Role, Square)>),
    Attacks(Role, Square),
    /// Attacks a piece that is lost wherever it goes.
    Traps(Role, Square),
    /// A piece behind the one that moved attacks something.
    Discovers(Role, Square),
    Checks,
    DoubleChecks,
    /// Pins a piece to what stands behind it.
    Pins {
        piece: (Role, Square),
        to: Role,
    },
    /// Attacks a piece that must go, and with it one that stands behind it.
    Skewers {
        front: (Role, Square),
        behind: (Role, Square),
    },
    /// Takes what guarded a piece.
    LeavesHanging(Role, Square),
    /// Protects a piece that hung.
    Protects(Role, Square),
    /// Takes a piece out of danger, which then stands on this square.
    Saves(Role, Square),
}

impl Deed {
    /// Whether it attacks in such a way that one of several pieces, or one alone, can't be saved.
    pub(super) fn wins_a_piece(&self) -> bool {
        matches!(
            self,
            Deed::Forks(_) | Deed::Skewers { .. } | Deed::Traps(..)
        )
    }

    /// Whether it attacks the piece on a square together with another.
    fn wins_piece_on(&self, square: Square) -> bool {
        match self {
            Deed::Forks(targets) => targets.iter().any(|(_, at)| *at == square),
            Deed::Skewers { front, behind } => front.1 == square || behind.1 == square,
            _ => false,
        }
    }

    /// The deed in words that follow the name of the move.
    pub(super) fn in_words(&self) -> String {
        let the = |(role, square): (Role, Square)| match role {
            Role::King => "the king".to_owned(),
            role => piece_on(role, square),
        };
        match self {
            Deed::Mates => "is mate".to_owned(),
            Deed::Promotes(role) => format!("promotes to a {}", role_name(*role)),
            Deed::Captures { victim, square } => format!("takes {}", the((*victim, *square))),
            Deed::GivesUp(role, square) => {
                format!("takes its own {} on {square}", role_name(*role))
            }
            Deed::CastlesIntoSafety => "brings the king to safety".to_owned(),
            Deed::CastlesWithRookTo(square) => format!("castles and brings the rook to {square}"),
            Deed::ThreatensMate(san) => format!("threatens mate by {san}"),
            Deed::Forks(targets) => {
                let targets: Vec<String> = targets.iter().map(|target| the(*target)).collect();
                format!("forks {}", listed(&targets))
            }
            Deed::Attacks(role, square) => format!("attacks {}", the((*role, *square))),
            Deed::Traps(role, square) => format!("traps {}", the((*role, *square))),
            Deed::Discovers(Role::King, _) => "discovers a check".to_owned(),
            Deed::Discovers(role, square) => {
                format!("uncovers an attack on {}", the((*role, *square)))
            }
            Deed::Checks => "gives check".to_owned(),
            Deed::DoubleChecks => "gives double check".to_owned(),
            Deed::Pins { piece, to } => format!("pins {} to the {}", the(*piece), role_name(*to)),
            Deed::Skewers { front, behind } => {
                format!("skewers {} and {} behind it", the(*front), the(*behind))
            }
            Deed::LeavesHanging(role, square) => {
                format!("leaves {} hanging", the((*role, *square)))
            }
            Deed::Protects(role, square) => format!("protects {}", the((*role, *square))),
            Deed::Saves(role, _) => format!("saves the {}", role_name(*role)),
        }
    }
}

/// What a legal move does, the most forcing first.
pub(super) fn deeds(position: &VariantPosition, m: Move) -> Vec<Deed> {
    let mut after = position.clone();
    after.play_unchecked(m);
    if after.is_checkmate() {
        return vec![Deed::Mates];
    }
    let (before, board) = (position.board(), after.board());
    let mover = position.turn();
    let mut deeds = Vec::new();
    deeds.extend(m.promotion().map(Deed::Promotes));
    if let (Some(victim), Some(square)) = (m.capture(), captured_square(m)) {
        if captures_own(position, m) {
            deeds.push(Deed::GivesUp(victim, square));
        } else {
            deeds.push(Deed::Captures { victim, square });
        }
    }
    if let (true, [_, Some((_, rook))]) = (m.is_castle(), moved_squares(m, mover)) {
        let fears_queen = (board.queens() & board.by_color(!mover)).any();
        deeds.push(if fears_queen {
            Deed::CastlesIntoSafety
        } else {
            Deed::CastlesWithRookTo(rook)
        });
    }
    let mate = threatened_mate(&after);
    deeds.extend(mate.iter().map(|(san, _)| Deed::ThreatensMate(san.clone())));
    let pins = new_pins(before, board, mover);
    let is_pinned = |at: Square| pins.iter().any(|pin| pin.front.1 == at);
    let has_done_more = !deeds.is_empty();
    let of_them = (board.by_color(!mover) & before.by_color(!mover)).into_iter();
    let is_new_trap = |square: &Square| is_trapped(board, *square) && !is_trapped(before, *square);
    let trapped: Vec<Square> = of_them.filter(is_new_trap).collect();
    let mut attacks = attack_deeds(before, board, m, mover);
    if after.checkers().more_than_one() {
        attacks = with_double_check(attacks);
    }
    if let Some((_, mating)) = mate {
        // What is attacked there is told by the mate.
        let left = |deed| without_targets(deed, |(_, at)| *at == mating);
        attacks = attacks.into_iter().filter_map(left).collect();
    }
    // What a fork wins needs no other square.
    let is_named = |at: Square| attacks.iter().any(|deed| deed.wins_piece_on(at));
    let trap = |square: &Square| Some(Deed::Traps(board.role_at(*square)?, *square));
    let alone = trapped.iter().filter(|square| !is_named(**square));
    deeds.extend(alone.filter_map(trap));
    deeds.extend(attacks.into_iter().filter(|deed| match deed {
        // A pin or a trap says more, and beside a capture an attack on a pawn says little.
        Deed::Attacks(_, at) if is_pinned(*at) || trapped.contains(at) => false,
        Deed::Attacks(role, _) => !has_done_more || *role != Role::Pawn,
        Deed::Discovers(role, _) => *role != Role::Pawn,
        _ => true,
    }));
    deeds.extend(pins.iter().map(|pin| Deed::Pins {
        piece: pin.front,
        to: pin.behind.0,
    }));
    let taken = captured_square(m).filter(|_| !captures_own(position, m));
    deeds.extend(taken.and_then(|square| left_hanging(before, board, square, mover)));
    deeds.extend(rescues(before, board, m, mover).into_iter().take(2));
    deeds
}

/// What a double check does, in place of the two checks of which it is made.
fn with_double_check(deeds: Vec<Deed>) -> Vec<Deed> {
    let others = deeds.into_iter().filter_map(|deed| match deed {
        Deed::Checks | Deed::Discovers(Role::King, _) => None,
        deed => without_targets(deed, |(role, _)| *role == Role::King),
    });
    [Deed::DoubleChecks].into_iter().chain(others).collect()
}

/// An attack without some of its targets; `None` if nothing or only a pawn is left of it.
fn without_targets(deed: Deed, is_left_out: impl Fn(&(Role, Square)) -> bool) -> Option<Deed> {
    match deed {
        Deed::Forks(mut targets) => {
            targets.retain(|target| !is_left_out(target));
            match targets[..] {
                [] | [(Role::Pawn, _)] => None,
                [(role, square)] => Some(Deed::Attacks(role, square)),
                _ => Some(Deed::Forks(targets)),
            }
        }
        Deed::Attacks(role, square) if is_left_out(&(role, square)) => None,
        deed => Some(deed),
    }
}

/// The mate in one that the side that has just moved would give with one more move, in SAN, with
/// the square to which it moves.
fn threatened_mate(after: &VariantPosition) -> Option<(String, Square)> {
    let again = passed(after)?;
    let mates = |m: &Move| {
        let mut end = again.clone();
        end.play_unchecked(*m);
        end.is_checkmate()
    };
    let m = again.legal_moves().into_iter().find(mates)?;
    Some((san_plus(&again, m).to_string(), m.to()))
}

/// The pieces of the mover that hung before a move and don't any more.
fn rescues(before: &Board, after: &Board, m: Move, mover: Color) -> Vec<Deed> {
    let hangs: Vec<Square> = hanging(after, mover).iter().map(|(at, _)| *at).collect();
    let moved: Vec<(Square, Square)> = moved_squares(m, mover).into_iter().flatten().collect();
    let rescue = |(square, gain): (Square, i32)| {
        let role = before.role_at(square).filter(|_| gain >= 100)?;
        if let Some((_, to)) = moved.iter().find(|(from, _)| *from == square) {
            let is_safe = !hangs.contains(to) && !m.is_capture() && !m.is_promotion();
            return is_safe.then_some(Deed::Saves(role, *to));
        }
        if captured_square(m) == Some(square) || hangs.contains(&square) {
            return None;
        }
        let guards = |board: &Board| board.attacks_to(square, mover, board.occupied());
        Some(if guards(after).is_subset(guards(before)) {
            Deed::Saves(role, square)
        } else {
            Deed::Protects(role, square)
        })
    };
    let hung = hanging(before, mover).into_iter();
    hung.filter_map(rescue).collect()
}

/// The piece that hangs because what was taken on a square guarded it, whoever takes back.
fn left_hanging(before: &Board, after: &Board, taken: Square, mover: Color) -> Option<Deed> {
    let guard = before.piece_at(taken)?;
    let pieces = before.by_color(!mover) & !before.pawns() & !before.kings();
    let guarded = attacks(taken, guard, before.occupied()) & pieces;
    let taken_back = attackers(after, taken, !mover).into_iter().map(|from| {
        let mut board = after.clone();
        if let Some(piece) = board.remove_piece_at(from) {
            board.set_piece_at(taken, piece);
        }
        board
    });
    let boards: Vec<Board> = taken_back.chain([after.clone()]).collect();
    let hangs = |board: &Board, square: Square| exchange(board, square, mover) > 0;
    let mut hanging = guarded.into_iter().filter(|square| {
        let was_attacked = attackers(before, *square, mover).any();
        was_attacked && !hangs(before, *square) && boards.iter().all(|board| hangs(board, *square))
    });
    let square = hanging.next()?;
    Some(Deed::LeavesHanging(before.role_at(square)?, square))
}

/// What the pieces attack that attacked nothing of it before the move.
fn attack_deeds(before: &Board, after: &Board, m: Move, mover: Color) -> Vec<Deed> {
    let mut deeds = Vec::new();
    let moved: Vec<(Square, Square)> = moved_squares(m, mover).into_iter().flatten().collect();
    // A castling rook attacks too; the king that castles doesn't.
    let Some((from, to)) = moved.last().copied() else {
        return deeds;
    };
    let direct = targets(after, to);
    let is_check = direct.iter().any(|(role, _)| *role == Role::King);
    let old = if m.is_capture() {
        Vec::new()
    } else {
        targets(before, from)
    };
    let is_new = direct.iter().any(|target| !old.contains(target));
    let skewered = skewer(after, to).filter(|new| skewer(before, from) != Some(*new));
    match (direct.as_slice(), skewered) {
        ([_, _, ..], _) if is_new && is_fork(after, &direct, to) => deeds.push(Deed::Forks(direct)),
        (_, Some(OnLine { front, behind })) => deeds.push(Deed::Skewers { front, behind }),
        ([_, _, ..], None) if !is_check => deeds.extend(alone(&direct)),
        ([(role, square)], None) if is_new && !is_check => {
            deeds.push(Deed::Attacks(*role, *square));
        }
        _ if is_check => deeds.push(Deed::Checks),
        _ => {}
    }
    let sliders = after.sliders() & after.by_color(mover) & before.by_color(mover);
    for slider in sliders.without(to) {
        let piece = before.piece_at(slider);
        let seen = piece.map_or(Bitboard::EMPTY, |piece| {
            attacks(slider, piece, before.occupied())
        });
        let uncovered = targets(after, slider);
        let mut uncovered = uncovered.iter().filter(|(_, at)| !seen.contains(*at));
        deeds.extend(
            uncovered
                .next()
                .map(|(role, square)| Deed::Discovers(*role, *square)),
        );
    }
    deeds
}

/// Whether an attack on several pieces is a fork: one of them is more than a pawn, and the one that
/// attacks neither hangs nor can be traded.
fn is_fork(board: &Board, targets: &[(Role, Square)], square: Square) -> bool {
    let Some(piece) = board.piece_at(square) else {
        return false;
    };
    let pieces = targets.iter().filter(|(role, _)| *role != Role::Pawn);
    let captors = attackers(board, square, !piece.color).into_iter();
    let mut values = captors.filter_map(|at| board.role_at(at).map(value_of));
    let is_traded = values.any(|value| value <= value_of(piece.role));
    pieces.count() > 0 && !is_traded && exchange(board, square, !piece.color) == 0
}

/// The attack on the only one of several targets that is more than a pawn.
fn alone(targets: &[(Role, Square)]) -> Option<Deed> {
    let mut pieces = targets.iter().filter(|(role, _)| *role != Role::Pawn);
    let (role, square) = pieces.next().filter(|(role, _)| *role != Role::King)?;
    pieces
        .next()
        .is_none()
        .then_some(Deed::Attacks(*role, *square))
}

/// What the piece on a square attacks and would win, the most valuable first; a king that it checks
/// too.
fn targets(board: &Board, square: Square) -> Vec<(Role, Square)> {
    let Some(piece) = board
        .piece_at(square)
        .filter(|piece| piece.role != Role::King)
    else {
        return Vec::new();
    };
    let attacked = attacks(square, piece, board.occupied()) & board.by_color(!piece.color);
    let attacked = attacked.into_iter();
    let roles = attacked.filter_map(|target| Some((board.role_at(target)?, target)));
    // A pinned piece still gives check, but it takes nothing off its line.
    let is_won = |(role, target): &(Role, Square)| {
        let can_take = || attackers(board, *target, piece.color).contains(square);
        *role == Role::King || (can_take() && capture_gain(board, square, *target) > 0)
    };
    let mut targets: Vec<(Role, Square)> = roles.filter(is_won).collect();
    targets.sort_by_key(|(role, square)| (-value_of(*role), *square));
    targets
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use shakmaty::san::San;
    use squarewise_engine::position::from_fen;
    use squarewise_engine::position::rules::Variant;

    fn position(fen: &str) -> VariantPosition {
        VariantPosition::from(from_fen(fen, CastlingMode::Standard).expect("a legal position"))
    }

    fn deeds_of(fen: &str, san: &str) -> Vec<String> {
        let position = position(fen);
        let san: San = san.parse().expect("a move in SAN");
        let m = san.to_move(&position).expect("a legal move");
        deeds(&position, m).iter().map(Deed::in_words).collect()
    }

    #[test]
    fn nothing_is_uncovered_or_protected_by_a_capture_of_what_stood_beside_it() {
        // The rook has looked at d5 all along.
        let deeds = deeds_of("6k1/5ppp/5n2/3n2B1/8/8/5PPP/3R2K1 w - - 0 1", "Bxf6");
        assert!(!deeds.join(" ").contains("uncovers"), "{deeds:?}");
        // Nothing guards e4 after it.
        let deeds = deeds_of("4k3/5p2/5n2/6B1/4P3/8/8/4K3 w - - 0 1", "Bxf6");
        assert!(deeds.contains(&"saves the pawn".to_owned()), "{deeds:?}");
    }

    #[test]
    fn a_fork_says_what_becomes_of_a_piece_without_squares() {
        let fen = "rn2kb1r/pp1b1ppp/4pn2/1N6/8/5N2/PPP2PPP/R1B1KB1R w KQkq - 0 1";
        assert_eq!(deeds_of(fen, "Nc7+"), ["forks the king and the rook on a8"]);
    }

    #[test]
    fn two_checks_are_a_double_check() {
        let fen = "r3k3/pp3ppp/8/8/4N3/8/PP3PPP/4R1K1 w q - 0 1";
        assert_eq!(deeds_of(fen, "Nf6+"), ["gives double check"]);
        assert_eq!(deeds_of(fen, "Nd6+"), ["gives double check"]);
        assert_eq!(deeds_of(fen, "Ng3+"), ["discovers a check"]);
    }

    #[test]
    fn a_pinned_piece_attacks_nothing_off_its_line() {
        // On c3 the bishop would fork a rook and a bishop, were it not pinned.
        let deeds = deeds_of("4k3/8/5r2/b7/8/8/3B4/4K3 w - - 0 1", "Bc3");
        assert!(deeds.is_empty(), "{deeds:?}");
        let deeds = deeds_of("4k3/8/5r2/n7/8/8/3B4/6K1 w - - 0 1", "Bc3");
        let forks = "forks the rook on f6 and the knight on a5";
        assert_eq!(deeds, [forks]);
    }

    #[test]
    fn a_piece_that_can_be_traded_or_taken_forks_nothing() {
        for (fen, san, unsaid) in [
            // A queen trade, a sacrifice, a check that the king answers by taking, a breakthrough.
            (
                "r1bqk1nr/2p2ppp/p4q2/1p6/3QP3/1B6/PPP2PPP/RNB1K2R w KQkq - 0 10",
                "Qxf6",
                "forks",
            ),
            (
                "r2q3k/p2P3p/1p3p2/3QP1r1/8/B7/P5PP/2R3K1 w - - 0 1",
                "Be7",
                "forks",
            ),
            (
                "r4r1k/ppp3pp/8/6N1/2Q5/8/PPP3PP/7K w - - 0 1",
                "Qg8+",
                "forks",
            ),
            ("8/ppp5/8/PPP5/8/8/8/k1K5 w - - 0 1", "b6", "forks"),
        ] {
            let said = deeds_of(fen, san.trim_end_matches('+')).join(" ");
            assert!(!said.contains(unsaid), "{san}: {said}");
        }
    }

    #[test]
    fn a_piece_of_its_own_is_not_taken_from_the_enemy() {
        let chess = position("4k3/8/8/3pP3/8/5N2/8/4K3 w - - 0 1");
        let position = VariantPosition::new(chess.chess().clone(), Variant::SelfCapture);
        let own = |m: &Move| m.from() == Some(Square::F3) && m.to() == Square::E5;
        let own = position.legal_moves().into_iter().find(own);
        let deeds = deeds(&position, own.expect("a legal move"));
        assert_eq!(deeds, [Deed::GivesUp(Role::Pawn, Square::E5)]);
        assert_eq!(deeds[0].in_words(), "takes its own pawn on e5");
    }

    #[test]
    fn what_can_trade_itself_for_the_attacker_is_not_pinned() {
        let fen = "rnb1kb1r/ppp1qppp/3p4/8/4n3/3P1N2/PPP1QPPP/RNB1KB1R b KQkq - 0 6";
        let said = deeds_of(fen, "Nf6").join(" ");
        assert!(!said.contains("pins"), "{said}");
        // A rook is held by a bishop, which it doesn't reach.
        let said = deeds_of("4k3/8/2r5/8/8/8/8/4KB2 w - - 0 1", "Bb5");
        assert_eq!(said, ["pins the rook on c6 to the king"]);
        let said = deeds_of("4k3/8/2b5/8/8/8/P7/4KB2 w - - 0 1", "Bb5").join(" ");
        assert!(!said.contains("pins"), "{said}");
    }

    #[test]
    fn a_threat_of_mate_is_no_fork() {
        let mate = "threatens mate by Qxh7#";
        let fen = "r1bq1rk1/p3bppp/1pn1p3/8/3P4/3B1N2/PP2QPPP/R1BR2K1 w - - 0 1";
        assert_eq!(
            deeds_of(fen, "Qe4"),
            [mate, "attacks the knight on c6", "protects the pawn on d4"]
        );
        // With nothing else to attack, and where the king has a square.
        let alone = "5rk1/5ppp/8/8/8/3B4/4QPPP/6K1 w - - 0 1";
        assert_eq!(deeds_of(alone, "Qe4"), [mate]);
        let safe = "5rk1/6pp/8/8/8/3B4/4QPPP/6K1 w - - 0 1";
        let said = deeds_of(safe, "Qe4").join(" ");
        assert!(!said.contains("mate"), "{said}");
    }

    #[test]
    fn moves_do_what_a_player_says() {
        for (fen, san, expected) in [
            (
                "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1",
                "Nc7+",
                "forks the king and the rook on a8",
            ),
            ("4k3/8/8/8/8/8/8/R5K1 b - - 0 1", "Kd7", ""),
            (
                "4k3/1b6/8/8/8/8/5P1P/4K2R w K - 0 1",
                "O-O",
                "saves the rook",
            ),
            (
                "4k3/8/2n5/8/8/8/8/4KB2 w - - 0 1",
                "Bb5",
                "pins the knight on c6 to the king",
            ),
            (
                "4k3/3q4/2n5/8/8/8/8/4KB2 w - - 0 1",
                "Bb5",
                "pins the knight on c6 to the queen",
            ),
            (
                "q3k3/8/8/8/4N3/8/6B1/4K3 w - - 0 1",
                "Nd6+",
                "uncovers an attack on the queen on a8",
            ),
            (
                "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
                "exd6",
                "takes the pawn on d5",
            ),
            (
                "8/P6k/8/8/8/8/8/4K3 w - - 0 1",
                "a8=N",
                "promotes to a knight",
            ),
            (
                "3qk3/8/8/8/8/8/8/4K2R w K - 0 1",
                "O-O",
                "brings the king to safety",
            ),
            (
                "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
                "O-O-O",
                "castles and brings the rook to d1",
            ),
            (
                "4k3/8/8/4n3/3P4/8/8/4K3 b - - 0 1",
                "Nf7",
                "saves the knight",
            ),
            (
                "4k3/8/3p4/4n3/3P4/8/8/4K3 b - - 0 1",
                "Nf7",
                "saves the knight",
            ),
            (
                "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1",
                "Ra8+",
                "skewers the king and the rook on h8 behind it",
            ),
            (
                "6r1/7k/8/3q4/8/8/P7/3BK3 w - - 0 1",
                "Bb3",
                "skewers the queen on d5 and the rook on g8 behind it",
            ),
            // The king still guards the rook when it has left the line.
            ("8/8/4kr2/8/8/8/8/R3K3 w - - 0 1", "Ra6+", "gives check"),
            // Whoever takes back on f6, nothing guards e4 any more.
            (
                "6k1/6p1/5n2/8/4b3/8/1B6/4R1K1 w - - 0 1",
                "Bxf6",
                "leaves the bishop on e4 hanging",
            ),
            // On b3 the bishop has no square left; with the pawn a2 gone it has one.
            (
                "r1bqkbnr/5ppp/p2p4/1pp5/4P3/1B2Q3/PPP2PPP/RNB1K2R b KQkq - 1 9",
                "c4",
                "traps the bishop on b3",
            ),
            (
                "r1bqkbnr/5ppp/p2p4/1pp5/4P3/1B2Q3/1PP2PPP/RNB1K2R b KQkq - 1 9",
                "c4",
                "attacks the bishop on b3",
            ),
        ] {
            let said = deeds_of(fen, san);
            let found = said.iter().any(|words| words == expected);
            assert!(
                found || (expected.is_empty() && said.is_empty()),
                "{san}: {said:?}"
            );
        }
    }
}
