//! What the search remembers of moves: which of them refuted something before.
//!
//! Each move that causes a cut-off earns a bonus, each one that was tried before it in vain a malus, and the
//! sums decide who is tried first and who is looked at less closely. They are kept in several tables, from
//! the general to the particular: a quiet move by its squares and whether they are attacked, wherever in the
//! tree (*butterfly*), by its piece and target among the pawns as they stand (*pawn*), and as a continuation
//! of the moves before it (*continuation*, one, two and four plies back); a capture by what takes what where.

use shakmaty::{Bitboard, Color};

use super::parameters::{HISTORY_BONUS_FACTOR, HISTORY_BONUS_LIMIT, HISTORY_BONUS_OFFSET};
use crate::position::packed_move::PackedMove;

/// Every history stays within this, either way.
pub const HISTORY_LIMIT: i32 = 16_384;

/// The bonus, or malus, for a decision at this depth.
pub fn bonus(depth: i32) -> i32 {
    (HISTORY_BONUS_FACTOR.get() * depth - HISTORY_BONUS_OFFSET.get()).min(HISTORY_BONUS_LIMIT.get())
}

/// The one rule by which every history learns: the step shrinks as the value nears its limit, so that it
/// never passes it and can still turn around ("history gravity").
#[inline]
pub(super) fn learn(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    let new = old + bonus - old * bonus.abs() / HISTORY_LIMIT;
    debug_assert!(
        new.abs() <= HISTORY_LIMIT,
        "history {old} with {bonus} left its bounds"
    );
    *value = new as i16;
}

/// Pieces of either color on any square.
const PIECES_TO: usize = 12 * 64;

/// A piece and the square that it came to: what the next moves know of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    /// No move: a pass, or none yet. Its number is that of a black pawn on a1, where none ever stands.
    pub const NONE: PieceTo = PieceTo(0);

    /// What a move of `turn` brings where. A pawn that promotes comes as what it becomes.
    #[inline]
    pub fn of(turn: Color, m: PackedMove) -> PieceTo {
        let piece = usize::from(turn) * 6 + m.arriving_number() - 1;
        PieceTo((piece * 64 + usize::from(m.to())) as u16)
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Default for PieceTo {
    fn default() -> PieceTo {
        PieceTo::NONE
    }
}

/// What the histories need to know of a node.
#[derive(Clone, Copy, Debug)]
pub struct HistoryContext {
    /// Who is to move.
    pub turn: Color,
    /// What was moved one, two and four plies before.
    pub before: [PieceTo; 3],
    /// The key of the pawns.
    pub pawns: u64,
    /// The squares that the enemy attacks. Only quiet moves ask for them.
    pub threats: Bitboard,
}

impl Default for HistoryContext {
    fn default() -> HistoryContext {
        HistoryContext::first(Color::White)
    }
}

impl HistoryContext {
    /// A node that no move led to.
    pub fn first(turn: Color) -> HistoryContext {
        HistoryContext {
            turn,
            before: [PieceTo::NONE; 3],
            pawns: 0,
            threats: Bitboard::EMPTY,
        }
    }
}

/// By origin and target.
type Butterfly = [[i16; 64]; 64];

/// How many positions of the pawns are told apart.
const PAWN_PLACES: usize = 512;

/// All histories.
#[derive(Clone, Debug)]
pub struct History {
    /// By side, by whether origin and target are attacked, by origin and target.
    butterfly: Box<[[Butterfly; 4]; 2]>,
    /// By the pawns, cut down to so many places, then the move.
    pawn: Box<[[i16; PIECES_TO]]>,
    /// By the move before, then the move.
    continuation: Box<[[i16; PIECES_TO]]>,
    /// By the capturing piece and its target, then the captured role.
    capture: Box<[[i16; 6]; PIECES_TO]>,
}

impl Default for History {
    fn default() -> History {
        History {
            butterfly: Box::new([[[[0; 64]; 64]; 4]; 2]),
            pawn: vec![[0; PIECES_TO]; PAWN_PLACES].into_boxed_slice(),
            continuation: vec![[0; PIECES_TO]; PIECES_TO].into_boxed_slice(),
            capture: Box::new([[0; 6]; PIECES_TO]),
        }
    }
}

impl History {
    /// Nothing learned yet.
    pub fn new() -> History {
        History::default()
    }

    /// The part of it that tells of quiet moves at a node.
    #[inline]
    pub fn of_node(&self, context: &HistoryContext) -> NodeHistory<'_> {
        NodeHistory {
            turn: context.turn,
            threats: context.threats,
            butterfly: &self.butterfly[usize::from(context.turn)],
            pawn: &self.pawn[pawn_place(context)],
            continuations: context
                .before
                .map(|before| &self.continuation[before.index()]),
        }
    }

    /// How well a capture or promotion did so far.
    #[inline]
    pub fn of_capture(&self, turn: Color, m: PackedMove) -> i32 {
        let (piece, victim) = capture_place(turn, m);
        i32::from(self.capture[piece][victim])
    }

    /// A quiet move gains or loses.
    pub fn update_quiet(&mut self, context: &HistoryContext, m: PackedMove, bonus: i32) {
        let (from, to) = squares(m);
        let moved = PieceTo::of(context.turn, m).index();
        let butterfly = &mut self.butterfly[usize::from(context.turn)];
        let threatened = threat_place(context.threats, m);
        learn(&mut butterfly[threatened][from][to], bonus);
        learn(&mut self.pawn[pawn_place(context)][moved], bonus);
        for before in context.before {
            if before != PieceTo::NONE {
                learn(&mut self.continuation[before.index()][moved], bonus);
            }
        }
    }

    /// A capture or promotion gains or loses.
    pub fn update_capture(&mut self, turn: Color, m: PackedMove, bonus: i32) {
        let (piece, victim) = capture_place(turn, m);
        learn(&mut self.capture[piece][victim], bonus);
    }
}

