//! Tables that are fitted to games.

use std::fs;
use std::path::Path;

use shakmaty::CastlingMode;

use super::{error, output, selfplay, tune};
use crate::support::scratch::Scratch;
use squarewise_engine::evaluation::features::Family;
use squarewise_engine::evaluation::file::Document;
use squarewise_engine::position::from_fen;
use squarewise_engine::score::Score;
use squarewise_lab::game_file::{TrainingGame, Writer};
use squarewise_lab::training_position::{GameResult, TrainingPosition};

#[test]
fn games_are_played_and_tables_fitted_to_them() {
    let folder = Scratch::new("tables-make");
    let (games, tables) = (folder.path("games.bin"), folder.path("made.tables"));
    assert!(output(&selfplay("120", &games)).starts_with("120 games with "));
    let arguments = [
        tune(&games, &tables).as_slice(),
        &["--lambda", "60", "--epochs", "4"],
    ]
    .concat();
    let summary = output(&arguments);
    assert!(summary.contains("Queen: "), "{summary}");
    let made = Document::read(Path::new(&tables)).expect("a file of tables");
    assert!(!made.tables.is_zero_in(Family::PieceSquare));
    assert!(
        made.provenance.contains("lambda 60 %"),
        "{}",
        made.provenance
    );
    assert_eq!(folder.names(), ["games.bin", "made.tables"]);
}

#[test]
fn the_games_are_not_overwritten_by_the_tables() {
    let folder = Scratch::new("tune-own-games");
    let games = folder.path("games.bin");
    output(&selfplay("4", &games));
    let bytes = fs::read(&games).expect("the games");
    let hard_link = folder.path("hard-link");
    fs::hard_link(&games, &hard_link).expect("a link");
    let mut names = vec![games.clone(), hard_link];
    #[cfg(unix)]
    {
        let link = folder.path("link");
        std::os::unix::fs::symlink(&games, &link).expect("a link");
        names.push(link);
    }
    for out in &names {
        let message = error(&tune(&games, out));
        assert!(message.contains("this file is read"), "{message}");
        assert!(fs::read(&games).expect("the games") == bytes);
    }
}

#[test]
fn no_file_of_games_is_replaced_by_another() {
    let folder = Scratch::new("tune-over-games");
    let [games, others, made] = ["games.bin", "others.bin", "made"].map(|name| folder.path(name));
    output(&selfplay("4", &games));
    output(&selfplay("5", &others));
    let bytes = fs::read(&others).expect("the games");
    let game = folder.file("x.pgn", "e4 {+0.31/12} e5 {-0.20/11} Nf3 {+0.25/12} 1-0\n");
    let correction = ["--from", "attacks", "--correction", &others];
    let with_correction = ["tune", "--data", &games, "--out", &made];
    let with_correction = [with_correction.as_slice(), &correction].concat();
    for arguments in [
        tune(&games, &others),
        with_correction,
        vec!["import", &game, "--out", &others],
        vec!["endings", "--out", &others],
    ] {
        let message = error(&arguments);
        assert!(message.contains("others.bin holds games"), "{message}");
        assert!(fs::read(&others).expect("the games") == bytes);
    }
    // What was imported can be imported once more.
    let imported = folder.path("imported.bin");
    for _ in 0..2 {
        assert!(output(&["import", &game, "--out", &imported]).starts_with("1 game with"));
    }
}

#[test]
fn a_model_is_not_compared_with_nothing() {
    let folder = Scratch::new("wdl-nothing");
    let none = folder.path("none.bin");
    output(&[selfplay("0", &none).as_slice(), &["--whole-games"]].concat());
    let message = error(&["wdl", "--check", &none]);
    assert!(message.contains("no games to check"), "{message}");
    let few = folder.path("few.bin");
    output(&[selfplay("8", &few).as_slice(), &["--whole-games"]].concat());
    let told = output(&["wdl", "--check", &few]);
    assert!(
        told.contains("none of ") && !told.contains("largest difference"),
        "{told}"
    );
}

#[test]
fn a_fit_that_comes_to_nothing_leaves_no_state_by_which_the_next_is_refused() {
    let folder = Scratch::new("tune-nothing");
    let (games, tables) = (folder.path("games.bin"), folder.path("made.tables"));
    // Bare kings say nothing about the value of pieces.
    let kings = from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1", CastlingMode::Standard);
    let kings = kings.expect("a position");
    let position = TrainingPosition::new(&kings, Score::centipawns(10), GameResult::Draw);
    let game = TrainingGame {
        positions: vec![position; 4],
    };
    let mut writer = Writer::open(Path::new(&games), "a test").expect("a new file");
    for _ in 0..100 {
        writer.add(&game).expect("the file can be written");
    }
    drop(writer);
    for seed in ["1", "2"] {
        let arguments = [tune(&games, &tables).as_slice(), &["--seed", seed]].concat();
        let message = error(&arguments);
        assert!(message.contains("nothing about piece values"), "{message}");
        assert_eq!(folder.names(), ["games.bin"]);
    }
}

#[test]
fn damaged_games_make_no_tables_and_overwrite_none() {
    let folder = Scratch::new("tables-damage");
    let (games, tables) = (folder.path("games.bin"), folder.path("kept.tables"));
    output(&selfplay("4", &games));
    let bytes = fs::read(&games).expect("the games were written");
    fs::write(&games, &bytes[..bytes.len() - 5]).expect("the file can be written");
    fs::write(&tables, "worth keeping").expect("the file can be written");
    let error_message = error(&["tune", "--data", &games, "--out", &tables]);
    assert!(
        error_message.contains("games.bin") && error_message.contains("game 3"),
        "{error_message}"
    );
    assert_eq!(
        fs::read_to_string(&tables).expect("the file is there"),
        "worth keeping"
    );
}
