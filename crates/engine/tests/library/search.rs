//! What a search reports on the way and answers in the end, whenever it is stopped.
//!
//! Nearly everything is bounded by depth or nodes, so that it passes or fails the same way on any
//! machine. Where a clock is needed, its limit is either over from the beginning or too far away to
//! be reached.

use std::time::{Duration, Instant};

use crate::support::positions::{game, request};
use shakmaty::Position;
use squarewise_engine::evaluation::TableSet;
use squarewise_engine::position::from_epd;
use squarewise_engine::position::game::Game;
use squarewise_engine::search::limits::{Limits, PlayerClock};
use squarewise_engine::search::time_management::StartSignal;
use squarewise_engine::search::window::Bound;
use squarewise_engine::search::{
    Progress, SearchInfo, SearchOptions, SearchRequest, SearchResult, Searcher,
};

/// Positions in which deeper iterations change the best move.
const POSITIONS: [&str; 8] = [
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1",
    "5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1",
    "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1",
    "5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - - 0 1",
    "7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - 0 1",
    "rnbqkb1r/pppp1ppp/8/4P3/6n1/7P/PPPNPPP1/R1BQKBNR b KQkq - 0 1",
    "r4q1k/p2bR1rp/2p2Q1N/5p2/5p2/2P5/PP3PPP/R5K1 w - - 0 1",
];

fn new_searcher() -> Searcher {
    Searcher::new(16).expect("a small transposition table fits into memory")
}

/// Bounds and current moves are reported only after a second of search; this one looks as if it had
/// begun before.
fn with_reports_at_once(request: SearchRequest) -> SearchRequest {
    let earlier = request.asked_at.checked_sub(Duration::from_secs(2));
    SearchRequest {
        asked_at: earlier.unwrap_or_else(Instant::now),
        ..request
    }
}

/// Searches with a new searcher; returns everything that it reports, bounds included, and the
/// result.
fn search(game: Game, limits: Limits) -> (Vec<SearchInfo>, SearchResult) {
    let mut infos = Vec::new();
    let request = with_reports_at_once(request(limits));
    let result = new_searcher().search(&game, request, &mut |progress| {
        if let Progress::Info(info) = progress {
            infos.push(info);
        }
    });
    (infos, result)
}

#[test]
fn a_search_stopped_after_a_fail_high_plays_the_move_that_failed_high() {
    let mut changes = 0;
    for fen in POSITIONS {
        let (infos, _) = search(game(fen, ""), Limits::nodes(60_000));
        for pair in infos.windows(2) {
            let [before, fail_high] = pair else { continue };
            let is_change = before.bound == Bound::Exact
                && fail_high.bound == Bound::Lower
                && before.pv.first() != fail_high.pv.first();
            if !is_change {
                continue;
            }
            changes += 1;
            let stopped_at = Limits::nodes(fail_high.nodes + 1);
            let (_, stopped) = search(game(fen, ""), stopped_at);
            assert_eq!(stopped.best_move(), fail_high.pv.first().copied(), "{fen}");
        }
    }
    assert!(
        changes >= 3,
        "only {changes} fail highs changed the best move"
    );
}

#[test]
fn the_depth_of_an_answer_is_that_of_the_last_finished_iteration_or_of_a_mate() {
    for fen in POSITIONS {
        for nodes in [1, 100, 1_000, 5_000, 20_000] {
            let (infos, result) = search(game(fen, ""), Limits::nodes(nodes));
            let exact = infos.iter().filter(|info| info.bound == Bound::Exact);
            let finished = exact.map(|info| info.depth).max().unwrap_or(0);
            let is_mate = result.score().mate_moves().is_some_and(|moves| moves > 0);
            let depth = result.info.depth;
            assert!(
                depth == finished || is_mate && depth == finished + 1,
                "{depth}, not {finished}: {nodes} nodes of {fen}"
            );
            // A best line that has not changed since then keeps its selective depth too.
            let last = infos.iter().rfind(|info| info.bound == Bound::Exact);
            if let Some(last) = last.filter(|last| last.pv == result.info.pv) {
                assert_eq!(result.info.selective_depth, last.selective_depth, "{fen}");
            }
        }
    }
}

