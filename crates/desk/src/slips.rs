//! Quiet correction: why a move that a person typed is not possible, in one sentence.
//!
//! "Nf3 is not possible: the knight on g1 is pinned by the rook on g8." The reason that is named is
//! the one that a friend at the board would name: the wrong side's piece, a piece in the way, a
//! pin, the king in check.

mod castling;

use shakmaty::san::San;
use shakmaty::{Bitboard, Board, Move, Position, Role, Square, attacks};
use squarewise_engine::position::variant_position::VariantPosition;

use self::castling::{castling_side, is_castling, nearest, piece_on};
use crate::notation::{self, Meaning, Pattern, Reading, role_name};
use crate::why::joined;

/// Moves of a piece are listed if there are at most this many.
const MAX_LISTED_MOVES: usize = 8;

/// Reads a move that a person typed: the move, or why it is not possible. `None` if it does not
/// look like a move.
pub fn read_move(text: &str, position: &VariantPosition) -> Option<Result<Move, String>> {
    let typed = text.trim();
    Some(match notation::meaning(typed, position)? {
        Meaning::Move(m) => Ok(m),
        Meaning::Several(moves) => Err(which_of(&moves, typed, position)),
        Meaning::NeedsPromotion => {
            let pawn = typed.trim_end_matches(['+', '#', '!', '?', '=']);
            Err(format!(
                "{pawn} needs a piece to promote to, such as {pawn}=Q"
            ))
        }
        Meaning::Nothing => {
            let reading = reading_to_explain(typed, position)?;
            let reason = reason(reading, position);
            Err(format!("{} is not possible: {reason}", shown(reading)))
        }
    })
}

/// "Two knights can go to d2: Nbd2 or Nfd2."
fn which_of(moves: &[Move], typed: &str, position: &VariantPosition) -> String {
    let choices: Vec<String> = moves.iter().map(|m| san(*m, position)).collect();
    let choices = joined(&choices, "or");
    match moves {
        [one, other] if one.role() == other.role() && one.to() == other.to() => {
            let (role, to) = (role_name(one.role()), one.to());
            format!("two {role}s can go to {to}: {choices}")
        }
        _ => format!("{typed} can be {choices}"),
    }
}

/// The reading of an impossible move that is meant: the likelier one, unless it is a pawn that has
/// nothing to do with the square. In `bc4` the letter is the bishop if no pawn of the b-file
/// captures on c4.
fn reading_to_explain(typed: &str, position: &VariantPosition) -> Option<Reading> {
    match *notation::readings(typed) {
        [Reading::Normal(pattern), other]
            if pattern.role == Some(Role::Pawn) && !can_pawn_be_meant(pattern, position) =>
        {
            Some(other)
        }
        [first, ..] => Some(first),
        [] => None,
    }
}

/// Whether a pawn captures on the target square, or would if there were something, where the text
/// says that it captures.
fn can_pawn_be_meant(pattern: Pattern, position: &VariantPosition) -> bool {
    let us = position.turn();
    let pawns = position.board().by_piece(Role::Pawn.of(us)).into_iter();
    pawns
        .filter(|from| pattern.allows_origin(*from))
        .any(|from| {
            let is_attack = attacks::pawn_attacks(us, from).contains(pattern.to);
            is_attack && (pattern.captures || can_reach(position, from, pattern.to))
        })
}

/// A reading as SAN would write it.
fn shown(reading: Reading) -> String {
    let pattern = match reading {
        Reading::Castle(side) => return San::Castle(side).to_string(),
        Reading::Normal(pattern) => pattern,
    };
    match (pattern.role, pattern.from()) {
        (None, Some(from)) => format!("{from}{}", pattern.to),
        (role, _) => San::Normal {
            role: role.unwrap_or(Role::Pawn),
            file: pattern.file,
            rank: pattern.rank,
            capture: pattern.captures,
            to: pattern.to,
            promotion: pattern.promotion,
        }
        .to_string(),
    }
}

