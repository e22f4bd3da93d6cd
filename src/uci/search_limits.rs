//! The limits of a search, from the numbers of a `go` command: brought into range, for the side to
//! move.

use std::time::Duration;

use shakmaty::{Color, Position};

use super::go::Go;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::search::limits::{Limits, PlayerClock};

/// The limits that a `go` command sets for the side to move in a position.
pub(super) fn limits_of(go: &Go, position: &VariantPosition) -> Limits {
    let (time, increment) = match position.turn() {
        Color::White => (go.white_time, go.white_increment),
        Color::Black => (go.black_time, go.black_increment),
    };
    // If only the opponent's clock is given, ours counts as empty. So does one of which nothing
    // but the increment can be read, where the search would wait for a `stop` that is not to come.
    let is_given = |limits: &[Option<i64>]| limits.iter().any(Option::is_some);
    let is_limited = is_given(&[go.depth, go.nodes, go.move_time]);
    let is_meant = is_given(&[go.white_increment, go.black_increment]) || go.has_unreadable_time();
    let has_clock =
        is_given(&[go.white_time, go.black_time]) || (is_meant && !is_limited && !go.infinite);
    let clock = has_clock.then(|| PlayerClock {
        remaining: millis(time.unwrap_or(0)),
        increment: millis(increment.unwrap_or(0)),
        // Some programs send 0 where there is no next time control, as Stockfish reads it.
        moves_to_go: go.moves_to_go.filter(|moves| *moves > 0).map(at_least_one),
    });
    Limits {
        clock,
        move_time: go.move_time.map(millis),
        depth: go.depth.map(at_least_one),
        nodes: go.nodes.map(|nodes| nodes.max(0).unsigned_abs()),
        soft_nodes: None,
        mate: go.mate.map(at_least_one),
        search_moves: go
            .search_moves
            .iter()
            .filter_map(|sent| sent.to_move(position))
            .collect(),
    }
}

/// A number of milliseconds as a duration; a negative one counts as zero.
fn millis(millis: i64) -> Duration {
    Duration::from_millis(millis.max(0).unsigned_abs())
}

/// A count, clamped to 1 or more and to the range of `u32`.
fn at_least_one(number: i64) -> u32 {
    u32::try_from(number.max(1)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(go: &str) -> PlayerClock {
        let go = Go::parse(&go.split_whitespace().collect::<Vec<_>>());
        let limits = limits_of(&go, &VariantPosition::default());
        limits.clock.expect("a clock was given")
    }

    #[test]
    fn the_clock_is_that_of_the_side_to_move_and_never_negative() {
        let both = clock("wtime 5000 btime 3000 winc 50 binc 30");
        assert_eq!(both.remaining, Duration::from_secs(5));
        assert_eq!(both.increment, Duration::from_millis(50));
        let late = clock("wtime -5 winc -5");
        assert_eq!((late.remaining, late.increment), Default::default());
        assert_eq!(clock("btime 3000").remaining, Duration::ZERO);
    }

    #[test]
    fn a_mate_that_is_looked_for_holds_no_answer_back_where_times_are_meant() {
        assert_eq!(clock("mate 40 wtime abc").remaining, Duration::ZERO);
        assert_eq!(clock("mate 40 winc 50").remaining, Duration::ZERO);
    }

    #[test]
    fn a_time_control_without_moves_is_the_rest_of_the_game() {
        for (sent, moves_to_go) in [("40", Some(40)), ("1", Some(1)), ("0", None), ("-3", None)] {
            let clock = clock(&format!("wtime 60000 movestogo {sent}"));
            assert_eq!(clock.moves_to_go, moves_to_go, "{sent}");
        }
    }
}
