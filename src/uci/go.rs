//! The parameters of a `go` command as they were sent.
//!
//! Parsing doesn't know the position: it doesn't clamp numbers, compare limits with each other, or
//! test whether a move of `searchmoves` is legal. That happens when the limits of the search are
//! computed from it. Only numbers beyond 64 bits are clamped here.

use super::error::CommandError;
use super::sent_move::SentMove;

/// The parameters of a `go` command; `None` for a limit that was not given. Times and increments
/// are in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    pub white_time: Option<i64>,
    pub black_time: Option<i64>,
    pub white_increment: Option<i64>,
    pub black_increment: Option<i64>,
    pub moves_to_go: Option<i64>,
    pub move_time: Option<i64>,
    pub depth: Option<i64>,
    pub nodes: Option<i64>,
    /// Stop at a mate in this many moves or fewer.
    pub mate: Option<i64>,
    pub infinite: bool,
    pub ponder: bool,
    /// The root moves to search; some can be illegal.
    pub search_moves: Vec<SentMove>,
    /// What could not be understood.
    pub errors: Vec<CommandError>,
}

impl Go {
    /// Whether a clock or a time was meant, though it can't be read. A game is lost by waiting for
    /// a `stop` that doesn't come.
    pub fn has_unreadable_time(&self) -> bool {
        let is_time = |name: &str| name.ends_with("time") || name.ends_with("inc");
        self.errors.iter().any(|error| match error {
            CommandError::BadLimit { word, .. } | CommandError::MissingValue(word) => is_time(word),
            _ => false,
        })
    }

    /// Parses the tokens after `go`. A limit without a number is left out, with an error in
    /// `errors`. Unknown tokens are skipped; the first is an error too, unless a limit has one
    /// already.
    pub fn parse(tokens: &[&str]) -> Go {
        let mut go = Go::default();
        let mut rest = tokens;
        let mut unknown = None;
        while let [token, after @ ..] = rest {
            rest = after;
            let (name, slot) = match *token {
                "wtime" => ("wtime", &mut go.white_time),
                "btime" => ("btime", &mut go.black_time),
                "winc" => ("winc", &mut go.white_increment),
                "binc" => ("binc", &mut go.black_increment),
                "movestogo" => ("movestogo", &mut go.moves_to_go),
                "movetime" => ("movetime", &mut go.move_time),
                "depth" => ("depth", &mut go.depth),
                "nodes" => ("nodes", &mut go.nodes),
                "mate" => ("mate", &mut go.mate),
                "infinite" => {
                    go.infinite = true;
                    continue;
                }
                "ponder" => {
                    go.ponder = true;
                    continue;
                }
                "searchmoves" => {
                    let before = go.search_moves.len();
                    let moves = after.iter().map_while(|token| SentMove::parse(token));
                    go.search_moves.extend(moves);
                    rest = &after[go.search_moves.len() - before..];
                    continue;
                }
                word => {
                    unknown = unknown.or(Some(word));
                    continue;
                }
            };
            match rest.first().map(|value| (value, parse_number(value))) {
                Some((_, Some(number))) => {
                    *slot = Some(number);
                    rest = &rest[1..];
                }
                Some((value, None)) => go.errors.push(CommandError::BadLimit {
                    word: name,
                    value: (*value).to_owned(),
                }),
                None => go.errors.push(CommandError::MissingValue(name)),
            }
        }
        if go.errors.is_empty() {
            let error = unknown.map(|word| CommandError::UnknownLimit(word.to_owned()));
            go.errors.extend(error);
        }
        go
    }
}

