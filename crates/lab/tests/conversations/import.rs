//! What OpenBench's machines send, compressed PGN, and what it takes from us: parameters for its
//! form.

use std::fs;
use std::io::Write;

use bzip2::Compression;
use bzip2::write::BzEncoder;

use super::{error, output, program};
use crate::support::scratch::Scratch;
#[cfg(feature = "tuning")]
use squarewise_engine::search::parameters::ALL;

#[test]
fn games_of_openbench_are_imported() {
    // As its pgn_util.py writes them: compact, verbose, and a game that was not finished.
    let compact = "[Event \"Fastchess Tournament\"]\n[Result \"1-0\"]\n[ScaleFactor \"1.0\"]\n\n\
                   e4 {+0.31/12} e5 {-0.20/11} Nf3 {+0.25/12} Nc6 {-0.22/12} Bc4 {book} Nf6 {unknown} \
                   Ng5 {-0.10/9} d5 {+M12/9} 1-0\n";
    let verbose = "[Event \"Fastchess Tournament\"]\n[Result \"1/2-1/2\"]\n\n\
                   d4 {+0.31/12 0.051s, n=8011, sd=14} d5 {-0.20/11 0.048s, n=8000, sd=13, line=a word} 1/2-1/2\n";
    let unfinished =
        "[Result \"*\"]\n\nd4 {+0.31/12} *\n\n[Result \"1-0\"]\n\nKe2 {+0.31/12} 1-0\n";
    let folder = Scratch::new("openbench-import");
    // Two compressed streams in one file, as somebody who joins files gets them.
    let mut compressed = Vec::new();
    for part in [compact.repeat(20), verbose.repeat(20)] {
        let mut encoder = BzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(part.as_bytes()).expect("memory");
        encoder.write_all(b"\n").expect("memory");
        compressed.extend(encoder.finish().expect("memory"));
    }
    let archive = folder.file("1.1.0.pgn.bz2", &compressed);
    let plain = folder.file("plain.pgn", unfinished);
    let games = folder.path("games");
    let imported = output(&["import", &archive, &plain, "--out", &games]);
    let expected = format!(
        "40 games with 140 positions in {games}; left out: 1 unfinished, 1 that can't be read\n"
    );
    assert_eq!(imported, expected);

    // `tune` would ask for more games, but reads them like `wdl`.
    let checked = output(&["wdl", "--check", &games]);
    let source = "40 games, 140 positions: imported from 1.1.0.pgn.bz2 and 1 other file";
    assert!(checked.contains(source), "{checked}");
}

#[test]
fn one_game_is_one_game_and_one_lost_on_time_is_left_out() {
    let folder = Scratch::new("import-one");
    let game = |end: &str| format!("[Result \"1-0\"]\n\n1. e4 {{+0.31/12 0.1s{end}}} 1-0\n\n");
    let pgn = folder.file("x.pgn", game("") + &game(", Black loses on time"));
    let gzip = folder.file("y.pgn", b"\x1f\x8b\x08\0\0");
    let games = folder.path("games");
    let imported = output(&["import", &pgn, &gzip, "--out", &games]);
    let expected = format!(
        "1 game with 1 position in {games}; left out: 1 ended by a clock, a crash or an illegal \
         move, the rest of 1 damaged file\n"
    );
    assert_eq!(imported, expected);
}

#[test]
fn the_games_are_not_overwritten_by_those_that_are_learned_from() {
    let folder = Scratch::new("import-own-games");
    let text = "[Result \"1-0\"]\n\ne4 {+0.31/12} e5 {-0.20/11} Nf3 {+0.25/12} 1-0\n";
    let pgn = folder.file("x.pgn", text);
    let message = error(&["import", &pgn, "--out", &pgn]);
    assert!(message.contains("this file is read"), "{message}");
    assert_eq!(fs::read_to_string(&pgn).expect("the games"), text);
}

/// A small file that is unpacked to much, without a game.
fn bomb(folder: &Scratch) -> String {
    let mut encoder = BzEncoder::new(Vec::new(), Compression::best());
    let mebibyte = format!("%{}\n", " ".repeat(62)).repeat(1 << 14);
    encoder.write_all(mebibyte.as_bytes()).expect("memory");
    let stream = encoder.finish().expect("memory");
    folder.file("bomb.bz2", stream.repeat(100))
}

#[test]
fn a_stream_without_games_is_left_after_some_time() {
    let folder = Scratch::new("import-bomb");
    let bomb = bomb(&folder);
    let message = error(&["import", &bomb, "--out", &folder.path("games")]);
    assert!(message.contains("64 MiB without a game"), "{message}");
    assert_eq!(folder.names(), ["bomb.bz2"]);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_an_import_also_inside_a_stream_without_games() {
    use crate::support::programs::{SIGNALS, interrupted_when};
    let folder = Scratch::new("import-signal");
    let bomb = bomb(&folder);
    for signal in SIGNALS {
        let games = folder.path(signal);
        let mut import = program(&["import", &bomb, "--out", &games]);
        // The games go to a temporary file at first.
        let run = interrupted_when(signal, &mut import, || folder.names().len() > 1);
        assert_eq!(run.status.code(), Some(1), "{run:?}");
        let reason = String::from_utf8_lossy(&run.stderr);
        assert!(reason.contains("interrupted; "), "{reason}");
        assert_eq!(folder.names(), ["bomb.bz2"]);
    }
}

#[test]
fn a_damaged_archive_costs_only_what_is_behind_the_damage() {
    let game = "[Result \"1-0\"]\n\ne4 {+0.31/12} e5 {-0.20/11} Nf3 {+0.25/12} 1-0\n\n";
    let folder = Scratch::new("openbench-damaged");
    let mut encoder = BzEncoder::new(Vec::new(), Compression::best());
    encoder
        .write_all(game.repeat(10).as_bytes())
        .expect("memory");
    let stream = encoder.finish().expect("memory");
    let half = &stream[..stream.len() / 2];
    let cut = folder.file("cut.pgn.bz2", [&stream, half].concat());
    let useless = folder.file("useless.pgn.bz2", half);
    let games = folder.path("games");
    let text = output(&["import", &useless, &cut, "--out", &games]);
    assert!(text.starts_with("10 games with 30 positions"), "{text}");
    assert!(text.ends_with("the rest of 2 damaged files\n"), "{text}");
    // Nothing is written if there is nothing to write, and an older file stays.
    let before = fs::read(&games).expect("the games");
    for (files, reason) in [
        (vec![useless.as_str()], "no game can be used"),
        (vec![&cut, "no-such-file.pgn"], "no-such-file.pgn"),
    ] {
        let arguments = [vec!["import", "--out", &games], files].concat();
        let message = error(&arguments);
        assert!(message.contains(reason), "{message}");
        assert_eq!(fs::read(&games).expect("the games"), before);
    }
    assert_eq!(folder.names().len(), 3);
}

#[cfg(feature = "tuning")]
#[test]
fn parameters_are_written_for_the_form_of_openbench() {
    let all = output(&["spsa-inputs"]);
    let names: Vec<&str> = all
        .lines()
        .filter_map(|line| line.split(',').next())
        .collect();
    assert!(names.len() > 10, "{all}");
    let parameters: Vec<&str> = ALL.iter().map(|parameter| parameter.name).collect();
    assert_eq!(names, parameters);
    let two = output(&["spsa-inputs", names[3], names[1]]);
    assert_eq!(two.lines().count(), 2, "{two}");
    let unknown = crate::support::programs::run(&mut program(&["spsa-inputs", "nothing"]));
    assert_eq!(unknown.status.code(), Some(2));
}
