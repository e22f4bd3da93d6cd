//! The decisions of `docs/protocol.md`, where the specification of UCI is silent, about searches,
//! positions and options. The last test is that of the promise behind them: on no input does the
//! engine exit, hang, or lose a bestmove.

#[cfg(target_os = "linux")]
use std::process::Command;
use std::time::Duration;

#[cfg(target_os = "linux")]
use crate::support::engine;
use crate::support::{Conversation, START, move_of};
use shakmaty::Chess;
use shakmaty::uci::UciMove;

/// White's only move is to take the rook.
const ONE_LEGAL_MOVE: &str = "7k/8/8/8/8/8/6r1/7K w - - 0 1";
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
const MATED: &str = "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1";
const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

/// White can castle, which is written e1g1, or e1h1 under UCI_Chess960.
const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

/// Searches that last until they are stopped.
const UNBOUNDED: [&str; 3] = ["go infinite", "go", "go ponder wtime 1000 btime 1000"];

/// How long a test checks that an answer is held back.
const HOLD: Duration = Duration::from_millis(150);

#[test]
fn stop_when_idle_is_answered_by_nothing() {
    let mut engine = Conversation::start();
    engine.assert_accepted("stop");
    engine.search("go depth 2");
    engine.assert_accepted("stop");
}

#[test]
fn go_on_a_finished_game_answers_that_there_is_no_move() {
    let mut engine = Conversation::start();
    for (fen, score) in [(MATED, "mate 0"), (STALEMATED, "cp 0")] {
        for go in ["go depth 3", "go nodes 10", "go wtime 1000 btime 1000"] {
            engine.send(&format!("position fen {fen}"));
            let answer = engine.search(go);
            let info = format!("info depth 0 score {score}");
            assert_eq!(answer, [info.as_str(), "bestmove (none)"]);
            engine.assert_idle();
        }
    }
}

#[test]
fn a_variant_is_told_and_a_wrong_one_refused_with_all_as_it_was() {
    let mut engine = Conversation::start();
    engine.send("setoption name UCI_Variant value torpedo");
    let told = "info string variant torpedo files 8 ranks 8 pocket 0 template fairy startpos";
    engine.expect_prefix(&format!("{told} {START}"));
    // A double step from the third rank, and the capture en passant that it allows.
    engine.assert_accepted("position startpos moves e2e3 d7d5 e3e5 d5e4");
    for (refused, reason) in [
        (
            "setoption name UCI_Variant value atomic",
            "it takes chess, nocastle,",
        ),
        (
            "position startpos moves e2e3 a7a6 e3e6",
            "illegal move 'e3e6'",
        ),
    ] {
        engine.send(refused);
        assert!(engine.expect_prefix("info string").contains(reason));
    }
    engine.send("d");
    engine.expect_prefix("Fen: rnbqkbnr/ppp1pppp/8/8/4p3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3");
    engine.send("setoption name UCI_Variant value chess");
    engine.expect_prefix("info string variant chess");
    engine.send("position startpos moves e2e3 a7a6 e3e5");
    assert!(
        engine
            .expect_prefix("info string")
            .contains("illegal move 'e3e5'")
    );
}

#[test]
fn own_captures_and_chess960_are_refused_together() {
    let mut engine = Conversation::start();
    for [first, second] in [
        ["UCI_Variant value selfcapture", "UCI_Chess960 value true"],
        ["UCI_Chess960 value true", "UCI_Variant value selfcapture"],
    ] {
        engine.send("setoption name UCI_Chess960 value false");
        engine.send("setoption name UCI_Variant value chess");
        engine.send(&format!("setoption name {first}"));
        engine.send(&format!("setoption name {second}"));
        let reason = engine.expect_prefix("info string UCI_Variant and UCI_Chess960 stay");
        assert!(reason.contains("selfcapture can't be played as Chess960"));
    }
}

#[test]
fn stalemate_is_a_loss_where_it_wins() {
    let mut engine = Conversation::start();
    engine.send("setoption name UCI_Variant value stalematewin");
    engine.send(&format!("position fen {STALEMATED}"));
    let answer = engine.search("go depth 3");
    let mated = ["info depth 0 score mate 0", "bestmove (none)"];
    assert_eq!(answer[answer.len() - 2..], mated);
    // A king and a pawn that can only stalemate win.
    engine.send("position fen 5k2/5P2/8/5K2/8/8/8/8 w - - 0 1");
    let answer = engine.search("go depth 6");
    assert!(answer.iter().any(|line| line.contains("score mate 1 ")));
    assert_eq!(answer.last().map(String::as_str), Some("bestmove f5f6"));
    engine.send("position fen 5k2/5P2/8/5K2/8/8/8/8 w - - 0 1");
    let answer = engine.search("go mate 1");
    assert_eq!(answer.last().map(String::as_str), Some("bestmove f5f6"));
}