#[test]
fn the_selective_depth_is_that_of_one_iteration_and_can_fall() {
    let mut falls = 0;
    for fen in POSITIONS {
        let (infos, _) = search(game(fen, ""), Limits::depth(7));
        for pair in infos.windows(2) {
            falls += usize::from(pair[1].selective_depth < pair[0].selective_depth);
        }
    }
    assert!(falls > 0, "the selective depth never fell");
}

#[test]
fn several_lines_begin_with_different_moves_and_are_sorted_by_score() {
    let mut last_iteration = Vec::new();
    let request = SearchRequest {
        options: SearchOptions {
            multi_pv: 3,
            ..SearchOptions::default()
        },
        ..request(Limits::depth(7))
    };
    let result = new_searcher().search(&game(POSITIONS[0], ""), request, &mut |progress| {
        if let Progress::Info(info) = progress
            && info.depth == 7
        {
            last_iteration.push(info);
        }
    });
    let numbers: Vec<usize> = last_iteration.iter().map(|info| info.multipv).collect();
    assert_eq!(numbers, [1, 2, 3]);
    let first_moves: Vec<_> = last_iteration.iter().map(|info| info.pv[0]).collect();
    assert!(first_moves[0] != first_moves[1] && first_moves[1] != first_moves[2]);
    assert!(first_moves[0] != first_moves[2]);
    assert!(last_iteration.is_sorted_by(|better, worse| better.score >= worse.score));
    assert_eq!(result.best_move(), Some(first_moves[0]));
}

#[test]
fn a_search_with_a_move_time_ends_by_itself() {
    let limits = Limits {
        move_time: Some(Duration::from_millis(20)),
        ..Limits::default()
    };
    let request = request(limits);
    // Stops the search if the move time doesn't.
    let stop = request.stop.clone();
    let (sender, is_over) = std::sync::mpsc::channel::<()>();
    let guard = std::thread::spawn(move || {
        let was_needed = is_over.recv_timeout(Duration::from_secs(20)).is_err();
        stop.request();
        was_needed
    });
    let result = new_searcher().search(&game(POSITIONS[0], ""), request, &mut |_| ());
    let _ = sender.send(()); // the guard may have given up
    assert!(!guard.join().expect("the guard doesn't panic"));
    assert!(result.best_move().is_some());
}

#[test]
fn a_ponder_hit_is_answered_at_once_after_long_pondering_and_thought_over_after_short() {
    // By nodes, not by time: of the minute on the clock a move gets seconds.
    let nodes_after_hit = |pondered: Duration| {
        let clock = PlayerClock {
            remaining: Duration::from_secs(60),
            increment: Duration::ZERO,
            moves_to_go: None,
        };
        let limits = Limits {
            clock: Some(clock),
            nodes: Some(50_000),
            ..Limits::default()
        };
        let request = request(limits);
        let asked_at = request.asked_at.checked_sub(pondered);
        let start = StartSignal::pending();
        let request = SearchRequest {
            asked_at: asked_at?,
            start: start.clone(),
            ..request
        };
        let mut nodes_at_hit = None;
        let result = new_searcher().search(&game(POSITIONS[0], ""), request, &mut |progress| {
            if let Progress::Info(info) = progress
                && info.depth == 5
                && nodes_at_hit.is_none()
            {
                start.start(Instant::now());
                nodes_at_hit = Some(info.nodes);
            }
        });
        Some(result.info.nodes - nodes_at_hit.expect("the fifth iteration ends"))
    };
    // `None` on a machine that was started less than a minute ago.
    assert!(nodes_after_hit(Duration::from_secs(60)).is_none_or(|nodes| nodes < 2_048));
    assert!(nodes_after_hit(Duration::ZERO).is_some_and(|nodes| nodes > 20_000));
}

