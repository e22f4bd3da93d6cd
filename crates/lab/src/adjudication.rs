//! Adjudication: when a training game is over, by the rules or because its result is clear.
//!
//! Playing on once the result is clear costs time and adds nothing to learn from. So a game ends
//! early in two cases:
//!
//! - *resignation*: for six plies in a row both sides see the same side at least 1,200 centipawns
//!   ahead, or a mate is announced;
//! - *draw by agreement*: 60 plies after the opening or later, the score has stayed within 8
//!   centipawns of zero for twelve plies in a row. Players whose tables are all zero may not agree,
//!   because they would agree to everything.
//!
//! 400 plies after the opening a game is drawn. For data in which every result must be the true
//! one, games can also be played to their end by the rules.

use shakmaty::Color;

use super::training_position::GameResult;
use squarewise_engine::score::Score;

/// The score from which a game counts as won, in centipawns.
const RESIGN_SCORE: i32 = 1_200;
/// The plies in a row for which both sides must see it.
const RESIGN_PLIES: u32 = 6;
/// The score up to which a game counts as level, in centipawns.
const DRAW_SCORE: i32 = 8;
/// The plies in a row for which the score must stay level.
const DRAW_PLIES: u32 = 12;
/// The first ply at which a draw may be agreed, counted from the end of the opening.
const DRAW_FROM_PLY: u32 = 60;
/// The ply at which every game is drawn, counted from the end of the opening.
const PLY_LIMIT: u32 = 400;

/// Which games may end early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjudication {
    /// Players resign, agree to draws, and stop after 400 plies.
    Full,
    /// The same without draws by agreement.
    NoAgreedDraws,
    /// None: only the rules of chess end a game.
    Off,
}

/// Watches the scores of one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    adjudication: Adjudication,
    plies: u32,
    winning: Option<Color>,
    winning_plies: u32,
    level_plies: u32,
}

impl Adjudicator {
    /// An adjudicator for a new game.
    pub fn new(adjudication: Adjudication) -> Adjudicator {
        Adjudicator {
            adjudication,
            plies: 0,
            winning: None,
            winning_plies: 0,
            level_plies: 0,
        }
    }

    /// Adds a ply with the score that the side to move gave it. Returns the result if the game is
    /// over.
    pub fn add_ply(&mut self, turn: Color, score: Score) -> Option<GameResult> {
        if self.adjudication == Adjudication::Off {
            return None;
        }
        self.plies += 1;
        let is_won = score.value().abs() >= RESIGN_SCORE;
        let winning = is_won.then(|| if score > Score::DRAW { turn } else { !turn });
        self.winning_plies = if winning.is_some() && winning == self.winning {
            self.winning_plies + 1
        } else {
            u32::from(winning.is_some())
        };
        self.winning = winning;
        let is_level = score.value().abs() <= DRAW_SCORE;
        self.level_plies = if is_level { self.level_plies + 1 } else { 0 };

        let may_agree_draw = self.adjudication == Adjudication::Full;
        let is_agreed =
            may_agree_draw && self.plies >= DRAW_FROM_PLY && self.level_plies >= DRAW_PLIES;
        if let Some(winner) =
            winning.filter(|_| score.is_decisive() || self.winning_plies >= RESIGN_PLIES)
        {
            Some(GameResult::won_by(winner))
        } else if is_agreed || self.plies >= PLY_LIMIT {
            Some(GameResult::Draw)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_resigns_only_if_both_see_it_losing_for_six_plies() {
        let mut adjudicator = Adjudicator::new(Adjudication::Full);
        let (white, black) = (Score::centipawns(1_500), Score::centipawns(-1_500));
        for _ in 0..2 {
            assert_eq!(adjudicator.add_ply(Color::White, white), None);
            assert_eq!(adjudicator.add_ply(Color::Black, black), None);
        }
        assert_eq!(adjudicator.add_ply(Color::White, white), None);
        assert_eq!(
            adjudicator.add_ply(Color::Black, black),
            Some(GameResult::WhiteWins)
        );
        let mut adjudicator = Adjudicator::new(Adjudication::Full);
        for _ in 0..20 {
            // Each side believes that it is winning.
            assert_eq!(adjudicator.add_ply(Color::White, white), None);
            assert_eq!(adjudicator.add_ply(Color::Black, white), None);
        }
    }

    #[test]
    fn an_announced_mate_ends_the_game() {
        let mut adjudicator = Adjudicator::new(Adjudication::NoAgreedDraws);
        assert_eq!(
            adjudicator.add_ply(Color::Black, Score::mated_in(4)),
            Some(GameResult::WhiteWins)
        );
    }

    #[test]
    fn level_games_are_drawn_late_and_only_where_draws_may_be_agreed() {
        for (adjudication, expected) in [
            (Adjudication::Full, DRAW_FROM_PLY),
            (Adjudication::NoAgreedDraws, PLY_LIMIT),
        ] {
            let mut adjudicator = Adjudicator::new(adjudication);
            let plies = (1..).find(|_| adjudicator.add_ply(Color::White, Score::DRAW).is_some());
            assert_eq!(plies, Some(expected));
        }
    }

    #[test]
    fn without_adjudication_no_score_ends_a_game() {
        for score in [Score::DRAW, Score::centipawns(5_000), Score::mate_in(3)] {
            let mut adjudicator = Adjudicator::new(Adjudication::Off);
            for ply in 0..2 * PLY_LIMIT {
                let turn = Color::from_white(ply % 2 == 0);
                let score = turn.fold_wb(score, -score);
                assert_eq!(adjudicator.add_ply(turn, score), None);
            }
        }
    }
}
