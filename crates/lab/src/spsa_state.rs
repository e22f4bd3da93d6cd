//! The state of a run of SPSA, and the file that it is kept in, so that the run can be resumed.
//!
//! The file is text with a line for each item: the number of pairs played (`pairs 120`), the
//! settings of the run (`nodes 8000`), and every parameter of the search with its value and its
//! surplus (`RFP_MARGIN 81.25 -3`). Numbers are written with all their digits, so that a state is
//! read back as it was.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use anyhow::{Context, anyhow, bail};

use squarewise_desk::output_file;
use squarewise_desk::text_encoding;
use squarewise_engine::search::parameters::{ALL, Parameter};

/// The largest state file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The name of the line with the number of pairs.
const PAIRS: &str = "pairs";

/// Elo points for a surplus of one game won per game played: the slope of the rating curve at a
/// score of one half, 400 * 4 / ln 10, halved because a win adds half a point to an expected half.
const ELO_PER_SURPLUS: f64 = 347.4;
/// The standard deviation of a game's result (-1, 0 or 1) between equals who draw a third of their
/// games.
const RESULT_DEVIATION: f64 = 0.82;

/// The settings that a run must be resumed with, because what it has found depends on them: each by
/// its name, with its value in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSettings(pub(super) Vec<(&'static str, String)>);

/// The state of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Pairs played.
    pub pairs: u32,
    /// The values, in the order of [`ALL`].
    pub values: Vec<f64>,
    /// For each parameter, the games won minus those lost by the sets with the higher value.
    pub surplus: Vec<i64>,
}

impl State {
    /// The state before the first pair: the values that the engine plays with.
    pub fn first() -> State {
        let values = ALL.iter().map(|parameter| f64::from(parameter.default));
        State {
            pairs: 0,
            values: values.collect(),
            surplus: vec![0; ALL.len()],
        }
    }

    /// The gain of sets with the higher value of a parameter over those with the lower one, and
    /// twice its standard error, both in Elo points.
    pub fn gain(&self, index: usize) -> (f64, f64) {
        let games = 2.0 * f64::from(self.pairs.max(1));
        let mean = self.surplus[index] as f64 / games;
        (
            ELO_PER_SURPLUS * mean,
            ELO_PER_SURPLUS * 2.0 * RESULT_DEVIATION / games.sqrt(),
        )
    }

    /// Reads the file of a run with these settings, which [`State::write`] wrote.
    pub fn read(path: &Path, settings: &RunSettings) -> anyhow::Result<State> {
        let read = || {
            let text = text_encoding::read_to_string(path, MAX_FILE_BYTES)?;
            State::parse(&text, settings)
        };
        read().with_context(|| path.display().to_string())
    }

    fn parse(text: &str, settings: &RunSettings) -> anyhow::Result<State> {
        let damaged = |name: &str, value: &str| {
            anyhow!(
                "'{name} {value}' is neither a setting of the run nor a parameter of the search with its value"
            )
        };
        let mut lines = BTreeMap::new();
        for line in text.lines() {
            let line = line.split_once(' ').unwrap_or((line, ""));
            lines.insert(line.0, line.1);
        }
        if !text.ends_with('\n') {
            bail!("the file is cut short");
        }
        // One is missing in a file of a version without this setting or parameter.
        let mut take = |name: &'static str| {
            let line = lines.remove(name);
            line.with_context(|| format!("the file has no line for {name}"))
        };
        let pairs = take(PAIRS)?;
        let pairs = pairs.parse().map_err(|_| damaged(PAIRS, pairs))?;
        for (name, wanted) in &settings.0 {
            let found = take(name)?;
            if found != wanted {
                bail!(
                    "the run was begun with {name} '{found}', not '{wanted}'; choose another file for another run"
                );
            }
        }
        let parameters = ALL.iter().map(|parameter: &&Parameter| {
            let numbers = take(parameter.name)?;
            parsed(numbers).ok_or_else(|| damaged(parameter.name, numbers))
        });
        let (values, surplus) = parameters.collect::<anyhow::Result<_>>()?;
        // What is left is a parameter that the search has no longer, or no state at all.
        if let Some((name, value)) = lines.into_iter().next() {
            return Err(damaged(name, value));
        }
        Ok(State {
            pairs,
            values,
            surplus,
        })
    }

    /// Writes the state of a run with these settings to a file. An older state stays until this one
    /// is complete.
    pub fn write(&self, path: &Path, settings: &RunSettings) -> io::Result<()> {
        let mut text = format!("{PAIRS} {}\n", self.pairs);
        for (name, value) in &settings.0 {
            text += &format!("{name} {value}\n");
        }
        for ((parameter, value), surplus) in ALL.iter().zip(&self.values).zip(&self.surplus) {
            text += &format!("{} {value} {surplus}\n", parameter.name);
        }
        output_file::write(path, text.as_bytes())
    }
}

