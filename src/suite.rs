//! Test suites: positions with the moves that solve them, as EPD files hold them.
//!
//! An EPD line is a position of four fields and operations that end with semicolons. Of these `bm` names the
//! moves that solve the position, `am` those that don't, `id` its name, and `c0` may give points to several
//! moves, as in `c0 "f5=10, Be5+=2"`. All others are passed over.

use shakmaty::fen::Epd;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move};

/// A position to be solved.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// Its name; its number in the file if it has none.
    pub id: String,
    /// The position.
    pub position: Chess,
    /// What solves it, in the words of the file.
    pub wanted: String,
    best: Vec<Move>,
    avoided: Vec<Move>,
    points: Vec<(Move, u32)>,
}

/// What is wrong with a suite.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct SuiteError {
    /// The number of the line, from 1.
    line: usize,
    reason: String,
}

impl Puzzle {
    /// What playing a move is worth: the points that the suite gives it, else one for a solution.
    pub fn points_for(&self, m: Move) -> u32 {
        let given = self.points.iter().find(|(other, _)| *other == m);
        match given {
            Some((_, points)) => *points,
            None if !self.points.is_empty() => 0,
            None => u32::from(self.is_solved_by(m)),
        }
    }

    /// The most points that the position can bring.
    pub fn most_points(&self) -> u32 {
        let given = self.points.iter().map(|(_, points)| *points);
        given.max().unwrap_or(1)
    }

    /// Whether a move is the best, or at least not one to be avoided.
    pub fn is_solved_by(&self, m: Move) -> bool {
        if self.best.is_empty() && self.avoided.is_empty() {
            return self.points_for(m) == self.most_points();
        }
        (self.best.is_empty() || self.best.contains(&m)) && !self.avoided.contains(&m)
    }
}

/// Reads a suite. Empty lines and lines that begin with `#` are passed over.
///
/// # Errors
///
/// [`SuiteError`] names the line and what is wrong with it: no position, no legal move where one is named, or
/// nothing to solve.
pub fn read(text: &str) -> Result<Vec<Puzzle>, SuiteError> {
    let lines = text.lines().enumerate();
    let puzzles = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    puzzles
        .map(|(number, line)| {
            let line_number = number + 1;
            puzzle(line, line_number).map_err(|reason| SuiteError {
                line: line_number,
                reason,
            })
        })
        .collect()
}

fn puzzle(line: &str, number: usize) -> Result<Puzzle, String> {
    let (fields, operations) = split_fields(line);
    let epd: Epd = fields.parse().map_err(|error| format!("{error}"))?;
    let mode = CastlingMode::Standard;
    let position: Chess = epd.into_position(mode).map_err(|error| error.to_string())?;
    let mut puzzle = Puzzle {
        id: number.to_string(),
        position,
        wanted: String::new(),
        best: Vec::new(),
        avoided: Vec::new(),
        points: Vec::new(),
    };
    for operation in operations_of(operations) {
        let (name, value) = operation.split_once(' ').unwrap_or((operation, ""));
        let value = value.trim().trim_matches('"');
        match name {
            "id" => puzzle.id = value.to_owned(),
            "bm" => puzzle.best = moves(&puzzle.position, value)?,
            "am" => puzzle.avoided = moves(&puzzle.position, value)?,
            "c0" if value.contains('=') => puzzle.points = points(&puzzle.position, value)?,
            _ => continue,
        }
        if name != "id" {
            let words = [puzzle.wanted.as_str(), name, value];
            puzzle.wanted = words.join(" ").trim().to_owned();
        }
    }
    if puzzle.best.is_empty() && puzzle.avoided.is_empty() && puzzle.points.is_empty() {
        return Err("there is nothing to solve: neither bm, am nor points in c0".to_owned());
    }
    Ok(puzzle)
}

/// The four fields of the position, and the rest.
fn split_fields(line: &str) -> (&str, &str) {
    let mut ends = line.match_indices(' ').map(|(index, _)| index);
    match ends.nth(3) {
        Some(end) => line.split_at(end),
        None => (line, ""),
    }
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

fn moves(position: &Chess, words: &str) -> Result<Vec<Move>, String> {
    let words = words.split_whitespace();
    words.map(|word| named_move(position, word)).collect()
}

/// Moves with points, as in `f5=10, Be5+=2`; the points are behind the last equals sign, for promotions have
/// one of their own.
fn points(position: &Chess, words: &str) -> Result<Vec<(Move, u32)>, String> {
    let pairs = words.split(',').map(str::trim);
    let pair = |pair: &str| {
        let refused = || format!("'{pair}' is no move with points");
        let (word, points) = pair.rsplit_once('=').ok_or_else(refused)?;
        let points = points.trim().parse().map_err(|_| refused())?;
        Ok((named_move(position, word.trim())?, points))
    };
    pairs.map(pair).collect()
}

/// A legal move in algebraic notation, short or long, or in UCI's.
fn named_move(position: &Chess, word: &str) -> Result<Move, String> {
    let by_san = word
        .parse::<SanPlus>()
        .ok()
        .and_then(|san| san.san.to_move(position).ok());
    let by_uci = || {
        let uci: UciMove = word.parse().ok()?;
        uci.to_move(position).ok()
    };
    by_san
        .or_else(by_uci)
        .ok_or_else(|| format!("'{word}' is no legal move here"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &str = "k7/8/8/8/8/8/7R/K5R1 w - -";

    fn one(operations: &str) -> Puzzle {
        let mut puzzles = read(&format!("{FIELDS} {operations}")).expect("a suite");
        puzzles.pop().expect("of one position")
    }

    fn worth(puzzle: &Puzzle, word: &str) -> (u32, bool) {
        let m = named_move(&puzzle.position, word).expect("a legal move");
        (puzzle.points_for(m), puzzle.is_solved_by(m))
    }

    #[test]
    fn best_moves_solve_and_others_do_not() {
        let puzzle = one("bm Rh8+ Rg8#; id \"two; ways\";");
        assert_eq!(puzzle.id, "two; ways");
        assert_eq!(puzzle.wanted, "bm Rh8+ Rg8#");
        assert_eq!(worth(&puzzle, "Rh8"), (1, true));
        assert_eq!(worth(&puzzle, "g1g8"), (1, true));
        assert_eq!(worth(&puzzle, "Rh7"), (0, false));
    }

    #[test]
    fn any_move_solves_that_is_not_to_be_avoided() {
        let puzzle = one("am Rh7; ");
        assert_eq!(puzzle.id, "1");
        assert_eq!(worth(&puzzle, "Rh7"), (0, false));
        assert_eq!(worth(&puzzle, "Rh6"), (1, true));
    }

    #[test]
    fn points_are_given_as_the_suite_says() {
        let puzzle = one("bm Rg7; c0 \"Rg7=10, Rh7+=4\";");
        assert_eq!(puzzle.most_points(), 10);
        assert_eq!(worth(&puzzle, "Rg7"), (10, true));
        assert_eq!(worth(&puzzle, "Rh7"), (4, false));
        assert_eq!(worth(&puzzle, "Rh6"), (0, false));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let error = |text: &str| read(text).expect_err("a bad suite").to_string();
        assert!(error("# words\n\nno position").starts_with("line 3: "));
        assert_eq!(
            error(&format!("{FIELDS} bm Rxh9;")),
            "line 1: 'Rxh9' is no legal move here"
        );
        assert!(error(&format!("{FIELDS} c0 \"Rh7=many\";")).contains("Rh7=many"));
        assert!(error(&format!("{FIELDS} id \"nothing\";")).contains("nothing to solve"));
    }
}
