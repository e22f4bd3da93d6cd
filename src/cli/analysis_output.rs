//! Where analyzed games go: to standard output in words, into an annotated PGN file, into a report.

use std::io::{self, Write};
use std::path::PathBuf;

use super::analysis_text::{write_summary, write_table, write_totals};
use super::tell::tell;
use squarewise_desk::analysis::batch::DoneGame;
use squarewise_desk::analysis::{AnalyzedGame, Totals, annotate};
use squarewise_desk::output_file::{self, OutputFile};
use squarewise_desk::pgn::{GameError, writer};
use squarewise_desk::report::{self, Overview};
use squarewise_desk::terminal::{Style, counted, printable};

/// How many broken games are reported one by one.
const REPORTED_GAMES: usize = 20;

/// The files to write.
pub(super) struct OutputFiles {
    pub(super) pgn: Option<OutputFile>,
    pub(super) html: Option<OutputFile>,
    /// The number of games written.
    pub(super) games: usize,
    pub(super) totals: Totals,
    /// The rows of the games in the report.
    pub(super) overview: Overview,
}

impl OutputFiles {
    pub(super) fn are_some(&self) -> bool {
        self.pgn.is_some() || self.html.is_some()
    }

    pub(super) fn add(&mut self, number: usize, game: &AnalyzedGame) -> io::Result<()> {
        if let Some(pgn) = &mut self.pgn {
            writer::write(&annotate(game), pgn)?;
        }
        if let Some(html) = &mut self.html {
            report::add_game(html, number, self.games, game)?;
            self.overview.add(number, game);
        }
        self.games += 1;
        self.totals.add(game);
        Ok(())
    }

    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.finish_each(OutputFile::finish).map(drop)
    }

    /// Keeps the games so far under other names, which are returned.
    fn finish_as_partial(&mut self) -> io::Result<Vec<PathBuf>> {
        self.finish_each(OutputFile::finish_as_partial)
    }

    /// Finishes all files before the error of one is told.
    fn finish_each<T>(&mut self, finish: fn(OutputFile) -> io::Result<T>) -> io::Result<Vec<T>> {
        let html = self.html.take().map(|mut html| {
            // A page without its end takes no file's place.
            report::end(&mut html, &self.overview, &self.totals)?;
            finish(html)
        });
        let pgn = self.pgn.take().map(finish);
        let is_kept = |finished: &io::Result<T>| match finished {
            Ok(_) => true,
            Err(error) => output_file::is_of_kept_file(error),
        };
        let is_any_kept = [&pgn, &html].into_iter().flatten().any(is_kept);
        let games = self.games;
        let told = |error| {
            if is_any_kept {
                error
            } else {
                lost(&error, games)
            }
        };
        let finished: io::Result<Vec<T>> = [pgn, html].into_iter().flatten().collect();
        finished.map_err(told)
    }
}

/// Where the games go when they are done.
pub(super) struct AnalysisOutput<W> {
    pub(super) output: W,
    pub(super) is_output_closed: bool,
    pub(super) style: Style,
    /// Whether all moves of a game are shown.
    pub(super) is_table: bool,
    pub(super) files: OutputFiles,
    /// Whether there are files to write, so that the output is not all that counts.
    pub(super) has_files: bool,
    /// Whether a game couldn't be written to one of them.
    pub(super) has_failed_file: bool,
    pub(super) analyzed: usize,
    pub(super) skipped: usize,
    pub(super) remarks: usize,
}

impl<W: Write> AnalysisOutput<W> {
    pub(super) fn add(&mut self, done: DoneGame) -> io::Result<()> {
        for remark in &done.remarks {
            self.remark(done.number, remark);
        }
        match done.game {
            Ok(game) => {
                if let Err(error) = self.files.add(done.number, &game) {
                    self.has_failed_file = true;
                    return Err(lost(&error, self.analyzed));
                }
                self.analyzed += 1;
                self.show(done.number, &game)
            }
            Err(error) => {
                self.skipped += 1;
                self.report(done.number, &error);
                Ok(())
            }
        }
    }