#[test]
fn go_while_searching_answers_the_old_search_and_starts_the_new_one() {
    let mut engine = Conversation::start();
    engine.send("go infinite");
    engine.send("go infinite");
    engine.send("go depth 3");
    for _ in 0..3 {
        assert_legal_at_start(&move_of(&engine.expect_prefix("bestmove")));
    }
    engine.assert_idle();
}

#[test]
fn stop_sent_right_after_go_still_yields_a_move() {
    let mut engine = Conversation::start();
    for _ in 0..50 {
        engine.send_raw(b"go infinite\nstop\n");
        assert_legal_at_start(&move_of(&engine.expect_prefix("bestmove")));
    }
    engine.assert_idle();
}

#[test]
fn position_while_searching_is_applied_after_the_answer() {
    let mut engine = Conversation::start();
    engine.send("go infinite");
    engine.send("position startpos moves e2e4");
    assert_legal_at_start(&move_of(&engine.expect_prefix("bestmove")));
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b";
    assert!(engine.shown("Fen").starts_with(after));
}

#[test]
fn a_right_or_a_square_that_cannot_be_is_left_out_of_the_position_that_was_sent() {
    let mut engine = Conversation::start();
    for (sent, kept) in [
        (
            "rnbqkbn1/8/8/8/8/8/8/RNB1K1NR b KQkq - 0 1",
            "rnbqkbn1/8/8/8/8/8/8/RNB1K1NR b KQq - 0 1",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 w Q e3 0 1",
            "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        ),
        (
            "6k1/8/8/8/8/8/8/2R3K1 w Q - 0 1",
            "6k1/8/8/8/8/8/8/2R3K1 w - - 0 1",
        ),
    ] {
        engine.send(&format!("position fen {sent}"));
        assert!(
            engine.expect_prefix("info string").contains("left out"),
            "{sent}"
        );
        assert_eq!(engine.shown("Fen"), kept);
        engine.search("go depth 1");
    }
}

#[test]
fn setoption_while_searching_is_applied_after_the_answer() {
    let mut engine = Conversation::start();
    engine.send("go infinite");
    engine.send("setoption name UCI_Chess960 value true");
    engine.expect_prefix("bestmove");
    engine.assert_idle();
    assert!(writes_chess960(&mut engine));
    engine.send("go infinite");
    engine.send("setoption name Hash value 2");
    engine.expect_prefix("bestmove");
    engine.assert_idle();
}

#[test]
fn ucinewgame_while_searching_is_applied_after_the_answer() {
    let mut engine = Conversation::start();
    engine.send("go infinite");
    engine.send("ucinewgame");
    engine.expect_prefix("bestmove");
    engine.assert_idle();
    engine.search("go depth 2");
}

#[test]
fn isready_while_searching_is_answered_and_the_search_goes_on() {
    let mut engine = Conversation::start();
    for go in UNBOUNDED {
        engine.send(go);
        for _ in 0..3 {
            engine.assert_no_answer_yet();
        }
        engine.send("stop");
        engine.expect_prefix("bestmove");
        engine.assert_idle();
    }
}

#[test]
fn odd_clocks_are_clamped_and_answered_with_a_move() {
    let mut engine = Conversation::start();
    for go in [
        "go wtime 100",
        "go btime 100",
        "go wtime 100 btime 100 movestogo 0",
        "go wtime 100 btime 100 movestogo -3",
        "go wtime -100 btime -100",
        "go wtime 0 btime 0 winc 0 binc 0",
        "go wtime 1 btime 1 winc 1000000000 binc 1000000000",
        "go wtime 100 btime 100 winc -50 binc -50",
        "go movetime 0",
        "go movetime -5",
        "go wtime HUGE btime HUGE movestogo HUGE depth 3",
        "go movetime HUGE depth 3",
        "go wtime -HUGE btime -HUGE",
    ] {
        let go = go.replace("HUGE", "99999999999999999999999999");
        assert_legal_at_start(&engine.best_move(&go));
        engine.assert_idle();
    }
}

#[test]
fn go_mate_without_a_mate_answers_when_nothing_is_left_to_search() {
    let mut engine = Conversation::start();
    for (fen, go) in [
        (START, "go mate 1"),
        (MATE_IN_ONE, "go mate 1 searchmoves a1a2 a1b1"),
        // Every depth is searched in no time.
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", "go mate 3"),
        // The side to move is mated by force.
        ("8/3p4/2pP4/4P3/1k6/1R2N2p/2PP3K/3R4 b - - 0 1", "go mate 1"),
    ] {
        engine.send(&format!("position fen {fen}"));
        assert_ne!(engine.best_move(go), "(none)");
        engine.assert_idle();
    }
}

#[test]
fn go_mate_runs_on_while_a_mate_is_possible_until_stop() {
    let mut engine = Conversation::start();
    engine.send("go mate 30");
    engine.assert_withheld_for(HOLD, "bestmove");
    engine.send("stop");
    assert_ne!(move_of(&engine.expect_prefix("bestmove")), "(none)");
    engine.assert_idle();
}

#[test]
fn go_mate_ends_when_the_mate_is_proven_or_another_limit_is_reached() {
    let mut engine = Conversation::start();
    engine.send(&format!("position fen {MATE_IN_ONE}"));
    for go in ["go mate 1", "go mate 5", "go mate 1 searchmoves a1a8 a1a2"] {
        assert_eq!(engine.best_move(go), "a1a8", "{go}");
    }
    engine.search("go mate 1 searchmoves a1a2 depth 4");
    engine.search("go mate 1 searchmoves a1a2 nodes 500");
    engine.send(&format!("position fen {MATED}"));
    assert_eq!(engine.best_move("go mate 1"), "(none)");
    engine.assert_idle();
}

#[test]
fn searchmoves_limits_the_root_wherever_it_stands_in_the_line() {
    let mut engine = Conversation::start();
    for (go, allowed) in [
        ("go searchmoves e2e4 d2d4 depth 3", "e2e4 d2d4"),
        ("go depth 3 searchmoves a2a3", "a2a3"),
        ("go nodes 999 searchmoves h2h4 a2a4 depth 9", "h2h4 a2a4"),
        ("go searchmoves e2e5 a2a3 e7e5 depth 3", "a2a3"),
    ] {
        let answer = engine.search(go);
        let begins_well = |line: &str| allowed.split(' ').any(|word| line.starts_with(word));
        for (_, line) in answer.iter().filter_map(|line| line.split_once(" pv ")) {
            assert!(begins_well(line), "{line:?} in the answer to {go}");
        }
        let best = answer.last().expect("the answer ends with its bestmove");
        assert!(begins_well(&move_of(best)), "{best} in the answer to {go}");
    }
}

#[test]
fn searchmoves_without_a_legal_move_is_no_limit() {
    let plain = Conversation::start().best_move("go depth 3");
    for go in ["go searchmoves e2e5 a8a1 depth 3", "go searchmoves depth 3"] {
        assert_eq!(Conversation::start().best_move(go), plain, "{go}");
    }
}

#[test]
fn an_infinite_search_that_has_run_out_holds_its_answer_until_stop() {
    let mut engine = Conversation::start();
    for (fen, go, best) in [
        (ONE_LEGAL_MOVE, "go", "h1g2"),
        (ONE_LEGAL_MOVE, "go infinite", "h1g2"),
        (MATE_IN_ONE, "go infinite", "a1a8"),
        (MATE_IN_ONE, "go infinite depth 2", "a1a8"),
        (MATE_IN_ONE, "go depth 2 infinite", "a1a8"),
        (MATED, "go infinite", "(none)"),
        (STALEMATED, "go infinite", "(none)"),
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.send(go);
        engine.assert_withheld_for(HOLD, "bestmove");
        engine.send("stop");
        assert_eq!(move_of(&engine.expect_prefix("bestmove")), best);
        engine.assert_idle();
    }
}

#[test]
fn ponderhit_starts_the_clock() {
    let mut engine = Conversation::start();
    for go in ["go ponder movetime 50", "go ponder wtime 300 btime 300"] {
        engine.send(go);
        // Longer than the clock would allow.
        engine.assert_withheld_for(2 * HOLD, "bestmove");
        engine.send("ponderhit");
        assert_legal_at_start(&move_of(&engine.expect_prefix("bestmove")));
        engine.assert_idle();
    }
}

#[test]
fn ponderhit_keeps_the_work_and_counts_the_time_from_itself() {
    let mut engine = Conversation::start();
    engine.send("go ponder movetime 600000");
    let pondered = engine.expect_prefix("info depth 8");
    engine.assert_withheld_for(HOLD, "bestmove");
    engine.send("ponderhit");
    engine.assert_withheld_for(HOLD, "bestmove");
    engine.send("stop");
    let lines = engine.lines_until_prefix("bestmove");
    let starts_anew = |line: &String| line.starts_with("info depth 1 ");
    assert!(!lines.iter().any(starts_anew), "{lines:?}");
    let report = &lines[lines.len() - 2];
    assert!(number_after("nodes", report) > number_after("nodes", &pondered));
    assert!(number_after("depth", report) >= 8, "{report}");
}

#[test]
fn ponderhit_releases_an_answer_that_is_already_known() {
    let mut engine = Conversation::start();
    for go in ["go ponder depth 2", "go ponder nodes 50"] {
        engine.send(go);
        engine.assert_withheld_for(HOLD, "bestmove");
        engine.send("ponderhit");
        assert_legal_at_start(&move_of(&engine.expect_prefix("bestmove")));
    }
    engine.send(&format!("position fen {MATED}"));
    for go in ["go ponder wtime 1000 btime 1000", "go ponder"] {
        engine.send(go);
        engine.assert_no_answer_yet();
        engine.send("ponderhit");
        assert_eq!(engine.expect_prefix("bestmove"), "bestmove (none)");
    }
    engine.assert_accepted("ponderhit");
}

#[test]
fn a_pondering_engine_that_is_stopped_answers() {
    let mut engine = Conversation::start();
    for go in ["go ponder", "go ponder depth 2", "go ponder movetime 50"] {
        engine.send(go);
        engine.assert_no_answer_yet();
        engine.send("stop");
        assert_legal_at_start(&move_of(&engine.expect_prefix("bestmove")));
        engine.assert_idle();
    }
}

#[test]
fn a_position_with_an_illegal_move_is_refused_as_a_whole() {
    let mut engine = Conversation::start();
    engine.send("position startpos moves d2d4");
    let before = engine.shown("Fen");
    for (moves, offender) in [
        ("e2e5", "e2e5"),
        ("e2e4 e7e5 e4e5 g8f6", "e4e5"),
        ("e2e4 0000", "0000"),
        ("e2e4 e7e9", "e7e9"),
        ("e2e4q", "e2e4q"),
        ("g1f3 g8f6 e1g1", "e1g1"),
    ] {
        let command = format!("position startpos moves {moves}");
        engine.assert_refused(&command, offender);
        assert_eq!(engine.shown("Fen"), before, "after {command}");
    }
}

#[test]
fn a_position_with_an_illegal_fen_is_refused() {
    let mut engine = Conversation::start();
    engine.send("position startpos moves d2d4");
    let before = engine.shown("Fen");
    for (fen, offender) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/8/8"),
        ("7k/8/8/8/8/8/8/9K w - - 0 1", "7k/8/8/8/8/8/8/9K"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "kk6/8/8/8/8/8/8/K7"),
        ("k7/8/8/8/8/8/8/K6P w - - 0 1", "k7/8/8/8/8/8/8/K6P"),
        ("k7/R7/8/8/8/8/8/K7 w - - 0 1", "k7/R7/8/8/8/8/8/K7"),
        ("k7/8/8/8/8/8/8/K7 green - - 0 1", "green"),
        ("k7/8/8/8/8/8/8/K7 w - z9 0 1", "z9"),
        ("k7/8/8/8/8/8/8/K7 w - - many 1", "many"),
        ("nonsense", "nonsense"),
    ] {
        let command = format!("position fen {fen}");
        engine.assert_refused(&command, offender);
        assert_eq!(engine.shown("Fen"), before, "after {command}");
    }
}

