//! The opening book, in conversations with the real program and over the books of other engines.

use std::collections::BTreeMap;
use std::fs;

use crate::support::scratch::Scratch;
use crate::support::{Conversation, move_of};
use proptest::prelude::*;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};
use squarewise_engine::book::{self, Book};

const LASKER_TRAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/lasker-trap.bin");
const DOG_BOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/dog-book.bin");

/// 1. d4 d5 2. c4 e5 3. dxe5 d4 4. e3 Bb4+ 5. Bd2 dxe3 6. Bxb4 exf2+ 7. Ke2 fxg1=N+.
///
/// The book holds Black's moves.
const TRAP: [&str; 14] = [
    "d2d4", "d7d5", "c2c4", "e7e5", "d4e5", "d5d4", "e2e3", "f8b4", "c1d2", "d4e3", "d2b4", "e3f2",
    "e1e2", "f2g1n",
];

/// The key of the start position.
const START_KEY: u64 = 0x463b_9618_1691_fc9c;

/// A clock with which a search would take a minute or more, longer than an answer is waited for.
const CLOCK: &str = "go wtime 3600000 btime 3600000 movestogo 1";

/// An engine that plays from a book.
fn engine_with(book: &str) -> Conversation {
    let mut engine = Conversation::start();
    set(&mut engine, "OwnBook", "true");
    set(&mut engine, "BookFile", book);
    engine
}

fn set(engine: &mut Conversation, option: &str, value: &str) {
    engine.assert_accepted(&format!("setoption name {option} value {value}"));
}

/// Whether the answer to a `go` comes from the book, which must show in all its lines.
fn is_from_book(answer: &[String]) -> bool {
    let is_announced = answer[0].starts_with("info string book move");
    if is_announced {
        let [_, info, bestmove] = answer else {
            panic!("more than a book move: {answer:?}");
        };
        let start = "info depth 1 seldepth 1 multipv 1 score ";
        assert!(info.starts_with(start), "{info}");
        assert!(!info.contains("bound"), "{info}");
        let pv = info.split(" pv ").nth(1);
        assert_eq!(Some(move_of(bestmove).as_str()), pv, "one move: {info}");
        assert!(!bestmove.contains("ponder"), "{bestmove}");
    }
    is_announced
}

/// The book's move in the current position; fails if the engine searches.
fn book_move(engine: &mut Conversation) -> String {
    let answer = engine.search(CLOCK);
    assert!(is_from_book(&answer), "{answer:?}");
    move_of(&answer[2])
}

fn plays_from_book(engine: &mut Conversation, go: &str) -> bool {
    is_from_book(&engine.search(go))
}

#[test]
fn a_book_move_shows_its_chances_when_they_are_asked_for() {
    let mut engine = engine_with(LASKER_TRAP);
    set(&mut engine, "UCI_ShowWDL", "true");
    engine.send(&format!("position startpos moves {}", TRAP[0]));
    let answer = engine.search(CLOCK);
    assert!(is_from_book(&answer), "{answer:?}");
    let words: Vec<&str> = answer[1].split(' ').collect();
    assert_eq!(words[7], "score", "{answer:?}");
    assert_eq!(words[10], "wdl", "{answer:?}");
}

/// The moves that the engine plays in the current position, and how often each.
fn drawn_moves(engine: &mut Conversation, times: usize) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for _ in 0..times {
        *counts.entry(book_move(engine)).or_default() += 1;
    }
    counts
}

fn bits(uci_move: &str) -> u16 {
    let square = |text: &str| text.parse::<shakmaty::Square>().expect("a square").to_u32() as u16;
    square(&uci_move[..2]) << 6 | square(&uci_move[2..])
}

fn entry(key: u64, uci_move: &str, weight: u16) -> Vec<u8> {
    let parts: [&[u8]; 4] = [
        &key.to_be_bytes(),
        &bits(uci_move).to_be_bytes(),
        &weight.to_be_bytes(),
        &[0; 4],
    ];
    parts.concat()
}