    /// Shows a game on the output. If nobody reads it any more, like `head`, the files are still
    /// written.
    fn show(&mut self, number: usize, game: &AnalyzedGame) -> io::Result<()> {
        if self.is_output_closed {
            return Ok(());
        }
        let written = if self.is_table {
            write_table(&mut self.output, game, self.style)
        } else {
            write_summary(&mut self.output, number, game, self.style)
        };
        let written = written.and_then(|()| self.output.flush());
        self.unless_closed(written)
    }

    /// The result of writing to the output, unless nobody reads it but files remain to be written.
    fn unless_closed(&mut self, written: io::Result<()>) -> io::Result<()> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && self.has_files => {
                self.is_output_closed = true;
                Ok(())
            }
            result => result,
        }
    }

    /// Reports a broken game on stderr.
    fn report(&self, number: usize, error: &GameError) {
        match self.skipped {
            ..=REPORTED_GAMES => {
                let reason = error.to_string();
                tell(&format!("game {number} is skipped: {}", printable(&reason)));
            }
            skipped if skipped == REPORTED_GAMES + 1 => tell("further games are skipped, too"),
            _ => (),
        }
    }

    /// Tells on stderr what of a game was not read as it stands.
    fn remark(&mut self, number: usize, remark: &str) {
        self.remarks += 1;
        match self.remarks {
            ..=REPORTED_GAMES => tell(&format!("game {number}: {}", printable(remark))),
            remarks if remarks == REPORTED_GAMES + 1 => tell("there are further remarks"),
            _ => (),
        }
    }

    pub(super) fn finish(mut self, name: &str) -> io::Result<()> {
        let skipped = games(self.skipped);
        match (self.analyzed, self.skipped) {
            (0, 0) => return Err(io::Error::other(format!("{name}: there are no games"))),
            (0, 1) => {
                let reason = format!("{name}: its only game can't be read");
                return Err(io::Error::other(reason));
            }
            (0, _) => {
                let reason = format!("{name}: none of {skipped} can be read");
                return Err(io::Error::other(reason));
            }
            _ => (),
        }
        // The files first: an output that is full costs nothing of them.
        self.files.finish()?;
        if self.analyzed > 1 && !self.is_output_closed {
            let written = write_totals(&mut self.output, &self.files.totals, self.style);
            self.unless_closed(written)?;
        }
        if self.skipped > 0 {
            tell(&format!(
                "{} analyzed, {skipped} skipped",
                games(self.analyzed)
            ));
        } else if !self.is_table && !self.is_output_closed {
            writeln!(self.output, "{} analyzed", games(self.analyzed))?;
        }
        Ok(())
    }

    /// Ends an analysis that was interrupted.
    pub(super) fn leave(mut self) -> io::Result<()> {
        let games = games(self.analyzed);
        let kept = self.keep_so_far()?;
        Err(io::Error::other(format!("interrupted after {games}{kept}")))
    }

    /// Ends an analysis that has failed, unless it was at one of the files.
    pub(super) fn fail(mut self, error: io::Error) -> io::Error {
        if self.has_failed_file {
            return error;
        }
        match self.keep_so_far().as_deref() {
            Ok("") => error,
            Ok(kept) => io::Error::new(error.kind(), format!("{error}{kept}")),
            Err(further) => io::Error::new(error.kind(), format!("{error}; {further}")),
        }
    }

    /// Keeps the games so far beside the files that would have been written. Returns in words where
    /// they are; nothing if there are none.
    fn keep_so_far(&mut self) -> io::Result<String> {
        let partial = match self.analyzed {
            0 => Vec::new(),
            _ => self.files.finish_as_partial()?,
        };
        let names: Vec<String> = partial
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        Ok(match names.as_slice() {
            [] => String::new(),
            names => format!("; they are in {}", names.join(" and ")),
        })
    }
}

/// The error of a file that can't be written, with what that costs.
fn lost(error: &io::Error, analyzed: usize) -> io::Error {
    let games = games(analyzed);
    let reason = format!("{error}; no file is kept of the {games} analyzed so far");
    io::Error::new(error.kind(), reason)
}

/// `1 game`, `2 games`.
pub(super) fn games(count: usize) -> String {
    counted(count, "game")
}
