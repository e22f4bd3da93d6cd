//! Tables that are fitted to games.

use std::fs;
use std::path::Path;

use crate::support::scratch::Scratch;
use crate::{error, output, selfplay, tune};
use squarewise_engine::evaluation::features::Family;
use squarewise_engine::evaluation::file::Document;

#[test]
fn games_are_played_and_tables_fitted_to_them() {
    let folder = Scratch::new("tables-make");
    let (games, tables) = (folder.path("games.bin"), folder.path("made.tables"));
    assert!(output(&selfplay("400", &games)).starts_with("400 games with "));
    let arguments = [tune(&games, &tables).as_slice(), &["--lambda", "60"]].concat();
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
