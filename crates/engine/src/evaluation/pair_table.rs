//! The table of pairs in the form in which the search looks them up.
//!
//! As they are stored and learned ([`super::pairs`]), each side sees a pair from behind its own
//! king, and the evaluation takes White's score minus Black's. The search needs only this
//! difference. If everything is seen from White's side of the board, mirrored with White's king, it
//! depends on nothing but whether the kings stand on the same wing. So there are two tables of
//! differences, computed when the tables are loaded, and a pair costs one look-up instead of two.
//! In a row of such a table stand the scores of one piece with every pawn, side by side in memory.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

use super::lane_score::LaneScore;
use super::pair_perspective::{HALF_ROWS, OPPOSITE_WINGS, SAME_WING};
use super::pairs::{
    PAWN_SQUARE_COUNT, PAWN_SQUARES, PIECE_ROLES, PlacedPiece, is_in_limits, is_paired,
    pawn_number_at, piece_pawn_index_at, triangular,
};
use super::tapered_score::{PackedScore, TaperedScore};
use crate::position::piece_changes::{PieceChange, PieceChanges};

pub use super::pair_perspective::{COLUMNS, PairPerspective, ROWS};

/// The places in their families of an entry of [`PairTable`], as White and as Black see the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryPlaces {
    /// Two pawns.
    PawnPair([usize; 2]),
    /// A piece and a pawn.
    PiecePawn([usize; 2]),
}

/// Every entry of [`PairTable`] that holds a pair, as row, column and places in the families.
pub fn entries() -> impl Iterator<Item = (usize, usize, EntryPlaces)> {
    let halves = [(0, SAME_WING), (HALF_ROWS, OPPOSITE_WINGS)];
    halves.into_iter().flat_map(|(first_row, to_black)| {
        (0..HALF_ROWS).flat_map(move |row| {
            let columns = (0..COLUMNS).filter_map(move |column| {
                entry_places(row, column, to_black).map(|places| (column, places))
            });
            columns.map(move |(column, places)| (first_row + row, column, places))
        })
    })
}

/// The places of an entry, given what turns White's squares into Black's; `None` if there is no
/// such pair.
fn entry_places(row: usize, column: usize, to_black: u8) -> Option<EntryPlaces> {
    let square = |number: usize| Square::new(number as u32 % 64);
    let as_black = |square: Square| Square::new(u32::from(square) ^ u32::from(to_black));
    let (is_black, role) = (row / 64 >= 5, Role::ALL[row / 64 % 5]);
    let (place, pawn_place) = (square(row), square(column));
    let is_black_pawn = column >= 64;
    let is_itself = role == Role::Pawn && is_black == is_black_pawn && place == pawn_place;
    if is_itself || !PAWN_SQUARES.contains(pawn_place) {
        return None;
    }
    let pawns = [
        pawn_number_at(is_black_pawn, pawn_place),
        pawn_number_at(!is_black_pawn, as_black(pawn_place)),
    ];
    if role == Role::Pawn {
        PAWN_SQUARES.contains(place).then(|| {
            EntryPlaces::PawnPair([
                triangular(pawn_number_at(is_black, place), pawns[0]),
                triangular(pawn_number_at(!is_black, as_black(place)), pawns[1]),
            ])
        })
    } else {
        Some(EntryPlaces::PiecePawn([
            piece_pawn_index_at(is_black, role, place, pawns[0]),
            piece_pawn_index_at(!is_black, role, as_black(place), pawns[1]),
        ]))
    }
}

/// Scores of pairs, White's minus Black's, for every piece and pawn and both cases of the kings'
/// wings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairTable {
    /// By [`PairPerspective::row`] and [`PairPerspective::column`].
    rows: Box<[[LaneScore; COLUMNS]]>,
}

