//! Learning on a small scale: runs that can be stopped and resumed, files that detect damage, and a
//! run from zero that finds the values of the pieces.
//!
//! The games are played with few nodes, and every run has a fixed seed.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use crate::support::scratch::Scratch;
use rayon::ThreadPoolBuilder;
use shakmaty::{Bitboard, CastlingMode, Chess, Color, Position};
use squarewise_engine::checksum::checksum;
use squarewise_engine::evaluation::features::{Family, Layout};
use squarewise_engine::evaluation::file::Document;
use squarewise_engine::evaluation::king_buckets::KingBuckets;
use squarewise_engine::evaluation::tapered_score::{PackedScore, UNITS};
use squarewise_engine::evaluation::{TableSet, Tables};
use squarewise_engine::position::from_fen;
use squarewise_engine::score::Score;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::wdl::{KNOTS, WdlModel};
use squarewise_lab::game_file::{self, GameFileError, TrainingGame};
use squarewise_lab::openings::Openings;
use squarewise_lab::selfplay::{self, Plan};
use squarewise_lab::training_data::TrainingData;
use squarewise_lab::training_position::{GameResult, POSITION_BYTES, TrainingPosition};
use squarewise_lab::tuner::{self, EpochLosses, Fit, FitError, ResumeFile, Settings};

fn plan(games: u32, threads: usize) -> Plan {
    Plan {
        games,
        nodes: 300,
        seed: 8,
        threads,
        openings: Openings::default(),
        detours: 0,
        tables: TableSet::Simplified.tables(),
        whole_games: false,
        stop: StopToken::new(),
    }
}

fn play(plan: &Plan, file: &str) {
    selfplay::run(plan, file.as_ref(), "a test", &mut |_, _| ())
        .expect("games can be played and written");
}

/// The games of a run, read from the file that it writes.
fn games_of(plan: &Plan) -> Vec<TrainingGame> {
    let folder = Scratch::new("games");
    let file = folder.path("games");
    play(plan, &file);
    let (_, games) = game_file::read(file.as_ref()).expect("the file is intact");
    games
}

fn contents(file: &str) -> Vec<u8> {
    fs::read(file).expect("the file was written")
}

fn settings(king_buckets: &str, epochs: u32) -> Settings {
    Settings {
        from: None,
        king_buckets: KingBuckets::named(king_buckets).expect("a scheme of this name"),
        lambda: 1.0,
        // Pairs are many; the tests that need them ask for them.
        families: vec![Family::Material],
        prior: 3_000.0,
        keep_others: false,
        is_correction: false,
        pair_prior: 5_000.0,
        shared_prior: 5_000.0,
        epochs,
        seed: 3,
        resume: None,
        stop: StopToken::new(),
    }
}

#[test]
fn a_training_position_is_read_back_unchanged() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 1",
        "r3k2r/8/8/8/3pP3/8/8/R3K2R b Qk e3 0 1",
        "1r2k1r1/8/8/8/8/8/8/RR2K2R w HAg - 0 1",
    ] {
        let position = from_fen(fen, CastlingMode::Chess960).expect("a legal position");
        let score = Score::centipawns(-321);
        let training = TrainingPosition::new(&position, score, GameResult::WhiteWins);
        let read = TrainingPosition::from_bytes(&training.to_bytes());
        assert_eq!(read.as_ref(), Some(&training));
        let again = read.and_then(|read| read.position());
        assert_eq!(
            again.map(|again| again.castles().castling_rights()),
            Some(position.castles().castling_rights()),
            "{fen}"
        );
        assert_eq!(
            training.position().map(|again| again.legal_moves()),
            Some(position.legal_moves()),
            "{fen}"
        );
    }
    let start = TrainingPosition::new(&Chess::default(), Score::DRAW, GameResult::Draw);
    let bytes = start.to_bytes();
    let mut damaged = bytes;
    damaged[26] = 9;
    assert_eq!(TrainingPosition::from_bytes(&damaged), None);
    assert_eq!(TrainingPosition::from_bytes(&[0; POSITION_BYTES]), None);
}

#[test]
fn the_games_are_the_same_on_any_number_of_threads() {
    let folder = Scratch::new("threads");
    let (one, two) = (folder.path("one"), folder.path("two"));
    play(&plan(12, 1), &one);
    play(&plan(12, 2), &two);
    assert_eq!(contents(&one), contents(&two));
}

