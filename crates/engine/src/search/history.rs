//! Move histories: how often a move was good before, anywhere in the tree.
//!
//! A move that causes a cutoff earns a bonus. The captures searched before it get a malus and, if
//! it is quiet, the quiet moves too. The sum of its histories decides when a move is searched, and
//! whether it is pruned or reduced. There are several histories, from general to specific. Of quiet
//! moves: *butterfly history* (from, to, and whether these squares are attacked), *pawn history*
//! (pawn structure, piece, to) and *continuation history* (piece and to, after the moves one, two
//! and four plies before). Of captures: *capture history* (piece, to, captured piece). *Killer
//! moves* are quiet moves that cut off siblings of a node.

use shakmaty::{Bitboard, Color, Square};

use super::tunable::parameters;
use crate::position::packed_move::PackedMove;

parameters! {
    /// History bonus: for each ply of depth, in history points (the unit of the entries, see
    /// [`HISTORY_LIMIT`]).
    HISTORY_BONUS_FACTOR = 188, 50 to 400;
    /// History bonus: subtracted from the sum over all plies, in history points.
    HISTORY_BONUS_OFFSET = 79, 0 to 300;
    /// History bonus: the maximum, in history points.
    HISTORY_BONUS_LIMIT = 1_950, 500 to 4_000;
}

/// The greatest absolute value of a history entry, in history points.
pub(super) const HISTORY_LIMIT: i32 = 16_384;

/// The bonus of a cutoff at this depth, in plies, in history points; the malus of the moves before
/// it is as large.
pub(super) fn bonus(depth: i32) -> i32 {
    (HISTORY_BONUS_FACTOR.get() * depth - HISTORY_BONUS_OFFSET.get()).min(HISTORY_BONUS_LIMIT.get())
}

/// Adds a bonus to a history entry (*history gravity*): the step shrinks as the entry approaches
/// its limit, so that it never exceeds it and recent cutoffs outweigh old ones.
#[inline]
pub(super) fn add_bonus(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    let new = old + bonus - old * bonus.abs() / HISTORY_LIMIT;
    debug_assert!(
        new.abs() <= HISTORY_LIMIT,
        "history entry {old} left its bounds with a bonus of {bonus}"
    );
    *value = new as i16;
}

/// The number of pieces, of either color, times squares.
const PIECES_TO: usize = 12 * 64;

/// A piece and the square that it moved to: the index of a move in continuation histories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    /// No move: a null move, or none yet. Its index is that of a black pawn on a1, where no pawn
    /// ever stands.
    pub(super) const NONE: PieceTo = PieceTo(0);

    /// The piece of `turn` that a move brings to its target square. A pawn that promotes counts as
    /// the new piece.
    #[inline]
    pub(super) fn of(turn: Color, m: PackedMove) -> PieceTo {
        let piece = usize::from(turn) * 6 + m.arriving_number() - 1;
        PieceTo((piece * 64 + usize::from(m.to())) as u16)
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The target square; a1 for no move.
    pub(super) fn square(self) -> Square {
        Square::new(u32::from(self.0) % 64)
    }
}

impl Default for PieceTo {
    fn default() -> PieceTo {
        PieceTo::NONE
    }
}

/// What the histories need to know about a node.
#[derive(Clone, Copy, Debug)]
pub struct HistoryContext {
    /// The side to move.
    pub(super) turn: Color,
    /// The moves one, two and four plies before.
    pub(super) before: [PieceTo; 3],
    /// The Zobrist key of the pawns.
    pub(super) pawn_key: u64,
    /// The squares that the enemy attacks. Only the history of quiet moves depends on them.
    pub(super) threats: Bitboard,
}

impl Default for HistoryContext {
    fn default() -> HistoryContext {
        HistoryContext::first(Color::White)
    }
}

impl HistoryContext {
    /// The context of a node without earlier moves.
    pub fn first(turn: Color) -> HistoryContext {
        HistoryContext {
            turn,
            before: [PieceTo::NONE; 3],
            pawn_key: 0,
            threats: Bitboard::EMPTY,
        }
    }
}

/// A history by from and to square.
type Butterfly = [[i16; 64]; 64];

/// The number of entries for pawn structures, by their keys.
const PAWN_HISTORY_SIZE: usize = 512;

/// All histories.
#[derive(Clone, Debug)]
pub struct History {
    /// By side to move, by whether the from and to squares are attacked, by from and to square.
    butterfly: Box<[[Butterfly; 4]; 2]>,
    /// By pawn structure, then piece and to square.
    pawn: Box<[[i16; PIECES_TO]]>,
    /// By the earlier move, then the move.
    continuation: Box<[[i16; PIECES_TO]]>,
    /// By the capturing piece and its to square, then the captured role.
    capture: Box<[[i16; 6]; PIECES_TO]>,
}

