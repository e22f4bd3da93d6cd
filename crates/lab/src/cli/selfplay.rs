//! `squarewise-lab selfplay`: plays training games and writes them to a file.
//!
//! The games themselves are played by [`squarewise_lab::selfplay`].

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::playing::Playing;
use squarewise_desk::interrupt;
use squarewise_desk::named_tables::NamedTables;
use squarewise_desk::process::unless_closed;
use squarewise_desk::progress::progress_bar;
use squarewise_engine::search::stop::StopToken;
use squarewise_lab::openings::Openings;
use squarewise_lab::selfplay::{self, Plan};

/// Plays games of the engine against itself and writes their quiet positions to a file for `tune`.
/// A run that was stopped is resumed if it is started again with the same settings.
#[derive(Debug, Args)]
pub struct SelfPlay {
    /// The number of games in all.
    #[arg(long, value_name = "N")]
    pub(super) games: u32,

    /// Nodes for each move: the iteration in which they are reached is the last.
    #[arg(long, value_name = "N", default_value_t = 5_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: u64,

    /// The file to write the games to.
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,

    #[command(flatten)]
    pub(super) playing: Playing,

    /// The tables to play with: the name of a shipped set or of a variant, zero, or a
    /// file.
    #[arg(long, value_name = "TABLES", default_value = "zero")]
    pub(super) tables: NamedTables,

    /// The share of games that begin off the usual paths: in the middle of another game, after a
    /// few random moves.
    #[arg(long, value_name = "PERCENT", default_value_t = 0,
          value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(super) detours: u8,

    /// Play every game to its end by the rules, and keep all positions whose score is not decisive:
    /// for `wdl`.
    #[arg(long)]
    pub(super) whole_games: bool,
}

impl SelfPlay {
    pub fn run(&self, output: impl Write) -> anyhow::Result<()> {
        self.play(interrupt::stop_token()?, output)?;
        Ok(())
    }

    /// Plays the games until the token ends the run. Returns the number of games in the file, which
    /// can have held more than are asked for.
    pub(super) fn play(&self, stop: StopToken, mut output: impl Write) -> anyhow::Result<u32> {
        let plan = Plan {
            games: self.games,
            nodes: self.nodes,
            seed: self.playing.seed,
            threads: self.playing.threads(),
            openings: self.playing.openings()?,
            detours: self.detours,
            tables: self.playing.tables(&self.tables),
            whole_games: self.whole_games,
            stop,
        };
        let bar = progress_bar(u64::from(self.games), "{pos}/{len} games")?;
        let (began, mut before, mut total) = (Instant::now(), None, (0, 0));
        let mut progress = |games: u32, positions: u64| {
            if before.is_none() && (1..self.games).contains(&games) {
                let path = self.out.display();
                let note = format!("{path} holds {games} games; the run goes on from there");
                // If nobody reads it, that is no reason to stop.
                let _ = bar.suspend(|| writeln!(io::stderr(), "{note}"));
            }
            let at_first = *before.get_or_insert(positions);
            let seconds = began.elapsed().as_secs_f64().max(0.001);
            let speed = (positions - at_first) as f64 / seconds;
            bar.set_position(u64::from(games));
            bar.set_message(format!("{positions} positions, {speed:.0}/s"));
            total = (games, positions);
        };
        selfplay::run(
            &plan,
            &self.out,
            &self.description(&plan.openings),
            &mut progress,
        )?;
        bar.finish();
        let (games, positions) = total;
        // Who reads it no longer may still want what comes of the games.
        unless_closed(writeln!(
            output,
            "{games} games with {positions} positions in {}",
            self.out.display()
        ))?;
        Ok(games)
    }

    /// The settings of the games, as their file and tables that are fitted to them name them.
    pub(super) fn settings_in_words(&self) -> anyhow::Result<String> {
        Ok(self.description(&self.playing.openings()?))
    }

    /// The settings that the games depend on. A run is resumed only if they are the same. The
    /// program's version isn't among them: a newer program resumes the run, although it may play
    /// other games.
    fn description(&self, openings: &Openings) -> String {
        let openings = self.playing.openings_in_words(openings);
        let detours = match self.detours {
            0 => String::new(),
            percent => format!(" detours {percent} %"),
        };
        let kind = if self.whole_games {
            selfplay::WHOLE_GAMES
        } else {
            ""
        };
        format!(
            "seed {} nodes {} openings {openings} tables {:016x}{detours}{kind}",
            self.playing.seed,
            self.nodes,
            self.tables.checksum(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::FromArgMatches;
    use squarewise_engine::position::rules::Variant;
    use squarewise_lab::selfplay::variant_of;

    /// What a file of games says of itself that were played with these arguments.
    fn description(arguments: &[&str]) -> String {
        let words = ["selfplay", "--games", "1", "--out", "games.bin"];
        let words = [words.as_slice(), arguments].concat();
        let command = SelfPlay::augment_args(clap::Command::new("selfplay"));
        let matches = command.try_get_matches_from(words);
        let matches = matches.expect("the arguments are understood");
        let selfplay = SelfPlay::from_arg_matches(&matches).expect("they have their types");
        let openings = selfplay.playing.openings().expect("no book is read");
        selfplay.description(&openings)
    }

    #[test]
    fn a_file_of_games_tells_their_variant() {
        for variant in Variant::ALL {
            let name = variant.to_string();
            for more in [[].as_slice(), &["--whole-games", "--detours", "30"]] {
                let arguments = [["--variant", &name].as_slice(), more].concat();
                assert_eq!(variant_of(&description(&arguments)), variant);
            }
        }
        let of_chess960 = description(&["--chess960", "30"]);
        assert_eq!(variant_of(&of_chess960), Variant::Chess);
        let imported = "imported from best of torpedo tables x.pgn";
        assert_eq!(variant_of(imported), Variant::Chess);
    }
}
