//! The type of a set of tables: a score for every feature that a position can have.
//!
//! The piece-square tables come first: own pieces and enemy pieces have tables of their own in each
//! king bucket, with the material value folded in. The other families follow: the material
//! imbalance, passed pawns, attacks and the pairs. [`Layout`] is the place of each family. A score
//! is the value for the side whose feature it is.

use std::sync::Arc;

use shakmaty::{Board, Color, Role, Square};

use super::attacks::table::AttackTable;
use super::endings::{EndingTables, Men, SHIPPED};
use super::features::{Family, Layout};
use super::king_buckets::{BUCKET_SIZE, KingBuckets, table_range};
use super::pair_table::PairTable;
use super::pairs::PAWN_SQUARE_COUNT;
use super::tapered_score::{PackedScore, TaperedScore, UNITS};
use crate::position::rules::Variant;
use crate::score::Score;

/// A piece-square table as published: the material value of a role and what each square adds.
#[derive(Clone, Copy, Debug)]
pub struct PieceSquareTable {
    /// The value of the piece on any square.
    pub piece_value: TaperedScore,
    /// The bonus of each square, a1 first, as White sees the board.
    pub squares: [TaperedScore; 64],
}

/// A complete set of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    layout: Layout,
    /// Indexed by `layout`.
    scores: Box<[PackedScore]>,
    /// The scores of the pairs as the search looks them up; `None` if all are zero.
    pairs: Option<PairTable>,
    /// The scores of attacks as the search looks them up; `None` if all are zero.
    attacks: Option<AttackTable>,
    /// The tables of endings; `None` for tables without attacks, which keep to what they were
    /// fitted with, and where a variant has other endings than chess.
    endings: Option<Arc<EndingTables>>,
    /// The bonus for the side to move, in centipawns.
    tempo: i16,
    /// Indexed by role, pawn first: the part of the piece-square scores that counts as material.
    piece_values: [TaperedScore; 6],
}

impl Tables {
    /// A set from six published tables, pawn to king. It has one king bucket, and enemy pieces
    /// score nothing.
    pub fn from_piece_square_tables(published: &[PieceSquareTable; 6]) -> Tables {
        let layout = Layout::new(KingBuckets::PLAIN);
        let mut scores = vec![PackedScore::default(); layout.length()].into_boxed_slice();
        let perspective = KingBuckets::PLAIN.perspective(Color::White, Square::A1);
        for (role, table) in Role::ALL.into_iter().zip(published) {
            for square in Square::ALL {
                let bonus = table.squares[usize::from(square)];
                let index = layout.piece_square_index(
                    Color::White,
                    perspective,
                    role.of(Color::White),
                    square,
                );
                scores[index] = PackedScore {
                    middlegame: (table.piece_value.middlegame + bonus.middlegame) as i16,
                    endgame: (table.piece_value.endgame + bonus.endgame) as i16,
                };
            }
        }
        Tables {
            layout,
            scores,
            pairs: None,
            attacks: None,
            endings: None,
            tempo: 0,
            piece_values: published.each_ref().map(|table| table.piece_value),
        }
    }

    /// A set from its scores, indexed by the layout, and its tempo bonus in centipawns.
    ///
    /// # Panics
    ///
    /// If the number of scores is not that of the layout, or the score of a pair is beyond
    /// [`PAIR_SCORE_LIMIT`](super::pairs::PAIR_SCORE_LIMIT).
    pub fn from_scores(layout: Layout, scores: Vec<PackedScore>, tempo: i16) -> Tables {
        assert_eq!(scores.len(), layout.length(), "a score for every feature");
        let piece_values = average_piece_values(&scores[layout.range(Family::PieceSquare)]);
        let [pawn_pairs, piece_pawns] =
            [Family::PawnPairs, Family::PiecePawns].map(|family| &scores[layout.range(family)]);
        let pairs = PairTable::new(pawn_pairs, piece_pawns);
        let attacks = AttackTable::new(&layout, &scores);
        let endings = attacks.is_some().then(|| Arc::clone(&SHIPPED));
        Tables {
            layout,
            scores: scores.into_boxed_slice(),
            pairs,
            attacks,
            endings,
            tempo,
            piece_values,
        }
    }

