//! Tables of a rule set that are learned from zero.

use std::fs;
use std::path::Path;

use super::{error, output, program};
use crate::support::programs::run;
use crate::support::scratch::Scratch;
use squarewise_engine::evaluation::TableSet;
use squarewise_engine::evaluation::file::Document;

#[test]
fn each_generation_learns_from_its_games_and_a_stopped_run_goes_on() {
    let folder = Scratch::new("rule-set");
    let learned = folder.path("torpedo");
    let learn = |generations| {
        let settings = [
            "--games",
            "150",
            "--nodes",
            "60",
            "--generations",
            generations,
        ];
        output(
            &[
                ["rule-set", "torpedo", "--folder", &learned].as_slice(),
                &settings,
            ]
            .concat(),
        )
    };
    let first = learn("1");
    assert!(
        first.starts_with("generation 0\n150 games with "),
        "{first}"
    );
    // The first generation is there, so that only the second is learned.
    let second = learn("2");
    assert!(
        second.starts_with("generation 0 is there\ngeneration 1\n150 games with "),
        "{second}"
    );
    assert_eq!(learn("2"), "generation 0 is there\ngeneration 1 is there\n");
    let with_others = [
        "rule-set", "torpedo", "--folder", &learned, "--games", "150", "--nodes", "61",
    ];
    let others = error(&with_others);
    let expected = "tables-0.bin: fitted to other games than 150 with seed 1 nodes 61 ";
    assert!(others.contains(expected), "{others}");
    let other = error(&[
        "rule-set",
        "pawnback",
        "--folder",
        &learned,
        "--generations",
        "1",
    ]);
    let expected = "tables-0.bin: not the generation 0 of pawnback; choose another folder";
    assert!(other.contains(expected), "{other}");
    let tables = format!("{learned}/tables-1.bin");
    let made = Document::read(Path::new(&tables)).expect("a file of tables");
    assert!(made.provenance.contains("generation 1 of torpedo"));
    assert!(made.provenance.contains("random of torpedo"));
    let match_of = |against: &str| {
        let players = ["--tables", &tables, "--against", against];
        let settings = [
            "match",
            "--variant",
            "torpedo",
            "--pairs",
            "2",
            "--nodes",
            "60",
        ];
        output(&[settings.as_slice(), &players].concat())
    };
    let tally = match_of("zero");
    assert!(
        tally.contains(" Elo in 4 games; pairs with 0 to 2 points ["),
        "{tally}"
    );
}

#[test]
fn a_correction_is_learned_from_the_games_of_all_generations() {
    let folder = Scratch::new("rule-set-correction");
    let learned = folder.path("sideways");
    let said = output(&[
        "rule-set",
        "pawnsideways",
        "--from",
        "simplified",
        "--folder",
        &learned,
        "--games",
        "40",
        "--nodes",
        "60",
        "--generations",
        "2",
    ]);
    assert!(said.contains("generation 1\n40 games with "), "{said}");
    let read = |name: &str| {
        let path = format!("{learned}/{name}-1.bin");
        Document::read(Path::new(&path)).expect("a file of tables")
    };
    let (correction, tables) = (read("correction"), read("tables"));
    let provenance = &correction.provenance;
    assert_eq!(
        provenance.matches("40 games with ").count(),
        2,
        "{provenance}"
    );
    let simplified = TableSet::Simplified.tables();
    assert_eq!(tables.tables, simplified.corrected_by(&correction.tables));
}

#[test]
fn what_is_no_rule_set_or_no_folder_is_refused() {
    let folder = Scratch::new("rule-set-refused");
    let file = folder.path("file");
    fs::write(&file, "").expect("the file can be written");
    let unknown = ["rule-set", "atomic", "--folder", &folder.path("atomic")];
    let refusal = run(&mut program(&unknown));
    assert_eq!(refusal.status.code(), Some(2));
    let message = String::from_utf8_lossy(&refusal.stderr);
    assert!(
        message.contains("there is no variant \"atomic\""),
        "{message}"
    );
    assert!(error(&["rule-set", "torpedo", "--folder", &file]).contains("file"));
}
