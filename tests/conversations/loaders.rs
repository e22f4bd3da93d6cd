//! The programs that load engines, each with the conversation that it holds: option names, order,
//! forms of `go`.
//!
//! Every conversation is taken from the source named at its test, in the version named there; only
//! the times are shortened. The logs of lichess-bot, python-chess, cutechess-cli and fastchess with
//! this engine show the same; of En Croissant only the parser was run. Arena's source is closed:
//! its conversation is that of logs which its users have published. The answers are checked for
//! what the program needs, as its own parser reads them.
//!
//! Loaders set an option only if the engine lists it and only to a value in its range, and so do
//! these tests. An `info string` before `readyok` would mean that the engine has refused a value.

use std::time::Duration;

use super::fuzzer::declared_option::{DeclaredOption, Kind};
use super::protocol::Referee;
use crate::support::{Conversation, START};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Position};

/// How long a test checks that no move comes while the engine ponders.
const HOLD: Duration = Duration::from_millis(100);

/// lichess-bot 2026.8.2.1, commit bedd1d9: `config.yml.default` (`uci_options`, `ponder: true`),
/// sent by `UCIEngine` in `lib/engine_wrapper.py`; the game by `play_move` and `move_time` there.
/// The lines themselves come from python-chess 1.11.2. An option that the engine doesn't list ends
/// the bot.
#[test]
fn lichess_bot_plays_with_its_default_configuration() {
    let mut loaded = Loaded::start();
    for (name, value) in [
        ("Move Overhead", "100"),
        ("Threads", "4"),
        ("Hash", "512"),
        ("SyzygyPath", "./syzygy/"),
        ("UCI_ShowWDL", "true"),
    ] {
        loaded.set(name, value);
    }
    loaded.set_if_listed("UCI_Opponent", "BOT 3000 computer bo");

    // The first move gets ten seconds and no pondering, because the clock starts only afterwards.
    // The directory of the default configuration need not exist; that it is missing is said, and
    // the bot goes on.
    let mut game = Game::new("e2e4");
    loaded.engine.send("ucinewgame");
    let said = loaded.engine.sync();
    assert!(
        said.iter().all(|line| line.contains("./syzygy/")),
        "{said:?}"
    );
    let answer = loaded.play(&game, "go movetime 100");
    game.play(&answer.best);
    game.play_any();

    loaded.set("Ponder", "true");
    let mut answer = loaded.play(&game, "go wtime 700 btime 600 winc 10 binc 10");
    for is_hit in [true, false, true] {
        let expected = answer.expected(&game);
        game.play(&answer.best);
        loaded.ponder(&expected, "go ponder wtime 710 btime 590 winc 10 binc 10");
        if is_hit {
            game = expected;
            answer = loaded.answer_to("ponderhit", &game);
        } else {
            loaded.answer_to("stop", &expected);
            game.play_other_than(expected.moves.last());
            answer = loaded.play(&game, "go wtime 710 btime 590 winc 10 binc 10");
        }
        // What the bot logs of each move.
        for key in ["depth", "nodes", "nps", "score", "wdl", "pv"] {
            assert!(!field(answer.last_info(), key).is_empty(), "no {key}");
        }
    }
    loaded.engine.assert_idle();
    loaded.quit();
}