    /// A set whose scores are all zero.
    pub fn zero() -> Tables {
        let layout = Layout::new(KingBuckets::PLAIN);
        let scores = vec![PackedScore::default(); layout.length()];
        Tables::from_scores(layout, scores, 0)
    }

    /// Whether all scores are zero.
    pub fn is_zero(&self) -> bool {
        let mut families = Family::ALL.into_iter();
        self.tempo == 0 && families.all(|family| self.is_zero_in(family))
    }

    /// The place of every score.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The score of the feature with this index.
    #[inline]
    pub fn score(&self, index: usize) -> TaperedScore {
        self.scores[index].into()
    }

    /// The scores of the pairs as the search looks them up; `None` if all are zero.
    #[inline]
    pub fn pairs(&self) -> Option<&PairTable> {
        self.pairs.as_ref()
    }

    /// The scores of attacks as the search looks them up; `None` if all are zero.
    #[inline]
    pub fn attacks(&self) -> Option<&AttackTable> {
        self.attacks.as_ref()
    }

    /// The tables to play a variant with: the same ones, without the tables of endings where those
    /// of chess are wrong.
    pub fn with_endings_for(self: Arc<Tables>, variant: Variant) -> Arc<Tables> {
        if self.endings.is_none() || variant.has_endgames_of_chess() {
            return self;
        }
        Arc::new(Tables {
            endings: None,
            ..Tables::clone(&self)
        })
    }

    /// These tables with the tables of endings of others.
    pub(super) fn with_endings_of(self, others: &Tables) -> Tables {
        Tables {
            endings: others.endings.clone(),
            ..self
        }
    }

    /// These tables with a correction added: tables of a single king bucket, mirrored as these are,
    /// whose scores count in every bucket.
    ///
    /// # Panics
    ///
    /// If the correction has several king buckets or is mirrored otherwise, or the corrected score
    /// of a pair is beyond [`PAIR_SCORE_LIMIT`](super::pairs::PAIR_SCORE_LIMIT).
    pub fn corrected_by(&self, correction: &Tables) -> Tables {
        let one_bucket = self.layout.king_buckets().with_one_bucket();
        assert_eq!(
            correction.layout,
            Layout::new(one_bucket),
            "a single king bucket, mirrored alike"
        );
        let mut scores = self.scores.to_vec();
        for family in Family::ALL {
            let added = correction.scores_of(family).iter().cycle();
            for (score, added) in scores[self.layout.range(family)].iter_mut().zip(added) {
                *score = PackedScore {
                    middlegame: score.middlegame.saturating_add(added.middlegame),
                    endgame: score.endgame.saturating_add(added.endgame),
                };
            }
        }
        Tables::from_scores(self.layout.clone(), scores, self.tempo + correction.tempo)
    }

    /// The tables of endings of at most four men; `None` if these tables know none.
    pub fn endings(&self) -> Option<&EndingTables> {
        self.endings.as_deref()
    }

    /// Whether a board is an ending that these tables evaluate by tables of its own.
    #[inline]
    pub fn knows_ending(&self, board: &Board) -> bool {
        self.endings.is_some() && Men::on(board, Color::White).is_some()
    }

    /// The evaluation of an ending by its own tables, from the point of view of the side to move;
    /// `None` if it has none.
    #[inline]
    pub(super) fn ending_score(&self, board: &Board, turn: Color) -> Option<Score> {
        let endings = self.endings.as_ref()?;
        let men = Men::on(board, turn)?;
        let sum = endings.sum(&men) / UNITS;
        Some(Score::centipawns(if men.is_strong_turn {
            sum
        } else {
            -sum
        }))
    }

