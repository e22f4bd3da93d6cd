//! Games that the engine plays against itself.

use std::fs;
use std::path::Path;

use super::{error, output, selfplay};
use crate::support::scratch::Scratch;
use squarewise_lab::game_file;

#[test]
fn a_book_of_positions_can_have_empty_lines_comments_and_line_ends_of_windows() {
    let folder = Scratch::new("tables-epd-book");
    let (book, games) = (folder.path("book.epd"), folder.path("games.bin"));
    let arguments = ["selfplay", "--games", "0", "--out", &games, "--book", &book];
    let text = "\u{feff}# two positions\r\n\r\n6k1/5ppp/8/8/8/8/8/R6K w - - 0 1\r\n\
                8/8/8/4k3/8/8/4P3/4K3 w - -\r\n\r\n\u{1a}";
    fs::write(&book, text).expect("the file can be written");
    assert!(output(&arguments).starts_with("0 games"));
    let (description, _) = game_file::read(Path::new(&games)).expect("a file of games");
    assert!(
        description.contains(" from a book of 2 positions "),
        "{description}"
    );
    // A book that was changed is another one, and so would be the run.
    fs::write(&book, text.replace("R6K", "Q6K")).expect("the file can be written");
    assert!(error(&arguments).contains("holds games of another run"));
    fs::write(&book, text.replace("- -", "? -")).expect("the file can be written");
    assert!(error(&arguments).contains("book.epd, line 3: "));
    fs::write(&book, "# nothing\n\n").expect("the file can be written");
    assert!(error(&arguments).contains("no positions"));
}

#[test]
fn a_run_is_described_by_its_settings_alone_and_no_other_is_added_to_it() {
    let folder = Scratch::new("lab-versions");
    let games = folder.path("games.bin");
    output(&selfplay("3", &games));
    let (description, _) = game_file::read(Path::new(&games)).expect("a file of games");
    assert!(description.starts_with("seed 1 nodes 60 "), "{description}");
    // With it, the next version could not resume the run.
    let version = env!("CARGO_PKG_VERSION");
    assert!(!description.contains(version), "{description}");
    // Another seed is another run, whose games don't belong in this file.
    let other = [selfplay("3", &games).as_slice(), &["--seed", "2"]].concat();
    assert!(error(&other).contains("games of another run"));
}

#[test]
fn games_of_a_variant_with_other_endings_are_no_data_for_the_wdl_model() {
    let folder = Scratch::new("lab-wdl-variants");
    let checked = |variant: &str| {
        let games = folder.path(variant);
        let run = ["--whole-games", "--variant", variant];
        output(&[selfplay("3", &games).as_slice(), &run].concat());
        ["wdl", "--check", &games].map(str::to_owned)
    };
    let torpedo = checked("torpedo");
    let message = error(&torpedo.each_ref().map(String::as_str));
    assert!(message.contains("games of torpedo"), "{message}");
    // Without castling the endings are those of chess.
    let nocastle = checked("nocastle");
    let text = output(&nocastle.each_ref().map(String::as_str));
    assert!(text.contains("checked with 3 games"), "{text}");
}