/// python-chess 1.11.2, commit 9c24454: the options that `EngineTestCase` in `test.py` expects of
/// Stockfish, and `test_uci_go`, `test_uci_analyse_mode` and `test_uci_ponderhit` there, sent by
/// `UciProtocol` in `chess/engine.py`.
#[test]
fn python_chess_runs_the_conversations_of_its_own_tests() {
    let mut loaded = Loaded::start();
    let chess960 = loaded.option("uci_chess960").expect("UCI_Chess960");
    assert_eq!(
        (chess960.name.as_str(), &chess960.kind),
        ("UCI_Chess960", &Kind::Check)
    );
    assert_eq!(chess960.default.as_deref(), Some("false"));

    // Root moves and pondering with a move time; then every limit at once.
    let start = Game::new("");
    loaded.engine.send("ucinewgame");
    loaded.engine.assert_idle();
    let answer = loaded.play(&start, "go movetime 123 searchmoves e2e4 d2d4");
    assert!(
        ["e2e4", "d2d4"].contains(&answer.best.as_str()),
        "{}",
        answer.best
    );
    let expected = answer.expected(&start);
    loaded.ponder(&expected, "go ponder movetime 123");
    loaded.answer_to("stop", &expected);
    let all = "go wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 mate 8 movetime 9";
    loaded.play(&start, all);
    // No root moves at all are sent as a move that doesn't exist.
    loaded.play(&start, "go depth 2 searchmoves 0000");

    // Analysis, with the mode switched on and off.
    for mode in ["true", "false"] {
        loaded.set_if_listed("UCI_AnalyseMode", mode);
        loaded.engine.send(&start.command());
        loaded.engine.send("go infinite");
        loaded.answer_to("stop", &start);
    }
    loaded.engine.send("debug on");
    loaded.engine.send("debug off");

    // A changed option and an analysis in between forbid a ponder hit.
    loaded.set("Ponder", "true");
    loaded.set_if_listed("UCI_Opponent", "none 3500 computer Eliza");
    loaded.engine.assert_idle();
    let mut game = start;
    for hash in ["32", "16"] {
        let answer = loaded.play(&game, "go movetime 30");
        game = answer.expected(&game);
        loaded.ponder(&game, "go ponder movetime 30");
        loaded.answer_to("stop", &game);
        loaded.set("Hash", hash);
    }
    loaded.set("Ponder", "false");
    loaded.play(&game, "go movetime 40");
    loaded.engine.assert_idle();
    loaded.quit();
}

/// The same commit, `test_sf_forced_mates`, `test_sf_analysis` and `test_sf_multipv` in `test.py`.
#[test]
fn python_chess_finds_the_mates_and_the_order_of_lines_that_its_tests_expect() {
    let mut loaded = Loaded::start();
    for (fen, best) in [
        (
            "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
            "d6d1",
        ),
        (
            "6k1/N1p3pp/2p5/3n1P2/4K3/1P5P/P1Pr1r2/R1R5 b - - 0 1",
            "f2f4",
        ),
    ] {
        loaded.engine.send("ucinewgame");
        loaded.engine.assert_idle();
        assert_eq!(loaded.play(&Game::from_fen(fen), "go mate 3").best, best);
    }

    let mate = Game::from_fen("8/6K1/1p1B1RB1/8/2Q5/2n1kP1N/3b4/4n3 w - - 0 1");
    loaded.engine.send(&mate.command());
    loaded.engine.send("go depth 40");
    let mut infos: Vec<String> = Vec::new();
    while infos
        .last()
        .is_none_or(|line| field(line, "score") != ["mate", "2"])
    {
        infos.push(loaded.engine.expect_prefix("info"));
    }
    loaded.engine.send("stop");
    infos.extend(loaded.engine.lines_until_prefix("bestmove"));
    let answer = Answer::read(&infos, &mate);
    assert_eq!(field(answer.last_info(), "score"), ["mate", "2"]);

    loaded.set("MultiPV", "3");
    let fen = "r2qr1k1/pb2npp1/1pn1p2p/8/3P4/P1PQ1N2/B4PPP/R1B1R1K1 w - - 2 15";
    let answer = loaded.play(&Game::from_fen(fen), "go depth 1");
    let scores = answer.infos[..3].iter().map(|line| {
        let score = field(line, "score");
        assert_eq!(score[0], "cp", "{line}");
        score[1].parse::<i32>().expect("centipawns")
    });
    assert!(scores.is_sorted_by(|better, worse| better >= worse));
}

/// En Croissant 0.15.0, commit 9654961: `get_best_moves` in `src-tauri/src/chess.rs` and
/// `src-tauri/src/engine/`; the settings are those that `requiredEngineSettings` in
/// `src/utils/engines.ts` takes over. It parses by vampirc-uci, commit c60e65c of its own copy, in
/// whose grammar an unknown word swallows the rest of an `info` line.
#[test]
fn en_croissant_gets_whole_sets_of_lines_while_it_analyses_a_game() {
    let mut loaded = Loaded::start();
    loaded.engine.assert_idle();
    loaded.set("UCI_Chess960", "false");
    loaded.set("Hash", "16");
    loaded.set("Threads", "1");
    loaded.set("MultiPV", "3");
    // White has two moves in the last position: a set of lines is then two lines.
    for (game, lines) in [
        (Game::from_fen(START), 3),
        (Game::from_fen(START).with(&["e2e4", "e7e5"]), 3),
        (Game::from_fen("1r5k/8/8/8/8/8/K7/8 w - - 0 1"), 2),
    ] {
        loaded.engine.send(&game.command());
        loaded.engine.send("go infinite");
        let mut seen = loaded.engine.lines_until_prefix("info depth 6 ");
        // It stops the search, waits 50 ms, and sends what is next.
        loaded.engine.send("stop");
        seen.extend(loaded.engine.lines_until_prefix("bestmove"));
        let answer = Answer::read(&seen, &game);
        assert!(answer.complete_sets(lines).contains(&5), "{seen:#?}");
        seen.iter().for_each(|line| assert_vampirc_reads(line));
    }
    loaded.quit();
}

