//! Shares: the evaluation taken apart in whole centipawns, piece by piece and table by table.
//!
//! [`explain`] gives every part twice, for the middlegame and the endgame. Here the two are blended by the phase as
//! the evaluation blends them, and rounded so that the parts still add up exactly to the evaluation: a reader can
//! check the sum with pencil and paper.
//!
//! All values are centipawns from White's point of view, unless they say otherwise.

use shakmaty::{Color, Piece, Position, Square};

use super::explain::{Contribution, Explanation, explain, part_of_pair};
use super::features::Family;
use super::king_buckets::KingBuckets;
use super::pairs::PlacedPiece;
use super::tables::Tables;
use super::tapered_score::{MAX_PHASE, TaperedScore};

/// A table that a piece takes a part of its value from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The value of the piece on any square.
    Material,
    /// What the square adds, in tables that don't depend on the kings.
    Square,
    /// What the square adds, given where the king of the same side stands.
    OwnKing,
    /// What the square adds, given where the king of the other side stands.
    EnemyKing,
    /// What the pawns add: those of both sides, wherever they stand.
    Pawns,
}

impl Table {
    /// Every table, in the order of [`PieceShare::terms`].
    pub const ALL: [Table; 5] = [
        Table::Material,
        Table::Square,
        Table::OwnKing,
        Table::EnemyKing,
        Table::Pawns,
    ];

    /// The name, for people to read.
    pub fn name(self) -> &'static str {
        match self {
            Table::Material => "material",
            Table::Square => "square",
            Table::OwnKing => "own king",
            Table::EnemyKing => "enemy king",
            Table::Pawns => "pawns",
        }
    }
}

/// The share of one piece in the evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceShare {
    /// The square of the piece.
    pub square: Square,
    /// The piece.
    pub piece: Piece,
    /// What each table adds, in the order of [`Table::ALL`], each table at most once. A white queen has positive
    /// material, a black queen negative.
    pub terms: Vec<(Table, i32)>,
    /// What is among these terms for its being a passed pawn; 0 if it is none.
    pub passed_bonus: i32,
}

impl PieceShare {
    /// The sum of the terms.
    pub fn total(&self) -> i32 {
        self.terms.iter().map(|(_, value)| value).sum()
    }

    /// What a table adds; 0 if it is not among the terms.
    pub fn term(&self, table: Table) -> i32 {
        let terms = self.terms.iter();
        terms
            .filter(|(other, _)| *other == table)
            .map(|(_, value)| value)
            .sum()
    }
}

/// What a piece is worth because of a pawn, or two pawns because of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairShare {
    /// The piece or, of two pawns, that on the higher square.
    pub piece: PlacedPiece,
    /// The pawn.
    pub pawn: PlacedPiece,
    /// The value in centipawns, from White's point of view.
    pub value: i32,
}

impl PairShare {
    /// The part that counts as that of the piece on a square: all of it if a pawn stands by a piece, half of it if two
    /// pawns stand by each other. An odd centipawn goes to the pawn on the higher square.
    fn part_of(&self, square: Square) -> i32 {
        part_of_pair(self.piece, self.pawn, square, self.value)
    }
}

/// An evaluation and its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Every piece, White's first, each side from a1 to h8.
    pub pieces: Vec<PieceShare>,
    /// Every pair of a piece and a pawn, if the tables have pairs: the details of [`Table::Pawns`], already counted
    /// among the terms of the pieces.
    pub pairs: Vec<PairShare>,
    /// What belongs to no single piece, such as the material imbalance, by family. Each pair is indexed by color, and
    /// its values are positive if they are good for that side: the evaluation is White's minus Black's.
    pub beyond_pieces: Vec<(Family, [i32; 2])>,
    /// The side to move.
    pub turn: Color,
    /// The bonus for the side to move, from White's point of view.
    pub tempo: i32,
    /// The evaluation: the sum of the terms of the pieces and of everything below them. It is that of
    /// [`evaluate`](super::evaluate), before a score is clamped to 30,000 centipawns.
    pub total: i32,
}

impl Shares {
    /// The share of the piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<&PieceShare> {
        self.pieces.iter().find(|share| share.square == square)
    }

    /// What the pawns add to the piece on a square, one by one: the other piece of each pair, and the part in
    /// centipawns from White's point of view. They add up to its term of [`Table::Pawns`].
    pub fn pairs_of(&self, square: Square) -> impl Iterator<Item = (PlacedPiece, i32)> {
        let pairs = self.pairs.iter();
        pairs.filter_map(move |pair| {
            let other = if pair.piece.1 == square {
                pair.pawn
            } else if pair.pawn.1 == square {
                pair.piece
            } else {
                return None;
            };
            Some((other, pair.part_of(square))).filter(|(_, part)| *part != 0)
        })
    }
}