/// Writes a book with a space in its name and returns its path.
fn write_book(folder: &Scratch, name: &str, content: &[u8]) -> String {
    folder.file(&format!("{name} book.bin"), content)
}

/// Writes a book for the start position with these moves and weights.
fn start_book(folder: &Scratch, name: &str, moves: &[(&str, u16)]) -> String {
    let entries = moves.iter().map(|(m, weight)| entry(START_KEY, m, *weight));
    write_book(folder, name, &entries.collect::<Vec<_>>().concat())
}

#[test]
fn a_book_is_found_whether_its_path_comes_in_utf8_or_in_latin_1() {
    let content = fs::read(LASKER_TRAP).expect("a book");
    let folder = Scratch::new("book");
    let path = write_book(&folder, "Eröffnungen", &content);
    let in_latin_1 = path.chars().map(|c| u8::try_from(c).ok());
    let Some(latin_1) = in_latin_1.collect::<Option<Vec<u8>>>() else {
        return; // the temporary folder has a name that is not in Latin-1
    };
    for bytes in [path.as_bytes(), &latin_1] {
        let mut engine = Conversation::start();
        set(&mut engine, "OwnBook", "true");
        engine.send_raw(&[b"setoption name BookFile value ", bytes, b"\r\n"].concat());
        assert_eq!(engine.sync(), [""; 0]);
        engine.send(&format!("position startpos moves {}", TRAP[0]));
        assert_eq!(book_move(&mut engine), TRAP[1]);
    }
}

#[test]
fn the_moves_of_the_lasker_trap_come_at_once() {
    let mut engine = engine_with(LASKER_TRAP);
    for ply in (1..TRAP.len()).step_by(2) {
        engine.send(&format!(
            "position startpos moves {}",
            TRAP[..ply].join(" ")
        ));
        assert_eq!(book_move(&mut engine), TRAP[ply]);
        engine.assert_idle();
    }
    // White's moves are not in the book.
    engine.send("position startpos moves d2d4 d7d5");
    assert!(!plays_from_book(&mut engine, "go depth 3"));
}

#[test]
fn without_own_book_or_without_a_file_the_engine_searches() {
    let mut engine = Conversation::start();
    set(&mut engine, "OwnBook", "true");
    assert!(!plays_from_book(&mut engine, "go depth 3"));
    set(&mut engine, "BookFile", DOG_BOOK);
    assert!(plays_from_book(&mut engine, "go depth 3"));
    set(&mut engine, "OwnBook", "false");
    assert!(!plays_from_book(&mut engine, "go depth 3"));
    set(&mut engine, "OwnBook", "true");
    assert!(plays_from_book(&mut engine, "go depth 3"));
    set(&mut engine, "BookFile", "<empty>");
    assert!(!plays_from_book(&mut engine, "go depth 3"));
}

#[test]
fn a_book_move_is_played_under_every_limit_of_play() {
    let mut engine = engine_with(DOG_BOOK);
    for go in [
        "go wtime 1 btime 1",
        "go movetime 60000",
        "go depth 3",
        "go nodes 1000",
        "go depth 3 searchmoves e2e4 d2d4",
    ] {
        assert!(plays_from_book(&mut engine, go), "{go}");
    }
}

#[test]
fn analysis_mate_searches_and_pondering_do_not_use_the_book() {
    let mut engine = engine_with(DOG_BOOK);
    assert!(!plays_from_book(&mut engine, "go mate 1 depth 3"));
    for go in [
        "go",
        "go infinite",
        "go ponder wtime 1000 btime 1000",
        "go infinite depth 3",
    ] {
        engine.send(go);
        engine.assert_no_answer_yet();
        engine.send("stop");
        assert!(
            !is_from_book(&engine.lines_until_prefix("bestmove")),
            "{go}"
        );
        engine.assert_idle();
    }
    engine.send("go ponder movetime 20");
    engine.send("ponderhit");
    assert!(!is_from_book(&engine.lines_until_prefix("bestmove")));
}