#[test]
fn every_iteration_begins_with_the_best_move_of_the_last_one_also_if_moves_are_left_out() {
    for fen in POSITIONS {
        let game = game(fen, "");
        let all_but_one = game.position().legal_moves().into_iter().skip(1).collect();
        for search_moves in [Vec::new(), all_but_one] {
            let limits = Limits {
                search_moves,
                ..Limits::depth(7)
            };
            let request = with_reports_at_once(request(limits));
            let (mut best, mut first) = (None, None);
            new_searcher().search(&game, request, &mut |progress| match progress {
                Progress::CurrentMove { m, number: 1, .. } => first = first.or(Some(m)),
                Progress::Info(info) if info.bound == Bound::Exact => {
                    assert!(best.is_none() || first.take() == best, "{fen}");
                    best = info.pv.first().copied();
                    first = None;
                }
                // A search in a wider window belongs to the same iteration.
                Progress::Info(_) | Progress::CurrentMove { .. } => {}
            });
        }
    }
}

#[test]
fn a_search_after_one_with_other_tables_is_that_of_a_new_searcher() {
    let request_with = |tables: TableSet| SearchRequest {
        tables: tables.tables(),
        ..request(Limits::depth(7))
    };
    for fen in POSITIONS {
        let game = game(fen, "");
        let nodes_after = |before: &[TableSet]| {
            let mut searcher = new_searcher();
            let sets = before.iter().chain([&TableSet::Pairs]);
            let results =
                sets.map(|tables| searcher.search(&game, request_with(*tables), &mut |_| ()));
            results
                .last()
                .map(|result| (result.info.nodes, result.best_move()))
        };
        let alone = nodes_after(&[]);
        assert_eq!(nodes_after(&[TableSet::Simplified]), alone, "{fen}");
        assert_eq!(
            nodes_after(&[TableSet::Pairs, TableSet::Attacks]),
            alone,
            "{fen}"
        );
    }
}

#[test]
fn an_announced_mate_has_its_line_whenever_the_search_is_stopped() {
    let mut mates = 0;
    for line in include_str!("../../../../tests/data/mate_in_3.epd")
        .lines()
        .step_by(2)
    {
        let (position, _) = from_epd(line).expect("a position");
        for nodes in [300, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000] {
            let game = Game::new(position.clone());
            let (_, result) = search(game, Limits::nodes(nodes));
            let Some(moves) = result.score().mate_moves().filter(|moves| *moves > 0) else {
                continue;
            };
            mates += 1;
            assert_eq!(
                result.info.pv.len(),
                2 * moves as usize - 1,
                "{nodes} nodes of {line}"
            );
        }
    }
    assert!(mates > 20, "only {mates} mates were announced");
}

/// Mates and losses of material that the first moves of an iteration can't avoid, but later ones
/// can.
const NARROW_ESCAPES: [&str; 4] = [
    "2bB1K2/1p1N1pp1/1P4r1/1n1k4/2NpP1p1/1P3pP1/5P2/8 b - - 0 1",
    "r3qb1r/4n1pp/p2nN3/kpp5/1B3P2/8/P1Q3PP/4R1K1 b - - 0 1",
    "8/3p4/2pP4/4P3/1k6/1R2N2p/2PP3K/3R4 b - - 0 1",
    "6k1/5ppp/8/8/8/2r5/q4PPP/3R2K1 b - - 0 1",
];

#[test]
fn a_stopped_search_never_announces_a_mate_that_a_longer_one_refutes() {
    let mut mates = 0;
    for fen in NARROW_ESCAPES.iter().chain(&POSITIONS) {
        let announced = |nodes: u64| {
            let (_, result) = search(game(fen, ""), Limits::nodes(nodes));
            assert_eq!(result.info.bound, Bound::Exact, "{nodes} nodes of {fen}");
            result.score().mate_moves()
        };
        let mut longer = None;
        for nodes in (20..3_000).step_by(70) {
            let Some(moves) = announced(nodes) else {
                continue;
            };
            mates += 1;
            let longer = *longer.get_or_insert_with(|| announced(100_000));
            // More nodes can find a shorter mate or a longer defence of the same side.
            let is_refuted = longer.is_none_or(|longer| {
                longer.signum() != moves.signum() || longer.abs() > moves.abs()
            });
            assert!(
                !is_refuted,
                "{nodes} nodes of {fen}: {moves}, then {longer:?}"
            );
        }
    }
    assert!(mates > 5, "only {mates} mates were announced");
}

