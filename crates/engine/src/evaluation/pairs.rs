//! Pairs: what a piece is worth because of a pawn.
//!
//! A pawn on d4 gives a knight on e5 its outpost and takes a bishop on e3 its diagonal; two pawns
//! side by side are worth more than two that stand behind each other. A table can hold all of that:
//! a score for every pair of a piece on its square and a pawn on its square, own or enemy, and one
//! for every pair of pawns. (Stockfish trained such pawn pairs for its networks; Nalwald has the
//! tables of pieces with pawns; kings are left out, since the piece-square tables know them.)
//!
//! This file has the index law of the two families: [`pawn_pair_index`] and [`piece_pawn_index`].
//! Each side sees a pair from behind its own king, and the evaluation takes White's score minus
//! Black's. [`super::pair_table`] has the form in which the search looks pairs up.

use shakmaty::{Bitboard, Color, Piece, Role, Square};

use super::king_buckets::Perspective;
use super::tapered_score::PackedScore;

/// The squares on which pawns stand.
pub(super) const PAWN_SQUARES: Bitboard = Bitboard(0x00ff_ffff_ffff_ff00);
/// The number of those squares.
pub(super) const PAWN_SQUARE_COUNT: usize = 48;
/// Own and enemy pawns on their squares.
pub(super) const PAWNS: usize = 2 * PAWN_SQUARE_COUNT;
/// Knight, bishop, rook and queen, own and enemy, on their squares.
const PIECES: usize = 2 * 4 * 64;

/// The pieces that form pairs with pawns, besides pawns themselves.
pub(super) const PIECE_ROLES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The number of pairs of two pawns.
pub const PAWN_PAIRS_SIZE: usize = PAWNS * (PAWNS - 1) / 2;
/// The number of pairs of a knight, bishop, rook or queen and a pawn.
pub const PIECE_PAWNS_SIZE: usize = PIECES * PAWNS;

/// The limit of a pair's score on both sides of zero, in units: 127 centipawns. With it the sum of
/// a piece's pairs with 16 others fits into 16 bits.
pub const PAIR_SCORE_LIMIT: i16 = 1_023;

/// Whether the score of a pair is within [`PAIR_SCORE_LIMIT`].
pub fn is_in_limits(score: PackedScore) -> bool {
    let limit = PAIR_SCORE_LIMIT.unsigned_abs();
    score.middlegame.unsigned_abs() <= limit && score.endgame.unsigned_abs() <= limit
}

/// A piece on its square.
pub type PlacedPiece = (Piece, Square);

/// Whether a piece is one of a pair: any but a king, and a pawn only where pawns stand.
#[inline]
pub fn is_paired((piece, square): PlacedPiece) -> bool {
    match piece.role {
        Role::King => false,
        Role::Pawn => PAWN_SQUARES.contains(square),
        _ => true,
    }
}

/// Whether two pieces are a pair: any piece that is not a king, and a pawn.
#[inline]
pub fn is_pair(piece: PlacedPiece, pawn: PlacedPiece) -> bool {
    pawn.0.role == Role::Pawn && is_paired(piece) && is_paired(pawn)
}

/// The place of a pair of pawns in its family, from the perspective of a side. Their order doesn't
/// matter. Both must stand on different squares from the second rank to the seventh.
pub fn pawn_pair_index(
    side: Color,
    perspective: Perspective,
    [one, other]: [PlacedPiece; 2],
) -> usize {
    let [one, other] = [one, other].map(|pawn| pawn_number(side, perspective, pawn));
    triangular(one, other)
}

/// The place of a pair of a piece and a pawn in its family, from the perspective of a side. The
/// piece must be a knight, bishop, rook or queen, and the pawn must stand from the second rank to
/// the seventh.
pub fn piece_pawn_index(
    side: Color,
    perspective: Perspective,
    (piece, square): PlacedPiece,
    pawn: PlacedPiece,
) -> usize {
    let is_enemy = piece.color != side;
    let pawn = pawn_number(side, perspective, pawn);
    piece_pawn_index_at(is_enemy, piece.role, perspective.sees(square), pawn)
}

/// The place of a pair of an own or enemy piece, on the square where a side sees it, and the pawn
/// of this number.
pub(super) fn piece_pawn_index_at(
    is_enemy: bool,
    role: Role,
    square: Square,
    pawn: usize,
) -> usize {
    (piece_kind(is_enemy, role) * 64 + usize::from(square)) * PAWNS + pawn
}

/// The number of a pawn on its square as a side sees it, below [`PAWNS`].
pub(super) fn pawn_number(
    side: Color,
    perspective: Perspective,
    (pawn, square): PlacedPiece,
) -> usize {
    pawn_number_at(pawn.color != side, perspective.sees(square))
}

