//! What the search remembers of quiet moves: which of them refuted something before.
//!
//! Captures order themselves by what they take. Quiet moves don't; so each one that causes a cut-off earns
//! a bonus, each one that was tried before it in vain a malus, and the sums decide who is tried first.

use shakmaty::{Color, Move};

/// Histories stay within this, either way.
pub const HISTORY_LIMIT: i32 = 16_384;

const BONUS_FACTOR: i32 = 16;
const BONUS_LIMIT: i32 = 1_600;

/// The bonus, or malus, for a decision at this depth.
pub fn bonus(depth: i32) -> i32 {
    (BONUS_FACTOR * depth * depth).min(BONUS_LIMIT)
}

/// The one rule by which every history learns: the step shrinks as the value nears its limit, so that it
/// never passes it and can still turn around ("history gravity").
fn learn(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    let new = old + bonus - old * bonus.abs() / HISTORY_LIMIT;
    debug_assert!(
        new.abs() <= HISTORY_LIMIT,
        "history {old} with {bonus} left its bounds"
    );
    *value = new as i16;
}

/// Butterfly history: by side, origin and target, wherever in the tree.
#[derive(Clone, Debug)]
pub struct History {
    butterfly: Box<[[[i16; 64]; 64]; 2]>,
}

impl Default for History {
    fn default() -> History {
        History {
            butterfly: Box::new([[[0; 64]; 64]; 2]),
        }
    }
}

impl History {
    /// Nothing learned yet.
    pub fn new() -> History {
        History::default()
    }

    /// How well a quiet move did so far: -[`HISTORY_LIMIT`] to [`HISTORY_LIMIT`].
    #[inline]
    pub fn of(&self, turn: Color, m: Move) -> i32 {
        let (from, to) = squares(m);
        i32::from(self.butterfly[usize::from(turn)][from][to])
    }

    /// A quiet move caused a cut-off at this depth; those tried before it did not.
    pub fn reward(&mut self, turn: Color, best: Move, tried_before: &[Move], depth: i32) {
        let bonus = bonus(depth);
        self.update(turn, best, bonus);
        for m in tried_before {
            self.update(turn, *m, -bonus);
        }
    }

    fn update(&mut self, turn: Color, m: Move, bonus: i32) {
        let (from, to) = squares(m);
        learn(&mut self.butterfly[usize::from(turn)][from][to], bonus);
    }
}

#[inline]
fn squares(m: Move) -> (usize, usize) {
    let to = m.to();
    (usize::from(m.from().unwrap_or(to)), usize::from(to))
}

/// Two quiet moves that refuted siblings of a node, the latest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Killers([Option<Move>; 2]);

impl Killers {
    /// The moves, the latest first.
    pub fn moves(self) -> [Option<Move>; 2] {
        self.0
    }

    /// Whether the move is one of them.
    pub fn contains(self, m: Move) -> bool {
        self.0.contains(&Some(m))
    }

    /// A quiet move caused a cut-off.
    pub fn add(&mut self, m: Move) {
        if self.0[0] != Some(m) {
            self.0 = [Some(m), self.0[0]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Role, Square};

    fn quiet_move(from: Square, to: Square) -> Move {
        Move::Normal {
            role: Role::Knight,
            from,
            capture: None,
            to,
            promotion: None,
        }
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
    fn the_refutation_gains_what_the_moves_before_it_lose() {
        let mut history = History::new();
        let best = quiet_move(Square::G1, Square::F3);
        let other = quiet_move(Square::B1, Square::C3);
        history.reward(Color::White, best, &[other], 5);
        assert_eq!(history.of(Color::White, best), bonus(5));
        assert_eq!(history.of(Color::White, other), -bonus(5));
        assert_eq!(history.of(Color::Black, best), 0);
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
