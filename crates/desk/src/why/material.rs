//! Material in words: who has more of what.

use shakmaty::{Color, Role};

use super::words::{self, role_name, side_name};
use squarewise_engine::evaluation::Breakdown;
use squarewise_engine::wdl::points;

/// The difference of material, such as "White is a pawn up"; `None` if both sides have the same
/// pieces.
pub(super) fn material_in_words(breakdown: &Breakdown) -> Option<String> {
    let count = |side: Color, role: Role| {
        let pieces = breakdown.pieces.iter();
        pieces.filter(|share| share.piece == role.of(side)).count()
    };
    let more_of = |side: Color| -> Vec<(Role, usize)> {
        let roles = Role::ALL.into_iter().rev();
        let more = roles.map(|role| (role, count(side, role).saturating_sub(count(!side, role))));
        more.filter(|(_, number)| *number > 0).collect()
    };
    let has_pair = |side: Color| count(side, Role::Bishop) >= 2 && count(!side, Role::Bishop) < 2;
    let pair = Color::ALL.into_iter().find(|side| has_pair(*side));
    in_words([Color::Black, Color::White].map(more_of), pair)
}

/// What each side has more of, indexed by color, in words; `pair` is the side that alone has two
/// bishops.
fn in_words(more: [Vec<(Role, usize)>; 2], pair: Option<Color>) -> Option<String> {
    // The side that has more by the usual count, a pawn for a pawn, speaks.
    let lead = |side: Color| -> usize {
        let more = more[usize::from(side)].iter();
        more.map(|(role, number)| points(*role) as usize * number)
            .sum()
    };
    let side = if lead(Color::White) >= lead(Color::Black) {
        Color::White
    } else {
        Color::Black
    };
    let [own, other] = [side, !side].map(|side| &more[usize::from(side)]);
    let bishop_for_knight = [Role::Bishop, Role::Knight].map(|role| (role, 1));
    let (speaker, opponent) = (side_name(side), side_name(!side));
    let minor = own.iter().find(|piece| bishop_for_knight.contains(piece));
    let other_minor = other.iter().find(|piece| bishop_for_knight.contains(piece));
    let rest = |pieces: &[(Role, usize)], without: Option<&(Role, usize)>| -> Vec<(Role, usize)> {
        let pieces = pieces.iter().copied();
        pieces.filter(|piece| Some(piece) != without).collect()
    };
    match (own.as_slice(), other.as_slice()) {
        ([], []) => return None,
        (more, []) => return Some(format!("{speaker} is {} up", listed(more))),
        ([(Role::Rook, 1)], [(Role::Knight | Role::Bishop, 1)]) => {
            return Some(format!("{speaker} is the exchange up"));
        }
        ([one], [two]) if minor == Some(one) && other_minor == Some(two) => {
            return Some(match pair {
                Some(side) => format!("{} has the bishop pair", side_name(side)),
                None if one.0 == Role::Bishop => format!("{speaker} has bishop for knight"),
                None => format!("{opponent} has bishop for knight"),
            });
        }
        _ => (),
    }
    let mut words = match (minor, other_minor) {
        (Some((role, _)), Some(_)) if rest(other, other_minor).is_empty() => {
            let up = listed(&rest(own, minor));
            let minors = match role {
                Role::Bishop => "with bishop for knight",
                _ => "with knight for bishop",
            };
            format!("{speaker} is {up} up, {minors}")
        }
        _ => format!("{speaker} has {} for {}", listed(own), listed(other)),
    };
    match pair {
        Some(with_pair) if with_pair == side => words += ", with the bishop pair",
        Some(with_pair) => words += &format!(", but {} has the bishop pair", side_name(with_pair)),
        None => (),
    }
    Some(words)
}

/// Pieces in words, such as "a rook and two pawns"; equal ones stand next to each other.
pub(super) fn pieces_in_words(roles: &[Role]) -> String {
    let kinds = roles.chunk_by(|one, two| one == two);
    let counted: Vec<(Role, usize)> = kinds.map(|kind| (kind[0], kind.len())).collect();
    listed(&counted)
}

/// A list such as "a rook and two pawns".
fn listed(pieces: &[(Role, usize)]) -> String {
    let words = ["two", "three", "four", "five", "six", "seven", "eight"];
    let number = |count: usize| match words.get(count.wrapping_sub(2)) {
        Some(word) => (*word).to_owned(),
        None => count.to_string(),
    };
    let words: Vec<String> = pieces
        .iter()
        .map(|(role, count)| match count {
            1 => format!("a {}", role_name(*role)),
            _ => format!("{} {}s", number(*count), role_name(*role)),
        })
        .collect();
    words::listed(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(white: &[(Role, usize)], black: &[(Role, usize)], pair: Option<Color>) -> String {
        in_words([black.to_vec(), white.to_vec()], pair).unwrap_or_default()
    }

    #[test]
    fn material_is_told_as_players_tell_it() {
        let pawn = (Role::Pawn, 1);
        let [knight, bishop, rook, queen] =
            [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(|role| (role, 1));
        for (white, black, expected) in [
            (vec![], vec![], ""),
            (vec![pawn], vec![], "White is a pawn up"),
            (
                vec![],
                vec![rook, (Role::Pawn, 2)],
                "Black is a rook and two pawns up",
            ),
            (vec![rook], vec![bishop], "White is the exchange up"),
            (vec![knight], vec![rook], "Black is the exchange up"),
            (vec![bishop], vec![knight], "White has bishop for knight"),
            (
                vec![bishop],
                vec![knight, pawn],
                "Black is a pawn up, with knight for bishop",
            ),
            (
                vec![queen],
                vec![rook, bishop, pawn],
                "White has a queen for a rook, a bishop and a pawn",
            ),
            (
                vec![(Role::Pawn, 5)],
                vec![queen],
                "Black has a queen for five pawns",
            ),
        ] {
            assert_eq!(words(&white, &black, None), expected);
        }
    }

    #[test]
    fn the_bishop_pair_is_named_if_one_side_alone_has_it() {
        let [pawn, knight, bishop] = [Role::Pawn, Role::Knight, Role::Bishop].map(|role| (role, 1));
        let white = Some(Color::White);
        assert_eq!(
            words(&[bishop], &[knight], white),
            "White has the bishop pair"
        );
        assert_eq!(words(&[bishop], &[], white), "White is a bishop up");
        assert_eq!(
            words(&[bishop], &[knight, pawn], white),
            "Black is a pawn up, with knight for bishop, but White has the bishop pair"
        );
    }
}
