//! What can be seen about a piece on its square: a file, an outpost, a king with open squares
//! around it.

use shakmaty::attacks::{attacks, king_attacks, pawn_attacks};
use shakmaty::{Bitboard, Board, Color, File, Piece, Position, Rank, Role, Square};

use squarewise_engine::evaluation::passed_pawns::passed_pawns;
use squarewise_engine::position::rules::Rules;
use squarewise_engine::position::variant_position::VariantPosition;

/// What is good or bad about a piece on its square, with what it is worth saying in centipawns;
/// `None` if nothing can be seen.
pub(super) fn in_words(
    position: &VariantPosition,
    piece: Piece,
    square: Square,
    is_good: bool,
) -> Option<(i32, String)> {
    let (board, rules) = (position.board(), position.rules());
    match (piece.role, is_good) {
        // What steps sideways is tied to no file.
        (Role::Pawn, _) if rules.pawns_step_sideways => None,
        (Role::Pawn, _) => pawn(board, piece.color, square, is_good),
        (Role::Knight, true) => good_knight(board, rules, piece.color, square),
        (Role::Bishop, true) => good_bishop(board, piece, square),
        (Role::Rook, true) => good_rook(board, piece.color, square),
        (Role::Queen, true) => aims_at_king(board, piece, square),
        (Role::King, true) => None,
        (Role::King, false) => bad_king(board, piece.color, square),
        (Role::Rook, false) => bad_rook(board, piece, square),
        (_, false) => bad_piece(board, piece, square),
    }
}

/// The rank as the side sees it: its own first rank is 0.
pub(super) fn relative_rank(side: Color, square: Square) -> usize {
    let rank = square.rank().to_usize();
    side.fold_wb(rank, 7 - rank)
}

pub(super) fn pawns_of(board: &Board, side: Color) -> Bitboard {
    board.by_piece(Role::Pawn.of(side))
}

fn neighbors(file: File) -> Bitboard {
    let offsets = [-1, 1].into_iter().filter_map(|step| file.offset(step));
    offsets.fold(Bitboard::EMPTY, |all, file| all | Bitboard::from_file(file))
}

/// The squares ahead of a square as the side sees it.
fn ahead(side: Color, square: Square) -> Bitboard {
    let ranks = Rank::ALL.into_iter().filter(|rank| match side {
        Color::White => *rank > square.rank(),
        Color::Black => *rank < square.rank(),
    });
    ranks.fold(Bitboard::EMPTY, |all, rank| all | Bitboard::from_rank(rank))
}

fn pawn(board: &Board, side: Color, square: Square, is_good: bool) -> Option<(i32, String)> {
    let own = pawns_of(board, side).without(square);
    let file = Bitboard::from_file(square.file());
    if is_good {
        let rank = relative_rank(side, square);
        let is_passed = passed_pawns(board, side).contains(square) && rank >= 3;
        return is_passed.then(|| (10 * rank as i32, "is passed".to_owned()));
    }
    if (own & file & ahead(side, square)).any() {
        return Some((8, "is doubled".to_owned()));
    }
    let is_alone = own.any() && (own & neighbors(square.file())).is_empty();
    is_alone.then(|| (10, "is isolated".to_owned()))
}

fn good_knight(board: &Board, rules: &Rules, side: Color, square: Square) -> Option<(i32, String)> {
    let guard = pawn_attacks(!side, square) & pawns_of(board, side);
    let challengers = pawns_of(board, !side) & neighbors(square.file()) & ahead(side, square);
    let rank = relative_rank(side, square);
    let may_come = rules.pawns_step_back || rules.pawns_step_sideways;
    if guard.any() && challengers.is_empty() && !may_come && (3..=5).contains(&rank) {
        return Some((
            25,
            "has an outpost, where no pawn can drive it off".to_owned(),
        ));
    }
    let is_central = (2..=5).contains(&square.file().to_usize()) && (3..=5).contains(&rank);
    is_central.then(|| (10, "stands strong in the center".to_owned()))
}

fn good_bishop(board: &Board, piece: Piece, square: Square) -> Option<(i32, String)> {
    let reach = attacks(square, piece, board.occupied()) & !board.by_color(piece.color);
    let count = reach.count();
    aims_at_king(board, piece, square)
        .or_else(|| (count >= 9).then(|| (8, format!("sees {count} squares"))))
}