#[test]
fn in_analyse_mode_every_position_is_searched() {
    let mut engine = engine_with(DOG_BOOK);
    set(&mut engine, "UCI_AnalyseMode", "true");
    for go in ["go depth 3", "go movetime 20", "go wtime 500 btime 500"] {
        assert!(!plays_from_book(&mut engine, go), "{go}");
    }
    engine.assert_refused("setoption name UCI_AnalyseMode value perhaps", "perhaps");
    assert!(!plays_from_book(&mut engine, "go depth 3"));
    set(&mut engine, "UCI_AnalyseMode", "false");
    assert!(plays_from_book(&mut engine, "go depth 3"));
}

#[test]
fn searchmoves_leaves_only_its_moves_of_the_book() {
    let mut engine = engine_with(DOG_BOOK);
    for _ in 0..20 {
        let answer = engine.search("go depth 2 searchmoves g2g4 h2h3");
        assert!(is_from_book(&answer));
        assert!(["g2g4", "h2h3"].contains(&move_of(&answer[2]).as_str()));
    }
    let folder = Scratch::new("book");
    let book = start_book(&folder, "searchmoves", &[("e2e4", 1)]);
    let mut engine = engine_with(&book);
    assert!(!plays_from_book(&mut engine, "go depth 2 searchmoves d2d4"));
}

#[test]
fn random_moves_follow_their_weights_and_repeat_with_the_seed() {
    let folder = Scratch::new("book");
    let book = start_book(
        &folder,
        "weights",
        &[("c2c4", 0), ("d2d4", 10), ("e2e4", 30)],
    );
    let mut engine = engine_with(&book);
    set(&mut engine, "RandomSeed", "7");
    let first: Vec<String> = (0..200).map(|_| book_move(&mut engine)).collect();
    let of_e4 = first.iter().filter(|m| *m == "e2e4").count();
    assert!((120..180).contains(&of_e4), "{of_e4} of 200 were e2e4");
    assert!(
        !first.contains(&"c2c4".to_owned()),
        "weight 0 is never played"
    );
    set(&mut engine, "RandomSeed", "7");
    let again: Vec<String> = (0..200).map(|_| book_move(&mut engine)).collect();
    assert_eq!(again, first);
    set(&mut engine, "RandomSeed", "8");
    let other: Vec<String> = (0..200).map(|_| book_move(&mut engine)).collect();
    assert_ne!(other, first);
}

#[test]
fn without_a_seed_two_engines_play_different_moves() {
    let draw = || -> Vec<String> {
        let mut engine = engine_with(DOG_BOOK);
        (0..40).map(|_| book_move(&mut engine)).collect()
    };
    assert_ne!(draw(), draw());
}

#[test]
fn the_best_book_move_has_the_greatest_weight() {
    let folder = Scratch::new("book");
    let book = start_book(
        &folder,
        "best",
        &[("g2g4", 1), ("d2d4", 500), ("e2e4", 65_535), ("c2c4", 0)],
    );
    let mut engine = engine_with(&book);
    set(&mut engine, "Best Book Move", "true");
    assert_eq!(
        drawn_moves(&mut engine, 20).keys().collect::<Vec<_>>(),
        ["e2e4"]
    );
    set(&mut engine, "Best Book Move", "false");
    set(&mut engine, "BookFile", DOG_BOOK);
    set(&mut engine, "RandomSeed", "1");
    assert!(drawn_moves(&mut engine, 60).len() > 2);
}

#[test]
fn a_position_with_illegal_moves_and_those_of_weight_zero_alone_is_searched() {
    let folder = Scratch::new("book");
    let useless = [("e2e4", 0), ("d2d4", 0), ("e2e5", 900), ("b1b3", 900)];
    let mut engine = engine_with(&start_book(&folder, "useless", &useless));
    for best in ["true", "false"] {
        set(&mut engine, "Best Book Move", best);
        assert!(!plays_from_book(&mut engine, "go depth 2"));
    }
    let useful = [useless.as_slice(), &[("h2h3", 1)]].concat();
    let mut engine = engine_with(&start_book(&folder, "useful", &useful));
    assert_eq!(book_move(&mut engine), "h2h3");
}

