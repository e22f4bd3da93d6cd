//! Writes a file of training games from beginning to end, into whatever can be written.
//!
//! A run that plays games adds them to a file that may have some already ([`super::game_file::Writer`]). Games that are
//! all there before need no such care.

use std::io::{self, Write};

use super::game_format::{
    MAX_DESCRIPTION_BYTES, TrainingGame, VERSION, header, to_bytes, written_positions,
};

/// Writes training games one after the other.
#[derive(Debug)]
pub struct GameStream<W> {
    output: W,
    games: u32,
    positions: u64,
}

impl<W: Write> GameStream<W> {
    /// Begins a file with this description.
    ///
    /// # Errors
    ///
    /// If it can't be written, or the description is longer than 65,536 bytes, because no such file can be read.
    pub fn new(mut output: W, description: &str) -> io::Result<GameStream<W>> {
        if description.len() > MAX_DESCRIPTION_BYTES {
            return Err(io::Error::other("the description of the games is too long"));
        }
        output.write_all(&header(description))?;
        Ok(GameStream {
            output,
            games: 0,
            positions: 0,
        })
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// If it can't be written.
    pub fn add(&mut self, game: &TrainingGame) -> io::Result<()> {
        self.output
            .write_all(&to_bytes(VERSION, self.games, game))?;
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
