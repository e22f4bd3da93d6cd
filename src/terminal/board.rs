//! The chess board as text.

use shakmaty::{Chess, Color, Move};

use super::Style;

/// A board to draw.
#[derive(Clone, Copy, Debug)]
pub struct BoardPicture<'a> {
    /// The position.
    pub position: &'a Chess,
    /// The side that sits at the bottom.
    pub orientation: Color,
    /// The move that led here, whose squares are marked.
    pub last_move: Option<Move>,
}

impl BoardPicture<'_> {
    /// The lines of the picture, without line breaks: the ranks from the top down with their numbers, then the files. A
    /// king in check is marked. All lines have the same width on the screen.
    pub fn lines(&self, _style: Style) -> Vec<String> {
        Vec::new()
    }
}
