//! Files of training games: they grow game by game, survive being cut off anywhere and notice
//! damage.
//!
//! A run that was stopped is resumed after the last complete game of its file; an unfinished game
//! at the end is dropped. A file that is damaged in any other way is left as it is.
//! `game_format.rs` describes the format.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::game_format::{GameReader, HeaderError, Next, header, to_bytes, written_positions};
use squarewise_desk::output_file;
use squarewise_engine::bounded_file;

pub use super::game_format::{Damage, TrainingGame};

/// The error of a file of games that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// It can't be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// It is another kind of file, or its header is damaged.
    #[error("{0}: this is not a file of games")]
    NotGames(PathBuf),
    /// It is of another version than this program reads, such as a later one.
    #[error("{path}: version {version} of the format can't be read")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u16,
    },
    /// It belongs to another run.
    #[error(
        "{path}: holds games of another run ({found}), not of this one ({wanted}); choose another file"
    )]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// The settings that it was made with.
        found: String,
        /// The settings asked for.
        wanted: String,
    },
    /// Another run adds games to it.
    #[error("{0}: another run is adding games to this file; end that first")]
    InUse(PathBuf),
    /// One of its games is damaged.
    #[error("{path}: game {game} is damaged: {damage}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the game, from 0.
        game: u32,
        /// What is wrong with it.
        damage: Damage,
    },
}

impl GameFileError {
    /// The error of the operating system, with the file that it is about.
    fn io(path: &Path) -> impl Fn(io::Error) -> GameFileError + use<> {
        let path = path.to_owned();
        move |error| GameFileError::Io {
            path: path.clone(),
            error,
        }
    }
}

/// A file that games are added to.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    stream: GameStream<File>,
}

impl Writer {
    /// Opens a file for a run with these settings: starts it, or resumes it after its last complete
    /// game. A game that is cut short by the end of the file or by a tail of zeros is dropped with
    /// a warning, to be played again.
    ///
    /// # Errors
    ///
    /// [`GameFileError`] if the file can't be used, belongs to another run or is damaged in another
    /// way. It is left unchanged then.
    pub fn open(path: &Path, description: &str) -> Result<Writer, GameFileError> {
        let io_error = GameFileError::io(path);
        output_file::permissions_of_old(path).map_err(&io_error)?;
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(&io_error)?;
        // Two runs that add games to one file would destroy it. Where files can't be locked,
        // nothing is checked.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(GameFileError::InUse(path.to_owned()));
        }
        let mut writer = Writer {
            path: path.to_owned(),
            stream: GameStream {
                output: file.try_clone().map_err(&io_error)?,
                games: 0,
                positions: 0,
            },
        };
        let header = header(description);
        if is_cut_inside(&mut file, &header).map_err(&io_error)? {
            file.set_len(0).map_err(&io_error)?;
            file.write_all(&header).map_err(&io_error)?;
            return Ok(writer);
        }
        let (mut reader, found) = read_header(file, path)?;
        if found != description {
            let wanted = description.to_owned();
            return Err(GameFileError::OtherRun {
                path: path.to_owned(),
                found,
                wanted,
            });
        }
        writer.count_games(&mut reader)?;
        writer.cut_off_at(reader.end).map_err(&io_error)?;
        Ok(writer)
    }

    /// Counts the complete games of the file.
    fn count_games(&mut self, reader: &mut GameReader<File>) -> Result<(), GameFileError> {
        loop {
            match next_game(reader, &self.path)? {
                Next::Game(game) => {
                    self.stream.games += 1;
                    self.stream.positions += game.positions.len() as u64;
                }
                Next::Damaged(Damage::CutShort) | Next::End => return Ok(()),
                Next::Damaged(damage) => {
                    return Err(GameFileError::Damaged {
                        path: self.path.clone(),
                        game: self.games(),
                        damage,
                    });
                }
            }
        }
    }

    /// Goes to the end of the last complete game and drops what follows it.
    fn cut_off_at(&mut self, end: u64) -> io::Result<()> {
        let dropped = self.stream.output.metadata()?.len() - end;
        if dropped > 0 {
            tracing::warn!(
                "{}: game {} is cut short; its {dropped} bytes at the end of the file are dropped",
                self.path.display(),
                self.games()
            );
            self.stream.output.set_len(end)?;
        }
        self.stream.output.seek(SeekFrom::Start(end))?;
        Ok(())
    }

    /// The number of games in the file.
    pub fn games(&self) -> u32 {
        self.stream.games()
    }

    /// The number of positions in the file.
    pub fn positions(&self) -> u64 {
        self.stream.positions()
    }

    /// Adds a game in a single write. If the run is killed meanwhile, the next one finds the game
    /// cut short and drops it.
    ///
    /// # Errors
    ///
    /// If the file can't be written.
    pub fn add(&mut self, game: &TrainingGame) -> Result<(), GameFileError> {
        let written = self.stream.add(game);
        written.map_err(GameFileError::io(&self.path))
    }
}

