//! The texts of the report: names, dates, scores and clocks as people write them.
//!
//! What a PGN file says is untrusted. [`clean`] takes out what could garble the page: control characters, and the
//! characters that turn the direction of writing. Escaping for HTML and JSON is done where the text is written.

use shakmaty::{Color, Position};

use crate::pgn::GameRecord;
use crate::score::Score;

/// Longer texts are cut, so that one damaged tag can't fill the page.
const MAX_CHARACTERS: usize = 2_000;

/// The text without control characters and without characters that change the direction of writing. Text that is
/// itself written from right to left stays.
pub(super) fn clean(text: &str) -> String {
    let is_shown = |character: &char| {
        let turns = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        !turns && !matches!(character, '\u{feff}' | '\u{fff9}'..='\u{fffb}')
    };
    let spaced = text.chars().filter(is_shown).map(|character| {
        if character.is_control() || character == '\u{2028}' || character == '\u{2029}' {
            ' '
        } else {
            character
        }
    });
    let spaced: String = spaced.take(MAX_CHARACTERS).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The cleaned value of a tag, unless it is missing, empty or says that it is unknown.
pub(super) fn known_tag(record: &GameRecord, name: &str) -> Option<String> {
    let value = record.known_tag(name).map(clean);
    value.filter(|value| !value.is_empty())
}

/// The name of a player.
pub(super) fn player(record: &GameRecord, color: Color) -> String {
    let name = color.fold_wb("White", "Black");
    known_tag(record, name).unwrap_or_else(|| name.to_owned())
}

/// The rating of a player.
pub(super) fn rating(record: &GameRecord, color: Color) -> Option<String> {
    known_tag(record, color.fold_wb("WhiteElo", "BlackElo"))
}

/// The cleaned date of a game, as far as its tag gives it.
pub(super) fn date(record: &GameRecord) -> Option<String> {
    record.known_date().map(clean)
}

/// A score from White's point of view in pawns (`+0.34`), in moves to mate (`#5`, `#−3`), or as a win by the
/// tablebases (`+TB`). A position that is over has no score but a result: `#` for checkmate, `½` for a draw.
pub(super) fn score(score: Score, position: &impl Position) -> String {
    if position.is_checkmate() {
        return "#".to_owned();
    }
    if position.is_stalemate() || position.is_insufficient_material() {
        return "½".to_owned();
    }
    let sign = if score < Score::DRAW { "\u{2212}" } else { "" };
    let plus = if score > Score::DRAW { "+" } else { sign };
    match score.mate_moves() {
        Some(moves) => format!("#{sign}{}", moves.unsigned_abs()),
        None if score.is_decisive() => format!("{plus}TB"),
        None => {
            let centipawns = score.value().unsigned_abs();
            format!("{plus}{}.{:02}", centipawns / 100, centipawns % 100)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Chess;

    #[test]
    fn characters_that_garble_a_page_are_taken_out() {
        assert_eq!(
            clean("  a\u{0}b\r\n c\u{202e}d\u{2066}\u{200f}\u{feff} "),
            "a b cd"
        );
        assert_eq!(clean("שלום <b>"), "שלום <b>");
        assert_eq!(clean(&"x".repeat(5_000)).len(), MAX_CHARACTERS);
    }

    #[test]
    fn scores_are_written_in_pawns_and_in_moves_to_mate() {
        let text = |value| score(value, &Chess::default());
        assert_eq!(text(Score::centipawns(34)), "+0.34");
        assert_eq!(text(Score::centipawns(-205)), "\u{2212}2.05");
        assert_eq!(text(Score::DRAW), "0.00");
        assert_eq!(text(Score::mate_in(5)), "#3");
        assert_eq!(text(Score::mated_in(4)), "#\u{2212}2");
        assert_eq!(text(Score::tablebase_win(9)), "+TB");
        assert_eq!(text(Score::tablebase_loss(9)), "\u{2212}TB");
    }
}
