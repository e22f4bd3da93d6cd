//! `squarewise-lab tune`: fits tables to training games and writes them to a file.
//!
//! The fit itself is in [`squarewise_lab::tuner`]. The file holds its settings and sources as
//! provenance.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use std::{fs, iter};

use anyhow::Context;
use clap::Args;
use clap::builder::PossibleValuesParser;

use super::families::{FAMILIES, families};
use squarewise_desk::named_tables::NamedTables;
use squarewise_desk::output_file;
use squarewise_desk::progress::progress_bar;
use squarewise_desk::terminal::printable;
use squarewise_engine::evaluation::features::Family;
use squarewise_engine::evaluation::file::Document;
use squarewise_engine::evaluation::king_buckets::{self, KingBuckets};
use squarewise_engine::search::stop::StopToken;
use squarewise_lab::game_file;
use squarewise_lab::training_data::TrainingData;
use squarewise_lab::tuner::{self, EpochLosses, Fit, ResumeFile, Settings, VALUED_ROLES};

/// Fits tables to the positions of self-play games. A fit that was stopped is resumed if it is
/// started again with the same settings and games: its state is kept beside the tables, with
/// `.part` behind their name.
#[derive(Debug, Args)]
pub struct Tune {
    /// Files of training games, as `selfplay` writes them.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub(super) data: Vec<PathBuf>,

    /// The file to write the tables to.
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,

    /// Tables to begin with, instead of zero: the name of a shipped set or of a variant, zero, or a
    /// file. Scores are pulled towards theirs, so that new games add to what older ones have
    /// taught.
    #[arg(long, value_name = "TABLES", conflicts_with = "king_buckets")]
    pub(super) from: Option<NamedTables>,

    /// The king buckets of the piece-square tables: a single one (plain, or mirrored with the
    /// king's wing), 16 buckets, or one for every square.
    #[arg(long, value_name = "SCHEME", default_value = "squares",
          value_parser = PossibleValuesParser::new(king_buckets::NAMES))]
    pub(super) king_buckets: String,

    /// Lambda in per cent: the weight of the game's result in the target of a position. The rest is
    /// the weight of the search's score.
    #[arg(long, value_name = "PERCENT", default_value_t = 30,
          value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(super) lambda: u8,

    /// The families of tables to fit besides the piece-square tables; without a name, none. With
    /// --from, families that those tables have scores for are always fitted, so that they keep what
    /// they know.
    #[arg(long, value_name = "FAMILY", num_args = 0.., value_delimiter = ',',
          value_parser = families(), default_values = FAMILIES.map(|(name, ..)| name))]
    pub(super) families: Vec<Family>,

    /// Fit the named families alone: all others keep the scores that the tables have, and so does
    /// the tempo bonus.
    #[arg(long, requires = "from")]
    pub(super) keep_others: bool,

    /// Fit a correction of the tables to begin with, and write it to this file, too. It is the same
    /// in every king bucket and has nothing for pairs of pieces, so that a variant can be played
    /// with tables of chess and a small file.
    #[arg(long, value_name = "FILE", requires = "from")]
    pub(super) correction: Option<PathBuf>,

    /// How strongly the scores of a king bucket are pulled towards the average of all, and those of
    /// all other families but pairs towards zero, as a number of positions. With --from all of them
    /// are pulled towards their scores there.
    #[arg(long, value_name = "POSITIONS", default_value_t = 3_000,
          value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(super) prior: u32,

    /// How strongly the score of a pair is pulled towards what it shares with other pairs, as a
    /// number of positions. With --from its score there is added to that.
    #[arg(long, value_name = "POSITIONS", default_value_t = 5_000,
          value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(super) pair_prior: u32,

    /// How strongly the score shared by pairs of the same pieces at the same distance is pulled
    /// towards zero, as a number of positions.
    #[arg(long, value_name = "POSITIONS", default_value_t = 5_000,
          value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(super) shared_prior: u32,

    /// Passes over the positions, at most.
    #[arg(long, value_name = "N", default_value_t = 40,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(super) epochs: u32,

    /// The seed of the order of positions.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(super) seed: u64,

    /// A note to add to the file's provenance, such as the generation.
    #[arg(long, value_name = "WORDS", default_value = "")]
    pub(super) note: String,
}

