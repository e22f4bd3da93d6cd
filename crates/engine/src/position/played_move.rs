//! Facts about a played move that shakmaty's `Move` doesn't carry: which side played it, and which
//! squares it changes.
//!
//! This is for what is shown to people. The search has faster ways, such as the changes of pieces
//! that update the accumulator.

use std::fmt::Display;

use shakmaty::{Chess, Color, Move, Position, Square};

/// The side that played a ply of a game from this start; the first ply is 0.
pub fn side_of_ply(start: &Chess, ply: usize) -> Color {
    let first = start.turn();
    if ply.is_multiple_of(2) { first } else { !first }
}

/// The number of a move as scoresheets have it: `12.` for White, `12...` for Black.
pub fn move_number(number: impl Display, side: Color) -> String {
    format!("{number}{}", side.fold_wb(".", "..."))
}

/// From where to where the pieces of a move go: one piece, or king and rook when they castle.
pub fn moved_squares(m: Move, mover: Color) -> [Option<(Square, Square)>; 2] {
    match (m, m.castling_side()) {
        (Move::Castle { king, rook }, Some(side)) => [
            Some((king, side.king_to(mover))),
            Some((rook, side.rook_to(mover))),
        ],
        _ => [m.from().map(|from| (from, m.to())), None],
    }
}

/// The square of the piece that a move captures: beside the pawn when it captures en passant.
pub fn captured_square(m: Move) -> Option<Square> {
    match m {
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        _ => m.capture().map(|_| m.to()),
    }
}

/// Whether a move takes a piece of its own side, as self-capture allows.
pub fn captures_own(position: &impl Position, m: Move) -> bool {
    let victim = captured_square(m).and_then(|square| position.board().color_at(square));
    victim == Some(position.turn())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::from_fen;
    use shakmaty::{Board, CastlingMode, Piece};

    /// The board after a move by the squares that it changes.
    fn changed(board: &Board, m: Move, mover: Color) -> Board {
        let mut changed = board.clone();
        if let Some(square) = captured_square(m) {
            changed.discard_piece_at(square);
        }
        let moved = moved_squares(m, mover).into_iter().flatten();
        let moved: Vec<(Square, Square)> = moved.collect();
        // All are lifted before one is put down: in Chess960 the king may go to the square of the
        // rook.
        let lifted: Vec<Option<Piece>> = moved
            .iter()
            .map(|(from, _)| changed.remove_piece_at(*from))
            .collect();
        for ((_, to), piece) in moved.iter().zip(lifted) {
            let piece = piece.expect("a piece moves");
            let role = m.promotion().unwrap_or(piece.role);
            assert_eq!(changed.piece_at(*to), None, "{m:?}");
            changed.set_piece_at(*to, role.of(piece.color));
        }
        changed
    }

    #[test]
    fn the_squares_of_all_kinds_of_moves_make_the_board_after_them() {
        for (fen, mode) in [
            (
                "r3k2r/7P/8/3pP3/8/8/6p1/R3K2R w KQkq d6 0 1",
                CastlingMode::Standard,
            ),
            (
                "r3k2r/7P/8/3pP3/8/8/6p1/R3K2R b KQkq - 0 1",
                CastlingMode::Standard,
            ),
            ("k7/8/8/8/8/8/8/1R3KR1 w BG - 0 1", CastlingMode::Chess960),
        ] {
            let position = from_fen(fen, mode).expect("a legal position");
            for m in position.legal_moves() {
                let after = position.clone().play(m).expect("a legal move");
                let by_squares = changed(position.board(), m, position.turn());
                assert_eq!(&by_squares, after.board(), "{m:?}");
            }
        }
    }

    #[test]
    fn the_sides_take_turns_from_the_one_that_begins() {
        let black = from_fen("4k3/8/8/8/8/8/8/4K2R b K - 0 1", CastlingMode::Standard);
        let black = black.expect("a legal position");
        let sides = |start: &Chess| [0, 1, 2].map(|ply| side_of_ply(start, ply));
        assert_eq!(
            sides(&Chess::default()),
            [Color::White, Color::Black, Color::White]
        );
        assert_eq!(sides(&black), [Color::Black, Color::White, Color::Black]);
    }
}
