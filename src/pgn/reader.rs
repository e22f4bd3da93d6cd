//! Reads the games of a PGN file, one at a time, so that a file of any size needs little memory.
//!
//! pgn-reader takes the text of a game apart, and shakmaty says which moves are legal. A game with a fault in its main
//! line is an error that names the move, and the next game is read. A fault inside a variation only ends the variation.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::num::NonZeroU32;
use std::ops::ControlFlow;

use pgn_reader::reader::ReaderBuilder;
use pgn_reader::{Nag, RawComment, RawTag, SanPlus, Skip, Visitor};
use shakmaty::san::{San, SanError};
use shakmaty::{CastlingMode, Chess, Color, Move, Outcome, Position};

use super::comment::{Comment, append, text_of};
use super::game_text::{GameText, GameTexts};
use super::{GameRecord, Ply};
use crate::position::{FenError, from_fen};

/// The longest game, in plies. By the rules no game has more than 17,697.
const MAX_PLIES: usize = 20_000;

/// The longest line with a tag, in bytes.
const MAX_TAG_BYTES: usize = 1 << 13;

/// Variations are kept down to this depth; those inside of them are left out.
const MAX_VARIATION_DEPTH: usize = 16;

/// The standard start position, which Chess960 has too.
const STANDARD_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Why a game can't be read.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// A move of the main line is wrong.
    #[error("{0}")]
    Move(Box<MoveError>),
    /// It is a game of another kind of chess.
    #[error("the variant {0} is not supported")]
    Variant(String),
    /// The start position is not one.
    #[error("the start position is not legal: {0}")]
    Fen(#[from] FenError),
    /// The game has more than 20,000 plies, or its text more than 2 MiB.
    #[error("the game is too long")]
    TooLong,
    /// A comment has no end.
    #[error("a comment is not closed")]
    UnterminatedComment,
    /// The text contains bytes of zero.
    #[error("this is not text: it contains zero bytes")]
    NotText,
    /// There are words, but no tags, moves or results.
    #[error("this is no game: there are neither tags nor moves")]
    NotAGame,
    /// pgn-reader doesn't accept the text.
    #[error("{0}")]
    Syntax(io::Error),
}

/// A move of the main line that can't be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveError {
    /// The number of the ply in the game, from 1.
    pub ply: usize,
    /// The number of the move.
    pub number: NonZeroU32,
    /// The side that would play it.
    pub turn: Color,
    /// The word in the file.
    pub text: String,
    /// What is wrong with it.
    pub problem: MoveProblem,
}

/// What can be wrong with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveProblem {
    /// It is not a legal move.
    Illegal,
    /// Two pieces can play it.
    Ambiguous,
    /// It is no move in standard algebraic notation.
    Unreadable,
    /// It is a null move, which only a variation can have.
    Null,
    /// It follows the result of the game.
    AfterResult,
}

/// `12... Qz9 (ply 24) is ...`.
impl std::fmt::Display for MoveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let problem = match self.problem {
            MoveProblem::Illegal => "is not a legal move",
            MoveProblem::Ambiguous => "can be played by two pieces",
            MoveProblem::Unreadable => "is not a move in algebraic notation",
            MoveProblem::Null => "is not a move that can be played in a game",
            MoveProblem::AfterResult => "comes after the result of the game",
        };
        let dots = self.turn.fold_wb(".", "...");
        let (number, text, ply) = (self.number, &self.text, self.ply);
        write!(f, "{number}{dots} {text} (ply {ply}) {problem}")
    }
}

/// A game that was read.
#[derive(Debug)]
pub struct ReadGame {
    /// Its number in the file, from 1. Broken games count.
    pub number: usize,
    /// Its length in the file, in bytes.
    pub bytes: u64,
    /// The game, or why it can't be read.
    pub record: Result<GameRecord, GameError>,
}

/// The games of a file.
///
/// Texts are read as UTF-8 or, where they aren't, as Latin-1. An error of the iterator means that the file can't be
/// read; no game follows it.
#[derive(Debug)]
pub struct Games<R> {
    texts: GameTexts<R>,
    number: usize,
    has_failed: bool,
}

