//! The words of a `go`: what may end the search, and what holds its answer back.

use shakmaty::uci::UciMove;

/// The limits that a `go` names with a number behind them.
pub const LIMITS: [&str; 9] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
];

/// Limits at which a search ends within milliseconds.
const SOON: [(&str, i64); 5] = [
    ("depth", 2),
    ("nodes", 20_000),
    ("movetime", 50),
    ("wtime", 300),
    ("btime", 300),
];

/// A `go` as it was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoLine {
    /// Whether the answer waits for `ponderhit` or `stop`.
    pub ponder: bool,
    /// Whether the answer waits for `stop`.
    pub infinite: bool,
    /// Whether the search ends within milliseconds by its own limits, once nothing holds it back.
    pub is_short: bool,
    /// The limits without a number, each of which is refused, or else whether a word means nothing.
    pub faults: usize,
    pub search_moves: Vec<UciMove>,
}

impl GoLine {
    /// Reads the words behind `go`.
    pub fn parse(words: &[&str]) -> GoLine {
        let mut limits: Vec<(&str, i64)> = Vec::new();
        let mut go = GoLine::default();
        let mut is_move = false;
        let mut is_number = false;
        let mut is_unknown = false;
        for (place, &word) in words.iter().enumerate() {
            let is_value = std::mem::take(&mut is_number);
            if LIMITS.contains(&word) {
                let value = words.get(place + 1).and_then(|value| whole_number(value));
                is_number = value.is_some();
                match value {
                    Some(value) => limits.push((word, value)),
                    None => go.faults += 1,
                }
            }
            go.infinite |= word == "infinite";
            go.ponder |= word == "ponder";
            let uci_move = word.parse::<UciMove>().ok().filter(|_| is_move);
            let is_word = ["infinite", "ponder", "searchmoves"].contains(&word);
            is_unknown |= !(is_value || is_word || LIMITS.contains(&word) || uci_move.is_some());
            is_move = word == "searchmoves" || uci_move.is_some();
            go.search_moves.extend(uci_move);
        }
        if go.faults == 0 {
            go.faults = usize::from(is_unknown);
        }
        // Of a limit that is named twice the last number counts.
        let value_of = |name: &str| {
            let named = limits.iter().rev().find(|(limit, _)| *limit == name);
            named.map(|(_, value)| *value)
        };
        let bounds = [
            "wtime", "btime", "winc", "binc", "movetime", "depth", "nodes",
        ];
        // A time that can't be read is none left.
        let is_time = |word: &&str| bounds[..5].contains(word);
        let is_bounded =
            words.iter().any(is_time) || bounds.iter().any(|name| value_of(name).is_some());
        go.infinite |= !is_bounded && !go.ponder && value_of("mate").is_none();
        let is_soon =
            |(name, most): &(&str, i64)| value_of(name).is_some_and(|value| value <= *most);
        let has_long_clock = ["wtime", "btime"]
            .iter()
            .any(|name| value_of(name) > Some(300));
        let has_increment = ["winc", "binc"]
            .iter()
            .any(|name| value_of(name) > Some(50));
        let by_clock = |name: &str| name.ends_with("time") && name != "movetime";
        go.is_short = SOON.iter().any(|limit| {
            is_soon(limit) && !(by_clock(limit.0) && (has_long_clock || has_increment))
        });
        go
    }
}

/// A number of any size without its fraction; those beyond 64 bits are the greatest or the least.
fn whole_number(word: &str) -> Option<i64> {
    let is_decimal = |after: &str| after.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((mantissa, power)) = word.split_once(['e', 'E']) {
        let power = power.strip_prefix(['-', '+']).unwrap_or(power);
        whole_number(mantissa).filter(|_| !power.is_empty() && is_decimal(power))?;
        let value: f64 = word.replace(',', ".").parse().ok()?;
        return Some(value as i64);
    }
    let word = word
        .split_once(['.', ','])
        .filter(|(_, after)| is_decimal(after))
        .map_or(word, |(whole, _)| whole);
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let limit = if word.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    is_number.then(|| word.parse().unwrap_or(limit))
}

#[test]
fn a_go_is_read_as_the_protocol_says() {
    let go = |text: &str| GoLine::parse(&text.split(' ').collect::<Vec<_>>());
    assert!(go("depth 2").is_short && !go("depth 2").infinite);
    assert!(go("").infinite && go("depth abc").infinite && go("movestogo 3").infinite);
    assert!(!go("wtime abc").infinite && !go("winc 5").infinite && !go("movetime").infinite);
    assert!(go("movetime 5e+01").is_short && !go("wtime 6,0e5").is_short);
    assert_eq!(go("depth depth 3 wtime").faults, 2);
    assert_eq!((go("depth5").faults, go("depth 5 infinite").faults), (1, 0));
    assert!(!go("mate 3").infinite && !go("mate 3").is_short);
    assert_eq!(go("searchmoves e2e4 x d2d4 depth 1").search_moves.len(), 1);
    assert!(!go("wtime 100 btime 99999999").is_short && go("wtime 100").is_short);
}