impl Default for History {
    fn default() -> History {
        History {
            butterfly: Box::new([[[[0; 64]; 64]; 4]; 2]),
            pawn: vec![[0; PIECES_TO]; PAWN_HISTORY_SIZE].into_boxed_slice(),
            continuation: vec![[0; PIECES_TO]; PIECES_TO].into_boxed_slice(),
            capture: Box::new([[0; 6]; PIECES_TO]),
        }
    }
}

impl History {
    /// Histories of zero.
    pub fn new() -> History {
        History::default()
    }

    /// Sets all histories to zero.
    pub(super) fn clear(&mut self) {
        self.butterfly.as_flattened_mut().fill([[0; 64]; 64]);
        self.pawn.fill([0; PIECES_TO]);
        self.continuation.fill([0; PIECES_TO]);
        self.capture.fill([0; 6]);
    }

    /// The histories of the quiet moves of a node.
    #[inline]
    pub(super) fn of_node(&self, context: &HistoryContext) -> NodeHistory<'_> {
        NodeHistory {
            turn: context.turn,
            threats: context.threats,
            butterfly: &self.butterfly[usize::from(context.turn)],
            pawn: &self.pawn[pawn_index(context)],
            continuations: context
                .before
                .map(|before| &self.continuation[before.index()]),
        }
    }

    /// The history of a capture or promotion.
    #[inline]
    pub(super) fn of_capture(&self, turn: Color, m: PackedMove) -> i32 {
        let (piece, victim) = capture_index(turn, m);
        i32::from(self.capture[piece][victim])
    }

    /// The history of any move. Captures have one history where quiet moves have five, so it counts
    /// twice.
    pub(super) fn of_move(&self, m: PackedMove, context: &HistoryContext) -> i32 {
        if m.is_tactical() {
            2 * self.of_capture(context.turn, m)
        } else {
            self.of_node(context).of_quiet(m)
        }
    }

    /// Adds a bonus, or a malus if it is negative, to all histories of a quiet move.
    pub(super) fn update_quiet(&mut self, context: &HistoryContext, m: PackedMove, bonus: i32) {
        let (from, to) = squares(m);
        let moved = PieceTo::of(context.turn, m).index();
        let butterfly = &mut self.butterfly[usize::from(context.turn)];
        let threatened = threat_index(context.threats, m);
        add_bonus(&mut butterfly[threatened][from][to], bonus);
        add_bonus(&mut self.pawn[pawn_index(context)][moved], bonus);
        // The three count together, so the step shrinks as their sum approaches its limit (as in
        // Clockwork and Sirius).
        let entry = |before: &PieceTo| i32::from(self.continuation[before.index()][moved]);
        let sum: i32 = context.before.iter().map(entry).sum();
        for before in context.before {
            if before != PieceTo::NONE {
                let entry = &mut self.continuation[before.index()][moved];
                let step = bonus - sum / 2 * bonus.abs() / HISTORY_LIMIT;
                let new = i32::from(*entry) + step;
                *entry = new.clamp(-HISTORY_LIMIT, HISTORY_LIMIT) as i16;
            }
        }
    }

    /// Adds a bonus, or a malus if it is negative, to the history of a capture or promotion.
    pub(super) fn update_capture(&mut self, turn: Color, m: PackedMove, bonus: i32) {
        let (piece, victim) = capture_index(turn, m);
        add_bonus(&mut self.capture[piece][victim], bonus);
    }
}

/// The histories of the quiet moves of one node: what depends on the node alone is looked up once.
#[derive(Clone, Copy)]
pub(super) struct NodeHistory<'a> {
    turn: Color,
    threats: Bitboard,
    butterfly: &'a [Butterfly; 4],
    pawn: &'a [i16; PIECES_TO],
    continuations: [&'a [i16; PIECES_TO]; 3],
}

impl NodeHistory<'_> {
    /// The history of a quiet move: the sum of butterfly, pawn and three continuation histories.
    #[inline]
    pub(super) fn of_quiet(&self, m: PackedMove) -> i32 {
        let (from, to) = squares(m);
        let moved = PieceTo::of(self.turn, m).index();
        let [one_ply, two_plies, four_plies] =
            self.continuations.map(|entries| i32::from(entries[moved]));
        i32::from(self.butterfly[threat_index(self.threats, m)][from][to])
            + i32::from(self.pawn[moved])
            + one_ply
            + two_plies
            + four_plies
    }
}

/// The index of the butterfly history by whether a move leaves an attacked square, and whether it
/// goes to one.
#[inline]
fn threat_index(threats: Bitboard, m: PackedMove) -> usize {
    usize::from(threats.contains(m.from())) * 2 + usize::from(threats.contains(m.to()))
}

