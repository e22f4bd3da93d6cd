//! Material in words: who has more of what.

use shakmaty::{Color, Role};

use super::sentence::role_name;
use crate::evaluation::shares::{Shares, Table};

/// The difference of material between the sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// Its value for White in centipawns: that of the pieces, and of their imbalance.
    pub value: i32,
    /// In words, such as "White is a pawn up"; `None` if both sides have the same pieces.
    pub words: Option<String>,
}

/// The difference of material of a position.
pub(super) fn material_difference(shares: &Shares) -> Difference {
    let pieces = shares
        .pieces
        .iter()
        .map(|share| share.term(Table::Material));
    let beyond_pieces = shares.beyond_pieces.iter();
    let beyond_pieces = beyond_pieces.map(|(_, [black, white])| white - black);
    let value = pieces.sum::<i32>() + beyond_pieces.sum::<i32>();
    let count = |side: Color, role: Role| {
        let pieces = shares.pieces.iter();
        pieces.filter(|share| share.piece == role.of(side)).count()
    };
    let more_of = |side: Color| -> Vec<(Role, usize)> {
        let roles = Role::ALL.into_iter().rev();
        let more = roles.map(|role| (role, count(side, role).saturating_sub(count(!side, role))));
        more.filter(|(_, number)| *number > 0).collect()
    };
    let has_pair_alone =
        |side: Color| count(side, Role::Bishop) >= 2 && count(!side, Role::Bishop) < 2;
    let words =
        in_words(more_of(Color::White), more_of(Color::Black)).map(|words| {
            match Color::ALL.into_iter().find(|side| has_pair_alone(*side)) {
                Some(side) => format!(
                    "{words}, {} with the two bishops",
                    side.fold_wb("White", "Black")
                ),
                None => words,
            }
        });
    Difference { value, words }
}

/// What each side has more of, in words.
fn in_words(white: Vec<(Role, usize)>, black: Vec<(Role, usize)>) -> Option<String> {
    let exchange = [(Role::Rook, 1)];
    let is_minor = |pieces: &[(Role, usize)]| matches!(pieces, [(Role::Knight | Role::Bishop, 1)]);
    match (white.as_slice(), black.as_slice()) {
        ([], []) => None,
        (more, []) => Some(format!("White is {} up", listed(more))),
        ([], more) => Some(format!("Black is {} up", listed(more))),
        (more, less) if more == exchange && is_minor(less) => {
            Some("White is the exchange up".to_owned())
        }
        (less, more) if more == exchange && is_minor(less) => {
            Some("Black is the exchange up".to_owned())
        }
        (white, black) => Some(format!("White has {} for {}", listed(white), listed(black))),
    }
}

/// A list such as "a rook and two pawns".
fn listed(pieces: &[(Role, usize)]) -> String {
    let number = |count: usize| match count {
        2 => "two".to_owned(),
        3 => "three".to_owned(),
        4 => "four".to_owned(),
        count => count.to_string(),
    };
    let words: Vec<String> = pieces
        .iter()
        .map(|(role, count)| match count {
            1 => format!("a {}", role_name(*role)),
            _ => format!("{} {}s", number(*count), role_name(*role)),
        })
        .collect();
    match words.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(white: &[(Role, usize)], black: &[(Role, usize)]) -> String {
        in_words(white.to_vec(), black.to_vec()).unwrap_or_default()
    }

    #[test]
    fn material_is_told_as_players_tell_it() {
        let pawn = (Role::Pawn, 1);
        assert_eq!(words(&[], &[]), "");
        assert_eq!(words(&[pawn], &[]), "White is a pawn up");
        assert_eq!(
            words(&[], &[(Role::Rook, 1), (Role::Pawn, 2)]),
            "Black is a rook and two pawns up"
        );
        assert_eq!(
            words(&[(Role::Rook, 1)], &[(Role::Bishop, 1)]),
            "White is the exchange up"
        );
        assert_eq!(
            words(&[(Role::Knight, 1)], &[(Role::Rook, 1)]),
            "Black is the exchange up"
        );
        assert_eq!(
            words(
                &[(Role::Queen, 1)],
                &[(Role::Rook, 1), (Role::Bishop, 1), pawn]
            ),
            "White has a queen for a rook, a bishop and a pawn"
        );
        assert_eq!(
            words(&[(Role::Pawn, 5)], &[(Role::Queen, 1)]),
            "White has 5 pawns for a queen"
        );
    }
}
