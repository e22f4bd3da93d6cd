//! The alpha-beta window and the bounds that a search with a window returns.
//!
//! Alpha is the score that the side to move can already force elsewhere, beta the score above which
//! the opponent avoids this node. A score at or below alpha is an upper bound of the true value
//! (the node *fails low*), a score at or above beta a lower bound (it *fails high*); only a score
//! in between is exact.

use crate::score::Score;

/// The scores between alpha and beta, both excluded, from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    alpha: Score,
    beta: Score,
}

/// How a score relates to the true value of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is the score or higher: the search failed high.
    Lower,
    /// The true value is the score or lower: the search failed low.
    Upper,
    /// The true value is the score.
    Exact,
}

impl Bound {
    /// Whether a stored score with this bound allows a cutoff: it is exact, a lower bound of beta
    /// or more, or an upper bound of alpha or less.
    pub(super) fn allows_cutoff(self, score: Score, window: Window) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        }
    }

    /// Whether a score with this bound is a better estimate of the true value than `estimate`: it
    /// is exact, or it proves the estimate too low or too high.
    #[inline]
    pub(super) fn improves_on(self, score: Score, estimate: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score > estimate,
            Bound::Upper => score < estimate,
        }
    }
}

impl Window {
    /// The full window: it contains every score.
    pub(super) fn full() -> Window {
        Window {
            alpha: Score::LOWEST.next_down(),
            beta: Score::HIGHEST.next_up(),
        }
    }

    pub(super) fn new(alpha: Score, beta: Score) -> Window {
        debug_assert!(alpha < beta, "an empty window from {alpha} to {beta}");
        Window { alpha, beta }
    }

    /// The zero window that tests whether a score exceeds `alpha`: (alpha, alpha + 1).
    pub(super) fn above(alpha: Score) -> Window {
        Window {
            alpha,
            beta: alpha.next_up(),
        }
    }

    /// The zero window that tests whether a score reaches `beta`: (beta - 1, beta).
    pub(super) fn below(beta: Score) -> Window {
        Window {
            alpha: beta.next_down(),
            beta,
        }
    }

    /// The lower end: a score at or below it fails low.
    #[inline]
    pub(super) fn alpha(self) -> Score {
        self.alpha
    }

    /// The upper end: a score at or above it fails high.
    #[inline]
    pub(super) fn beta(self) -> Score {
        self.beta
    }

    /// The same window from the point of view of the other side: (-beta, -alpha).
    #[inline]
    pub(super) fn flipped(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// Whether this is a zero window, which has no room for an exact score.
    #[inline]
    pub(super) fn is_zero_window(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// The window with alpha raised to `alpha`.
    #[inline]
    pub(super) fn raised_to(self, alpha: Score) -> Window {
        Window::new(alpha, self.beta)
    }

    /// Mate distance pruning: the window limited to the scores that are possible `ply` plies from
    /// the root. The side to move can do no worse than be mated here and no better than mate with
    /// its next move. The error is the score of the node if nothing of the window is left.
    #[inline]
    pub(super) fn within_mates(self, ply: usize) -> Result<Window, Score> {
        let alpha = self.alpha.max(Score::mated_in(ply));
        let beta = self.beta.min(Score::mate_in(ply + 1));
        if alpha < beta {
            Ok(Window { alpha, beta })
        } else {
            Err(alpha)
        }
    }

    /// The window with alpha raised to `secured`, a score that the side to move can force. The
    /// error is the score of the node if nothing of the window is left.
    #[inline]
    pub(super) fn at_least(self, secured: Score) -> Result<Window, Score> {
        let alpha = self.alpha.max(secured);
        if alpha < self.beta {
            Ok(Window { alpha, ..self })
        } else {
            Err(alpha)
        }
    }

    /// The bound that a score is when a search with this window returns it.
    #[inline]
    pub(super) fn bound_of(self, score: Score) -> Bound {
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
    fn a_bound_allows_a_cutoff_on_its_own_side_only() {
        let window = Window::new(Score::centipawns(0), Score::centipawns(10));
        assert!(Bound::Lower.allows_cutoff(Score::centipawns(10), window));
        assert!(!Bound::Lower.allows_cutoff(Score::centipawns(9), window));
        assert!(Bound::Upper.allows_cutoff(Score::centipawns(0), window));
        assert!(!Bound::Upper.allows_cutoff(Score::centipawns(1), window));
        assert!(Bound::Exact.allows_cutoff(Score::centipawns(5), window));
    }

    #[test]
    fn a_bound_improves_on_an_estimate_that_it_proves_wrong() {
        let (low, high) = (Score::centipawns(-5), Score::centipawns(5));
        assert!(Bound::Lower.improves_on(high, low));
        assert!(!Bound::Lower.improves_on(low, high));
        assert!(Bound::Upper.improves_on(low, high));
        assert!(!Bound::Upper.improves_on(high, low));
        assert!(Bound::Exact.improves_on(low, high));
    }

    #[test]
    fn a_secured_score_raises_alpha_or_closes_the_window() {
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
        let mate_in_two_elsewhere = Window::full().raised_to(Score::mate_in(3));
        assert!(mate_in_two_elsewhere.within_mates(1).is_ok());
        assert_eq!(
            mate_in_two_elsewhere.within_mates(2),
            Err(Score::mate_in(3))
        );
        assert!(Window::full().within_mates(0).is_ok());
    }
}
