//! The game: a stack of positions, from the first to the current one.
//!
//! shakmaty plays moves but has no undo, so a move pushes a copy of the position (copy-make) and
//! taking it back pops it. Each position carries its Zobrist keys, which are updated with the move
//! because computing them from scratch at every node would cost too much, and the piece changes of
//! the move, from which an evaluation can be updated later.
//!
//! The rules of draws are in [`super::draws`].

use shakmaty::{Board, CastlingMode, Move, Position, Square};

use crate::position::packed_move::PackedMove;
use crate::position::piece_changes::{PieceChanges, for_each_piece_change};
use crate::position::rules::Variant;
use crate::position::variant_position::VariantPosition;
use crate::position::zobrist::{ZobristKeys, is_checked_afresh, rules_key};

#[derive(Clone, Debug)]
struct Frame {
    position: VariantPosition,
    keys: ZobristKeys,
    /// Plies since the last irreversible move: a capture, a pawn move that can't be undone, a null
    /// move or the start of the game. No repetition reaches further back.
    reversible_plies: usize,
}

/// A game: every position from the first to the current one.
#[derive(Clone, Debug)]
pub struct Game {
    frames: Vec<Frame>,
    /// The Zobrist key of each frame once more, close together: the rules of repetition look back
    /// at many of them.
    repetition_keys: Vec<u64>,
    /// What the move that led to each frame has changed: nothing for a null move and in the first
    /// position.
    changes: Vec<PieceChanges>,
}

impl Game {
    /// A game that begins at `start`.
    pub fn new(start: impl Into<VariantPosition>) -> Game {
        let start = start.into();
        let first = Frame {
            keys: ZobristKeys::of(&start),
            position: start,
            reversible_plies: 0,
        };
        Game {
            repetition_keys: vec![first.keys.position],
            changes: vec![PieceChanges::new()],
            frames: vec![first],
        }
    }

    /// Makes room for `plies` more moves, so that playing them does not allocate.
    pub fn reserve(&mut self, plies: usize) {
        self.frames.reserve(plies);
        self.repetition_keys.reserve(plies);
        self.changes.reserve(plies);
    }

    /// A copy of the game without the positions before the last irreversible move. It is all that a
    /// search needs, and its size does not depend on the length of the game.
    pub fn recent(&self) -> Game {
        let kept = self.reversible_plies() + 1;
        let first = self.frames.len() - kept;
        Game {
            frames: self.frames[first..].to_vec(),
            repetition_keys: self.repetition_keys[first..].to_vec(),
            changes: self.changes[first..].to_vec(),
        }
    }

    /// The current position.
    #[inline]
    pub fn position(&self) -> &VariantPosition {
        &self.top().position
    }

    /// The Zobrist key of the current position: equal for positions that count as repetitions of
    /// each other.
    #[inline]
    pub fn key(&self) -> u64 {
        self.top().keys.position
    }

    /// All Zobrist keys of the current position, including those of its pawns and pieces.
    #[inline]
    pub fn keys(&self) -> ZobristKeys {
        self.top().keys
    }

    /// What the move that was played `plies` moves before the last one has changed, and the boards
    /// before and after it.
    #[inline]
    pub(crate) fn move_before(&self, plies: usize) -> (&PieceChanges, [&Board; 2]) {
        let after = self.frames.len() - 1 - plies;
        let [before, after] = &self.frames[after - 1..=after] else {
            unreachable!("two frames are two frames")
        };
        let boards = [before, after].map(|frame| frame.position.board());
        (&self.changes[self.changes.len() - 1 - plies], boards)
    }

    /// The square that a piece came to with the move that was played `plies` moves before the last
    /// one, the king's if it castled; `None` if it isn't known: no game reaches further back than
    /// its last irreversible move.
    pub(crate) fn arrival(&self, plies: usize) -> Option<Square> {
        let is_known = plies <= self.reversible_plies();
        let last = self.changes.len() - 1;
        let changes = self
            .changes
            .get(last.checked_sub(plies)?)
            .filter(|_| is_known)?;
        changes.iter().find_map(|change| change.to)
    }

    /// Whether moves are written as in standard chess or as in Chess960 (castling as king takes
    /// rook).
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

    /// Plays a legal move. As early as possible, `prefetch` is called with the key of the position
    /// after the move, to fetch its transposition table entry meanwhile. That key leaves out
    /// changes of castling rights and en passant squares, so for a few moves it is wrong.
    #[inline]
    pub(crate) fn make_move(&mut self, m: PackedMove, prefetch: impl FnOnce(u64)) {
        let (before, after) = self.push_copy();
        after.keys.toggle_turn();
        let mut changes = PieceChanges::new();
        for_each_piece_change(&before.position, m, |change| {
            after.keys.apply(change);
            changes.push(change);
        });
        prefetch(after.keys.position);
        let is_zeroing = before.position.is_zeroing(m);
        after.position.play_unchecked(m.into());
        after.reversible_plies = if is_zeroing {
            0
        } else {
            before.reversible_plies + 1
        };
        self.changes.push(changes);
        self.update_keys_of_rights();
        self.repetition_keys.push(self.key());
        self.check_keys(Some(m));
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
            .pass()
            .expect("a side that is not in check may pass");
        after.keys.toggle_turn();
        if let Some(square) = before.position.legal_ep_square() {
            after.keys.toggle_en_passant(square, before.position.turn());
        }
        after.keys.position ^= rules_key(&before.position) ^ rules_key(&after.position);
        after.reversible_plies = 0;
        self.changes.push(PieceChanges::new());
        self.repetition_keys.push(self.key());
        self.check_keys(None);
    }

    /// Asserts in debug builds that the keys are those of the position to which a move or, without
    /// one, a null move has led.
    #[inline]
    fn check_keys(&self, last_move: Option<PackedMove>) {
        if is_checked_afresh(self.key()) {
            let expected = ZobristKeys::of(self.position());
            assert_eq!(self.keys(), expected, "the keys after {last_move:?}");
        }
    }

    /// Takes back the last move or null move.
    #[inline]
    pub fn unmake_move(&mut self) {
        debug_assert!(self.frames.len() > 1, "there is no move to take back");
        self.frames.pop();
        self.repetition_keys.pop();
        self.changes.pop();
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

    /// Updates the key of the position after a move that changes what the next moves may be:
    /// castling rights, the en passant square, or whether it is time to castle.
    #[inline]
    fn update_keys_of_rights(&mut self) {
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
                after.keys.toggle_en_passant(square, position.turn());
            }
        }
        if after.position.variant() != Variant::Chess {
            after.keys.position ^= rules_key(&before.position) ^ rules_key(&after.position);
        }
    }
}