/// Parses a number, rounded toward zero and clamped to the range of `i64`: some programs send
/// `60000.0` for a clock, or `5.4e+06`, or `60000,0` where people write it so.
fn parse_number(token: &str) -> Option<i64> {
    let is_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = |text: &str| text.strip_prefix(['-', '+']).unwrap_or(text).to_owned();
    if let Some((number, exponent)) = token.split_once(['e', 'E']) {
        let is_exponent = is_digits(&unsigned(exponent)) && parse_number(number).is_some();
        let value: f64 = token.replace(',', ".").parse().ok()?;
        return is_exponent.then_some(value as i64);
    }
    let token = match token.split_once(['.', ',']) {
        // Thousands, sooner than a fraction: `100,000`.
        Some((whole, fraction))
            if token.contains(',') && fraction.len() == 3 && unsigned(whole).len() <= 3 =>
        {
            return None;
        }
        Some((whole, fraction)) if is_digits(fraction) => whole,
        _ => token,
    };
    let digits = unsigned(token);
    if digits.is_empty() || !is_digits(&digits) {
        return None;
    }
    let saturated = if token.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    Some(token.parse().unwrap_or(saturated))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(parameters: &str) -> Go {
        Go::parse(&parameters.split_whitespace().collect::<Vec<_>>())
    }

    fn moves(text: &str) -> Vec<SentMove> {
        text.split(' ')
            .map(|word| SentMove::parse(word).expect("a move"))
            .collect()
    }

    #[test]
    fn unknown_tokens_inside_go_are_skipped() {
        let parsed = go("quickly wtime 100 btime 200 winc 3 binc 4 movestogo 5 please");
        assert_eq!(parsed.white_time, Some(100));
        assert_eq!(parsed.black_time, Some(200));
        assert_eq!(parsed.white_increment, Some(3));
        assert_eq!(parsed.black_increment, Some(4));
        assert_eq!(parsed.moves_to_go, Some(5));
    }

    #[test]
    fn a_clock_can_have_a_fraction() {
        let parsed = go("wtime 60000.0 btime 59999.99 winc -1.5 depth 5. nodes 1.2.3 movetime .5");
        assert_eq!(parsed.white_time, Some(60_000));
        assert_eq!(parsed.black_time, Some(59_999));
        assert_eq!(parsed.white_increment, Some(-1));
        assert_eq!(parsed.depth, Some(5));
        assert_eq!((parsed.nodes, parsed.move_time), (None, None));
        assert_eq!(parsed.errors.len(), 2);
        // Thousands are no fraction.
        let parsed = go("wtime 60000,125 nodes 100,000 movetime 5,000");
        assert_eq!(parsed.white_time, Some(60_000));
        assert_eq!((parsed.nodes, parsed.move_time), (None, None));
        assert_eq!(parsed.errors.len(), 2);
        let parsed = go("wtime 5.4e+06 btime 1E3 winc 1500,5 binc -2e-1 nodes e5 depth 1e");
        assert_eq!(parsed.white_time, Some(5_400_000));
        assert_eq!(parsed.black_time, Some(1_000));
        assert_eq!(parsed.white_increment, Some(1_500));
        assert_eq!(parsed.black_increment, Some(0));
        assert_eq!((parsed.nodes, parsed.depth), (None, None));
        assert_eq!(go("nodes 1e99").nodes, Some(i64::MAX));
    }

    #[test]
    fn a_time_that_cannot_be_read_is_told_from_none() {
        assert!(go("wtime abc btime 100").has_unreadable_time());
        assert!(go("depth 3 movetime").has_unreadable_time());
        assert!(!go("wtime 100 depth abc").has_unreadable_time());
        assert!(!go("movestogo x").has_unreadable_time());
    }

    #[test]
    fn the_first_unknown_token_is_named() {
        let named = |word: &str| [CommandError::UnknownLimit(word.to_owned())];
        assert_eq!(go("depth5").errors, named("depth5"));
        assert_eq!(go("nodes 9 depth=5 movetime=3").errors, named("depth=5"));
        assert_eq!(go("depth five").errors.len(), 1, "the limit is named");
        assert_eq!(go("depth 5 infinite searchmoves e2e4 ponder").errors, []);
    }

    #[test]
    fn searchmoves_ends_at_the_first_token_that_is_not_a_move() {
        let parsed = go("searchmoves e2e4 d2d4 depth 3");
        assert_eq!(parsed.search_moves, moves("e2e4 d2d4"));
        assert_eq!(parsed.depth, Some(3));
        assert_eq!(go("depth 3 searchmoves a7a8q").search_moves, moves("a7a8q"));
        let castling = go("searchmoves O-O e2e4 0-0-0 depth 5");
        assert_eq!(castling.search_moves, moves("O-O e2e4 O-O-O"));
        assert_eq!(castling.depth, Some(5));
    }

    #[test]
    fn a_limit_without_a_number_is_left_out_with_an_error() {
        let parsed = go("depth abc nodes 7");
        assert_eq!(parsed.depth, None);
        assert_eq!(parsed.nodes, Some(7));
        let expected = CommandError::BadLimit {
            word: "depth",
            value: "abc".to_owned(),
        };
        assert_eq!(parsed.errors, [expected]);
        assert_eq!(
            go("movetime").errors,
            [CommandError::MissingValue("movetime")]
        );
    }

    #[test]
    fn numbers_beyond_64_bits_are_clamped() {
        assert_eq!(go("wtime 99999999999999999999").white_time, Some(i64::MAX));
        assert_eq!(go("wtime -99999999999999999999").white_time, Some(i64::MIN));
        assert_eq!(go("nodes -5").nodes, Some(-5));
    }
}
