//! From text to [`Command`]: the door through which words come in.
//!
//! Parsing is pure: it knows neither the position nor the state of the engine. Unknown tokens are skipped
//! and what remains of the line is still understood, as the protocol asks; a value that is missing or no
//! value at all is an error that names the word.

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::uci::UciMove;

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

/// The words after `go`, as they were said: numbers are neither clamped nor compared with each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Milliseconds on White's clock.
    pub white_time: Option<i64>,
    /// Milliseconds on Black's clock.
    pub black_time: Option<i64>,
    /// Milliseconds that White gains with each move.
    pub white_increment: Option<i64>,
    /// Milliseconds that Black gains with each move.
    pub black_increment: Option<i64>,
    /// Moves to the next time control.
    pub moves_to_go: Option<i64>,
    /// Milliseconds for this move.
    pub move_time: Option<i64>,
    /// Plies.
    pub depth: Option<i64>,
    /// Nodes.
    pub nodes: Option<i64>,
    /// Moves to a mate that is good enough.
    pub mate: Option<i64>,
    /// Until told to stop.
    pub infinite: bool,
    /// On the opponent's time.
    pub ponder: bool,
    /// The moves to consider; some may be illegal.
    pub search_moves: Vec<UciMove>,
    /// Limits whose value made no sense, and that are left out for it.
    pub remarks: Vec<CommandError>,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The first word says nothing to us. An empty line has none.
    #[error("unknown command '{0}'")]
    Unknown(String),
    /// A word that needs a value has none.
    #[error("'{0}' needs a value")]
    MissingValue(&'static str),
    /// A word has a value that it can't have.
    #[error("'{word}' can't be '{value}'")]
    BadValue {
        /// The word.
        word: &'static str,
        /// The value, as it was said.
        value: String,
    },
    /// `position` says neither `startpos` nor `fen`.
    #[error("'position' needs 'startpos' or 'fen'")]
    NoPosition,
    /// The FEN can't be read.
    #[error("{reason} '{fen}'")]
    BadFen {
        /// The FEN, as it was said.
        fen: String,
        /// What shakmaty says about it.
        reason: ParseFenError,
    },
    /// A word in a list of moves is none.
    #[error("'{0}' is no move")]
    BadMove(String),
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
        ["go", rest @ ..] => Ok(Command::Go(Box::new(parse_go(rest)))),
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
        [other, ..] => Err(bad_value("debug", other)),
        [] => Err(CommandError::MissingValue("debug")),
    }
}

fn parse_perft(tokens: &[&str]) -> Result<u32, CommandError> {
    let depth = tokens.first().ok_or(CommandError::MissingValue("perft"))?;
    depth.parse().map_err(|_| bad_value("perft", depth))
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

fn parse_go(tokens: &[&str]) -> Go {
    let mut go = Go::default();
    let mut rest = tokens;
    while let [token, after @ ..] = rest {
        rest = after;
        let (word, slot) = match *token {
            "wtime" => ("wtime", &mut go.white_time),
            "btime" => ("btime", &mut go.black_time),
            "winc" => ("winc", &mut go.white_increment),
            "binc" => ("binc", &mut go.black_increment),
            "movestogo" => ("movestogo", &mut go.moves_to_go),
            "movetime" => ("movetime", &mut go.move_time),
            "depth" => ("depth", &mut go.depth),
            "nodes" => ("nodes", &mut go.nodes),
            "mate" => ("mate", &mut go.mate),
            "infinite" => {
                go.infinite = true;
                continue;
            }
            "ponder" => {
                go.ponder = true;
                continue;
            }
            "searchmoves" => {
                let count = after.iter().take_while(|token| is_move(token)).count();
                let moves = after[..count]
                    .iter()
                    .filter_map(|token| token.parse::<UciMove>().ok());
                go.search_moves.extend(moves);
                rest = &after[count..];
                continue;
            }
            _ => continue,
        };
        match rest.first().map(|value| (value, parse_number(value))) {
            Some((_, Some(number))) => {
                *slot = Some(number);
                rest = &rest[1..];
            }
            Some((value, None)) => go.remarks.push(bad_value(word, value)),
            None => go.remarks.push(CommandError::MissingValue(word)),
        }
    }
    go
}

fn is_move(token: &str) -> bool {
    token.parse::<UciMove>().is_ok()
}

/// A whole number; one too large for us is as large as we can hold.
fn parse_number(token: &str) -> Option<i64> {
    let digits = token.strip_prefix(['-', '+']).unwrap_or(token);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let saturated = if token.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    Some(token.parse().unwrap_or(saturated))
}

fn bad_value(word: &'static str, value: &str) -> CommandError {
    CommandError::BadValue {
        word,
        value: value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go {
        match parse(line) {
            Ok(Command::Go(go)) => *go,
            other => panic!("{line} gave {other:?}"),
        }
    }

    fn moves(words: &str) -> Vec<UciMove> {
        words
            .split(' ')
            .map(|word| word.parse().expect("a move"))
            .collect()
    }

    #[test]
    fn white_space_of_any_kind_separates_words() {
        assert_eq!(parse(" \t isready \t"), Ok(Command::IsReady));
        assert_eq!(go("go\tdepth  7").depth, Some(7));
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
    fn unknown_words_inside_go_are_skipped() {
        let parsed = go("go quickly wtime 100 btime 200 winc 3 binc 4 movestogo 5 please");
        assert_eq!(parsed.white_time, Some(100));
        assert_eq!(parsed.black_time, Some(200));
        assert_eq!(parsed.white_increment, Some(3));
        assert_eq!(parsed.black_increment, Some(4));
        assert_eq!(parsed.moves_to_go, Some(5));
        assert!(parsed.remarks.is_empty());
    }

    #[test]
    fn search_moves_end_at_the_first_word_that_is_no_move() {
        let parsed = go("go searchmoves e2e4 d2d4 depth 3");
        assert_eq!(parsed.search_moves, moves("e2e4 d2d4"));
        assert_eq!(parsed.depth, Some(3));
        assert_eq!(
            go("go depth 3 searchmoves a7a8q").search_moves,
            moves("a7a8q")
        );
    }

    #[test]
    fn a_limit_without_a_number_is_left_out_with_a_remark() {
        let parsed = go("go depth abc nodes 7");
        assert_eq!(parsed.depth, None);
        assert_eq!(parsed.nodes, Some(7));
        assert_eq!(parsed.remarks, [bad_value("depth", "abc")]);
        assert_eq!(
            go("go movetime").remarks,
            [CommandError::MissingValue("movetime")]
        );
    }

    #[test]
    fn numbers_beyond_all_bounds_are_held_at_ours() {
        assert_eq!(
            go("go wtime 99999999999999999999").white_time,
            Some(i64::MAX)
        );
        assert_eq!(
            go("go wtime -99999999999999999999").white_time,
            Some(i64::MIN)
        );
        assert_eq!(go("go nodes -5").nodes, Some(-5));
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
        assert_eq!(parse("perft -1"), Err(bad_value("perft", "-1")));
        assert_eq!(parse("go perft"), Err(CommandError::MissingValue("perft")));
    }
}
