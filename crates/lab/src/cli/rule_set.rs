//! `squarewise-lab rule-set`: learns the tables of a rule set from zero, or a correction of others,
//! generation by generation.
//!
//! A generation is a run of `selfplay` with the tables of the one before and a run of `tune`. Both
//! go on where they were stopped, and so does the whole.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::playing::Playing;
use super::selfplay::SelfPlay;
use super::tune::Tune;
use squarewise_desk::interrupt;
use squarewise_desk::named_tables::NamedTables;
use squarewise_desk::process::unless_closed;
use squarewise_engine::evaluation::features::Family;
use squarewise_engine::evaluation::file::Document;
use squarewise_engine::position::rules::Variant;
use squarewise_engine::search::MAX_THREADS;
use squarewise_engine::search::stop::StopToken;

/// Learns the tables of a rule set from zero: plays games, fits tables to them, and plays the next
/// games with these. With --from it learns what the rule set adds to other tables. A run that was
/// stopped goes on if it is started again.
#[derive(Debug, Args)]
pub struct RuleSet {
    /// The rule set: chess, nocastle, nocastle10, pawnone, stalematewin, torpedo, semitorpedo,
    /// pawnback, pawnsideways or selfcapture.
    #[arg(value_name = "NAME")]
    variant: Variant,

    /// The folder for the games and the tables of each generation: games-0.bin, tables-0.bin, and
    /// so on. It is made if it isn't there.
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,

    /// Tables to correct, instead of beginning from zero: the name of a shipped set, or a file.
    /// Each generation also writes its correction alone, correction-0.bin and so on.
    #[arg(long, value_name = "TABLES")]
    from: Option<NamedTables>,

    /// The number of generations.
    #[arg(long, value_name = "N", default_value_t = 6,
          value_parser = clap::value_parser!(u32).range(1..=100))]
    generations: u32,

    /// The number of games in each generation.
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Nodes for each move: the iteration in which they are reached is the last.
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// The number of threads to play on.
    #[arg(long, value_name = "T", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
}

impl RuleSet {
    pub fn run(&self, output: impl Write) -> anyhow::Result<()> {
        self.learn(interrupt::stop_token()?, output)
    }

    /// Learns until the token ends the run.
    fn learn(&self, stop: StopToken, mut output: impl Write) -> anyhow::Result<()> {
        let folder = &self.folder;
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        for generation in 0..self.generations {
            let tables = self.file("tables", generation);
            if tables.exists() {
                self.check_finished(&tables, generation)?;
                unless_closed(writeln!(output, "generation {generation} is there"))?;
                continue;
            }
            let fit = self.fit_of(generation, tables);
            let mut earlier = fit.data.iter().take(fit.data.len() - 1);
            if let Some(games) = earlier.find(|games| !games.exists()) {
                anyhow::bail!("{}, which the fit needs, is not there", games.display());
            }
            unless_closed(writeln!(output, "generation {generation}"))?;
            let of_generation = self.games_of(generation)?;
            let games = of_generation.play(stop.clone(), &mut output)?;
            // Tables that are fitted to them would be refused by the next run.
            anyhow::ensure!(
                games <= self.games,
                "{}: {games} games, more than {}; give --games {games}, or choose another folder",
                of_generation.out.display(),
                self.games
            );
            fit.fit(stop.clone(), &mut output)?;
        }
        Ok(())
    }

    /// Refuses the tables of another rule set, of a run that began with others, as a folder of the
    /// wrong name has them, or of other games.
    fn check_finished(&self, tables: &Path, generation: u32) -> anyhow::Result<()> {
        let name = tables.display();
        let document = Document::read(tables).with_context(|| name.to_string())?;
        let note = self.note(generation);
        anyhow::ensure!(
            document.provenance.lines().any(|line| line == note),
            "{name}: not the {note}; choose another folder"
        );
        let settings = self.games_of(generation)?.settings_in_words()?;
        let (before, after) = (
            format!("{} games with ", self.games),
            format!(": {settings}"),
        );
        let is_of_games = |line: &str| line.starts_with(&before) && line.ends_with(&after);
        anyhow::ensure!(
            document.provenance.lines().any(is_of_games),
            "{name}: fitted to other games than {} with {settings}; choose another folder",
            self.games
        );
        Ok(())
    }

    /// What the provenance of a generation says of it.
    fn note(&self, generation: u32) -> String {
        let begin = self.from.as_ref().map_or_else(String::new, |from| {
            format!(", added to tables {:016x}", from.checksum())
        });
        format!("generation {generation} of {}{begin}", self.variant)
    }

