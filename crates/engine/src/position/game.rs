//! The game: a stack of positions, from the first to the current one.
//!
//! shakmaty plays moves but has no undo, so a move pushes a copy of the position (copy-make) and taking it back
//! pops it. Each position carries two values that are updated incrementally, because computing them from
//! scratch at every node would cost too much: its Zobrist keys and the accumulator of the evaluation. The keys are
//! needed at every node, so they are updated with the move. Many nodes are never evaluated, so the accumulator waits
//! until it is asked for ([`Game::evaluation`]).
//!
//! The rules of draws are in [`super::draws`].

use std::sync::Arc;

use shakmaty::{CastlingMode, Chess, Move, Position};

use crate::evaluation::accumulator::PieceChanges;
use crate::evaluation::{Accumulator, Tables, evaluate};
use crate::position::packed_move::PackedMove;
use crate::position::piece_changes::for_each_piece_change;
use crate::position::zobrist::ZobristKeys;
use crate::score::Score;

#[derive(Clone, Debug)]
struct Frame {
    position: Chess,
    keys: ZobristKeys,
    /// The move that led here; `None` for a null move and in the first position.
    last_move: Option<PackedMove>,
    /// Plies since the last irreversible move: a capture, a pawn move, a null move or the start of the game. No
    /// repetition reaches further back.
    reversible_plies: usize,
}

/// A game: every position from the first to the current one.
#[derive(Clone, Debug)]
pub struct Game {
    frames: Vec<Frame>,
    /// The Zobrist key of each frame once more, close together: the rules of repetition look back at many of them.
    repetition_keys: Vec<u64>,
    /// One for each frame, `None` until the position is evaluated. The first position always has one.
    accumulators: Vec<Option<Accumulator>>,
    tables: Arc<Tables>,
}

impl Game {
    /// A game that begins at `start` and is evaluated with `tables`.
    pub fn new(start: Chess, tables: Arc<Tables>) -> Game {
        let first = Frame {
            keys: ZobristKeys::of(&start),
            position: start,
            last_move: None,
            reversible_plies: 0,
        };
        Game::of_frames(vec![first], tables)
    }

    /// A game of these positions, the first of them evaluated.
    fn of_frames(frames: Vec<Frame>, tables: Arc<Tables>) -> Game {
        let mut accumulators = vec![None; frames.len()];
        accumulators[0] = Some(Accumulator::of(frames[0].position.board(), &tables));
        Game {
            repetition_keys: frames.iter().map(|frame| frame.keys.position).collect(),
            frames,
            accumulators,
            tables,
        }
    }

    /// Makes room for `plies` more moves, so that playing them does not allocate.
    pub fn reserve(&mut self, plies: usize) {
        self.frames.reserve(plies);
        self.repetition_keys.reserve(plies);
        self.accumulators.reserve(plies);
    }

    /// Replaces the tables.
    pub fn set_tables(&mut self, tables: Arc<Tables>) {
        let frames = std::mem::take(&mut self.frames);
        *self = Game::of_frames(frames, tables);
    }

    /// A copy of the game without the positions before the last irreversible move. It is all that a search
    /// needs, and its size does not depend on the length of the game.
    pub fn recent(&self) -> Game {
        let kept = self.reversible_plies() + 1;
        let frames = self.frames[self.frames.len() - kept..].to_vec();
        Game::of_frames(frames, Arc::clone(&self.tables))
    }

    /// The current position.
    #[inline]
    pub fn position(&self) -> &Chess {
        &self.top().position
    }

    /// The tables of the evaluation.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The tables of the evaluation, to be shared.
    pub fn shared_tables(&self) -> &Arc<Tables> {
        &self.tables
    }

    /// The Zobrist key of the current position: equal for positions that count as repetitions of each other.
    #[inline]
    pub fn key(&self) -> u64 {
        self.top().keys.position
    }

    /// All Zobrist keys of the current position, including those of its pawns and pieces.
    #[inline]
    pub fn keys(&self) -> ZobristKeys {
        self.top().keys
    }

    /// The static evaluation of the current position, from the point of view of the side to move. Brings the
    /// accumulators up to date: that of the current position and those before it that have waited.
    #[inline]
    pub fn evaluation(&mut self) -> Score {
        let accumulator = self.accumulator();
        evaluate(accumulator, &self.tables, self.position().turn())
    }