impl PairTable {
    /// The table of differences of these scores, or `None` if all of them are zero, so that nothing
    /// needs to be looked up.
    ///
    /// # Panics
    ///
    /// If a score is beyond [`PAIR_SCORE_LIMIT`](super::pairs::PAIR_SCORE_LIMIT).
    pub fn new(pawn_pairs: &[PackedScore], piece_pawns: &[PackedScore]) -> Option<PairTable> {
        let scores = || pawn_pairs.iter().chain(piece_pawns);
        if scores().all(|score| *score == PackedScore::default()) {
            return None;
        }
        assert!(
            scores().all(|score| is_in_limits(*score)),
            "scores of pairs are small"
        );
        let mut rows = vec![[LaneScore::default(); COLUMNS]; ROWS].into_boxed_slice();
        for (row, column, places) in entries() {
            let (family, [white, black]) = match places {
                EntryPlaces::PawnPair(places) => (pawn_pairs, places),
                EntryPlaces::PiecePawn(places) => (piece_pawns, places),
            };
            rows[row][column] = LaneScore::difference(family[white], family[black]);
        }
        Some(PairTable { rows })
    }

    /// How the sum of all pairs changes with the pieces of a board, White's score minus Black's.
    #[inline]
    pub fn difference(
        &self,
        perspective: PairPerspective,
        changes: &PieceChanges,
        before: &Board,
    ) -> TaperedScore {
        let mut difference = TaperedScore::default();
        // No two of the pieces that a move changes are a pair after it, so the board before knows
        // all others.
        let mut others = before.occupied();
        for PieceChange { piece, from, to } in changes {
            if let Some(from) = from {
                others.discard(*from);
            }
            match (from, to) {
                (Some(from), Some(to)) => {
                    difference +=
                        self.after_shift(perspective, (*piece, *from), *to, before, others);
                }
                (Some(from), None) => {
                    difference -= self.with_others(perspective, (*piece, *from), before, others);
                }
                (None, Some(to)) => {
                    difference += self.with_others(perspective, (*piece, *to), before, others);
                }
                (None, None) => (),
            }
        }
        difference
    }

    /// The sum of the pairs that a piece has with the others of a set, White's score minus Black's.
    /// The set must not contain its own square.
    #[inline]
    fn with_others(
        &self,
        perspective: PairPerspective,
        (piece, square): PlacedPiece,
        board: &Board,
        others: Bitboard,
    ) -> TaperedScore {
        if !is_paired((piece, square)) {
            return TaperedScore::default();
        }
        let [mut sum] = self.with_pawns(perspective, piece, [square], board, others);
        if piece.role == Role::Pawn {
            let [with_pieces] = self.with_pieces(perspective, piece.color, [square], board, others);
            sum += with_pieces;
        }
        sum
    }

    /// How the sum of a piece's pairs with the others of a set changes when it moves to another
    /// square. The set must not contain its own square; what stands on the new one must not be in
    /// it either.
    #[inline]
    fn after_shift(
        &self,
        perspective: PairPerspective,
        (piece, from): PlacedPiece,
        to: Square,
        board: &Board,
        others: Bitboard,
    ) -> TaperedScore {
        if piece.role == Role::King {
            return TaperedScore::default();
        }
        let [old, new] = self.with_pawns(perspective, piece, [from, to], board, others);
        let mut difference = new - old;
        if piece.role == Role::Pawn {
            let [old, new] = self.with_pieces(perspective, piece.color, [from, to], board, others);
            difference += new - old;
        }
        difference
    }

    /// The sums of the pairs of a piece, on each of these squares, and the pawns of a set: along a
    /// row.
    #[inline]
    fn with_pawns<const N: usize>(
        &self,
        perspective: PairPerspective,
        piece: Piece,
        squares: [Square; N],
        board: &Board,
        others: Bitboard,
    ) -> [TaperedScore; N] {
        let rows = squares.map(|square| &self.rows[perspective.row((piece, square))]);
        let mut sums = [TaperedScore::default(); N];
        for color in Color::ALL {
            let mut of_color = [LaneScore::default(); N];
            for pawn in board.pawns() & PAWN_SQUARES & others & board.by_color(color) {
                let column = perspective.column(color, pawn) % COLUMNS;
                for (sum, row) in of_color.iter_mut().zip(rows) {
                    sum.add(row[column]);
                }
            }
            add_all(&mut sums, of_color);
        }
        sums
    }

