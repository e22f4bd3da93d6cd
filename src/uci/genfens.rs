//! The command `genfens` as OpenBench sends it: `genfens N seed S book FILE|None`, followed by
//! `plies N` if the data workload asks for that.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use super::error::CommandError;
use crate::genfens::{MAX_PLIES, Plan};

/// The most positions that can be asked for at once.
const MAX_COUNT: u32 = 1_000_000;

/// Parses the words after `genfens`. Only the seed and the number of positions are needed. An
/// unknown word is an error, because it is a mistake in the settings of a whole workload.
pub(super) fn parse(words: &[&str]) -> Result<Plan, CommandError> {
    let (count, mut rest) = match words {
        [count, rest @ ..] => (number_in("genfens", count, 1..=MAX_COUNT)?, rest),
        [] => return Err(CommandError::MissingValue("genfens")),
    };
    let mut seed = None;
    let mut plan = Plan {
        count,
        seed: 0,
        book: None,
        plies: None,
    };
    while let [word, after @ ..] = rest {
        let word = ["seed", "book", "plies"]
            .into_iter()
            .find(|name| name == word)
            .ok_or_else(|| CommandError::BadGenfens((*word).to_owned()))?;
        let [value, after @ ..] = after else {
            return Err(CommandError::MissingValue(word));
        };
        match word {
            "seed" => seed = Some(number_in(word, value, 0..=u32::MAX)?),
            "plies" => plan.plies = Some(number_in(word, value, 0..=MAX_PLIES)?),
            _ => {
                let is_none = value.eq_ignore_ascii_case("none");
                plan.book = (!is_none).then(|| PathBuf::from(value));
            }
        }
        rest = after;
    }
    plan.seed = seed.ok_or(CommandError::MissingValue("seed"))?;
    Ok(plan)
}

/// Reads a number within a range.
pub(super) fn number_in(
    word: &'static str,
    value: &str,
    range: RangeInclusive<u32>,
) -> Result<u32, CommandError> {
    let number = value.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| CommandError::OutOfRange {
        word,
        value: value.to_owned(),
        min: *range.start(),
        max: *range.end(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Plan, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        parse(&words).map_err(|error| error.to_string())
    }

    #[test]
    fn the_words_of_openbench_are_understood() {
        let plan = Plan {
            count: 64,
            seed: 2_147_483_646,
            book: None,
            plies: None,
        };
        assert_eq!(parsed("64 seed 2147483646 book None "), Ok(plan.clone()));
        let with_book = Plan {
            book: Some(PathBuf::from("Books/8moves_v3.epd")),
            plies: Some(2),
            ..plan
        };
        let words = "64 seed 2147483646 book Books/8moves_v3.epd plies 2";
        assert_eq!(parsed(words), Ok(with_book));
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        for (words, offender) in [
            ("", "'genfens' needs a value"),
            ("many seed 1 book None", "'genfens' can't be 'many'"),
            ("0 seed 1 book None", "from 1 to 1000000"),
            ("8 book None", "'seed' needs a value"),
            ("8 seed", "'seed' needs a value"),
            ("8 seed -1 book None", "'seed' can't be '-1'"),
            ("8 seed 1 book", "'book' needs a value"),
            ("8 seed 1 book None deep", "'genfens' can't be 'deep'"),
            ("8 seed 1 plies 101", "from 0 to 100"),
        ] {
            let error = parsed(words).expect_err("a mistake");
            assert!(error.contains(offender), "{words}: {error}");
            // OpenBench would read a message that begins like this as a position.
            assert!(!error.starts_with("genfens "), "{error}");
        }
    }
}
