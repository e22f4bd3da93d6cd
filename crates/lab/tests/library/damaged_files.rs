//! Damaged files: every reader gives an error or something that can be used, and comes to an end.
//!
//! The files are real ones with random damage. `FUZZ_TIMES=100` tries a hundred times as many of
//! them. At the top of the workspace, what the engine does with books whose bytes are
//! changed is tested in `tests/conversations/book.rs`, and how much memory damaged files take in
//! `tests/conversations/damaged_files.rs`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;
use std::{env, fs, thread};

use crate::support::damage::{Change, changes, damaged};
use crate::support::scratch::Scratch;
use proptest::prelude::*;
use shakmaty::fen::{Epd, Fen};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use squarewise_desk::pgn::{Games, writer};
use squarewise_desk::suite;
use squarewise_engine::book::Book;
use squarewise_engine::checksum::checksum;
use squarewise_engine::evaluation::features::Family;
use squarewise_engine::evaluation::file::Document;
use squarewise_engine::evaluation::king_buckets::KingBuckets;
use squarewise_engine::evaluation::{TableSet, Tables};
use squarewise_engine::position::game::Game;
use squarewise_engine::position::{epd_fields, from_epd, from_fen, read_fen};
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::search::{SearchRequest, Searcher};
use squarewise_engine::style::{Style, StyledPlayer};
use squarewise_engine::syzygy::Tablebases;
use squarewise_lab::game_file::{self, TrainingGame, Writer};
use squarewise_lab::training_data::TrainingData;
use squarewise_lab::training_position::{GameResult, TrainingPosition};
use squarewise_lab::tuner::{self, Settings};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data");
/// The tables that ship, and what games of a variant add to them.
const TABLES: [&[u8]; 4] = [
    include_bytes!("../../../engine/src/evaluation/attacks.bin"),
    include_bytes!("../../../engine/src/evaluation/pairs.bin"),
    include_bytes!("../../../engine/src/evaluation/learned.bin"),
    include_bytes!("../../../engine/src/evaluation/variants/torpedo.bin"),
];
const STYLE: &[u8] = include_bytes!("../../../../styles/tal.style");

/// The longest time for one damaged file. Far longer than any takes.
const DEADLINE: Duration = Duration::from_secs(30);

/// This many damaged files, times `FUZZ_TIMES` if it is set.
fn cases(number: u32) -> ProptestConfig {
    let times = env::var("FUZZ_TIMES").map(|times| times.parse().expect("a number"));
    ProptestConfig::with_cases(number * times.unwrap_or(1))
}

/// Does work that must come to an end, and returns its result.
fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, done) = channel();
    let worker = thread::spawn(move || {
        let result = work();
        // Fails only if nobody waits any more.
        let _ = sender.send(());
        result
    });
    let waited = done.recv_timeout(DEADLINE);
    assert_ne!(
        waited,
        Err(std::sync::mpsc::RecvTimeoutError::Timeout),
        "it goes on and on"
    );
    worker.join().expect("it doesn't panic")
}

fn data(name: &str) -> Vec<u8> {
    fs::read(Path::new(DATA).join(name)).expect("the test data is there")
}

/// Positions of real games.
fn positions() -> Vec<Chess> {
    let lines = include_str!("../../../../tests/data/wacnew.epd").lines();
    let positions = lines.map(|line| from_epd(line).map(|(position, _)| position));
    positions
        .map(|position| position.expect("a legal position"))
        .collect()
}

/// With the checksum at its end made right again, as damage before writing or an attacker would
/// leave it.
fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len().saturating_sub(8));
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// Damage to a file with a checksum at its end.
#[derive(Clone, Debug)]
struct Damage {
    changes: Vec<Change>,
    /// Bytes of the header, with their places.
    header: Vec<(usize, u8)>,
    is_checksum_right: bool,
}

/// Damage that often leaves a checksum that is right, to a file with a header of this length.
fn damage(header: usize) -> impl Strategy<Value = Damage> {
    (
        prop::collection::vec(changes(), 0..2),
        prop::collection::vec((0..header, any::<u8>()), 0..2),
        prop::bool::weighted(0.8),
    )
        .prop_map(|(changes, header, is_checksum_right)| Damage {
            changes: changes.concat(),
            header,
            is_checksum_right,
        })
}