/// What the histories tell of the quiet moves of one node: looked up once, then asked for every move.
#[derive(Clone, Copy)]
pub struct NodeHistory<'a> {
    turn: Color,
    threats: Bitboard,
    butterfly: &'a [Butterfly; 4],
    pawn: &'a [i16; PIECES_TO],
    continuations: [&'a [i16; PIECES_TO]; 3],
}

impl NodeHistory<'_> {
    /// How well a quiet move did so far: the sum of five histories.
    #[inline]
    pub fn of_quiet(&self, m: PackedMove) -> i32 {
        let (from, to) = squares(m);
        let moved = PieceTo::of(self.turn, m).index();
        let [last, before, own] = self.continuations.map(|table| i32::from(table[moved]));
        i32::from(self.butterfly[threat_place(self.threats, m)][from][to])
            + i32::from(self.pawn[moved])
            + last
            + before
            + own
    }
}

/// Whether a move leaves an attacked square, and whether it goes to one.
#[inline]
fn threat_place(threats: Bitboard, m: PackedMove) -> usize {
    usize::from(threats.contains(m.from())) * 2 + usize::from(threats.contains(m.to()))
}

#[inline]
fn pawn_place(context: &HistoryContext) -> usize {
    context.pawns as usize % PAWN_PLACES
}

#[inline]
fn squares(m: PackedMove) -> (usize, usize) {
    (usize::from(m.from()), usize::from(m.to()))
}

/// A promotion that takes nothing stands where the captures of pawns on the last rank would.
#[inline]
fn capture_place(turn: Color, m: PackedMove) -> (usize, usize) {
    let victim = m.capture_number().saturating_sub(1);
    (PieceTo::of(turn, m).index(), victim)
}

/// Two quiet moves that refuted siblings of a node, the latest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Killers([Option<PackedMove>; 2]);

impl Killers {
    /// The moves, the latest first.
    pub fn moves(self) -> [Option<PackedMove>; 2] {
        self.0
    }

    /// Whether the move is one of them.
    pub fn contains(self, m: PackedMove) -> bool {
        self.0.contains(&Some(m))
    }

    /// A quiet move caused a cut-off.
    pub fn add(&mut self, m: PackedMove) {
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
    fn a_history_never_leaves_its_bounds_and_turns_around() {
        let mut value = 0;
        for _ in 0..1_000 {
            learn(&mut value, bonus(30));
        }
        assert!(i32::from(value) > HISTORY_LIMIT * 9 / 10);
        learn(&mut value, -bonus(30));
        let after_one_setback = value;
        assert!(i32::from(after_one_setback) < HISTORY_LIMIT * 9 / 10);
        for _ in 0..1_000 {
            learn(&mut value, -bonus(30));
        }
        assert!(i32::from(value) < -HISTORY_LIMIT * 9 / 10);
    }

    #[test]
    fn a_quiet_move_is_remembered_by_its_squares_by_the_pawns_and_as_a_continuation() {
        let mut history = History::new();
        let m = quiet_move(Square::G1, Square::F3);
        let before = PieceTo::of(Color::Black, quiet_move(Square::B8, Square::C6));
        let first = HistoryContext::first(Color::White);
        let after = HistoryContext {
            before: [before, PieceTo::NONE, PieceTo::NONE],
            ..first
        };
        let among_other_pawns = HistoryContext { pawns: 1, ..after };
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
    fn captures_are_remembered_by_what_they_take() {
        let mut history = History::new();
        let takes =
            |victim| PackedMove::normal(Role::Rook, Square::A1, Some(victim), Square::A5, None);
        history.update_capture(Color::White, takes(Role::Bishop), -300);
        assert_eq!(history.of_capture(Color::White, takes(Role::Bishop)), -300);
        assert_eq!(history.of_capture(Color::White, takes(Role::Knight)), 0);
        assert_eq!(history.of_capture(Color::Black, takes(Role::Bishop)), 0);
    }

    #[test]
    fn no_move_shares_its_place_with_none() {
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
