//! Why a position is evaluated as it is: the sum taken apart, and what decides in one sentence.
//!
//! The evaluation is a sum of table values, so it can be shown in full: what each piece adds on its square, what each
//! move of a line changes, and where two lines part. All values are centipawns from White's point of view and add up
//! exactly. Where the search disagrees with the sum, the text says so: then tactics decide.

mod comparison;
mod end_of_game;
mod material;
mod picture;
mod sentence;
mod steps;
mod words;

pub use comparison::{ScoredLine, comparison, verdict};
pub use end_of_game::game_over;
pub use sentence::sentence;
pub use steps::{Step, numbered, steps};
pub use words::role_name;

use shakmaty::Move;

use crate::terminal::{Style, visible_width, wrapped};
use squarewise_engine::evaluation::shares::shares;
use squarewise_engine::position::game::Game;

/// The most moves of a line that are shown.
const MAX_STEPS: usize = 12;

/// The columns of sentences.
pub const TEXT_WIDTH: usize = 80;

/// The columns of the list of moves, which is wider than sentences.
const WIDTH: usize = 100;

/// Explains the current position of a game, in lines without line breaks: the sentence, the sum on the board and in a
/// table, and what each move of `line` changes. The moves must be legal one after the other.
pub fn text(game: &Game, line: &[Move], style: Style) -> Vec<String> {
    let shares = shares(game.position(), game.tables());
    let decisive = wrapped(&sentence(&shares), TEXT_WIDTH);
    let mut lines: Vec<String> = decisive.iter().map(|line| style.bold(line)).collect();
    if let Some(words) = game_over(game) {
        let words = wrapped(&words, TEXT_WIDTH);
        lines.extend(words.iter().map(|line| style.bad(line)));
    }
    lines.extend([
        String::new(),
        "What the square of each piece adds (centipawns; + is good for White):".to_owned(),
    ]);
    lines.extend(picture::board(&shares, style));
    lines.push(String::new());
    lines.extend(picture::table(&shares, style));
    if !line.is_empty() {
        lines.extend([
            String::new(),
            "What each move changes: the evaluation after it, the change, and where it comes from"
                .to_owned(),
            "(x: captured; others: pieces that stay; turn: the bonus for the side to move)"
                .to_owned(),
        ]);
        lines.extend(line_in_steps(game, line, style));
    }
    lines
}

/// The steps of a line, each on a line of its own; long ones are continued on the next.
pub fn line_in_steps(game: &Game, line: &[Move], style: Style) -> Vec<String> {
    let shown = line.len().min(MAX_STEPS);
    let mut lines = Vec::new();
    for step in steps(game, &line[..shown]) {
        let change = step.change();
        let number = format!("{:>6}", words::signed(change));
        let number = match change.signum() {
            1 => style.good(&number),
            -1 => style.bad(&number),
            _ => number,
        };
        let start = format!(
            "  {:<14}{:>6} {number}  ",
            step.name,
            words::signed(step.evaluation)
        );
        lines.extend(wrapped_at_commas(&start, &step.changes_in_words()));
    }
    if line.len() > shown {
        lines.push(format!("  ... and {} more", line.len() - shown));
    }
    lines
}

/// A text after its start, wrapped at commas; continued lines are indented as far as the start is wide.
fn wrapped_at_commas(start: &str, words: &str) -> Vec<String> {
    let indentation = visible_width(start);
    let mut lines = vec![start.to_owned()];
    let mut width = indentation;
    for part in words.split_inclusive(", ") {
        let length = part.trim_end().chars().count();
        if width > indentation && width + length > WIDTH {
            lines.push(" ".repeat(indentation));
            width = indentation;
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(part);
        }
        width += part.chars().count();
    }
    lines
        .into_iter()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_of_changes_are_wrapped_at_commas() {
        let words = vec!["others +12"; 20].join(", ");
        let lines = wrapped_at_commas("  17. Nxe5   ", &words);
        assert!(lines.len() > 1);
        assert!(lines.iter().all(|line| line.len() <= WIDTH), "{lines:?}");
        let listed: Vec<&str> = lines.iter().map(|line| line[13..].trim()).collect();
        assert_eq!(listed.join(" "), words);
    }
}