impl<R: BufRead> Games<R> {
    /// The games of this file or stream.
    pub fn new(source: R) -> Games<R> {
        Games {
            texts: GameTexts::new(source),
            number: 0,
            has_failed: false,
        }
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = io::Result<ReadGame>;

    fn next(&mut self) -> Option<io::Result<ReadGame>> {
        if self.has_failed {
            return None;
        }
        let text = self
            .texts
            .next_game()
            .inspect_err(|_| self.has_failed = true);
        let text = text.transpose()?;
        self.number += 1;
        Some(text.map(|text| ReadGame {
            number: self.number,
            bytes: text.bytes,
            record: read_game(text),
        }))
    }
}

/// Reads the text of one game.
fn read_game(text: GameText) -> Result<GameRecord, GameError> {
    if let Some(problem) = text.problem {
        return Err(problem);
    }
    let mut builder = Builder {
        null_moves: text.null_moves,
    };
    let mut reader = ReaderBuilder::new(text.text.as_slice())
        .set_supported_tag_line_length(MAX_TAG_BYTES)
        .finish();
    match reader.read_game(&mut builder) {
        Ok(Some(record)) => record,
        Ok(None) => Err(GameError::NotAGame),
        Err(error) => Err(GameError::Syntax(error)),
    }
}

/// Builds a record from what pgn-reader finds.
struct Builder {
    /// The words that stand as null moves in the text.
    null_moves: VecDeque<String>,
}

/// A game while its moves arrive.
struct Movetext {
    tags: Vec<(String, String)>,
    start: Chess,
    comment: String,
    /// The first part of a long comment.
    partial_comment: Vec<u8>,
    outcome: Option<Outcome>,
    /// The main line and the variations that are open, innermost last.
    main: Line,
    variations: Vec<Line>,
    /// The number of open variations that are left out.
    ignored: usize,
}

/// A line of play while its moves arrive.
struct Line {
    /// The position before the last move.
    before: Chess,
    /// The current position.
    position: Chess,
    plies: Vec<Ply>,
    comment_before: String,
    /// Whether a move was wrong, so that the rest of the line is left out.
    is_cut: bool,
}

impl Line {
    fn new(start: Chess) -> Line {
        Line {
            before: start.clone(),
            position: start,
            plies: Vec::new(),
            comment_before: String::new(),
            is_cut: false,
        }
    }

    fn play(&mut self, m: Move) {
        self.before = self.position.clone();
        self.position.play_unchecked(m);
        let mut ply = Ply::new(m);
        ply.comment_before = std::mem::take(&mut self.comment_before);
        self.plies.push(ply);
    }
}

impl Movetext {
    /// The line that is open; `None` inside what is left out.
    fn line(&mut self) -> Option<&mut Line> {
        let line = self.variations.last_mut().unwrap_or(&mut self.main);
        Some(line).filter(|line| self.ignored == 0 && !line.is_cut)
    }

    /// Plays a move of the main line.
    fn play(
        &mut self,
        san: San,
        text: String,
        unplayable: Option<MoveProblem>,
    ) -> Result<(), GameError> {
        let line = &mut self.main;
        if line.plies.len() >= MAX_PLIES {
            return Err(GameError::TooLong);
        }
        let problem = match (unplayable, to_move(san, &line.position)) {
            (Some(problem), _) => problem,
            (None, _) if self.outcome.is_some() => MoveProblem::AfterResult,
            (None, Err(SanError::IllegalSan)) => MoveProblem::Illegal,
            (None, Err(SanError::AmbiguousSan)) => MoveProblem::Ambiguous,
            (None, Ok(m)) => {
                line.play(m);
                return Ok(());
            }
        };
        Err(GameError::Move(Box::new(MoveError {
            ply: line.plies.len() + 1,
            number: line.position.fullmoves(),
            turn: line.position.turn(),
            text,
            problem,
        })))
    }

