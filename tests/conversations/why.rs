//! `squarewise why` as a person uses it: the parts that it prints add up, and it is honest about
//! what the sum can't see.

use std::collections::HashMap;

use shakmaty::Position;

use crate::support::positions::position;
use crate::support::{KIWIPETE, START};
use crate::terminal::program;

/// Positions with few and many pieces, on both sides of zero.
const POSITIONS: [&str; 6] = [
    START,
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1bq1rk1/pp3pp1/2nb1n1p/3p4/3N4/2NBB2P/PPP2PP1/R2Q1RK1 w - - 2 11",
    "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1",
    "rnb2rk1/ppp2ppp/4pn2/8/1bqP4/2N1BN2/PP3PPP/R2QKB1R b KQ - 3 9",
];

/// What `why` prints, read back.
struct Explained {
    lines: Vec<String>,
}

impl Explained {
    fn of(arguments: &[&str]) -> Explained {
        let arguments = [&["why", "--full"], arguments].concat();
        let output = program(&arguments, &[]);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        let text = String::from_utf8(output.stdout).expect("the program prints UTF-8");
        Explained {
            lines: text.lines().map(str::to_owned).collect(),
        }
    }

    /// The number after a label at the start of a line.
    fn number(&self, label: &str) -> i32 {
        let mut lines = self.lines.iter();
        let rest = lines.find_map(|line| line.strip_prefix(label));
        let rest = rest.unwrap_or_else(|| panic!("no {label:?} in {:#?}", self.lines));
        let word = rest.split_whitespace().next().expect("a number");
        word.parse().expect("a number")
    }

    /// The rows of the table of pieces: the values of each by its letter and square, and the sums
    /// of the sides.
    fn rows(&self) -> (HashMap<String, Vec<i32>>, Vec<Vec<i32>>) {
        let (mut pieces, mut sums) = (HashMap::new(), Vec::new());
        let start = self
            .lines
            .iter()
            .position(|line| line.starts_with("White  "));
        let rows = &self.lines[start.expect("a table") + 2..];
        for row in rows.iter().take_while(|line| !line.is_empty()) {
            let mut words = row.split_whitespace().peekable();
            while let Some(name) = words.next() {
                let mut values = Vec::new();
                while let Some(value) = words.peek().and_then(|word| word.parse().ok()) {
                    values.push(value);
                    words.next();
                }
                if name == "sum" {
                    sums.push(values);
                } else {
                    pieces.insert(name.to_owned(), values);
                }
            }
        }
        (pieces, sums)
    }

    fn text(&self) -> String {
        self.lines.join(" ")
    }
}

#[test]
fn the_contributions_of_all_pieces_and_tables_add_up_to_the_evaluation() {
    for fen in POSITIONS {
        for tables in ["learned", "simplified"] {
            let explained = Explained::of(&[fen, "--depth", "1", "--tables", tables]);
            let (pieces, sums) = explained.rows();
            assert_eq!(pieces.len(), position(fen).board().occupied().count());
            let mut all = 0;
            for values in pieces.values().chain(&sums) {
                let (total, terms) = values.split_last().expect("a total");
                assert_eq!(terms.iter().sum::<i32>(), *total, "{fen}");
            }
            for values in pieces.values() {
                all += values.last().expect("a total");
            }
            let of_sides: i32 = sums.iter().filter_map(|values| values.last()).sum();
            assert_eq!(all, of_sides, "{fen}");
            assert_eq!(explained.number("all pieces"), all, "{fen}");
            let evaluation = explained.number("evaluation");
            let beyond_pieces = explained.number("material imbalance");
            let turn = explained.number("side to move");
            assert_eq!(all + beyond_pieces + turn, evaluation, "{fen}");
        }
    }
}

#[test]
fn the_evaluation_is_that_of_the_engine() {
    let fen = POSITIONS[5];
    let explained = Explained::of(&[fen, "--depth", "1"]);
    let mut engine = crate::support::Conversation::start();
    engine.send(&format!("position fen {fen}"));
    engine.send("eval");
    let last = engine.sync().pop().expect("eval says something");
    // It is Black's turn.
    let evaluation = -explained.number("evaluation");
    assert_eq!(last, format!("evaluation {evaluation} cp"));
}

