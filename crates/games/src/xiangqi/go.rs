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
    /// Reads the words after `go`. UCCI writes one clock, UCI one for each side.
    pub(super) fn read(words: &[&str], turn: Side, is_in_milliseconds: bool) -> Result<Go, String> {
        let mut go = Go::default();
        let (mut left, mut increment, mut moves_to_go) = (None, 0, None);
        let unit = if is_in_milliseconds { 1 } else { 1000 };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let mut number = || {
                let value = words.next().copied().unwrap_or_default();
                let number = value.parse::<i64>();
                let number = number.map_err(|_| format!("{word} needs a number, not {value:?}"))?;
                Ok::<u64, String>(number.max(0) as u64)
            };
            match word {
                "infinite" => go.is_infinite = true,
                "ponder" | "draw" => {}
                "depth" => go.depth = Some(number()?.clamp(1, MAX_PLY as u64) as i32),
                "nodes" => go.nodes = Some(number()?),
                "perft" => go.perft = Some(number()?.clamp(1, 20) as u32),
                "movetime" => {
                    let time = Duration::from_millis(number()?);
                    go.time = Some(time.saturating_sub(MOVE_OVERHEAD));
                }
                "time" => left = Some(number()?.saturating_mul(unit)),
                "increment" => increment = number()?.saturating_mul(unit),
                "movestogo" => moves_to_go = Some(number()?),
                "opptime" | "oppincrement" | "oppmovestogo" | "mate" => drop(number()?),
                "wtime" | "btime" | "winc" | "binc" => {
                    let value = number()?;
                    let is_own = word.starts_with('w') == (turn == Side::Red);
                    match (is_own, word.ends_with("time")) {
                        (true, true) => left = Some(value),
                        (true, false) => increment = value,
                        _ => {}
                    }
                }
                _ => return Err(format!("go does not know {word:?}")),
            }
        }
        if let Some(left) = left {
            let share = left / moves_to_go.unwrap_or(30).clamp(1, 30);
            let most = (share + increment / 4 * 3).min(left / 3 * 2);
            go.time = Some(Duration::from_millis(most).saturating_sub(CLOCK_OVERHEAD));
        }
        Ok(go)
    }
}