/// A slider whose line reaches a square next to the king, alone or behind another.
fn aims_at_king(board: &Board, piece: Piece, square: Square) -> Option<(i32, String)> {
    let king = board.king_of(!piece.color)?;
    let beside = ahead(!piece.color, king) | Bitboard::from_rank(king.rank());
    let helpers = board.bishops_and_queens() | board.rooks_and_queens();
    let through = board.by_color(piece.color) & helpers;
    let aimed = attacks(square, piece, board.occupied() & !through) & king_attacks(king) & beside;
    let target = aimed
        .into_iter()
        .max_by_key(|at| relative_rank(piece.color, *at))?;
    Some((15, format!("aims at {target} next to the king")))
}

fn good_rook(board: &Board, side: Color, square: Square) -> Option<(i32, String)> {
    let file = square.file();
    let pawns = Bitboard::from_file(file);
    if relative_rank(side, square) == 6 {
        return Some((20, "stands on its seventh rank".to_owned()));
    }
    if (pawns & pawns_of(board, side)).any() {
        return None;
    }
    // Where no pawn is left, all files are open.
    if board.pawns().is_empty() {
        return None;
    }
    let is_open = (pawns & board.pawns()).is_empty();
    let (weight, kind) = if is_open {
        (18, "open")
    } else {
        (10, "half-open")
    };
    Some((weight, format!("has the {kind} {}-file", file.char())))
}

/// A rook behind its own pawn, while a rook of the other side has a file.
fn bad_rook(board: &Board, piece: Piece, square: Square) -> Option<(i32, String)> {
    let own = pawns_of(board, piece.color) & Bitboard::from_file(square.file());
    let mut rivals = board.by_piece(Role::Rook.of(!piece.color)).into_iter();
    let has_rival = rivals.any(|rival| good_rook(board, !piece.color, rival).is_some());
    (own.any() && has_rival).then(|| (6, "has no open file".to_owned()))
}

fn bad_piece(board: &Board, piece: Piece, square: Square) -> Option<(i32, String)> {
    let reach = attacks(square, piece, board.occupied()) & !board.by_color(piece.color);
    let is_on_rim = [File::A, File::H].contains(&square.file());
    match (piece.role, reach.count()) {
        (Role::Queen, _) => None,
        (Role::Bishop, 0) => {
            let rank = relative_rank(piece.color, square);
            // At home behind unmoved pawns it is only undeveloped.
            let is_new = board.occupied().count() >= 28 && rank == 0;
            (!is_new).then(|| (20, "is shut in".to_owned()))
        }
        (Role::Knight, _) if is_on_rim && relative_rank(piece.color, square) > 0 => {
            Some((8, "stands on the rim".to_owned()))
        }
        (Role::Bishop, 1..=2) => Some((8, "sees next to nothing".to_owned())),
        _ => None,
    }
}

fn bad_king(board: &Board, side: Color, king: Square) -> Option<(i32, String)> {
    let around = king_attacks(king);
    let attacked = |square: &Square| {
        let attackers = board.attacks_to(*square, !side, board.occupied());
        (attackers & !board.kings()).any()
    };
    let count = around.into_iter().filter(attacked).count();
    let has_queens = board.by_piece(Role::Queen.of(!side)).any();
    if has_queens && count >= 3 {
        return Some((
            8 * count as i32,
            format!("has {count} attacked squares around it"),
        ));
    }
    let is_in_front = |pawn: Square| {
        let ranks = relative_rank(side, pawn).checked_sub(relative_rank(side, king));
        matches!(ranks, Some(1 | 2)) && pawn.file().distance(king.file()) <= 1
    };
    let pawns = pawns_of(board, side).into_iter();
    let shelter = pawns.filter(|pawn| is_in_front(*pawn)).count();
    if has_queens && (3..=4).contains(&king.file().to_usize()) && relative_rank(side, king) <= 1 {
        // A king that can still castle isn't worth a word in the opening, and in an ending it
        // belongs there.
        let is_middlegame = (14..26).contains(&board.occupied().count());
        return is_middlegame.then(|| (15, "is still in the center".to_owned()));
    }
    // A queen alone is no attack.
    let attackers = board.by_color(!side) & !board.pawns() & !board.kings();
    let is_bare = has_queens && attackers.count() > 1 && shelter <= 1;
    is_bare.then(|| (15, "has hardly a pawn in front of it".to_owned()))
}
