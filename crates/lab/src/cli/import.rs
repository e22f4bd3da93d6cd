//! `squarewise-lab import`: turns games that match programs wrote down into training games.
//!
//! Which games and positions are kept is decided in [`squarewise_lab::played_game`].

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context, bail};
use bzip2::bufread::MultiBzDecoder;
use clap::Args;

use squarewise_desk::interrupt;
use squarewise_desk::output_file::{self, OutputFile};
use squarewise_desk::pgn::{GameError, Games};
use squarewise_desk::progress::progress_bar;
use squarewise_desk::terminal::counted;
use squarewise_engine::bounded_file;
use squarewise_engine::search::stop::StopToken;
use squarewise_lab::game_file::{self, GameStream};
use squarewise_lab::played_game::{LeftOut, training_game};

/// What a file begins with that bzip2 has compressed.
const BZIP2_MAGIC: &[u8] = b"BZh";

/// The most bytes without a game that are read of a file: some thirty of the longest games.
const MAX_BYTES_WITHOUT_GAME: u64 = 64 << 20;

/// What the description of imported games begins with: they can be imported once more.
const IMPORTED: &str = "imported from ";

/// Turns games with scores into training games for tune: PGN as fastchess, cutechess-cli and
/// OpenBench write it, with comments like {+0.31/12 0.05s}.
///
/// Games without a result, those that ended by a clock, a crash or an illegal move, those of a
/// variant or without a score of a quiet position, and those that can't be read are left out and
/// counted. The exit code is 0 if at least one game was imported.
#[derive(Debug, Args)]
pub struct Import {
    /// PGN files, compressed by bzip2 or not.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// The file to write the games to. Imported games that it holds are replaced, once all games
    /// have been read.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// What was left out.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    unfinished: u32,
    aborted: u32,
    other_variant: u32,
    nothing_to_learn: u32,
    unreadable: u32,
    damaged_files: u32,
}

impl Import {
    pub fn run(&self, mut output: impl Write) -> anyhow::Result<()> {
        let stop = interrupt::stop_token()?;
        output_file::refuse_input(&self.out, self.files.iter().map(PathBuf::as_path))?;
        game_file::refuse_to_replace(&self.out, |old| old.starts_with(IMPORTED))?;
        let file = OutputFile::create(&self.out)?;
        let mut stream = GameStream::new(file, &self.description())?;
        let mut counts = Counts::default();
        let bar = progress_bar(self.files.len() as u64, "{pos}/{len} files")?;
        for path in &self.files {
            let since_game = Rc::new(Cell::new(0));
            let games = open(path, &stop, &since_game);
            let games = Games::new(games.with_context(|| path.display().to_string())?);
            for game in games {
                since_game.set(0);
                if stop.is_requested() {
                    bail!("interrupted; {} was not written", self.out.display());
                }
                let game = match game {
                    Ok(game) => game,
                    Err(error) => {
                        let path = path.display();
                        bar.suspend(|| {
                            tracing::warn!(
                                "{path}: {error}; only the games before it are imported"
                            );
                        });
                        counts.damaged_files += 1;
                        break;
                    }
                };
                for remark in &game.remarks {
                    let (path, number) = (path.display(), game.number);
                    bar.suspend(|| tracing::warn!("{path}, game {number}: {remark}"));
                }
                match game.record.as_ref().map(training_game) {
                    Ok(Ok(game)) => stream.add(&game)?,
                    Ok(Err(LeftOut::Unfinished)) => counts.unfinished += 1,
                    Ok(Err(LeftOut::Aborted)) => counts.aborted += 1,
                    Ok(Err(LeftOut::OtherVariant)) => counts.other_variant += 1,
                    Ok(Err(LeftOut::NothingToLearn)) => counts.nothing_to_learn += 1,
                    Err(GameError::Variant(_)) => counts.other_variant += 1,
                    Err(error) => {
                        let (path, number) = (path.display(), game.number);
                        bar.suspend(|| tracing::warn!("{path}, game {number}: {error}"));
                        counts.unreadable += 1;
                    }
                }
            }
            bar.inc(1);
            bar.set_message(format!("{} games", stream.games()));
        }
        bar.finish_and_clear();
        let left_out = counts.in_words();
        let (games, positions) = (stream.games(), stream.positions());
        if games == 0 {
            bail!("no game can be used{left_out}");
        }
        stream.into_inner().finish()?;
        let path = self.out.display();
        writeln!(
            output,
            "{} with {} in {path}{left_out}",
            counted(games as usize, "game"),
            counted(positions as usize, "position"),
        )?;
        Ok(())
    }

    /// The source of the games, for the provenance of tables.
    fn description(&self) -> String {
        let first = self.files.first().and_then(|path| path.file_name());
        let first = first.unwrap_or_default().to_string_lossy();
        match self.files.len() {
            1 => format!("{IMPORTED}{first}"),
            count => format!("{IMPORTED}{first} and {}", counted(count - 1, "other file")),
        }
    }
}

impl Counts {
    /// Everything that was left out, in words, with a semicolon before it; nothing if there is
    /// nothing to say.
    fn in_words(self) -> String {
        let parts = [
            (self.unfinished, "unfinished"),
            (self.aborted, "ended by a clock, a crash or an illegal move"),
            (self.other_variant, "of a variant"),
            (self.nothing_to_learn, "without scores of quiet positions"),
            (self.unreadable, "that can't be read"),
        ];
        let mut parts: Vec<String> = parts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, kind)| format!("{count} {kind}"))
            .collect();
        if self.damaged_files > 0 {
            let files = counted(self.damaged_files as usize, "damaged file");
            parts.push(format!("the rest of {files}"));
        }
        if parts.is_empty() {
            return String::new();
        }
        format!("; left out: {}", parts.join(", "))
    }
}

/// A stream of games that an interruption or too many bytes without a game can end: a small file
/// can unpack to an endless one.
struct Bounded<R> {
    source: R,
    stop: StopToken,
    /// The bytes since the last game.
    since_game: Rc<Cell<u64>>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_requested() {
            return Err(io::Error::other("interrupted"));
        }
        if self.since_game.get() > MAX_BYTES_WITHOUT_GAME {
            let megabytes = MAX_BYTES_WITHOUT_GAME >> 20;
            let reason = format!("{megabytes} MiB without a game");
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
        let length = self.source.read(buffer)?;
        self.since_game.update(|bytes| bytes + length as u64);
        Ok(length)
    }
}

/// Opens a file of games. Whether it is compressed is seen from its content, whatever its name.
fn open(
    path: &Path,
    stop: &StopToken,
    since_game: &Rc<Cell<u64>>,
) -> io::Result<Bounded<Box<dyn Read>>> {
    let mut reader = BufReader::new(bounded_file::open(path)?);
    let source: Box<dyn Read> = if reader.fill_buf()?.starts_with(BZIP2_MAGIC) {
        Box::new(MultiBzDecoder::new(reader))
    } else {
        Box::new(reader)
    };
    Ok(Bounded {
        source,
        stop: stop.clone(),
        since_game: Rc::clone(since_game),
    })
}