/// The lines that a search of this many nodes leaves on the screen.
fn lines_in_the_end(fen: &str, lines: usize, nodes: u64) -> Vec<SearchInfo> {
    let request = SearchRequest {
        options: SearchOptions {
            multi_pv: lines,
            ..SearchOptions::default()
        },
        ..request(Limits::nodes(nodes))
    };
    let mut shown: Vec<Option<SearchInfo>> = vec![None; lines];
    let mut show = |info: SearchInfo| {
        let number = info.multipv - 1;
        shown[number] = Some(info);
    };
    let result = new_searcher().search(
        &game(fen, ""),
        with_reports_at_once(request),
        &mut |progress| {
            if let Progress::Info(info) = progress {
                show(info);
            }
        },
    );
    show(result.info);
    shown.into_iter().flatten().collect()
}

#[test]
fn several_lines_are_in_order_and_never_share_a_move_whenever_the_search_is_stopped() {
    let mut mixed = 0;
    for fen in POSITIONS.iter().chain(&NARROW_ESCAPES) {
        for (lines, nodes) in [3, 5].into_iter().flat_map(|lines| {
            [1_000, 2_300, 5_100, 9_700, 20_011, 40_013].map(|nodes| (lines, nodes))
        }) {
            let shown = lines_in_the_end(fen, lines, nodes);
            let is_sorted = shown.is_sorted_by(|better, worse| better.score >= worse.score);
            let describe = || {
                let line =
                    |info: &SearchInfo| format!("{} {:?} {}", info.score, info.bound, info.pv[0]);
                let lines: Vec<String> = shown.iter().map(line).collect();
                format!("{lines:?} after {nodes} nodes of {fen}")
            };
            assert!(is_sorted, "{}", describe());
            for (number, info) in shown.iter().enumerate() {
                let is_twice = shown[..number]
                    .iter()
                    .any(|other| other.pv[0] == info.pv[0]);
                assert!(!is_twice, "{}", describe());
            }
            mixed += usize::from(shown.windows(2).any(|pair| pair[0].depth != pair[1].depth));
        }
    }
    assert!(mixed > 5, "only {mixed} searches ended between the lines");
}

#[test]
fn with_several_lines_too_a_first_iteration_plays_the_best_move_that_it_has_found() {
    // A pawn forks two knights, so that every move is worth less than the static evaluation, and
    // the first one that is generated gives the queen away.
    let fork = "r5k1/5ppp/4p3/3p4/2N1N3/8/8/3Q2K1 w - - 0 1";
    let gives_queen = |lines, nodes| {
        let best = lines_in_the_end(fork, lines, nodes)[0].pv[0];
        best.is_capture()
    };
    let mut avoided = 0;
    for nodes in 1..150 {
        if !gives_queen(1, nodes) {
            avoided += 1;
            assert!(!gives_queen(3, nodes), "{nodes} nodes");
        }
    }
    assert!(avoided > 50, "only {avoided} searches knew better");
}

#[test]
fn a_line_that_no_iteration_has_searched_is_not_shown() {
    let mut further = 0;
    for fen in POSITIONS {
        for nodes in (5..200).step_by(5) {
            let shown = lines_in_the_end(fen, 5, nodes);
            further += shown.len() - 1;
            let is_searched = |info: &SearchInfo| info.depth > 0;
            assert!(
                shown.iter().skip(1).all(is_searched),
                "{nodes} nodes of {fen}: {shown:?}"
            );
        }
    }
    assert!(
        further > 20,
        "only {further} lines were shown beside the best"
    );
}
