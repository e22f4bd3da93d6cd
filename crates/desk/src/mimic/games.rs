//! The games of one player, picked from a file of games and put in the order of their dates.
//!
//! A player is named by a surname, or as the games name them. Other people of the same surname,
//! broken games and games that stand there twice are left out and told.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io::{self, Read};

use shakmaty::{Chess, Color, KnownOutcome, Move, Outcome};

use super::paces::{TimedMove, timed_moves};
use crate::pgn::{GameRecord, Games, ReadGame};
use squarewise_engine::checksum::RunningChecksum;
use squarewise_engine::position::rules::Variant;
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
    /// The player's moves whose time the game tells.
    pub timed_moves: Vec<TimedMove>,
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
    /// Games by other rules than those of chess.
    variants: usize,
    /// Games that stand there twice.
    twice: usize,
    /// Games between two people who may be the player.
    between: usize,
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
        if self.variants > 0 {
            writeln!(f, "left out, of other variants: {}", self.variants)?;
        }
        if self.twice > 0 {
            writeln!(f, "left out as duplicates: {}", self.twice)?;
        }
        if self.between > 0 {
            writeln!(
                f,
                "left out, as both players have the name: {}",
                self.between
            )?;
        }
        for (name, games) in &self.others {
            writeln!(f, "left out as another person: {name:?}, games: {games}")?;
        }
        Ok(())
    }
}

impl PlayerGames {
    /// Reads the games of a player from files, each with its name.
    ///
    /// # Errors
    ///
    /// If the games can't be read, nobody of the name plays in them, or `stop` is raised.
    pub fn read<R: Read>(
        files: impl IntoIterator<Item = io::Result<(String, R)>>,
        player: &str,
        stop: &StopToken,
    ) -> io::Result<PlayerGames> {
        let mut left_out = LeftOut::default();
        let mut found: Vec<(String, PlayerGame)> = Vec::new();
        let mut seen = HashSet::new();
        let games = files.into_iter().flat_map(games_of_file);
        for read in games {
            let (file, read) = read?;
            if stop.is_requested() {
                return Err(io::Error::from(io::ErrorKind::Interrupted));
            }
            let record = match read.record {
                Ok(record) => record,
                Err(error) => {
                    left_out.broken += 1;
                    if left_out.reasons.len() < TOLD_BROKEN {
                        let reason = format!("{file}, game {}: {error}", read.number);
                        left_out.reasons.push(reason);
                    }
                    continue;
                }
            };
            if record.start.variant() != Variant::Chess {
                left_out.variants += 1;
                continue;
            }
            match sides_of(&record, player).as_slice() {
                [] => {}
                _ if !seen.insert(fingerprint(&record)) => left_out.twice += 1,
                [(side, name)] => found.push((name.clone(), game_of(&record, *side))),
                _ => left_out.between += 1,
            }
        }
        let name = most_frequent(&found).ok_or_else(|| {
            let left_out = left_out.to_string();
            let reason = format!("{left_out}there is no player named {player:?} in these games");
            io::Error::new(io::ErrorKind::InvalidData, reason)
        })?;
        let (same, others): (Vec<_>, Vec<_>) = found
            .into_iter()
            .partition(|(other, _)| may_be(&name, other) && !is_pair(other));
        for (other, _) in others {
            *left_out.others.entry(other).or_default() += 1;
        }
        let mut games: Vec<PlayerGame> = same.into_iter().map(|(_, game)| game).collect();
        games.sort_by(|a, b| a.date.cmp(&b.date));
        Ok(PlayerGames {
            name,
            games,
            left_out,
        })
    }

    /// Splits off the latest games, so many in a hundred. Games of one date stay together, and so
    /// do those without one.
    pub fn split(mut self, per_cent: u32) -> (Vec<PlayerGame>, Vec<PlayerGame>) {
        let kept = self.games.len() * (100 - per_cent.min(100) as usize) / 100;
        let Some(last) = kept
            .checked_sub(1)
            .map(|last| self.games[last].date.clone())
        else {
            return (Vec::new(), self.games);
        };
        let end = self.games.partition_point(|game| game.date <= last);
        let later = self.games.split_off(end);
        (self.games, later)
    }
}

