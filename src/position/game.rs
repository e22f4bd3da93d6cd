//! The game so far and the line that the search is looking at: a stack of positions.
//!
//! shakmaty plays moves but does not take them back, so the game keeps every position it came through
//! and undoing is popping. Beside each position stand two values that would be dear to compute anew at
//! every node and are kept up move by move: its Zobrist keys and the running accumulator of the evaluation.

use std::sync::Arc;

use shakmaty::{CastlingMode, CastlingSide, Chess, Color, Move, Position, Role, Square, attacks};

use crate::evaluation::{Accumulator, Tables, evaluate};
use crate::position::cuckoo::reversible_move_between;
use crate::position::movegen::has_legal_move;
use crate::position::packed_move::PackedMove;
use crate::position::zobrist::ZobristKeys;
use crate::score::Score;

/// Halfmoves without capture or pawn move after which the game is drawn.
const FIFTY_MOVES: u32 = 100;

#[derive(Clone, Debug)]
struct Frame {
    position: Chess,
    keys: ZobristKeys,
    accumulator: Accumulator,
    /// Moves back to the last one that no repetition reaches across: a capture, a pawn move, a null move
    /// or the start of the record.
    reversible: usize,
}

/// A game: every position from its start to the one at hand.
#[derive(Clone, Debug)]
pub struct Game {
    frames: Vec<Frame>,
    tables: Arc<Tables>,
}

impl Game {
    /// A game that starts from a position and is judged by these tables.
    pub fn new(start: Chess, tables: Arc<Tables>) -> Game {
        let first = Frame {
            keys: ZobristKeys::of(&start),
            accumulator: Accumulator::of(start.board(), &tables),
            position: start,
            reversible: 0,
        };
        Game {
            frames: vec![first],
            tables,
        }
    }

    /// Makes room for `plies` more moves, so that none of them allocates.
    pub fn reserve(&mut self, plies: usize) {
        self.frames.reserve(plies);
    }

    /// Judges the game by other tables.
    pub fn set_tables(&mut self, tables: Arc<Tables>) {
        for frame in &mut self.frames {
            frame.accumulator = Accumulator::of(frame.position.board(), &tables);
        }
        self.tables = tables;
    }

    /// A copy of the game that goes back only as far as a repetition can: all that a search needs, however
    /// long the game was.
    pub fn recent(&self) -> Game {
        let reached = self.top().reversible + 1;
        Game {
            frames: self.frames[self.frames.len() - reached..].to_vec(),
            tables: Arc::clone(&self.tables),
        }
    }

    /// The position at hand.
    #[inline]
    pub fn position(&self) -> &Chess {
        &self.top().position
    }

    /// The tables by which it is judged.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Its Zobrist key: equal for positions that count as repetitions of each other.
    #[inline]
    pub fn key(&self) -> u64 {
        self.top().keys.position
    }

    /// All its keys, those of its parts too.
    #[inline]
    pub fn keys(&self) -> ZobristKeys {
        self.top().keys
    }

    /// The running accumulator of its evaluation.
    pub fn accumulator(&self) -> Accumulator {
        self.top().accumulator
    }

    /// Its evaluation from the view of the side to move.
    #[inline]
    pub fn evaluation(&self) -> Score {
        evaluate(self.top().accumulator, &self.tables, self.position().turn())
    }

    /// Whether castling is written king-takes-rook.
    pub fn castling_mode(&self) -> CastlingMode {
        self.position().castles().mode()
    }

    /// Plays a legal move.
    ///
    /// # Panics
    ///
    /// If it is a drop, which standard chess doesn't have.
    pub fn play(&mut self, m: Move) {
        let m = PackedMove::new(m).expect("standard chess drops no pieces");
        self.make_move(m, |_| ());
    }

