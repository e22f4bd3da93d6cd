//! What a UCI engine says: one line, read into a type.
//!
//! Anything can arrive here, so nothing is taken for granted: what is not understood is rubbish,
//! and rubbish is skipped.

use super::arbiter::Thought;
use crate::terminal::printable;
use squarewise_engine::score::Score;

/// The longest text that is kept of a line, in characters: names and moves of a broken engine can
/// have any length.
const MAX_TEXT: usize = 80;

/// A line of a UCI engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    Name(String),
    /// The name of one of its options.
    Option(String),
    /// `uciok`: it has said everything about itself.
    UciOk,
    /// `readyok`: it is alive.
    ReadyOk,
    Info(Thought),
    /// Its move, in whatever words.
    BestMove(String),
    Rubbish,
}

impl Said {
    pub fn parse(line: &str) -> Said {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["uciok", ..] => Said::UciOk,
            ["readyok", ..] => Said::ReadyOk,
            ["id", "name", name @ ..] if !name.is_empty() => Said::Name(text(&name.join(" "))),
            ["option", "name", rest @ ..] => {
                let name = rest.split(|word| *word == "type").next();
                Said::Option(text(&name.unwrap_or_default().join(" ")))
            }
            ["bestmove", m, ..] => Said::BestMove(text(m)),
            ["bestmove"] => Said::BestMove("nothing".to_owned()),
            ["info", rest @ ..] => thought(rest).map_or(Said::Rubbish, Said::Info),
            _ => Said::Rubbish,
        }
    }
}

/// A text to show: no control characters, and not too long.
pub fn text(text: &str) -> String {
    printable(text).chars().take(MAX_TEXT).collect()
}

/// The depth and the score of an `info` line; `None` if it has no exact score of the best line.
fn thought(words: &[&str]) -> Option<Thought> {
    let is_free_text = |word: &&&str| matches!(**word, "string" | "pv");
    let end = words.iter().take_while(|word| !is_free_text(word)).count();
    let words = &words[..end];
    let after = |name: &str| {
        let index = words.iter().position(|word| *word == name)?;
        words.get(index + 1..)
    };
    let number = |words: &[&str]| words.first()?.parse::<i32>().ok();
    let is_bound = words
        .iter()
        .any(|word| matches!(*word, "lowerbound" | "upperbound"));
    let is_other_line = after("multipv")
        .and_then(number)
        .is_some_and(|line| line != 1);
    if is_bound || is_other_line {
        return None;
    }
    let depth = after("depth").and_then(number)?;
    let score = match after("score")? {
        ["cp", value, ..] => Score::centipawns(value.parse().ok()?),
        ["mate", moves, ..] => Score::from_mate_moves(moves.parse().ok()?),
        _ => return None,
    };
    Some(Thought {
        score,
        depth: u32::try_from(depth).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(line: &str) -> Option<(Score, u32)> {
        match Said::parse(line) {
            Said::Info(thought) => Some((thought.score, thought.depth)),
            _ => None,
        }
    }

    #[test]
    fn names_options_and_signs_of_life_are_read() {
        for (line, expected) in [
            ("uciok", Said::UciOk),
            ("  readyok \r", Said::ReadyOk),
            (
                "id name Stockfish 15.1",
                Said::Name("Stockfish 15.1".to_owned()),
            ),
            (
                "option name Skill Level type spin default 20 min 0 max 20",
                Said::Option("Skill Level".to_owned()),
            ),
            (
                "bestmove e2e4 ponder e7e5",
                Said::BestMove("e2e4".to_owned()),
            ),
        ] {
            assert_eq!(Said::parse(line), expected, "{line}");
        }
    }

    #[test]
    fn scores_are_centipawns_or_mates() {
        let info = |score: &str| {
            format!("info depth 12 seldepth 20 multipv 1 score {score} nodes 9 pv e2e4")
        };
        assert_eq!(score(&info("cp -35")), Some((Score::centipawns(-35), 12)));
        assert_eq!(score(&info("mate 1")), Some((Score::mate_in(1), 12)));
        assert_eq!(score(&info("mate 3")), Some((Score::mate_in(5), 12)));
        assert_eq!(score(&info("mate -2")), Some((Score::mated_in(4), 12)));
        assert_eq!(score(&info("mate 0")), Some((Score::mated_in(0), 12)));
        assert!(score(&info("mate -2147483648")).is_some());
        assert!(score(&info("mate 2147483647")).is_some());
        assert!(score(&info("cp 2147483647")).is_some());
    }

    #[test]
    fn bounds_and_other_lines_are_no_thoughts() {
        for line in [
            "info depth 5 score cp 10 lowerbound",
            "info depth 5 multipv 2 score cp 10",
            "info string depth 5 score cp 10",
            "info depth 5 currmove e2e4",
            "info depth 5 score",
            "info depth 5 score cp",
            "info depth -5 score cp 10",
            "info depth x score cp 10",
            "info score cp 10",
            "info",
        ] {
            assert_eq!(Said::parse(line), Said::Rubbish, "{line}");
        }
    }

    #[test]
    fn rubbish_is_rubbish_and_has_no_control_characters() {
        for line in [
            "",
            " ",
            "\u{0}",
            "hello",
            "id",
            "id name",
            "best move",
            "info",
        ] {
            assert_eq!(Said::parse(line), Said::Rubbish, "{line:?}");
        }
        let wild = Said::parse(&format!("bestmove \u{1b}[2J{}", "x".repeat(1_000)));
        let Said::BestMove(text) = wild else {
            panic!("{wild:?}");
        };
        assert!(text.starts_with("?[2Jx"));
        assert_eq!(text.len(), MAX_TEXT);
    }
}
