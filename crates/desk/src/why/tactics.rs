//! Tactics that a player sees at a glance: what a move does.

use shakmaty::attacks::attacks;
use shakmaty::{Bitboard, Board, Color, Move, Position, Role, Square};
use squarewise_engine::position::variant_position::VariantPosition;

use super::exchanges::{attackers, capture_gain, exchange, hanging, pins};
use super::words::{listed, piece_on, role_name};
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
    Castles,
    /// Attacks several pieces at once, the king among them if it gives check.
    Forks(Vec<(Role, Square)>),
    Attacks(Role, Square),
    /// A piece behind the one that moved attacks something.
    Discovers(Role, Square),
    Checks,
    /// Pins a piece to what stands behind it.
    Pins {
        piece: (Role, Square),
        to: Role,
    },
    /// Protects a piece that hung.
    Protects(Role, Square),
    /// Takes the piece that moves out of danger.
    Saves(Role),
}

impl Deed {
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
            Deed::Castles => "brings the king to safety".to_owned(),
            Deed::Forks(targets) => {
                let targets: Vec<String> = targets.iter().map(|target| the(*target)).collect();
                format!("forks {}", listed(&targets))
            }
            Deed::Attacks(role, square) => format!("attacks {}", the((*role, *square))),
            Deed::Discovers(Role::King, _) => "discovers a check".to_owned(),
            Deed::Discovers(role, square) => {
                format!("uncovers an attack on {}", the((*role, *square)))
            }
            Deed::Checks => "gives check".to_owned(),
            Deed::Pins { piece, to } => format!("pins {} to the {}", the(*piece), role_name(*to)),
            Deed::Protects(role, square) => format!("protects {}", the((*role, *square))),
            Deed::Saves(role) => format!("saves the {}", role_name(*role)),
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
        deeds.push(match captures_own(position, m) {
            true => Deed::GivesUp(victim, square),
            false => Deed::Captures { victim, square },
        });
    }
    if m.is_castle() {
        deeds.push(Deed::Castles);
    }
    let pins = new_pins(before, board, mover);
    let is_pinned = |at: Square| {
        let mut pins = pins.iter();
        pins.any(|pin| matches!(pin, Deed::Pins { piece: (_, square), .. } if *square == at))
    };
    let is_captor = !deeds.is_empty();
    deeds.extend(
        attack_deeds(before, board, m, mover)
            .into_iter()
            .filter(|deed| match deed {
                // A pin says more, and after a capture another pawn says little.
                Deed::Attacks(_, at) if is_pinned(*at) => false,
                Deed::Attacks(role, _) => !is_captor || *role != Role::Pawn,
                Deed::Discovers(role, _) => *role != Role::Pawn,
                _ => true,
            }),
    );
    deeds.extend(pins);
    let hung = hanging(before, mover);
    let hangs: Vec<Square> = hanging(board, mover).iter().map(|(at, _)| *at).collect();
    let saves = hung.iter().filter_map(|(square, gain)| {
        let role = before.role_at(*square).filter(|_| *gain >= 100)?;
        if m.from() == Some(*square) && !m.is_castle() {
            let is_safe = !hangs.contains(&m.to()) && !m.is_capture() && !m.is_promotion();
            return is_safe.then_some(Deed::Saves(role));
        }
        let guards = |board: &Board| board.attacks_to(*square, mover, board.occupied());
        let is_guarded = !guards(board).is_subset(guards(before));
        let deed = match is_guarded {
            true => Deed::Protects(role, *square),
            false => Deed::Saves(role),
        };
        (!hangs.contains(square)).then_some(deed)
    });
    deeds.extend(saves.take(2));
    deeds
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
    match direct.as_slice() {
        [_, _, ..] if is_new && is_fork(after, &direct, to) => deeds.push(Deed::Forks(direct)),
        [_, _, ..] if !is_check => deeds.extend(alone(&direct)),
        [(role, square)] if is_new && !is_check => deeds.push(Deed::Attacks(*role, *square)),
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

/// The pins that a move of `mover` makes: to the king, or to a queen behind the piece.
fn new_pins(before: &Board, after: &Board, mover: Color) -> Vec<Deed> {
    let old = pinned(before, !mover);
    let new = pinned(after, !mover).into_iter();
    new.filter(|pin| !old.contains(pin)).collect()
}

/// The pieces of a side that are pinned, to the king or the queen; pawns are left out.
fn pinned(board: &Board, side: Color) -> Vec<Deed> {
    let of_value = |square: Square| board.role_at(square).filter(|role| *role != Role::Pawn);
    let absolute = pins(board, side).into_iter();
    let mut found: Vec<Deed> = absolute
        .filter_map(|pin| {
            let piece = (of_value(pin.piece)?, pin.piece);
            Some(Deed::Pins {
                piece,
                to: Role::King,
            })
        })
        .collect();
    for queen in board.by_piece(Role::Queen.of(side)) {
        // A board on which the queen is the king has her pins.
        let mut disguised = board.clone();
        disguised.discard_piece_at(queen);
        if let Some(king) = board.king_of(side) {
            disguised.set_piece_at(king, Role::Pawn.of(side));
        }
        disguised.set_piece_at(queen, Role::King.of(side));
        let to_queen = pins(&disguised, side).into_iter().filter(|pin| {
            board.role_at(pin.by) != Some(Role::Queen) && Some(pin.piece) != board.king_of(side)
        });
        found.extend(to_queen.filter_map(|pin| {
            let piece = (of_value(pin.piece)?, pin.piece);
            Some(Deed::Pins {
                piece,
                to: Role::Queen,
            })
        }));
    }
    found
}

/// Why a move mates, in words: a pattern that has a name, or who guards the square.
pub(super) fn mate_in_words(position: &VariantPosition, m: Move) -> Option<String> {
    let mut after = position.clone();
    after.play_unchecked(m);
    let (board, loser) = (after.board(), after.turn());
    let king = board.king_of(loser).filter(|_| after.is_checkmate())?;
    let around = attacks(king, Role::King.of(loser), Bitboard::EMPTY);
    let checker = after.checkers().single_square()?;
    let role = board.role_at(checker)?;
    let own = board.by_color(loser);
    if role == Role::Knight && (around & !own).is_empty() {
        return Some("a smothered mate, since the king's own pieces leave it no square".to_owned());
    }
    let back_rank = loser.fold_wb(shakmaty::Rank::First, shakmaty::Rank::Eighth);
    let in_front = around & !Bitboard::from_rank(king.rank());
    let on_rank = checker.rank() == king.rank() && king.rank() == back_rank;
    if on_rank && (in_front & own).count() >= 2 {
        let first = loser.fold_wb("first", "eighth");
        return Some(format!(
            "a mate on the {first} rank, where the king's own pieces shut it in"
        ));
    }
    if checker != m.to() || !around.contains(checker) || m.promotion().is_some() {
        return None;
    }
    let guards = position
        .board()
        .attacks_to(checker, loser, position.board().occupied());
    let helper = attackers(board, checker, !loser).first()?;
    let (role, helper) = (role_name(role), role_name(board.role_at(helper)?));
    Some(if guards.count() == 1 {
        format!("the {role} and the {helper} attack {checker}, and only the king guards it")
    } else {
        format!("the {role} is backed by the {helper}")
    })
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
    fn moves_do_what_a_player_says() {
        for (fen, san, expected) in [
            (
                "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1",
                "Nc7+",
                "forks the king and the rook on a8",
            ),
            ("4k3/8/8/8/8/8/8/R5K1 b - - 0 1", "Kd7", ""),
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
                "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
                "O-O",
                "brings the king to safety",
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
        ] {
            let said = deeds_of(fen, san);
            let found = said.iter().any(|words| words == expected);
            assert!(
                found || (expected.is_empty() && said.is_empty()),
                "{san}: {said:?}"
            );
        }
    }

    #[test]
    fn mates_have_their_names() {
        for (fen, san, words) in [
            ("6rk/6pp/8/6N1/8/8/8/4K3 w - - 0 1", "Nf7#", "smothered"),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra8#", "eighth rank"),
            (
                "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
                "Qg7#",
                "only the king guards it",
            ),
        ] {
            let position = position(fen);
            let san: San = san.trim_end_matches('#').parse().expect("a move");
            let m = san.to_move(&position).expect("a legal move");
            let said = mate_in_words(&position, m).unwrap_or_default();
            assert!(said.contains(words), "{said}");
        }
    }
}
