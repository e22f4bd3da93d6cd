//! Xiangqi as people see it: a board of Chinese characters, or of letters.

use crate::terminal::Playable;

use super::notation::{Notation, character, letter};
use super::pieces::{Move, Side, Square};
use super::position::Xiangqi;

impl Playable for Xiangqi {
    fn header(&self) -> String {
        let mut first = self.clone();
        for _ in 0..self.past.len() {
            first.take_back();
        }
        format!("xiangqi {}", first.fen())
    }

    fn from_header(header: &str) -> Result<Xiangqi, String> {
        let fen = header.strip_prefix("xiangqi ");
        let fen = fen.ok_or_else(|| format!("{header:?} is not `xiangqi` and a FEN"))?;
        Xiangqi::from_fen(fen).map_err(|error| error.to_string())
    }

    fn board(&self, is_plain: bool) -> String {
        let symbol = |square: Square| match (self.piece_at(square), is_plain) {
            (Some(piece), true) => format!(" {}", letter(piece)),
            (Some(piece), false) => character(piece).to_string(),
            (None, true) => " .".to_owned(),
            // As wide as a character of a piece.
            (None, false) => "．".to_owned(),
        };
        let mut text = String::new();
        for rank in (0..10).rev() {
            let symbols: String = (0..9).map(|file| symbol(rank * 9 + file)).collect();
            text += &format!("{:2} {symbols}\n", rank + 1);
            if rank == 5 {
                text += "   ------------------\n";
            }
        }
        text + "    a b c d e f g h i"
    }

    fn play_text(&mut self, text: &str) -> Result<(), String> {
        let played = self.play(text, Notation::Uci);
        played.map(|_| ()).map_err(|error| error.to_string())
    }

    fn move_text(&self, mv: Move) -> String {
        mv.text(Notation::Uci)
    }

    fn played_texts(&self) -> Vec<String> {
        self.played().map(|mv| mv.text(Notation::Uci)).collect()
    }

    fn ending(&self) -> Option<String> {
        self.ending_in_words()
    }

    fn player(&self) -> (bool, &'static str) {
        match self.turn() {
            Side::Red => (true, "Red"),
            Side::Black => (false, "Black"),
        }
    }
}
