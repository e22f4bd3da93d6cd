//! Writes a game in the export format of PGN, which every chess program reads.
//!
//! First come the tag pairs, beginning with the seven that every game has, then the moves in lines
//! of less than 80 columns, but where a bracket would begin the next one. Evaluations and clocks
//! are commands in comments, as Lichess and ChessBase write them: `{[%eval 0.31,14] [%clk
//! 0:05:00]}`.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::mem;

use html_escape::decode_html_entities;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, EnPassantMode, Move, Position};
use squarewise_engine::position::rules::Variant;
use squarewise_engine::position::variant_position::VariantPosition;

use super::comment::{clock_text, evaluation_text};
use super::{GameRecord, Ply};
use squarewise_engine::position::played_move::move_number;

/// The longest line of moves, in columns, as the export format asks.
const MAX_COLUMNS: usize = 79;

/// The seven tag roster: the tags that every game has, in this order, and what stands for an
/// unknown value.
pub(super) const SEVEN_TAG_ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Whether every game has the tag with this name.
pub(super) fn is_in_roster(name: &str) -> bool {
    let mut names = SEVEN_TAG_ROSTER.iter().map(|(name, _)| name);
    names.any(|other| other.eq_ignore_ascii_case(name))
}

/// Writes a game, and an empty line after it.
///
/// The start position is written from [`GameRecord::start`] and the result from
/// [`GameRecord::outcome`], whatever the tags say; a result that no outcome can express stays in
/// its tag. Braces in comments become parentheses.
///
/// # Errors
///
/// If the output can't be written.
pub fn write(record: &GameRecord, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    for (name, value) in tags(record) {
        writeln!(out, "[{name} \"{}\"]", escaped(&value))?;
    }
    writeln!(out)?;
    let mut movetext = Movetext::default();
    movetext.comment(&record.comment);
    movetext.line(&record.plies, &record.start);
    movetext.word(record.outcome.as_str().to_owned());
    movetext.write_to(out)?;
    writeln!(out)
}

/// A line of play as text, such as `17... Nf6 18. Be2`, that begins in the position `before`.
pub fn line_of_play(before: &VariantPosition, moves: &[Move]) -> String {
    let plies: Vec<Ply> = moves.iter().map(|m| Ply::new(*m)).collect();
    let mut movetext = Movetext::default();
    movetext.line(&plies, before);
    movetext.words.join(" ")
}

/// A move of a record with its number, such as `17... Nf6`; `--` is a null move.
pub fn move_in_words(before: &VariantPosition, ply: &Ply) -> String {
    let number = move_number(before.fullmoves(), before.turn());
    format!("{number} {}", ply.play_in_san(&mut before.clone()))
}

/// The tag pairs to write.
fn tags(record: &GameRecord) -> Vec<(String, String)> {
    let mut tags: Vec<(String, String)> = SEVEN_TAG_ROSTER
        .iter()
        .map(|(name, unknown)| {
            let value = match *name {
                "Result" => record.result(),
                _ => record.tag(name).unwrap_or(unknown),
            };
            ((*name).to_owned(), value.to_owned())
        })
        .collect();
    let start = start_tags(&record.start);
    let names_variant = start.iter().any(|(name, _)| name == "Variant");
    for (index, (name, value)) in record.tags.iter().enumerate() {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        let is_set_up = is("SetUp") && matches!(value.trim(), "" | "0" | "1");
        let is_replaced = is_set_up || is("FEN") || (names_variant && is("Variant"));
        let mut before = record.tags[..index].iter();
        let is_written = is_in_roster(name) && !before.any(|(other, _)| other == name);
        if !is_replaced && !is_written && is_name(name) {
            tags.push((name.clone(), value.clone()));
        }
    }
    tags.extend(start);
    tags
}

/// The tags that tell the start position; none for the standard one.
fn start_tags(start: &VariantPosition) -> Vec<(String, String)> {
    let mut tags = Vec::new();
    let fen = Fen::from_position(start, EnPassantMode::Legal).to_string();
    let is_chess960 = start.castles().mode() == CastlingMode::Chess960;
    let variant = match start.variant() {
        Variant::Chess if is_chess960 => Some("Chess960".to_owned()),
        Variant::Chess => None,
        variant if is_chess960 => Some(format!("{variant} Chess960")),
        variant => Some(variant.to_string()),
    };
    tags.extend(variant.map(|variant| ("Variant".to_owned(), variant)));
    let standard = VariantPosition::start_of(start.variant());
    let standard = Fen::from_position(&standard, EnPassantMode::Legal).to_string();
    if is_chess960 || fen != standard {
        tags.push(("SetUp".to_owned(), "1".to_owned()));
        tags.push(("FEN".to_owned(), fen));
    }
    tags
}

/// Whether a text can be the name of a tag, of which the standard is stricter than files are.
fn is_name(name: &str) -> bool {
    let is_inside = |c: char| !c.is_control() && !matches!(c, '"' | '[' | ']' | '{' | '}' | ';');
    name.trim() == name && !name.is_empty() && name.chars().all(is_inside)
}

