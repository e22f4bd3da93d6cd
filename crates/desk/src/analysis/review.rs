//! Judges the moves of an analyzed game, as Lichess does.
//!
//! A move is judged by the winning chances that it gives away, on the scale of `win_percent`; a
//! mate that is lost or allowed is judged by what the position was or is apart from it. The best
//! move of the search and the only legal move get no mark: what they seem to lose is the search's
//! error.
//!
//! Source: `Advice.scala` of <https://github.com/lichess-org/lila>.

use std::iter::Sum;
use std::ops::AddAssign;

use shakmaty::{Color, Position};
use squarewise_engine::position::variant_position::VariantPosition;

use super::accuracy::{
    accuracy_of_move, accuracy_of_player, limited_centipawns, weights, win_percent,
};
use super::phase::phases;
use super::{AnalyzedGame, Judgement, MoveReview};
use squarewise_engine::position::played_move::side_of_ply;
use squarewise_engine::score::Score;

/// The points of the winning percentage that make an inaccuracy, a mistake and a blunder: a tenth,
/// two tenths and three tenths of the winning chances on a scale from -1 to 1.
const INACCURACY_LOSS: f64 = 5.0;
const MISTAKE_LOSS: f64 = 10.0;
const BLUNDER_LOSS: f64 = 15.0;

/// Beyond this many centipawns, a mate that is allowed or lost is a mistake, and beyond the second
/// an inaccuracy: the game was as good as decided before it, or still is.
const CLEAR_CENTIPAWNS: i32 = 700;
const DECIDED_CENTIPAWNS: i32 = 999;

/// The score that the standard start position counts as.
const START_CENTIPAWNS: i32 = 15;

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

impl Counts {
    fn add(&mut self, judgement: Judgement) {
        match judgement {
            Judgement::Inaccuracy => self.inaccuracies += 1,
            Judgement::Mistake => self.mistakes += 1,
            Judgement::Blunder => self.blunders += 1,
        }
    }