/// Why a reading is no legal move.
fn reason(reading: Reading, position: &VariantPosition) -> String {
    match reading {
        Reading::Castle(side) => castling::reason(side, position),
        Reading::Normal(pattern) => match castling_side(pattern, position) {
            Some(side) if is_castling(pattern, side, position) => {
                format!("castling is written {}", San::Castle(side))
            }
            Some(side) => castling::reason(side, position),
            None => reason_of_pattern(pattern, position),
        },
    }
}

fn reason_of_pattern(pattern: Pattern, position: &VariantPosition) -> String {
    let (board, us) = (position.board(), position.turn());
    let to = pattern.to;
    if let Some(from) = pattern.from() {
        match board.piece_at(from) {
            None => return format!("there is no piece on {from}"),
            Some(piece) if piece.color != us => {
                let owner = piece.color.fold_wb("White's", "Black's");
                return format!("the {} on {from} is {owner}", role_name(piece.role));
            }
            Some(piece) if pattern.role.is_some_and(|role| role != piece.role) => {
                return format!("the piece on {from} is a {}", role_name(piece.role));
            }
            Some(_) => {}
        }
    }
    let own = board.role_at(to).filter(|_| board.color_at(to) == Some(us));
    if let Some(role) = own
        && (role == Role::King || !position.rules().own_captures)
    {
        return format!("your own {} stands on {to}", role_name(role));
    }
    let role = pattern.from().and_then(|from| board.role_at(from));
    let role = role.or(pattern.role).unwrap_or(Role::Pawn);
    let of_role = board.by_piece(role.of(us));
    let candidates = of_role.into_iter();
    let candidates: Vec<Square> = candidates
        .filter(|from| pattern.allows_origin(*from))
        .collect();
    let mut reaching = candidates.iter().copied();
    match reaching.find(|from| can_reach(position, *from, to)) {
        Some(from) => {
            let left_in_check = reason_of_check(position, from, to);
            left_in_check.unwrap_or_else(|| reason_of_sign(pattern, role, position))
        }
        None if of_role.is_empty() => format!("you have no {}", role_name(role)),
        None if role == Role::Pawn => reason_of_pawn(pattern, &candidates, position),
        None => reason_of_distance(pattern, role, &candidates, position),
    }
}

/// Whether a piece goes to a square by the way it moves, whatever becomes of its king.
fn can_reach(position: &VariantPosition, from: Square, to: Square) -> bool {
    let board = position.board();
    let (us, role) = (position.turn(), board.role_at(from));
    let occupied = board.occupied();
    match role {
        Some(Role::Pawn) => {
            let captures = attacks::pawn_attacks(us, from).contains(to);
            let is_enemy = !board.by_color(us).contains(to) || position.rules().own_captures;
            let is_capture =
                (occupied.contains(to) && is_enemy) || position.maybe_ep_square() == Some(to);
            (captures && is_capture)
                || (position.rules().pawn_steps(us, from).contains(to)
                    && is_way_free(board, from, to))
        }
        Some(role) => attacks::attacks(from, role.of(us), occupied).contains(to),
        None => false,
    }
}

/// Whether nothing stands on the way of a pawn to a square.
fn is_way_free(board: &Board, from: Square, to: Square) -> bool {
    let way = attacks::between(from, to) | Bitboard::from_square(to);
    (way & board.occupied()).is_empty()
}

