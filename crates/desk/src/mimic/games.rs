//! The games of one player, picked from a file of games and put in the order of their dates.
//!
//! A player is named by a surname, or as the games name them. Other people of the same surname,
//! broken games and games that stand there twice are left out and told.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io::{self, BufRead};

use shakmaty::{Chess, Color, KnownOutcome, Move, Outcome};

use crate::pgn::{GameRecord, Games};
use squarewise_engine::checksum::RunningChecksum;
use squarewise_engine::search::stop::StopToken;

/// How many broken games are told one by one.
const TOLD_BROKEN: usize = 5;

/// A game from the side of the player.
#[derive(Clone, Debug)]
pub struct PlayerGame {
    /// The date, such as `1960.05.07` or `1960`; empty if it isn't known.
    pub date: String,
    /// The side of the player.
    pub side: Color,
    /// The first position.
    pub start: Chess,
    /// The moves of both sides.
    pub moves: Vec<Move>,
    /// The result: 3 for a win of the player, 2 for a draw or an unknown one, 1 for a loss.
    pub weight: u16,
}

/// The games of a player.
#[derive(Clone, Debug, Default)]
pub struct PlayerGames {
    /// The name as most of the games have it.
    pub name: String,
    /// The games in the order of their dates, those without one first.
    pub games: Vec<PlayerGame>,
    /// What was left out.
    pub left_out: LeftOut,
}

/// What was left out of a file of games.
#[derive(Clone, Debug, Default)]
pub struct LeftOut {
    /// The number of broken games.
    broken: usize,
    /// What is wrong with the first of them.
    reasons: Vec<String>,
    /// Games that stand there twice.
    twice: usize,
    /// Games of other people of the same surname, by their names.
    others: BTreeMap<String, usize>,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for reason in &self.reasons {
            writeln!(f, "left out: {reason}")?;
        }
        if self.broken > self.reasons.len() {
            let more = self.broken - self.reasons.len();
            writeln!(f, "left out: {more} more broken games")?;
        }
        if self.twice > 0 {
            writeln!(f, "left out: {} games that stand there twice", self.twice)?;
        }
        for (name, games) in &self.others {
            writeln!(f, "left out as another person: {name:?}, games: {games}")?;
        }
        Ok(())
    }
}

impl PlayerGames {
    /// Reads the games of a player.
    ///
    /// # Errors
    ///
    /// If the games can't be read, nobody of the name plays in them, or `stop` is raised.
    pub fn read(
        source: impl BufRead,
        player: &str,
        stop: &StopToken,
    ) -> io::Result<PlayerGames> {
        let mut left_out = LeftOut::default();
        let mut found: Vec<(String, PlayerGame)> = Vec::new();
        let mut seen = HashSet::new();
        for read in Games::new(source) {
            let read = read?;
            if stop.is_requested() {
                return Err(io::Error::from(io::ErrorKind::Interrupted));
            }
            let record = match read.record {
                Ok(record) => record,
                Err(error) => {
                    left_out.broken += 1;
                    if left_out.reasons.len() < TOLD_BROKEN {
                        let reason = format!("game {}: {error}", read.number);
                        left_out.reasons.push(reason);
                    }
                    continue;
                }
            };
            match side_of(&record, player) {
                Some(_) if !seen.insert(fingerprint(&record)) => left_out.twice += 1,
                of_player => found.extend(of_player),
            }
        }
        let name = most_frequent(&found).ok_or_else(|| {
            let reason = format!("nobody plays there whose name is {player:?}");
            io::Error::new(io::ErrorKind::InvalidData, reason)
        })?;
        let (same, others): (Vec<_>, Vec<_>) = found
            .into_iter()
            .partition(|(other, _)| may_be(&name, other) && !is_pair(other));
        for (other, _) in others {
            *left_out.others.entry(other).or_default() += 1;
        }
        Ok(in_order(name, same.into_iter(), left_out))
    }

