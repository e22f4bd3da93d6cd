//! Test suites in EPD: positions with the moves that solve them.
//!
//! A line of EPD is a position of four fields, followed by operations that end with semicolons.
//! This module reads `bm` (best move: the moves that solve the position), `am` (avoid move: those
//! that don't), `id` (its name), points for several moves in `c0` (comment), as in
//! `c0 "f5=10, Be5+=2"`, the form of the Strategic Test Suite, and the mate of a mate problem:
//! `dm 3` (direct mate in three moves) or `ce +M3` (evaluation). Other operations are ignored.

use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move};

use squarewise_engine::position::{epd_lines, from_epd};

/// A position of a test suite, and the moves that solve it.
#[derive(Clone, Debug)]
pub struct TestPosition {
    /// Its `id`, or its line number if it has none.
    pub id: String,
    /// The position.
    pub position: Chess,
    /// The operations that say what solves it, as they stand in the file.
    pub operations: String,
    /// The full moves in which the side to move can force mate, if the suite says so.
    pub mate: Option<u32>,
    best_moves: Vec<Move>,
    avoid_moves: Vec<Move>,
    points: Vec<(Move, u32)>,
}

/// The error of a test suite that can't be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
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

/// Reads a test suite. Empty lines and lines that begin with `#` are skipped.
///
/// # Errors
///
/// [`SuiteError`] names the line and what is wrong with it: no legal position, an illegal move, or
/// no operation that says what solves the position.
pub fn read(text: &str) -> Result<Vec<TestPosition>, SuiteError> {
    epd_lines(text)
        .map(|(line, test)| test_position(test, line).map_err(|reason| SuiteError { line, reason }))
        .collect()
}

fn test_position(line: &str, number: usize) -> Result<TestPosition, String> {
    let (position, operations) = from_epd(line).map_err(|error| error.to_string())?;
    let mut test = TestPosition {
        id: number.to_string(),
        position,
        operations: String::new(),
        mate: None,
        best_moves: Vec::new(),
        avoid_moves: Vec::new(),
        points: Vec::new(),
    };
    let mut comment = "";
    for operation in operations_of(operations) {
        let words = operation.split_once(char::is_whitespace);
        let (name, value) = words.unwrap_or((operation, ""));
        let value = value.trim().trim_matches('"');
        match name {
            "id" => test.id = value.to_owned(),
            "bm" => test.best_moves = moves(&test.position, value)?,
            "am" => test.avoid_moves = moves(&test.position, value)?,
            "dm" => test.mate = Some(mate(value)?),
            "ce" => match value.strip_prefix("+M") {
                Some(moves) => test.mate = Some(mate(moves)?),
                None => continue,
            },
            "c0" if has_points(value) => test.points = points(&test.position, value)?,
            "c0" => {
                comment = value;
                continue;
            }
            _ => continue,
        }
        if name != "id" {
            let operations = [test.operations.as_str(), name, value];
            test.operations = operations.join(" ").trim().to_owned();
        }
    }
    if test.is_mate_problem() && test.mate.is_none() {
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

/// The operations of a line: a semicolon in quotes does not end one.
fn operations_of(text: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    let operations = text.split(move |c: char| {
        is_quoted ^= c == '"';
        c == ';' && !is_quoted
    });
    operations
        .map(str::trim)
        .filter(|operation| !operation.is_empty())
}

fn mate(moves: &str) -> Result<u32, String> {
    let error = || format!("'{moves}' is not a number of moves");
    moves.parse().map_err(|_| error())
}

fn moves(position: &Chess, list: &str) -> Result<Vec<Move>, String> {
    // Some files have the name of an operation twice.
    let names = list.split_whitespace().filter(|name| *name != "bm");
    names.map(|name| parse_move(position, name)).collect()
}

/// Whether a comment lists moves with points: each of its parts ends in `=` and a number.
fn has_points(comment: &str) -> bool {
    comment.split(',').all(|part| {
        let points = part.rsplit_once('=').map(|(_, points)| points.trim());
        points
            .is_some_and(|points| !points.is_empty() && points.bytes().all(|b| b.is_ascii_digit()))
    })
}

/// Moves with points, as in `f5=10, Be5+=2`. The points follow the last equals sign, since a
/// promotion has one too.
fn points(position: &Chess, list: &str) -> Result<Vec<(Move, u32)>, String> {
    let pairs = list.split(',').map(str::trim);
    let pair = |pair: &str| {
        let error = || format!("'{pair}' is not a move with points");
        let (name, points) = pair.rsplit_once('=').ok_or_else(error)?;
        let points = points.trim().parse().map_err(|_| error())?;
        Ok((parse_move(position, name.trim())?, points))
    };
    pairs.map(pair).collect()
}

/// A legal move in standard algebraic notation, also in its long form (`Qd8-f6`), or in UCI
/// notation.
fn parse_move(position: &Chess, name: &str) -> Result<Move, String> {
    let by_san = |name: &str| {
        let san: SanPlus = name.parse().ok()?;
        san.san.to_move(position).ok()
    };
    let by_uci = |name: &str| {
        let uci: UciMove = name.trim_end_matches(['+', '#']).parse().ok()?;
        uci.to_move(position).ok()
    };
    let without_hyphen = name.replace('-', "");
    by_san(name)
        .or_else(|| by_san(&without_hyphen))
        .or_else(|| by_uci(&without_hyphen))
        .ok_or_else(|| format!("'{name}' is not a legal move here"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &str = "k7/8/8/8/8/8/7R/K5R1 w - -";

    fn one(operations: &str) -> TestPosition {
        let mut suite = read(&format!("{FIELDS} {operations}")).expect("a suite");
        suite.pop().expect("of one position")
    }

    fn points_and_solved(test: &TestPosition, name: &str) -> (u32, bool) {
        let m = parse_move(&test.position, name).expect("a legal move");
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
    fn any_move_that_is_not_to_be_avoided_solves() {
        let test = one("am Rh7; ");
        assert_eq!(test.id, "1");
        assert_eq!(points_and_solved(&test, "Rh7"), (0, false));
        assert_eq!(points_and_solved(&test, "Rh6"), (1, true));
    }

    #[test]
    fn points_are_those_of_the_suite() {
        let test = one("bm Rg7; c0 \"Rg7=10, Rh7+=4\";");
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
    }

    #[test]
    fn lines_can_end_as_on_windows() {
        let line = "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"a\";";
        let suite = read(&format!("{line}\r\n\r\n# no position\r\n{line}\r\n")).expect("a suite");
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
        assert!(error(&format!("{FIELDS} id \"nameless\";")).contains("no solution"));
    }
}
