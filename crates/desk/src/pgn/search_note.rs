//! What match programs note behind a move: the score and depth of the search that chose it.
//!
//! cutechess-cli and fastchess write `{+0.31/12 0.051s}`, `{-M6/20 0.2s, White mates}` and
//! `{book}`; OpenBench shortens that to `{+0.31/12}`, and writes `{unknown}` where there is no
//! score.

use super::comment::centipawns;
use squarewise_engine::score::{MAX_PLY, Score};

/// The score that a comment begins with, from the point of view of the player of the move; `None`
/// if it begins with something else. The distance of a mate is in plies.
pub fn noted_score(comment: &str) -> Option<Score> {
    let end = comment.find([' ', ',']).unwrap_or(comment.len());
    let (score, depth) = comment[..end].split_once('/')?;
    depth.parse::<u32>().ok()?;
    let is_negative = score.starts_with('-');
    let number = score.strip_prefix(['+', '-']).unwrap_or(score);
    let size = match number.strip_prefix('M') {
        Some(plies) => {
            let plies: usize = plies.parse().ok()?;
            Score::mate_in(plies.min(MAX_PLY))
        }
        None => {
            // Not all that Rust reads as a number is one here, such as `inf`.
            let is_number = number.chars().all(|c| c.is_ascii_digit() || c == '.');
            centipawns(number.parse().ok().filter(|_| is_number)?)?
        }
    };
    Some(if is_negative { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_match_programs_are_understood() {
        for (comment, expected) in [
            ("+0.31/12 0.051s", Score::centipawns(31)),
            ("-1.20/9 1.1s, n=4711, sd=14", Score::centipawns(-120)),
            ("0.00/1", Score::DRAW),
            ("+0.07/12, line=a comment", Score::centipawns(7)),
            ("+M5/20 0.1s, White mates", Score::mate_in(5)),
            ("-M4/127", Score::mated_in(4)),
            ("+M900/1", Score::mate_in(MAX_PLY)),
            ("+199.99/30", Score::tablebase_win(1)),
            ("-99999.99/30", Score::centipawns(-30_000)),
        ] {
            assert_eq!(noted_score(comment), Some(expected), "{comment}");
        }
    }

    #[test]
    fn what_is_no_score_is_left_alone() {
        for comment in [
            "",
            "book",
            "unknown",
            "/0 0.05s",
            "+0.31",
            "+0.31/",
            "+0.31/x",
            "+-0.31/1",
            "inf/1",
            "M/1",
            "1/2-1/2 agreed",
            "White mates +0.31/12",
            "é/1",
        ] {
            assert_eq!(noted_score(comment), None, "{comment}");
        }
    }
}
