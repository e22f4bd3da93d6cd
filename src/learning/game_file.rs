//! Files of training games: they grow game by game and survive being cut off.
//!
//! All numbers are little-endian. [`super::training_position`] describes a position.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `SQWGAMES` |
//! | 4 | the length of the description |
//! | as told | the description: the settings of the run, in UTF-8; a run goes on only under the same |
//! | per game | |
//! | 4 | the number of the game in the run, from 0 |
//! | 2 | the number of its positions |
//! | 28 each | a position |

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::training_position::{POSITION_BYTES, TrainingPosition};

const MAGIC: &[u8; 8] = b"SQWGAMES";
const GAME_HEAD_BYTES: usize = 6;

/// Why a file of games can't be used.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// The operating system says no.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What it says.
        error: io::Error,
    },
    /// It is another kind of file.
    #[error("{0}: this is no file of games")]
    NotGames(PathBuf),
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
    /// It is damaged.
    #[error("{path}: game {game}, position {position} is damaged or cut short")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the game, from 0.
        game: usize,
        /// The number of the position in the game, from 0.
        position: usize,
    },
}

/// The quiet positions of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrainingGame {
    /// In the order in which they came up.
    pub positions: Vec<TrainingPosition>,
}

/// A file that games are added to.
#[derive(Debug)]
pub struct Writer {
    file: File,
    path: PathBuf,
    games: u32,
    positions: u64,
}

impl Writer {
    /// Opens a file for a run with these settings: begins it, or goes on where an earlier run left off. A
    /// game that was cut short by the end of that run is taken off.
    ///
    /// # Errors
    ///
    /// [`GameFileError`] if the file can't be used or belongs to another run.
    pub fn open(path: &Path, description: &str) -> Result<Writer, GameFileError> {
        let io_error = |error| GameFileError::Io {
            path: path.to_owned(),
            error,
        };
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(io_error)?;
        let mut writer = Writer {
            file: file.try_clone().map_err(io_error)?,
            path: path.to_owned(),
            games: 0,
            positions: 0,
        };
        if file.metadata().map_err(io_error)?.len() == 0 {
            let mut head = MAGIC.to_vec();
            head.extend((description.len() as u32).to_le_bytes());
            head.extend(description.as_bytes());
            file.write_all(&head).map_err(io_error)?;
            return Ok(writer);
        }
        let mut reader = BufReader::new(file);
        let found = read_description(&mut reader, path)?;
        if found != description {
            let wanted = description.to_owned();
            return Err(GameFileError::OtherRun {
                path: path.to_owned(),
                found,
                wanted,
            });
        }
        let mut end = (MAGIC.len() + 4 + found.len()) as u64;
        while let NextGame::Whole(positions) = read_game(&mut reader).map_err(io_error)? {
            end += (GAME_HEAD_BYTES + positions.len()) as u64;
            writer.games += 1;
            writer.positions += (positions.len() / POSITION_BYTES) as u64;
        }
        writer.file.set_len(end).map_err(io_error)?;
        writer.file.seek(SeekFrom::Start(end)).map_err(io_error)?;
        Ok(writer)
    }

    /// How many games the file holds.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// How many positions the file holds.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Adds a game, all at once: it is in the file whole or, if the run is killed, taken off by the next.
    ///
    /// # Errors
    ///
    /// If the file can't be written.
    pub fn add(&mut self, game: &TrainingGame) -> Result<(), GameFileError> {
        let count = game.positions.len().min(usize::from(u16::MAX));
        let mut bytes = Vec::with_capacity(GAME_HEAD_BYTES + count * POSITION_BYTES);
        bytes.extend(self.games.to_le_bytes());
        bytes.extend((count as u16).to_le_bytes());
        bytes.extend(
            game.positions[..count]
                .iter()
                .flat_map(TrainingPosition::to_bytes),
        );
        let written = self.file.write_all(&bytes);
        written.map_err(|error| GameFileError::Io {
            path: self.path.clone(),
            error,
        })?;
        self.games += 1;
        self.positions += count as u64;
        Ok(())
    }
}

/// Reads a whole file: its description and its games.
///
/// # Errors
///
/// [`GameFileError`] names the file, and the game and position where it is damaged.
pub fn read(path: &Path) -> Result<(String, Vec<TrainingGame>), GameFileError> {
    let io_error = |error| GameFileError::Io {
        path: path.to_owned(),
        error,
    };
    let mut reader = BufReader::new(File::open(path).map_err(io_error)?);
    let description = read_description(&mut reader, path)?;
    let mut games = Vec::new();
    loop {
        let damaged = |position| GameFileError::Damaged {
            path: path.to_owned(),
            game: games.len(),
            position,
        };
        let bytes = match read_game(&mut reader).map_err(io_error)? {
            NextGame::Whole(bytes) => bytes,
            NextGame::CutShort => return Err(damaged(0)),
            NextGame::End => break,
        };
        let positions = bytes
            .chunks_exact(POSITION_BYTES)
            .enumerate()
            .map(|(number, bytes)| {
                let position = bytes.try_into().ok().and_then(TrainingPosition::from_bytes);
                position.ok_or_else(|| damaged(number))
            });
        let positions = positions.collect::<Result<_, _>>()?;
        games.push(TrainingGame { positions });
    }
    Ok((description, games))
}

fn read_description(reader: &mut impl Read, path: &Path) -> Result<String, GameFileError> {
    let not_games = |_| GameFileError::NotGames(path.to_owned());
    let mut head = [0; 12];
    reader.read_exact(&mut head).map_err(not_games)?;
    let length = u32::from_le_bytes([head[8], head[9], head[10], head[11]]) as usize;
    if &head[..8] != MAGIC || length > 1 << 16 {
        return Err(GameFileError::NotGames(path.to_owned()));
    }
    let mut text = vec![0; length];
    reader.read_exact(&mut text).map_err(not_games)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// What stands next in a file of games.
enum NextGame {
    /// A game's positions.
    Whole(Vec<u8>),
    /// A game that the end of the file cuts short.
    CutShort,
    /// Nothing.
    End,
}

fn read_game(reader: &mut impl Read) -> io::Result<NextGame> {
    let mut head = Vec::new();
    reader.take(GAME_HEAD_BYTES as u64).read_to_end(&mut head)?;
    let [_, _, _, _, low, high] = head[..] else {
        return Ok(if head.is_empty() {
            NextGame::End
        } else {
            NextGame::CutShort
        });
    };
    let length = usize::from(u16::from_le_bytes([low, high])) * POSITION_BYTES;
    let mut positions = Vec::new();
    reader.take(length as u64).read_to_end(&mut positions)?;
    let is_whole = positions.len() == length;
    Ok(if is_whole {
        NextGame::Whole(positions)
    } else {
        NextGame::CutShort
    })
}
