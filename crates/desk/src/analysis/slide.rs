//! Slides: winning chances lost over several moves, none of which is bad enough for a mark of its
//! own.

use std::ops::Range;

use shakmaty::Color;

use super::accuracy::win_percent;
use super::{AnalyzedGame, MoveReview};
use crate::pgn::writer::move_in_words;
use squarewise_engine::position::played_move::side_of_ply;

/// A slide loses at least this many points of the winning percentage, as many as a blunder.
const SLIDE_LOSS: f64 = 15.0;

/// Winning chances that a player lost over several unmarked moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slide {
    /// The player.
    pub color: Color,
    /// The ply of the player's first move of it, from 0.
    pub first: usize,
    /// The ply of the player's last move of it.
    pub last: usize,
    /// The player's winning percentage before the first and after the last.
    pub percents: [f64; 2],
}

impl AnalyzedGame {
    /// The slides of a player in the order of the game: the steepest between any two marked moves
    /// or null moves.
    pub fn slides(&self, color: Color) -> Vec<Slide> {
        let percents: Vec<f64> = self
            .scores()
            .into_iter()
            .map(|score| win_percent(color.fold_wb(score, -score)))
            .collect();
        let reviews = self.reviews();
        let mut slides = Vec::new();
        let mut start = 0;
        for (end, review) in reviews.iter().enumerate() {
            let is_null = self.record.plies[end].m.is_none();
            if review.judgement.is_some() || is_null {
                slides.extend(self.steepest_slide(color, (&percents, &reviews), start..end));
                start = end + 1;
            }
        }
        slides.extend(self.steepest_slide(color, (&percents, &reviews), start..reviews.len()));
        slides
    }

    /// A move with its number, such as `12... Nf6`.
    pub fn move_in_words(&self, ply: usize) -> String {
        let mut before = self.record.start.clone();
        for earlier in &self.record.plies[..ply] {
            earlier.play(&mut before);
        }
        move_in_words(&before, &self.record.plies[ply])
    }

    /// The largest fall within a range of plies, if it is a slide. The percentages are the
    /// player's, one for each position of the game.
    fn steepest_slide(
        &self,
        color: Color,
        (percents, reviews): (&[f64], &[MoveReview]),
        plies: Range<usize>,
    ) -> Option<Slide> {
        let is_own = |ply: &usize| side_of_ply(&self.record.start, *ply) == color;
        let fall = |slide: &Slide| slide.percents[0] - slide.percents[1];
        let mut top: Option<usize> = None;
        let mut steepest: Option<Slide> = None;
        for last in plies.filter(is_own) {
            let higher = top.filter(|top| percents[*top] > percents[last]);
            let first = *top.insert(higher.unwrap_or(last));
            let slide = Slide {
                color,
                first,
                last,
                percents: [percents[first], percents[last + 1]],
            };
            if steepest.is_none_or(|other| fall(&slide) > fall(&other)) {
                steepest = Some(slide);
            }
        }
        // A fall that the player's best moves only seem to bring is the search's error.
        let lost = |slide: &Slide| -> f64 {
            let own = (slide.first..=slide.last).step_by(2);
            own.map(|ply| reviews[ply].loss).sum()
        };
        steepest.filter(|slide| fall(slide).min(lost(slide)) >= SLIDE_LOSS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tests::game;

    /// White shuffles a rook while Black does nothing that matters.
    const MOVES: &str =
        "[FEN \"7k/p7/8/8/8/8/P7/R6K w - - 0 1\"]\n\n1. Rb1 Kg8 2. Ra1 Kh8 3. Rb1 Kg8 4. Ra1 Kh8 *";

    #[test]
    fn a_loss_spread_over_unmarked_moves_is_a_slide() {
        let game = game(MOVES, &[130, 90, 90, 45, 45, 0, 0, -45, -45]);
        let reviews = game.reviews();
        assert!(reviews.iter().all(|review| review.judgement.is_none()));
        let slides = game.slides(Color::White);
        assert_eq!(slides.len(), 1, "{slides:?}");
        assert_eq!((slides[0].first, slides[0].last), (0, 6));
        // The published chances of 1.30 and -0.45.
        let percents = slides[0].percents.map(f64::round);
        assert_eq!(percents, [62.0, 46.0]);
        assert_eq!(game.slides(Color::Black), []);
        // The same fall by the best moves is the search's error.
        let mut forced = game;
        for (found, ply) in forced.positions.iter_mut().zip(&forced.record.plies) {
            found.lines[0].moves[0] = ply.m.expect("a move");
        }
        assert_eq!(forced.slides(Color::White), []);
    }

    #[test]
    fn a_null_move_ends_a_slide() {
        let falling = [130, 90, 90, 45, 45, 0, 0, -45, -45];
        let passed = MOVES.replace("Kh8 3. Rb1 Kg8 4. Ra1 Kh8", "-- 3. Rb1 Kh8 4. Ra1 Kg8");
        assert_eq!(game(&passed, &falling).slides(Color::White), []);
    }

    #[test]
    fn a_marked_move_ends_a_slide_and_a_small_loss_is_none() {
        // The second move loses 8 points by itself, which leaves 4 and 9 around it.
        let marked = game(MOVES, &[100, 60, 60, -30, -30, -80, -80, -130, -130]);
        assert_eq!(marked.counts(Color::White).total(), 1);
        assert_eq!(marked.slides(Color::White), []);
        let small = game(MOVES, &[20, 0, 0, -20, -20, -40, -40, -60, -60]);
        assert_eq!(small.slides(Color::White), []);
    }
}
