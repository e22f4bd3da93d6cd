//! What each command to all boards does.

use serde_json::json;
use squarewise_engine::position::variant_position::VariantPosition;

use super::command::{DeskCommand, read};
use super::desk::{Desk, MAX_BOARDS};
use super::server::Reply;
use super::state::Board;

impl Desk {
    /// Carries out a command to all boards.
    pub(super) fn command_to_all(&mut self, text: &[u8]) -> Reply {
        match read(text)? {
            DeskCommand::Any {} => {
                let is_free = |number: &&u32| !self.is_shown(**number);
                let free = self.boards.keys().find(is_free).copied();
                let number = free.map_or_else(|| self.new_board(), Ok)?;
                Ok(json!({ "board": number }))
            }
            DeskCommand::List {} => {
                let boards = self.boards.iter();
                let listed = boards.map(|(number, board)| {
                    json!({ "board": number, "title": board.title(), "playing": board.is_playing() })
                });
                Ok(json!({ "boards": listed.collect::<Vec<_>>() }))
            }
            DeskCommand::New {} => Ok(json!({ "board": self.new_board()? })),
            DeskCommand::Close { board } => {
                self.delete(board)?;
                Ok(json!({}))
            }
            DeskCommand::Kept {} => {
                let text = self
                    .keeper
                    .games_text()
                    .map_err(|error| error.to_string())?;
                let file = self.keeper.games_file().display().to_string();
                Ok(json!({ "file": file, "text": text }))
            }
        }
    }

    fn new_board(&mut self) -> Result<u32, String> {
        if self.boards.len() >= MAX_BOARDS {
            return Err(format!(
                "there are {MAX_BOARDS} boards already; close one first"
            ));
        }
        let free = (1..).find(|number| !self.boards.contains_key(number));
        let number = free.unwrap_or_default();
        self.boards
            .insert(number, Board::new(VariantPosition::default()));
        Ok(number)
    }
}