/// The same version: a game against the engine, `src-tauri/src/game.rs`, and its report on a game,
/// `analyze_game` in `src-tauri/src/chess.rs`, with two lines.
#[test]
fn en_croissant_plays_a_game_and_reports_on_it() {
    let mut loaded = Loaded::start();
    loaded.engine.assert_idle();
    loaded.set("Hash", "16");
    loaded.set("Threads", "1");
    loaded.set("MultiPV", "1");
    loaded.set("UCI_Chess960", "false");
    let mut game = Game::from_fen(START);
    for go in [
        "go wtime 300 btime 300 winc 5 binc 5",
        "go movetime 50",
        "go depth 5",
        "go nodes 2000",
    ] {
        let answer = loaded.play(&game, go);
        game.play(&answer.best);
    }
    loaded.set("MultiPV", "2");
    for plies in 0..game.moves.len() {
        let moves: Vec<&str> = game.moves[..plies].iter().map(String::as_str).collect();
        let answer = loaded.play(&Game::from_fen(START).with(&moves), "go depth 4");
        assert_eq!(
            answer.complete_sets(2).last(),
            Some(&4),
            "{:#?}",
            answer.infos
        );
    }
    loaded.quit();
}

/// Arena 3.5.1 and others, from the debug windows that users have published in issues: an unknown
/// engine is first tried as an xboard engine (konsolas/ToppleChess 2, vshcherbyna/igel 185); `Hash`
/// and all strings, as they were listed, follow `uciok` at once (kjljixx/Aurora-Chess-Engine 10);
/// then the game (3583Bytes/Moonforge-Chess 9, zserge/carnatus 6, glinscott/leela-chess 192). No
/// published log shows pondering, so that part is the specification's. A `bestmove` that is no
/// legal move is shown as illegal and loses.
#[test]
fn arena_tries_xboard_first_and_sends_its_options_before_isready() {
    let mut engine = Conversation::start();
    engine.send("xboard");
    let mut loaded = Loaded::identify(engine);
    loaded.set("Hash", "64");
    for option in loaded.options.clone() {
        if let (Kind::Text, Some(default)) = (option.kind, option.default) {
            loaded.set(&option.name, &default);
        }
    }
    loaded.engine.assert_idle();
    loaded.engine.send("ucinewgame");
    loaded.engine.assert_idle();
    let mut game = Game::new("d2d4");
    for go in [
        "go wtime 610 btime 600 winc 10 binc 10",
        "go wtime 613 btime 391 winc 0 binc 0",
        "go movetime 50",
        "go wtime 1 btime 63 winc 10 binc 10",
    ] {
        let answer = loaded.play(&game, go);
        game = answer.expected(&game);
        loaded.ponder(&game, "go ponder wtime 610 btime 600 winc 10 binc 10");
        loaded.answer_to("ponderhit", &game);
        loaded.engine.assert_idle();
    }
    loaded.quit();
}