#[test]
fn whole_games_keep_positions_that_are_not_quiet_and_go_on_where_others_are_adjudicated() {
    let searcher = squarewise_engine::search::Searcher::new(1);
    let mut searcher = searcher.expect("a small transposition table fits into memory");
    let mut play = |number, whole_games| {
        let plan = Plan {
            whole_games,
            ..plan(4, 1)
        };
        searcher.new_game();
        selfplay::play(&plan, number, &mut searcher).positions
    };
    let (mut not_quiet, mut after_adjudication) = (0, 0);
    for number in 0..4 {
        let (quiet, all) = (play(number, false), play(number, true));
        // The moves are the same up to the adjudication.
        let mut rest = all.iter();
        for position in &quiet {
            let is_same = |other: &&TrainingPosition| other.board == position.board;
            let found = rest.find(is_same);
            assert!(
                found.is_some(),
                "a quiet position is missing in game {number}"
            );
        }
        after_adjudication += rest.len();
        not_quiet += all.len() - rest.len() - quiet.len();
    }
    assert!(not_quiet > 0, "all positions were quiet");
    assert!(
        after_adjudication > 0,
        "every game ended with the adjudication"
    );
}

#[test]
fn a_resumed_run_writes_the_same_file_as_one_without_a_break() {
    let folder = Scratch::new("resumed");
    let (intact, cut) = (folder.path("whole"), folder.path("cut"));
    play(&plan(10, 1), &intact);
    play(&plan(6, 1), &cut);
    // The run was killed while it wrote the last game.
    let bytes = contents(&cut);
    fs::write(&cut, &bytes[..bytes.len() - 11]).expect("the file can be written");
    play(&plan(10, 1), &cut);
    assert_eq!(contents(&cut), contents(&intact));
    let mut seen = None;
    let mut progress = |games, positions| seen = seen.or(Some((games, positions)));
    selfplay::run(&plan(10, 1), cut.as_ref(), "a test", &mut progress)
        .expect("there is nothing to do");
    assert_eq!(seen.map(|(games, _)| games), Some(10));
}

#[test]
fn a_file_of_another_run_is_left_alone() {
    let folder = Scratch::new("other");
    let file = folder.path("games");
    play(&plan(2, 1), &file);
    let before = contents(&file);
    let run = selfplay::run(&plan(4, 1), file.as_ref(), "another test", &mut |_, _| ());
    let error = run.expect_err("it holds games of a test");
    assert!(matches!(
        error.downcast_ref(),
        Some(GameFileError::OtherRun { .. })
    ));
    assert_eq!(contents(&file), before);
}

/// Writes these games to a file.
fn write_games(file: &str, games: &[TrainingGame]) {
    let mut writer = game_file::Writer::open(file.as_ref(), "a test").expect("a new file");
    for game in games {
        writer.add(game).expect("the file can be written");
    }
}

/// The error message of a file that can't be read.
fn read_error(file: &str) -> String {
    let read = game_file::read(file.as_ref()).map(|(description, _)| description);
    read.expect_err("the file is damaged").to_string()
}

#[test]
fn games_behind_a_zero_filled_tail_are_played_again() {
    let folder = Scratch::new("zero-filled");
    let (intact, damaged) = (folder.path("intact"), folder.path("damaged"));
    play(&plan(6, 1), &intact);
    play(&plan(3, 1), &damaged);
    // A crash of the system may leave a file with its length but without its contents.
    let mut bytes = contents(&damaged);
    bytes.resize(bytes.len() + 600, 0);
    fs::write(&damaged, &bytes).expect("the file can be written");
    assert!(read_error(&damaged).contains("game 3 is damaged"));
    play(&plan(6, 1), &damaged);
    assert_eq!(contents(&damaged), contents(&intact));
}

/// The error message of a run that must not be resumed, and must leave the file unchanged.
fn resume_error(plan: &Plan, file: &str) -> String {
    let before = contents(file);
    let resumed = selfplay::run(plan, file.as_ref(), "a test", &mut |_, _| ());
    assert_eq!(contents(file), before, "the file was changed");
    resumed.expect_err("the file is damaged").to_string()
}

