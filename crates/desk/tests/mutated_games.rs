//! Games with chance mutations: whatever stands in a file, reading it ends without a panic, every
//! game is read or refused with a reason, and what was read is written so that it can be read
//! again.
//!
//! The seeds are fixed, so that a failure comes again.

use std::fs;
use std::path::{Path, PathBuf};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use shakmaty::Position;
use squarewise_desk::mimic::games::PlayerGames;
use squarewise_desk::mimic::openings::book_of;
use squarewise_desk::pgn::{GameRecord, Games, Ply, writer};
use squarewise_engine::search::stop::StopToken;

/// The number of mutated texts.
const TEXTS: u64 = 1_000;

/// The longest part of a file that is mutated, in bytes.
const MAX_BYTES: usize = 3_000;

/// What is put between other bytes.
const WORDS: [&str; 64] = [
    "(",
    ")",
    "((",
    "))",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "<>",
    ";",
    "%",
    "\n",
    "\n\n",
    "\r",
    "\"",
    "\\",
    "$",
    "$1 ",
    "$300 ",
    " -- ",
    " Z0 ",
    " 0000 ",
    " pass ",
    "--",
    "0-0",
    " 0-0 ",
    "O-O",
    "1-0",
    " 1-0 ",
    "*",
    " * ",
    "½-½",
    "1. ",
    " 7... ",
    ".",
    "...",
    "e4",
    " e4 ",
    " Nf3 ",
    " Ke2 ",
    "e8=Q",
    " e8(Q) ",
    "=",
    "(Q)",
    "[Event \"x\"]\n",
    "\n[White \"y\"]\n",
    "[FEN \"8/8 w\"]\n",
    "[Variant \"Chess960\"]\n",
    "[Result \"0-0\"]\n",
    "{[%clk 0:01:00]}",
    "[%eval 0.3]",
    "[%",
    "word ",
    " resigns ",
    "é",
    "♘",
    "\u{200b}",
    "\u{feff}",
    "\x01",
    "\x1a",
    "±",
    " N ",
];

/// The mutated text of a seed.
fn text_of(seed: u64, files: &[Vec<u8>]) -> Vec<u8> {
    let mut chance = Chance(ChaCha8Rng::seed_from_u64(seed));
    let file = chance.below(files.len());
    chance.mutated(&files[file])
}

/// The games of the test data, from the shortest file to the longest.
fn files() -> Vec<Vec<u8>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    let folders = [data.join("pgn"), data.join("failing")];
    let entries = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("a folder"));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "pgn"))
        .collect();
    paths.sort();
    assert!(paths.len() > 40, "{paths:?}");
    let read = |path: &PathBuf| fs::read(path).expect("a file");
    paths.iter().map(read).collect()
}

struct Chance(ChaCha8Rng);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        (self.0.next_u64() % limit.max(1) as u64) as usize
    }

    /// A short range of a text.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let longest = if self.below(4) == 0 { 200 } else { 12 };
        start..(start + self.below(longest)).min(length)
    }

    /// A part of a file that begins with a line, with up to eight changes.
    fn mutated(&mut self, file: &[u8]) -> Vec<u8> {
        let lines = file.split_inclusive(|byte| *byte == b'\n');
        let starts: Vec<usize> = lines
            .scan(0, |at, line| {
                let start = *at;
                *at += line.len();
                Some(start)
            })
            .collect();
        let start = match self.below(2) {
            0 => 0,
            _ => starts[self.below(starts.len())],
        };
        let mut text = file[start..file.len().min(start + MAX_BYTES)].to_vec();
        for _ in 0..self.below(9) {
            let range = self.range(text.len());
            match self.below(5) {
                0 => drop(text.drain(range)),
                1 => {
                    let part = text[range.clone()].to_vec();
                    let at = self.below(text.len() + 1);
                    text.splice(at..at, part);
                }
                2 => {
                    if let Some(byte) = text.get_mut(range.start) {
                        *byte = self.below(256) as u8;
                    }
                }
                _ => {
                    let word = WORDS[self.below(WORDS.len())].as_bytes();
                    text.splice(range.start..range.start, word.iter().copied());
                }
            }
        }
        text
    }
}

