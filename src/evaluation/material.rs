//! What pieces are worth together.
//!
//! Two bishops are worth more than twice one, a second rook less than the first, and a knight gains by the
//! pawns beside it (Kaufman, *The evaluation of material imbalances*, 1999). So a set of tables has one
//! table more, of *armies*: for all that one side may have, by number, it holds what that is worth beyond
//! the sum of the pieces.

use shakmaty::{Board, Color, Role};

use super::tables::PackedScore;

/// How many of each role are told apart, pawn to queen, none among them; more count as the most.
const KINDS: [usize; 5] = [9, 3, 3, 3, 2];

/// How many armies are told apart.
pub const MATERIAL_SIZE: usize = KINDS[0] * KINDS[1] * KINDS[2] * KINDS[3] * KINDS[4];

/// The pieces of one side by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Material {
    /// Indexed by role, pawn first. The king is counted too, but tells nothing.
    counts: [u8; 6],
}

impl Material {
    /// The army of a side.
    pub fn of(board: &Board, side: Color) -> Material {
        Material {
            counts: Role::ALL
                .map(|role| (board.by_role(role) & board.by_color(side)).count() as u8),
        }
    }

    /// A piece comes to it.
    #[inline]
    pub fn join(&mut self, role: Role) {
        self.counts[usize::from(role) - 1] += 1;
    }

    /// A piece leaves it.
    #[inline]
    pub fn leave(&mut self, role: Role) {
        self.counts[usize::from(role) - 1] -= 1;
    }

    /// Its place among the armies that are told apart, below [`MATERIAL_SIZE`].
    #[inline]
    pub fn index(self) -> usize {
        let counted = KINDS.iter().zip(self.counts);
        counted.fold(0, |index, (kinds, count)| {
            index * kinds + usize::from(count).min(kinds - 1)
        })
    }

    /// The army at a place, below [`MATERIAL_SIZE`]: how many of each role it has, pawn to queen.
    fn counts_at(index: usize) -> [usize; 5] {
        let mut rest = index;
        let mut counts = [0; 5];
        for (count, kinds) in counts.iter_mut().zip(KINDS).rev() {
            *count = rest % kinds;
            rest /= kinds;
        }
        counts
    }
}

/// What armies are worth beyond the sum of their pieces, in the order of [`Material::index`], as numbers.
pub fn csv(armies: &[PackedScore]) -> String {
    let mut text = "pawns,knights,bishops,rooks,queens,middle_game,end_game\n".to_owned();
    for (index, cell) in armies.iter().enumerate() {
        let [pawns, knights, bishops, rooks, queens] = Material::counts_at(index);
        let (middle, end) = (cell.middle_game, cell.end_game);
        text += &format!("{pawns},{knights},{bishops},{rooks},{queens},{middle},{end}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_army_has_a_place_of_its_own() {
        for index in 0..MATERIAL_SIZE {
            let mut army = Material::default();
            for (role, count) in Role::ALL.into_iter().zip(Material::counts_at(index)) {
                (0..count).for_each(|_| army.join(role));
            }
            assert_eq!(army.index(), index);
        }
    }

    #[test]
    fn more_than_are_told_apart_count_as_the_most() {
        let mut army = Material::of(&Board::default(), Color::White);
        assert_eq!(army.index(), MATERIAL_SIZE - 1);
        army.leave(Role::Pawn);
        let seven_pawns = army.index();
        army.join(Role::Queen);
        assert_eq!(army.index(), seven_pawns);
        army.leave(Role::Queen);
        army.leave(Role::Queen);
        assert_ne!(army.index(), seven_pawns);
    }

    #[test]
    fn all_armies_are_written_with_their_worth() {
        let cell = |index| PackedScore {
            middle_game: index,
            end_game: index,
        };
        let cells: Vec<PackedScore> = (0..MATERIAL_SIZE as i16).map(cell).collect();
        let text = csv(&cells);
        assert_eq!(text.lines().count(), 1 + MATERIAL_SIZE);
        assert!(text.ends_with("\n8,2,2,2,1,485,485\n"), "{text}");
        assert!(text.contains("\n0,0,0,1,0,2,2\n"), "{text}");
    }
}