/// Writes training games into whatever can be written, from beginning to end. That is enough for
/// games that all exist already.
#[derive(Debug)]
pub struct GameStream<W> {
    output: W,
    games: u32,
    positions: u64,
}

impl<W: Write> GameStream<W> {
    /// Begins a file with this description.
    pub fn new(mut output: W, description: &str) -> io::Result<GameStream<W>> {
        output.write_all(&header(description))?;
        Ok(GameStream {
            output,
            games: 0,
            positions: 0,
        })
    }

    /// Adds a game in a single write.
    pub fn add(&mut self, game: &TrainingGame) -> io::Result<()> {
        self.output.write_all(&to_bytes(self.games, game))?;
        self.games += 1;
        self.positions += written_positions(game).len() as u64;
        Ok(())
    }

    /// The number of games so far.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// The number of positions so far.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The output, when the last game has been added.
    pub fn into_inner(self) -> W {
        self.output
    }
}

/// Refuses to replace a file of games by something else: they can be the work of days.
///
/// # Errors
///
/// If there is such a file, unless its description is one of those that `may_go`.
pub fn refuse_to_replace(path: &Path, may_go: impl Fn(&str) -> bool) -> io::Result<()> {
    let Ok(file) = bounded_file::open(path) else {
        return Ok(());
    };
    match read_header(file, path) {
        Ok((_, description)) if may_go(&description) => Ok(()),
        Err(GameFileError::NotGames(_) | GameFileError::Io { .. }) => Ok(()),
        _ => Err(io::Error::other(format!(
            "{} holds games, which would be lost; choose another file",
            path.display()
        ))),
    }
}

/// Reads a whole file: its description and its games.
///
/// # Errors
///
/// [`GameFileError`]; if a game is damaged it names the file, the game and the damage.
pub fn read(path: &Path) -> Result<(String, Vec<TrainingGame>), GameFileError> {
    let mut games = Vec::new();
    let description = for_each_game(path, |game| games.push(game))?;
    Ok((description, games))
}

/// Calls `receive` with the games of a file, one after the other, and returns its description.
///
/// # Errors
///
/// As [`read`]. The games before a damaged one have been received then.
pub fn for_each_game(
    path: &Path,
    mut receive: impl FnMut(TrainingGame),
) -> Result<String, GameFileError> {
    let io_error = GameFileError::io(path);
    let file = bounded_file::open(path).map_err(&io_error)?;
    let (mut reader, description) = read_header(file, path)?;
    loop {
        match next_game(&mut reader, path)? {
            Next::Game(game) => receive(game),
            Next::Damaged(damage) => {
                return Err(GameFileError::Damaged {
                    path: path.to_owned(),
                    game: reader.games,
                    damage,
                });
            }
            Next::End => return Ok(description),
        }
    }
}

/// Reads the header of a file. Returns the reader of its games and the description.
fn read_header(file: File, path: &Path) -> Result<(GameReader<File>, String), GameFileError> {
    let path = path.to_owned();
    GameReader::new(file).map_err(|error| match error {
        HeaderError::NotGames => GameFileError::NotGames(path),
        HeaderError::Version(version) => GameFileError::Version { path, version },
        HeaderError::Io(error) => GameFileError::Io { path, error },
    })
}

/// Reads the next game of a file.
fn next_game(reader: &mut GameReader<File>, path: &Path) -> Result<Next, GameFileError> {
    reader.next_game().map_err(GameFileError::io(path))
}

/// Whether the file is new, or ends inside this header. Otherwise the file is rewound to its start.
fn is_cut_inside(file: &mut File, header: &[u8]) -> io::Result<bool> {
    // A file without a length is not read, because some of those in /proc block.
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut start = Vec::new();
    file.take(header.len() as u64).read_to_end(&mut start)?;
    file.rewind()?;
    Ok(start.len() < header.len() && header.starts_with(&start))
}