/// Cute Chess 1.5.1 with its cutechess-cli, commit 5e84232: `projects/lib/src/uciengine.cpp` and
/// `chessengine.cpp`. It sends the options of its engine settings in alphabetical order: all that
/// it has read but those that begin with `UCI_`, except the two of playing strength. A move while
/// the engine ponders, and an illegal move in a line, are warnings; a move that is null or illegal
/// forfeits the game.
#[test]
fn cute_chess_sends_every_option_back_and_plays_with_pondering() {
    let mut loaded = Loaded::start();
    let mut options = loaded.options.clone();
    options.retain(|option| {
        let is_strength = ["UCI_LimitStrength", "UCI_Elo"].contains(&option.name.as_str());
        option.name != "Ponder" && (is_strength || !option.name.starts_with("UCI_"))
    });
    options.sort_by(|a, b| a.name.cmp(&b.name));
    for option in options {
        if let Some(default) = option.default {
            loaded.set(&option.name, &default);
        }
    }
    loaded.engine.assert_idle();

    for _ in 0..2 {
        loaded.engine.send("ucinewgame");
        loaded.set("Ponder", "true");
        // Moves of the opening come one by one.
        let mut game = Game::new("");
        loaded.engine.send(&game.command());
        for book_move in ["e2e4", "e7e5", "g1f3", "b8c6"] {
            game.play(book_move);
            loaded.engine.send(&game.command());
        }
        loaded.engine.assert_idle();
        let mut answer = loaded.answer_to("go wtime 400 btime 400 winc 10 binc 10", &game);
        for is_hit in [true, false] {
            let expected = answer.expected(&game);
            game.play(&answer.best);
            loaded.engine.send(&expected.command());
            loaded.engine.assert_idle();
            loaded.ponder_here("go ponder wtime 400 btime 400 winc 10 binc 10");
            if is_hit {
                game = expected;
                answer = loaded.answer_to("ponderhit", &game);
            } else {
                loaded.answer_to("stop", &expected);
                game.play_other_than(expected.moves.last());
                loaded.engine.send(&game.command());
                loaded.engine.assert_idle();
                answer = loaded.answer_to("go wtime 400 btime 400 winc 10 binc 10", &game);
            }
        }
        loaded.engine.assert_idle();
    }
    loaded.quit();
}

/// The same version, `startThinking` and `setVariant` in `uciengine.cpp`: every form of `go`, and a
/// game of Chess960, which begins with a Shredder-FEN.
#[test]
fn cute_chess_limits_the_search_in_all_its_ways() {
    let mut loaded = Loaded::start();
    let game = Game::new("d2d4 d7d5");
    for go in [
        "go movetime 50",
        "go movetime 50 depth 3",
        "go wtime 300 btime 300 movestogo 40",
        "go wtime 300 btime 300 winc 10 movestogo 1",
        "go wtime 300 btime 300 binc 10 depth 5",
        "go depth 4",
        "go nodes 500",
        "go depth 4 nodes 500",
    ] {
        loaded.play(&game, go);
    }
    loaded.engine.send("go infinite");
    loaded.answer_to("stop", &game);

    loaded.set("UCI_Chess960", "true");
    loaded.engine.send("ucinewgame");
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let mut chess960 = Game::chess960(fen);
    for _ in 0..4 {
        let answer = loaded.play(&chess960, "go depth 4");
        chess960.play(&answer.best);
    }
    loaded.set("UCI_Chess960", "false");
    loaded.play(&game, "go depth 4");
    loaded.quit();
}

/// fastchess 1.8.2-alpha and later, commit 74deac2: `app/src/engine/uci_engine.cpp` (`refreshUci`,
/// `go`, `quit`) and `app/src/matchmaking/match/match.cpp`. `Threads` goes before all other
/// options, and all are sent anew for each game. It reads the score from the last exact line, and
/// with `-check-mate-pvs` a line with a mate must end in it.
#[test]
fn fastchess_sets_the_same_options_before_each_game_and_pings_before_each_go() {
    let mut loaded = Loaded::start();
    for _ in 0..2 {
        loaded.set("Threads", "1");
        loaded.set("Hash", "16");
        loaded.engine.send("ucinewgame");
        loaded.engine.assert_idle();
        loaded.engine.assert_idle();
        let mut game = Game::new("e2e4 c7c5");
        for go in [
            "go wtime 200 btime 200 winc 10 binc 10",
            "go nodes 2000 depth 20 wtime 500 btime 500",
            "go movetime 30",
            "go wtime 200 btime 200 movestogo 3",
            "go btime 100 binc 100",
        ] {
            loaded.engine.assert_idle();
            loaded.engine.send(&game.command());
            loaded.engine.assert_idle();
            let answer = loaded.answer_to(go, &game);
            assert!(is_exact(answer.last_info()), "{:?}", answer.last_info());
            loaded.engine.assert_idle();
            game.play(&answer.best);
        }
    }
    let mate_in_two = Game::from_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1");
    let answer = loaded.play(&mate_in_two, "go wtime 600000 btime 600000 depth 6");
    let pv = field(answer.last_info(), "pv");
    assert_eq!(field(answer.last_info(), "score"), ["mate", "2"]);
    assert!(
        mate_in_two.with(&pv).referee.position.is_checkmate(),
        "{pv:?}"
    );
    loaded.engine.send("stop");
    loaded.quit();
}