impl Damage {
    fn done_to(&self, file: &[u8]) -> Vec<u8> {
        let mut bytes = damaged(file, &self.changes);
        for (at, byte) in &self.header {
            if let Some(changed) = bytes.get_mut(*at) {
                *changed = *byte;
            }
        }
        if self.is_checksum_right {
            with_checksum(bytes)
        } else {
            bytes
        }
    }
}

/// Chooses a move in a style.
fn play_in(style: Style, position: Chess) {
    let mut searcher = Searcher::new(1).expect("1 MiB can be allocated");
    let legal = position.legal_moves();
    let player = StyledPlayer {
        style: Arc::new(style),
        seed: 1,
    };
    let request = SearchRequest::new(Limits::nodes(300));
    let result = player.search(&mut searcher, &Game::new(position), request, &mut |_| ());
    assert_eq!(result.best_move().is_none(), legal.is_empty());
    assert!(result.best_move().is_none_or(|best| legal.contains(&best)));
}

/// Searches a position a little.
fn search(position: Chess, tables: Arc<Tables>) {
    let mut searcher = Searcher::new(1).expect("1 MiB can be allocated");
    let legal = position.legal_moves();
    let request = SearchRequest {
        tables,
        ..SearchRequest::new(Limits::nodes(300))
    };
    let result = searcher.search(&Game::new(position), request, &mut |_| ());
    assert_eq!(result.best_move().is_none(), legal.is_empty());
    assert!(result.best_move().is_none_or(|best| legal.contains(&best)));
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn damaged_tables_are_refused_or_can_be_played_with(
        file in 0..TABLES.len(),
        damage in damage(90),
        place in any::<prop::sample::Index>(),
    ) {
        let bytes = damage.done_to(TABLES[file]);
        if let Ok(document) = Document::from_bytes(&bytes) {
            let again = Document::from_bytes(&document.to_bytes());
            prop_assert_eq!(again.as_ref(), Ok(&document));
            let positions = positions();
            let position = positions[place.index(positions.len())].clone();
            search(position, Arc::new(document.tables));
        }
    }

    #[test]
    fn damaged_styles_are_refused_or_can_be_played_with(
        damage in damage(200),
        place in any::<prop::sample::Index>(),
    ) {
        if let Ok(style) = Style::from_bytes(&damage.done_to(STYLE)) {
            prop_assert!(Style::from_bytes(&style.to_bytes()).is_ok());
            let positions = positions();
            let position = positions[place.index(positions.len())].clone();
            play_in(style, position);
        }
    }

    #[test]
    fn damaged_books_are_refused_or_have_legal_moves_only(changes in changes()) {
        if let Ok(book) = Book::from_bytes(damaged(&data("dog-book.bin"), &changes)) {
            let start = Chess::default();
            for book_move in book.moves(&start) {
                prop_assert!(start.is_legal(book_move.m));
            }
        }
    }

    #[test]
    fn damaged_pgn_files_are_read_to_their_end_and_what_is_read_can_be_written(
        file in 0usize..5,
        changes in changes(),
    ) {
        let names = ["kasparov-deep-blue-1997", "molinari-bordais-1979", "utf8-bom", "chess960rwch", "world-matches"];
        let bytes = damaged(&data(&format!("pgn/{}.pgn", names[file])), &changes);
        let length = bytes.len();
        let games: Vec<_> = in_time(move || Games::new(bytes.as_slice()).take(length + 1).collect());
        prop_assert!(games.len() <= length, "more games than bytes");
        for game in games {
            let Ok(Ok(record)) = game.map(|game| game.record) else { continue };
            let mut written = Vec::new();
            writer::write(&record, &mut written).expect("memory can be written");
            let again = Games::new(written.as_slice()).next();
            let again = again.expect("a game was written").expect("memory can be read").record;
            let moves = |plies: &[squarewise_desk::pgn::Ply]| plies.iter().map(|ply| ply.m).collect::<Vec<_>>();
            let again = again.map(|again| moves(&again.plies));
            prop_assert_eq!(again.ok(), Some(moves(&record.plies)), "{}", String::from_utf8_lossy(&written));
        }
    }

    #[test]
    fn damaged_suites_are_refused_or_have_legal_solutions(file in 0usize..4, changes in changes()) {
        let names = ["suite.epd", "wacnew.epd", "mate_in_2.epd", "mate_in_4.epd"];
        let bytes = damaged(&data(names[file]), &changes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match suite::read(&text) {
            Err(error) => prop_assert!(error.to_string().starts_with("line ")),
            Ok(suite) => for test in suite.positions {
                let moves = test.position.legal_moves();
                let solved = moves.iter().filter(|m| test.is_solved_by(**m)).count();
                prop_assert!(solved > 0 || test.is_mate_problem() || moves.is_empty(), "{:?}", test);
                prop_assert!(moves.iter().all(|m| test.points_for(*m) <= test.max_points()));
            },
        }
    }

    #[test]
    fn damaged_tablebases_are_refused_or_answer(
        file in 0usize..8,
        changes in changes(),
    ) {
        const NAMES: [&str; 8] = [
            "KQvKR.rtbw", "KQvKR.rtbz", "KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw", "KRvK.rtbz", "KPvK.rtbw", "KPvK.rtbz",
        ];
        let folder = Scratch::new("tablebases");
        for name in NAMES {
            let bytes = data(&format!("syzygy/{name}"));
            let is_damaged = name == NAMES[file];
            folder.file(name, if is_damaged { damaged(&bytes, &changes) } else { bytes });
        }
        let path = folder.as_str().to_owned();
        in_time(move || {
            let loaded = Tablebases::load(OsStr::new(&path)).expect("there are whole ones");
            for fen in [
                "8/8/8/3k4/6r1/8/8/KQ6 w - - 0 1", "7r/8/8/3k4/8/8/1Q6/K7 b - - 0 1",
                "8/8/8/8/3k4/8/8/KR6 w - - 0 1", "8/8/8/3k4/8/8/8/KQ6 b - - 0 1",
                "8/8/8/4k3/8/8/4PK2/8 w - - 0 1", "8/8/8/8/1P6/4k3/8/K7 b - - 0 1",
            ] {
                let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
                let _ = loaded.tablebases.probe_wdl(&position);
                let _ = loaded.tablebases.probe_dtz(&position);
            }
        });
    }
}

/// Positions of all kinds, also of Chess960.
fn fens() -> Vec<String> {
    let suites = [
        include_str!("../../../../tests/data/wacnew.epd"),
        include_str!("../../../../tests/data/endgames.epd"),
        include_str!("../../../../tests/data/chess960.perft"),
        include_str!("../../../../tests/data/grief-causers.epd"),
    ];
    let fens = suites.iter().flat_map(|suite| {
        let lines = suite.lines().map(|line| line.trim_start_matches("epd "));
        let fens = lines.map(|line| format!("{} 3 40", epd_fields(line).0));
        fens.filter(|fen| from_fen(fen, CastlingMode::Chess960).is_ok())
            .take(12)
    });
    fens.collect()
}

#[test]
fn the_positions_to_misspell_are_positions_also_of_chess960() {
    let fens = fens();
    assert!(fens.len() > 40, "only {} positions", fens.len());
    let is_chess960 = |fen: &&String| {
        let read = read_fen(fen, Some(CastlingMode::Standard));
        read.is_ok_and(|(_, left_out)| left_out.castling_right)
    };
    assert!(fens.iter().filter(is_chess960).count() >= 10);
}

/// Replaces letters of a text by others that such texts have.
fn misspelt(text: &str, letters: &[(prop::sample::Index, prop::sample::Index)]) -> String {
    const LETTERS: &[u8] = b"KQRBNPkqrbnp12345678//  wb-KQkqAHahe3d6019[]+";
    let mut bytes = text.as_bytes().to_vec();
    for (place, letter) in letters {
        let place = place.index(bytes.len());
        bytes[place] = LETTERS[letter.index(LETTERS.len())];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn misspelt_positions_are_refused_or_can_be_searched(
        fen in prop::sample::select(fens()),
        letters in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..3),
        changes in prop::option::weighted(0.2, changes()),
        is_chess960 in any::<bool>(),
    ) {
        let mut fen = misspelt(&fen, &letters);
        if let Some(changes) = changes {
            fen = String::from_utf8_lossy(&damaged(fen.as_bytes(), &changes)).into_owned();
        }
        let mode = CastlingMode::from_chess960(is_chess960);
        if let Ok(position) = from_fen(&fen, mode) {
            let shown = Fen::from_position(&position, EnPassantMode::Legal).to_string();
            let again = from_fen(&shown, mode).map_err(|error| error.to_string());
            let again = again.map(|again| Fen::from_position(&again, EnPassantMode::Legal).to_string());
            prop_assert_eq!(again, Ok(shown), "{}", fen);
            search(position, TableSet::Learned.tables());
        }
        if let Ok((position, rest)) = from_epd(&fen) {
            prop_assert!(fen.ends_with(rest));
            let shown = Epd::from_position(&position, EnPassantMode::Legal).to_string();
            prop_assert!(from_epd(&shown).is_ok(), "{}", shown);
        }
    }
}

/// The length of the header of such a file: magic, version, description and checksum.
const HEADER: usize = 8 + 2 + 4 + "a test".len() + 8;

/// A file of games.
fn game_file() -> Vec<u8> {
    let positions = positions();
    let games = positions
        .chunks(5)
        .take(34)
        .enumerate()
        .map(|(number, positions)| TrainingGame {
            positions: positions
                .iter()
                .map(|position| TrainingPosition {
                    board: position.board().clone(),
                    turn: position.turn(),
                    castling_rights: position.castles().castling_rights(),
                    en_passant: None,
                    score: number as i16 * 20 - 300,
                    result: [
                        GameResult::BlackWins,
                        GameResult::Draw,
                        GameResult::WhiteWins,
                    ][number % 3],
                })
                .collect(),
        });
    let folder = Scratch::new("whole-games");
    let path = PathBuf::from(folder.path("games"));
    let mut writer = Writer::open(&path, "a test").expect("a new file");
    games.for_each(|game| writer.add(&game).expect("a game can be written"));
    fs::read(&path).expect("the file was written")
}

/// Fits small tables to games.
fn fit(games: &[TrainingGame]) {
    let data: TrainingData = games.iter().collect();
    let settings = Settings {
        from: None,
        king_buckets: KingBuckets::named("mirrored").expect("a scheme of this name"),
        lambda: 0.7,
        families: Family::ALL.to_vec(),
        prior: 3_000.0,
        keep_others: false,
        is_correction: false,
        pair_prior: 5_000.0,
        shared_prior: 5_000.0,
        epochs: 1,
        seed: 3,
        resume: None,
        stop: StopToken::new(),
    };
    // Too few games, or games that say nothing, are an error.
    if let Ok(fit) = tuner::fit(&data, &settings, &mut |_| ()) {
        let document = Document {
            tables: fit.tables,
            provenance: String::new(),
        };
        assert_eq!(Document::from_bytes(&document.to_bytes()), Ok(document));
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn damaged_games_are_refused_or_can_be_learned_from(changes in changes()) {
        let folder = Scratch::new("games");
        let bytes = damaged(&game_file(), &changes);
        let path = PathBuf::from(folder.file("games", &bytes));
        if let Ok((_, games)) = game_file::read(&path) {
            fit(&games);
        }
        // A file that can't be resumed is left as it is; of one that can only an unfinished end is
        // dropped.
        let resumed = Writer::open(&path, "a test").map(|writer| writer.games());
        let left = fs::read(&path).expect("the file is still there");
        match resumed {
            Err(_) => prop_assert_eq!(left, bytes),
            Ok(games) => {
                prop_assert!(bytes.starts_with(&left) || bytes.len() < HEADER, "{} games", games);
                let read = game_file::read(&path).map(|(_, games)| games.len());
                prop_assert_eq!(read.ok(), Some(games as usize));
            }
        }
    }
}
