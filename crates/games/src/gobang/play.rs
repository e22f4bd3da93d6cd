//! Gobang as people see and write it: points are a letter and a number, `h8` is the centre.

use crate::terminal::Playable;

use super::board::{Gobang, Rule, Stone};
use super::geometry::{Point, SIZE};
use super::windows::Scores;

/// A point as people write it.
fn point_text(point: Point) -> String {
    let (x, y) = (point % SIZE as u8, point / SIZE as u8);
    format!("{}{}", char::from(b'a' + x), y + 1)
}

fn read_point(text: &str) -> Option<Point> {
    let mut characters = text.chars();
    let x = (characters.next()?.to_ascii_lowercase() as u32).checked_sub('a' as u32)?;
    let y: u32 = characters.as_str().parse().ok()?;
    let is_on_board = x < SIZE as u32 && (1..=SIZE as u32).contains(&y);
    is_on_board.then(|| ((y - 1) * SIZE as u32 + x) as Point)
}

impl Playable for Gobang {
    fn header(&self) -> String {
        match self.rule {
            Rule::Freestyle => "gobang freestyle".to_owned(),
            Rule::Standard => "gobang standard".to_owned(),
        }
    }

    fn from_header(header: &str) -> Result<Gobang, String> {
        let rule = match header.trim() {
            "gobang freestyle" => Rule::Freestyle,
            "gobang standard" => Rule::Standard,
            other => {
                return Err(format!(
                    "{other:?} is not `gobang freestyle` or `gobang standard`"
                ));
            }
        };
        Ok(Gobang::new(rule, Scores::learned()))
    }

    fn board(&self, is_plain: bool) -> String {
        let symbols = if is_plain {
            ["X", "O", "."]
        } else {
            ["●", "○", "·"]
        };
        let symbol = |point: Point| match self.stone_at(point) {
            Some(Stone::Black) => symbols[0],
            Some(Stone::White) => symbols[1],
            None => symbols[2],
        };
        let last = self.played().last();
        let rank = |y: u8| {
            let mut text = format!("{:2}", y + 1);
            for x in 0..SIZE as u8 {
                let point = y * SIZE as u8 + x;
                text.push(if last == Some(point) { '>' } else { ' ' });
                text += symbol(point);
            }
            text
        };
        let ranks: Vec<String> = (0..SIZE as u8).rev().map(rank).collect();
        let files: Vec<String> = ('a'..='o').map(String::from).collect();
        format!("{}\n   {}", ranks.join("\n"), files.join(" "))
    }

    fn play_text(&mut self, text: &str) -> Result<(), String> {
        let unread = || format!("{text:?} is no point; points are a1 to o15");
        let point = read_point(text).ok_or_else(unread)?;
        self.play(point).map_err(|error| format!("{text}: {error}"))
    }

    fn move_text(&self, point: Point) -> String {
        point_text(point)
    }

    fn played_texts(&self) -> Vec<String> {
        self.played().map(point_text).collect()
    }

    fn ending(&self) -> Option<String> {
        let text = match self.winner() {
            Some(Stone::Black) => "Black has five in a row and wins.",
            Some(Stone::White) => "White has five in a row and wins.",
            None if self.is_over() => "The board is full: a draw.",
            None => return None,
        };
        Some(text.to_owned())
    }

    fn player(&self) -> (bool, &'static str) {
        match self.turn() {
            Stone::Black => (true, "Black"),
            Stone::White => (false, "White"),
        }
    }
}
