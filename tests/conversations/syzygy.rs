//! Endgame tablebases, in conversations with the real program. The tables are those of
//! `tests/data/syzygy`: a king and one piece against a king, and a queen against a rook.

use std::ffi::OsStr;
use std::fs;

use crate::support::scratch::Scratch;
use crate::support::{Conversation, positions};
use shakmaty::uci::UciMove;
use shakmaty::{Color, Position};
use squarewise_engine::position::game::Game;
use squarewise_engine::syzygy::Tablebases;

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

/// The answer to `SyzygyPath` with these tables.
const FOUND: &str = "info string Found 6 WDL and 6 DTZ tablebase files (up to 4-man)";

/// White mates in fifteen moves.
const ROOK: &str = "8/8/8/8/3k4/8/8/KR6 w - - 0 1";

/// A queen against a rook and a pawn: the tables know it when the pawn is taken.
const ROOK_AND_PAWN: &str = "8/8/8/3k4/2p3r1/8/8/KQ6 w - - 0 1";

/// A directory with all tables, but this one changed.
fn with_damaged(name: &str, damage: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Scratch {
    let directory = Scratch::new("syzygy-damaged");
    for entry in fs::read_dir(TABLES).expect("the tables are there") {
        let entry = entry.expect("an entry can be read");
        let file = entry.file_name().into_string().expect("its name is text");
        fs::copy(entry.path(), directory.path(&file)).expect("a file can be copied");
    }
    let bytes = fs::read(directory.path(name)).expect("the table is there");
    directory.file(name, damage(bytes));
    directory
}

fn set_path(engine: &mut Conversation, path: &str) -> Vec<String> {
    engine.send(&format!("setoption name SyzygyPath value {path}"));
    engine.sync()
}

/// The engine with the tables of the test data.
fn with_tables() -> Conversation {
    let mut engine = Conversation::start();
    assert_eq!(set_path(&mut engine, TABLES), [FOUND]);
    engine
}

/// The value of a field in an `info` line.
fn field<'a>(line: &'a str, name: &str) -> &'a str {
    let mut words = line.split(' ').skip_while(|word| *word != name).skip(1);
    words
        .next()
        .unwrap_or_else(|| panic!("no {name} in {line}"))
}

/// The last `info` line of a search of this position.
fn searched(engine: &mut Conversation, fen: &str, go: &str) -> String {
    engine.send(&format!("position fen {fen}"));
    let mut lines = engine.search(go);
    lines.swap_remove(lines.len() - 2)
}

fn hits(engine: &mut Conversation, fen: &str) -> u64 {
    let info = searched(engine, fen, "go depth 8");
    field(&info, "tbhits").parse().expect("a whole number")
}

#[test]
fn tables_are_found_and_an_empty_path_means_none() {
    let mut engine = with_tables();
    assert!(hits(&mut engine, ROOK) > 0);
    for empty in ["<empty>", ""] {
        assert_eq!(set_path(&mut engine, TABLES), [FOUND]);
        engine.assert_accepted(&format!("setoption name SyzygyPath value {empty}"));
        engine.assert_accepted("ucinewgame");
        assert_eq!(hits(&mut engine, ROOK), 0);
    }
}

#[test]
fn several_directories_are_one_collection_and_a_missing_one_is_named() {
    let directory = Scratch::new("syzygy-rook");
    for name in ["KRvK.rtbw", "KRvK.rtbz"] {
        fs::copy(format!("{TABLES}/{name}"), directory.path(name)).expect("it can be copied");
    }
    let missing = directory.path("missing");
    let join = |paths: [&str; 2]| {
        let joined = std::env::join_paths(paths).expect("the names hold no separator");
        joined.into_string().expect("the names are text")
    };
    let mut engine = Conversation::start();
    let one = set_path(&mut engine, directory.as_str());
    assert_eq!(
        one,
        ["info string Found 1 WDL and 1 DTZ tablebase files (up to 3-man)"]
    );
    let both = join([directory.as_str(), TABLES]);
    assert_eq!(set_path(&mut engine, &both), [FOUND]);
    let answer = set_path(&mut engine, &join([&missing, TABLES]));
    assert_eq!(answer[0], FOUND);
    assert!(answer[1].contains("missing"), "{answer:?}");
}

