//! The texts of the pages: names, dates, scores and clocks as people write them.
//!
//! What a PGN file says is untrusted. [`clean`] and [`comment`] take out what could garble the
//! page: control characters, and the characters that turn the direction of writing. Escaping for
//! HTML and JSON is done where the text is written.

use shakmaty::Color;

use crate::pgn::{GameRecord, without_commands};
use crate::terminal::printable;
use squarewise_engine::score::Score;

/// Longer values of tags are cut, so that a damaged one can't fill the page.
const MAX_TAG_CHARACTERS: usize = 2_000;

/// Longer comments are cut.
const MAX_COMMENT_CHARACTERS: usize = 100_000;

/// The value of a tag as it is shown.
pub(crate) fn clean(text: &str) -> String {
    cleaned(text, MAX_TAG_CHARACTERS)
}

/// A comment as it is shown, without the commands of programs.
pub(crate) fn comment(text: &str) -> String {
    cleaned(&without_commands(text), MAX_COMMENT_CHARACTERS)
}

/// The printable text, with one space between words and without the marks of interlinear notes. A
/// text that is too long ends with an ellipsis.
fn cleaned(text: &str, max_characters: usize) -> String {
    let text = printable(text);
    let is_shown = |character: &char| !matches!(character, '\u{fff9}'..='\u{fffb}');
    let mut characters = text.chars().filter(is_shown);
    let shown: String = characters.by_ref().take(max_characters).collect();
    let mut words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    if characters.next().is_some() {
        words.push('…');
    }
    words
}

/// The cleaned value of a tag, unless it is missing, empty or says that it is unknown.
pub(crate) fn known_tag(record: &GameRecord, name: &str) -> Option<String> {
    let value = record.known_tag(name).map(clean);
    value.filter(|value| !value.is_empty())
}

/// The name of a player.
pub(crate) fn player(record: &GameRecord, color: Color) -> String {
    let name = color.fold_wb("White", "Black");
    known_tag(record, name).unwrap_or_else(|| name.to_owned())
}

/// The rating of a player.
pub(crate) fn rating(record: &GameRecord, color: Color) -> Option<String> {
    known_tag(record, color.fold_wb("WhiteElo", "BlackElo"))
}

/// The cleaned date of a game, as far as its tag gives it.
pub(crate) fn date(record: &GameRecord) -> Option<String> {
    record.known_date().map(clean)
}

/// A score from White's point of view in pawns (`+0.34`), in moves to mate (`#5`, `#−3`), or as a
/// win by the tablebases (`+TB`). A game that is over has no score but a result: `#` for checkmate,
/// `½` for a draw.
pub(crate) fn score(score: Score, is_over: bool) -> String {
    if is_over {
        return if score.is_mate() { "#" } else { "½" }.to_owned();
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

    #[test]
    fn characters_that_garble_a_page_are_taken_out() {
        assert_eq!(
            clean("  a\u{0}b\r\n c\u{202e}d\u{2066}\u{200f}\u{feff} "),
            "a?b cd"
        );
        assert_eq!(clean("שלום <b>"), "שלום <b>");
        let long = "x".repeat(5_000);
        assert_eq!(clean(&long), format!("{}…", &long[..MAX_TAG_CHARACTERS]));
        assert_eq!(comment(&long), long);
    }

    #[test]
    fn scores_are_written_in_pawns_and_in_moves_to_mate() {
        let text = |value| score(value, false);
        assert_eq!(text(Score::centipawns(34)), "+0.34");
        assert_eq!(text(Score::centipawns(-205)), "\u{2212}2.05");
        assert_eq!(text(Score::DRAW), "0.00");
        assert_eq!(text(Score::mate_in(5)), "#3");
        assert_eq!(text(Score::mated_in(4)), "#\u{2212}2");
        assert_eq!(text(Score::tablebase_win(9)), "+TB");
        assert_eq!(text(Score::tablebase_loss(9)), "\u{2212}TB");
        assert_eq!(score(Score::mated_in(0), true), "#");
        assert_eq!(score(Score::DRAW, true), "½");
    }
}