/// The engine as its loader sees it: by its options.
struct Loaded {
    engine: Conversation,
    options: Vec<DeclaredOption>,
}

impl Loaded {
    fn start() -> Loaded {
        Loaded::identify(Conversation::start())
    }

    /// Sends `uci` and reads the answer.
    fn identify(mut engine: Conversation) -> Loaded {
        engine.send("uci");
        let lines = engine.lines_until_prefix("uciok");
        let is_option = |line: &&String| line.starts_with("option ");
        let options = lines.iter().filter(is_option);
        Loaded {
            options: options.map(|line| DeclaredOption::parse(line)).collect(),
            engine,
        }
    }

    fn option(&self, name: &str) -> Option<&DeclaredOption> {
        self.options
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sends `setoption`; fails where a loader would stop because the name or the value is unknown.
    fn set(&mut self, name: &str, value: &str) {
        let option = self
            .option(name)
            .unwrap_or_else(|| panic!("{name} is not listed"));
        let is_sent = option.kind != Kind::Button && option.takes(Some(value)) != Some(false);
        assert!(is_sent, "{option:?} can't be {value:?}");
        self.engine
            .send(&format!("setoption name {name} value {value}"));
    }

    fn set_if_listed(&mut self, name: &str, value: &str) {
        if self.option(name).is_some() {
            self.set(name, value);
        }
    }

    /// Sends the position of a game and a `go` that ends by itself.
    fn play(&mut self, game: &Game, go: &str) -> Answer {
        self.engine.send(&game.command());
        self.answer_to(go, game)
    }

    /// Sends a command that brings a `bestmove` for the position of the game.
    fn answer_to(&mut self, command: &str, game: &Game) -> Answer {
        Answer::read(&self.engine.search(command), game)
    }

    /// Sends the expected position and a `go ponder`, during which no move may come.
    fn ponder(&mut self, expected: &Game, go: &str) {
        self.engine.send(&expected.command());
        self.ponder_here(go);
    }

    fn ponder_here(&mut self, go: &str) {
        self.engine.send(go);
        self.engine.assert_withheld_for(HOLD, "bestmove");
    }

    fn quit(mut self) {
        self.engine.send("quit");
        assert!(self.engine.wait_exit().success());
    }
}

/// A game as a loader sends it: where it begins, and its moves.
#[derive(Clone)]
struct Game {
    start: String,
    moves: Vec<String>,
    referee: Referee,
}

impl Game {
    /// A game from the start position, sent as `startpos`.
    fn new(moves: &str) -> Game {
        let game = Game {
            start: "startpos".to_owned(),
            ..Game::from_fen(START)
        };
        game.with(&moves.split_whitespace().collect::<Vec<_>>())
    }

    fn from_fen(fen: &str) -> Game {
        Game::at(fen, CastlingMode::Standard)
    }

    fn chess960(fen: &str) -> Game {
        Game::at(fen, CastlingMode::Chess960)
    }

    fn at(fen: &str, mode: CastlingMode) -> Game {
        Game {
            start: format!("fen {fen}"),
            moves: Vec::new(),
            referee: Referee::new(fen, mode),
        }
    }

    /// The `position` command.
    fn command(&self) -> String {
        if self.moves.is_empty() {
            format!("position {}", self.start)
        } else {
            format!("position {} moves {}", self.start, self.moves.join(" "))
        }
    }

    fn with(&self, moves: &[&str]) -> Game {
        let mut game = self.clone();
        moves.iter().for_each(|word| game.play(word));
        game
    }

    /// Plays a move, or fails if it is illegal.
    fn play(&mut self, word: &str) {
        self.referee.play(word);
        self.moves.push(word.to_owned());
    }

    /// Plays the first legal move that is not this one.
    fn play_other_than(&mut self, expected: Option<&String>) {
        let legal = self.referee.position.legal_moves();
        let mut words = legal
            .iter()
            .map(|m| m.to_uci(CastlingMode::Standard).to_string());
        let other = words.find(|word| Some(word) != expected);
        self.play(&other.expect("there is another move"));
    }