/// The games of a file with its name, or why it can't be read.
fn games_of_file<R: Read>(
    file: io::Result<(String, R)>,
) -> impl Iterator<Item = io::Result<(String, ReadGame)>> {
    let (error, file) = match file {
        Ok(file) => (None, Some(file)),
        Err(error) => (Some(Err(error)), None),
    };
    let games = file.into_iter().flat_map(|(name, source)| {
        Games::new(source).map(move |game| match game {
            Ok(game) => Ok((name.clone(), game)),
            Err(error) => Err(io::Error::new(error.kind(), format!("{name}: {error}"))),
        })
    });
    error.into_iter().chain(games)
}

/// The sides that may be the player, with the names as they stand there.
fn sides_of(record: &GameRecord, player: &str) -> Vec<(Color, String)> {
    let sides = Color::ALL.into_iter().filter_map(|side| {
        let name = record.known_tag(side.fold_wb("White", "Black"))?;
        may_be(player, name).then(|| (side, name.to_owned()))
    });
    sides.collect()
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
        start: record.start.chess().clone(),
        moves: record.plies.iter().map_while(|ply| ply.m).collect(),
        weight,
        timed_moves: timed_moves(record, side),
    }
}

/// A number by which a game is known again: a checksum of its moves and, below 40 plies, of its
/// date and both surnames.
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

/// A surname and the given names, in small letters.
type NameParts = (String, Vec<String>);

/// The ways to read a name, the likeliest first. A surname is what stands before a comma. Without
/// one it is the last word or, as in "van Wely" and "Kasparov G", more words of the end or all but
/// an initial.
fn readings(name: &str) -> Vec<NameParts> {
    let words = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '_');
        let parts = parts.filter(|part| !part.is_empty());
        parts.map(str::to_lowercase).collect()
    };
    if let Some((surname, given)) = name.split_once(',') {
        return vec![(words(surname).join(" "), words(given))];
    }
    let words = words(name);
    let of_the_end = (0..words.len()).rev().map(|first| {
        let (given, surname) = words.split_at(first);
        (surname.join(" "), given.to_vec())
    });
    let is_initial = |word: &String| word.chars().count() == 1;
    let initials = words.iter().rev().take_while(|word| is_initial(word));
    let (surname, initials) = words.split_at(words.len() - initials.count());
    let before_initials = (surname.join(" "), initials.to_vec());
    let has_both = !surname.is_empty() && !initials.is_empty();
    of_the_end
        .chain(has_both.then_some(before_initials))
        .collect()
}

/// The likeliest surname; empty if there is no name.
fn surname(name: &str) -> String {
    let mut readings = readings(name).into_iter();
    readings
        .next()
        .map_or_else(String::new, |(surname, _)| surname)
}

/// Whether a name can be that of the player who is asked for: in some reading the surname is the
/// same, and the given names agree as far as both have them.
fn may_be(player: &str, name: &str) -> bool {
    let names = readings(name);
    let is_same = |(surname, given): &NameParts| {
        let mut names = names.iter();
        names.any(|(other, others)| surname == other && agree(given, others))
    };
    readings(player).iter().any(is_same)
}