    /// The accumulator of the current position.
    #[inline]
    pub fn accumulator(&mut self) -> Accumulator {
        let last = self.frames.len() - 1;
        let mut evaluated = last;
        let mut accumulator = loop {
            match self.accumulators[evaluated] {
                Some(accumulator) => break accumulator,
                None => evaluated -= 1,
            }
        };
        for place in evaluated..last {
            let [before, after] = &self.frames[place..place + 2] else {
                unreachable!("two frames are two frames")
            };
            if let Some(m) = after.last_move {
                let mut changes = PieceChanges::default();
                for_each_piece_change(m, before.position.turn(), &mut changes);
                let boards = [before, after].map(|frame| frame.position.board());
                accumulator = accumulator.after_move(&self.tables, &changes, boards);
            }
            self.accumulators[place + 1] = Some(accumulator);
        }
        debug_assert_eq!(
            accumulator,
            Accumulator::of(self.position().board(), &self.tables),
            "the accumulator of {:?}",
            self.position()
        );
        accumulator
    }

    /// Whether moves are written as in standard chess or as in Chess960 (castling as king takes rook).
    pub fn castling_mode(&self) -> CastlingMode {
        self.position().castles().mode()
    }

    /// Plies since the last irreversible move.
    #[inline]
    pub(super) fn reversible_plies(&self) -> usize {
        self.top().reversible_plies
    }

    /// The Zobrist key of the position `plies` plies ago.
    #[inline]
    pub(super) fn key_before(&self, plies: usize) -> u64 {
        self.repetition_keys[self.repetition_keys.len() - 1 - plies]
    }

    /// Plays a legal move.
    ///
    /// # Panics
    ///
    /// If the move is a drop, which does not exist in standard chess.
    pub fn play(&mut self, m: Move) {
        let m = PackedMove::new(m).expect("standard chess drops no pieces");
        self.make_move(m, |_| ());
    }

    /// Plays a legal move. As early as possible, `prefetch` is called with the key of the position after the
    /// move, to fetch its transposition table entry meanwhile. That key leaves out changes of castling rights
    /// and en passant squares, so for a few moves it is wrong.
    #[inline]
    pub fn make_move(&mut self, m: PackedMove, prefetch: impl FnOnce(u64)) {
        let (before, after) = self.push_copy();
        let us = before.position.turn();
        after.keys.toggle_turn();
        for_each_piece_change(m, us, &mut after.keys);
        prefetch(after.keys.position);
        after.position.play_unchecked(m.into());
        after.last_move = Some(m);
        after.reversible_plies = if m.is_zeroing() {
            0
        } else {
            before.reversible_plies + 1
        };
        self.update_castling_and_en_passant_keys();
        self.repetition_keys.push(self.key());
        debug_assert_eq!(
            self.keys(),
            ZobristKeys::of(self.position()),
            "the keys after {m:?}"
        );
    }

    /// Makes a null move: the turn passes to the other side. The side to move must not be in check.
    ///
    /// # Panics
    ///
    /// If the side to move is in check: shakmaty rejects the position after the null move.
    pub fn make_null_move(&mut self) {
        let (before, after) = self.push_copy();
        after.position = before
            .position
            .clone()
            .swap_turn()
            .expect("a side that is not in check may pass");
        after.last_move = None;
        after.keys.toggle_turn();
        if let Some(square) = before.position.legal_ep_square() {
            after.keys.toggle_en_passant(square);
        }
        after.reversible_plies = 0;
        self.repetition_keys.push(self.key());
        debug_assert_eq!(
            self.keys(),
            ZobristKeys::of(self.position()),
            "the keys after a null move"
        );
    }

    /// Takes back the last move or null move.
    #[inline]
    pub fn unmake_move(&mut self) {
        debug_assert!(self.frames.len() > 1, "there is no move to take back");
        self.frames.pop();
        self.repetition_keys.pop();
        self.accumulators.pop();
    }

    #[inline]
    fn top(&self) -> &Frame {
        self.frames
            .last()
            .expect("a game has at least its first position")
    }

    /// Pushes a copy of the current position; returns the original and the copy.
    #[inline]
    fn push_copy(&mut self) -> (&Frame, &mut Frame) {
        let last = self.frames.len() - 1;
        self.frames.extend_from_within(last..);
        self.accumulators.push(None);
        let [.., before, after] = self.frames.as_mut_slice() else {
            unreachable!("a frame was just pushed on top of another")
        };
        (before, after)
    }

    /// Updates the key of the position after a move that changes castling rights or the en passant square.
    #[inline]
    fn update_castling_and_en_passant_keys(&mut self) {
        let [.., before, after] = self.frames.as_mut_slice() else {
            return;
        };
        let lost_rights = before.position.castles().castling_rights()
            ^ after.position.castles().castling_rights();
        if lost_rights.any() {
            after.keys.toggle_castling(&before.position);
            after.keys.toggle_castling(&after.position);
        }
        for position in [&before.position, &after.position] {
            if position.maybe_ep_square().is_some()
                && let Some(square) = position.legal_ep_square()
            {
                after.keys.toggle_en_passant(square);
            }
        }
    }
}
