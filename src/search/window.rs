//! The alpha-beta window: the range of scores that still matter.
//!
//! A score at or below alpha is too bad for the side to move (it has better elsewhere), one at or above
//! beta too good to be allowed by the other side. Only a score in between is exact.

use crate::score::Score;

/// An open range of scores, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    alpha: Score,
    beta: Score,
}

/// What a score says about the true value of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is this or more: the search failed high.
    Lower,
    /// The true value is this or less: the search failed low.
    Upper,
    /// The true value is this.
    Exact,
}

impl Bound {
    /// Whether a score with this bound settles a question asked with `window`.
    pub fn settles(self, score: Score, window: Window) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        }
    }

    /// Whether a score with this bound says more of the true value than an estimate does: it is exact, or
    /// the estimate lies on the wrong side of it.
    #[inline]
    pub fn tells_more(self, score: Score, estimate: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score > estimate,
            Bound::Upper => score < estimate,
        }
    }
}

impl Window {
    /// Every score there is.
    pub fn full() -> Window {
        Window {
            alpha: Score::LOWEST.next_down(),
            beta: Score::HIGHEST.next_up(),
        }
    }

    /// The scores between two bounds, both excluded.
    pub fn new(alpha: Score, beta: Score) -> Window {
        debug_assert!(alpha < beta, "an empty window from {alpha} to {beta}");
        Window { alpha, beta }
    }

    /// A window that only asks whether a score exceeds `alpha`.
    pub fn above(alpha: Score) -> Window {
        Window {
            alpha,
            beta: alpha.next_up(),
        }
    }

    /// A window that only asks whether a score reaches `beta`.
    pub fn below(beta: Score) -> Window {
        Window {
            alpha: beta.next_down(),
            beta,
        }
    }

    /// The lower bound.
    #[inline]
    pub fn alpha(self) -> Score {
        self.alpha
    }

    /// The upper bound.
    #[inline]
    pub fn beta(self) -> Score {
        self.beta
    }

    /// The same window as the other side sees it.
    #[inline]
    pub fn flipped(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// Whether the window has no room for an exact score.
    #[inline]
    pub fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// The window with its lower bound raised.
    #[inline]
    pub fn raised_to(self, alpha: Score) -> Window {
        Window::new(alpha, self.beta)
    }

    /// The part of the window that mates leave open `ply` plies from the root: a side can do no worse than
    /// be mated here and no better than mate with its next move. `Err` holds the score when nothing is
    /// left (mate-distance pruning).
    #[inline]
    pub fn within_mates(self, ply: usize) -> Result<Window, Score> {
        let alpha = self.alpha.max(Score::mated_in(ply));
        let beta = self.beta.min(Score::mate_in(ply + 1));
        if alpha < beta {
            Ok(Window { alpha, beta })
        } else {
            Err(alpha)
        }
    }

    /// The part of the window from a score on that is held already. `Err` holds the score when nothing is
    /// left.
    #[inline]
    pub fn at_least(self, held: Score) -> Result<Window, Score> {
        let alpha = self.alpha.max(held);
        if alpha < self.beta {
            Ok(Window { alpha, ..self })
        } else {
            Err(alpha)
        }
    }

    /// What a score found with this window says.
    #[inline]
    pub fn bound_of(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flipping_twice_changes_nothing() {
        let window = Window::new(Score::centipawns(-30), Score::centipawns(70));
        assert_eq!(window.flipped().alpha(), Score::centipawns(-70));
        assert_eq!(window.flipped().flipped(), window);
    }

    #[test]
    fn only_a_score_strictly_inside_is_exact() {
        let window = Window::new(Score::centipawns(0), Score::centipawns(10));
        assert_eq!(window.bound_of(Score::centipawns(0)), Bound::Upper);
        assert_eq!(window.bound_of(Score::centipawns(1)), Bound::Exact);
        assert_eq!(window.bound_of(Score::centipawns(10)), Bound::Lower);
    }

    #[test]
    fn a_bound_settles_only_its_own_side() {
        let window = Window::new(Score::centipawns(0), Score::centipawns(10));
        assert!(Bound::Lower.settles(Score::centipawns(10), window));
        assert!(!Bound::Lower.settles(Score::centipawns(9), window));
        assert!(Bound::Upper.settles(Score::centipawns(0), window));
        assert!(!Bound::Upper.settles(Score::centipawns(1), window));
        assert!(Bound::Exact.settles(Score::centipawns(5), window));
    }

    #[test]
    fn a_bound_tells_more_than_an_estimate_on_its_wrong_side() {
        let (low, high) = (Score::centipawns(-5), Score::centipawns(5));
        assert!(Bound::Lower.tells_more(high, low));
        assert!(!Bound::Lower.tells_more(low, high));
        assert!(Bound::Upper.tells_more(low, high));
        assert!(!Bound::Upper.tells_more(high, low));
        assert!(Bound::Exact.tells_more(low, high));
    }

    #[test]
    fn what_is_held_already_need_not_be_asked_for() {
        let window = Window::new(Score::centipawns(-30), Score::centipawns(70));
        let raised = window.at_least(Score::DRAW).expect("there is room above");
        assert_eq!(
            (raised.alpha(), raised.beta()),
            (Score::DRAW, window.beta())
        );
        assert_eq!(window.at_least(Score::centipawns(-90)), Ok(window));
        let below = Window::new(Score::centipawns(-70), Score::centipawns(-30));
        assert_eq!(below.at_least(Score::DRAW), Err(Score::DRAW));
    }

    #[test]
    fn a_quicker_mate_elsewhere_closes_the_window() {
        let mate_in_two_plies_elsewhere = Window::full().raised_to(Score::mate_in(3));
        assert!(mate_in_two_plies_elsewhere.within_mates(1).is_ok());
        assert_eq!(
            mate_in_two_plies_elsewhere.within_mates(2),
            Err(Score::mate_in(3))
        );
        assert!(Window::full().within_mates(0).is_ok());
    }
}
