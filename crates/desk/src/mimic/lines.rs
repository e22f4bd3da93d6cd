//! The lines among which a player chose: each position of the games is searched once, and what was
//! found is kept in a file, so that a run that was interrupted goes on where it stopped.
//!
//! The file is text. Its first line names the number of nodes; each further one is a position: its
//! key, the score of the best line in centipawns or `-` if nobody chooses there, and the candidates
//! with what [`Candidate`] says of them. A last line without its end is ignored. A position whose
//! line is damaged is searched again, and of two lines with one key the later counts.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position};

use super::FIRST_PLY;
use super::games::PlayerGame;
use crate::analysis::ordered_pool::in_order;
use crate::text_encoding;
use squarewise_engine::bounded_file;
use squarewise_engine::checksum::RunningChecksum;
use squarewise_engine::position::game::Game;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::search::{SearchRequest, Searcher};
use squarewise_engine::style::{Candidate, Lines, search_lines};

/// How many moves of a line are kept.
const KEPT_MOVES: usize = 4;

/// The largest file of lines, in bytes.
const MAX_FILE_BYTES: u64 = 4 << 30;

/// The size of the transposition table of a search, in MiB.
const HASH_MEGABYTES: usize = 4;

/// What a search found in a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The score of the best line in centipawns; `None` if it decides the game.
    pub best: Option<i32>,
    /// The moves to choose from; empty if the best line decides the game.
    pub candidates: Vec<Candidate>,
}

/// A position of a game in which the player is to move.
#[derive(Clone, Debug)]
pub struct Place {
    /// The number of plies before it.
    pub ply: usize,
    /// Its key in the file.
    pub key: u64,
}

/// What is known of positions, and the file that keeps it.
#[derive(Debug)]
pub struct LineFile {
    file: File,
    nodes: u64,
    known: HashMap<u64, String>,
}

impl LineFile {
    /// Opens the file of lines at this number of nodes, or begins it.
    ///
    /// # Errors
    ///
    /// If it can't be read or written, or holds something else.
    pub fn open(path: &Path, nodes: u64) -> io::Result<LineFile> {
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let head = format!("squarewise lines 1, {nodes} nodes");
        // A file that was never written to is begun anew.
        let is_empty = path
            .metadata()
            .is_ok_and(|data| data.is_file() && data.len() == 0);
        let mut bytes = if path.exists() && !is_empty {
            bounded_file::read(path, MAX_FILE_BYTES).map_err(named)?
        } else {
            Vec::new()
        };
        text_encoding::refuse_other_than_text(&bytes).map_err(named)?;
        // In bytes of the file: what is damaged can be longer or shorter as text.
        let last_end = bytes.iter().rposition(|byte| *byte == b'\n');
        let whole = last_end.map_or(0, |end| end + 1);
        let is_cut = whole < bytes.len();
        if whole == 0 && !head.as_bytes().starts_with(&bytes) {
            return Err(named(io::Error::other("it holds something else")));
        }
        bytes.truncate(whole);
        let text = text_encoding::decode(bytes);
        let mut lines = text.lines();
        if let Some(first) = lines.next().filter(|first| *first != head) {
            let reason = format!("it begins with {first:?}, and these are lines of {nodes} nodes");
            return Err(named(io::Error::other(reason)));
        }
        let parsed = lines.filter_map(|line| {
            let (key, rest) = line.split_once(' ')?;
            Some((u64::from_str_radix(key, 16).ok()?, rest.to_owned()))
        });
        let known = parsed.collect();
        if is_cut {
            // With a handle of its own: what can only append can't shorten a file on Windows.
            let cut = OpenOptions::new().write(true).open(path);
            cut.and_then(|file| file.set_len(whole as u64))
                .map_err(named)?;
        }
        let mut options = OpenOptions::new();
        let mut file = options
            .create(true)
            .append(true)
            .open(path)
            .map_err(named)?;
        if whole == 0 {
            writeln!(file, "{head}").map_err(named)?;
        }
        Ok(LineFile { file, nodes, known })
    }

    /// What was found in the position with this key.
    pub fn found(&self, key: u64, position: &Chess) -> Option<Found> {
        parse(self.known.get(&key)?, position)
    }

