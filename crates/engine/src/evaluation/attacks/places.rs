//! The pieces of a board by square, each as one number.

use shakmaty::{Bitboard, Board, Color, Role, Square};

use crate::evaluation::pairs::PlacedPiece;

/// The numbers of all pieces on all squares are below this.
pub(super) const PLACED: usize = 1 << 10;

/// What stands for black in the number of a piece.
const BLACK: u16 = 1 << 9;

/// A piece on its square as a number: the square in six bits, the role in three, and one for the
/// color. So one XOR mirrors the board and exchanges the colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placed(u16);

impl Placed {
    #[inline(always)]
    pub(super) fn new(role: Role, color: Color, square: Square) -> Placed {
        let role = (role as u16 - 1) << 6;
        Placed(color.fold_wb(0, BLACK) | role | u16::from(square))
    }

    #[inline(always)]
    pub(super) fn role(self) -> Role {
        Role::ALL[usize::from(self.0 >> 6 & 7) % Role::ALL.len()]
    }

    /// The piece and its square.
    pub(super) fn piece(self, square: Square) -> PlacedPiece {
        let color = Color::from_white(self.0 & BLACK == 0);
        (self.role().of(color), square)
    }

    /// The number for a piece of a side: its own pieces are white, and the squares are mirrored by
    /// `flip`.
    #[inline(always)]
    pub(super) fn seen(self, side: Color, flip: usize) -> usize {
        (usize::from(self.0) ^ (side.fold_wb(0, usize::from(BLACK)) | flip)) % PLACED
    }
}

/// The pieces of a board by square.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// The piece on each occupied square except those of the kings. Entries of other squares are
    /// meaningless.
    placed: [Placed; 64],
    /// All pieces but the kings: what can be attacked.
    pub(super) victims: Bitboard,
}

impl Places {
    #[inline(always)]
    pub(super) fn of(board: &Board) -> Places {
        let mut places = Places {
            placed: WHITE_PAWNS,
            victims: board.occupied() & !board.kings(),
        };
        for (role, pieces) in [
            (Role::Knight, board.knights()),
            (Role::Bishop, board.bishops()),
            (Role::Rook, board.rooks()),
            (Role::Queen, board.queens()),
        ] {
            for square in pieces {
                places.placed[usize::from(square)] = Placed::new(role, Color::White, square);
            }
        }
        for square in board.black() {
            places.placed[usize::from(square)].0 |= BLACK;
        }
        places
    }

    /// The piece on an occupied square that is no king's.
    #[inline(always)]
    pub(super) fn on(&self, square: Square) -> Placed {
        self.placed[usize::from(square)]
    }
}

/// A white pawn on every square.
const WHITE_PAWNS: [Placed; 64] = {
    let mut pawns = [Placed(0); 64];
    let mut square = 0;
    while square < 64 {
        pawns[square] = Placed(square as u16);
        square += 1;
    }
    pawns
};