#[test]
fn a_run_whose_file_has_a_changed_byte_is_not_resumed_and_loses_no_game() {
    let folder = Scratch::new("changed-byte");
    let (intact, damaged) = (folder.path("intact"), folder.path("damaged"));
    play(&plan(3, 1), &intact);
    let bytes = contents(&intact);
    // In the length of the description, in the number of a game and in the number of its positions
    // (a little too many and far too many), in its positions, and in the checksum of the last game.
    let last = bytes.len() - 1;
    for place in [14, 28, 32, 33, 40, last / 2, last - 20, last] {
        let mut changed = bytes.clone();
        changed[place] ^= 4;
        fs::write(&damaged, &changed).expect("the file can be written");
        let is_header = place < 14 + "a test".len();
        let words = if is_header {
            "not a file of games"
        } else {
            "is damaged"
        };
        let read_error = read_error(&damaged);
        assert!(read_error.contains(words), "byte {place}: {read_error}");
        let resume_error = resume_error(&plan(4, 1), &damaged);
        assert_eq!(resume_error, read_error, "byte {place}");
    }
}

#[test]
fn damage_in_one_game_is_named_and_costs_no_game_behind_it() {
    let folder = Scratch::new("first-of-three");
    let file = folder.path("games");
    play(&plan(3, 1), &file);
    let mut bytes = contents(&file);
    bytes[60] ^= 1;
    fs::write(&file, &bytes).expect("the file can be written");
    let error = resume_error(&plan(3, 1), &file);
    let expected = format!("{file}: game 0 is damaged: its checksum is wrong");
    assert!(error.ends_with(&expected), "{error}");
}

#[test]
fn a_game_that_zeros_cut_short_is_played_again() {
    let folder = Scratch::new("broken-off");
    let (intact, broken) = (folder.path("intact"), folder.path("broken"));
    play(&plan(3, 1), &intact);
    let bytes = contents(&intact);
    let middle = bytes.len() / 2;
    // As a crash of the system leaves a file of which some blocks were written.
    for written in [29, 33, 45, 70, middle, middle + 9, bytes.len() - 4] {
        let mut zeroed = bytes.clone();
        zeroed[written..].fill(0);
        zeroed.resize(bytes.len() + 4_096, 0);
        fs::write(&broken, &zeroed).expect("the file can be written");
        play(&plan(3, 1), &broken);
        assert_eq!(contents(&broken), bytes, "{written} bytes were written");
    }
}

#[test]
fn a_file_cut_off_anywhere_is_resumed() {
    let folder = Scratch::new("cut-anywhere");
    let (intact, cut) = (folder.path("intact"), folder.path("cut"));
    play(&plan(2, 1), &intact);
    let bytes = contents(&intact);
    for length in [0, 1, 9, 13, 20, 27, 28, 31, 34, 50, bytes.len() - 3] {
        fs::write(&cut, &bytes[..length]).expect("the file can be written");
        play(&plan(2, 1), &cut);
        assert_eq!(contents(&cut), bytes, "{length} bytes");
    }
}

#[test]
fn a_file_of_nothing_but_a_header_and_zeros_is_begun_anew() {
    let folder = Scratch::new("zeros");
    let (file, intact) = (folder.path("file"), folder.path("intact"));
    play(&plan(2, 1), &intact);
    // Zeros begin like an empty game 0.
    for zeros in [6, 600] {
        let empty = folder.path("empty");
        write_games(&empty, &[]);
        let mut bytes = contents(&empty);
        bytes.resize(bytes.len() + zeros, 0);
        fs::write(&file, &bytes).expect("the file can be written");
        play(&plan(2, 1), &file);
        assert_eq!(contents(&file), contents(&intact));
    }
}

#[test]
fn a_file_whose_first_game_is_empty_keeps_its_games() {
    let mut games = games_of(&plan(3, 1));
    games[0].positions.clear();
    let folder = Scratch::new("after-empty");
    let file = folder.path("games");
    write_games(&file, &games);
    let bytes = contents(&file);
    play(&plan(3, 1), &file);
    assert_eq!(contents(&file), bytes);
}

