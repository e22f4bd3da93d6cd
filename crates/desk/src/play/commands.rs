//! What a person can type: a move, or a command such as `undo`.
//!
//! A line is read into a [`Command`] here, and nothing else looks at its text. A word that is neither a move nor a
//! command is answered with the command that is meant, if one is near.

use std::path::PathBuf;

use shakmaty::{Chess, Move};

use super::slips;

/// A line that a person typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Play a move.
    Move(Move),
    /// Nothing that can be done; why, in words.
    Slip(String),
    /// Take back the last move.
    Undo,
    /// Suggest a move.
    Hint,
    /// Explain the evaluation.
    Why,
    /// Turn the board round.
    Flip,
    /// Offer a draw, or accept it.
    Draw,
    /// Give up.
    Resign,
    /// Save the game so far.
    Save(PathBuf),
    /// Show the board again.
    Board,
    /// Show the moves of the game.
    Moves,
    /// Show the position as a FEN.
    Fen,
    /// Show the commands.
    Help,
    /// Leave the game unfinished.
    Quit,
    /// Nothing was typed.
    Nothing,
}

/// The commands, with what follows them and what they do, in the order of the help.
const COMMANDS: [(&str, &str, &str); 12] = [
    ("undo", "", "take your last move back"),
    ("hint", "", "suggest a move"),
    ("why", "", "explain the evaluation"),
    ("flip", "", "turn the board round"),
    ("board", "", "show the board again"),
    ("moves", "", "show the moves so far"),
    ("fen", "", "show the position as a FEN"),
    ("save", " FILE", "save the game so far"),
    ("draw", "", "offer a draw, or accept one"),
    ("resign", "", "give the game up"),
    ("quit", "", "leave the game unfinished"),
    ("help", "", "show this"),
];

/// Words that mean the same as a command.
const SYNONYMS: [(&str, &str); 9] = [
    ("?", "help"),
    ("takeback", "undo"),
    ("back", "undo"),
    ("exit", "quit"),
    ("bye", "quit"),
    ("explain", "why"),
    ("eval", "why"),
    ("turn", "flip"),
    ("d", "board"),
];

/// A word is taken for a misspelt command if at most this many letters are wrong.
const MAX_MISSPELT_LETTERS: usize = 2;

/// A longer word, in bytes, is no misspelt command.
const MAX_WORD: usize = 12;

impl Command {
    /// Reads a line.
    pub fn parse(line: &str, position: &Chess) -> Command {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let lower = word.to_lowercase();
        let synonym = SYNONYMS.iter().find(|(other, _)| *other == lower);
        let name = synonym.map_or(lower.as_str(), |(_, name)| *name);
        let command = match name {
            "" => Command::Nothing,
            "board" => Command::Board,
            "undo" => Command::Undo,
            "hint" => Command::Hint,
            "why" => Command::Why,
            "flip" => Command::Flip,
            "draw" => Command::Draw,
            "resign" => Command::Resign,
            "moves" => Command::Moves,
            "fen" => Command::Fen,
            "help" => Command::Help,
            "quit" => Command::Quit,
            "save" if rest.is_empty() => {
                return Command::Slip("save needs the name of a file: save game.pgn".to_owned());
            }
            "save" => return Command::Save(PathBuf::from(rest)),
            _ => return move_or_slip(line, position),
        };
        if rest.is_empty() {
            command
        } else {
            Command::Slip(format!("{name} stands alone, without '{rest}'"))
        }
    }
}

/// The path so far of a line that begins like `save FILE`: all of the line after the command. `None` of any other line.
pub fn path_to_save(typed: &str) -> Option<&str> {
    let (word, rest) = typed.trim_start().split_once(char::is_whitespace)?;
    word.eq_ignore_ascii_case("save").then(|| rest.trim_start())
}

fn move_or_slip(line: &str, position: &Chess) -> Command {
    match slips::read_move(line, position) {
        Some(Ok(m)) => Command::Move(m),
        Some(Err(slip)) => Command::Slip(slip),
        None => Command::Slip(match nearest_command(line) {
            Some(command) => format!("did you mean {command}?"),
            None => "that is neither a move, such as Nf3 or g1f3, nor a command; help shows them"
                .to_owned(),
        }),
    }
}

/// The names of the commands.
fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(name, ..)| *name)
}

/// The command that a misspelt word may mean.
fn nearest_command(line: &str) -> Option<&'static str> {
    let word = line.split_whitespace().next()?.to_lowercase();
    if word.len() > MAX_WORD {
        return None;
    }
    let with_distance = names().map(|name| (edit_distance(&word, name), name));
    let (distance, name) = with_distance.min_by_key(|(distance, _)| *distance)?;
    // Of a short word too much would be wrong.
    let is_near = distance <= MAX_MISSPELT_LETTERS && distance * 2 <= name.len();
    is_near.then_some(name)
}

