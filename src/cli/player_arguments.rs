//! The arguments of `squarewise play` that say who plays, and how strong.

use std::str::FromStr;

use shakmaty::Color;

use squarewise_desk::terminal::printable;
use squarewise_engine::search::strength::ELO_RANGE;

/// How strong the engine is to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rating {
    Elo(u32),
    OfStyle,
}

impl FromStr for Rating {
    type Err = String;

    fn from_str(text: &str) -> Result<Rating, String> {
        match text.parse() {
            Ok(elo) if ELO_RANGE.contains(&elo) => Ok(Rating::Elo(elo)),
            _ if text.eq_ignore_ascii_case("own") => Ok(Rating::OfStyle),
            _ => Err(format!(
                "{text} is neither a rating from {} to {} nor the word own",
                ELO_RANGE.start(),
                ELO_RANGE.end()
            )),
        }
    }
}

/// Who plays a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayerKind {
    Person(String),
    OwnEngine,
    Child(String),
}

impl PlayerKind {
    pub(super) fn is_person(&self) -> bool {
        matches!(self, PlayerKind::Person(_))
    }
}

/// Reads a player.
pub(super) fn player_kind(text: &str) -> Result<PlayerKind, String> {
    let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
    let has_rest = !rest.trim().is_empty();
    match kind {
        "human" if has_rest => Ok(PlayerKind::Person(printable(rest.trim()).into_owned())),
        "human" => Ok(PlayerKind::Person("Human".to_owned())),
        "engine" if text == "engine" => Ok(PlayerKind::OwnEngine),
        "uci" if has_rest => Ok(PlayerKind::Child(rest.to_owned())),
        _ => Err("expected human, engine, or uci:COMMAND".to_owned()),
    }
}

/// Reads the color of a side.
pub(super) fn side(text: &str) -> Result<Color, String> {
    match text.to_lowercase().as_str() {
        "white" | "w" => Ok(Color::White),
        "black" | "b" => Ok(Color::Black),
        _ => Err("expected white or black".to_owned()),
    }
}

/// Reads an option of another engine.
pub(super) fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_people_this_engine_or_commands() {
        let person = |name: &str| Ok(PlayerKind::Person(name.to_owned()));
        assert_eq!(player_kind("human"), person("Human"));
        assert_eq!(player_kind("human:Anna B."), person("Anna B."));
        assert_eq!(player_kind("engine"), Ok(PlayerKind::OwnEngine));
        let command = PlayerKind::Child("/usr/bin/x --uci:y".to_owned());
        assert_eq!(player_kind("uci:/usr/bin/x --uci:y"), Ok(command));
        for text in [
            "",
            "Human",
            "uci",
            "uci:",
            "uci: ",
            "engine:strong",
            "stockfish",
        ] {
            assert!(player_kind(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_rating_is_in_range_or_that_of_the_style() {
        assert_eq!("1500".parse(), Ok(Rating::Elo(1_500)));
        assert_eq!("Own".parse(), Ok(Rating::OfStyle));
        for text in ["", "499", "3001", "-1500", "owner"] {
            assert!(text.parse::<Rating>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn options_are_names_and_values() {
        let option_of = |name: &str, value: &str| Ok((name.to_owned(), value.to_owned()));
        assert_eq!(option("Skill Level=3"), option_of("Skill Level", "3"));
        assert_eq!(option("SyzygyPath="), option_of("SyzygyPath", ""));
        assert!(option("Skill Level 3").is_err());
        assert!(option("=3").is_err());
    }
}