#[test]
fn a_file_of_an_earlier_version_is_refused_by_its_version() {
    let folder = Scratch::new("version");
    let file = folder.path("games");
    write_games(&file, &[]);
    let mut bytes = contents(&file);
    bytes[8] = 1;
    fs::write(&file, &bytes).expect("the file can be written");
    assert!(read_error(&file).contains("version 1 of the format can't be read"));
    assert!(resume_error(&plan(3, 1), &file).contains("version 1"));
}

#[test]
fn damage_is_reported_with_file_game_and_position() {
    let games = games_of(&plan(3, 1));
    let folder = Scratch::new("damaged");
    let file = folder.path("games");
    write_games(&file, &games);
    let mut bytes = contents(&file);
    // The side to move of the last position, in a game whose checksum is right.
    let positions = games[2].positions.len();
    let end = bytes.len() - 8;
    bytes[end - 1] = 77;
    let sum = checksum(&bytes[end - 6 - positions * POSITION_BYTES..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    fs::write(&file, &bytes).expect("the file can be written");
    let position = positions - 1;
    let read_error = read_error(&file);
    let expected = format!("game 2 is damaged: position {position} makes no sense");
    assert!(read_error.contains(&expected), "{read_error}");
    assert!(read_error.contains(&file), "{read_error}");
    fs::write(&file, "[Event \"?\"]\n[Site \"?\"]\n").expect("the file can be written");
    assert!(matches!(
        game_file::read(file.as_ref()),
        Err(GameFileError::NotGames(_))
    ));
}

#[test]
fn two_runs_cannot_add_games_to_one_file() {
    let folder = Scratch::new("in-use");
    let file = folder.path("games");
    let first = game_file::Writer::open(file.as_ref(), "a test").expect("a new file");
    let second = game_file::Writer::open(file.as_ref(), "a test").map(|writer| writer.games());
    assert!(matches!(second, Err(GameFileError::InUse(_))));
    drop(first);
    let later = game_file::Writer::open(file.as_ref(), "a test").map(|writer| writer.games());
    assert!(matches!(later, Ok(0)));
}

#[test]
fn too_little_data_is_refused() {
    let nothing: [TrainingGame; 3] = Default::default();
    let expected = "3 games give 0 training and 0 validation positions";
    assert!(refusal(&nothing, &settings("plain", 1)).contains(expected));
}

/// Why there is no fit to these games.
fn refusal(games: &[TrainingGame], settings: &Settings) -> String {
    let fit = tuner::fit(&games.iter().collect(), settings, &mut |_| ());
    let error = fit.map(|fit| fit.best).expect_err("there is no fit");
    error.to_string()
}

#[test]
fn games_without_a_position_to_train_with_are_not_called_too_few() {
    let empty = TrainingGame::default();
    let full = game_with_score(0);
    // The first game is kept for validation.
    let games = [vec![full], vec![empty; 20]].concat();
    let expected = "21 games give 0 training and 1 validation positions";
    assert!(refusal(&games, &settings("plain", 1)).contains(expected));
}

/// A game with a single position.
fn game_with_score(score: i16) -> TrainingGame {
    TrainingGame {
        positions: vec![TrainingPosition {
            board: shakmaty::Board::default(),
            turn: Color::White,
            castling_rights: Bitboard::EMPTY,
            en_passant: None,
            score,
            result: GameResult::Draw,
        }],
    }
}

#[test]
fn a_fit_to_scores_of_zero_cannot_begin_with_tables() {
    let game = game_with_score(0);
    let settings = Settings {
        from: Some(TableSet::Learned.tables()),
        ..settings("plain", 1)
    };
    let error = refusal(&vec![game; 20], &settings);
    assert!(error.contains("a score of zero"), "{error}");
}

/// The tables and the piece values, in pawns, that a run from zero finds.
fn learned_from_zero() -> (Tables, Vec<f32>) {
    let plan = Plan {
        games: 1_200,
        nodes: 100,
        threads: 2,
        tables: Arc::new(Tables::zero()),
        ..plan(0, 1)
    };
    let games = games_of(&plan);
    let fit = tuner::fit(&games.iter().collect(), &settings("plain", 20), &mut |_| ())
        .expect("there is enough data");
    let values = fit.piece_values.map(|[middle, end]| (middle + end) / 2.0);
    (fit.tables, values.to_vec())
}

#[test]
fn a_run_from_zero_finds_the_values_of_the_pieces() {
    let (tables, values) = learned_from_zero();
    let [pawn, knight, bishop, rook, queen] = values[..] else {
        panic!("five values")
    };
    assert!(queen > rook, "{values:?}");
    assert!(rook > knight && rook > bishop, "{values:?}");
    assert!(knight > pawn && bishop > pawn, "{values:?}");
    assert!(pawn > 0.0, "{values:?}");
    let document = Document {
        tables,
        provenance: "a test".to_owned(),
    };
    assert_eq!(Document::from_bytes(&document.to_bytes()), Ok(document));
}

#[test]
fn a_fit_is_the_same_on_any_number_of_threads_and_no_step_of_it_is_worse_than_the_one_before() {
    let games = games_of(&plan(40, 2));
    let fit = |king_buckets| {
        // The lowest loss of each step.
        let mut losses: Vec<f64> = Vec::new();
        let mut progress = |progress: EpochLosses| match losses.last_mut() {
            Some(lowest) if progress.epoch > 1 => *lowest = lowest.min(progress.validation_loss),
            _ => losses.push(progress.validation_loss),
        };
        let settings = Settings {
            families: Family::ALL.to_vec(),
            ..settings(king_buckets, 3)
        };
        let fit =
            tuner::fit(&games.iter().collect(), &settings, &mut progress).expect("enough data");
        assert_eq!(losses.len(), 3);
        // With so few games the pairs can be best left at zero; then the step before has the last
        // word.
        let is_best = |loss: &f64| fit.best.validation_loss <= *loss;
        assert!(losses.iter().all(is_best), "{losses:?}");
        assert_ne!(fit.tables, Tables::zero());
        fit.tables
    };
    let (mirrored, squares) = (fit("mirrored"), fit("squares"));
    for threads in [1, 3] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let again = pool.expect("threads").install(|| fit("squares"));
        assert!(again == squares, "other tables on {threads} threads");
    }
    let length = |tables: &Tables, family| tables.scores_of(family).len();
    assert_eq!(
        length(&squares, Family::PieceSquare),
        32 * length(&mirrored, Family::PieceSquare)
    );
    assert_eq!(
        length(&squares, Family::Material),
        length(&mirrored, Family::Material)
    );
}

/// The largest difference between the scores of one fit's tables and others of the same layout, in
/// centipawns.
fn distance(fit: &Fit, from: &Tables) -> u16 {
    let scores = fit.tables.scores().iter().zip(from.scores());
    let units = scores.fold(0, |farthest, (new, old)| {
        let middlegame = new.middlegame.abs_diff(old.middlegame);
        farthest
            .max(middlegame)
            .max(new.endgame.abs_diff(old.endgame))
    });
    units / UNITS as u16
}

#[test]
fn a_fit_that_begins_with_tables_keeps_what_the_prior_holds_and_learns_the_rest() {
    let games = games_of(&plan(120, 2));
    let fit = |from: &Arc<Tables>, prior: f32, epochs: u32| {
        let settings = Settings {
            from: Some(from.clone()),
            families: Family::ALL.to_vec(),
            prior,
            pair_prior: prior,
            shared_prior: prior,
            ..settings("plain", epochs)
        };
        tuner::fit(&games.iter().collect(), &settings, &mut |_| ()).expect("enough data")
    };
    // A hundred games are enough to improve tables of zero, but not those that ship.
    for (from, epochs, can_improve) in [
        (Arc::new(Tables::zero()), 20, true),
        (TableSet::Pairs.tables(), 3, false),
    ] {
        let held = fit(&from, 1e9, epochs);
        assert_eq!(held.tables.layout(), from.layout());
        // Adam's first steps go by the sign of a gradient alone, so that even a strong prior lets
        // scores wander a little.
        let of_held = distance(&held, &from);
        assert!(of_held <= 2, "{of_held}");
        if can_improve {
            let free = fit(&from, 1_000.0, epochs);
            let of_free = distance(&free, &from);
            assert!(of_free > 2, "{of_free}");
            assert!(free.best.train_loss < held.best.train_loss);
        }
    }
}

#[test]
fn a_fit_that_begins_with_tables_keeps_the_families_that_are_not_named() {
    let games = games_of(&plan(40, 2));
    let from = TableSet::Pairs.tables();
    let settings = Settings {
        from: Some(from.clone()),
        families: Vec::new(),
        prior: 1e9,
        pair_prior: 1e9,
        shared_prior: 1e9,
        ..settings("plain", 1)
    };
    let fit = tuner::fit(&games.iter().collect(), &settings, &mut |_| ()).expect("enough data");
    for family in Family::ALL {
        let knows = |tables: &Tables| !tables.is_zero_in(family);
        assert_eq!(knows(&fit.tables), knows(&from), "{family:?}");
    }
    let distance = distance(&fit, &from);
    assert!(distance <= 2, "{distance}");
}

#[test]
fn a_correction_is_the_same_in_every_king_bucket_and_leaves_pairs_alone() {
    let games = games_of(&plan(60, 2));
    let squares = KingBuckets::named("squares").expect("a scheme of this name");
    let layout = Layout::new(squares);
    let scores = vec![PackedScore::default(); layout.length()];
    let from = Arc::new(Tables::from_scores(layout, scores, 0));
    let settings = Settings {
        from: Some(from.clone()),
        families: Family::ALL.to_vec(),
        is_correction: true,
        prior: 1_000.0,
        ..settings("plain", 8)
    };
    let mut first = None;
    let mut progress = |losses: EpochLosses| _ = first.get_or_insert(losses.validation_loss);
    let fit = tuner::fit(&games.iter().collect(), &settings, &mut progress).expect("enough data");
    assert!(Some(fit.best.validation_loss) < first);
    let correction = fit.correction.expect("a correction was asked for");
    assert_eq!(correction.layout().king_buckets().count(), 1);
    assert_eq!(fit.tables, from.corrected_by(&correction));
    for family in Family::ALL {
        let is_pairs = family.shares_scores();
        assert_eq!(correction.is_zero_in(family), is_pairs, "{family:?}");
    }
}

#[test]
fn a_fit_that_was_stopped_is_resumed_and_ends_with_the_same_tables() {
    let games = games_of(&plan(60, 2));
    let data = games.iter().collect();
    let at_once = Settings {
        families: Family::ALL.to_vec(),
        ..settings("mirrored", 3)
    };
    let at_once = tuner::fit(&data, &at_once, &mut |_| ()).expect("enough data");

    let folder = Scratch::new("stopped-fit");
    let resume = |description: &str| Settings {
        resume: Some(ResumeFile {
            path: folder.path("state").into(),
            description: description.to_owned(),
        }),
        families: Family::ALL.to_vec(),
        ..settings("mirrored", 3)
    };
    // Stopped in the second of its three steps, each of three epochs.
    let stopped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut epochs = 0;
        let mut stop = |_| {
            epochs += 1;
            assert!(epochs < 5, "stopped here");
        };
        tuner::fit(&data, &resume("a fit"), &mut stop).map(|fit| fit.tables)
    }));
    assert!(stopped.is_err());
    let mut epochs = 0;
    let resumed = tuner::fit(&data, &resume("a fit"), &mut |_| epochs += 1);
    // What was reported is kept, so one epoch of that step is left, and the third step.
    assert_eq!(epochs, 1 + 3);
    assert_eq!(resumed.expect("enough data").tables, at_once.tables);
    let error = tuner::fit(&data, &resume("another fit"), &mut |_| ());
    assert!(matches!(error, Err(FitError::Checkpoint(..))));
}

