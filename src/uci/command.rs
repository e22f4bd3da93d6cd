//! From text to [`Command`]: the door through which words come in.
//!
//! Parsing is pure: it knows neither the position nor the state of the engine. Unknown tokens are skipped
//! and what remains of the line is still understood, as the protocol asks; a value that is missing or no
//! value at all is an error that names the word.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;

use super::command_error::CommandError;
use super::go::Go;

/// What the other side asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Introduce yourself and your options.
    Uci,
    /// Tell more, or less.
    Debug(bool),
    /// Answer when everything before this is done.
    IsReady,
    /// Change an option.
    SetOption {
        /// Its name, words joined by single spaces.
        name: String,
        /// Its value, verbatim.
        value: Option<String>,
    },
    /// What follows belongs to another game.
    NewGame,
    /// Take up a position.
    Position {
        /// Where the moves begin.
        start: Start,
        /// The moves, which may turn out illegal.
        moves: Vec<UciMove>,
    },
    /// Think.
    Go(Box<Go>),
    /// Count the lines of so many plies.
    Perft(u32),
    /// Run the benchmark.
    Bench,
    /// Stop thinking and answer.
    Stop,
    /// The opponent played the move that was pondered on.
    PonderHit,
    /// Show the position.
    Display,
    /// Take the evaluation apart.
    Evaluate,
    /// List the commands.
    Help,
    /// Leave.
    Quit,
}

impl Command {
    /// Whether a search or another job that runs is ended first, answer included.
    pub fn ends_job(&self) -> bool {
        match self {
            Command::SetOption { .. }
            | Command::NewGame
            | Command::Position { .. }
            | Command::Go(_)
            | Command::Perft(_)
            | Command::Bench
            | Command::Stop
            | Command::Quit => true,
            Command::Uci
            | Command::Debug(_)
            | Command::IsReady
            | Command::PonderHit
            | Command::Display
            | Command::Evaluate
            | Command::Help => false,
        }
    }
}

/// Where the moves of a `position` command begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The start position of chess.
    Standard,
    /// A position that may turn out illegal.
    Fen(Fen),
}

/// Reads one line.
///
/// # Errors
///
/// [`CommandError`] says what is wrong with it.
pub fn parse(line: &str) -> Result<Command, CommandError> {
    let tokens: Vec<&str> = line.split_whitespace().collect();
    // The protocol: first words that say nothing are skipped, and the rest may be a command.
    (0..tokens.len())
        .find_map(|first| parse_tokens(line, &tokens[first..]))
        .unwrap_or_else(|| {
            Err(CommandError::Unknown(
                tokens.first().copied().unwrap_or_default().to_owned(),
            ))
        })
}

/// Reads the tokens as a command; `None` if the first of them is no command's name.
fn parse_tokens(line: &str, tokens: &[&str]) -> Option<Result<Command, CommandError>> {
    Some(match tokens {
        ["uci", ..] => Ok(Command::Uci),
        ["debug", rest @ ..] => parse_switch(rest).map(Command::Debug),
        ["isready", ..] => Ok(Command::IsReady),
        ["setoption", rest @ ..] => parse_option(line, rest),
        ["ucinewgame", ..] => Ok(Command::NewGame),
        ["position", rest @ ..] => parse_position(rest),
        ["go", "perft", rest @ ..] | ["perft", rest @ ..] => parse_perft(rest).map(Command::Perft),
        ["go", rest @ ..] => Ok(Command::Go(Box::new(Go::parse(rest)))),
        ["bench", ..] => Ok(Command::Bench),
        ["stop", ..] => Ok(Command::Stop),
        ["ponderhit", ..] => Ok(Command::PonderHit),
        ["d", ..] => Ok(Command::Display),
        ["eval", ..] => Ok(Command::Evaluate),
        ["help", ..] => Ok(Command::Help),
        ["quit", ..] => Ok(Command::Quit),
        _ => return None,
    })
}

fn parse_switch(tokens: &[&str]) -> Result<bool, CommandError> {
    match tokens {
        ["on", ..] => Ok(true),
        ["off", ..] => Ok(false),
        [other, ..] => Err(CommandError::bad_value("debug", other)),
        [] => Err(CommandError::MissingValue("debug")),
    }
}

fn parse_perft(tokens: &[&str]) -> Result<u32, CommandError> {
    let depth = tokens.first().ok_or(CommandError::MissingValue("perft"))?;
    depth
        .parse()
        .map_err(|_| CommandError::bad_value("perft", depth))
}

/// `setoption name N [value V]`: both may hold spaces, and the value's are kept as they are.
fn parse_option(line: &str, tokens: &[&str]) -> Result<Command, CommandError> {
    let words = match tokens {
        ["name", rest @ ..] => rest,
        _ => return Err(CommandError::MissingValue("setoption")),
    };
    let split = words.iter().position(|word| *word == "value");
    let name = words[..split.unwrap_or(words.len())].join(" ");
    if name.is_empty() {
        return Err(CommandError::MissingValue("name"));
    }
    let value = split.map(|index| match words.get(index + 1) {
        Some(first) => line[offset_in(line, first)..].trim_end().to_owned(),
        None => String::new(),
    });
    Ok(Command::SetOption { name, value })
}

