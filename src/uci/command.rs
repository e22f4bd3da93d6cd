//! From text to [`Command`]: every line of input is parsed here.
//!
//! Parsing is pure: it knows neither the position nor the state of the engine. As the protocol
//! asks, unknown tokens are skipped and the rest of the line is still parsed. A value that is
//! missing or malformed is an error that names the word, and so is a move that `moves` doesn't
//! introduce.

use shakmaty::fen::Fen;

use super::error::CommandError;
use super::genfens::{self, number_in};
use super::go::Go;
use super::sent_move::SentMove;
use crate::genfens::Plan;
use squarewise_engine::position::perft;

/// A command of the interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: send name and options.
    Uci,
    /// `debug on` or `debug off`: whether to report unknown commands.
    Debug(bool),
    /// `isready`: answer when all earlier commands are done.
    IsReady,
    /// `setoption`: set an option.
    SetOption {
        /// Its name, words joined by single spaces.
        name: String,
        /// Its value, verbatim.
        value: Option<String>,
    },
    /// `ucinewgame`: the next search belongs to another game.
    NewGame,
    /// `position`: set up a position.
    Position {
        start: Start,
        /// The moves, which can be illegal.
        moves: Vec<SentMove>,
    },
    /// `go`: search.
    Go(Box<Go>),
    /// `perft` or `go perft`: count the lines of this many plies.
    Perft(u32),
    /// `bench`: run the benchmark.
    Bench,
    /// `genfens`: make start positions for data generation.
    Genfens(Plan),
    /// `stop`: stop the search and answer.
    Stop,
    /// `ponderhit`: the opponent played the move that the engine ponders on.
    PonderHit,
    /// `d`: show the position.
    Display,
    /// `eval`: show the terms of the evaluation.
    Evaluate,
    /// `help`: list the commands.
    Help,
    /// `quit`: end the program.
    Quit,
}

impl Command {
    /// Whether a running job is stopped, and its answer sent, before this command is executed.
    pub fn ends_job(&self) -> bool {
        match self {
            Command::SetOption { .. }
            | Command::NewGame
            | Command::Position { .. }
            | Command::Go(_)
            | Command::Perft(_)
            | Command::Bench
            | Command::Genfens(_)
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

/// The position before the moves of a `position` command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    Standard,
    /// A position, which can be illegal.
    Fen(Fen),
}

/// Parses one line.
pub fn parse(line: &str) -> Result<Command, CommandError> {
    let tokens: Vec<&str> = line.split_whitespace().collect();
    // The protocol asks to skip unknown words before a command: "joho debug on" is "debug on".
    (0..tokens.len())
        .find_map(|first| parse_tokens(line, &tokens[first..]))
        .unwrap_or_else(|| {
            Err(CommandError::Unknown(
                tokens.first().copied().unwrap_or_default().to_owned(),
            ))
        })
}

/// The name of a command that stands in a line behind other words. [`parse`] skips those, or the
/// name; in commands of which each was meant to be executed neither is right.
pub fn name_behind_words(line: &str) -> Option<&str> {
    let tokens: Vec<&str> = line.split_whitespace().collect();
    // Behind these stands what is free text, such as the name of a file.
    if matches!(tokens.first(), Some(&("setoption" | "genfens"))) {
        return None;
    }
    // A lone `d` can be a castling right of Chess960.
    let is_word = |at: &usize| tokens[*at].len() > 1 && tokens[at - 1..=*at] != ["go", "perft"];
    let mut places = (1..tokens.len()).filter(is_word);
    let place = places.find(|at| parse_tokens(line, &tokens[*at..]).is_some())?;
    Some(tokens[place])
}

/// Parses the tokens as a command; `None` if the first of them is not the name of one.
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
        ["genfens", rest @ ..] => genfens::parse(rest).map(Command::Genfens),
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
        [other, ..] => Err(CommandError::BadSwitch((*other).to_owned())),
        [] => Err(CommandError::MissingValue("debug")),
    }
}

fn parse_perft(tokens: &[&str]) -> Result<u32, CommandError> {
    let value = tokens.first().ok_or(CommandError::MissingValue("perft"))?;
    number_in("perft", value, 0..=perft::MAX_DEPTH)
}