/// The number of letters to insert, delete, replace or swap with their neighbor to make one word of another
/// (Damerau and Levenshtein).
fn edit_distance(one: &str, other: &str) -> usize {
    let [one, other] = [one, other].map(|word| word.chars().collect::<Vec<char>>());
    let mut rows = vec![(0..=other.len()).collect::<Vec<usize>>()];
    for (i, letter) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, other_letter) in other.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(letter != other_letter);
            let mut distance = replaced.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *letter == other[j - 1] && one[i - 1] == *other_letter {
                distance = distance.min(rows[i - 1][j - 1] + 1);
            }
            row.push(distance);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

/// The moves that Tab completes.
#[derive(Clone, Debug, Default)]
pub struct LegalMoves {
    /// In SAN.
    pub san: Vec<String>,
    /// In the notation of UCI, which is completed once the square is typed from which the piece comes.
    pub uci: Vec<String>,
}

/// The moves and commands that begin with a text, whatever the case of its letters.
pub fn completions(typed: &str, moves: &LegalMoves) -> Vec<String> {
    let typed = typed.trim_start().to_lowercase();
    let commands = names().filter(|_| !typed.is_empty()).map(str::to_owned);
    let uci = moves.uci.iter().filter(|_| typed.len() >= 2).cloned();
    let words = moves.san.iter().cloned().chain(uci).chain(commands);
    words
        .filter(|word| word.to_lowercase().starts_with(&typed))
        .collect()
}

/// The help: how moves are typed, and the commands.
pub fn help() -> Vec<String> {
    let mut lines = vec!["Moves: Nf3, nf3, g1f3, e8=Q, O-O or 0-0; Tab completes them.".to_owned()];
    let commands: Vec<String> = COMMANDS
        .iter()
        .map(|(name, argument, what)| format!("{:<9}  {what}", format!("{name}{argument}")))
        .collect();
    // Two columns, read downwards.
    let half = commands.len().div_ceil(2);
    let (left, right) = commands.split_at(half);
    for (index, line) in left.iter().enumerate() {
        let beside = right.get(index).map_or("", String::as_str);
        lines.push(format!("{line:<38}{beside}").trim_end().to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        Command::parse(line, &Chess::default())
    }

    fn slip(line: &str) -> String {
        match parse(line) {
            Command::Slip(slip) => slip,
            other => panic!("{line:?} is {other:?}"),
        }
    }

    #[test]
    fn every_command_of_the_help_is_understood() {
        for name in names().filter(|name| *name != "save") {
            assert!(
                !matches!(parse(name), Command::Slip(_) | Command::Move(_)),
                "{name}"
            );
            assert!(help().iter().any(|line| line.contains(name)), "{name}");
        }
        for (synonym, name) in SYNONYMS {
            assert_eq!(parse(synonym), parse(name), "{synonym}");
        }
    }

    #[test]
    fn commands_may_be_written_in_capitals_and_between_spaces() {
        assert_eq!(parse("  Undo \r\n"), Command::Undo);
        assert_eq!(
            parse("save  my game.pgn\n"),
            Command::Save("my game.pgn".into())
        );
        assert_eq!(parse("\n"), Command::Nothing);
    }

    #[test]
    fn anything_else_is_a_move_or_a_slip() {
        assert!(matches!(parse("nf3"), Command::Move(_)));
        assert!(slip("Nf4").contains("not possible"));
        assert!(slip("save").contains("name of a file"));
        assert!(slip("undo 3").contains("undo stands alone"));
        assert_eq!(slip("udno"), "did you mean undo?");
        assert_eq!(slip("resing"), "did you mean resign?");
        assert_eq!(slip("hlep"), "did you mean help?");
        assert!(slip("castle").contains("neither a move"));
        assert!(slip("\u{265e}").contains("neither a move"));
    }

    #[test]
    fn completions_are_the_moves_and_commands_with_that_beginning() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let moves = LegalMoves {
            san: words(&["Nc3", "Nf3", "e4", "h3"]),
            uci: words(&["b1c3", "g1f3", "e2e4", "h2h3"]),
        };
        assert_eq!(completions("n", &moves), ["Nc3", "Nf3"]);
        assert_eq!(completions("h", &moves), ["h3", "hint", "help"]);
        assert_eq!(completions("re", &moves), ["resign"]);
        assert_eq!(completions("E2", &moves), ["e2e4"]);
        assert_eq!(completions("", &moves), moves.san);
        assert_eq!(completions("x", &moves), [""; 0]);
    }

    #[test]
    fn the_distance_of_words_counts_wrong_letters() {
        for (one, other, distance) in [
            ("undo", "undo", 0),
            ("udno", "undo", 1),
            ("und", "undo", 1),
            ("", "undo", 4),
            ("hintt", "hint", 1),
        ] {
            assert_eq!(edit_distance(one, other), distance, "{one} {other}");
        }
    }
}