#[test]
fn a_path_without_tables_is_refused_and_the_old_tables_stay() {
    let empty = Scratch::new("syzygy-empty");
    // A directory with the name of a table is no table.
    fs::create_dir(empty.path("KQvK.rtbw")).expect("a directory can be made");
    let mut engine = with_tables();
    for path in [
        empty.as_str(),
        "no such directory",
        concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
    ] {
        engine.assert_refused(&format!("setoption name SyzygyPath value {path}"), path);
        assert!(hits(&mut engine, ROOK) > 0);
    }
}

#[test]
fn a_long_path_is_cut_where_it_is_told() {
    let mut engine = Conversation::start();
    let told = set_path(&mut engine, &"x".repeat(100_000));
    let [told] = told.as_slice() else {
        panic!("{} lines", told.len())
    };
    assert!(told.len() < 1_000, "{} characters", told.len());
    assert!(told.contains("SyzygyPath stays as it is"), "{told}");
}

#[test]
fn damaged_tables_are_reported_and_the_game_goes_on() {
    let cut_to = |length: usize| move |bytes: Vec<u8>| bytes[..length].to_vec();
    let zeros = |bytes: Vec<u8>| vec![0; bytes.len()];
    let broken_header = |mut bytes: Vec<u8>| {
        bytes[4..200].fill(0xff);
        bytes
    };
    for (table, directory) in [
        ("KQvKR", with_damaged("KQvKR.rtbw", zeros)),
        ("KRvK", with_damaged("KRvK.rtbw", cut_to(100))),
        // The length of these is that of a table.
        ("KQvK", with_damaged("KQvK.rtbw", cut_to(80))),
        ("KRvK", with_damaged("KRvK.rtbz", cut_to(80))),
        ("KQvK", with_damaged("KQvK.rtbz", cut_to(4 * 64 + 16))),
        ("KPvK", with_damaged("KPvK.rtbw", broken_header)),
    ] {
        let mut engine = Conversation::start();
        let mut lines = set_path(&mut engine, directory.as_str());
        assert!(lines[0].contains("Found "), "{lines:?}");
        for fen in [
            ROOK,
            ROOK_AND_PAWN,
            "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
            "8/8/8/4k3/8/8/4PK2/8 w - - 0 1",
        ] {
            engine.send(&format!("position fen {fen}"));
            lines.extend(engine.search("go depth 8"));
        }
        let is_reported = |line: &String| line.starts_with("info string") && line.contains(table);
        assert!(lines.iter().skip(1).any(is_reported), "{table}: {lines:?}");
    }
}

#[test]
fn positions_in_the_tree_are_looked_up_by_all_threads() {
    let mut engine = with_tables();
    assert!(hits(&mut engine, ROOK_AND_PAWN) > 0);
    engine.assert_accepted("setoption name Threads value 3");
    engine.assert_accepted("ucinewgame");
    assert!(hits(&mut engine, ROOK_AND_PAWN) > 0);
}

#[test]
fn limit_and_depth_restrict_what_is_looked_up() {
    let mut engine = with_tables();
    for (limit, depth, is_looked_up) in [
        (7, 1, true),
        // Positions with fewer than the most pieces are looked up at any depth.
        (7, 100, true),
        (3, 1, true),
        (3, 100, false),
        (0, 1, false),
    ] {
        engine.assert_accepted(&format!("setoption name SyzygyProbeLimit value {limit}"));
        engine.assert_accepted(&format!("setoption name SyzygyProbeDepth value {depth}"));
        engine.assert_accepted("ucinewgame");
        let found = hits(&mut engine, ROOK_AND_PAWN) > 0;
        assert_eq!(found, is_looked_up, "limit {limit}, depth {depth}");
    }
    engine.assert_accepted("setoption name SyzygyProbeLimit value 2");
    assert_eq!(hits(&mut engine, ROOK), 0);
}

#[test]
fn nothing_is_looked_up_where_castling_is_possible() {
    let mut engine = with_tables();
    assert_eq!(hits(&mut engine, "8/8/8/8/8/4k3/8/4K2R w K - 0 1"), 0);
    assert!(hits(&mut engine, "8/8/8/8/8/4k3/8/4K2R w - - 0 1") > 0);
}

#[test]
fn the_fifty_move_rule_counts_unless_it_is_switched_off() {
    // White needs 29 plies to mate.
    let shown = |engine: &mut Conversation, clock: u32| {
        let fen = ROOK.replace("- 0 1", &format!("- {clock} 90"));
        searched(engine, &fen, "go depth 4")
    };
    let mut engine = with_tables();
    assert!(shown(&mut engine, 70).contains("score cp 20000 "));
    assert!(shown(&mut engine, 75).contains("score cp 1 "));
    engine.assert_accepted("setoption name Syzygy50MoveRule value false");
    assert!(shown(&mut engine, 75).contains("score cp 20000 "));
}