    /// The number of all judged moves.
    pub fn total(self) -> usize {
        self.inaccuracies + self.mistakes + self.blunders
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.inaccuracies += other.inaccuracies;
        self.mistakes += other.mistakes;
        self.blunders += other.blunders;
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Counts>>(all: I) -> Counts {
        all.fold(Counts::default(), |mut sum, counts| {
            sum += counts;
            sum
        })
    }
}

impl Judgement {
    /// The judgement of a move by the scores before and after it, from its player's point of view.
    pub(super) fn of(before: Score, after: Score) -> Option<Judgement> {
        let is_winning_mate = |score: Score| score.is_mate() && score > Score::DRAW;
        let is_losing_mate = |score: Score| score.is_mate() && score < Score::DRAW;
        // A mate says nothing of how the position is apart from it.
        let by_the_rest = |centipawns: Option<i32>| match centipawns {
            Some(beyond) if beyond > DECIDED_CENTIPAWNS => Judgement::Inaccuracy,
            Some(beyond) if beyond > CLEAR_CENTIPAWNS => Judgement::Mistake,
            _ => Judgement::Blunder,
        };
        if is_winning_mate(before) {
            let lost = (!is_winning_mate(after)).then_some(after);
            return lost.map(|after| by_the_rest((!after.is_mate()).then(|| after.value())));
        }
        if is_losing_mate(before) || is_winning_mate(after) {
            return None;
        }
        if is_losing_mate(after) {
            return Some(by_the_rest(Some(-before.value())));
        }
        match win_percent(before) - win_percent(after) {
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

    /// Its place among the judgements, 1 for the mildest to 3.
    pub fn rank(self) -> u32 {
        match self {
            Judgement::Inaccuracy => 1,
            Judgement::Mistake => 2,
            Judgement::Blunder => 3,
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

impl AnalyzedGame {
    /// The score of each position, from White's point of view. Like Lichess, the standard start
    /// position has a fixed one, which doesn't depend on the search.
    pub(super) fn scores(&self) -> Vec<Score> {
        let scores = self.positions.iter().map(|position| position.score);
        let mut scores: Vec<Score> = scores.collect();
        if let Some(first) = scores.first_mut()
            && self.record.start == VariantPosition::default()
        {
            *first = Score::centipawns(START_CENTIPAWNS);
        }
        scores
    }

    /// A review for each move of the game.
    pub fn reviews(&self) -> Vec<MoveReview> {
        let scores = self.scores();
        let mut position = self.record.start.clone();
        let plies = self.positions.iter().zip(&self.record.plies);
        let reviews = plies.zip(scores.windows(2)).map(|((found, ply), scores)| {
            let color = position.turn();
            let own = |score: Score| color.fold_wb(score, -score);
            let (before, after) = (own(scores[0]), own(scores[1]));
            let best = found.lines.first().and_then(|line| line.moves.first());
            let (chance, next_chance) = (win_percent(before), win_percent(after));
            let judgement = Judgement::of(before, after);
            let is_best = best.is_none_or(|best| Some(*best) == ply.m);
            let centipawns = limited_centipawns(before) - limited_centipawns(after);
            // All legal moves are looked for only where the answer counts: there are many games.
            let has_lost = chance > next_chance || centipawns > 0 || judgement.is_some();
            let is_forced = has_lost && position.legal_moves().len() == 1;
            ply.play(&mut position);
            if ply.m.is_none() || is_forced {
                return MoveReview::LOSES_NOTHING;
            }
            MoveReview {
                loss: if is_best {
                    0.0
                } else {
                    (chance - next_chance).max(0.0)
                },
                centipawn_loss: centipawns.max(0).unsigned_abs(),
                judgement: judgement.filter(|_| !is_best),
                accuracy: accuracy_of_move(chance, next_chance),
            }
        });
        reviews.collect()
    }

    /// Something of every move that a player made. A null move is none.
    fn own<T>(&self, color: Color, items: impl IntoIterator<Item = T>) -> Vec<T> {
        let numbered = items.into_iter().enumerate();
        let is_own = |ply: usize| side_of_ply(&self.record.start, ply) == color;
        let is_move = |ply: usize| {
            self.record
                .plies
                .get(ply)
                .is_some_and(|ply| ply.m.is_some())
        };
        let own = numbered.filter(|(ply, _)| is_own(*ply) && is_move(*ply));
        own.map(|(_, item)| item).collect()
    }

    /// The accuracy of a player in per cent, 0 to 100; `None` if the player made no move.
    pub fn accuracy(&self, color: Color) -> Option<f64> {
        let percents: Vec<f64> = self.scores().into_iter().map(win_percent).collect();
        let accuracies = self.reviews().into_iter().map(|review| review.accuracy);
        accuracy_of_player(&self.own(color, accuracies.zip(weights(&percents))))
    }

    /// The centipawns that each move of a player lost.
    pub(super) fn centipawn_losses(&self, color: Color) -> Vec<u32> {
        let losses = self.reviews().into_iter();
        self.own(color, losses.map(|review| review.centipawn_loss))
    }

    /// The average centipawn loss of a player; `None` if the player made no move.
    pub fn average_centipawn_loss(&self, color: Color) -> Option<u32> {
        let losses = self.centipawn_losses(color);
        let count = u32::try_from(losses.len())
            .ok()
            .filter(|count| *count > 0)?;
        Some((losses.iter().sum::<u32>() + count / 2) / count)
    }

    /// How many moves of a player were judged.
    pub fn counts(&self, color: Color) -> Counts {
        self.counts_by_phase(color).into_iter().sum()
    }

    /// How many moves of a player were judged in the opening, the middlegame and the endgame.
    pub fn counts_by_phase(&self, color: Color) -> [Counts; 3] {
        let judgements = self.reviews().into_iter().map(|review| review.judgement);
        let own = self.own(color, phases(&self.record).into_iter().zip(judgements));
        let mut counts = [Counts::default(); 3];
        for (phase, judgement) in own {
            if let Some(judgement) = judgement {
                counts[phase as usize].add(judgement);
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tests::game;

    /// A start whose score isn't fixed: the standard one without a pawn.
    const START: &str = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR w KQkq - 0 1\"]\n\n";

    fn judgements(game: &AnalyzedGame) -> Vec<Option<Judgement>> {
        let reviews = game.reviews().into_iter();
        reviews.map(|review| review.judgement).collect()
    }

    fn judged(before: i32, after: i32) -> Option<Judgement> {
        Judgement::of(Score::centipawns(before), Score::centipawns(after))
    }

    #[test]
    fn moves_are_judged_by_the_winning_chances_that_they_lose() {
        use Judgement::{Blunder, Inaccuracy, Mistake};
        // The published chances of 0, -54, -55, -110, -111, -168 and -169 centipawns are
        // 50.00, 45.05, 44.95, 40.01, 39.92, 35.01 and 34.93 %.
        for (after, judgement) in [
            (-54, None),
            (-55, Some(Inaccuracy)),
            (-110, Some(Inaccuracy)),
            (-111, Some(Mistake)),
            (-168, Some(Mistake)),
            (-169, Some(Blunder)),
            (60, None),
        ] {
            assert_eq!(judged(0, after), judgement, "{after}");
        }
    }

    #[test]
    fn a_queen_that_is_hung_in_a_lost_position_gets_a_mark() {
        // 24.9 % before and 2.5 % after it.
        assert_eq!(judged(-300, -1_200), Some(Judgement::Blunder));
        // 13.7 % and 2.9 %.
        assert_eq!(judged(-500, -950), Some(Judgement::Mistake));
        assert_eq!(judged(-900, -1_800), None);
    }

    #[test]
    fn a_mate_that_is_allowed_counts_by_what_there_was_before() {
        let mated = Score::mated_in(4);
        for (before, judgement) in [
            (50, Judgement::Blunder),
            (-700, Judgement::Blunder),
            (-701, Judgement::Mistake),
            (-999, Judgement::Mistake),
            (-1_000, Judgement::Inaccuracy),
        ] {
            let judged = Judgement::of(Score::centipawns(before), mated);
            assert_eq!(judged, Some(judgement), "{before}");
        }
        assert_eq!(Judgement::of(Score::mated_in(8), mated), None);
    }

    #[test]
    fn a_mate_that_is_lost_counts_by_what_is_left() {
        let mate = Score::mate_in(3);
        for (after, judgement) in [
            (1_000, Judgement::Inaccuracy),
            (999, Judgement::Mistake),
            (701, Judgement::Mistake),
            (700, Judgement::Blunder),
            (-50, Judgement::Blunder),
        ] {
            let judged = Judgement::of(mate, Score::centipawns(after));
            assert_eq!(judged, Some(judgement), "{after}");
        }
        let reversed = Judgement::of(mate, Score::mated_in(2));
        assert_eq!(reversed, Some(Judgement::Blunder));
        assert_eq!(Judgement::of(mate, Score::mate_in(9)), None);
        assert_eq!(Judgement::of(Score::DRAW, mate), None);
    }

    #[test]
    fn a_game_has_its_marks_its_losses_and_its_average_loss() {
        let pgn = format!("{START}1. e4 e5 2. f3 d6 3. g4 *");
        let game = game(&pgn, &[0, -60, -60, -230, -240, -2_000]);
        let blunder = Some(Judgement::Blunder);
        let expected = [
            Some(Judgement::Inaccuracy),
            None,
            Some(Judgement::Mistake),
            None,
            blunder,
        ];
        assert_eq!(judgements(&game), expected);
        let losses: Vec<u32> = game
            .reviews()
            .iter()
            .map(|review| review.centipawn_loss)
            .collect();
        assert_eq!(losses, [60, 0, 170, 0, 760]);
        assert_eq!(game.average_centipawn_loss(Color::White), Some(330));
        assert_eq!(game.average_centipawn_loss(Color::Black), Some(0));
        let expected = Counts {
            inaccuracies: 1,
            mistakes: 1,
            blunders: 1,
        };
        assert_eq!(game.counts(Color::White), expected);
        assert_eq!(game.counts(Color::Black), Counts::default());
        assert_eq!(game.counts_by_phase(Color::White)[0], expected);
    }

    #[test]
    fn the_standard_start_position_counts_as_fifteen_centipawns() {
        // 15 to -40 are 51.38 and 46.33 %, which the search's 0 and -40 wouldn't be: 50.00 and
        // 46.33 %.
        let game = game("1. f3", &[0, -40]);
        assert_eq!(judgements(&game), [Some(Judgement::Inaccuracy)]);
        assert_eq!(game.reviews()[0].centipawn_loss, 55);
    }

    #[test]
    fn the_accuracy_of_a_player_is_the_mean_of_two_means() {
        // Winning percentages: 50.00, 40.90, 40.90, 40.90. White's moves have 67.24 and 100 %;
        // windows of two positions weigh them by 4.55 and, where nothing changes, 0.5. So 70.48 %
        // by weight, and the harmonic mean is 80.41 %.
        let game = game(&format!("{START}1. e4 e5 2. f3 *"), &[0, -100, -100, -100]);
        let accuracy = game.accuracy(Color::White).expect("two moves");
        assert!((accuracy - 75.447).abs() < 0.005, "{accuracy}");
        assert_eq!(game.accuracy(Color::Black), Some(100.0));
    }

    #[test]
    fn the_best_move_gets_no_mark() {
        let mut game = game("1. e4", &[400, -400]);
        assert_eq!(judgements(&game), [Some(Judgement::Blunder)]);
        game.positions[0].lines[0].moves[0] = game.record.plies[0].m.expect("a move");
        assert_eq!(judgements(&game), [None]);
    }

    #[test]
    fn the_only_legal_move_gets_no_mark_and_loses_nothing() {
        let pgn = "[FEN \"7k/8/8/8/8/8/1r6/K7 w - - 0 1\"]\n\n1. Kxb2 *";
        let forced = game(pgn, &[200, -400]);
        assert_eq!(judgements(&forced), [None]);
        // What it seems to lose is the search's error, not the player's.
        assert_eq!(forced.accuracy(Color::White), Some(100.0));
        assert_eq!(forced.average_centipawn_loss(Color::White), Some(0));
        let pgn = "[FEN \"6rk/8/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. Kb1 *";
        assert_eq!(
            judgements(&game(pgn, &[200, -400])),
            [Some(Judgement::Blunder)]
        );
    }

    #[test]
    fn a_null_move_is_no_move_of_its_player() {
        let pgn = format!("{START}1. e4 -- 2. d4 -- 3. f3 *");
        let game = game(&pgn, &[0, 0, 300, 300, 900, 890]);
        assert_eq!(judgements(&game), [None; 5]);
        assert_eq!(game.accuracy(Color::Black), None);
        assert_eq!(game.average_centipawn_loss(Color::Black), None);
        assert_eq!(game.average_centipawn_loss(Color::White), Some(3));
        assert_eq!(game.counts(Color::Black).total(), 0);
        assert_eq!(game.move_in_words(3), "2... --");
    }

    #[test]
    fn the_side_to_move_first_can_be_black() {
        let fen = "[FEN \"rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]";
        let game = game(&format!("{fen}\n\n1... f6 2. d4 *"), &[-100, 400, 400]);
        assert_eq!(judgements(&game), [Some(Judgement::Blunder), None]);
        assert_eq!(game.counts(Color::Black).blunders, 1);
        assert_eq!(game.accuracy(Color::White), Some(100.0));
        assert!(game.accuracy(Color::Black) < Some(60.0));
    }

    #[test]
    fn a_player_without_a_move_has_no_accuracy() {
        let game = game("1. e4", &[0, 20]);
        assert_eq!(game.accuracy(Color::White), Some(100.0));
        assert_eq!(game.accuracy(Color::Black), None);
        assert_eq!(game.average_centipawn_loss(Color::Black), None);
    }
}