#[test]
fn a_fit_that_is_told_to_end_is_interrupted_after_an_epoch_and_goes_on() {
    let data: TrainingData = games_of(&plan(60, 2)).iter().collect();
    let folder = Scratch::new("interrupted-fit");
    let settings = Settings {
        resume: Some(ResumeFile {
            path: folder.path("state").into(),
            description: "a fit".to_owned(),
        }),
        ..settings("plain", 3)
    };
    let mut epochs = 0;
    let stopped = tuner::fit(&data, &settings, &mut |_| {
        epochs += 1;
        settings.stop.request();
    });
    let error = stopped.map(|fit| fit.best).expect_err("it was told to end");
    assert!(matches!(error, FitError::Interrupted) && !error.is_result());
    let again = Settings {
        stop: StopToken::new(),
        ..settings.clone()
    };
    let resumed = tuner::fit(&data, &again, &mut |_| epochs += 1);
    let at_once = Settings {
        resume: None,
        ..again.clone()
    };
    let mut at_once_epochs = 0;
    let at_once = tuner::fit(&data, &at_once, &mut |_| at_once_epochs += 1);
    assert_eq!(epochs, at_once_epochs, "no epoch is lost or done twice");
    let tables = |fit: Result<tuner::Fit, FitError>| fit.expect("enough data").tables;
    assert_eq!(tables(resumed), tables(at_once));
}