fn written(record: &GameRecord) -> String {
    let mut out = Vec::new();
    writer::write(record, &mut out).expect("memory can be written");
    String::from_utf8(out).expect("PGN is text")
}

/// The moves of a line and of its variations.
fn moves(line: &[Ply]) -> String {
    let plies = line.iter().map(|ply| {
        let variations = ply
            .variations
            .iter()
            .map(|line| format!("({})", moves(line)));
        format!("{:?}{}", ply.m, variations.collect::<String>())
    });
    plies.collect()
}

#[test]
fn mutated_games_are_read_or_refused_and_what_is_read_can_be_read_again() {
    let files = files();
    let (mut read, mut refused) = (0, 0);
    for seed in 0..TEXTS {
        let text = text_of(seed, &files);
        let shown = String::from_utf8_lossy(&text);
        let games: Vec<_> = Games::new(text.as_slice()).take(text.len() + 1).collect();
        assert!(
            games.len() <= text.len(),
            "more games than bytes, {seed}: {shown}"
        );
        for game in games {
            let record = match game {
                Err(error) => Err(error.to_string()),
                Ok(game) => game.record.map_err(|error| error.to_string()),
            };
            let record = match record {
                Ok(record) => record,
                Err(reason) => {
                    assert!(!reason.is_empty(), "{seed}: {shown}");
                    refused += 1;
                    continue;
                }
            };
            read += 1;
            let once = written(&record);
            let mut again = Games::new(once.as_bytes());
            let copy = again.next().expect("a game").expect("memory can be read");
            let copy = copy
                .record
                .unwrap_or_else(|error| panic!("{seed}: {error}\n{shown}\n{once}"));
            assert!(
                again.next().is_none(),
                "two games, {seed}:\n{shown}\n{once}"
            );
            assert_eq!(
                moves(&copy.plies),
                moves(&record.plies),
                "{seed}:\n{shown}\n{once}"
            );
            assert_eq!(written(&copy), once, "{seed}:\n{shown}");
        }
    }
    // Neither is the rule, or the mutations were no test.
    assert!(
        read > 300 && refused > 100,
        "{read} read, {refused} refused"
    );
}

#[test]
fn the_games_of_a_player_are_picked_from_mutated_ones_or_refused_with_a_reason() {
    let files = files();
    let (mut picked, mut refused) = (0, 0);
    for seed in 0..TEXTS {
        let text = text_of(seed, &files);
        let shown = String::from_utf8_lossy(&text);
        let records = Games::new(text.as_slice()).filter_map(|game| game.ok()?.record.ok());
        let whites = records.filter_map(|record| record.known_tag("White").map(str::to_owned));
        let mut players: Vec<String> = whites.collect();
        players.push("Nobody".to_owned());
        players.dedup();
        for player in players {
            match PlayerGames::read(
                [Ok((String::new(), text.as_slice()))],
                &player,
                &StopToken::new(),
            ) {
                Ok(found) => {
                    picked += 1;
                    assert!(!found.games.is_empty(), "{seed}, {player}: {shown}");
                    for game in &found.games {
                        let mut position = game.start.clone();
                        for m in &game.moves {
                            assert!(position.is_legal(*m), "{seed}, {player}, {m}: {shown}");
                            position.play_unchecked(*m);
                        }
                    }
                    let (kept, later) = found.split(25);
                    book_of(&kept);
                    book_of(&later);
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty(), "{seed}, {player}: {shown}");
                }
            }
        }
    }
    assert!(
        picked > 100 && refused > 200,
        "{picked} picked, {refused} refused"
    );
}