    /// Searches the places of these games that are not known yet, or whose lines in the file are
    /// damaged, on this many threads. `on_game` is called with the number of games that are done.
    ///
    /// # Errors
    ///
    /// If there is no memory or no thread, or the file can't be written. What was found until then
    /// stays in it.
    pub fn search(
        &mut self,
        games: &[(&PlayerGame, Vec<Place>)],
        threads: usize,
        stop: &StopToken,
        on_game: &mut dyn FnMut(usize),
    ) -> io::Result<()> {
        let searchers = (0..threads).map(|_| Searcher::new(HASH_MEGABYTES));
        let searchers: Vec<Searcher> = searchers
            .collect::<Result<_, _>>()
            .map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        let stop = &stop.child();
        let (file, known, nodes) = (&mut self.file, &self.known, self.nodes);
        let work = |searcher: &mut Searcher, (game, places): &(&PlayerGame, Vec<Place>)| {
            search_game(searcher, game, places, known, nodes, stop)
        };
        let mut fresh = Vec::new();
        let mut done = 0;
        let mut keep = |found: Vec<(u64, String)>| {
            let lines = found
                .iter()
                .map(|(key, text)| format!("{key:016x} {text}\n"));
            file.write_all(lines.collect::<String>().as_bytes())?;
            fresh.extend(found);
            done += 1;
            on_game(done);
            Ok(())
        };
        let result = in_order(searchers, games.iter(), stop, work, &mut keep);
        self.known.extend(fresh);
        result
    }
}

/// The places of a game at which the player is to move, from [`FIRST_PLY`] on.
pub fn places(game: &PlayerGame) -> Vec<Place> {
    let mut places = Vec::new();
    let mut sum = RunningChecksum::default();
    sum.add(format!("{:?}", game.start.board()).as_bytes());
    let mut position = game.start.clone();
    for (ply, m) in game.moves.iter().enumerate() {
        if ply >= FIRST_PLY && position.turn() == game.side {
            let key = sum.value();
            places.push(Place { ply, key });
        }
        sum.add(m.to_uci(position.castles().mode()).to_string().as_bytes());
        position.play_unchecked(*m);
    }
    places
}

/// Searches the places of a game of which nothing is known that can be read in their positions;
/// `None` if the search was stopped.
fn search_game(
    searcher: &mut Searcher,
    game: &PlayerGame,
    places: &[Place],
    known: &HashMap<u64, String>,
    nodes: u64,
    stop: &StopToken,
) -> Option<Vec<(u64, String)>> {
    let mut played = Game::new(game.start.clone());
    let mut ply = 0;
    let mut found = Vec::new();
    for place in places {
        for m in &game.moves[ply..place.ply] {
            played.play(*m);
        }
        ply = place.ply;
        let position = played.position().chess();
        let entry = known.get(&place.key);
        if entry.is_some_and(|text| parse(text, position).is_some()) {
            continue;
        }
        let lines = search(searcher, &played, nodes, stop);
        if stop.is_requested() {
            return None;
        }
        found.push((place.key, written(&lines, position)));
    }
    Some(found)
}

/// Searches the last position of a game as a player with a style does.
fn search(searcher: &mut Searcher, game: &Game, nodes: u64, stop: &StopToken) -> Lines {
    let request = SearchRequest {
        stop: stop.child(),
        ..SearchRequest::new(Limits::nodes(nodes))
    };
    searcher.new_game();
    search_lines(searcher, game, request)
}

fn written(lines: &Lines, position: &Chess) -> String {
    let Some(best) = lines.best_score() else {
        return "-".to_owned();
    };
    let mut text = best.to_string();
    let mode = position.castles().mode();
    for candidate in lines.candidates() {
        let moves = candidate.line.iter().take(KEPT_MOVES);
        let moves: Vec<String> = moves.map(|m| m.to_uci(mode).to_string()).collect();
        let Candidate {
            loss,
            early_loss,
            late_loss,
            best_share,
            ..
        } = candidate;
        // Writing to a string can't fail.
        let _ = write!(
            text,
            " {loss},{early_loss:.2},{late_loss:.2},{best_share:.3},{}",
            moves.join(",")
        );
    }
    text
}