impl Tune {
    /// Fits; a signal ends the program, and the same command goes on.
    pub fn run(&self, output: impl Write) -> anyhow::Result<()> {
        self.fit(StopToken::new(), output)
    }

    /// Fits until the token ends the run.
    pub(super) fn fit(&self, stop: StopToken, mut output: impl Write) -> anyhow::Result<()> {
        let correction = self.correction.as_deref();
        output_file::refuse_same(("--out", Some(&self.out)), ("--correction", correction))?;
        // The state of the fit, with which an interrupted one goes on.
        let state = self.out.with_added_extension("part");
        let state_name = ("the state of the fit", Some(state.as_path()));
        output_file::refuse_same(state_name, ("--correction", correction))?;
        let from = self.from.as_ref().and_then(|from| from.path.as_ref());
        let inputs = self.data.iter().chain(from).map(PathBuf::as_path);
        for out in iter::once(&self.out).chain(&self.correction) {
            output_file::refuse_input(out, inputs.clone())?;
            game_file::refuse_to_replace(out, |_| false)?;
            output_file::check(out)?;
        }
        output_file::check(&state)?;
        let (data, sources) = read(&self.data, &|_, _| Ok(()))?;
        let mut settings = self.settings()?;
        settings.stop = stop;
        let settings_in_words = self.settings_in_words(&settings);
        settings.resume = Some(ResumeFile {
            path: state.clone(),
            description: format!("{settings_in_words}{sources}"),
        });
        let positions = data.positions();
        let bar = progress_bar(u64::from(self.epochs), "epoch {pos}/{len}")?;
        let mut last = Instant::now();
        let mut speeds = Vec::new();
        let mut progress = |progress: EpochLosses| {
            let speed = positions as f64 / last.elapsed().as_secs_f64().max(1e-6);
            last = Instant::now();
            if progress.epoch == 1 {
                speeds.clear(); // another step of the fit, with more features than the one before
            }
            speeds.push(speed);
            bar.set_position(u64::from(progress.epoch));
            bar.set_message(format!(
                "loss {:.5} train, {:.5} validation, {speed:.0} positions/s",
                progress.train_loss, progress.validation_loss
            ));
        };
        let fit = tuner::fit(&data, &settings, &mut progress).inspect_err(|error| {
            if error.is_result() {
                // The next fit would be refused because of it. Should it stay, the fit's own error
                // matters more.
                let _ = fs::remove_file(&state);
            }
        })?;
        bar.finish();

        let (note, summary) = (self.note_line(), self.summary(&fit));
        let provenance = format!("{settings_in_words}{note}{sources}{summary}");
        // The tables last: where they are, the fit is done.
        let outputs = [
            (self.correction.as_ref(), fit.correction),
            (Some(&self.out), Some(fit.tables)),
        ];
        for (path, tables) in outputs {
            if let (Some(path), Some(tables)) = (path, tables) {
                let provenance = provenance.clone();
                output_file::write(path, &Document { tables, provenance }.to_bytes())?;
            }
        }
        // The tables are there, so the state of the fit is not needed any more.
        if state.exists() {
            fs::remove_file(&state)?;
        }
        write!(output, "{summary}")?;
        speeds.sort_by(f64::total_cmp);
        // A fit that goes on after its last pass has none.
        if let Some(median) = speeds.get(speeds.len() / 2) {
            writeln!(
                output,
                "{median:.0} positions a second in the median pass of the last step"
            )?;
        }
        Ok(())
    }