/// The value and the surplus of a parameter.
fn parsed(numbers: &str) -> Option<(f64, i64)> {
    let (value, surplus) = numbers.split_once(' ')?;
    let value: f64 = value.parse().ok()?;
    Some((value, surplus.parse().ok()?)).filter(|_| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;
    use tempfile::TempDir;

    fn settings(nodes: &str) -> RunSettings {
        RunSettings(vec![("nodes", nodes.to_owned()), ("seed", "1".to_owned())])
    }

    /// A folder, and the name of a file in it.
    fn place() -> (TempDir, PathBuf) {
        let folder = TempDir::with_prefix("squarewise-").expect("a folder to write to");
        let path = folder.path().join("values");
        (folder, path)
    }

    /// A state with values that no few digits tell.
    fn state() -> State {
        let mut state = State::first();
        state.pairs = 12;
        for (number, value) in state.values.iter_mut().enumerate() {
            *value += 1.0 / (3.0 + number as f64);
        }
        state.surplus[0] = -5;
        state
    }

    /// What is wrong with a text.
    fn fault(text: &str) -> String {
        let (_folder, path) = place();
        fs::write(&path, text).expect("a file can be written");
        let error = State::read(&path, &settings("8000")).expect_err("it is no state of this run");
        assert_eq!(error.to_string(), path.display().to_string());
        error.root_cause().to_string()
    }

    /// The text of a state.
    fn text() -> String {
        let (_folder, path) = place();
        let written = state().write(&path, &settings("8000"));
        written.expect("a file can be written");
        fs::read_to_string(&path).expect("what was written")
    }

    #[test]
    fn a_state_is_read_back_to_the_last_digit() {
        let (_folder, path) = place();
        let settings = settings("8000");
        state().write(&path, &settings).expect("a file");
        assert_eq!(State::read(&path, &settings).expect("a state"), state());
    }

    #[test]
    fn a_run_with_another_setting_is_refused_and_the_setting_named() {
        let (_folder, path) = place();
        state().write(&path, &settings("8000")).expect("a file");
        let error = State::read(&path, &settings("9000")).expect_err("another run");
        let expected = "the run was begun with nodes '8000', not '9000'";
        assert!(format!("{error:#}").contains(expected), "{error:#}");
    }

    #[test]
    fn a_missing_line_is_named() {
        let names = [PAIRS, "nodes", "seed", ALL[0].name, ALL[ALL.len() - 1].name];
        for name in names {
            let text = text();
            let start = format!("{name} ");
            let lines = text.lines().filter(|line| !line.starts_with(&start));
            let rest: String = lines.map(|line| format!("{line}\n")).collect();
            let fault = fault(&rest);
            assert_eq!(fault, format!("the file has no line for {name}"));
        }
    }

    #[test]
    fn a_file_that_is_cut_short_anywhere_is_refused() {
        let text = text();
        for length in 1..text.len() {
            let is_line_whole = text[..length].ends_with('\n');
            let expected = match is_line_whole {
                true => "the file has no line for ",
                false => "the file is cut short",
            };
            let fault = fault(&text[..length]);
            assert!(fault.starts_with(expected), "{length} bytes: {fault}");
        }
    }

    #[test]
    fn lines_that_make_no_sense_are_named() {
        let text = text();
        let first = text.lines().nth(3).expect("the first parameter");
        for (line, wrong) in [
            ("pairs 12", "pairs many".to_owned()),
            (first, format!("{} much 2", ALL[0].name)),
            (first, format!("{} NaN 2", ALL[0].name)),
            (first, format!("{} 2", ALL[0].name)),
        ] {
            let fault = fault(&text.replace(line, &wrong));
            assert!(
                fault.starts_with(&format!("'{wrong}' is neither ")),
                "{fault}"
            );
        }
        let with_another = text + "NO_SUCH_PARAMETER 1 2\n";
        assert!(fault(&with_another).starts_with("'NO_SUCH_PARAMETER 1 2' is neither "));
    }
}
