//! The page that `why` prints: the coach's sentences, then the numbers, as many as fit.

use shakmaty::{Color, Move, Position};

use super::ScoredLine;
use super::coach::Advice;
use super::picture;
use super::steps::steps;
use super::words::{numbered, signed};
use crate::terminal::{Style, visible_width, wrapped};
use squarewise_engine::evaluation::Tables;
use squarewise_engine::evaluation::breakdown::Breakdown;
use squarewise_engine::position::game::Game;

/// The most moves of a line that are shown.
const MAX_STEPS: usize = 12;

/// The columns of the list of moves, which is wider than sentences.
const WIDTH: usize = 100;

/// How much of a page is shown.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Whether there are colors.
    pub style: Style,
    /// The columns of the sentences.
    pub columns: usize,
    /// The lines that there is room for; `None` for everything.
    pub rows: Option<usize>,
}

impl Page {
    /// The page in lines: the sentences, and below a heading as many whole sections as fit.
    pub fn lines(self, game: &Game, tables: &Tables, advice: &Advice) -> Vec<String> {
        let mut lines: Vec<String> = advice
            .sentences
            .iter()
            .enumerate()
            .flat_map(|(place, words)| {
                let rows = wrapped_between_moves(words, self.columns).into_iter();
                rows.map(move |row| {
                    if place == 0 {
                        self.style.bold(&row)
                    } else {
                        row
                    }
                })
            })
            .collect();
        lines.push(String::new());
        let sections = self.sections(game, tables, advice);
        let mut are_all_shown = true;
        for (place, section) in sections.into_iter().enumerate() {
            // The hint that there is more takes a line of its own.
            let fits = |rows| lines.len() + section.len() + 2 < rows;
            if !self.rows.is_none_or(fits) {
                are_all_shown = false;
                break;
            }
            if place > 0 {
                lines.push(String::new());
            }
            lines.extend(section);
        }
        if !are_all_shown {
            lines.push(
                self.style
                    .dim("--full shows the whole sum and every move's share in it."),
            );
        }
        lines
    }

    fn sections(self, game: &Game, tables: &Tables, advice: &Advice) -> Vec<Vec<String>> {
        let style = self.style;
        let breakdown = Breakdown::of(game.position(), tables);
        let mut board = vec!["What the square of each piece adds:".to_owned()];
        board.extend(picture::board(&breakdown, style));
        let mut sections = vec![
            summary(game, &breakdown, advice),
            board,
            picture::table(&breakdown, style),
        ];
        let lines = [advice.best.as_ref(), advice.other.as_ref()];
        for (place, line) in lines.into_iter().flatten().enumerate() {
            let mut section = Vec::new();
            if place == 0 {
                section.extend([
                    "What each move changes: the evaluation after it, the change, and where from"
                        .to_owned(),
                    "(x: captured; others: pieces that stay; turn: the bonus for the side to move)"
                        .to_owned(),
                ]);
            }
            section.extend(in_steps(game, tables, &line.moves, style));
            sections.push(section);
        }
        sections
    }
}

/// A sentence in lines, no move number apart from its move.
fn wrapped_between_moves(words: &str, columns: usize) -> Vec<String> {
    const JOINED: char = '~';
    let mut joined = String::new();
    for word in words.split(' ') {
        joined.push_str(word);
        let is_number = word.ends_with('.') && word.starts_with(|c: char| c.is_ascii_digit());
        joined.push(if is_number { JOINED } else { ' ' });
    }
    let lines = wrapped(joined.trim_end_matches([JOINED, ' ']), columns).into_iter();
    lines.map(|line| line.replace(JOINED, " ")).collect()
}

/// What the searches and the sum say, in numbers.
fn summary(game: &Game, breakdown: &Breakdown, advice: &Advice) -> Vec<String> {
    let turn = game.position().turn();
    let mut lines = vec!["In centipawns (+ is good for White):".to_owned()];
    let searched = [advice.best.as_ref(), advice.other.as_ref()];
    for line in searched.into_iter().flatten() {
        if let Some(first) = line.moves.first() {
            let (name, score) = (numbered(game, *first), in_numbers(line, turn));
            lines.push(format!("{name:<14} {score:>9}  depth {}", line.depth));
        }
    }
    let sum = signed(breakdown.total);
    lines.push(format!(
        "{:<14} {sum:>9}  before any move is played",
        "evaluation"
    ));
    lines
}

fn in_numbers(line: &ScoredLine, turn: Color) -> String {
    let for_white = line.for_white(turn);
    match for_white.mate_moves() {
        Some(moves) => format!("mate {moves}"),
        None if for_white.is_decisive() => {
            if for_white.value() > 0 { "won" } else { "lost" }.to_owned()
        }
        None => signed(for_white.value()),
    }
}

/// The steps of a line, each on a line of its own; long ones are continued on the next.
fn in_steps(game: &Game, tables: &Tables, line: &[Move], style: Style) -> Vec<String> {
    let shown = line.len().min(MAX_STEPS);
    let mut lines = Vec::new();
    for step in steps(game, tables, &line[..shown]) {
        let change = step.change();
        let number = format!("{:>6}", signed(change));
        let number = match change.signum() {
            1 => style.good(&number),
            -1 => style.bad(&number),
            _ => number,
        };
        let start = format!(
            "  {:<14}{:>6} {number}  ",
            step.name,
            signed(step.evaluation)
        );
        lines.extend(wrapped_at_commas(&start, &step.changes_in_words()));
    }
    if line.len() > shown {
        lines.push(format!("  ... and {} more", line.len() - shown));
    }
    lines
}

/// A text after its start, wrapped at commas; continued lines are indented as far as the start is
/// wide.
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