/// The number of an own or enemy pawn on the square where a side sees it, below [`PAWNS`].
pub(super) fn pawn_number_at(is_enemy: bool, square: Square) -> usize {
    debug_assert!(PAWN_SQUARES.contains(square), "a pawn on {square}");
    usize::from(is_enemy) * PAWN_SQUARE_COUNT + usize::from(square) - 8
}

/// The number of a knight, bishop, rook or queen, own or enemy.
fn piece_kind(is_enemy: bool, role: Role) -> usize {
    debug_assert!(PIECE_ROLES.contains(&role), "pairs of a {role:?}");
    usize::from(is_enemy) * 4 + usize::from(role) - usize::from(Role::Knight)
}

/// The number of an unordered pair of two different numbers.
pub(super) fn triangular(one: usize, other: usize) -> usize {
    let (low, high) = (one.min(other), one.max(other));
    high * (high - 1) / 2 + low
}

/// A pair as a side sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenPair {
    /// Whether the piece is an enemy one.
    pub is_enemy: bool,
    /// The role of the piece: of two pawns, the one with the higher number.
    pub role: Role,
    /// Its square.
    pub square: Square,
    /// Whether the pawn is an enemy one.
    pub is_enemy_pawn: bool,
    /// The square of the pawn.
    pub pawn: Square,
}

/// Every pair, in the order of its place: those of pawns, then those of pieces with pawns.
pub fn seen_pairs() -> impl Iterator<Item = SeenPair> {
    let pawns = || {
        [false, true].into_iter().flat_map(|is_enemy| {
            PAWN_SQUARES
                .into_iter()
                .map(move |square| (is_enemy, square))
        })
    };
    let of_pawns = pawns()
        .enumerate()
        .flat_map(move |(number, (is_enemy, square))| {
            pawns()
                .take(number)
                .map(move |(is_enemy_pawn, pawn)| SeenPair {
                    is_enemy,
                    role: Role::Pawn,
                    square,
                    is_enemy_pawn,
                    pawn,
                })
        });
    let pieces = [false, true].into_iter().flat_map(|is_enemy| {
        PIECE_ROLES.into_iter().flat_map(move |role| {
            Square::ALL
                .into_iter()
                .map(move |square| (is_enemy, role, square))
        })
    });
    of_pawns.chain(pieces.flat_map(move |(is_enemy, role, square)| {
        pawns().map(move |(is_enemy_pawn, pawn)| SeenPair {
            is_enemy,
            role,
            square,
            is_enemy_pawn,
            pawn,
        })
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::king_buckets::KingBuckets;
    use std::collections::HashSet;

    #[test]
    fn every_pair_has_a_place_of_its_own() {
        let perspective = KingBuckets::PLAIN.perspective(Color::White, Square::A1);
        let pawns: Vec<PlacedPiece> = Color::ALL
            .into_iter()
            .flat_map(|color| {
                PAWN_SQUARES
                    .into_iter()
                    .map(move |square| (Role::Pawn.of(color), square))
            })
            .collect();
        let mut places = HashSet::new();
        for (number, one) in pawns.iter().enumerate() {
            for other in &pawns[..number] {
                let place = pawn_pair_index(Color::White, perspective, [*one, *other]);
                assert_eq!(
                    place,
                    pawn_pair_index(Color::White, perspective, [*other, *one])
                );
                assert!(place < PAWN_PAIRS_SIZE && places.insert(place), "{place}");
            }
        }
        assert_eq!(places.len(), PAWN_PAIRS_SIZE);
        places.clear();
        for color in Color::ALL {
            for role in PIECE_ROLES {
                for square in Square::ALL {
                    for pawn in &pawns {
                        let piece = (role.of(color), square);
                        let place = piece_pawn_index(Color::White, perspective, piece, *pawn);
                        assert!(place < PIECE_PAWNS_SIZE && places.insert(place), "{place}");
                    }
                }
            }
        }
        assert_eq!(places.len(), PIECE_PAWNS_SIZE);
    }

    #[test]
    fn all_pairs_are_listed_in_the_order_of_their_places() {
        let perspective = KingBuckets::PLAIN.perspective(Color::White, Square::A1);
        let color = |is_enemy: bool| Color::from_white(!is_enemy);
        for (number, pair) in seen_pairs().enumerate() {
            let piece = (pair.role.of(color(pair.is_enemy)), pair.square);
            let pawn = (Role::Pawn.of(color(pair.is_enemy_pawn)), pair.pawn);
            let place = match pair.role {
                Role::Pawn => pawn_pair_index(Color::White, perspective, [piece, pawn]),
                _ => PAWN_PAIRS_SIZE + piece_pawn_index(Color::White, perspective, piece, pawn),
            };
            assert_eq!(place, number, "{pair:?}");
        }
        assert_eq!(seen_pairs().count(), PAWN_PAIRS_SIZE + PIECE_PAWNS_SIZE);
    }
}
