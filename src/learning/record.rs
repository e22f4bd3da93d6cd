//! Positions written down for the tuner, game by game, in a compact file.
//!
//! All numbers are little-endian.
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
//!
//! A position is: the occupied squares (8 bytes); the pieces on them, a1 first, four bits each, low half first
//! (16 bytes): role from 1, pawn, to 6, king, plus 8 if black; the score in centipawns, White's view
//! (2, signed); the game's result, 0 if Black won, 1 drawn, 2 if White won (1); and 1 if Black is to move,
//! else 0 (1).

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

const MAGIC: &[u8; 8] = b"SQWGAMES";
const GAME_HEAD_BYTES: usize = 6;

/// The length of a position.
pub const RECORD_BYTES: usize = 28;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// Black won.
    BlackWins,
    /// Nobody won.
    Draw,
    /// White won.
    WhiteWins,
}

impl GameResult {
    /// The winner's result.
    pub fn won_by(winner: Color) -> GameResult {
        winner.fold_wb(GameResult::WhiteWins, GameResult::BlackWins)
    }

    /// White's points: 0, a half, 1.
    pub fn points(self) -> f32 {
        match self {
            GameResult::BlackWins => 0.0,
            GameResult::Draw => 0.5,
            GameResult::WhiteWins => 1.0,
        }
    }
}

/// A quiet position, what the search thought of it and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The pieces.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The score in centipawns, White's view.
    pub score: i16,
    /// The game's result.
    pub result: GameResult,
}

impl Record {
    /// The record as bytes. Boards of chess have 32 pieces at most.
    pub fn to_bytes(&self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(&self.board.occupied().0.to_le_bytes());
        for (place, (_, piece)) in self.board.iter().take(32).enumerate() {
            let number = u8::from(piece.role) | u8::from(piece.color.is_black()) << 3;
            bytes[8 + place / 2] |= number << (place % 2 * 4);
        }
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = match self.result {
            GameResult::BlackWins => 0,
            GameResult::Draw => 1,
            GameResult::WhiteWins => 2,
        };
        bytes[27] = u8::from(self.turn.is_black());
        bytes
    }

    /// The record that these bytes hold; `None` if they hold none.
    pub fn from_bytes(bytes: &[u8; RECORD_BYTES]) -> Option<Record> {
        let occupied = Bitboard(u64::from_le_bytes(bytes[..8].try_into().ok()?));
        if occupied.count() > 32 {
            return None;
        }
        let mut board = Board::empty();
        for (place, square) in occupied.into_iter().enumerate() {
            let number = bytes[8 + place / 2] >> (place % 2 * 4) & 15;
            let role = *Role::ALL.get(usize::from(number & 7).checked_sub(1)?)?;
            let color = Color::from_black(number & 8 != 0);
            board.set_piece_at(square, Piece { color, role });
        }
        let has_kings = Color::ALL
            .into_iter()
            .all(|color| board.king_of(color).is_some());
        Some(Record {
            board: has_kings.then_some(board)?,
            turn: match bytes[27] {
                0 => Color::White,
                1 => Color::Black,
                _ => return None,
            },
            score: i16::from_le_bytes([bytes[24], bytes[25]]),
            result: match bytes[26] {
                0 => GameResult::BlackWins,
                1 => GameResult::Draw,
                2 => GameResult::WhiteWins,
                _ => return None,
            },
        })
    }

    /// The square of a side's king.
    pub fn king(&self, side: Color) -> Square {
        self.board.king_of(side).unwrap_or(Square::A1)
    }
}

/// Why a file of games can't be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
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

/// A game as it is written down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// Its quiet positions.
    pub records: Vec<Record>,
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
    /// [`RecordError`] if the file can't be used or belongs to another run.
    pub fn open(path: &Path, description: &str) -> Result<Writer, RecordError> {
        let io_error = |error| RecordError::Io {
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
            return Err(RecordError::OtherRun {
                path: path.to_owned(),
                found,
                wanted,
            });
        }
        let mut end = (MAGIC.len() + 4 + found.len()) as u64;
        while let NextGame::Whole(positions) = read_game(&mut reader).map_err(io_error)? {
            end += (GAME_HEAD_BYTES + positions.len()) as u64;
            writer.games += 1;
            writer.positions += (positions.len() / RECORD_BYTES) as u64;
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
    pub fn add(&mut self, game: &GameRecord) -> Result<(), RecordError> {
        let count = game.records.len().min(usize::from(u16::MAX));
        let mut bytes = Vec::with_capacity(GAME_HEAD_BYTES + count * RECORD_BYTES);
        bytes.extend(self.games.to_le_bytes());
        bytes.extend((count as u16).to_le_bytes());
        bytes.extend(game.records[..count].iter().flat_map(Record::to_bytes));
        let written = self.file.write_all(&bytes);
        written.map_err(|error| RecordError::Io {
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
/// [`RecordError`] names the file, and the game and position where it is damaged.
pub fn read(path: &Path) -> Result<(String, Vec<GameRecord>), RecordError> {
    let io_error = |error| RecordError::Io {
        path: path.to_owned(),
        error,
    };
    let mut reader = BufReader::new(File::open(path).map_err(io_error)?);
    let description = read_description(&mut reader, path)?;
    let mut games = Vec::new();
    loop {
        let damaged = |position| RecordError::Damaged {
            path: path.to_owned(),
            game: games.len(),
            position,
        };
        let bytes = match read_game(&mut reader).map_err(io_error)? {
            NextGame::Whole(bytes) => bytes,
            NextGame::CutShort => return Err(damaged(0)),
            NextGame::End => break,
        };
        let records = bytes
            .chunks_exact(RECORD_BYTES)
            .enumerate()
            .map(|(position, bytes)| {
                let record = bytes.try_into().ok().and_then(Record::from_bytes);
                record.ok_or_else(|| damaged(position))
            });
        let records = records.collect::<Result<_, _>>()?;
        games.push(GameRecord { records });
    }
    Ok((description, games))
}

fn read_description(reader: &mut impl Read, path: &Path) -> Result<String, RecordError> {
    let not_games = |_| RecordError::NotGames(path.to_owned());
    let mut head = [0; 12];
    reader.read_exact(&mut head).map_err(not_games)?;
    let length = u32::from_le_bytes([head[8], head[9], head[10], head[11]]) as usize;
    if &head[..8] != MAGIC || length > 1 << 16 {
        return Err(RecordError::NotGames(path.to_owned()));
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
    let length = usize::from(u16::from_le_bytes([low, high])) * RECORD_BYTES;
    let mut positions = Vec::new();
    reader.take(length as u64).read_to_end(&mut positions)?;
    let is_whole = positions.len() == length;
    Ok(if is_whole {
        NextGame::Whole(positions)
    } else {
        NextGame::CutShort
    })
}