#[test]
fn a_bad_setoption_is_refused_and_the_old_value_kept() {
    let mut engine = Conversation::start();
    engine.assert_refused("setoption name Nope value 1", "Nope");
    engine.assert_accepted("setoption name UCI_Chess960 value true");
    engine.assert_refused("setoption name UCI_Chess960 value perhaps", "perhaps");
    assert!(writes_chess960(&mut engine));
}

#[test]
fn setting_hash_to_its_present_size_keeps_its_entries() {
    let nodes_after =
        |option: &str| nodes_of_the_second_search(|engine| engine.assert_accepted(option));
    let with_full_table = nodes_of_the_second_search(|_| ());
    let with_empty_table = nodes_after("setoption name Clear Hash");
    assert_ne!(with_full_table, with_empty_table);
    let same_size = nodes_after("setoption name Hash value 16");
    assert_eq!(same_size, with_full_table);
    let other_size = nodes_after("setoption name Hash value 15");
    assert_ne!(other_size, with_full_table);
}

#[test]
fn a_job_that_is_refused_or_stopped_keeps_what_was_learned() {
    let expected = nodes_of_the_second_search(|_| ());
    let refused = nodes_of_the_second_search(|engine| {
        engine.send("genfens 1 seed 1 book no-such-book.epd");
        engine.expect_prefix("info string");
    });
    assert_eq!(refused, expected);
    let stopped = nodes_of_the_second_search(|engine| {
        engine.send_raw(b"perft 20\nstop\n");
        engine.expect_prefix("info string");
    });
    assert_eq!(stopped, expected);
}