#[inline]
fn pawn_index(context: &HistoryContext) -> usize {
    context.pawn_key as usize % PAWN_HISTORY_SIZE
}

#[inline]
fn squares(m: PackedMove) -> (usize, usize) {
    (usize::from(m.from()), usize::from(m.to()))
}

/// The indices of a capture or promotion in the capture history. A promotion that captures nothing
/// counts as the capture of a pawn, which never stands on the last rank.
#[inline]
fn capture_index(turn: Color, m: PackedMove) -> (usize, usize) {
    let victim = m.capture_number().saturating_sub(1);
    (PieceTo::of(turn, m).index(), victim)
}

/// Killer moves: the two quiet moves that last cut off siblings of a node, the latest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Killers([Option<PackedMove>; 2]);

impl Killers {
    /// The moves, the latest first.
    pub(super) fn moves(self) -> [Option<PackedMove>; 2] {
        self.0
    }

    /// Whether the move is one of them.
    pub(super) fn contains(self, m: PackedMove) -> bool {
        self.0.contains(&Some(m))
    }

    /// Adds a quiet move that caused a cutoff.
    pub(super) fn add(&mut self, m: PackedMove) {
        if self.0[0] != Some(m) {
            self.0 = [Some(m), self.0[0]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Role, Square};

    fn quiet_move(from: Square, to: Square) -> PackedMove {
        PackedMove::normal(Role::Knight, from, None, to, None)
    }

    #[test]
    fn a_history_entry_stays_within_its_bounds_and_can_change_its_sign() {
        let mut value = 0;
        for _ in 0..1_000 {
            add_bonus(&mut value, bonus(30));
        }
        assert!(i32::from(value) > HISTORY_LIMIT * 9 / 10);
        add_bonus(&mut value, -bonus(30));
        let after_one_setback = value;
        assert!(i32::from(after_one_setback) < HISTORY_LIMIT * 9 / 10);
        for _ in 0..1_000 {
            add_bonus(&mut value, -bonus(30));
        }
        assert!(i32::from(value) < -HISTORY_LIMIT * 9 / 10);
    }

    #[test]
    fn quiet_history_is_the_sum_of_butterfly_pawn_and_continuation_history() {
        let mut history = History::new();
        let m = quiet_move(Square::G1, Square::F3);
        let before = PieceTo::of(Color::Black, quiet_move(Square::B8, Square::C6));
        let first = HistoryContext::first(Color::White);
        let after = HistoryContext {
            before: [before, PieceTo::NONE, PieceTo::NONE],
            ..first
        };
        let among_other_pawns = HistoryContext {
            pawn_key: 1,
            ..after
        };
        let from_attacked = HistoryContext {
            threats: Bitboard::from_square(Square::G1),
            ..after
        };
        history.update_quiet(&after, m, 500);
        for (context, expected) in [
            (after, 1_500),
            (first, 1_000),
            (among_other_pawns, 1_000),
            (from_attacked, 1_000),
            (HistoryContext::first(Color::Black), 0),
        ] {
            assert_eq!(history.of_node(&context).of_quiet(m), expected);
        }
    }

    #[test]
    fn capture_history_depends_on_the_captured_piece() {
        let mut history = History::new();
        let takes =
            |victim| PackedMove::normal(Role::Rook, Square::A1, Some(victim), Square::A5, None);
        history.update_capture(Color::White, takes(Role::Bishop), -300);
        assert_eq!(history.of_capture(Color::White, takes(Role::Bishop)), -300);
        assert_eq!(history.of_capture(Color::White, takes(Role::Knight)), 0);
        assert_eq!(history.of_capture(Color::Black, takes(Role::Bishop)), 0);
    }

    #[test]
    fn no_move_has_the_index_of_none() {
        for role in Role::ALL {
            let promotion = (role != Role::Pawn && role != Role::King).then_some(role);
            let moving = promotion.map_or(Role::King, |_| Role::Pawn);
            let to_a1 = PackedMove::normal(moving, Square::A2, None, Square::A1, promotion);
            assert_ne!(PieceTo::of(Color::Black, to_a1), PieceTo::NONE);
        }
    }

    #[test]
    fn killers_keep_the_two_latest_and_no_move_twice() {
        let [a, b, c] = [Square::F3, Square::C3, Square::H3].map(|to| quiet_move(Square::G1, to));
        let mut killers = Killers::default();
        for m in [a, b, b] {
            killers.add(m);
        }
        assert_eq!(killers.moves(), [Some(b), Some(a)]);
        killers.add(c);
        assert_eq!(killers.moves(), [Some(c), Some(b)]);
        assert!(!killers.contains(a));
    }
}
