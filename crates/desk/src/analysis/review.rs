//! Judges the moves of an analyzed game.
//!
//! A move loses the difference between the points that its player could expect before it and after it. The best move
//! of the search and the only legal move are never judged bad: what they seem to lose is the search's error.

use shakmaty::{Color, Position};

use super::accuracy::{accuracy_of_move, accuracy_of_player, weights, win_percent};
use super::{AnalyzedGame, AnalyzedPosition, Judgement, MoveReview};
use squarewise_engine::position::played_move::side_of_ply;

/// A move that loses this many expected points in a thousand games is an inaccuracy; twice and three times as many
/// make a mistake and a blunder. In centipawns that is a little stricter than the steps of Lichess
/// (`docs/analysis.md`).
const INACCURACY_LOSS: u32 = 100;
const MISTAKE_LOSS: u32 = 200;
const BLUNDER_LOSS: u32 = 300;

/// How many moves of a player were judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of inaccuracies.
    pub inaccuracies: usize,
    /// The number of mistakes.
    pub mistakes: usize,
    /// The number of blunders.
    pub blunders: usize,
}

impl Judgement {
    /// The judgement of a loss of expected points in a thousand games.
    pub fn of_loss(loss: u32) -> Option<Judgement> {
        match loss {
            BLUNDER_LOSS.. => Some(Judgement::Blunder),
            MISTAKE_LOSS.. => Some(Judgement::Mistake),
            INACCURACY_LOSS.. => Some(Judgement::Inaccuracy),
            _ => None,
        }
    }

    /// The numeric annotation glyph.
    pub fn nag(self) -> u8 {
        match self {
            Judgement::Inaccuracy => 6,
            Judgement::Mistake => 2,
            Judgement::Blunder => 4,
        }
    }

    /// The mark behind the move: `?!`, `?` or `??`.
    pub fn mark(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        }
    }
}

impl AnalyzedPosition {
    /// The expected points of a side in a thousand games.
    fn points(&self, color: Color) -> u32 {
        color.fold_wb(self.white_points, 1_000 - self.white_points)
    }
}

impl AnalyzedGame {
    /// A review for each move of the game.
    pub fn reviews(&self) -> Vec<MoveReview> {
        let mut position = self.record.start.clone();
        let pairs = self.positions.windows(2).zip(&self.record.plies);
        let reviews = pairs.map(|(pair, ply)| {
            let [before, after] = pair else {
                unreachable!("a window of two has two elements");
            };
            let color = position.turn();
            let best = before.lines.first().and_then(|line| line.moves.first());
            let is_best =
                best.is_none_or(|best| *best == ply.m) || position.legal_moves().len() == 1;
            position.play_unchecked(ply.m);
            if is_best {
                return MoveReview {
                    loss: 0,
                    judgement: None,
                    accuracy: 100.0,
                };
            }
            let loss = before.points(color).saturating_sub(after.points(color));
            let percent = |position: &AnalyzedPosition| {
                let white = win_percent(position.score);
                color.fold_wb(white, 100.0 - white)
            };
            MoveReview {
                loss,
                judgement: Judgement::of_loss(loss),
                accuracy: accuracy_of_move(percent(before), percent(after)),
            }
        });
        reviews.collect()
    }

    /// The accuracy of a player in per cent, 0 to 100; `None` if the player made no move.
    pub fn accuracy(&self, color: Color) -> Option<f64> {
        let scores = self.positions.iter().map(|position| position.score);
        let weights = weights(&scores.map(win_percent).collect::<Vec<f64>>());
        let reviews = self.reviews();
        let moves = reviews.iter().zip(weights).enumerate();
        let own = moves.filter(|(ply, _)| side_of_ply(&self.record.start, *ply) == color);
        let own: Vec<(f64, f64)> = own
            .map(|(_, (review, weight))| (review.accuracy, weight))
            .collect();
        accuracy_of_player(&own)
    }

