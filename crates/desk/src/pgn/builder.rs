//! Builds the record of a game from what pgn-reader finds in its text.
//!
//! pgn-reader calls a method of the [`Builder`] for every tag, move, glyph, comment and variation, in the order of the
//! text. A fault in the main line ends the game with an error; a fault in a variation ends the variation.

use std::collections::VecDeque;
use std::mem;
use std::ops::ControlFlow;

use pgn_reader::{Nag, RawComment, RawTag, SanPlus, Skip, Visitor};
use shakmaty::san::{San, SanError};
use shakmaty::{Chess, Move, Outcome, Position};

use super::comment::{Comment, append, text_of};
use super::error::{GameError, MoveError, MoveProblem};
use super::start::{start_position, tag};
use super::{GameRecord, Ply};

/// The longest game, in plies. By the rules no game has more than 17,697.
pub(super) const MAX_PLIES: usize = 20_000;

/// Variations are kept down to this depth; those inside of them are left out.
pub(super) const MAX_VARIATION_DEPTH: usize = 16;

/// Builds a record from what pgn-reader finds.
pub(super) struct Builder {
    /// The words that stand as null moves in the text.
    pub(super) null_moves: VecDeque<String>,
}

/// A game while its moves arrive.
pub(super) struct Movetext {
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
        ply.comment_before = mem::take(&mut self.comment_before);
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

/// The value of a tag without its escapes: `\\"` for a quotation mark, and `\\\\` for a backslash.
fn unescaped(value: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(value.len());
    let mut rest = value;
    while let [first, after @ ..] = rest {
        rest = match (first, after) {
            (b'\\', [escaped @ (b'"' | b'\\'), after @ ..]) => {
                plain.push(*escaped);
                after
            }
            _ => {
                plain.push(*first);
                after
            }
        };
    }
    plain
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
        tags.push((
            name,
            text_of(&unescaped(value.as_bytes())).trim().to_owned(),
        ));
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
        let mut bytes = mem::take(&mut movetext.partial_comment);
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