#[test]
fn the_score_of_a_known_root_is_that_of_the_tables_until_a_mate_is_found() {
    let mut engine = with_tables();
    let lost = "8/8/8/8/3k4/8/8/KR6 b - - 0 1";
    let drawn = "8/8/8/8/4k3/8/4P3/4K3 b - - 0 1";
    let mate = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
    assert!(searched(&mut engine, lost, "go depth 4").contains("score cp -20000 "));
    assert!(searched(&mut engine, drawn, "go depth 4").contains("score cp 0 "));
    assert!(searched(&mut engine, mate, "go depth 4").contains("score mate 1 "));
    assert!(searched(&mut engine, mate, "go mate 1").contains("score mate 1 "));
}

#[test]
fn a_move_from_the_tables_ponders_on_nothing() {
    let mut engine = with_tables();
    let answer = |engine: &mut Conversation, fen: &str| {
        engine.send(&format!("position fen {fen}"));
        engine.search("go depth 6").pop().expect("a bestmove")
    };
    assert!(!answer(&mut engine, ROOK).contains("ponder"));
    assert!(answer(&mut engine, ROOK_AND_PAWN).contains("ponder"));
}

#[test]
fn searchmoves_and_several_lines_reach_moves_that_the_tables_rank_lower() {
    let mut engine = with_tables();
    // Only the king's move to e3 wins.
    let fen = "8/8/8/4k3/8/8/4PK2/8 w - - 0 1";
    let best = searched(&mut engine, fen, "go depth 6");
    assert_eq!(field(&best, "pv"), "f2e3");
    let other = searched(&mut engine, fen, "go depth 6 searchmoves e2e4 f2f3");
    assert!(other.contains("score cp 0 "), "{other}");
    engine.assert_accepted("setoption name MultiPV value 3");
    engine.send(&format!("position fen {fen}"));
    let lines = engine.search("go depth 6");
    let last: Vec<&String> = lines
        .iter()
        .filter(|line| line.starts_with("info depth 6 "))
        .collect();
    let scores: Vec<&str> = last[..3].iter().map(|line| field(line, "cp")).collect();
    assert_eq!(scores, ["20000", "0", "0"], "{lines:?}");
}

#[test]
fn results_and_distances_are_those_of_the_test_suite() {
    let loaded = Tablebases::load(OsStr::new(TABLES)).expect("the tables are there");
    let suite = include_str!("../data/endgames.epd");
    let mut known = 0;
    for line in suite.lines() {
        let number = |name: &str| -> i32 {
            let (_, value) = line.split_once(name).expect("every line has the number");
            let (value, _) = value
                .split_once(';')
                .expect("operations end with a semicolon");
            value.parse().expect("a whole number")
        };
        let fen: Vec<&str> = line.split(' ').take(4).collect();
        let position = positions::position(&format!("{} 0 1", fen.join(" ")));
        let probe = &loaded.tablebases;
        let (Some(wdl), Some(dtz)) = (probe.probe_wdl(&position), probe.probe_dtz(&position))
        else {
            continue;
        };
        known += 1;
        assert_eq!(i32::from(wdl), number(" wdl "), "{line}");
        assert_eq!(dtz, number(" dtz "), "{line}");
    }
    assert!(known >= 5, "only {known} positions are in the tables");
}

/// Plays a game from a position to its end by the rules, or for 200 plies: the engine with tables
/// for one side and the one without for the other. Returns the winner; `None` if the game is not
/// over, `Some(None)` after a draw.
fn played(fen: &str, with_tables_plays: Color) -> Option<Option<Color>> {
    let mut game: Game = positions::game(fen, "");
    let mut engines = [with_tables(), Conversation::start()];
    let mut moves = String::new();
    for _ in 0..200 {
        if let Some(end) = game.end_by_the_rules() {
            return Some(end.winner());
        }
        let turn = game.position().turn();
        let engine = &mut engines[usize::from(turn != with_tables_plays)];
        engine.send(&format!("position fen {fen} moves{moves}"));
        let answer = engine.best_move("go nodes 3000");
        let uci: UciMove = answer.parse().expect("a move");
        game.play(uci.to_move(game.position()).expect("a legal move"));
        moves.push_str(&format!(" {uci}"));
    }
    None
}