/// Why no piece reaches a square: something is in the way, or it does not move like that.
fn reason_of_distance(
    pattern: Pattern,
    role: Role,
    candidates: &[Square],
    position: &VariantPosition,
) -> String {
    let (board, to) = (position.board(), pattern.to);
    let piece = role.of(position.turn());
    for from in candidates {
        if attacks::attacks(*from, piece, Bitboard::EMPTY).contains(to) {
            let in_the_way = attacks::between(*from, to) & board.occupied();
            if let Some(square) = nearest(in_the_way, *from) {
                let blocker = piece_on(board, square);
                return format!("the {} on {from} can't pass {blocker}", role_name(role));
            }
        }
    }
    let name = role_name(role);
    let who = match candidates {
        [from] => format!("the {name} on {from} does not reach {to}"),
        _ => format!("there is no {name} that reaches {to}"),
    };
    let of_one = match candidates {
        [from] => Some(*from),
        _ => None,
    };
    let is_meant = |m: &&Move| {
        let is_of_kind = m.role() == role && !m.is_castle();
        is_of_kind && (of_one.is_none() || m.from() == of_one)
    };
    let legal = position.legal_moves();
    let moves = legal.iter().filter(is_meant);
    let moves: Vec<String> = moves.map(|m| san(*m, position)).collect();
    match (moves.len(), of_one) {
        (0, Some(_)) => format!("{who}, and it has no legal move"),
        (0, None) => format!("{who}, and no {name} has a legal move"),
        (1..=MAX_LISTED_MOVES, Some(_)) => {
            format!("{who}; it can play {}", joined(&moves, "or"))
        }
        (1..=MAX_LISTED_MOVES, None) => format!("{who}; you can play {}", joined(&moves, "or")),
        _ => who,
    }
}

/// Why no pawn reaches a square.
fn reason_of_pawn(pattern: Pattern, candidates: &[Square], position: &VariantPosition) -> String {
    let (board, us, to) = (position.board(), position.turn(), pattern.to);
    for from in candidates {
        if attacks::pawn_attacks(us, *from).contains(to) && pattern.file.is_some() {
            return format!("there is nothing to capture on {to}");
        }
    }
    if pattern.captures {
        return format!("no pawn captures on {to}");
    }
    let on_file = candidates.iter().filter(|from| from.file() == to.file());
    // Those that have not yet passed the square.
    let is_behind = |from: &&Square| us.relative_rank(from.rank()) < us.relative_rank(to.rank());
    let closest = on_file
        .filter(is_behind)
        .min_by_key(|from| from.distance(to));
    let Some(from) = closest else {
        return format!("there is no pawn that reaches {to}");
    };
    let way = attacks::between(*from, to) | Bitboard::from_square(to);
    match nearest(way & board.occupied(), *from) {
        Some(square) => format!(
            "the pawn on {from} is blocked by {}",
            piece_on(board, square)
        ),
        None => {
            let rules = position.rules();
            let steps = rules.pawn_steps(us, *from);
            let is_double = (steps & Bitboard::from_file(from.file()))
                .into_iter()
                .any(|square| square.distance(*from) == 2);
            let ahead = if is_double {
                "one or two squares ahead"
            } else {
                "one square ahead"
            };
            let aside = match (rules.pawns_step_back, rules.pawns_step_sideways) {
                (true, _) => ", or one back",
                (_, true) => ", or one to the side",
                _ => "",
            };
            format!("the pawn on {from} goes {ahead}{aside}")
        }
    }
}

/// Why a piece that can go to a square may not: its king would be in check. `None` if it would not.
fn reason_of_check(position: &VariantPosition, from: Square, to: Square) -> Option<String> {
    let (board, us) = (position.board(), position.turn());
    let king = board.king_of(us)?;
    let mut after = board.clone();
    let piece = after.remove_piece_at(from)?;
    if piece.role == Role::Pawn && from.file() != to.file() && board.piece_at(to).is_none() {
        after.discard_piece_at(Square::from_coords(to.file(), from.rank()));
    }
    after.set_piece_at(to, piece);
    let target = if from == king { to } else { king };
    let attackers = after.attacks_to(target, !us, after.occupied());
    let attacker = attackers.first()?;
    let attacker_text = piece_on(board, attacker);
    if from == king {
        return Some(if board.role_at(attacker) == Some(Role::King) {
            "the kings may not stand side by side".to_owned()
        } else {
            format!("{attacker_text} attacks {to}")
        });
    }
    let checkers = position.checkers();
    Some(if checkers.more_than_one() {
        "it is double check, so the king itself must move".to_owned()
    } else if let Some(checker) = (attackers & checkers).first() {
        // The piece can be pinned besides.
        format!("the king is in check from {}", piece_on(board, checker))
    } else {
        format!(
            "the {} on {from} is pinned by {attacker_text}",
            role_name(piece.role)
        )
    })
}