/// Whether a name is that of people in consultation.
fn is_pair(name: &str) -> bool {
    [":", "/", "&", " and "]
        .iter()
        .any(|sign| name.contains(sign))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn pgn(white: &str, black: &str, date: &str, moves: &str) -> String {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{date}\"]\n\n{moves}\n\n")
    }

    fn read(text: &str, player: &str) -> io::Result<PlayerGames> {
        let file = Ok(("games.pgn".to_owned(), text.as_bytes()));
        PlayerGames::read([file], player, &StopToken::new())
    }

    #[test]
    fn other_people_broken_games_and_repeated_ones_are_told_and_left_out() {
        let text = [
            pgn("Tal, Mihail", "Other, A", "1960.05.07", "1. e4 e5 1-0"),
            pgn("Other, B", "Tal,M", "1958.??.??", "1. d4 d5 1/2-1/2"),
            pgn("Tal, Georgy", "Other, C", "1999.01.01", "1. c4 c5 0-1"),
            pgn("Tal, Mihail", "Other, A", "1960.05.07", "1. e4 e5 1-0"),
            pgn("Tal, Mihail", "Other, D", "1961.01.01", "1. e4 Ke4 1-0"),
            pgn("Tal, Mihail", "Tal, Georgy", "1962.01.01", "1. f4 1-0"),
            pgn("Talker, M", "Other, E", "1962.01.01", "1. f4 1-0"),
            pgn("Tal, Mihail", "Other, F", "1963.01.01", "1. Nf3 0-1"),
        ];
        let found = read(&text.concat(), "tal").expect("games of Tal");
        assert_eq!(found.name, "Tal, Mihail");
        let dates: Vec<&str> = found.games.iter().map(|game| game.date.as_str()).collect();
        assert_eq!(dates, ["1958", "1960.05.07", "1963.01.01"]);
        let weights: Vec<u16> = found.games.iter().map(|game| game.weight).collect();
        assert_eq!(weights, [2, 3, 1]);
        let told = found.left_out.to_string();
        for part in [
            "games.pgn, game 5: ",
            "left out as duplicates: 1",
            "left out, as both players have the name: 1",
            "\"Tal, Georgy\", games: 1",
        ] {
            assert!(told.contains(part), "{told}");
        }
    }

    #[test]
    fn a_surname_may_have_several_words_and_stand_before_initials() {
        for (player, name, is_found) in [
            ("Van Wely", "Van Wely, Loek", true),
            ("van wely", "Loek van Wely", true),
            ("Loek van Wely", "Van Wely,L", true),
            ("Wely", "Van Wely, Loek", false),
            ("Kasparov", "Kasparov G", true),
            ("Garry Kasparov", "Kasparov G.K.", true),
            ("Kasparov", "Kasparova, N", false),
            ("J. R. Capablanca", "Capablanca, Jose Raul", true),
            ("Tal", "Mihail Tal", true),
            ("Georgy Tal", "Mihail Tal", false),
            ("Mihail", "Tal, Mihail", false),
            ("", "Tal, Mihail", false),
            ("Tal", "", false),
        ] {
            assert_eq!(may_be(player, name), is_found, "{player} as {name}");
        }
        let text = pgn("Van Wely, Loek", "B", "2000.01.01", "1. e4 *");
        assert_eq!(read(&text, "Van Wely").expect("a game").games.len(), 1);
    }

    #[test]
    fn who_plays_in_broken_games_alone_hears_what_was_left_out() {
        let text = pgn("Anna", "B", "2000.01.01", "1. e4 Ke4 *");
        let error = read(&text, "Anna").expect_err("no game").to_string();
        assert!(
            error.starts_with("left out: games.pgn, game 1: "),
            "{error}"
        );
        assert!(
            error.ends_with("there is no player named \"Anna\" in these games"),
            "{error}"
        );
    }

    #[test]
    fn nobody_of_the_name_is_an_error_and_so_is_no_game() {
        let text = pgn("A", "B", "2000.01.01", "1. e4 *");
        let error = read(&text, "Tal").expect_err("no Tal");
        assert!(error.to_string().contains("\"Tal\""), "{error}");
        assert!(read("", "Tal").is_err());
        assert!(read("\0\u{feff}[White \"Tal\n{(((", "Tal").is_err());
    }

    #[test]
    fn the_latest_games_are_split_off_and_a_date_stays_together() {
        let dates = ["1990.01.01", "1991.01.01", "1991.01.01", "1992.01.01"];
        let game = |(number, date): (usize, &&str)| {
            pgn("Tal, M", &format!("Other{number}"), date, "1. e4 *")
        };
        let text: String = dates.iter().enumerate().map(game).collect();
        let (kept, later) = read(&text, "Tal").expect("games").split(50);
        assert_eq!((kept.len(), later.len()), (3, 1));
        let (kept, later) = read(&text, "Tal").expect("games").split(0);
        assert_eq!((kept.len(), later.len()), (4, 0));
    }
}
