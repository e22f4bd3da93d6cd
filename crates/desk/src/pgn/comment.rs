//! Takes a comment apart: its text, and the commands in it.
//!
//! A command is `[%name value]`. Clocks (`[%clk 0:05:00]`) and evaluations (`[%eval 0.31,14]`,
//! `[%eval #-3]`) are understood; all others, such as the colored squares and arrows of ChessBase
//! and Lichess, are kept as they stand.

use std::fmt::Write as _;
use std::time::Duration;

use html_escape::decode_html_entities;

use super::RecordedEvaluation;
use crate::text_encoding::decode;
use squarewise_engine::score::Score;

/// What a comment says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Comment {
    pub(super) text: String,
    pub(super) clock: Option<Duration>,
    pub(super) evaluation: Option<RecordedEvaluation>,
    pub(super) commands: String,
}

impl Comment {
    /// Reads a comment, without its braces.
    pub(super) fn parse(comment: &str) -> Comment {
        let mut parsed = Comment::default();
        parsed.add(comment);
        parsed
    }

    /// Adds a further comment.
    pub(super) fn add(&mut self, comment: &str) {
        let mut rest = comment;
        while let Some((text, from_command)) = rest.split_once("[%") {
            let Some((command, after)) = from_command.split_once(']') else {
                break;
            };
            append(&mut self.text, text);
            self.add_command(command);
            rest = after;
        }
        append(&mut self.text, rest);
    }

    fn add_command(&mut self, command: &str) {
        let (name, value) = command
            .split_once(char::is_whitespace)
            .unwrap_or((command, ""));
        let value = value.trim();
        let kept = match name {
            "clk" if let Some(clock) = clock(value) => keep(&mut self.clock, clock, clock_text),
            "eval" if let Some(evaluation) = evaluation(value) => {
                keep(&mut self.evaluation, evaluation, evaluation_text)
            }
            _ => Kept::AsItStands,
        };
        let is_named = self.commands.contains(&format!("[%{name} "));
        let earlier = match kept {
            // The usual form is written again as it stood, unless one stands there already.
            Kept::First(usual) if usual == value && !is_named => return,
            Kept::First(_) | Kept::AsItStands => None,
            Kept::Second(first) => Some(format!("[%{name} {first}]")),
        };
        // Of several the first counts, and all stay.
        if let Some(earlier) = earlier.filter(|_| !is_named) {
            append(&mut self.commands, &earlier);
        }
        append(&mut self.commands, &format!("[%{command}]"));
    }
}

/// What becomes of the value of a command.
enum Kept {
    /// It is the first of its kind. Its usual form is this.
    First(String),
    /// Another came before it, whose usual form is this.
    Second(String),
    AsItStands,
}

/// Keeps a value unless there was one before it.
fn keep<T: Copy>(place: &mut Option<T>, value: T, usual: impl Fn(T) -> String) -> Kept {
    match *place {
        Some(first) => Kept::Second(usual(first)),
        None => {
            *place = Some(value);
            Kept::First(usual(value))
        }
    }
}

/// The text of these bytes: UTF-8, or Windows-1252 as in older files. Entities of HTML, in games
/// that were copied from a page, become their characters, and control characters spaces.
pub(super) fn text_of(bytes: &[u8]) -> String {
    decode_html_entities(&decode(bytes.to_vec())).replace(char::is_control, " ")
}

/// Appends a text to another, with one space between words.
pub(super) fn append(text: &mut String, further: &str) {
    for word in further.split_whitespace() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
}