/// What an entry of the file says of its position; `None` if it is damaged.
fn parse(text: &str, position: &Chess) -> Option<Found> {
    let mut words = text.split(' ');
    let best: Option<i32> = match words.next()? {
        "-" => None,
        best => Some(best.parse().ok()?),
    };
    let candidate = |(number, word): (usize, &str)| {
        let mut parts = word.split(',');
        let loss = parts.next()?.parse().ok()?;
        let mut share = || parts.next()?.parse::<f32>().ok();
        let [early_loss, late_loss, best_share] = [share()?, share()?, share()?];
        Some(Candidate {
            line: line(parts, position)?,
            loss,
            is_best: number == 0,
            early_loss,
            late_loss,
            best_share,
        })
    };
    let candidates: Vec<Candidate> = words.enumerate().map(candidate).collect::<Option<_>>()?;
    // Whoever chooses has a move to choose, and who doesn't has none.
    (best.is_none() == candidates.is_empty()).then_some(Found { best, candidates })
}

/// The moves of a line; `None` if one isn't legal, or there is none.
fn line<'a>(words: impl Iterator<Item = &'a str>, position: &Chess) -> Option<Vec<Move>> {
    let mut position = position.clone();
    let mut line = Vec::new();
    for word in words {
        let m = word.parse::<UciMove>().ok()?.to_move(&position).ok()?;
        position.play_unchecked(m);
        line.push(m);
    }
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mimic::choices::choices;
    use crate::mimic::fit::sample;
    use crate::mimic::games::PlayerGames;

    const GAME: &str = "[White \"Tal\"]\n[Black \"X\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 \
        5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 11. d4 Qc7 12. Nbd2 cxd4 \
        13. cxd4 Nc6 14. Nb3 a5 1-0\n";

    #[test]
    fn a_file_of_something_else_stays_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("notes");
        for text in ["notes", "notes\n", "squarewise lines 1, 2000 nodes\n"] {
            std::fs::write(&path, text).expect("written");
            assert!(LineFile::open(&path, 1_000).is_err(), "{text}");
            assert_eq!(std::fs::read_to_string(&path).expect("it is there"), text);
        }
        // A run that was killed before it had written the head begins anew.
        for text in ["squarewise li", ""] {
            std::fs::write(&path, text).expect("written");
            assert!(LineFile::open(&path, 1_000).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn what_was_found_is_kept_and_a_run_goes_on_where_it_was_cut() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("tal.lines");
        let stop = StopToken::new();
        let games = PlayerGames::read([Ok((String::new(), GAME.as_bytes()))], "Tal", &stop)
            .expect("a game")
            .games;
        let searched = sample(&games, 100);
        assert_eq!(searched[0].1.len(), 6);
        let run = || {
            let mut lines = LineFile::open(&path, 1_000).expect("a file");
            let known = lines.known.len();
            let mut done = 0;
            let search = lines.search(&searched, 1, &stop, &mut |count| done = count);
            search.expect("it can be written");
            assert_eq!(done, 1);
            (
                known,
                choices(&searched, &lines),
                std::fs::read(&path).expect("it is there"),
            )
        };
        let (known, fresh, written) = run();
        assert_eq!((known, fresh.len()), (0, 6));
        // Cut in the middle of the last line.
        std::fs::write(&path, &written[..written.len() - 3]).expect("it can be written");
        let (known, stored, again) = run();
        assert_eq!(known, 5);
        assert_eq!(written, again);
        let features = |choices: &[crate::mimic::choices::Choice]| -> Vec<_> {
            choices
                .iter()
                .map(|choice| choice.candidates.clone())
                .collect()
        };
        assert_eq!(features(&fresh), features(&stored));
        // One line is damaged, by a byte that is no UTF-8, and the last is cut again.
        let mut damaged = written;
        let lines = damaged.split(|byte| *byte == b'\n').take(3);
        let fourth = lines.map(|line| line.len() + 1).sum::<usize>();
        let behind_the_key = fourth + 17;
        damaged[behind_the_key] = 0xff;
        damaged.truncate(damaged.len() - 3);
        std::fs::write(&path, &damaged).expect("it can be written");
        let (known, repaired, again) = run();
        assert_eq!(known, 5);
        assert_eq!(features(&fresh), features(&repaired));
        let (known, stored, unchanged) = run();
        assert_eq!(known, 6);
        assert_eq!(features(&fresh), features(&stored));
        assert_eq!(again, unchanged, "nothing is searched a third time");
        assert!(
            LineFile::open(&path, 2_000).is_err(),
            "lines of other nodes"
        );
        std::fs::write(&path, "something else\n").expect("it can be written");
        assert!(LineFile::open(&path, 1_000).is_err());
    }
}
