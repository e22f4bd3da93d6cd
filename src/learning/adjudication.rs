//! When a self-play game is over: by the rules, or because no doubt is left.
//!
//! Games are written down for what comes of their positions. Playing on once that is clear costs time and
//! tells nothing new, so a game ends early in two cases, and otherwise by the rules alone:
//!
//! - *resignation*: six plies in a row both sides agree that the same one stands at least 1,200 centipawns
//!   better, or a mate is announced;
//! - *agreement*: from ply 60 on, twelve plies in a row the score was no further from zero than 8
//!   centipawns, and the evaluation is not blind (tables that are all zero would agree to everything).
//!
//! A game of 400 plies is drawn.

use shakmaty::{Color, Position};

use super::training_position::GameResult;
use crate::position::game::Game;
use crate::position::movegen::has_legal_move;
use crate::score::Score;

const RESIGN_SCORE: i32 = 1_200;
const RESIGN_PLIES: u32 = 6;
const DRAW_SCORE: i32 = 8;
const DRAW_PLIES: u32 = 12;
const DRAW_FROM_PLY: u32 = 60;
const PLY_LIMIT: u32 = 400;

/// Watches the scores of one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    may_agree: bool,
    plies: u32,
    winning: Option<Color>,
    winning_plies: u32,
    level_plies: u32,
}

impl Adjudicator {
    /// Nothing seen yet. Blind players may not agree to a draw.
    pub fn new(is_blind: bool) -> Adjudicator {
        Adjudicator {
            may_agree: !is_blind,
            plies: 0,
            winning: None,
            winning_plies: 0,
            level_plies: 0,
        }
    }

    /// A ply was played that the side to move judged so. Gives the result if the game is decided.
    pub fn see(&mut self, turn: Color, score: Score) -> Option<GameResult> {
        self.plies += 1;
        let is_decisive = score.value().abs() >= RESIGN_SCORE;
        let winning = is_decisive.then(|| if score > Score::DRAW { turn } else { !turn });
        self.winning_plies = if winning.is_some() && winning == self.winning {
            self.winning_plies + 1
        } else {
            u32::from(winning.is_some())
        };
        self.winning = winning;
        let is_level = score.value().abs() <= DRAW_SCORE;
        self.level_plies = if is_level { self.level_plies + 1 } else { 0 };

        let is_agreed =
            self.may_agree && self.plies >= DRAW_FROM_PLY && self.level_plies >= DRAW_PLIES;
        if let Some(winner) =
            winning.filter(|_| score.is_mate() || self.winning_plies >= RESIGN_PLIES)
        {
            Some(GameResult::won_by(winner))
        } else if is_agreed || self.plies >= PLY_LIMIT {
            Some(GameResult::Draw)
        } else {
            None
        }
    }
}

/// The result of a game that is over by the rules.
pub fn result_by_rules(game: &Game) -> Option<GameResult> {
    let position = game.position();
    if !has_legal_move(position) {
        let winner = position.is_check().then_some(!position.turn());
        return Some(winner.map_or(GameResult::Draw, GameResult::won_by));
    }
    game.is_draw(0).then_some(GameResult::Draw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_resigns_only_when_both_agree_for_six_plies() {
        let mut judge = Adjudicator::new(false);
        let (white, black) = (Score::centipawns(1_500), Score::centipawns(-1_500));
        for _ in 0..2 {
            assert_eq!(judge.see(Color::White, white), None);
            assert_eq!(judge.see(Color::Black, black), None);
        }
        assert_eq!(judge.see(Color::White, white), None);
        assert_eq!(judge.see(Color::Black, black), Some(GameResult::WhiteWins));
        let mut judge = Adjudicator::new(false);
        for _ in 0..20 {
            // Each believes itself to be winning.
            assert_eq!(judge.see(Color::White, white), None);
            assert_eq!(judge.see(Color::Black, white), None);
        }
    }

    #[test]
    fn an_announced_mate_ends_the_game() {
        let mut judge = Adjudicator::new(true);
        assert_eq!(
            judge.see(Color::Black, Score::mated_in(4)),
            Some(GameResult::WhiteWins)
        );
    }

    #[test]
    fn level_games_are_agreed_drawn_late_and_never_by_the_blind() {
        for (is_blind, expected) in [(false, DRAW_FROM_PLY), (true, PLY_LIMIT)] {
            let mut judge = Adjudicator::new(is_blind);
            let plies = (1..).find(|_| judge.see(Color::White, Score::DRAW).is_some());
            assert_eq!(plies, Some(expected));
        }
    }
}
