//! Test suites in EPD: positions with the moves that solve them.
//!
//! A line of EPD is a position of four fields, followed by operations that end with semicolons.
//! This module reads `bm` (best move: the moves that solve the position), `am` (avoid move: those
//! that don't), `id` (its name), points for several moves in `c0` (comment), as in `c0 "f5=10,
//! Be5+=2"`, the form of the Strategic Test Suite, and the mate of a mate problem: `dm 3` (direct
//! mate in three moves), `bm #3` or `ce +M3` (evaluation); if the number is negative, the side to
//! move is mated. Other operations are ignored, and so are points for moves that aren't legal if
//! another operation names a solution. Of two operations of the same name the last counts, but a
//! move to avoid stays one.

use shakmaty::Move;
use squarewise_engine::position::variant_position::VariantPosition;

use crate::notation::looks_like_a_move;
use crate::pgn::written_moves;
use squarewise_engine::position::{LeftOut, epd_lines, read_epd};

/// A position of a test suite, and the moves that solve it.
#[derive(Clone, Debug)]
pub struct TestPosition {
    /// Its `id`, or its line number if it has none.
    pub id: String,
    /// The number of its line, from 1.
    pub line: usize,
    /// The position.
    pub position: VariantPosition,
    /// What was left out of the position because it can't be.
    pub left_out: LeftOut,
    /// The operations that say what solves it, as they stand in the file.
    pub operations: String,
    /// The full moves in which mate can be forced, if the suite says so.
    pub mate: Option<u32>,
    /// Whether it is the side to move that is mated in them.
    pub is_mated: bool,
    best_moves: Vec<Move>,
    avoid_moves: Vec<Move>,
    points: Vec<(Move, u32)>,
}

/// The error of a test suite that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct SuiteError {
    /// The number of the line, from 1.
    line: usize,
    reason: String,
}

impl TestPosition {
    /// The points for a move: those of `c0` if there are any, else one for a solution.
    pub fn points_for(&self, m: Move) -> u32 {
        let given = self.points.iter().find(|(other, _)| *other == m);
        match given {
            Some((_, points)) => *points,
            None if !self.points.is_empty() => 0,
            None => u32::from(self.is_solved_by(m)),
        }
    }

    /// Whether only a mate in [`TestPosition::mate`] moves solves the position, because the file
    /// names no moves.
    pub fn is_mate_problem(&self) -> bool {
        self.best_moves.is_empty() && self.avoid_moves.is_empty() && self.points.is_empty()
    }

    /// Sets the number of moves to the mate; a negative one means that the side to move is mated.
    fn set_mate(&mut self, moves: &str) -> Result<(), String> {
        // `#3`, `M3`, `-#3`, `3.`, and with any dash for the sign.
        let is_sign = |c: &char| "#Mm.+ ".contains(*c);
        let number: String = moves.chars().filter(|c| !is_sign(c)).collect();
        let number = number.replace(is_dash, "-").parse::<i32>();
        let number = number.ok().filter(|number| *number != 0);
        let number = number.ok_or_else(|| format!("'{moves}' is not a number of moves"))?;
        self.mate = Some(number.unsigned_abs());
        self.is_mated = number < 0;
        Ok(())
    }

    /// The points for the best move.
    pub fn max_points(&self) -> u32 {
        let given = self.points.iter().map(|(_, points)| *points);
        given.max().unwrap_or(1)
    }

    /// Whether a move solves the position: it is one of `bm` and none of `am`. If there are only
    /// points, it is a move with the most points. No move alone solves a mate problem.
    pub fn is_solved_by(&self, m: Move) -> bool {
        if self.best_moves.is_empty() && self.avoid_moves.is_empty() {
            return !self.is_mate_problem() && self.points_for(m) == self.max_points();
        }
        (self.best_moves.is_empty() || self.best_moves.contains(&m))
            && !self.avoid_moves.contains(&m)
    }
}

/// A test suite.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The positions in the order of the file.
    pub positions: Vec<TestPosition>,
    /// Why lines are no positions of the suite: no legal position, an illegal move, or no operation
    /// that says what solves it.
    pub skipped: Vec<SuiteError>,
}