    /// Plays a legal move. Before most of the work is done, `foretell` is told the key that the move leads to,
    /// but for castling rights and en passant: wrong for a few moves, and early enough to fetch what will be
    /// asked for by it.
    #[inline]
    pub fn make_move(&mut self, m: PackedMove, foretell: impl FnOnce(u64)) {
        let (before, after) = self.grow();
        let us = before.position.turn();
        after.keys.toggle_turn();
        follow(m, us, &mut after.keys);
        foretell(after.keys.position);
        after.position.play_unchecked(m.into());
        after.reversible = if m.is_zeroing() {
            0
        } else {
            before.reversible + 1
        };
        self.update_sums(m, us);
        self.update_rights();
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

    /// Passes the turn to the other side. The side to move must not be in check.
    ///
    /// # Panics
    ///
    /// If it is in check: shakmaty refuses the position that would result.
    pub fn make_null_move(&mut self) {
        let (before, after) = self.grow();
        after.position = before
            .position
            .clone()
            .swap_turn()
            .expect("a side that is not in check may pass");
        after.keys.toggle_turn();
        if let Some(square) = before.position.legal_ep_square() {
            after.keys.toggle_en_passant(square);
        }
        after.reversible = 0;
        debug_assert_eq!(
            self.keys(),
            ZobristKeys::of(self.position()),
            "the keys after a null move"
        );
    }

    /// Takes the last move back, null or not.
    #[inline]
    pub fn unmake_move(&mut self) {
        debug_assert!(self.frames.len() > 1, "there is no move to take back");
        self.frames.pop();
    }

    /// Whether the game is drawn for the search, `ply` moves after its root: by repetition, by the
    /// fifty-move rule, or because neither side can mate. Stalemate is left to whoever generates moves.
    ///
    /// A position that came up before, inside the tree, counts at once: whoever could avoid it the second
    /// time could have avoided it the first. One from before the root must come up a third time.
    #[inline]
    pub fn is_draw(&self, ply: usize) -> bool {
        self.is_repetition(ply) || self.is_draw_by_fifty_moves() || self.is_insufficient_material()
    }

    /// Whether the side to move could bring a position up again that stood on the board since the root, `ply`
    /// moves ago: then it holds a draw at least. Whether the move would leave its king in check is not asked.
    #[inline]
    pub fn has_upcoming_repetition(&self, ply: usize) -> bool {
        let last = self.frames.len() - 1;
        let farthest = self.top().reversible.min(ply);
        let occupied = self.position().board().occupied();
        (3..=farthest).step_by(2).any(|distance| {
            let earlier = self.frames[last - distance].keys.position;
            reversible_move_between(self.key(), earlier)
                .is_some_and(|(from, to)| (attacks::between(from, to) & occupied).is_empty())
        })
    }

    /// How often the position at hand came up before in the game, itself not counted.
    pub fn earlier_occurrences(&self) -> usize {
        self.distances_back().count()
    }

    /// Whether neither side has the material to mate.
    #[inline]
    pub fn is_insufficient_material(&self) -> bool {
        let position = self.position();
        let board = position.board();
        (board.pawns() | board.rooks_and_queens()).is_empty() && position.is_insufficient_material()
    }

    fn is_repetition(&self, ply: usize) -> bool {
        if self.top().reversible < 4 {
            return false;
        }
        let mut before_root = 0;
        for distance in self.distances_back() {
            if distance <= ply {
                return true;
            }
            before_root += 1;
        }
        before_root >= 2
    }

    /// Fifty moves each without progress; a mate on the last of them still counts.
    fn is_draw_by_fifty_moves(&self) -> bool {
        let is_mated = || self.position().is_check() && !has_legal_move(self.position());
        self.position().halfmoves() >= FIFTY_MOVES && !is_mated()
    }

    /// The distances, in moves, to the earlier occurrences of the position at hand.
    fn distances_back(&self) -> impl Iterator<Item = usize> {
        let last = self.frames.len() - 1;
        let key = self.key();
        (4..=self.top().reversible)
            .step_by(2)
            .filter(move |distance| self.frames[last - distance].keys.position == key)
    }

    #[inline]
    fn top(&self) -> &Frame {
        self.frames
            .last()
            .expect("a game has at least its first position")
    }

    /// Pushes a copy of the position at hand; gives the original and the copy.
    #[inline]
    fn grow(&mut self) -> (&Frame, &mut Frame) {
        let last = self.frames.len() - 1;
        self.frames.extend_from_within(last..);
        let [.., before, after] = self.frames.as_mut_slice() else {
            unreachable!("a frame was just pushed on top of another")
        };
        (before, after)
    }

    /// Brings the accumulator up to date with what a move of `us` did to the pieces.
    #[inline]
    fn update_sums(&mut self, m: PackedMove, us: Color) {
        let Some(Frame {
            position,
            accumulator,
            ..
        }) = self.frames.last_mut()
        else {
            return;
        };
        let tables = &*self.tables;
        follow(
            m,
            us,
            &mut Weighing {
                accumulator,
                tables,
            },
        );
        if m.role() == Role::King
            && let Some(king) = position.board().king_of(us)
        {
            accumulator.follow_king(tables, position.board(), us, king);
        }
    }

    /// Brings the key up to date with the castling rights and the en passant square.
    #[inline]
    fn update_rights(&mut self) {
        let [.., before, after] = self.frames.as_mut_slice() else {
            return;
        };
        let lost = before.position.castles().castling_rights()
            ^ after.position.castles().castling_rights();
        if lost.any() {
            after.keys.toggle_castling(&before.position);
            after.keys.toggle_castling(&after.position);
        }
        for frame in [&before.position, &after.position] {
            if frame.maybe_ep_square().is_some()
                && let Some(square) = frame.legal_ep_square()
            {
                after.keys.toggle_en_passant(square);
            }
        }
    }
}

/// What is kept up while pieces come and go.
trait Follower {
    /// A piece leaves the board, or the square on which it becomes another.
    fn leaves(&mut self, color: Color, role: Role, from: Square);
    /// A piece appears.
    fn appears(&mut self, color: Color, role: Role, to: Square);
    /// A piece goes from a square to another.
    fn goes(&mut self, color: Color, role: Role, from: Square, to: Square);
}

impl Follower for ZobristKeys {
    #[inline(always)]
    fn leaves(&mut self, color: Color, role: Role, from: Square) {
        self.toggle_piece(color, role, from);
    }