    fn play_any(&mut self) {
        self.play_other_than(None);
    }
}

/// What came between a `go` and its `bestmove`.
#[derive(Debug)]
struct Answer {
    best: String,
    ponder: Option<String>,
    /// The lines with a principal variation.
    infos: Vec<String>,
}

impl Answer {
    /// Reads an answer as python-chess does, which is the strictest: each number must be one, and
    /// each move legal where it stands.
    fn read(lines: &[String], game: &Game) -> Answer {
        let (bestmove, infos) = lines.split_last().expect("an answer has a last line");
        for line in infos {
            assert!(
                line.starts_with("info "),
                "this is no answer to a go: {line}"
            );
            for key in [
                "depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time",
            ] {
                for value in field(line, key) {
                    assert!(value.parse::<u64>().is_ok(), "{key} {value} in {line}");
                }
            }
            let wdl: Vec<u32> = field(line, "wdl")
                .iter()
                .map(|n| n.parse().expect("a number"))
                .collect();
            assert!(wdl.is_empty() || wdl.iter().sum::<u32>() == 1_000, "{line}");
        }
        let words: Vec<&str> = bestmove.split(' ').collect();
        let (best, ponder) = match words.as_slice() {
            ["bestmove", best] => (*best, None),
            ["bestmove", best, "ponder", reply] => (*best, Some((*reply).to_owned())),
            _ => panic!("no loader can read {bestmove:?}"),
        };
        game.referee.check_answer(lines);
        let infos = infos.iter().filter(|line| line.contains(" pv ")).cloned();
        Answer {
            best: best.to_owned(),
            ponder,
            infos: infos.collect(),
        }
    }

    /// The game with the best move and the reply that the engine expects. A loader ponders only if
    /// the engine names one; if it doesn't, the tests ponder on any.
    fn expected(&self, game: &Game) -> Game {
        let mut game = game.with(&[&self.best]);
        match &self.ponder {
            Some(reply) => game.play(reply),
            None => game.play_any(),
        }
        game
    }

    /// The line just before the `bestmove`.
    fn last_info(&self) -> &str {
        self.infos.last().expect("a line precedes the move")
    }

    /// The depths of which all lines came together, from 1 to `size`, as En Croissant collects
    /// them.
    fn complete_sets(&self, size: usize) -> Vec<u32> {
        let mut depths = Vec::new();
        let mut set: Vec<u32> = Vec::new();
        for line in self.infos.iter().filter(|line| is_exact(line)) {
            let number = |key| field(line, key)[0].parse::<u32>().expect("a number");
            if number("multipv") as usize == set.len() + 1 {
                set.push(number("depth"));
                if set.len() == size {
                    depths.extend(set.iter().all(|depth| *depth == set[0]).then_some(set[0]));
                    set.clear();
                }
            }
        }
        depths
    }
}

/// Fails if a word of an `info` or `bestmove` line is not in the grammar of vampirc-uci. Lines
/// whose score is a bound are not used.
fn assert_vampirc_reads(line: &str) {
    if !is_exact(line) || line.starts_with("info string") {
        return;
    }
    let is_move = |word: &str| word.parse::<UciMove>().is_ok();
    let mut words = line.split(' ').skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().is_some_and(|word| word.parse::<i64>().is_ok());
        let is_read = match word {
            "depth" | "seldepth" | "multipv" | "nodes" | "nps" | "hashfull" | "tbhits" | "time"
            | "cp" | "mate" => number(),
            "wdl" => number() && number() && number(),
            "score" | "pv" | "ponder" | "currmove" => true,
            // It is read as the start of a comment, but nothing follows it.
            "currmovenumber" => number() && words.next().is_none(),
            _ => is_move(word),
        };
        assert!(is_read, "{word} in {line}");
    }
}

fn is_exact(line: &str) -> bool {
    !line.contains(" lowerbound ") && !line.contains(" upperbound ")
}

/// The words of a field of an `info` line, as many as belong to it; none if the line lacks it.
fn field<'line>(line: &'line str, key: &str) -> Vec<&'line str> {
    let length = match key {
        "score" => 2,
        "wdl" => 3,
        "pv" => usize::MAX,
        _ => 1,
    };
    let mut words = line.split(' ').take_while(|word| *word != "string");
    if words.find(|word| *word == key).is_none() {
        return Vec::new();
    }
    words.take(length).collect()
}
