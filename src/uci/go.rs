//! The words after `go`: what a search is asked for, before anybody asks whether it makes sense.

use shakmaty::uci::UciMove;

use super::command_error::CommandError;

/// The words after `go`, as they were said: numbers are neither clamped nor compared with each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Milliseconds on White's clock.
    pub white_time: Option<i64>,
    /// Milliseconds on Black's clock.
    pub black_time: Option<i64>,
    /// Milliseconds that White gains with each move.
    pub white_increment: Option<i64>,
    /// Milliseconds that Black gains with each move.
    pub black_increment: Option<i64>,
    /// Moves to the next time control.
    pub moves_to_go: Option<i64>,
    /// Milliseconds for this move.
    pub move_time: Option<i64>,
    /// Plies.
    pub depth: Option<i64>,
    /// Nodes.
    pub nodes: Option<i64>,
    /// Moves to a mate that is good enough.
    pub mate: Option<i64>,
    /// Until told to stop.
    pub infinite: bool,
    /// On the opponent's time.
    pub ponder: bool,
    /// The moves to consider; some may be illegal.
    pub search_moves: Vec<UciMove>,
    /// Limits whose value made no sense, and that are left out for it.
    pub remarks: Vec<CommandError>,
}

impl Go {
    /// Reads the words. What is no limit is skipped; a limit without a number is left out with a remark.
    pub fn parse(tokens: &[&str]) -> Go {
        let mut go = Go::default();
        let mut rest = tokens;
        while let [token, after @ ..] = rest {
            rest = after;
            let (word, slot) = match *token {
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
                    let count = after.iter().take_while(|token| is_move(token)).count();
                    let moves = after[..count]
                        .iter()
                        .filter_map(|token| token.parse::<UciMove>().ok());
                    go.search_moves.extend(moves);
                    rest = &after[count..];
                    continue;
                }
                _ => continue,
            };
            match rest.first().map(|value| (value, parse_number(value))) {
                Some((_, Some(number))) => {
                    *slot = Some(number);
                    rest = &rest[1..];
                }
                Some((value, None)) => go.remarks.push(CommandError::bad_value(word, value)),
                None => go.remarks.push(CommandError::MissingValue(word)),
            }
        }
        go
    }
}

fn is_move(token: &str) -> bool {
    token.parse::<UciMove>().is_ok()
}

/// A whole number; one too large for us is as large as we can hold.
fn parse_number(token: &str) -> Option<i64> {
    let digits = token.strip_prefix(['-', '+']).unwrap_or(token);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
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

    fn go(words: &str) -> Go {
        Go::parse(&words.split_whitespace().collect::<Vec<_>>())
    }

    fn moves(words: &str) -> Vec<UciMove> {
        words
            .split(' ')
            .map(|word| word.parse().expect("a move"))
            .collect()
    }

    #[test]
    fn unknown_words_inside_go_are_skipped() {
        let parsed = go("quickly wtime 100 btime 200 winc 3 binc 4 movestogo 5 please");
        assert_eq!(parsed.white_time, Some(100));
        assert_eq!(parsed.black_time, Some(200));
        assert_eq!(parsed.white_increment, Some(3));
        assert_eq!(parsed.black_increment, Some(4));
        assert_eq!(parsed.moves_to_go, Some(5));
        assert!(parsed.remarks.is_empty());
    }

    #[test]
    fn search_moves_end_at_the_first_word_that_is_no_move() {
        let parsed = go("searchmoves e2e4 d2d4 depth 3");
        assert_eq!(parsed.search_moves, moves("e2e4 d2d4"));
        assert_eq!(parsed.depth, Some(3));
        assert_eq!(go("depth 3 searchmoves a7a8q").search_moves, moves("a7a8q"));
    }

    #[test]
    fn a_limit_without_a_number_is_left_out_with_a_remark() {
        let parsed = go("depth abc nodes 7");
        assert_eq!(parsed.depth, None);
        assert_eq!(parsed.nodes, Some(7));
        assert_eq!(parsed.remarks, [CommandError::bad_value("depth", "abc")]);
        assert_eq!(
            go("movetime").remarks,
            [CommandError::MissingValue("movetime")]
        );
    }

    #[test]
    fn numbers_beyond_all_bounds_are_held_at_ours() {
        assert_eq!(go("wtime 99999999999999999999").white_time, Some(i64::MAX));
        assert_eq!(go("wtime -99999999999999999999").white_time, Some(i64::MIN));
        assert_eq!(go("nodes -5").nodes, Some(-5));
    }
}