/// Takes the evaluation of a position apart, in whole centipawns.
///
/// Each part is rounded to the nearest centipawn. If the sum then differs from the evaluation, the parts that were
/// rounded down most are rounded up instead, or the other way round (the method of largest remainders), so every part
/// is less than one centipawn from its exact value. Material comes last in this, so that pieces of a kind nearly
/// always show the same value.
pub fn shares(position: &impl Position, tables: &Tables) -> Shares {
    let explanation = explain(position, tables);
    let is_plain = *tables.layout().king_buckets() == KingBuckets::PLAIN;
    let exact = exact_parts(&explanation, is_plain);
    let balance = super::blend(explanation.balance, explanation.phase);
    let mut rounded = apportion(&exact, balance).into_iter();

    let mut next = || rounded.next().unwrap_or_default();
    let pieces = explanation.contributions.iter().map(|part| PieceShare {
        square: part.square,
        piece: part.piece,
        terms: terms(part, is_plain)
            .map(|(table, _)| (table, next()))
            .collect(),
        passed_bonus: nearest(numerator(
            part.piece.color,
            part.passed_bonus,
            explanation.phase,
        )),
    });
    let mut pieces: Vec<PieceShare> = pieces.collect();
    let families = explanation.beyond_pieces.iter();
    let beyond_pieces = families.map(|(family, _)| (*family, [-next(), next()]));
    let beyond_pieces = beyond_pieces.collect();
    let pairs = explanation.pairs.iter().map(|pair| PairShare {
        piece: pair.piece,
        pawn: pair.pawn,
        value: next(),
    });
    let pairs: Vec<PairShare> = pairs.collect();
    if tables.pairs().is_some() {
        for share in &mut pieces {
            let parts = pairs.iter().map(|pair| pair.part_of(share.square));
            share.terms.push((Table::Pawns, parts.sum()));
        }
    }
    let turn = position.turn();
    let tempo = turn.fold_wb(explanation.tempo, -explanation.tempo);
    Shares {
        pieces,
        pairs,
        beyond_pieces,
        turn,
        tempo,
        total: balance + tempo,
    }
}

/// A part of the evaluation before it is rounded.
#[derive(Clone, Copy, Debug)]
struct ExactPart {
    /// The value for White times [`MAX_PHASE`].
    numerator: i32,
    /// Whether it is the value of a piece on any square.
    is_material: bool,
}

/// The blend of a score that is good for `side`, from White's point of view and times [`MAX_PHASE`].
fn numerator(side: Color, score: TaperedScore, phase: i32) -> i32 {
    let value = score.middlegame * phase + score.endgame * (MAX_PHASE - phase);
    side.fold_wb(value, -value)
}

/// The parts: the terms of each piece, then each family, Black's score before White's, then each pair.
fn exact_parts(explanation: &Explanation, is_plain: bool) -> Vec<ExactPart> {
    let numerator = |side, score| numerator(side, score, explanation.phase);
    let of_pieces = explanation.contributions.iter().flat_map(|part| {
        let terms = terms(part, is_plain);
        terms.map(|(table, score)| ExactPart {
            numerator: numerator(part.piece.color, score),
            is_material: table == Table::Material,
        })
    });
    let families = explanation.beyond_pieces.iter();
    let beyond_pieces = families.flat_map(|(_, scores)| {
        let sides = [Color::Black, Color::White].into_iter().zip(scores);
        sides.map(|(side, score)| ExactPart {
            numerator: numerator(side, *score),
            is_material: false,
        })
    });
    let pairs = explanation.pairs.iter().map(|pair| ExactPart {
        numerator: numerator(Color::White, pair.value),
        is_material: false,
    });
    of_pieces.chain(beyond_pieces).chain(pairs).collect()
}

/// The terms of a piece, good for its owner if they are positive.
fn terms(part: &Contribution, is_plain: bool) -> impl Iterator<Item = (Table, TaperedScore)> {
    let material = (Table::Material, part.piece_value);
    let of_square = if is_plain {
        [Some((Table::Square, part.square_bonus)), None]
    } else {
        let mut own = part.square_bonus;
        own -= part.enemy_king_bonus;
        let enemy = part.enemy_king_bonus;
        [Some((Table::OwnKing, own)), Some((Table::EnemyKing, enemy))]
    };
    [material]
        .into_iter()
        .chain(of_square.into_iter().flatten())
}

