//! How long the player thought, by the clocks in the games.

use std::time::Duration;

use shakmaty::{Color, Position};

use super::FIRST_PLY;
use crate::pgn::GameRecord;
use squarewise_engine::style::{Pace, Stage};

/// A move of the player whose time is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedMove {
    /// The stage of the game, by its place in [`Stage::NAMES`].
    pub stage: usize,
    /// The part of the time left that it took, 0 to 1.
    pub share: f64,
}

/// The moves of a side from [`FIRST_PLY`] on whose time the game's clocks tell.
pub fn timed_moves(record: &GameRecord, side: Color) -> Vec<TimedMove> {
    let increment = increment(record.known_tag("TimeControl"));
    let mut position = record.start.chess().clone();
    let mut before: Option<Duration> = None;
    let mut timed = Vec::new();
    for (number, ply) in record.plies.iter().enumerate() {
        let Some(m) = ply.m else {
            break;
        };
        if position.turn() == side {
            if let (Some(before), Some(after)) = (before, ply.clock)
                && let Some(spent) = before.saturating_add(increment).checked_sub(after)
                && number >= FIRST_PLY
                && spent <= before
                && !before.is_zero()
            {
                timed.push(TimedMove {
                    stage: Stage::of(position.board()),
                    share: spent.as_secs_f64() / before.as_secs_f64(),
                });
            }
            before = ply.clock;
        }
        position.play_unchecked(m);
    }
    timed
}

/// What a move adds to the clock by a `TimeControl` tag, such as `180+2` or `40/5400+30:900+30`.
fn increment(tag: Option<&str>) -> Duration {
    let first = tag.and_then(|tag| tag.split(':').next());
    let seconds = first.and_then(|first| first.split_once('+')?.1.parse().ok());
    let valid = seconds.filter(|seconds| (0.0..=3600.0).contains(seconds));
    Duration::from_secs_f64(valid.unwrap_or(0.0))
}

/// How long the player thinks in each of the stages.
pub fn paces<'a>(timed: impl Iterator<Item = &'a TimedMove> + Clone) -> [Pace; 3] {
    [0, 1, 2].map(|stage| {
        let of_stage = timed.clone().filter(|timed| timed.stage == stage);
        Pace::of(&of_stage.map(|timed| timed.share).collect::<Vec<f64>>())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Games;

    const OPENING: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 \
                           8. c3 O-O";

    fn timed(time_control: &str, moves: &str, side: Color) -> Vec<TimedMove> {
        let text = format!("[TimeControl \"{time_control}\"]\n\n{OPENING} {moves} *\n");
        let game = Games::new(text.as_bytes()).next().expect("a game");
        let record = game.expect("it can be read").record.expect("it is whole");
        timed_moves(&record, side)
    }

    #[test]
    fn the_clocks_of_two_moves_of_a_side_and_the_increment_tell_the_time() {
        let moves = "9. h3 {[%clk 0:01:40]} Nb8 {[%clk 0:01:00]} 10. d4 {[%clk 0:01:37]} Nbd7 \
                     {[%clk 0:01:01]} 11. c4 {[%clk 0:01:40]} c6";
        let white = timed("180+2", moves, Color::White);
        let shares: Vec<f64> = white.iter().map(|timed| timed.share).collect();
        // Of 100 seconds 5; then the clock has gained more than the increment.
        assert_eq!(shares, [0.05]);
        assert_eq!(white[0].stage, 0);
        let black = timed("180+2", moves, Color::Black);
        assert_eq!(
            black.iter().map(|timed| timed.share).sum::<f64>(),
            1.0 / 60.0
        );
    }

    #[test]
    fn without_clocks_or_with_odd_ones_nothing_is_known() {
        assert!(timed("180+2", "9. h3 Nb8 10. d4 Nbd7", Color::White).is_empty());
        let zero = "9. h3 {[%clk 0:00:00]} Nb8 10. d4 {[%clk 0:00:00]} Nbd7";
        assert!(timed("-", zero, Color::White).is_empty());
        // More than a clock can hold with the increment.
        let huge = "9. h3 {[%clk 18446744073709549568]} Nb8 10. d4 {[%clk 1:00:00]} Nbd7";
        let found = timed("60+3600", huge, Color::White);
        assert!(found.iter().all(|timed| timed.share <= 1.0), "{found:?}");
        for tag in ["", "?", "180+x", "180+-5", "180+1e99", "+", "1/2+3:4"] {
            let found = timed(
                tag,
                "9. h3 {[%clk 0:01:40]} Nb8 10. d4 {[%clk 0:01:30]}",
                Color::White,
            );
            assert_eq!(found.len(), 1, "{tag}");
        }
    }
}