#[test]
fn a_move_that_would_repeat_a_position_for_the_third_time_is_searched() {
    let folder = Scratch::new("book");
    let mut engine = engine_with(&start_book(&folder, "knight", &[("g1f3", 1)]));
    let there_and_back = " g1f3 g8f6 f3g1 f6g8";
    for (times, is_from_book) in [(1, true), (2, false)] {
        let moves = there_and_back.repeat(times);
        engine.send(&format!("position startpos moves{moves}"));
        assert_eq!(plays_from_book(&mut engine, "go depth 2"), is_from_book);
    }
}

#[test]
fn the_book_is_left_after_book_depth_full_moves() {
    let mut engine = engine_with(LASKER_TRAP);
    set(&mut engine, "BookDepth", "3");
    for ply in (1..TRAP.len()).step_by(2) {
        engine.send(&format!(
            "position startpos moves {}",
            TRAP[..ply].join(" ")
        ));
        let full_move = ply / 2 + 1;
        assert_eq!(
            plays_from_book(&mut engine, "go depth 1"),
            full_move <= 3,
            "{full_move}"
        );
    }
    for bad in ["0", "256", "deep"] {
        engine.assert_refused(&format!("setoption name BookDepth value {bad}"), bad);
    }
}

#[test]
fn castling_is_answered_in_the_notation_that_is_set() {
    // The key is that of the position with its castling rights, whatever the notation.
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let key = {
        let mut engine = Conversation::start();
        engine.send(&format!("position fen {fen}"));
        let shown = engine.shown("Key");
        u64::from_str_radix(&shown, 16).expect("a key in hexadecimal")
    };
    let folder = Scratch::new("book");
    for written in ["e1h1", "e1g1"] {
        let book = write_book(&folder, written, &entry(key, written, 1));
        let mut engine = engine_with(&book);
        for (chess960, printed) in [("false", "e1g1"), ("true", "e1h1")] {
            set(&mut engine, "UCI_Chess960", chess960);
            engine.send(&format!("position fen {fen}"));
            assert_eq!(book_move(&mut engine), printed);
        }
    }
}

#[test]
fn a_book_move_that_mates_is_sent_with_the_mate() {
    let mut engine = Conversation::start();
    engine.send("position startpos moves f2f3 e7e5 g2g4");
    let key = u64::from_str_radix(&engine.shown("Key"), 16).expect("a key in hexadecimal");
    let folder = Scratch::new("book");
    let book = write_book(&folder, "mate", &entry(key, "d8h4", 1));
    set(&mut engine, "OwnBook", "true");
    set(&mut engine, "BookFile", &book);
    let answer = engine.search("go depth 3");
    assert!(answer[1].contains("score mate 1 "), "{answer:?}");
    assert_eq!(move_of(&answer[2]), "d8h4");
}

#[test]
fn a_damaged_or_missing_book_is_refused_and_the_old_one_kept() {
    let whole = fs::read(LASKER_TRAP).expect("the book is there");
    let (cut, mut unsorted) = (&whole[..100], whole.clone());
    unsorted.rotate_left(16);
    let folder = Scratch::new("book");
    let missing = folder.path("missing book.bin");
    let mut engine = engine_with(LASKER_TRAP);
    engine.send("position startpos moves d2d4");
    for (name, content, reason) in [
        ("cut", cut, "100 bytes"),
        ("unsorted", &unsorted, "entry 7"),
        ("empty", &[], "empty"),
        ("zeros", &[0; 160], "no positions"),
        ("text", b"some words that are not a book.\n", "entry 2"),
    ] {
        let path = write_book(&folder, name, content);
        let option = format!("setoption name BookFile value {path}");
        engine.assert_refused(&option, reason);
        engine.assert_refused(&option, &path);
        assert_eq!(book_move(&mut engine), "d7d5");
    }
    engine.assert_refused(
        &format!("setoption name BookFile value {missing}"),
        &missing,
    );
    engine.assert_refused("setoption name BookFile", "BookFile");
    assert_eq!(book_move(&mut engine), "d7d5");
}