    /// The settings of the fit, without a file for its state.
    fn settings(&self) -> anyhow::Result<Settings> {
        let scheme = &self.king_buckets;
        let king_buckets = match &self.from {
            Some(from) => Some(from.tables.layout().king_buckets().clone()),
            None => KingBuckets::named(scheme),
        };
        let king_buckets =
            king_buckets.with_context(|| format!("no king buckets are called '{scheme}'"))?;
        Ok(Settings {
            from: self.from.as_ref().map(|from| Arc::clone(&from.tables)),
            king_buckets,
            lambda: f32::from(self.lambda) / 100.0,
            families: self.families.clone(),
            keep_others: self.keep_others,
            is_correction: self.correction.is_some(),
            prior: self.prior as f32,
            pair_prior: self.pair_prior as f32,
            shared_prior: self.shared_prior as f32,
            epochs: self.epochs,
            seed: self.seed,
            resume: None,
            stop: StopToken::new(),
        })
    }

    fn summary(&self, fit: &Fit) -> String {
        let (train, validation) = fit.positions;
        let mut lines = vec![
            format!("{train} training positions, {validation} validation positions"),
            format!(
                "loss {:.6} train, {:.6} validation at epoch {}",
                fit.best.train_loss, fit.best.validation_loss, fit.best.epoch
            ),
            format!(
                "validation loss for results and scores apart: {:.6}, {:.6} (at first {:.6}, {:.6})",
                fit.apart.after[0], fit.apart.after[1], fit.apart.before[0], fit.apart.before[1]
            ),
            format!(
                "validation loss of the rounded tables: {:.6}",
                fit.apart.rounded
            ),
            format!(
                "scale of the search scores {:.6} per centipawn",
                fit.score_scale
            ),
        ];
        for (role, [middle, end]) in VALUED_ROLES.into_iter().zip(fit.piece_values) {
            lines.push(format!(
                "{role:?}: {middle:.2} pawns in the middlegame, {end:.2} in the endgame"
            ));
        }
        lines.push(format!("tempo {} cp", fit.tables.tempo()));
        lines.join("\n") + "\n"
    }

    /// The line of the provenance with the note; empty without one.
    fn note_line(&self) -> String {
        match self.note.as_str() {
            "" => String::new(),
            note => format!("{note}\n"),
        }
    }

    /// Everything that the fit depends on besides the games: a line.
    fn settings_in_words(&self, settings: &Settings) -> String {
        let is_fitted = |family: Family| {
            settings.fitted_families().any(|fitted| fitted == family) && !settings.keeps(family)
        };
        let fitted = FAMILIES
            .into_iter()
            .filter(|(_, family, _)| is_fitted(*family));
        let families: Vec<&str> = fitted.map(|(name, ..)| name).collect();
        let others = if settings.keep_others {
            " with all others kept"
        } else {
            ""
        };
        let start = match &self.from {
            Some(from) => format!("from the tables {:016x}", from.checksum()),
            None => format!("king buckets {}", self.king_buckets),
        };
        let kind = if settings.is_correction {
            "a correction "
        } else {
            ""
        };
        format!(
            "squarewise {} tune: {kind}{start}, families {}{others}, lambda {} %, priors {}, {}, {}, epochs {}, seed {}\n",
            env!("CARGO_PKG_VERSION"),
            families.join(" "),
            self.lambda,
            self.prior,
            self.pair_prior,
            self.shared_prior,
            self.epochs,
            self.seed
        )
    }
}