#[test]
fn won_positions_are_won_within_the_fifty_move_rule() {
    for fen in [
        ROOK,
        // A king and a pawn; only one move wins.
        "8/8/8/4k3/8/8/4PK2/8 w - - 0 1",
        // Queen against rook: the rook falls after 59 plies.
        "7K/4r2Q/4k3/8/8/8/8/8 w - - 0 1",
    ] {
        assert_eq!(played(fen, Color::White), Some(Some(Color::White)), "{fen}");
    }
}

#[test]
fn won_positions_are_won_with_no_ply_to_spare_on_the_clock() {
    for fen in [
        "8/8/8/8/3k4/8/8/KR6 w - - 70 90",
        "8/8/8/4k3/8/8/4PK2/8 w - - 90 90",
        "4k3/8/4K3/4P3/8/8/8/8 w - - 96 90",
        "7K/4r2Q/4k3/8/8/8/8/8 w - - 40 90",
        // After forty-nine moves.
        "7k/8/6K1/8/8/8/8/R7 w - - 98 90",
        "8/4P2k/8/8/8/8/8/K7 w - - 98 90",
        "8/8/8/8/8/k1K5/6Q1/7r w - - 98 90",
    ] {
        assert_eq!(played(fen, Color::White), Some(Some(Color::White)), "{fen}");
    }
}

#[test]
fn drawn_positions_are_held() {
    for fen in [
        "8/8/8/8/4k3/8/4P3/4K3 b - - 0 1",
        "4k3/8/8/4P3/4K3/8/8/8 b - - 0 1",
        "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1",
    ] {
        assert_eq!(played(fen, Color::Black), Some(None), "{fen}");
    }
}

#[test]
fn values_outside_their_range_are_refused() {
    let mut engine = Conversation::start();
    for (option, bad) in [
        ("SyzygyProbeDepth", "0"),
        ("SyzygyProbeDepth", "101"),
        ("SyzygyProbeLimit", "8"),
        ("SyzygyProbeLimit", "-1"),
        ("Syzygy50MoveRule", "maybe"),
    ] {
        engine.assert_refused(&format!("setoption name {option} value {bad}"), bad);
    }
}

#[test]
fn the_options_are_declared_as_stockfish_declares_them() {
    let mut engine = Conversation::start();
    engine.send("uci");
    let lines = engine.lines_until_prefix("uciok");
    for declared in [
        "option name SyzygyPath type string default <empty>",
        "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
        "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
        "option name Syzygy50MoveRule type check default true",
    ] {
        assert!(lines.iter().any(|line| line == declared), "{declared}");
    }
}

/// Fails if the side to move gives its win by the tables away on a line of play.
fn assert_stays_won(fen: &str, line: &str) {
    let tablebases = Tablebases::load(OsStr::new(TABLES)).expect("the tables are there");
    let tablebases = tablebases.tablebases;
    let mut game = positions::game(fen, "");
    let winner = game.position().turn();
    let (_, moves) = line.split_once(" pv ").expect("a line of play");
    for (ply, name) in (1..).zip(moves.split(' ')) {
        let uci: UciMove = name.parse().expect("a move");
        game.play(uci.to_move(game.position()).expect("a legal move"));
        let is_drawn = !game.position().is_checkmate() && game.is_draw(ply);
        assert!(!is_drawn, "{name} draws: {line}");
        let plies = tablebases.probe_dtz(game.position());
        let is_winners_turn = game.position().turn() == winner;
        let is_won = |plies: i32| {
            if is_winners_turn {
                plies > 0
            } else {
                plies < 0
            }
        };
        assert!(
            plies.is_none_or(is_won),
            "{name} gives the win away: {line}"
        );
    }
}

#[test]
fn the_line_of_a_won_position_stays_won() {
    let mut engine = with_tables();
    let mut wins = 0;
    for fen in [
        ROOK,
        ROOK_AND_PAWN,
        "8/8/8/3k4/6r1/8/8/KQ6 w - - 0 1",
        "7r/8/8/3k4/8/8/1Q6/K7 w - - 30 40",
        "8/8/8/4k3/8/8/4PK2/8 w - - 0 1",
    ] {
        engine.send(&format!("position fen {fen}"));
        let lines = [engine.search("go depth 12"), engine.search("go nodes 3000")].concat();
        assert!(
            lines.iter().all(|line| !line.contains("string")),
            "{lines:?}"
        );
        for line in lines {
            if line.contains(" score cp 20000 ") || line.contains(" score cp 1999") {
                wins += 1;
                assert_stays_won(fen, &line);
            }
        }
    }
    assert!(wins > 20, "only {wins} lines were won");
}