    /// Splits off the latest games, so many in a hundred. Games of one date stay together, and so
    /// do those without one.
    pub fn split(mut self, per_cent: u32) -> (Vec<PlayerGame>, Vec<PlayerGame>) {
        let kept = self.games.len() * (100 - per_cent.min(100) as usize) / 100;
        let Some(last) = kept.checked_sub(1).map(|last| self.games[last].date.clone()) else {
            return (Vec::new(), self.games);
        };
        let end = self.games.partition_point(|game| game.date <= last);
        let later = self.games.split_off(end);
        (self.games, later)
    }
}

fn in_order(
    name: String,
    games: impl Iterator<Item = (String, PlayerGame)>,
    left_out: LeftOut,
) -> PlayerGames {
    let mut games: Vec<PlayerGame> = games.map(|(_, game)| game).collect();
    games.sort_by(|a, b| a.date.cmp(&b.date));
    PlayerGames {
        name,
        games,
        left_out,
    }
}

/// The game from the side of who may be the player, with the name as it stands there; `None` if it
/// is of others, or both sides have the name.
fn side_of(record: &GameRecord, player: &str) -> Option<(String, PlayerGame)> {
    let mut sides = Color::ALL.into_iter().filter_map(|side| {
        let name = record.known_tag(side.fold_wb("White", "Black"))?;
        may_be(player, name).then(|| (name.to_owned(), game_of(record, side)))
    });
    let found = sides.next();
    found.filter(|_| sides.next().is_none())
}

fn game_of(record: &GameRecord, side: Color) -> PlayerGame {
    let weight = match record.outcome {
        Outcome::Known(KnownOutcome::Decisive { winner }) if winner == side => 3,
        Outcome::Known(KnownOutcome::Decisive { .. }) => 1,
        _ => 2,
    };
    PlayerGame {
        date: record.known_date().unwrap_or_default().to_owned(),
        side,
        start: record.start.clone(),
        moves: record.plies.iter().map_while(|ply| ply.m).collect(),
        weight,
    }
}

/// A number by which a game is known again: its moves and both names.
fn fingerprint(record: &GameRecord) -> u64 {
    let mut sum = RunningChecksum::default();
    for ply in &record.plies {
        sum.add(format!("{:?}", ply.m).as_bytes());
    }
    // Short games are often the same.
    if record.plies.len() < 40 {
        let date = record.known_date().unwrap_or_default();
        let names = ["White", "Black"].map(|tag| surname(record.tag(tag).unwrap_or_default()));
        sum.add(format!("{date} {names:?}").as_bytes());
    }
    sum.value()
}

/// The words of a name in small letters, the surname first: that is what stands before a comma, or
/// else the last word.
fn words(name: &str) -> Vec<String> {
    let (surname, given) = match name.split_once(',') {
        Some(parts) => parts,
        None => name.trim().rsplit_once(' ').map_or((name, ""), |(given, surname)| (surname, given)),
    };
    let letters = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '_');
        let parts = parts.filter(|part| !part.is_empty());
        parts.map(str::to_lowercase).collect()
    };
    let surname = letters(surname).join(" ");
    std::iter::once(surname).chain(letters(given)).collect()
}

fn surname(name: &str) -> String {
    words(name).swap_remove(0)
}

/// Whether a name can be that of the player who is asked for: the surname is the same, and the
/// given names agree as far as both have them.
fn may_be(player: &str, name: &str) -> bool {
    let (player, name) = (words(player), words(name));
    player[0] == name[0] && agree(&player[1..], &name[1..])
}

/// Whether a name is that of people in consultation.
fn is_pair(name: &str) -> bool {
    [":", "/", "&", " and "].iter().any(|sign| name.contains(sign))
}

/// Whether given names agree: of each pair one is the beginning of the other.
fn agree(a: &[String], b: &[String]) -> bool {
    let mut pairs = a.iter().zip(b);
    pairs.all(|(a, b)| a.starts_with(b.as_str()) || b.starts_with(a.as_str()))
}

/// The name that most of the games have; of equals the first by the alphabet.
fn most_frequent(found: &[(String, PlayerGame)]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, _) in found.iter().filter(|(name, _)| !is_pair(name)) {
        *counts.entry(name).or_default() += 1;
    }
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map(|(name, _)| name.to_owned())
}