/// Reads a test suite. Empty lines and comments are no part of it.
///
/// # Errors
///
/// What is wrong with the first line, if no line is a position of a suite.
pub fn read(text: &str) -> Result<Suite, SuiteError> {
    let mut suite = Suite {
        positions: Vec::new(),
        skipped: Vec::new(),
    };
    for (line, test) in epd_lines(text) {
        match test_position(test, line) {
            Ok(position) => suite.positions.push(position),
            Err(reason) => suite.skipped.push(SuiteError { line, reason }),
        }
    }
    if suite.positions.is_empty() && !suite.skipped.is_empty() {
        return Err(suite.skipped.swap_remove(0));
    }
    Ok(suite)
}

fn test_position(line: &str, number: usize) -> Result<TestPosition, String> {
    let read = read_epd(without_number(line), None);
    let (position, left_out, operations) = read.map_err(|error| error.to_string())?;
    let mut test = TestPosition {
        id: number.to_string(),
        line: number,
        position: position.into(),
        left_out,
        operations: String::new(),
        mate: None,
        is_mated: false,
        best_moves: Vec::new(),
        avoid_moves: Vec::new(),
        points: Vec::new(),
    };
    let mut comment = "";
    let mut wrong_points = None;
    let mut shown: Vec<(String, &str)> = Vec::new();
    let operations = operations_of(without_counters(operations));
    for operation in operations.flat_map(without_missing_semicolon) {
        let is_end = |c: char| c.is_whitespace() || matches!(c, ':' | '=');
        let (name, value) = operation.split_at(operation.find(is_end).unwrap_or(operation.len()));
        let name = name.to_ascii_lowercase();
        let value = value.trim_start_matches(is_end).trim_end();
        let value = value.trim_matches('"');
        match name.as_str() {
            "id" => {
                test.id = value.to_owned();
                continue;
            }
            "bm" if let Some(moves) = mate_of(value) => test.set_mate(&moves)?,
            "bm" => test.best_moves = moves(&test.position, value)?,
            "am" => test.avoid_moves.extend(moves(&test.position, value)?),
            "dm" => test.set_mate(value)?,
            "ce" => match mate_of(value) {
                Some(moves) => test.set_mate(&moves)?,
                None => continue,
            },
            "c0" if has_points(value) => match points(&test.position, value) {
                Ok(points) => test.points = points,
                Err(reason) => {
                    wrong_points = Some(reason);
                    continue;
                }
            },
            "c0" => {
                comment = value;
                continue;
            }
            _ => continue,
        }
        shown.retain(|(other, _)| *other != name || name == "am");
        shown.push((name, value));
    }
    let shown: Vec<String> = shown
        .iter()
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    test.operations = shown.join(" ");
    if test.is_mate_problem() && test.mate.is_none() {
        if let Some(reason) = wrong_points {
            return Err(reason);
        }
        let comment = match comment {
            "" => String::new(),
            comment => format!(" ('{comment}')"),
        };
        return Err(format!(
            "no solution: neither bm, am, dm nor points in c0{comment}"
        ));
    }
    Ok(test)
}

/// A line without its number in a list, `12.` or `012`. The first word of a position has ranks.
fn without_number(line: &str) -> &str {
    let line = line.trim_start();
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    let number = line[..end].trim_end_matches(['.', ')', ':']);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { &line[end..] } else { line }
}

/// The operations of a line: a semicolon in quotes does not end one.
fn operations_of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    let operations = std::iter::from_fn(move || {
        let (operation, after) = rest.split_at(operation_length(rest)?);
        rest = after.strip_prefix(';').unwrap_or(after);
        Some(operation.trim())
    });
    operations.filter(|operation| !operation.is_empty())
}

/// An operation, and the one that follows its moves where the semicolon between them is missing:
/// `bm Ra8# id "a"`.
fn without_missing_semicolon(operation: &str) -> impl Iterator<Item = &str> {
    const NAMES: [&str; 4] = [" id ", " c0 ", " am ", " dm "];
    let has_moves = operation.starts_with("bm ") || operation.starts_with("am ");
    let starts = NAMES.iter().filter_map(|name| operation.find(name));
    let start = starts.min().filter(|_| has_moves);
    let (first, second) = operation.split_at(start.unwrap_or(operation.len()));
    let second = Some(second.trim_start()).filter(|second| !second.is_empty());
    [first].into_iter().chain(second)
}