#[test]
fn a_fit_whose_state_something_else_changes_ends() {
    let games = games_of(&plan(30, 2));
    let folder = Scratch::new("shared-state");
    let path = PathBuf::from(folder.path("state"));
    let settings = Settings {
        resume: Some(ResumeFile {
            path: path.clone(),
            description: "a fit".to_owned(),
        }),
        ..settings("plain", 3)
    };
    let mut remove = |_| fs::remove_file(&path).expect("the state is there");
    let fit = tuner::fit(&games.iter().collect(), &settings, &mut remove);
    let error = fit.map(|fit| fit.best).expect_err("the state was removed");
    assert!(matches!(error, FitError::InUse(_)), "{error}");
}

/// What `squarewise-lab wdl` prints, or why it fails. If it fails, it must not have printed
/// anything.
fn wdl(option: &str, file: &str) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_squarewise-lab"))
        .args(["wdl", option, file])
        .output()
        .expect("the program was built beside this test");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program prints UTF-8");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    if output.status.success() {
        return Ok(stdout);
    }
    assert_eq!(stdout, "");
    Err(stderr)
}

#[test]
fn the_wdl_model_is_fitted_to_whole_games_and_its_predictions_compared_with_results() {
    let folder = Scratch::new("wdl");
    let (file, few) = (folder.path("games"), folder.path("few"));
    let plan = Plan {
        nodes: 100,
        whole_games: true,
        ..plan(60, 2)
    };
    selfplay::run(&plan, file.as_ref(), "a test whole games", &mut |_, _| ())
        .expect("games can be played and written");
    let fitted = wdl("--data", &file).expect("there are enough games");
    assert_eq!(fitted, wdl("--data", &file).expect("again"));
    let line = |text: &str, start: &str| -> String {
        let mut lines = text.lines();
        let found = lines.find(|line| line.starts_with(start));
        found
            .unwrap_or_else(|| panic!("no {start} in {text}"))
            .to_owned()
    };
    assert!(line(&fitted, "fitted to").contains("60 games"));
    line(&fitted, "cross-validation");
    let few_games = "standard errors of at most 1.5 points: more games are needed";
    assert!(line(&fitted, "none of ").ends_with(few_games), "{fitted}");
    // Without data the engine's own model is checked.
    let checked = wdl("--check", &file).expect("one game would be enough");
    let first_knot = format!("{:8}  {:5.3}", KNOTS[0], WdlModel::FITTED.0[0].a);
    line(&checked, &first_knot);
    assert!(!fitted.contains(&first_knot), "{fitted}");
    play(&self::plan(3, 1), &few);
    let error = wdl("--data", &few).expect_err("three games");
    assert!(error.contains("3 games are too few"), "{error}");
    assert!(error.contains("--whole-games"), "{error}");
}

#[test]
fn games_that_are_enough_for_a_model_and_too_few_for_a_cross_validation_are_refused_at_once() {
    let folder = Scratch::new("cross-validation");
    let file = folder.path("games");
    let mut writer = game_file::Writer::open(file.as_ref(), "a test whole games");
    let writer = writer.as_mut().expect("a new file");
    for _ in 0..52 {
        let added = writer.add(&game_with_score(40));
        added.expect("the file can be written");
    }
    let error = wdl("--data", &file).expect_err("52 games");
    let expected = "52 games are too few for a cross-validation, at least 56 are needed";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn openings_from_a_book_are_used() {
    let start: Chess = Chess::default();
    let plan = Plan {
        openings: Openings {
            book: vec![start],
            ..Openings::default()
        },
        nodes: 200,
        ..plan(2, 1)
    };
    let mut searcher = squarewise_engine::search::Searcher::new(1)
        .expect("a small transposition table fits into memory");
    let game = selfplay::play(&plan, 0, &mut searcher);
    let first = game.positions.first().expect("a game has quiet positions");
    assert_eq!(first.board, shakmaty::Board::default());
}