/// Reads files of games. Returns their positions, and in words where those come from: a line for
/// each file, and one with a checksum, because files of other games can have the same numbers and
/// descriptions. `check` sees the description of each file.
pub(super) fn read(
    paths: &[PathBuf],
    check: &dyn Fn(&Path, &str) -> anyhow::Result<()>,
) -> anyhow::Result<(TrainingData, String)> {
    let mut data = TrainingData::default();
    let mut sources = String::new();
    for path in paths {
        let before = (data.games(), data.positions());
        let description = game_file::for_each_game(path, |game| data.add(&game))?;
        check(path, &description)?;
        let description = printable(&description);
        let games = data.games() - before.0;
        let positions = data.positions() - before.1;
        sources += &format!("{games} games with {positions} positions: {description}\n");
    }
    sources += &format!("checksum of the games {:016x}\n", data.checksum());
    Ok((data, sources))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::FromArgMatches;
    use shakmaty::{Bitboard, Board, Color};
    use squarewise_lab::game_file::{TrainingGame, Writer};
    use squarewise_lab::training_position::{GameResult, TrainingPosition};
    use tempfile::TempDir;

    /// The subcommand of a command line with these arguments.
    fn tune(arguments: &[&str]) -> Tune {
        let words = ["tune", "--data", "games.bin", "--out", "tables.bin"];
        let words = [words.as_slice(), arguments].concat();
        let matches = Tune::augment_args(clap::Command::new("tune")).try_get_matches_from(words);
        let matches = matches.expect("the arguments are understood");
        Tune::from_arg_matches(&matches).expect("the arguments have their types")
    }

    /// The families that it asks for.
    fn families(arguments: &[&str]) -> Vec<Family> {
        tune(arguments).families
    }

    /// What the state of its fit tells of its settings.
    fn settings_in_words(arguments: &[&str]) -> String {
        let tune = tune(arguments);
        tune.settings_in_words(&tune.settings().expect("a known scheme"))
    }

    #[test]
    fn a_fit_is_resumed_whatever_its_note_and_the_order_of_its_families() {
        let named = |families| settings_in_words(&["--families", families]);
        assert_eq!(
            named("piece-pawns,material"),
            named("material,piece-pawns,material")
        );
        assert_ne!(named("material"), named("passed-pawns"));
        let kept = |families| {
            settings_in_words(&["--from", "attacks", "--keep-others", "--families", families])
        };
        assert_ne!(kept("threats"), kept("mobility"));
        assert!(kept("threats").contains("families threats with all others kept"));
        let noted = settings_in_words(&["--note", "generation 1"]);
        assert_eq!(noted, settings_in_words(&["--note", "generation 2"]));
        assert_ne!(noted, settings_in_words(&["--seed", "2"]));
    }

    #[test]
    fn files_of_other_games_are_told_apart_although_their_numbers_and_descriptions_are_the_same() {
        let folder = TempDir::with_prefix("squarewise-tune-").expect("a folder to write to");
        let sources = |name: &str, score| {
            let path = folder.path().join(name);
            let position = TrainingPosition {
                board: Board::default(),
                turn: Color::White,
                castling_rights: Bitboard::EMPTY,
                en_passant: None,
                score,
                result: GameResult::Draw,
            };
            let game = TrainingGame {
                positions: vec![position],
            };
            let mut writer = Writer::open(&path, "a test").expect("a new file");
            writer.add(&game).expect("a game can be written");
            let (_, sources) = read(&[path], &|_, _| Ok(())).expect("a whole file");
            sources
        };
        let one = sources("one", 10);
        assert!(
            one.starts_with("1 games with 1 positions: a test\n"),
            "{one}"
        );
        assert_eq!(one, sources("copy", 10));
        assert_ne!(one, sources("other", 20));
    }

    #[test]
    fn a_correction_has_a_file_of_its_own() {
        let fit = tune(&["--from", "simplified", "--correction", "tables.bin"]);
        let error = fit.run(Vec::new()).expect_err("one file for both");
        assert!(error.to_string().contains("the same file"), "{error}");
    }

    #[test]
    fn all_families_are_fitted_unless_some_or_none_are_named() {
        let all = FAMILIES.map(|(_, family, _)| family);
        assert_eq!(families(&[]), all);
        assert_eq!(families(&["--families"]), []);
        assert_eq!(families(&["--families", "--lambda", "90"]), []);
        let material = [Family::Material];
        assert_eq!(families(&["--families", "material"]), material);
        let named = "material,passed-pawns,threats,mobility,king-counts,king-danger,passed-paths,\
                     attack-pairs,pawn-pairs,piece-pawns";
        assert_eq!(families(&["--families", named]), all);
    }
}