fn is_dash(character: char) -> bool {
    matches!(character, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// The length of the operation at the beginning of a text; `None` if there is no text. Quotes close
/// where the operation ends. Those inside are part of what is quoted, and those that are never
/// closed are nothing but a sign.
fn operation_length(text: &str) -> Option<usize> {
    let end_from = |from: usize| text[from..].find(';').map_or(text.len(), |at| from + at);
    let open = text.find('"').filter(|open| *open < end_from(0));
    let mut marks = text.match_indices('"').map(|(at, _)| at);
    let closes = |at: &usize| {
        let after = text[at + 1..].trim_start();
        let is_escaped = text[..*at].ends_with('\\');
        Some(*at) > open && !is_escaped && (after.is_empty() || after.starts_with(';'))
    };
    let closed = open.and_then(|_| marks.find(closes));
    (!text.is_empty()).then(|| end_from(closed.map_or(0, |at| at + 1)))
}

/// The operations without what is left of a FEN before them: the counters, or dashes too many.
fn without_counters(operations: &str) -> &str {
    let mut rest = operations.trim_start();
    loop {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let is_number = rest[..end].bytes().all(|byte| byte.is_ascii_digit());
        if end == 0 || !(is_number || rest[..end].chars().all(is_dash)) {
            return rest;
        }
        rest = rest[end..].trim_start();
    }
}

fn moves(position: &VariantPosition, list: &str) -> Result<Vec<Move>, String> {
    // Some files have the name of an operation twice.
    let list = list.strip_prefix("bm ").unwrap_or(list);
    match written_moves(list, position) {
        Ok(moves) if moves.is_empty() => Err("an operation names no move".to_owned()),
        Ok(moves) => Ok(moves),
        Err(word) => Err(format!("'{word}' is not a legal move here")),
    }
}

/// The number of moves of a mate that stands for the best move: `#3`, `M3`, `+M3` or `-M3`.
fn mate_of(value: &str) -> Option<String> {
    let value = value.trim();
    if let Some(moves) = value.strip_prefix('#') {
        return Some(moves.to_owned());
    }
    let (sign, moves) = value.split_once('M')?;
    let is_number = !moves.is_empty() && moves.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && matches!(sign, "" | "+" | "-")).then(|| format!("{sign}{moves}"))
}

/// Whether a comment lists moves with points: each of its parts is one word, `=` and a number.
fn has_points(comment: &str) -> bool {
    pairs_of(comment).all(|part| {
        part.rsplit_once('=').is_some_and(|(name, points)| {
            let points = points.trim();
            let is_number = !points.is_empty() && points.bytes().all(|b| b.is_ascii_digit());
            is_number && looks_like_a_move(name)
        })
    })
}

/// Moves with points, as in `f5=10, Be5+=2`. The points follow the last equals sign, since a
/// promotion has one too.
fn points(position: &VariantPosition, list: &str) -> Result<Vec<(Move, u32)>, String> {
    let pair = |pair: &str| {
        let error = || format!("'{pair}' is not a move with points");
        let (name, points) = pair.rsplit_once('=').ok_or_else(error)?;
        let points = points.trim().parse().map_err(|_| error())?;
        Ok((moves(position, name.trim())?[0], points))
    };
    pairs_of(list).map(pair).collect()
}

/// The parts of a list, behind the last of which a comma too many can stand.
fn pairs_of(list: &str) -> impl Iterator<Item = &str> {
    list.trim().trim_end_matches(',').split(',').map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &str = "k7/8/8/8/8/8/7R/K5R1 w - -";

    fn one(operations: &str) -> TestPosition {
        let suite = read(&format!("{FIELDS} {operations}"));
        let mut suite = suite.expect("a suite").positions;
        suite.pop().expect("of one position")
    }

    fn points_and_solved(test: &TestPosition, name: &str) -> (u32, bool) {
        let m = moves(&test.position, name).expect("a legal move")[0];
        (test.points_for(m), test.is_solved_by(m))
    }

    #[test]
    fn best_moves_solve_and_others_do_not() {
        let test = one("bm Rh8+ Rg8#; id \"two; ways\";");
        assert_eq!(test.id, "two; ways");
        assert_eq!(test.operations, "bm Rh8+ Rg8#");
        assert_eq!(points_and_solved(&test, "Rh8"), (1, true));
        assert_eq!(points_and_solved(&test, "g1g8"), (1, true));
        assert_eq!(points_and_solved(&test, "Rg1-g8#"), (1, true));
        assert_eq!(points_and_solved(&test, "Rh7"), (0, false));
    }

    #[test]
    fn a_line_may_have_a_number_and_two_moves_to_avoid() {
        for number in ["1. ", "001 ", " 12) "] {
            let suite = read(&format!("{number}{FIELDS} am Rh7; am Rg8#;")).expect(number);
            let test = &suite.positions[0];
            assert_eq!(test.operations, "am Rh7 am Rg8#");
            for name in ["Rh7", "Rg8"] {
                assert_eq!(points_and_solved(test, name), (0, false), "{name}");
            }
        }
    }

    #[test]
    fn marks_in_what_is_quoted_swallow_no_operation() {
        for text in ["a\" b", "unclosed; c1 none", "a\\\"b\\\"c"] {
            for end in ["\"", ""] {
                let test = one(&format!("bm Rh8+; c0 \"{text}{end}; am Rh7;"));
                assert_eq!(test.operations, "bm Rh8+ am Rh7", "{text}{end}");
            }
        }
        assert_eq!(one("id \"a;b\"; bm Rh8+").operations, "bm Rh8+");
    }

    #[test]
    fn any_move_that_is_not_to_be_avoided_solves() {
        let test = one("am Rh7; ");
        assert_eq!(test.id, "1");
        assert_eq!(points_and_solved(&test, "Rh7"), (0, false));
        assert_eq!(points_and_solved(&test, "Rh6"), (1, true));
    }

    #[test]
    fn points_are_those_of_the_suite() {
        let test = one("bm Rg7; c0 \"Rg7=10, Rh7+=4,\";");
        assert_eq!(test.max_points(), 10);
        assert_eq!(points_and_solved(&test, "Rg7"), (10, true));
        assert_eq!(points_and_solved(&test, "Rh7"), (4, false));
        assert_eq!(points_and_solved(&test, "Rh6"), (0, false));
    }

    #[test]
    fn a_comment_can_have_an_equals_sign_and_a_tab_can_follow_a_name() {
        let test = one("bm\tRg8#; c0 \"after e8=Q there is no other move\";");
        assert_eq!(test.operations, "bm Rg8#");
        assert_eq!(points_and_solved(&test, "Rg8"), (1, true));
    }

    #[test]
    fn a_mate_problem_is_solved_by_no_move_alone() {
        let test = one("dm 1; id \"mate\";");
        assert_eq!((test.mate, test.is_mate_problem()), (Some(1), true));
        assert_eq!(test.operations, "dm 1");
        assert_eq!(points_and_solved(&test, "Rg8"), (0, false));
        let test = one("bm bm Rg8#; ce +M1; pv Rg8#;");
        assert_eq!((test.mate, test.is_mate_problem()), (Some(1), false));
        assert_eq!(points_and_solved(&test, "Rg8"), (1, true));
        assert_eq!(one("bm Rg8#; ce 500;").mate, None);
        for operations in ["dm #3", "bm Rg8#; ce #3", "bm Rg8#; ce M3", "bm Rg8#; dm 3"] {
            let test = one(operations);
            assert_eq!((test.mate, test.is_mated), (Some(3), false), "{operations}");
        }
        let test = one("bm Rg8#; ce -M3;");
        assert_eq!((test.mate, test.is_mated), (Some(3), true));
    }

    #[test]
    fn the_forms_of_well_known_suites_are_read() {
        let line = "6k1/5ppp/8/8/8/8/8/R6K w - -";
        for operations in [
            "0 1 bm Ra8#; id \"a\";",
            "- bm Ra8#;",
            "; bm Ra8#;",
            "bm Ra8 +;",
            "bm Ra8 ++ !!;",
            "bm Ra8#!;",
            "bm a1a8;",
            "bm Rb1; bm Ra8#;",
            "bm Ra8#; c0 \"see http://x.test/t?id=5\";",
            "bm Ra8#; c0 \"time=5\";",
            "bm Ta8;",
            "BM Ra8#;",
            "bm Ra8#; c0 \"Re7=3\";",
        ] {
            let suite = read(&format!("{line} {operations}"))
                .expect(operations)
                .positions;
            assert_eq!(
                points_and_solved(&suite[0], "Ra8#"),
                (1, true),
                "{operations}"
            );
            assert_eq!(
                points_and_solved(&suite[0], "Rb1"),
                (0, false),
                "{operations}"
            );
        }
        for list in [
            "Ra8#, Rb1",
            "Ra8#,Rb1",
            "Ra8# Rb1",
            "Ra8 + Rb1 !",
            "Ra8# or Rb1",
            "Ra8 and Rb1",
        ] {
            let suite = read(&format!("{line} bm {list};")).expect(list).positions;
            assert_eq!(points_and_solved(&suite[0], "Rb1"), (1, true), "{list}");
            assert_eq!(points_and_solved(&suite[0], "Ra8"), (1, true), "{list}");
        }
        assert_eq!(
            read(&format!("{line}; bm Ra8#;"))
                .expect("a suite")
                .positions
                .len(),
            1
        );
        for castling in [
            "0-0", "O-O", "OO", "o-o", "О-О", "e1g1", "0-0!", "O - O", "0.0",
        ] {
            let line = format!("4k3/8/8/8/8/8/4P3/4K2R w K - bm {castling};");
            let suite = read(&line).expect(castling).positions;
            assert_eq!(points_and_solved(&suite[0], "O-O"), (1, true), "{castling}");
        }
    }

    #[test]
    fn mates_can_be_best_moves_and_negative() {
        for (operations, mate) in [
            ("bm #1;", (Some(1), false)),
            ("bm #-1;", (Some(1), true)),
            ("bm M1;", (Some(1), false)),
            ("bm -M2;", (Some(2), true)),
            ("dm -15;", (Some(15), true)),
            ("dm 3;", (Some(3), false)),
        ] {
            let test = one(operations);
            assert_eq!((test.mate, test.is_mated), mate, "{operations}");
            assert!(test.is_mate_problem());
        }
    }

    #[test]
    fn what_is_left_out_of_a_position_is_told() {
        for (fields, castling_right, en_passant_square) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w KQkq -",
                true,
                false,
            ),
            ("4k3/8/8/8/8/8/8/4K2R b K e3", false, true),
            ("4k3/8/8/8/8/8/8/4K3 w K e6", true, true),
            ("4k3/8/8/8/8/8/8/4K2R w K -", false, false),
        ] {
            let suite = read(&format!("\n{fields} dm 3;"))
                .expect("a suite")
                .positions;
            let expected = LeftOut {
                castling_right,
                en_passant_square,
            };
            assert_eq!(
                (suite[0].line, suite[0].left_out),
                (2, expected),
                "{fields}"
            );
        }
    }

    #[test]
    fn a_position_of_chess960_keeps_its_castling_rights() {
        let line = "4k3/8/8/8/8/8/4P3/1R2K1R1 w GB - bm O-O;";
        let test = read(line).expect("a suite").positions.swap_remove(0);
        assert_eq!(test.left_out, LeftOut::default());
        assert_eq!(points_and_solved(&test, "O-O"), (1, true));
    }

    #[test]
    fn lines_can_end_as_on_windows() {
        let line = "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"a\";";
        let suite = read(&format!("{line}\r\n\r\n# no position\r\n{line}\r\n"))
            .expect("a suite")
            .positions;
        assert_eq!(suite.len(), 2);
        assert_eq!(suite[1].id, "a");
    }

    #[test]
    fn an_error_names_its_line() {
        let error = |text: &str| read(text).expect_err("a bad suite").to_string();
        assert!(error("# words\n\nno position").starts_with("line 3: "));
        assert_eq!(
            error(&format!("{FIELDS} bm Rxh9;")),
            "line 1: 'Rxh9' is not a legal move here"
        );
        assert!(error(&format!("{FIELDS} c0 \"Rh7=many\";")).contains("Rh7=many"));
        assert!(error(&format!("{FIELDS} dm soon;")).contains("soon"));
        assert!(error(&format!("{FIELDS} dm 0;")).contains("not a number of moves"));
        assert!(error(&format!("{FIELDS} bm ;")).contains("names no move"));
        assert!(error(&format!("{FIELDS} id \"nameless\";")).contains("no solution"));
    }

    #[test]
    fn lines_without_a_solution_are_skipped_with_a_word() {
        let text =
            format!("startpos\n{FIELDS} bm Rg8;\n{FIELDS} id \"nameless\";\n{FIELDS} am Rxh9;");
        let suite = read(&text).expect("a suite");
        assert_eq!(suite.positions.len(), 1);
        let skipped: Vec<String> = suite.skipped.iter().map(SuiteError::to_string).collect();
        assert_eq!(skipped.len(), 3);
        assert!(skipped[1].starts_with("line 3: no solution"), "{skipped:?}");
        assert_eq!(skipped[2], "line 4: 'Rxh9' is not a legal move here");
    }
}