    /// The games of a generation, played with the tables of the one before.
    fn games_of(&self, generation: u32) -> anyhow::Result<SelfPlay> {
        let tables = match (generation.checked_sub(1), &self.from) {
            (Some(before), _) => {
                let tables = self.file("tables", before);
                NamedTables::read(&tables).with_context(|| tables.display().to_string())?
            }
            (None, Some(from)) => from.clone(),
            (None, None) => "zero".parse::<NamedTables>().map_err(anyhow::Error::msg)?,
        };
        Ok(SelfPlay {
            games: self.games,
            nodes: self.nodes,
            out: self.file("games", generation),
            playing: Playing {
                threads: self.threads,
                seed: u64::from(generation) + 1,
                book: None,
                chess960: 0,
                variant: self.variant,
            },
            tables,
            detours: 0,
            whole_games: false,
        })
    }

    /// The fit of a generation, of a correction or from zero.
    ///
    /// A correction is fitted to the games of all generations, and to their results above all,
    /// since their scores know no more than the tables that it corrects. From zero the first
    /// generations have seen hardly more than mates, so that only results teach them something;
    /// later ones know what a score is worth. A family of tables is added when the scores are good
    /// enough to learn it from.
    fn fit_of(&self, generation: u32, out: PathBuf) -> Tune {
        use Family::*;
        const ATTACKS: [Family; 7] = [
            Material,
            PassedPawns,
            Threats,
            Mobility,
            KingCounts,
            KingDanger,
            PassedPaths,
        ];
        let knows_scores = generation >= 3;
        let (lambda, families, first, epochs): (_, &[_], _, _) = match (&self.from, generation) {
            (Some(_), _) => (70, &[], 0, 10),
            (None, 0 | 1) => (100, &[], generation, 40),
            (None, 2) => (80, &[Material], generation, 40),
            (None, 3) => (60, &ATTACKS, generation - 1, 20),
            (None, _) => (40, &ATTACKS, generation - 1, 20),
        };
        Tune {
            data: (first..=generation)
                .map(|played| self.file("games", played))
                .collect(),
            out,
            from: self.from.clone(),
            king_buckets: if knows_scores { "mirrored" } else { "plain" }.to_owned(),
            lambda,
            families: families.to_vec(),
            keep_others: false,
            correction: self
                .from
                .as_ref()
                .map(|_| self.file("correction", generation)),
            prior: 3_000,
            pair_prior: 5_000,
            shared_prior: 5_000,
            epochs,
            seed: 1,
            note: self.note(generation),
        }
    }

    /// The file of a generation's games or tables.
    fn file(&self, kind: &str, generation: u32) -> PathBuf {
        self.folder.join(format!("{kind}-{generation}.bin"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Chess;
    use squarewise_engine::evaluation::Tables;
    use squarewise_engine::score::Score;
    use squarewise_lab::game_file::{TrainingGame, Writer};
    use squarewise_lab::training_position::{GameResult, TrainingPosition};
    use tempfile::TempDir;

    /// A run of one generation with this many games.
    fn rule_set(folder: &Path, games: u32) -> RuleSet {
        RuleSet {
            variant: Variant::Torpedo,
            folder: folder.to_owned(),
            from: None,
            generations: 1,
            games,
            nodes: 60,
            threads: 1,
        }
    }

    #[test]
    fn more_games_than_are_asked_for_are_refused_before_the_fit() {
        let folder = TempDir::with_prefix("squarewise-rule-set-").expect("a folder to write to");
        let run = rule_set(folder.path(), 2);
        let of_generation = run.games_of(0).expect("no tables are read");
        let settings = of_generation.settings_in_words().expect("no book is read");
        let mut writer = Writer::open(&of_generation.out, &settings).expect("a new file");
        for score in 0..3 {
            let score = Score::centipawns(score);
            let drawn = TrainingPosition::new(&Chess::default(), score, GameResult::Draw);
            let positions = vec![drawn];
            let written = writer.add(&TrainingGame { positions });
            written.expect("a game can be written");
        }
        drop(writer);
        let error = run.learn(StopToken::new(), Vec::new());
        let error = error.expect_err("three games").to_string();
        assert!(
            error.contains("games-0.bin: 3 games, more than 2; give --games 3"),
            "{error}"
        );
        assert!(!run.file("tables", 0).exists());
    }

    // Elsewhere names of files are text.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_tables_of_a_folder_whose_name_is_no_text_are_read() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;

        let folder = TempDir::with_prefix("squarewise-rule-set-").expect("a folder to write to");
        let latin_1 = folder.path().join(OsStr::from_bytes(b"caf\xe9"));
        fs::create_dir(&latin_1).expect("a folder in it");
        let run = rule_set(&latin_1, 2);
        let path = run.file("tables", 0);
        let document = Document {
            tables: Tables::zero(),
            provenance: String::new(),
        };
        fs::write(&path, document.to_bytes()).expect("the tables can be written");
        let of_generation = run.games_of(1).expect("the tables are read");
        assert_eq!(of_generation.tables.path, Some(path));
    }
}