    /// The sums of the pairs of a pawn, on each of these squares, and those pieces of a set that
    /// are neither pawns nor kings: down a column.
    #[inline]
    fn with_pieces<const N: usize>(
        &self,
        perspective: PairPerspective,
        color: Color,
        squares: [Square; N],
        board: &Board,
        others: Bitboard,
    ) -> [TaperedScore; N] {
        let columns = squares.map(|square| perspective.column(color, square) % COLUMNS);
        let mut sums = [TaperedScore::default(); N];
        for color in Color::ALL {
            let mut of_color = [LaneScore::default(); N];
            for role in PIECE_ROLES {
                let piece = role.of(color);
                for square in board.by_piece(piece) & others {
                    let row = &self.rows[perspective.row((piece, square))];
                    for (sum, column) in of_color.iter_mut().zip(columns) {
                        sum.add(row[column]);
                    }
                }
            }
            add_all(&mut sums, of_color);
        }
        sums
    }

    /// The sum of all pairs of a board, White's score minus Black's, computed from scratch.
    pub fn balance(&self, perspective: PairPerspective, board: &Board) -> TaperedScore {
        let mut sum = TaperedScore::default();
        for (row, columns) in PairsOnBoard::new(perspective, board).rows() {
            let row = &self.rows[row];
            let mut of_row = LaneScore::default();
            for column in columns {
                of_row.add(row[usize::from(*column) % COLUMNS]);
            }
            sum += of_row.into();
        }
        sum
    }
}

/// Adds each of some lane scores to its sum.
#[inline]
fn add_all<const N: usize>(sums: &mut [TaperedScore; N], parts: [LaneScore; N]) {
    for (sum, part) in sums.iter_mut().zip(parts) {
        *sum += part.into();
    }
}

/// The pairs on a board, by the rows and columns of [`PairTable`].
pub struct PairsOnBoard {
    /// The columns of the pawns.
    columns: ArrayVec<u8, PAWN_SQUARE_COUNT>,
    /// The row of each piece, and with how many of the columns it forms pairs: a pawn with those
    /// before its own, so that no pair counts twice.
    rows: ArrayVec<(u16, u8), 64>,
}

impl PairsOnBoard {
    /// The pairs of a board.
    pub fn new(perspective: PairPerspective, board: &Board) -> PairsOnBoard {
        let mut pairs = PairsOnBoard {
            columns: ArrayVec::new(),
            rows: ArrayVec::new(),
        };
        for color in Color::ALL {
            let pawn = Role::Pawn.of(color);
            for square in board.by_piece(pawn) & PAWN_SQUARES {
                let before = pairs.columns.len() as u8;
                pairs
                    .rows
                    .push((perspective.row((pawn, square)) as u16, before));
                pairs.columns.push(perspective.column(color, square) as u8);
            }
        }
        let all = pairs.columns.len() as u8;
        for color in Color::ALL {
            for role in PIECE_ROLES {
                let piece = role.of(color);
                for square in board.by_piece(piece) {
                    pairs
                        .rows
                        .push((perspective.row((piece, square)) as u16, all));
                }
            }
        }
        pairs
    }

    /// Each row with its columns.
    #[inline]
    pub fn rows(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let rows = self.rows.iter();
        rows.map(|(row, count)| (usize::from(*row), &self.columns[..usize::from(*count)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::pairs::{PAWN_PAIRS_SIZE, PIECE_PAWNS_SIZE};

    #[test]
    fn scores_of_zero_need_no_table() {
        let zero = PackedScore::default();
        let pawns = [zero; PAWN_PAIRS_SIZE];
        let pieces = vec![zero; PIECE_PAWNS_SIZE];
        assert_eq!(PairTable::new(&pawns, &pieces), None);
    }
}