#[test]
fn a_hash_too_large_for_the_machine_leaves_the_engine_alive() {
    let mut engine = Conversation::start();
    // Some machines have that much memory. Either way the engine sends nothing else.
    engine.send("setoption name Hash value 262144");
    let answer = engine.sync();
    assert!(answer.iter().all(|line| line.starts_with("info string")));
    assert_legal_at_start(&engine.best_move("go depth 3"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_hash_beyond_the_memory_is_refused_with_both_figures() {
    let meminfo = std::fs::read_to_string("/proc/meminfo").expect("Linux reports its memory");
    let total_kib = meminfo.lines().find_map(|line| {
        let number = line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB")?;
        number.parse::<u64>().ok()
    });
    let total = total_kib.expect("the total is in kB") / 1_024;
    if total >= 262_144 {
        return; // nothing that Hash takes is beyond such a machine
    }
    let mut engine = Conversation::start();
    engine.send("setoption name Hash value 262144");
    let answer = engine.sync();
    let [reason] = answer.as_slice() else {
        panic!("the refusal has one line: {answer:?}");
    };
    let words: Vec<&str> = reason.split(' ').collect();
    let figures = words.windows(2).filter(|pair| pair[1].starts_with("MiB"));
    let figures: Vec<u64> = figures.filter_map(|pair| pair[0].parse().ok()).collect();
    // A container can have less than its machine.
    assert!(
        matches!(figures.as_slice(), [262_144, reported] if (1..=total).contains(reported)),
        "{reason}, on a machine of {total} MiB"
    );
    assert_legal_at_start(&engine.best_move("go depth 3"));
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_never_exceeds_the_largest_hash_by_more_than_twenty_mebibytes() {
    // The small sizes are such that glibc could keep them after they are freed.
    for sizes in [&[64, 128, 100, 16][..], &[31, 30, 29, 28, 40]] {
        let mut engine = Conversation::start();
        for hash in sizes {
            engine.assert_accepted(&format!("setoption name Hash value {hash}"));
            engine.search("go nodes 20000");
            engine.assert_accepted("ucinewgame");
        }
        let largest = sizes.iter().max().expect("there are some");
        let peak = engine.peak_memory_kib() / 1_024;
        assert!(peak <= largest + 20, "{sizes:?}: {peak} MiB");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_large_hash_is_paid_for_before_readyok_and_not_by_the_first_search() {
    let mut engine = Conversation::start();
    engine.assert_accepted("setoption name Hash value 512");
    let is_paid_for = |engine: &Conversation| engine.resident_memory_kib() / 1_024 >= 512;
    assert!(is_paid_for(&engine));
    let before = engine.peak_memory_kib();
    engine.search("go nodes 20000");
    let after = engine.peak_memory_kib();
    // The program's own pages, which come in later, are no part of either figure.
    assert!(after < before + (16 << 10), "{before} to {after} KiB");
    engine.assert_accepted("setoption name Clear Hash");
    assert!(is_paid_for(&engine));
}

#[cfg(target_os = "linux")]
#[test]
fn a_hash_that_the_system_refuses_leaves_the_old_size_working() {
    // The shell limits the address space, which the engine can't see.
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 2000000; exec \"$0\"", engine()]);
    let mut engine = Conversation::start_by(&mut shell);
    engine.assert_accepted("setoption name Hash value 32");
    engine.assert_refused("setoption name Hash value 3000", "3000 MiB");
    engine.search("go nodes 50000");
    let peak = engine.peak_memory_kib() / 1_024;
    assert!(peak <= 52, "{peak} MiB");
    // The old size is set still, and any other can be.
    engine.assert_accepted("setoption name Hash value 32");
    engine.assert_accepted("setoption name Hash value 8");
    assert_legal_at_start(&engine.best_move("go depth 3"));
}

#[test]
fn a_position_with_five_thousand_plies_works() {
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(1250);
    let mut engine = Conversation::start();
    engine.assert_accepted(&format!("position startpos moves {moves}"));
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    assert!(engine.shown("Fen").starts_with(board));
    assert_legal_at_start(&engine.best_move("go depth 3"));
}

#[test]
fn the_end_of_input_lets_a_bounded_search_finish() {
    for limit in ["depth 5", "nodes 20000"] {
        let mut engine = Conversation::start();
        engine.send(&format!("go {limit}"));
        engine.close_stdin();
        let answer = engine.lines_until_prefix("bestmove");
        let report = &answer[answer.len() - 2];
        assert!(report.contains(&format!(" {limit} ")), "{report}");
        assert!(engine.wait_exit().success(), "after {limit}");
    }
}

#[test]
fn the_end_of_input_stops_an_unbounded_search_which_answers() {
    for go in UNBOUNDED.into_iter().chain(["go mate 5"]) {
        let mut engine = Conversation::start();
        engine.send(go);
        engine.close_stdin();
        assert_legal_at_start(&move_of(&engine.expect_prefix("bestmove")));
        assert!(engine.wait_exit().success(), "after {go}");
    }
}

#[test]
fn the_end_of_input_lets_a_short_perft_finish() {
    let mut engine = Conversation::start();
    engine.send("perft 4");
    engine.close_stdin();
    assert_eq!(
        engine.expect_prefix("Nodes searched"),
        "Nodes searched: 197281"
    );
    assert!(engine.wait_exit().success());
}

#[test]
fn the_end_of_input_stops_a_long_perft() {
    for perft in ["perft 30", "go perft 64"] {
        let mut engine = Conversation::start();
        engine.send(perft);
        engine.close_stdin();
        engine.expect_prefix("info string perft was stopped");
        assert!(engine.wait_exit().success(), "after {perft}");
    }
}

#[test]
fn the_end_of_input_is_quit_when_idle_and_ends_the_last_line() {
    let mut engine = Conversation::start();
    engine.send_raw(b"isready");
    engine.close_stdin();
    engine.expect_prefix("readyok");
    assert!(engine.wait_exit().success());
}

#[test]
fn go_nodes_stops_at_exactly_that_node_and_repeats_itself() {
    for limit in [1, 2, 777, 5000] {
        let run = || Conversation::start().search(&format!("go nodes {limit}"));
        let (first, second) = (run(), run());
        let report = &first[first.len() - 2];
        assert!(report.contains(&format!(" nodes {limit} ")), "{report}");
        assert_eq!(first.last(), second.last());
    }
}

#[test]
fn no_input_makes_the_engine_exit_hang_or_lose_a_bestmove() {
    let endless = "x".repeat(100_000);
    let digits = "9".repeat(100_000);
    let mut lines: Vec<String> = NASTY_LINES.split('|').map(str::to_owned).collect();
    lines.extend([
        digits.clone(),
        " ".repeat(100_000),
        format!("position fen 7k/8/8/8/8/8/8/K7 w - - {digits} {digits}"),
        format!("setoption name Hash value {digits}"),
        format!("go depth {digits}"),
        format!("go wtime {digits} btime -{digits} movestogo {digits}"),
        format!("go searchmoves {endless}"),
    ]);
    let mut engine = Conversation::start();
    for line in &lines {
        engine.send(line);
        let is_search = line.trim().starts_with("go") && !line.contains("perft");
        if is_search {
            engine.send("stop");
            engine.expect_prefix("bestmove");
            engine.assert_idle();
        } else {
            engine.sync();
        }
    }
    engine.send("position startpos");
    assert_legal_at_start(&engine.best_move("go depth 3"));
    engine.send("quit");
    assert!(engine.wait_exit().success());
}

/// A game would be lost by waiting for a `stop` that no program sends with a clock.
#[test]
fn a_clock_that_cannot_be_read_still_yields_a_move() {
    let mut engine = Conversation::start();
    for line in [
        "go wtime 5,4e+0 btime 5,4e+0",
        "go wtime abc btime abc",
        "go movetime",
        "go winc 20 binc 20",
        "go movestogo 40 wtime",
    ] {
        assert_legal_at_start(&engine.best_move(line));
    }
    // Other limits hold.
    for line in ["go depth 9 wtime abc", "go depth 9 winc 20"] {
        let lines = engine.search(line);
        let last = &lines[lines.len() - 2];
        assert!(last.starts_with("info depth 9 "), "{line}: {last}");
    }
    // With an increment alone an analysis goes on too.
    engine.send("go infinite winc 20 binc 20");
    engine.expect_prefix("info depth 9 ");
    engine.send("stop");
    engine.expect_prefix("bestmove");
}

#[test]
fn no_nodes_are_no_search() {
    let mut engine = Conversation::start();
    let lines = engine.search("go nodes 0");
    let last = &lines[lines.len() - 2];
    assert!(
        last.starts_with("info depth 0 ") && last.contains(" nodes 0 "),
        "{last}"
    );
}

#[test]
fn a_level_ponders_at_its_own_strength_too() {
    let mut engine = Conversation::start();
    engine.send("setoption name UCI_LimitStrength value true");
    engine.send("setoption name UCI_Elo value 500");
    engine.send("go ponder");
    engine.send("ponderhit");
    engine.expect_prefix("bestmove");
}

/// Incomplete commands, contradictions and nonsense, separated by bars.
const NASTY_LINES: &str = "|\t|\0|\"|ünïcödé ♞|UCI|uci uci|isready isready|d eval|\
    stop stop|ponderhit|ponderhit now|register|register later|debug|debug maybe|\
    position|position moves|position moves e2e4|position nowhere|position fen|position fen x|\
    position fen moves e2e4|position fen startpos|position fen ///////|\
    position fen 8/8/8/8/8/8/8/8|position fen 8/8/8/8/8/8/8/8 w KQkq e3 -1 -1|\
    position startpos startpos|position startpos junk moves e2e4|position startpos moves|\
    position startpos moves e2e5|position startpos moves 0000|\
    position startpos moves e2e4 moves e7e5|\
    setoption|setoption name|setoption value|setoption name value|setoption Hash 3|\
    setoption name Hash|setoption name Hash value|setoption name Hash value abc|\
    setoption name Hash value 1 2|setoption value 3 name Hash|setoption name Nope value 1|\
    setoption name Clear Hash value 7|setoption name Ponder|\
    go depth|go depth -5|go depth 0|go depth abc|go depth depth 3|go depth 3 depth|go wtime|\
    go wtime -100 btime -100|go movetime 0|go movetime abc|go nodes 0|go nodes -1|\
    go mate|go mate 0|go mate -1|go searchmoves|go searchmoves searchmoves depth 1|\
    go infinite infinite ponder depth|go nowhere|\
    go perft|go perft 0|go perft -1|perft|perft x|perft -1";

/// Fails unless a move is legal in the start position, by shakmaty's rules.
fn assert_legal_at_start(word: &str) {
    let parsed: Result<UciMove, _> = word.parse();
    let is_legal = parsed.is_ok_and(|m| m.to_move(&Chess::default()).is_ok());
    assert!(is_legal, "{word} is not a move of the start position");
}

/// The nodes of a search that is asked for twice, the second time, with this in between.
fn nodes_of_the_second_search(between: impl FnOnce(&mut Conversation)) -> u64 {
    let mut engine = Conversation::start();
    engine.search("go depth 8");
    between(&mut engine);
    let answer = engine.search("go depth 8");
    number_after("nodes", &answer[answer.len() - 2])
}

/// The number that follows a word of an `info` line.
fn number_after(word: &str, info: &str) -> u64 {
    let mut words = info.split(' ').skip_while(|other| *other != word);
    let number = words.nth(1).expect("the line has this word");
    number.parse().expect("a whole number follows it")
}

/// Whether castling is written king-takes-rook.
fn writes_chess960(engine: &mut Conversation) -> bool {
    engine.send(&format!("position fen {CASTLING}"));
    engine.best_move("go depth 1 searchmoves e1g1") == "e1h1"
}
