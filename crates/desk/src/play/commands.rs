//! What a person can type: a move, or a command such as `undo`.
//!
//! A line is read into a [`Command`] here, and nothing else looks at its text, except for the move
//! in it, which is read when it is the person's turn. A word that is neither a move nor a command
//! is answered with the command that is meant, if one is near.

use std::env;
use std::path::PathBuf;

use crate::notation;

/// A line that a person typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Play a move, which is given as it was typed. It may be impossible.
    Move(String),
    /// Nothing that can be done; why, in words.
    Slip(String),
    Undo,
    Hint,
    Why,
    Now,
    /// Show or hide the evaluation; `None` changes it.
    Evaluation(Option<bool>),
    Flip,
    Draw,
    Resign,
    Rematch,
    Save(PathBuf),
    Board,
    Moves,
    Fen,
    Help,
    Quit,
    Yes,
    No,
    Nothing,
    Interrupt,
    /// The end of the input, in a terminal Ctrl-D.
    EndOfInput,
}

/// The commands, with what follows them and what they do, in the order of the help.
const COMMANDS: [(&str, &str, &str, Command); 15] = [
    ("undo", "", "take your last move back", Command::Undo),
    ("hint", "", "suggest a move", Command::Hint),
    ("why", "", "explain the evaluation", Command::Why),
    ("now", "", "let the engine move now", Command::Now),
    (
        "eval",
        " on|off",
        "show or hide its score",
        Command::Evaluation(None),
    ),
    ("flip", "", "turn the board round", Command::Flip),
    ("board", "", "show the board again", Command::Board),
    ("moves", "", "show the moves so far", Command::Moves),
    ("fen", "", "show the position as a FEN", Command::Fen),
    (
        "save",
        " FILE",
        "save the game so far",
        Command::Save(PathBuf::new()),
    ),
    ("draw", "", "offer or accept a draw", Command::Draw),
    ("resign", "", "give the game up", Command::Resign),
    ("rematch", "", "play again, after the end", Command::Rematch),
    ("quit", "", "leave the game unfinished", Command::Quit),
    ("help", "", "show this", Command::Help),
];

/// Words that mean the same as a command.
const SYNONYMS: [(&str, &str); 10] = [
    ("?", "help"),
    ("takeback", "undo"),
    ("back", "undo"),
    ("exit", "quit"),
    ("bye", "quit"),
    ("explain", "why"),
    ("go", "now"),
    ("again", "rematch"),
    ("turn", "flip"),
    ("d", "board"),
];

/// The question behind the command to resign.
pub const WHETHER_TO_RESIGN: &str = "Resign? yes resigns, no plays on.";

/// What is said of the other side's offer.
pub const DRAW_IS_OFFERED: &str = "A draw is offered: draw accepts it, a move declines it.";

/// A word is taken for a misspelt command if at most this many letters are wrong.
const MAX_MISSPELT_LETTERS: usize = 2;

/// A longer word, in bytes, is no misspelt command.
const MAX_WORD: usize = 12;

impl Command {
    pub fn parse(line: &str) -> Command {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let lower = word.to_lowercase();
        let synonym = SYNONYMS.iter().find(|(other, _)| *other == lower);
        let name = synonym.map_or(lower.as_str(), |(_, name)| *name);
        let command = match name {
            "" => Command::Nothing,
            "yes" | "y" => Command::Yes,
            "no" | "n" => Command::No,
            "eval" => match rest.to_lowercase().as_str() {
                "" => return Command::Evaluation(None),
                "on" => return Command::Evaluation(Some(true)),
                "off" => return Command::Evaluation(Some(false)),
                _ => return Command::Slip("it is eval on or eval off".to_owned()),
            },
            "save" if without_quotes(rest).is_empty() => {
                return Command::Slip("save needs the name of a file: save game.pgn".to_owned());
            }
            "save" => return Command::Save(from_home(without_quotes(rest))),
            _ => match COMMANDS.into_iter().find(|(known, ..)| *known == name) {
                Some((.., command)) => command,
                None => return move_or_slip(line),
            },
        };
        if rest.is_empty() {
            command
        } else if notation::looks_like_a_move(line) {
            // In `N f3` the letter is the knight.
            Command::Move(line.to_owned())
        } else {
            Command::Slip(format!("{name} takes nothing after it: leave out '{rest}'"))
        }
    }
}

/// A path without the quotation marks that a shell would take off.
fn without_quotes(path: &str) -> &str {
    let inner = |mark| path.strip_prefix(mark)?.strip_suffix(mark);
    inner('"').or_else(|| inner('\'')).unwrap_or(path)
}

