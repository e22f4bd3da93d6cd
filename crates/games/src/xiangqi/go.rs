//! What `go` asks for, in UCI and in UCCI.

use std::time::Duration;

use crate::game::MAX_PLY;

use super::pieces::Side;

/// The interface's clock runs on while the answer is on its way.
const CLOCK_OVERHEAD: Duration = Duration::from_millis(30);

/// The same for a fixed time, which is not lost if it is overstepped by a little.
const MOVE_OVERHEAD: Duration = Duration::from_millis(5);

/// What `go` asks for.
#[derive(Debug, Default)]
pub(super) struct Go {
    pub(super) depth: Option<i32>,
    pub(super) nodes: Option<u64>,
    pub(super) time: Option<Duration>,
    pub(super) is_infinite: bool,
    pub(super) perft: Option<u32>,
}

impl Go {
    /// Reads the words after `go`, and says what is wrong with those that can't be used. UCCI
    /// writes one clock, UCI one for each side.
    pub(super) fn read(words: &[&str], turn: Side, is_in_milliseconds: bool) -> (Go, Vec<String>) {
        let mut go = Go::default();
        let mut complaints = Vec::new();
        let (mut left, mut increment, mut moves_to_go) = (None, 0, None);
        let unit = if is_in_milliseconds { 1 } else { 1000 };
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.is_infinite = true,
                // Pondering isn't offered; `ponderhit` plays what was found.
                "ponder" => go.is_infinite = true,
                "draw" => {}
                "depth" | "nodes" | "perft" | "movetime" | "time" | "increment" | "movestogo"
                | "opptime" | "oppincrement" | "oppmovestogo" | "mate" | "wtime" | "btime"
                | "winc" | "binc" => {
                    let value = words.next().unwrap_or_default();
                    let Ok(number) = value.parse::<i64>() else {
                        complaints.push(format!("{word} needs a whole number, not {value:?}"));
                        continue;
                    };
                    let number = number.max(0) as u64;
                    let is_own = word.starts_with('w') == (turn == Side::Red);
                    match word {
                        "depth" => go.depth = Some(number.clamp(1, MAX_PLY as u64) as i32),
                        "nodes" => go.nodes = Some(number),
                        // A mate in so many moves is seen at this depth.
                        "mate" => {
                            let plies = number.saturating_mul(2).saturating_sub(1);
                            go.depth = Some(plies.clamp(1, MAX_PLY as u64) as i32);
                        }
                        "perft" => go.perft = Some(number.clamp(1, 20) as u32),
                        "movetime" => {
                            let time = Duration::from_millis(number);
                            go.time = Some(time.saturating_sub(MOVE_OVERHEAD));
                        }
                        "time" => left = Some(number.saturating_mul(unit)),
                        "increment" => increment = number.saturating_mul(unit),
                        "movestogo" => moves_to_go = Some(number),
                        "wtime" | "btime" if is_own => left = Some(number),
                        "winc" | "binc" if is_own => increment = number,
                        _ => {}
                    }
                }
                _ => complaints.push(format!("go does not know {word:?}")),
            }
        }
        if let Some(left) = left {
            let share = left / moves_to_go.unwrap_or(30).clamp(1, 30);
            let most = share.saturating_add(increment / 4 * 3).min(left / 3 * 2);
            let most = Duration::from_millis(most).saturating_sub(CLOCK_OVERHEAD);
            go.time = Some(go.time.map_or(most, |time| time.min(most)));
        }
        (go, complaints)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_limit_ends_a_search() {
        for (words, milliseconds) in [
            ("movetime 100 wtime 60000 btime 60000", 95),
            ("wtime 60000 btime 60000 movetime 100", 95),
            ("movetime 9000 wtime 60000 btime 1000", 1_970),
        ] {
            let words: Vec<&str> = words.split(' ').collect();
            let (go, _) = Go::read(&words, Side::Red, true);
            assert_eq!(
                go.time,
                Some(Duration::from_millis(milliseconds)),
                "{words:?}"
            );
        }
    }

    #[test]
    fn a_mate_that_is_asked_for_bounds_the_depth() {
        for (moves, depth) in [("0", 1), ("1", 1), ("3", 5), ("99999", MAX_PLY as i32)] {
            let (go, complaints) = Go::read(&["mate", moves], Side::Red, true);
            assert_eq!((go.depth, complaints), (Some(depth), Vec::new()), "{moves}");
        }
    }
}
