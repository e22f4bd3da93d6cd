//! The game: a stack of positions, from the first to the current one.
//!
//! shakmaty plays moves but has no undo, so a move pushes a copy of the position (copy-make) and taking it back
//! pops it. Each position carries two values that are updated incrementally, because computing them from
//! scratch at every node would cost too much: its Zobrist keys and the accumulator of the evaluation.
//!
//! The rules of draws are in [`super::draws`].

use std::sync::Arc;

use shakmaty::{CastlingMode, Chess, Color, Move, Position, Role};

use crate::evaluation::{Accumulator, Tables, evaluate};
use crate::position::packed_move::PackedMove;
use crate::position::piece_changes::{AccumulatorUpdate, for_each_piece_change};
use crate::position::zobrist::ZobristKeys;
use crate::score::Score;

#[derive(Clone, Debug)]
struct Frame {
    position: Chess,
    keys: ZobristKeys,
    accumulator: Accumulator,
    /// Plies since the last irreversible move: a capture, a pawn move, a null move or the start of the game. No
    /// repetition reaches further back.
    reversible_plies: usize,
}

/// A game: every position from the first to the current one.
#[derive(Clone, Debug)]
pub struct Game {
    frames: Vec<Frame>,
    tables: Arc<Tables>,
}

impl Game {
    /// A game that begins at `start` and is evaluated with `tables`.
    pub fn new(start: Chess, tables: Arc<Tables>) -> Game {
        let first = Frame {
            keys: ZobristKeys::of(&start),
            accumulator: Accumulator::of(start.board(), &tables),
            position: start,
            reversible_plies: 0,
        };
        Game {
            frames: vec![first],
            tables,
        }
    }

    /// Makes room for `plies` more moves, so that playing them does not allocate.
    pub fn reserve(&mut self, plies: usize) {
        self.frames.reserve(plies);
    }

    /// Replaces the tables and recomputes the accumulator of every position.
    pub fn set_tables(&mut self, tables: Arc<Tables>) {
        for frame in &mut self.frames {
            frame.accumulator = Accumulator::of(frame.position.board(), &tables);
        }
        self.tables = tables;
    }

    /// A copy of the game without the positions before the last irreversible move. It is all that a search
    /// needs, and its size does not depend on the length of the game.
    pub fn recent(&self) -> Game {
        let kept = self.reversible_plies() + 1;
        Game {
            frames: self.frames[self.frames.len() - kept..].to_vec(),
            tables: Arc::clone(&self.tables),
        }
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

    /// The accumulator of the current position.
    pub fn accumulator(&self) -> Accumulator {
        self.top().accumulator
    }

    /// The static evaluation of the current position, from the point of view of the side to move.
    #[inline]
    pub fn evaluation(&self) -> Score {
        evaluate(self.top().accumulator, &self.tables, self.position().turn())
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
        self.frames[self.frames.len() - 1 - plies].keys.position
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
        after.reversible_plies = if m.is_zeroing() {
            0
        } else {
            before.reversible_plies + 1
        };
        self.update_accumulator(m, us);
        self.update_castling_and_en_passant_keys();
        debug_assert_eq!(
            self.keys(),
            ZobristKeys::of(self.position()),
            "the keys after {m:?}"
        );
        debug_assert_eq!(
            self.top().accumulator,
            Accumulator::of(self.position().board(), &self.tables),
            "the accumulator after {m:?}"
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
        after.keys.toggle_turn();
        if let Some(square) = before.position.legal_ep_square() {
            after.keys.toggle_en_passant(square);
        }
        after.reversible_plies = 0;
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
        let [.., before, after] = self.frames.as_mut_slice() else {
            unreachable!("a frame was just pushed on top of another")
        };
        (before, after)
    }

    /// Updates the accumulator after a move of `us`.
    #[inline]
    fn update_accumulator(&mut self, m: PackedMove, us: Color) {
        let Some(Frame {
            position,
            accumulator,
            ..
        }) = self.frames.last_mut()
        else {
            return;
        };
        let tables = &*self.tables;
        let mut update = AccumulatorUpdate {
            accumulator,
            tables,
        };
        for_each_piece_change(m, us, &mut update);
        if m.role() == Role::King
            && let Some(king) = position.board().king_of(us)
        {
            accumulator.follow_king(tables, position.board(), us, king);
        }
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