/// A path that may begin with `~/`, the person's own folder, as a shell knows it.
pub fn from_home(path: &str) -> PathBuf {
    let inside = path.strip_prefix("~/").zip(env::home_dir());
    inside.map_or_else(|| path.into(), |(inside, home)| home.join(inside))
}

/// The path so far of a line that begins like `save FILE`: all of the line after the command.
/// `None` of any other line.
pub fn path_to_save(typed: &str) -> Option<&str> {
    let (word, rest) = typed.trim_start().split_once(char::is_whitespace)?;
    word.eq_ignore_ascii_case("save").then(|| rest.trim_start())
}

fn move_or_slip(line: &str) -> Command {
    if notation::looks_like_a_move(line) {
        return Command::Move(line.to_owned());
    }
    Command::Slip(match nearest_command(line) {
        Some(command) => format!("did you mean {command}?"),
        None => {
            "that is neither a move, such as Nf3 or g1f3, nor a command; help shows them".to_owned()
        }
    })
}

/// The names of the commands.
fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.into_iter().map(|(name, ..)| name)
}

/// The command that a misspelt word may mean.
fn nearest_command(line: &str) -> Option<&'static str> {
    let word = line.split_whitespace().next()?.to_lowercase();
    if word.len() > MAX_WORD {
        return None;
    }
    let with_distance = names().map(|name| (strsim::osa_distance(&word, name), name));
    let (distance, name) = with_distance.min_by_key(|(distance, _)| *distance)?;
    // Of a short word too much would be wrong.
    let is_near = distance <= MAX_MISSPELT_LETTERS && distance * 2 <= name.len();
    is_near.then_some(name)
}

/// The moves that Tab completes.
#[derive(Clone, Debug, Default)]
pub struct LegalMoves {
    pub san: Vec<String>,
    /// In the notation of UCI, which is completed once the square is typed from which the piece
    /// comes.
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
        .map(|(name, argument, what, _)| format!("{:<11}  {what}", format!("{name}{argument}")))
        .collect();
    // Two columns, read downwards.
    let half = commands.len().div_ceil(2);
    let (left, right) = commands.split_at(half);
    for (index, line) in left.iter().enumerate() {
        let beside = right.get(index).map_or("", String::as_str);
        lines.push(format!("{line:<40}{beside}").trim_end().to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        Command::parse(line)
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
        for quoted in ["\"my game.pgn\"", "'my game.pgn'"] {
            let saved = parse(&format!("save {quoted}"));
            assert_eq!(saved, Command::Save("my game.pgn".into()));
        }
        if let Some(home) = env::home_dir() {
            let in_home = Command::Save(home.join("my game.pgn"));
            assert_eq!(parse("save ~/my game.pgn"), in_home);
        }
        assert_eq!(parse("save ~x/y"), Command::Save("~x/y".into()));
        assert_eq!(parse("\n"), Command::Nothing);
    }

    #[test]
    fn anything_else_is_a_move_or_a_slip() {
        assert_eq!(parse(" nf3 "), Command::Move("nf3".to_owned()));
        assert_eq!(parse("N f3"), Command::Move("N f3".to_owned()));
        assert_eq!(parse("Nf4"), Command::Move("Nf4".to_owned()));
        for nameless in ["save", "save \"\"", "save ''"] {
            assert!(slip(nameless).contains("name of a file"), "{nameless}");
        }
        assert!(slip("undo 3").contains("undo takes nothing after it"));
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
        assert_eq!(completions("n", &moves), ["Nc3", "Nf3", "now"]);
        assert_eq!(completions("h", &moves), ["h3", "hint", "help"]);
        assert_eq!(completions("re", &moves), ["resign", "rematch"]);
        assert_eq!(completions("E2", &moves), ["e2e4"]);
        assert_eq!(completions("", &moves), moves.san);
        assert_eq!(completions("x", &moves), [""; 0]);
    }

    #[test]
    fn the_evaluation_is_switched_on_and_off() {
        assert_eq!(parse("eval"), Command::Evaluation(None));
        assert_eq!(parse("eval ON"), Command::Evaluation(Some(true)));
        assert_eq!(parse("eval off"), Command::Evaluation(Some(false)));
        assert!(slip("eval maybe").contains("eval on"));
    }

    #[test]
    fn the_help_fits_a_screen_of_80_columns() {
        assert!(help().iter().all(|line| line.len() < 80), "{:?}", help());
    }
}