    /// How many moves of a player were judged.
    pub fn counts(&self, color: Color) -> Counts {
        let mut counts = Counts::default();
        for (ply, review) in self.reviews().iter().enumerate() {
            if side_of_ply(&self.record.start, ply) == color {
                match review.judgement {
                    Some(Judgement::Inaccuracy) => counts.inaccuracies += 1,
                    Some(Judgement::Mistake) => counts.mistakes += 1,
                    Some(Judgement::Blunder) => counts.blunders += 1,
                    None => (),
                }
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::AnalyzedLine;
    use crate::pgn::{GameRecord, Games};
    use shakmaty::Move;
    use squarewise_engine::score::Score;

    fn record(pgn: &str) -> GameRecord {
        let game = Games::new(pgn.as_bytes()).next().expect("a game");
        game.expect("text").record.expect("legal moves")
    }

    /// A game in which White can expect these points, and in which another move than the played one was best.
    fn game(pgn: &str, white_points: &[u32]) -> AnalyzedGame {
        let record = record(pgn);
        let mut position = record.start.clone();
        let mut positions = Vec::new();
        for (ply, points) in white_points.iter().enumerate() {
            let played = record.plies.get(ply).map(|ply| ply.m);
            let other = |m: &Move| Some(*m) != played;
            let best = position.legal_moves().into_iter().find(other).or(played);
            // Consistent with the points, if not equal.
            let score = Score::centipawns(*points as i32 - 500);
            let line = |m| AnalyzedLine {
                score,
                depth: 1,
                moves: vec![m],
            };
            positions.push(AnalyzedPosition {
                lines: best.map(line).into_iter().collect(),
                score,
                white_points: *points,
            });
            if let Some(m) = played {
                position.play_unchecked(m);
            }
        }
        AnalyzedGame {
            record,
            opening: None,
            positions,
        }
    }

    fn judgements(game: &AnalyzedGame) -> Vec<Option<Judgement>> {
        game.reviews()
            .iter()
            .map(|review| review.judgement)
            .collect()
    }

    #[test]
    fn moves_are_judged_by_the_expected_points_that_they_lose() {
        let game = game("1. e4 e5 2. f3 d6 3. g4", &[520, 421, 521, 321, 320, 20]);
        use Judgement::{Blunder, Inaccuracy, Mistake};
        let expected = [None, Some(Inaccuracy), Some(Mistake), None, Some(Blunder)];
        assert_eq!(judgements(&game), expected);
        let losses: Vec<u32> = game.reviews().iter().map(|review| review.loss).collect();
        assert_eq!(losses, [99, 100, 200, 0, 300]);
        let expected = Counts {
            inaccuracies: 0,
            mistakes: 1,
            blunders: 1,
        };
        assert_eq!(game.counts(Color::White), expected);
        assert_eq!(game.counts(Color::Black).inaccuracies, 1);
    }

    #[test]
    fn the_best_move_is_never_bad() {
        let mut game = game("1. e4", &[900, 100]);
        assert_eq!(judgements(&game), [Some(Judgement::Blunder)]);
        game.positions[0].lines[0].moves[0] = game.record.plies[0].m;
        let review = game.reviews()[0];
        assert_eq!((review.loss, review.judgement), (0, None));
        assert_eq!(review.accuracy, 100.0);
    }

    #[test]
    fn the_only_legal_move_is_never_bad() {
        let pgn = "[FEN \"7k/8/8/8/8/8/1r6/K7 w - - 0 1\"]\n\n1. Kxb2 *";
        assert_eq!(judgements(&game(pgn, &[700, 100])), [None]);
        let pgn = "[FEN \"6rk/8/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. Kb1 *";
        assert_eq!(
            judgements(&game(pgn, &[700, 100])),
            [Some(Judgement::Blunder)]
        );
    }

    #[test]
    fn the_side_to_move_first_can_be_black() {
        let fen = "[FEN \"rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]";
        let game = game(&format!("{fen}\n\n1... f6 2. d4 *"), &[400, 900, 900]);
        assert_eq!(judgements(&game), [Some(Judgement::Blunder), None]);
        assert_eq!(game.counts(Color::Black).blunders, 1);
        assert_eq!(game.accuracy(Color::White), Some(100.0));
        assert!(game.accuracy(Color::Black) < Some(60.0));
    }

    #[test]
    fn a_player_without_a_move_has_no_accuracy() {
        let game = game("1. e4", &[500, 500]);
        assert_eq!(game.accuracy(Color::White), Some(100.0));
        assert_eq!(game.accuracy(Color::Black), None);
    }
}