    /// All scores.
    pub fn scores(&self) -> &[PackedScore] {
        &self.scores
    }

    /// The scores of one family.
    pub fn scores_of(&self, family: Family) -> &[PackedScore] {
        &self.scores[self.layout.range(family)]
    }

    /// Whether all scores of a family are zero, so that the tables know nothing of it.
    pub fn is_zero_in(&self, family: Family) -> bool {
        let mut scores = self.scores_of(family).iter();
        scores.all(|score| *score == PackedScore::default())
    }

    /// The bonus for the side to move, in centipawns.
    #[inline]
    pub fn tempo(&self) -> i32 {
        i32::from(self.tempo)
    }

    /// The part of the scores of a role that counts as its material value: for published tables the
    /// published one, for others the average over the squares.
    pub fn piece_value(&self, role: Role) -> TaperedScore {
        self.piece_values[usize::from(role) - 1]
    }
}

/// The value of each role to its own side, averaged over squares and buckets: as an own piece,
/// minus that as an enemy piece.
fn average_piece_values(scores: &[PackedScore]) -> [TaperedScore; 6] {
    Role::ALL.map(|role| {
        let (mut sum, squares) = sum_over_squares(scores, false, role);
        sum -= sum_over_squares(scores, true, role).0;
        mean(sum, squares)
    })
}

/// The score of an enemy piece of this role, averaged over squares and king buckets.
pub(super) fn mean_as_enemy(piece_squares: &[PackedScore], role: Role) -> TaperedScore {
    let (sum, squares) = sum_over_squares(piece_squares, true, role);
    mean(sum, squares)
}

/// The sum of a role's scores in all king buckets, and the number of squares in them that the role
/// can stand on.
fn sum_over_squares(
    piece_squares: &[PackedScore],
    is_enemy: bool,
    role: Role,
) -> (TaperedScore, i32) {
    let mut sum = TaperedScore::default();
    for bucket in piece_squares.chunks_exact(BUCKET_SIZE) {
        let scores = &bucket[table_range(is_enemy, role)];
        scores.iter().for_each(|score| sum += (*score).into());
    }
    let squares = match role {
        Role::Pawn => PAWN_SQUARE_COUNT,
        _ => 64,
    };
    (sum, (piece_squares.len() / BUCKET_SIZE * squares) as i32)
}

fn mean(sum: TaperedScore, squares: i32) -> TaperedScore {
    TaperedScore {
        middlegame: sum.middlegame / squares,
        endgame: sum.endgame / squares,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::TableSet;

    #[test]
    fn a_correction_counts_in_every_king_bucket() {
        let tables = TableSet::Attacks.tables();
        let one_bucket = Layout::new(tables.layout().king_buckets().with_one_bucket());
        let mut scores = vec![PackedScore::default(); one_bucket.length()];
        let (rook, mobility) = (
            table_range(true, Role::Rook).start,
            one_bucket.range(Family::Mobility).start,
        );
        scores[rook].middlegame = 40;
        scores[mobility].endgame = -8;
        let correction = Tables::from_scores(one_bucket, scores, 3);
        let corrected = tables.corrected_by(&correction);

        assert_eq!(corrected.tempo(), tables.tempo() + 3);
        let changes: Vec<(usize, [i32; 2])> = (0..tables.scores.len())
            .map(|index| (index, tables.score(index), corrected.score(index)))
            .filter(|(_, before, after)| before != after)
            .map(|(index, before, after)| {
                let middlegame = after.middlegame - before.middlegame;
                (index, [middlegame, after.endgame - before.endgame])
            })
            .collect();
        let buckets = tables.layout.king_buckets().count();
        let rooks = (0..buckets).map(|bucket| (bucket * BUCKET_SIZE + rook, [40, 0]));
        let mobility = (tables.layout.range(Family::Mobility).start, [0, -8]);
        assert_eq!(changes, rooks.chain([mobility]).collect::<Vec<_>>());
    }
}