/// What is wrong with the signs of a move that is possible as such.
fn reason_of_sign(pattern: Pattern, role: Role, position: &VariantPosition) -> String {
    let to = pattern.to;
    let is_en_passant = role == Role::Pawn && position.maybe_ep_square() == Some(to);
    if pattern.captures && position.board().piece_at(to).is_none() && !is_en_passant {
        format!("there is nothing to capture on {to}")
    } else if role == Role::Pawn {
        format!("a pawn does not promote on {to}")
    } else {
        "only pawns promote".to_owned()
    }
}

fn san(m: Move, position: &VariantPosition) -> String {
    notation::san(position, m).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use squarewise_engine::position::from_fen;
    use squarewise_engine::position::rules::Variant;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// What is said about a text that is no legal move.
    fn slip(fen: &str, text: &str) -> String {
        let position =
            VariantPosition::from(from_fen(fen, CastlingMode::Standard).expect("a legal position"));
        match read_move(text, &position) {
            Some(Err(slip)) => slip,
            other => panic!("{text} is read as {other:?}"),
        }
    }

    /// Lines with what is typed and, after a colon, what is said about it.
    fn assert_slips(fen: &str, cases: &str) {
        for case in cases.trim().lines() {
            let (text, expected) = case.trim().split_once(": ").expect("a colon");
            assert_eq!(slip(fen, text), expected);
        }
    }

    #[test]
    fn a_legal_move_is_a_move_and_other_words_are_neither() {
        let start = VariantPosition::default();
        assert!(matches!(read_move("nf3", &start), Some(Ok(_))));
        assert_eq!(read_move("help", &start), None);
    }

    #[test]
    fn own_pieces_are_in_the_way_unless_they_can_be_captured() {
        let position = VariantPosition::start_of(Variant::SelfCapture);
        for (text, expected) in [
            ("Qf2", "the queen on d1 does not reach f2"),
            ("Qe1", "your own king stands on e1"),
        ] {
            let Some(Err(slip)) = read_move(text, &position) else {
                panic!("{text} is possible");
            };
            assert!(slip.contains(expected), "{slip}");
        }
    }

    #[test]
    fn pieces_that_do_not_go_there_are_told_with_what_is_in_the_way() {
        assert_slips(
            START,
            "
            Nf4: Nf4 is not possible: there is no knight that reaches f4; you can play Na3, Nc3, Nf3 or Nh3
            Bc4: Bc4 is not possible: the bishop on f1 can't pass the pawn on e2
            Nd2: Nd2 is not possible: your own pawn stands on d2
            Qe4: Qe4 is not possible: the queen on d1 does not reach e4, and it has no legal move
            b1d4: b1d4 is not possible: the knight on b1 does not reach d4; it can play Na3 or Nc3
            e2e5: e2e5 is not possible: the pawn on e2 goes one or two squares ahead
            e7e5: e7e5 is not possible: the pawn on e7 is Black's
            e4e5: e4e5 is not possible: there is no piece on e4
            Ne2e4: Ne2e4 is not possible: the piece on e2 is a pawn
            exd3: exd3 is not possible: there is nothing to capture on d3
            Nxf3: Nxf3 is not possible: there is nothing to capture on f3
            Nf3=Q: Nf3=Q is not possible: only pawns promote
            e4=Q: e4=Q is not possible: a pawn does not promote on e4",
        );
        assert_slips(
            "4k3/8/8/3pp3/4P3/2N2N2/8/4K3 w - - 0 1",
            "
            exd5=Q: exd5=Q is not possible: a pawn does not promote on d5
            Nxe5=Q: Nxe5=Q is not possible: only pawns promote",
        );
        let queenless = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        assert_slips(queenless, "Qd4: Qd4 is not possible: you have no queen");
    }

    #[test]
    fn the_letter_b_is_the_bishop_where_no_pawn_captures() {
        assert_slips(
            START,
            "
            bc4: Bc4 is not possible: the bishop on f1 can't pass the pawn on e2
            bxf7: Bxf7 is not possible: there is no bishop that reaches f7, and no bishop has a legal move
            bxc3: bxc3 is not possible: there is nothing to capture on c3
            bd2: Bd2 is not possible: your own pawn stands on d2",
        );
        // The pawn captures, so it is meant, and the king is in check.
        let check = "k7/8/8/8/8/2b5/1P6/rK6 w - - 0 1";
        assert_slips(
            check,
            "
            bc3: bc3 is not possible: the king is in check from the rook on a1
            bd4: Bd4 is not possible: you have no bishop",
        );
    }

    #[test]
    fn blocked_pawns_are_told_with_the_piece_before_them() {
        let fen = "4k3/8/8/4n3/4P3/4b3/4P3/4K3 w - - 0 1";
        assert_slips(
            fen,
            "
            e5: e5 is not possible: the pawn on e4 is blocked by the knight on e5
            e6: e6 is not possible: the pawn on e4 is blocked by the knight on e5
            e2e4: e2e4 is not possible: your own pawn stands on e4
            e2e3: e2e3 is not possible: the pawn on e2 is blocked by the bishop on e3
            d5: d5 is not possible: there is no pawn that reaches d5
            exd5: exd5 is not possible: there is nothing to capture on d5
            Kd2: Kd2 is not possible: the bishop on e3 attacks d2",
        );
    }

    #[test]
    fn a_pin_is_told_with_the_pinning_piece() {
        let pinned = "4k3/8/8/8/7b/8/5N2/4K3 w - - 0 1";
        assert_slips(
            pinned,
            "Ne4: Ne4 is not possible: the knight on f2 is pinned by the bishop on h4",
        );
        // Capturing en passant would open the rank.
        let en_passant = "8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1";
        assert_slips(
            en_passant,
            "exd3: exd3 is not possible: the pawn on e4 is pinned by the queen on h4",
        );
    }

    #[test]
    fn a_king_in_check_comes_first() {
        let check = "4k3/8/8/8/7q/8/8/RN2K3 w Q - 0 1";
        assert_slips(
            check,
            "
            Nc3: Nc3 is not possible: the king is in check from the queen on h4
            Kf2: Kf2 is not possible: the queen on h4 attacks f2
            O-O-O: O-O-O is not possible: the king is in check from the queen on h4",
        );
        let pinned_besides = "4k3/4n3/8/1B6/8/8/8/4RK2 b - - 0 1";
        assert_slips(
            pinned_besides,
            "Nf5: Nf5 is not possible: the king is in check from the bishop on b5",
        );
        let double_check = "7k/8/8/4r3/7b/8/8/R3K3 w Q - 0 1";
        assert_slips(
            double_check,
            "Ra3: Ra3 is not possible: it is double check, so the king itself must move",
        );
        let kings = "8/8/8/8/8/4k3/8/4K3 w - - 0 1";
        assert_slips(
            kings,
            "Kd2: Kd2 is not possible: the kings may not stand side by side",
        );
    }

    #[test]
    fn an_unclear_move_is_answered_with_the_choices() {
        let knights = "7k/8/8/8/8/5N2/8/1N5K w - - 0 1";
        assert_slips(knights, "Nd2: two knights can go to d2: Nbd2 or Nfd2");
        let pawn_and_bishop = "7k/8/8/8/2n5/1P1B4/8/K7 w - - 0 1";
        assert_slips(pawn_and_bishop, "bc4: bc4 can be bxc4 or Bxc4");
        let promotion = "8/2P4k/8/8/8/8/8/K7 w - - 0 1";
        for typed in ["c8", "c8+", "c8#!", "c8=", "c8=="] {
            let told = "c8 needs a piece to promote to, such as c8=Q";
            assert_slips(promotion, &format!("{typed}: {told}"));
        }
    }
}