    fn close_variation(&mut self) {
        if self.ignored > 0 {
            self.ignored -= 1;
        } else if let Some(variation) = self.variations.pop()
            && let Some(ply) = self
                .variations
                .last_mut()
                .unwrap_or(&mut self.main)
                .plies
                .last_mut()
            && !variation.plies.is_empty()
        {
            ply.variations.push(variation.plies);
        }
    }
}

/// The move that a word means in a position. A capture may be written without `x`.
fn to_move(san: San, position: &Chess) -> Result<Move, SanError> {
    let result = san.to_move(position);
    match (&result, san) {
        (
            Err(SanError::IllegalSan),
            San::Normal {
                role,
                file,
                rank,
                capture,
                to,
                promotion,
            },
        ) => San::Normal {
            role,
            file,
            rank,
            capture: !capture,
            to,
            promotion,
        }
        .to_move(position),
        _ => result,
    }
}

impl Visitor for Builder {
    type Tags = Vec<(String, String)>;
    type Movetext = Movetext;
    type Output = Result<GameRecord, GameError>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(
        &mut self,
        tags: &mut Self::Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let name = text_of(name).trim().to_owned();
        tags.push((name, text_of(&value.decode()).trim().to_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        match start_position(&tags) {
            Ok(start) => ControlFlow::Continue(Movetext {
                tags,
                main: Line::new(start.clone()),
                start,
                comment: String::new(),
                partial_comment: Vec::new(),
                outcome: None,
                variations: Vec::new(),
                ignored: 0,
            }),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }

    fn san(&mut self, movetext: &mut Movetext, san_plus: SanPlus) -> ControlFlow<Self::Output> {
        let san = san_plus.san;
        let (text, unplayable) = match san {
            San::Null => {
                let text = self.null_moves.pop_front().unwrap_or_default();
                let is_null = text == "--" || text == "Z0";
                let problem = if is_null {
                    MoveProblem::Null
                } else {
                    MoveProblem::Unreadable
                };
                (text, Some(problem))
            }
            _ => (san.to_string(), None),
        };
        if movetext.variations.is_empty() && movetext.ignored == 0 {
            return match movetext.play(san, text, unplayable) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(Err(error)),
            };
        }
        if let Some(line) = movetext.line() {
            match to_move(san, &line.position) {
                Ok(m) => line.play(m),
                Err(_) => line.is_cut = true,
            }
        }
        ControlFlow::Continue(())
    }

    fn nag(&mut self, movetext: &mut Movetext, nag: Nag) -> ControlFlow<Self::Output> {
        if let Some(ply) = movetext.line().and_then(|line| line.plies.last_mut())
            && !ply.nags.contains(&nag.0)
        {
            ply.nags.push(nag.0);
        }
        ControlFlow::Continue(())
    }

    fn partial_comment(
        &mut self,
        movetext: &mut Movetext,
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        movetext
            .partial_comment
            .extend_from_slice(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(
        &mut self,
        movetext: &mut Movetext,
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        let mut bytes = std::mem::take(&mut movetext.partial_comment);
        bytes.extend_from_slice(comment.as_bytes());
        let text = text_of(&bytes);
        let is_in_variation = !movetext.variations.is_empty() || movetext.ignored > 0;
        let Some(line) = movetext.line() else {
            return ControlFlow::Continue(());
        };
        match line.plies.last_mut() {
            Some(ply) => annotate(ply, &text),
            None if is_in_variation => append(&mut line.comment_before, &text),
            None => append(&mut movetext.comment, &text),
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, movetext: &mut Movetext) -> ControlFlow<Self::Output, Skip> {
        let is_too_deep = movetext.variations.len() >= MAX_VARIATION_DEPTH;
        match movetext.line() {
            Some(line) if !is_too_deep && !line.plies.is_empty() => {
                let variation = Line::new(line.before.clone());
                movetext.variations.push(variation);
            }
            _ => movetext.ignored += 1,
        }
        // What is left out is read too, because its null moves are counted.
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, movetext: &mut Movetext) -> ControlFlow<Self::Output> {
        movetext.close_variation();
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, movetext: &mut Movetext, outcome: Outcome) -> ControlFlow<Self::Output> {
        movetext.outcome = Some(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, mut movetext: Movetext) -> Self::Output {
        while movetext.ignored > 0 || !movetext.variations.is_empty() {
            movetext.close_variation();
        }
        let by_tag = tag(&movetext.tags, "Result").and_then(|result| result.parse().ok());
        let outcome = movetext.outcome.filter(|outcome| outcome.is_known());
        Ok(GameRecord {
            tags: movetext.tags,
            start: movetext.start,
            comment: movetext.comment,
            plies: movetext.main.plies,
            outcome: outcome.or(by_tag).unwrap_or(Outcome::Unknown),
        })
    }
}

/// Adds a comment to a move.
fn annotate(ply: &mut Ply, text: &str) {
    let comment = Comment::parse(text);
    append(&mut ply.comment, &comment.text);
    append(&mut ply.commands, &comment.commands);
    ply.clock = comment.clock.or(ply.clock);
    ply.evaluation = comment.evaluation.or(ply.evaluation);
}

fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let mut tags = tags.iter();
    let (_, value) = tags.find(|(other, _)| other == name)?;
    Some(value)
}

/// The start position by the tags `Variant` and `FEN`. Castling rights that standard chess can't have are read as in
/// Chess960.
fn start_position(tags: &[(String, String)]) -> Result<Chess, GameError> {
    let variant = tag(tags, "Variant").unwrap_or_default();
    let letters = variant.chars().filter(char::is_ascii_alphanumeric);
    let mode = match letters.collect::<String>().to_ascii_lowercase().as_str() {
        "" | "standard" | "normal" | "chess" | "fromposition" => CastlingMode::Standard,
        "frc" => CastlingMode::Chess960,
        other if other.contains("960") || other.starts_with("fischer") => CastlingMode::Chess960,
        _ => return Err(GameError::Variant(variant.to_owned())),
    };
    let fen = tag(tags, "FEN").filter(|fen| !matches!(*fen, "" | "?"));
    match (fen, mode) {
        (None, CastlingMode::Standard) => Ok(Chess::default()),
        (None, mode) => Ok(from_fen(STANDARD_START, mode)?),
        (Some(fen), mode) => Ok(from_fen(fen, mode)
            .or_else(|error| from_fen(fen, CastlingMode::Chess960).map_err(|_| error))?),
    }
}