    #[inline(always)]
    fn appears(&mut self, color: Color, role: Role, to: Square) {
        self.toggle_piece(color, role, to);
    }

    #[inline(always)]
    fn goes(&mut self, color: Color, role: Role, from: Square, to: Square) {
        self.shift_piece(color, role, from, to);
    }
}

/// The running accumulator with the tables that they are made of.
struct Weighing<'a> {
    accumulator: &'a mut Accumulator,
    tables: &'a Tables,
}

impl Follower for Weighing<'_> {
    #[inline(always)]
    fn leaves(&mut self, color: Color, role: Role, from: Square) {
        self.accumulator.remove(self.tables, color, role, from);
    }

    #[inline(always)]
    fn appears(&mut self, color: Color, role: Role, to: Square) {
        self.accumulator.place(self.tables, color, role, to);
    }

    #[inline(always)]
    fn goes(&mut self, color: Color, role: Role, from: Square, to: Square) {
        self.accumulator.shift(self.tables, color, role, from, to);
    }
}

/// Tells a follower all that a move of `us` does to the pieces.
#[inline(always)]
fn follow(m: PackedMove, us: Color, follower: &mut impl Follower) {
    let (role, from, to) = (m.role(), m.from(), m.to());
    if m.is_castle() {
        let side = CastlingSide::from_king_side(from < to);
        follower.goes(us, Role::King, from, side.king_to(us));
        follower.goes(us, Role::Rook, to, side.rook_to(us));
        return;
    }
    if let Some(captured) = m.capture() {
        let square = if m.is_en_passant() {
            Square::from_coords(to.file(), from.rank())
        } else {
            to
        };
        follower.leaves(!us, captured, square);
    }
    match m.promotion() {
        None => follower.goes(us, role, from, to),
        Some(promoted) => {
            follower.leaves(us, role, from);
            follower.appears(us, promoted, to);
        }
    }
}