/// Rounds the parts so that they add up to `total`, the sum of the exact parts without its fraction.
fn apportion(exact: &[ExactPart], total: i32) -> Vec<i32> {
    let mut rounded: Vec<i32> = exact.iter().map(|part| nearest(part.numerator)).collect();
    let missing = total - rounded.iter().sum::<i32>();
    let step = missing.signum();
    // What rounding took from each part, in the direction of what is missing.
    let lost = |index: &usize| step * (exact[*index].numerator - MAX_PHASE * rounded[*index]);
    let mut order: Vec<usize> = (0..exact.len()).filter(|index| lost(index) > 0).collect();
    order.sort_by_key(|index| (exact[*index].is_material, -lost(index)));
    order.truncate(missing.unsigned_abs() as usize);
    debug_assert_eq!(
        order.len(),
        missing.unsigned_abs() as usize,
        "enough parts were rounded away from the total"
    );
    for index in order {
        rounded[index] += step;
    }
    rounded
}

/// The numerator divided by [`MAX_PHASE`], to the nearest integer; halves are rounded away from zero.
fn nearest(numerator: i32) -> i32 {
    let half = MAX_PHASE / 2 * numerator.signum();
    (numerator + half) / MAX_PHASE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::TableSet;
    use crate::position::from_fen;
    use shakmaty::{CastlingMode, Chess, Role};

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1";

    fn shares_of(fen: &str, set: TableSet) -> Shares {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        shares(&position, &set.tables())
    }

    fn parts(values: &[i32]) -> Vec<ExactPart> {
        let part = |numerator: &i32| ExactPart {
            numerator: *numerator,
            is_material: false,
        };
        values.iter().map(part).collect()
    }

    #[test]
    fn published_tables_give_the_published_values() {
        let shares = shares_of(KIWIPETE, TableSet::Simplified);
        let knight = shares.piece_on(Square::E5).expect("a knight");
        assert_eq!(knight.terms, [(Table::Material, 320), (Table::Square, 20)]);
        let queen = shares.piece_on(Square::E7).expect("a queen");
        assert_eq!(queen.term(Table::Material), -900);
        assert_eq!(shares.total, 105);
    }

    #[test]
    fn tables_with_king_buckets_have_a_term_for_each_king() {
        let shares = shares_of(KIWIPETE, TableSet::Learned);
        for share in &shares.pieces {
            let tables: Vec<Table> = share.terms.iter().map(|(table, _)| *table).collect();
            assert_eq!(
                tables,
                [Table::Material, Table::OwnKing, Table::EnemyKing],
                "{share:?}"
            );
        }
    }

    #[test]
    fn equal_sides_have_equal_shares() {
        let shares = shares(&Chess::default(), &TableSet::Learned.tables());
        for share in &shares.pieces {
            let opposite = shares.piece_on(share.square.flip_vertical());
            let opposite = opposite.expect("the other side has this piece too");
            for (table, value) in &share.terms {
                assert_eq!(opposite.term(*table), -value, "{share:?}");
            }
        }
        assert_eq!(shares.total, shares.tempo);
    }

    #[test]
    fn pieces_of_a_kind_show_the_same_material() {
        let shares = shares_of(
            "4k3/pppp4/8/5n2/8/8/PPPPPPPP/4KBNR w - - 0 1",
            TableSet::Learned,
        );
        let mut pawns = shares.pieces.iter();
        let first = pawns.find(|share| share.piece.role == Role::Pawn);
        let value = first.expect("a pawn").term(Table::Material);
        for share in pawns.filter(|share| share.piece.role == Role::Pawn) {
            assert_eq!(share.term(Table::Material).abs(), value, "{share:?}");
        }
    }

    #[test]
    fn what_is_missing_goes_to_the_parts_that_rounding_shortened_most() {
        // 10.46, 10.42 and 10.08 add up to 30.96, cut off to 30: nothing is missing.
        assert_eq!(apportion(&parts(&[251, 250, 242]), 30), [10, 10, 10]);
        // 10.46, 10.46 and 10.13 add up to 31.04.
        assert_eq!(apportion(&parts(&[251, 251, 243]), 31), [11, 10, 10]);
        // 10.54 twice, minus 0.13: 20.96, cut off to 20.
        assert_eq!(apportion(&parts(&[253, 253, -3]), 20), [10, 10, 0]);
        assert!(apportion(&parts(&[]), 0).is_empty());
    }
}