#[test]
fn a_file_too_large_for_a_book_is_refused_at_once() {
    let folder = Scratch::new("book");
    let path = folder.path("huge book.bin");
    let huge = fs::File::create(&path).expect("the file can be made");
    huge.set_len(book::MAX_BYTES + 16).expect("a sparse file");
    let mut engine = engine_with(LASKER_TRAP);
    let option = format!("setoption name BookFile value {path}");
    engine.assert_refused(&option, "larger than 268435456 bytes");
}

#[cfg(unix)]
#[test]
fn a_book_that_is_no_regular_file_is_refused_at_once() {
    let folder = Scratch::new("book");
    let mut engine = engine_with(LASKER_TRAP);
    for path in [&folder.pipe("pipe"), folder.as_str(), "/dev/zero"] {
        let option = format!("setoption name BookFile value {path}");
        engine.assert_refused(&option, "not a regular file");
    }
    engine.send("position startpos moves d2d4");
    assert_eq!(book_move(&mut engine), "d7d5");
}

/// The moves of a book along its main line, up to its end or to move 60.
fn main_line(book: &Book) -> Vec<String> {
    let mut position = Chess::default();
    let mut line = Vec::new();
    while let Some(chosen) = book::best(&book.moves(&position))
        && line.len() < 120
    {
        line.push(chosen.m.to_uci(CastlingMode::Standard).to_string());
        position.play_unchecked(chosen.m);
    }
    line
}

#[test]
fn a_whole_opening_is_played_from_the_book() {
    let book = Book::read(DOG_BOOK.as_ref()).expect("a valid book");
    let line = main_line(&book);
    assert!(line.len() >= 6, "{line:?}");
    let mut engine = engine_with(DOG_BOOK);
    set(&mut engine, "Best Book Move", "true");
    for ply in 0..line.len() {
        engine.send(&format!(
            "position startpos moves {}",
            line[..ply].join(" ")
        ));
        assert_eq!(book_move(&mut engine), line[ply]);
    }
}

/// Positions that stand in the real books: along random lines of the larger one and along the trap.
fn book_positions() -> Vec<Chess> {
    let trap = TRAP
        .iter()
        .map(|text| text.parse::<UciMove>().expect("a move"));
    let mut positions = vec![Chess::default()];
    for uci_move in trap {
        let mut next = positions[positions.len() - 1].clone();
        next.play_unchecked(uci_move.to_move(&next).expect("a legal move"));
        positions.push(next);
    }
    let book = Book::read(DOG_BOOK.as_ref()).expect("a valid book");
    for chosen in book.moves(&Chess::default()) {
        let mut next = Chess::default();
        next.play_unchecked(chosen.m);
        positions.push(next);
    }
    positions
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_of_a_real_book_give_an_error_or_legal_moves(
        is_large in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..40),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let path = if is_large { DOG_BOOK } else { LASKER_TRAP };
        let mut bytes = fs::read(path).expect("the book is there");
        for (index, byte) in changes {
            let place = index.index(bytes.len());
            // Half of the changes spare the keys, so that the book stays sorted and is read.
            let place = if byte % 2 == 0 { place | 8 } else { place };
            bytes[place] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()) / 16 * 16);
        }
        if let Ok(book) = Book::from_bytes(bytes) {
            for position in book_positions() {
                for book_move in book.moves(&position) {
                    prop_assert!(position.is_legal(book_move.m));
                    prop_assert!(book_move.weight > 0);
                }
            }
        }
    }

    #[test]
    fn any_bytes_give_an_error_or_a_book(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let length = bytes.len();
        match Book::from_bytes(bytes) {
            Ok(book) => {
                prop_assert_eq!(book.len() * 16, length);
                prop_assert!(!book.is_empty());
                book.moves(&Chess::default());
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