/// Where a token, which is a part of the line, begins.
fn offset_in(line: &str, token: &str) -> usize {
    token.as_ptr().addr() - line.as_ptr().addr()
}

fn parse_position(tokens: &[&str]) -> Result<Command, CommandError> {
    let split = tokens
        .iter()
        .position(|token| *token == "moves")
        .unwrap_or(tokens.len());
    let (before, after) = tokens.split_at(split);
    let start = before
        .iter()
        .position(|token| matches!(*token, "startpos" | "fen"));
    let start = match start.map(|index| &before[index..]) {
        Some(["fen", fields @ ..]) => parse_fen(fields)?,
        Some(_) => Start::Standard,
        None => return Err(CommandError::NoPosition),
    };
    let moves = after
        .iter()
        .skip(1)
        .map(|token| {
            token
                .parse()
                .map_err(|_| CommandError::BadMove((*token).to_owned()))
        })
        .collect::<Result<_, _>>()?;
    Ok(Command::Position { start, moves })
}

fn parse_fen(fields: &[&str]) -> Result<Start, CommandError> {
    let text = fields.join(" ");
    if text.is_empty() {
        return Err(CommandError::MissingValue("fen"));
    }
    match text.parse() {
        Ok(fen) => Ok(Start::Fen(fen)),
        Err(reason) => Err(CommandError::BadFen { fen: text, reason }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(words: &str) -> Vec<UciMove> {
        words
            .split(' ')
            .map(|word| word.parse().expect("a move"))
            .collect()
    }

    #[test]
    fn white_space_of_any_kind_separates_words() {
        assert_eq!(parse(" \t isready \t"), Ok(Command::IsReady));
        let Ok(Command::Go(go)) = parse("go\tdepth  7") else {
            panic!("`go` was not understood")
        };
        assert_eq!(go.depth, Some(7));
    }

    #[test]
    fn an_unknown_first_word_is_skipped_if_a_command_follows() {
        assert_eq!(parse("joho debug on"), Ok(Command::Debug(true)));
        assert_eq!(parse("joho"), Err(CommandError::Unknown("joho".to_owned())));
        assert_eq!(
            parse("joho hoho"),
            Err(CommandError::Unknown("joho".to_owned()))
        );
        assert_eq!(parse(""), Err(CommandError::Unknown(String::new())));
    }

    #[test]
    fn option_names_and_values_may_hold_spaces() {
        assert_eq!(
            parse("setoption name Debug Log File value /tmp/two  spaces.log "),
            Ok(Command::SetOption {
                name: "Debug Log File".to_owned(),
                value: Some("/tmp/two  spaces.log".to_owned()),
            })
        );
        assert_eq!(
            parse("setoption name Clear Hash"),
            Ok(Command::SetOption {
                name: "Clear Hash".to_owned(),
                value: None
            })
        );
        assert_eq!(
            parse("setoption name Debug Log File value"),
            Ok(Command::SetOption {
                name: "Debug Log File".to_owned(),
                value: Some(String::new())
            })
        );
        assert_eq!(
            parse("setoption name"),
            Err(CommandError::MissingValue("name"))
        );
        assert_eq!(
            parse("setoption Hash"),
            Err(CommandError::MissingValue("setoption"))
        );
    }

    #[test]
    fn a_position_is_a_start_and_moves() {
        assert_eq!(
            parse("position startpos moves e2e4 e7e5"),
            Ok(Command::Position {
                start: Start::Standard,
                moves: moves("e2e4 e7e5")
            })
        );
        let fen = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
        let Ok(Command::Position {
            start: Start::Fen(parsed),
            moves,
        }) = parse(&format!("position fen {fen}"))
        else {
            panic!("a FEN that can be read was not")
        };
        assert_eq!(parsed.to_string(), fen);
        assert!(moves.is_empty());
    }

    #[test]
    fn a_position_that_cannot_be_read_names_its_fault() {
        let error = |line: &str| parse(line).expect_err("a bad position").to_string();
        assert_eq!(error("position"), "'position' needs 'startpos' or 'fen'");
        assert_eq!(error("position fen"), "'fen' needs a value");
        assert_eq!(error("position startpos moves e2e4 x9"), "'x9' is no move");
        assert_eq!(
            error("position fen 8/8 w"),
            "invalid board part in fen '8/8 w'"
        );
    }

    #[test]
    fn perft_needs_a_depth() {
        assert_eq!(parse("perft 3"), Ok(Command::Perft(3)));
        assert_eq!(parse("go perft 3"), Ok(Command::Perft(3)));
        assert_eq!(
            parse("perft -1"),
            Err(CommandError::bad_value("perft", "-1"))
        );
        assert_eq!(parse("go perft"), Err(CommandError::MissingValue("perft")));
    }
}
