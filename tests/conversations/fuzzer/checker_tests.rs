//! Conversations with one fault each, which the checker must find.

use super::*;
use crate::fuzzer::declared_option::{DeclaredOption, Kind};

const INFO: &str = "info depth 1 seldepth 1 multipv 1 score cp 9 nodes 21 nps 9 hashfull 0 tbhits 0 time 0 pv e2e4 e7e5";
const BEST: &str = "bestmove e2e4 ponder e7e5";

/// Plays a conversation: lines that begin with `>` are sent, the others received. Returns the first
/// fault.
fn heard(conversation: &[&str]) -> Result<(), Fault> {
    let options = ["MultiPV", "BookFile"].map(|name| DeclaredOption {
        name: name.to_owned(),
        default: None,
        kind: if name == "BookFile" {
            Kind::Text
        } else {
            Kind::Spin { min: 1, max: 9 }
        },
    });
    let mut checker = Checker::new(Protocol::new(options.to_vec()));
    for line in conversation {
        match line.strip_prefix('>') {
            Some(sent) => drop(checker.sent(sent.as_bytes())),
            None => checker.received(line)?,
        }
    }
    checker.input_ended();
    checker.ended()
}

#[test]
fn a_conversation_without_a_fault_is_accepted() {
    for conversation in [
        [">go nodes 9", INFO, BEST, ">isready", "readyok"].as_slice(),
        &[
            ">go infinite",
            INFO,
            ">isready",
            "readyok",
            ">stop",
            INFO,
            BEST,
        ],
        &[
            ">go infinite",
            ">go infinite",
            ">stop",
            INFO,
            BEST,
            INFO,
            BEST,
        ],
        &[">go ponder nodes 9", INFO, ">ponderhit", INFO, BEST],
        &[
            ">setoption name MultiPV value 10",
            "info string no",
            ">isready",
            "readyok",
        ],
        &[
            ">setoption name BookFile value x",
            "info string one",
            "info string two",
            ">isready",
            "readyok",
        ],
        &[">go depth x", "info string no", INFO, ">quit", INFO, BEST],
        &[
            ">go infinite",
            ">position fen x",
            "info string no",
            ">stop",
            INFO,
            BEST,
        ],
        &[
            ">perft 1",
            "e2e4: 1",
            "info string 1 ms, 20 nodes per second",
            "Nodes searched: 20",
        ],
        &[">nonsense", ">isready", "readyok"],
    ] {
        assert_eq!(heard(conversation), Ok(()), "{conversation:?}");
    }
}

#[test]
fn every_fault_is_found() {
    let illegal = BEST.replace("e7e5", "e7e6").replace("e2e4", "e2e5");
    let illegal_line = INFO.replace("e7e5", "e7e4");
    let bound = INFO.replace("cp 9", "cp 9 lowerbound");
    let second_line = INFO.replace("multipv 1", "multipv 2");
    let with_wdl = INFO.replace("cp 9", "cp 9 wdl 1 2 997");
    let disordered = INFO.replace("hashfull 0 tbhits 0", "tbhits 0 hashfull 0");
    for (conversation, what) in [
        (
            [">go nodes 9", INFO].as_slice(),
            "an answer is missing at the end",
        ),
        (
            &[">go nodes 9", INFO, BEST, BEST],
            "a line of a search without a search",
        ),
        (&[">stop", INFO], "a line of a search without a search"),
        (
            &[">go infinite", ">stop", ">isready", "readyok"],
            "an answer is missing",
        ),
        (
            &[">go infinite", ">go nodes 1", ">isready", "readyok"],
            "an answer is missing",
        ),
        (&[">go infinite", INFO, BEST], "an answer came early"),
        (&[">go ponder nodes 9", INFO, BEST], "an answer came early"),
        (
            &[">go infinite", ">isready", ">stop", INFO, BEST, "readyok"],
            "an answer came early",
        ),
        (&[">go nodes 9", BEST], "a wrong answer"),
        (&[">go nodes 9", INFO, &illegal], "a wrong answer"),
        (&[">go nodes 9", INFO, "bestmove d2d4"], "a wrong answer"),
        (&[">go nodes 9", INFO, "bestmove (none)"], "a wrong answer"),
        (&[">go nodes 9", &bound, BEST], "a wrong answer"),
        (&[">go nodes 9", &illegal_line], "a wrong line of a search"),
        (&[">go nodes 9", &second_line], "a wrong line of a search"),
        (&[">go nodes 9", &with_wdl], "a wrong line of a search"),
        (
            &[">go nodes 9 searchmoves d2d4", INFO],
            "a wrong line of a search",
        ),
        (&[">go nodes 9", &disordered], "a line of an unknown form"),
        (
            &[">go nodes 9", "info depth 0 score mate 0"],
            "a wrong line of a search",
        ),
        (&[">isready"], "a reply is missing at the end"),
        (
            &[">isready", "readyok", "readyok"],
            "a line that nothing asked for",
        ),
        (
            &[">uci", ">isready", "readyok"],
            "a line that nothing asked for",
        ),
        (&["hello"], "a line that nothing asked for"),
        (
            &[">nonsense", "info string no"],
            "an info string that nothing asked for",
        ),
        (
            &[">position fen x", ">isready", "readyok"],
            "a refusal is missing, or one too many",
        ),
        (
            &[">go nodes 9", "info string internal error, x"],
            "an internal error",
        ),
        (
            &[">uci", "id name x", "bestmove e2e4"],
            "a reply is interrupted",
        ),
        (&[">isready", "readyok\r"], "a control character"),
    ] {
        let found = heard(conversation).map_err(|fault| fault.what);
        assert_eq!(found, Err(what), "{conversation:?}");
    }
}

#[test]
fn a_board_must_show_the_position_that_was_set() {
    let mut lines = vec![" +---+"; 17];
    lines.extend(["   a   b   c   d   e   f   g   h", ""]);
    let answer = |fen| {
        [
            &[">position startpos moves e2e4", ">d"],
            lines.as_slice(),
            &[fen, "Key: 0", "Checkers:"],
        ]
        .concat()
    };
    let after = "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(heard(&answer(after)), Ok(()));
    let before = "Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let found = heard(&answer(before)).map_err(|fault| fault.what);
    assert_eq!(found, Err("another position"));
}
