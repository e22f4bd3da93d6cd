//! Endings of three and four men: tables of their own, in place of all others.
//!
//! With so few men on the board what a piece is worth depends on the ending: a bishop and a knight
//! win by driving the lone king into the right corner, two knights don't win at all. So endings of
//! at most four men that are clearly won or drawn have small tables of their own: one entry for the
//! ending itself, one for each man on its square, and one for each two men by how far they stand
//! apart; against a lone king only for that king's square, and for the distance of the kings and of
//! two equal pieces. They are fitted to distances to mate, which retrograde analysis counts from
//! nothing but the rules (`squarewise-lab endings`, described in `docs/lab/endings.md`). A win
//! scores [`WON`] less [`PLY`] for each ply to the mate, a draw scores 0; an entry sums up what is
//! so on average.
//!
//! [`Men::for_each_entry`] is the index law: the evaluation, the breakdown and the laboratory add
//! up what it lists.

mod men;
mod table;

pub use men::{Entry, MAX_ENTRIES, Men};
pub use table::{EndingTables, SHIPPED};

use shakmaty::Role;

/// The most men of an ending that has tables, kings included.
pub const MAX_MEN: usize = 4;

/// What a mate on the board would score, in centipawns.
pub const WON: i32 = 800;

/// What each ply to the mate takes from [`WON`], in centipawns.
pub const PLY: i32 = 5;

/// The roles that a king can have beside it.
const ROLES: usize = 5;

/// The combinations of two roles without their order.
const ROLE_PAIRS: usize = ROLES * (ROLES + 1) / 2;

/// The men of an ending besides the kings. The *strong side* is the one with the extra men or, if
/// each side has one, the side with the more valuable one. If both have the same it is the side to
/// move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// One man against the bare king.
    One(Role),
    /// Two men against the bare king, the higher one first.
    Two(Role, Role),
    /// A man on each side, that of the strong side first.
    Against(Role, Role),
}

impl Ending {
    /// The number of endings.
    pub const COUNT: usize = ROLES + 2 * ROLE_PAIRS;