/// `setoption name N [value V]`: both can contain spaces, and the value keeps them as they are.
fn parse_option(line: &str, tokens: &[&str]) -> Result<Command, CommandError> {
    let name = tokens.iter().position(|word| *word == "name");
    let words = &tokens[name.ok_or(CommandError::NoName)? + 1..];
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

/// The byte offset of a token in the line that it is a part of.
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
        Some([_, rest @ ..]) => match rest.iter().find_map(|word| SentMove::parse(word)) {
            Some(m) => return Err(CommandError::NoMoves(m)),
            None => Start::Standard,
        },
        Some([]) | None => return Err(CommandError::NoPosition),
    };
    let moves = after
        .iter()
        .skip(1)
        .map(|token| {
            SentMove::parse(token).ok_or_else(|| CommandError::BadMove((*token).to_owned()))
        })
        .collect::<Result<_, _>>()?;
    Ok(Command::Position { start, moves })
}

/// The most fields of a FEN.
const FEN_FIELDS: usize = 6;

fn parse_fen(fields: &[&str]) -> Result<Start, CommandError> {
    let text = fields.join(" ");
    if text.is_empty() {
        return Err(CommandError::MissingValue("fen"));
    }
    text.parse().map(Start::Fen).or_else(|reason| {
        // Behind the six fields that a FEN has at most, what is unknown is skipped.
        let (known, unknown) = fields.split_at(fields.len().min(FEN_FIELDS));
        match unknown.iter().find_map(|word| SentMove::parse(word)) {
            Some(m) => Err(CommandError::NoMoves(m)),
            None => match known.join(" ").parse() {
                Ok(fen) => Ok(Start::Fen(fen)),
                Err(_) => Err(CommandError::BadFen { fen: text, reason }),
            },
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<SentMove> {
        text.split(' ')
            .map(|word| SentMove::parse(word).expect("a move"))
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
    fn option_names_and_values_can_contain_spaces() {
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
        assert_eq!(parse("setoption Hash value 64"), Err(CommandError::NoName));
        assert_eq!(
            parse("setoption the name Hash value 64"),
            parse("setoption name Hash value 64")
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
        let with_more = parse(&format!("position fen {fen} junk 7"));
        assert_eq!(with_more, parse(&format!("position fen {fen}")));
    }

    #[test]
    fn an_unreadable_position_gives_an_error_that_names_the_reason() {
        let error = |line: &str| parse(line).expect_err("a bad position").to_string();
        assert_eq!(error("position"), "'position' needs 'startpos' or 'fen'");
        assert_eq!(error("position fen"), "'fen' needs a value");
        assert_eq!(
            error("position startpos e2e4"),
            "'e2e4' needs 'moves' before it, as in 'position startpos moves e2e4'"
        );
        assert_eq!(
            error("position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 a1b1"),
            "'a1b1' needs 'moves' before it, as in 'position startpos moves a1b1'"
        );
        let long = error(&format!("position fen {}", "8/".repeat(1_000_000)));
        assert!(long.len() < 300 && long.ends_with("...'"), "{long}");
        assert_eq!(
            error("position startpos moves e2e4 x9"),
            "'x9' is not a move"
        );
        assert_eq!(
            error("position fen 8/8 w"),
            "invalid board part in fen '8/8 w'"
        );
    }

    #[test]
    fn perft_needs_a_depth_within_its_range() {
        assert_eq!(parse("perft 3"), Ok(Command::Perft(3)));
        assert_eq!(parse("go perft 3"), Ok(Command::Perft(3)));
        assert_eq!(parse("perft 64"), Ok(Command::Perft(64)));
        for depth in ["-1", "x", "65", "100000", "99999999999"] {
            let error = parse(&format!("perft {depth}")).expect_err("a bad depth");
            let reason = format!("'perft' can't be '{depth}': it takes whole numbers from 0 to 64");
            assert_eq!(error.to_string(), reason);
        }
        assert_eq!(parse("go perft"), Err(CommandError::MissingValue("perft")));
    }
}