#[test]
fn the_steps_of_the_line_add_up_from_one_evaluation_to_the_next() {
    let explained = Explained::of(&[KIWIPETE, "--depth", "6"]);
    let mut evaluation = explained.number("evaluation");
    let mut steps = 0;
    let mut lines = explained
        .lines
        .iter()
        .skip_while(|line| !line.starts_with("What each move"));
    lines.nth(1);
    for line in lines.take_while(|line| line.starts_with("  ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        // A continued line has no move.
        let Some(number) = words.first().filter(|word| word.ends_with('.')) else {
            continue;
        };
        assert!(number.starts_with(char::is_numeric), "{line}");
        let [after, change] =
            [words[2], words[3]].map(|word| word.parse::<i32>().expect("a number"));
        assert_eq!(evaluation + change, after, "{line}");
        evaluation = after;
        steps += 1;
    }
    assert!(steps >= 3, "{}", explained.text());
}

#[test]
fn a_worse_move_is_compared_with_the_best_one() {
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    for name in ["Bxf7+", "c4f7"] {
        let explained = Explained::of(&[fen, "--depth", "8", "--move", name]);
        let words = "4. Bxf7+ takes the pawn on f7, but 4... Kxf7 takes the bishop on f7";
        assert!(explained.text().contains(words), "{}", explained.text());
    }
    let best = Explained::of(&[
        "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
        "--depth",
        "4",
        "--move",
        "Ra8",
    ]);
    assert!(
        best.text().contains("White mates with 1. Ra8#"),
        "{}",
        best.text()
    );
}

#[test]
fn a_piece_that_can_be_taken_is_what_decides() {
    // The queen hangs.
    let fen = "4k3/8/8/3q4/8/2N5/3P4/4K3 w - - 0 1";
    let tactics = Explained::of(&[fen, "--depth", "6"]);
    assert!(
        tactics.text().contains("White wins the queen by force"),
        "{}",
        tactics.text()
    );
}

#[test]
fn a_line_that_ends_in_a_draw_is_called_so() {
    let fen = "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1";
    let drawn = Explained::of(&[fen, "--depth", "6"]);
    assert!(
        drawn
            .text()
            .contains("ends in a draw: neither side can mate"),
        "{}",
        drawn.text()
    );
}

#[test]
fn a_finished_game_is_explained_without_a_search() {
    for (fen, words) in [
        (
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            "White is checkmated",
        ),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
    ] {
        let explained = Explained::of(&[fen]);
        assert!(explained.text().contains(words), "{}", explained.text());
        assert!(!explained.text().contains("depth"), "{}", explained.text());
    }
}

#[test]
fn bad_positions_and_impossible_moves_are_refused_by_name() {
    for (arguments, code, offender) in [
        (["why", "rubbish"].as_slice(), 2, "rubbish"),
        (&["why", "8/8/8/8/8/8/8/8 w - - 0 1"], 2, "8/8"),
        (&["why"], 2, "FEN"),
        (&["why", "startpos", "--move", "Ke2"], 1, "Ke2"),
        (&["why", "startpos", "--move", "e2e5"], 1, "e2e5"),
        (
            &["why", "startpos", "--move", "\u{1b}[2J"],
            1,
            "is not a move",
        ),
        (
            &["why", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "--move", "Nd2"],
            1,
            "two knights can go to d2: Nbd2 or Nfd2",
        ),
        (
            &["why", "3r3k/2P5/8/8/8/8/8/K7 w - - 0 1", "--move", "c8"],
            1,
            "c8 needs a piece to promote to",
        ),
        (&["why", "startpos", "--depth", "0"], 2, "--depth"),
        (
            &["why", "startpos", "--tables", "no-such-file"],
            2,
            "no-such-file",
        ),
    ] {
        let output = program(arguments, &[]);
        let reason = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {reason}");
        assert!(reason.contains(offender), "{arguments:?}: {reason}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn eval_says_in_a_conversation_what_decides() {
    let mut engine = crate::support::Conversation::start();
    engine.send("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    engine.send("eval");
    let lines = engine.sync();
    let has_sentence = |line: &String| line.contains("what decides") && line.contains("a pawn up");
    assert!(lines.iter().any(has_sentence), "{lines:?}");
}

#[test]
fn without_full_the_page_fits_on_a_screen_and_names_the_option() {
    let fen = "r1bqkbnr/pppp1ppp/8/4p3/2BnP3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    let arguments = ["why", fen, "--nodes", "100000", "--move", "Nxe5"];
    let output = program(&arguments, &[]);
    let text = String::from_utf8(output.stdout).expect("the program prints UTF-8");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() < 24, "{text}");
    assert!(lines.iter().all(|line| line.len() <= 80), "{text}");
    assert!(
        lines.last().is_some_and(|line| line.starts_with("--full ")),
        "{text}"
    );
    assert!(
        text.contains("4. Nxe5 takes the pawn on e5, but 4... Qg5 forks"),
        "{text}"
    );
}

#[test]
fn the_same_nodes_give_the_same_words() {
    let arguments = ["why", KIWIPETE, "--nodes", "20000", "--move", "O-O"];
    let said = || program(&arguments, &[]).stdout;
    assert_eq!(said(), said());
}

#[test]
fn a_stalemate_that_wins_is_called_so() {
    let fen = "k7/2Q5/8/8/2K5/8/8/8 w - - 0 1";
    let explained = Explained::of(&[fen, "--nodes", "2000", "--variant", "stalematewin"]);
    let text = explained.text();
    assert!(text.starts_with("White stalemates with 1. "), "{text}");
}

#[test]
fn tablebase_results_come_first_and_bad_paths_are_refused() {
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    let won = "8/8/8/4k3/8/3K4/4P3/8 w - - 0 1";
    let drawn = "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1";
    for (fen, words) in [
        (won, "White wins, according to the endgame tablebases"),
        (
            drawn,
            "The game is a draw, according to the endgame tablebases",
        ),
    ] {
        let explained = Explained::of(&[fen, "--nodes", "2000", "--syzygy", tables]);
        assert!(explained.text().starts_with(words), "{}", explained.text());
    }
    let thrown = Explained::of(&[won, "--nodes", "2000", "--syzygy", tables, "--move", "Kc3"]);
    assert!(thrown.text().contains("only a draw"), "{}", thrown.text());
    let queen = "6kr/8/8/8/3Q4/8/6K1/8 w - - 0 1";
    let lost = Explained::of(&[
        queen, "--nodes", "2000", "--syzygy", tables, "--move", "Qh4",
    ]);
    let text = lost.text();
    assert!(text.contains("Qh4 turns the win into a loss"), "{text}");
    let output = program(&["why", won, "--syzygy", "/no/such/directory"], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no tablebases in"));
}