    /// All endings, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Ending> {
        let roles = || Role::ALL.into_iter().take(ROLES);
        let pairs = move || {
            roles().flat_map(move |high| {
                roles()
                    .take_while(move |low| *low <= high)
                    .map(move |low| (high, low))
            })
        };
        let two = pairs().map(|(high, low)| Ending::Two(high, low));
        let against = pairs().map(|(high, low)| Ending::Against(high, low));
        roles().map(Ending::One).chain(two).chain(against)
    }

    /// Its number, below [`Ending::COUNT`].
    #[inline]
    pub fn number(self) -> usize {
        let of = |role| usize::from(role) - 1;
        let pair = |high, low| of(high) * (of(high) + 1) / 2 + of(low);
        match self {
            Ending::One(role) => of(role),
            Ending::Two(high, low) => ROLES + pair(high, low),
            Ending::Against(high, low) => ROLES + ROLE_PAIRS + pair(high, low),
        }
    }

    /// The men of the strong side and of the other one, without the kings.
    pub fn sides(self) -> [Vec<Role>; 2] {
        match self {
            Ending::One(role) => [vec![role], vec![]],
            Ending::Two(high, low) => [vec![high, low], vec![]],
            Ending::Against(strong, weak) => [vec![strong], vec![weak]],
        }
    }

    /// Whether it has tables: it is won but for tactics, or drawn but for tactics. Where wins and
    /// draws are mixed, as in most endings with pawns, the tables of whole games do as well.
    pub fn has_tables(self) -> bool {
        match self {
            Ending::One(role) | Ending::Two(_, role) => role != Role::Pawn,
            Ending::Against(Role::Queen, weak) => weak != Role::Queen,
            Ending::Against(strong, weak) => strong < Role::Rook && weak != Role::Pawn,
        }
    }

    /// Whether both sides have the same men.
    pub fn is_even(self) -> bool {
        matches!(self, Ending::Against(strong, weak) if strong == weak)
    }

    /// The letters of the men, such as `KBNvK`.
    pub fn name(self) -> String {
        let side = |roles: &Vec<Role>| -> String {
            let letters = roles.iter().map(|role| role.upper_char());
            ['K'].into_iter().chain(letters).collect()
        };
        self.sides().each_ref().map(side).join("v")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{Breakdown, TableSet};
    use crate::position::from_fen;
    use shakmaty::CastlingMode;

    #[test]
    fn every_ending_has_a_number_of_its_own() {
        let numbers: Vec<usize> = Ending::all().map(Ending::number).collect();
        assert_eq!(numbers, (0..Ending::COUNT).collect::<Vec<_>>());
        let names: Vec<String> = Ending::all().map(Ending::name).collect();
        assert!(
            ["KPvK", "KBNvK", "KQvKR"]
                .iter()
                .all(|name| names.iter().any(|n| n == name))
        );
    }

    #[test]
    fn written_tables_are_read_back_and_damaged_ones_refused() {
        let mut tables = EndingTables::zero();
        let scores = tables.scores_mut(Ending::Two(Role::Bishop, Role::Knight), false);
        scores
            .iter_mut()
            .zip(0..)
            .for_each(|(score, number)| *score = number);
        let mut bytes = tables.to_bytes();
        assert_eq!(EndingTables::from_bytes(&bytes), Some(tables));
        assert_eq!(EndingTables::from_bytes(&bytes[..bytes.len() - 1]), None);
        bytes[100] ^= 1;
        assert_eq!(EndingTables::from_bytes(&bytes), None);
    }

    /// The evaluation for the side to move, in centipawns, by the shipped tables.
    fn evaluated(fen: &str) -> i32 {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        TableSet::Attacks.tables().evaluate(&position).value()
    }

    #[test]
    fn won_endings_read_as_won_and_drawn_ones_as_drawn() {
        for won in [
            "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
            "8/8/8/3k4/8/8/8/2B1KN2 w - - 0 1",
            "8/8/8/3k4/8/8/8/2B1KB2 w - - 0 1",
            "8/8/2r5/3k4/8/8/8/Q3K3 w - - 0 1",
        ] {
            assert!(evaluated(won) > 250, "{won}: {}", evaluated(won));
        }
        for drawn in [
            "8/8/8/3k4/8/8/8/1N2KN2 w - - 0 1",
            "8/8/8/3k4/8/8/8/1B2K1n1 w - - 0 1",
            "8/8/8/3k4/8/2B1B3/8/4K3 w - - 0 1",
        ] {
            assert!(
                evaluated(drawn).abs() < 150,
                "{drawn}: {}",
                evaluated(drawn)
            );
        }
    }

    #[test]
    fn the_lone_king_belongs_into_the_corner_of_the_bishops_color() {
        for (right, wrong) in [
            (
                "7k/8/5K2/8/8/2B5/4N3/8 w - - 0 1",
                "7k/8/5K2/8/8/3B4/4N3/8 w - - 0 1",
            ),
            (
                "k7/8/2K5/8/8/5B2/3N4/8 w - - 0 1",
                "k7/8/2K5/8/8/4B3/3N4/8 w - - 0 1",
            ),
        ] {
            assert!(evaluated(right) > evaluated(wrong) + 150, "{right}");
        }
    }

    #[test]
    fn the_entries_of_an_ending_add_up_to_its_evaluation_for_both_colors() {
        for fen in [
            "8/8/8/3k4/8/8/8/2B1KN2 w - - 0 1",
            "2b1kn2/8/8/8/3K4/8/8/8 b - - 0 1",
            "8/8/8/3k4/8/6p1/8/2Q1K3 b - - 0 1",
            "2q1k3/8/6P1/8/3K4/8/8/8 w - - 0 1",
        ] {
            let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
            let breakdown = Breakdown::of(&position, &TableSet::Attacks.tables());
            let sum: i32 = breakdown.ending.iter().map(|term| term.value).sum();
            assert_eq!(sum, breakdown.total, "{fen}");
            assert_eq!(
                breakdown.beyond_pieces.last().map(|term| term.value()),
                Some(sum)
            );
        }
        assert_eq!(
            evaluated("8/8/8/3k4/8/8/8/2B1KN2 w - - 0 1"),
            evaluated("2b1kn2/8/8/8/3K4/8/8/8 b - - 0 1")
        );
        assert_eq!(
            evaluated("8/8/8/3k4/8/6p1/8/2Q1K3 b - - 0 1"),
            evaluated("2q1k3/8/6P1/8/3K4/8/8/8 w - - 0 1")
        );
    }
}