/// `h:mm:ss`, also with a fraction of the second, or `h:mm` as electronic boards write it.
fn clock(value: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in value.split(':') {
        let is_number = part.chars().all(|c| c.is_ascii_digit() || c == '.');
        let number: f64 = part.parse().ok().filter(|_| is_number)?;
        seconds = seconds * 60.0 + number;
    }
    if value.matches(':').count() == 1 && !value.contains('.') {
        seconds *= 60.0;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

/// The text of a comment without its commands.
pub fn without_commands(comment: &str) -> String {
    Comment::parse(comment).text
}

/// `h:mm:ss`, with tenths of a second if there are any.
pub(super) fn clock_text(clock: Duration) -> String {
    let seconds = clock.as_secs();
    let tenths = clock.subsec_millis() / 100;
    let mut text = format!(
        "{}:{:02}:{:02}",
        seconds / 3_600,
        seconds / 60 % 60,
        seconds % 60
    );
    if tenths > 0 {
        let _ = write!(text, ".{tenths}");
    }
    text
}

/// `0.31,14` or `#-3`: what stands behind `[%eval`.
pub(super) fn evaluation_text(evaluation: RecordedEvaluation) -> String {
    match evaluation.depth {
        Some(depth) => format!("{evaluation},{depth}"),
        None => evaluation.to_string(),
    }
}

/// `0.31`, `-3`, `#4` or `#-4`, with or without `,` and a depth. A whole number before a depth is
/// one of centipawns: so ChessBase writes it.
fn evaluation(value: &str) -> Option<RecordedEvaluation> {
    let (score, depth) = match value.split_once(',') {
        Some((score, depth)) => (score.trim(), Some(depth.trim().parse().ok()?)),
        None => (value, None),
    };
    let score = match score.strip_prefix('#') {
        Some(moves) => Score::from_mate_moves(moves.parse().ok()?),
        None if depth.is_some() && !score.contains('.') => {
            centipawns(score.parse::<f64>().ok()? / 100.0)?
        }
        None => centipawns(score.parse().ok()?)?,
    };
    Some(RecordedEvaluation { score, depth })
}

/// A score in pawns, as it is written.
pub(super) fn centipawns(pawns: f64) -> Option<Score> {
    if !pawns.is_finite() {
        return None;
    }
    // Symmetric, so that the negative of every number is one too.
    let limit = f64::from(i32::MAX);
    let centipawns = (pawns * 100.0).round().clamp(-limit, limit) as i32;
    Some(Score::from_shown_centipawns(centipawns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use squarewise_engine::score::MAX_PLY;

    #[test]
    fn text_clock_evaluation_and_other_commands_are_told_apart() {
        let comment = " [%eval -0.50,14] A fine\n move [%csl Ge4,Rd5] [%clk 1:02:03.5] indeed ";
        let expected = Comment {
            text: "A fine move indeed".to_owned(),
            clock: Some(Duration::from_millis(3_723_500)),
            evaluation: Some(RecordedEvaluation {
                score: Score::centipawns(-50),
                depth: Some(14),
            }),
            commands: "[%csl Ge4,Rd5]".to_owned(),
        };
        assert_eq!(Comment::parse(comment), expected);
    }

    #[test]
    fn evaluations_are_read_as_they_are_written() {
        let scores = (0..=MAX_PLY)
            .map(Score::tablebase_win)
            .chain((1..=30).map(|moves| Score::mate_in(2 * moves - 1)))
            .chain((0..=19_800).map(Score::centipawns));
        for score in scores.flat_map(|score| [score, -score]) {
            let written = RecordedEvaluation { score, depth: None }.to_string();
            let read = evaluation(&written).expect("an evaluation");
            assert_eq!(read.to_string(), written);
            assert!(read.score == score || score.is_mate(), "{written}");
        }
    }

    #[test]
    fn what_is_no_clock_or_evaluation_is_kept_as_it_stands() {
        for command in [
            "[%clk soon]",
            "[%clk -1:00]",
            "[%clk 1e9:inf]",
            "[%clk]",
            "[%eval +/-]",
            "[%eval inf]",
            "[%eval #x]",
            "[%eval 0.3,deep]",
            "[%emt 0:00:03]",
        ] {
            let parsed = Comment::parse(command);
            assert_eq!(parsed.commands, command);
            assert_eq!((parsed.clock, parsed.evaluation), (None, None), "{command}");
        }
        assert_eq!(Comment::parse("a [%clk 0:01").text, "a [%clk 0:01");
    }

    #[test]
    fn of_several_clocks_and_evaluations_the_first_counts_and_all_stay() {
        let mut comment = Comment::parse("[%clk 0:10:00] [%eval 0.31] a [%clk 0:09]");
        comment.add("[%eval #2] [%clk 0:08:00]");
        let expected = "[%clk 0:10:00] [%clk 0:09] [%eval 0.31] [%eval #2] [%clk 0:08:00]";
        assert_eq!(
            (comment.commands.as_str(), comment.text.as_str()),
            (expected, "a")
        );
        assert_eq!(comment.clock, Some(Duration::from_secs(600)));
        assert_eq!(
            comment.evaluation.map(|e| e.score),
            Some(Score::centipawns(31))
        );
        // What is written in another form stays so.
        assert_eq!(Comment::parse("[%eval +0.3]").commands, "[%eval +0.3]");
        assert_eq!(Comment::parse("[%eval 0.30,12]").commands, "");
    }

    #[test]
    fn evaluations_of_chessbase_are_whole_centipawns_before_a_depth() {
        for (value, centipawns) in [
            ("23,14", 23),
            ("-17,27", -17),
            ("-24600,31", -24_600),
            ("0,1", 0),
            ("3", 300),
            ("0.23,14", 23),
            ("-3.0,14", -300),
        ] {
            let comment = Comment::parse(&format!("[%eval {value}]"));
            let score = comment.evaluation.map(|evaluation| evaluation.score);
            assert_eq!(score, Some(Score::centipawns(centipawns)), "{value}");
        }
        // It stays in their file as they wrote it.
        assert_eq!(Comment::parse("[%eval 23,14]").commands, "[%eval 23,14]");
    }

    #[test]
    fn the_longest_mates_and_evaluations_do_not_overflow() {
        let score = |value| evaluation(value).map(|evaluation| evaluation.score);
        assert!(score("#2147483647").is_some_and(Score::is_mate));
        assert!(score("#-2147483648").is_some_and(Score::is_mate));
        assert_eq!(score("1e300"), Some(Score::centipawns(i32::MAX)));
        assert_eq!(score("-1e300"), Some(Score::centipawns(-i32::MAX)));
    }
}
