//! Material imbalance: the difference between the value of the pieces of one side together and the
//! sum of their values.
//!
//! The value of two bishops is more than twice that of one, a second rook has less value than the
//! first, and a knight gains value with the number of own pawns (Larry Kaufman, *The Evaluation of
//! Material Imbalances*, 1999). So a set of tables holds a score for every combination of numbers
//! of own pieces: 9 * 3 * 3 * 3 * 2 = 486 of them.

use shakmaty::{Board, Color, Role};

use super::tapered_score::{PackedScore, TaperedScore};

/// The number of possible counts of each role, pawn to queen: 9 for 0 to 8 pawns. Higher counts are
/// treated as the highest.
const COUNTS: [usize; 5] = [9, 3, 3, 3, 2];

/// The number of combinations.
pub const MATERIAL_SIZE: usize = COUNTS[0] * COUNTS[1] * COUNTS[2] * COUNTS[3] * COUNTS[4];

/// The material of one side: its number of pieces of each role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Material {
    /// Indexed by role, pawn first. The king is counted too, but doesn't matter.
    counts: [u8; 6],
}

impl Material {
    /// The material of a side.
    pub fn of(board: &Board, side: Color) -> Material {
        Material {
            counts: Role::ALL
                .map(|role| (board.by_role(role) & board.by_color(side)).count() as u8),
        }
    }

    /// Adds a piece.
    #[inline]
    pub fn add(&mut self, role: Role) {
        self.counts[usize::from(role) - 1] += 1;
    }

    /// Removes a piece.
    #[inline]
    pub fn remove(&mut self, role: Role) {
        self.counts[usize::from(role) - 1] -= 1;
    }

    /// The index of the combination, below [`MATERIAL_SIZE`].
    #[inline]
    pub fn index(self) -> usize {
        let counted = COUNTS.iter().zip(self.counts);
        counted.fold(0, |index, (counts, count)| {
            index * counts + usize::from(count).min(counts - 1)
        })
    }

    /// The inverse of [`Material::index`]: the number of pieces of each role, pawn to queen.
    fn counts_at(index: usize) -> [usize; 5] {
        let mut rest = index;
        let mut pieces = [0; 5];
        for (count, counts) in pieces.iter_mut().zip(COUNTS).rev() {
            *count = rest % counts;
            rest /= counts;
        }
        pieces
    }
}

/// The scores of all combinations in centipawns, in the order of [`Material::index`], as
/// comma-separated values.
pub fn csv(scores: &[PackedScore]) -> String {
    let mut text = "pawns,knights,bishops,rooks,queens,middlegame,endgame\n".to_owned();
    for (index, score) in scores.iter().enumerate() {
        let [pawns, knights, bishops, rooks, queens] = Material::counts_at(index);
        let [middle, end] = TaperedScore::from(*score).in_centipawns();
        text += &format!("{pawns},{knights},{bishops},{rooks},{queens},{middle},{end}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::tapered_score::UNITS;

    #[test]
    fn every_combination_has_an_index_of_its_own() {
        for index in 0..MATERIAL_SIZE {
            let mut material = Material::default();
            for (role, count) in Role::ALL.into_iter().zip(Material::counts_at(index)) {
                (0..count).for_each(|_| material.add(role));
            }
            assert_eq!(material.index(), index);
        }
    }

    #[test]
    fn higher_counts_are_treated_as_the_highest() {
        let mut material = Material::of(&Board::default(), Color::White);
        assert_eq!(material.index(), MATERIAL_SIZE - 1);
        material.remove(Role::Pawn);
        let seven_pawns = material.index();
        material.add(Role::Queen);
        assert_eq!(material.index(), seven_pawns);
        material.remove(Role::Queen);
        material.remove(Role::Queen);
        assert_ne!(material.index(), seven_pawns);
    }

    #[test]
    fn all_combinations_are_written_with_their_scores() {
        let score = |index| PackedScore {
            middlegame: index * UNITS as i16,
            endgame: index * UNITS as i16,
        };
        let scores: Vec<PackedScore> = (0..MATERIAL_SIZE as i16).map(score).collect();
        let text = csv(&scores);
        assert_eq!(text.lines().count(), 1 + MATERIAL_SIZE);
        assert!(text.ends_with("\n8,2,2,2,1,485,485\n"), "{text}");
        assert!(text.contains("\n0,0,0,1,0,2,2\n"), "{text}");
    }
}