/// A text whose entities of HTML a reader is to leave as they stand: each reading makes characters
/// of them. Elsewhere an ampersand stays one.
fn with_entities(text: &str) -> Cow<'_, str> {
    match decode_html_entities(text) {
        Cow::Owned(decoded) if decoded != text => text.replace('&', "&amp;").into(),
        _ => text.into(),
    }
}

/// The value of a tag as it stands between quotation marks.
fn escaped(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for c in with_entities(value).chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The moves as words, none of which is broken across lines.
#[derive(Default)]
struct Movetext {
    words: Vec<String>,
    /// Parentheses to put before the next word.
    pending: String,
}

impl Movetext {
    fn word(&mut self, word: String) {
        let pending = mem::take(&mut self.pending);
        self.words.push(pending + &word);
    }

    /// A line of play that begins in the position `before`.
    fn line(&mut self, plies: &[Ply], before: &VariantPosition) {
        let mut before = before.clone();
        let mut needs_number = true;
        for ply in plies {
            needs_number |= self.comment(&ply.comment_before);
            for nag in &ply.nags_before {
                self.word(format!("${nag}"));
            }
            let turn = before.turn();
            if turn.is_white() || needs_number {
                self.word(move_number(before.fullmoves(), turn));
            }
            let mut after = before.clone();
            self.word(ply.play_in_san(&mut after));
            for nag in &ply.nags {
                self.word(format!("${nag}"));
            }
            needs_number = self.comment(&annotations(ply));
            for variation in &ply.variations {
                needs_number |= self.variation(variation, &before);
            }
            before = after;
        }
    }

    /// A variation, if it has a move; returns whether it has.
    fn variation(&mut self, variation: &[Ply], before: &VariantPosition) -> bool {
        if variation.is_empty() {
            return false;
        }
        self.pending.push('(');
        self.line(variation, before);
        if let Some(last) = self.words.last_mut() {
            last.push(')');
        }
        true
    }

    /// A comment, if there is one; returns whether there is. No line of it begins with a bracket or
    /// a percent sign, which simple readers would take for a tag or an escape.
    fn comment(&mut self, text: &str) -> bool {
        let text = with_entities(text).replace('{', "(").replace('}', ")");
        let mut words: Vec<String> = Vec::new();
        let mut is_in_command = false;
        for word in text.split_whitespace() {
            let continues = is_in_command || word.starts_with(['[', '%']);
            // A long command is broken between its words, though others read it better in one line.
            let is_word = !word.starts_with(['[', '%']);
            let has_room = |last: &&mut String| {
                !is_word || last.chars().count() + word.chars().count() < MAX_COLUMNS - 2
            };
            match words.last_mut().filter(|_| continues).filter(has_room) {
                Some(last) => {
                    last.push(' ');
                    last.push_str(word);
                }
                None => words.push(word.to_owned()),
            }
            is_in_command = (is_in_command || word.starts_with("[%")) && !word.ends_with(']');
        }
        let Some(last) = words.last_mut() else {
            return false;
        };
        last.push('}');
        self.pending.push('{');
        words.into_iter().for_each(|word| self.word(word));
        true
    }

    /// Writes the words in lines.
    fn write_to(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        let mut column = 0;
        for word in &self.words {
            let width = word.chars().count();
            if column > 0 && column + 1 + width > MAX_COLUMNS {
                writeln!(out)?;
                column = 0;
            }
            if column > 0 {
                write!(out, " ")?;
                column += 1;
            }
            write!(out, "{word}")?;
            column += width;
        }
        writeln!(out)
    }
}

/// The comment after a move: its commands and its text.
pub(crate) fn annotations(ply: &Ply) -> String {
    let mut text = String::new();
    // A position in which the game is over has no evaluation in other programs.
    let evaluation = ply
        .evaluation
        .filter(|evaluation| evaluation.score.mate_moves() != Some(0));
    // An evaluation or a clock that was written in another form stays among the commands as it
    // stood.
    let evaluation = evaluation.filter(|_| !ply.commands.contains("[%eval "));
    if let Some(evaluation) = evaluation {
        let _ = write!(text, "[%eval {}] ", evaluation_text(evaluation));
    }
    let clock = ply.clock.filter(|_| !ply.commands.contains("[%clk "));
    if let Some(clock) = clock {
        let _ = write!(text, "[%clk {}] ", clock_text(clock));
    }
    text + &ply.commands + " " + &ply.comment
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::RecordedEvaluation;
    use shakmaty::san::San;
    use shakmaty::{Color, KnownOutcome, Outcome};
    use squarewise_engine::position::from_fen;
    use squarewise_engine::score::Score;
    use std::time::Duration;

    /// The plies of a line in SAN.
    fn plies(start: &VariantPosition, line: &str) -> Vec<Ply> {
        let mut position = start.clone();
        line.split_whitespace()
            .map(|san| {
                let san: San = san.parse().expect("a move in SAN");
                let m = san.to_move(&position).expect("a legal move");
                position.play_unchecked(m);
                Ply::new(m)
            })
            .collect()
    }

    fn record(start: VariantPosition, line: &str) -> GameRecord {
        GameRecord {
            tags: Vec::new(),
            plies: plies(&start, line),
            start,
            comment: String::new(),
            outcome: Outcome::Unknown,
        }
    }

    fn written(record: &GameRecord) -> String {
        let mut out = Vec::new();
        write(record, &mut out).expect("memory can be written");
        String::from_utf8(out).expect("PGN is text")
    }

    /// The lines after the tags, joined.
    fn movetext(record: &GameRecord) -> String {
        let text = written(record);
        let (_, movetext) = text.split_once("\n\n").expect("an empty line");
        movetext.trim_end().replace('\n', " ")
    }

    #[test]
    fn the_seven_tag_roster_comes_first_and_is_complete() {
        let mut game = record(VariantPosition::default(), "e4");
        game.tags = [
            ("Annotator", "me"),
            ("White", "The \"\\\" \n one"),
            ("bad [name", "x"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
        game.outcome = KnownOutcome::Decisive {
            winner: Color::Black,
        }
        .into();
        let expected = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
                        [White \"The \\\"\\\\\\\"   one\"]\n[Black \"?\"]\n[Result \"0-1\"]\n\
                        [Annotator \"me\"]\n\n1. e4 0-1\n\n";
        assert_eq!(written(&game), expected);
    }

    #[test]
    fn another_start_position_is_written_as_fen() {
        let fen = "4k3/8/8/8/8/8/p7/4K2R b K - 3 17";
        let start =
            VariantPosition::from(from_fen(fen, CastlingMode::Standard).expect("a position"));
        let text = written(&record(start, "Kd7 O-O a1=Q"));
        assert!(!text.contains("Variant"), "{text}");
        assert!(text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")));
        assert!(text.ends_with("\n17... Kd7 18. O-O a1=Q *\n\n"), "{text}");
    }

    #[test]
    fn chess960_is_named_once() {
        let fen = "nnrbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNRBKRBQ w KQkq - 0 1";
        let start =
            VariantPosition::from(from_fen(fen, CastlingMode::Chess960).expect("a position"));
        let mut game = record(start, "g3");
        game.tags = vec![("Variant".to_owned(), "chess 960".to_owned())];
        let text = written(&game);
        assert_eq!(text.matches("Variant").count(), 1, "{text}");
        assert!(text.contains("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"nnrb"));
    }

    #[test]
    fn clocks_evaluations_glyphs_and_comments_follow_their_move() {
        let mut game = record(VariantPosition::default(), "e4 e5 Nf3");
        game.comment = "A game".to_owned();
        let ply = &mut game.plies[0];
        ply.nags = vec![1, 14];
        ply.evaluation = Some(RecordedEvaluation {
            score: Score::centipawns(31),
            depth: Some(14),
        });
        ply.clock = Some(Duration::from_millis(5_025_450));
        ply.commands = "[%csl Ge4]".to_owned();
        ply.comment = "best } by test".to_owned();
        let ply = &mut game.plies[1];
        ply.clock = Some(Duration::from_secs(60));
        ply.evaluation = Some(RecordedEvaluation {
            score: Score::mated_in(5),
            depth: None,
        });
        let expected = "{A game} 1. e4 $1 $14 {[%eval 0.31,14] [%clk 1:23:45.4] [%csl Ge4] best ) by \
                        test} 1... e5 {[%eval #-3] [%clk 0:01:00]} 2. Nf3 *";
        assert_eq!(movetext(&game), expected);
    }

    #[test]
    fn variations_are_nested_and_move_numbers_repeated_after_them() {
        let start = VariantPosition::default();
        let mut game = record(start.clone(), "e4 e5 Nf3");
        let mut sicilian = plies(&start, "e4 c5 Nf3 d6").split_off(1);
        sicilian[0].comment_before = "Or".to_owned();
        sicilian[2].variations = vec![plies(&start, "e4 c5 Nf3 Nc6").split_off(3), Vec::new()];
        game.plies[1].variations = vec![sicilian, plies(&start, "e4 e6").split_off(1)];
        let expected = "1. e4 e5 ({Or} 1... c5 2. Nf3 d6 (2... Nc6)) (1... e6) 2. Nf3 *";
        assert_eq!(movetext(&game), expected);
    }

    #[test]
    fn no_line_is_longer_than_79_columns_or_begins_like_a_tag() {
        let mut game = record(VariantPosition::default(), "e4 e5 Nf3");
        for ply in &mut game.plies {
            ply.comment = "[Event \"x\"] %a word ".repeat(40);
            ply.commands = "[%cal Ge2e4] [%csl Ge4]".to_owned();
        }
        let text = written(&game);
        let (_, movetext) = text.split_once("\n\n").expect("an empty line");
        assert!(movetext.lines().count() > 10);
        for line in movetext.lines() {
            assert!(line.chars().count() <= 79, "{line}");
            assert!(!line.starts_with(['[', '%']), "{line}");
        }
    }
}
