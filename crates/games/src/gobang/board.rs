//! The board: stones, the lines that they lie on, and what the evaluation has added up.

use std::sync::LazyLock;

use crate::game::{Score, zobrist};

use super::geometry::{LINES, PLACES, Place, Point, SIZE, empty_lines};
use super::shapes::{ShapeTable, shape_table};
use super::windows::{Scores, Tally, WEIGHTS, exchange_colors, weight_index, windows_at};

/// The colors. Black begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stone {
    /// Has the first stone.
    Black,
    /// Has the second one.
    White,
}

impl Stone {
    /// The opponent's color.
    pub fn other(self) -> Stone {
        match self {
            Stone::Black => Stone::White,
            Stone::White => Stone::Black,
        }
    }
}

/// What wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// Five stones in a row or more.
    #[default]
    Freestyle,
    /// Exactly five: six or more win nothing.
    Standard,
}

/// Why a stone can't be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The point is not on the board.
    #[error("the point is not on the board")]
    Outside,
    /// There is a stone.
    #[error("there is a stone on this point")]
    Occupied,
    /// The game is over.
    #[error("the game is over")]
    Over,
}

/// What taking a stone back restores.
#[derive(Clone, Copy, Debug)]
struct Past {
    /// The stone's point, or `None` for a pass.
    point: Option<Point>,
    tally: Tally,
}

/// A game of gobang.
#[derive(Clone, Debug)]
pub struct Gobang {
    pub(crate) rule: Rule,
    pub(crate) lines: [u64; LINES],
    /// The stones of each color, as a row of bits for each y.
    pub(crate) stones: [[u32; SIZE]; 2],
    pub(crate) turn: Stone,
    pub(crate) tally: Tally,
    /// Whether the last stone won.
    pub(crate) is_won: bool,
    pub(crate) key: u64,
    pub(crate) shapes: &'static ShapeTable,
    scores: &'static Scores,
    past: Vec<Past>,
}

impl Gobang {
    /// An empty board, evaluated by these scores.
    pub fn new(rule: Rule, scores: &'static Scores) -> Gobang {
        Gobang {
            rule,
            lines: empty_lines(),
            stones: [[0; SIZE]; 2],
            turn: Stone::Black,
            tally: Tally::default(),
            is_won: false,
            key: 0,
            shapes: shape_table(),
            scores,
            past: Vec::with_capacity(SIZE * SIZE),
        }
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Stone {
        self.turn
    }

    /// The stones in the order in which they were played.
    pub fn played(&self) -> impl Iterator<Item = Point> {
        self.past.iter().filter_map(|past| past.point)
    }

    /// The stone on a point.
    pub fn stone_at(&self, point: Point) -> Option<Stone> {
        let Place { line, shift } = PLACES[usize::from(point)][0];
        match self.lines[usize::from(line)] >> shift & 3 {
            1 => Some(Stone::Black),
            2 => Some(Stone::White),
            _ => None,
        }
    }

    /// The color that has five in a row, if the game is won.
    pub fn winner(&self) -> Option<Stone> {
        self.is_won.then(|| self.turn.other())
    }

    /// Whether the game is won or the board is full.
    pub fn is_over(&self) -> bool {
        self.is_won || self.played().count() == SIZE * SIZE
    }

    /// Plays a stone.
    ///
    /// # Errors
    ///
    /// If it can't be played there. The board stays as it was.
    pub fn play(&mut self, point: Point) -> Result<(), MoveError> {
        if usize::from(point) >= SIZE * SIZE {
            return Err(MoveError::Outside);
        }
        if self.stone_at(point).is_some() {
            return Err(MoveError::Occupied);
        }
        if self.is_over() {
            return Err(MoveError::Over);
        }
        self.put(point);
        Ok(())
    }

    /// Sets up stones on an empty board: as many of each color, or one more of Black. They come in
    /// any order, so that a row of five among them ends nothing before all stand.
    ///
    /// # Errors
    ///
    /// If two are on one point.
    pub(crate) fn set_up(&mut self, black: &[Point], white: &[Point]) -> Result<(), MoveError> {
        for index in 0..black.len() + white.len() {
            let of_color = if index % 2 == 0 { black } else { white };
            let point = of_color[index / 2];
            if self.stone_at(point).is_some() {
                return Err(MoveError::Occupied);
            }
            self.put(point);
        }
        let has_won = |stone, points: &[Point]| points.iter().any(|point| self.wins(*point, stone));
        self.is_won = has_won(Stone::Black, black) || has_won(Stone::White, white);
        Ok(())
    }

    /// Puts a stone of the side to move on an empty point.
    pub(crate) fn put(&mut self, point: Point) {
        self.past.push(Past {
            point: Some(point),
            tally: self.tally,
        });
        let may_win = self.tally.has_four(self.turn as usize);
        for Place { line, shift } in PLACES[usize::from(point)] {
            let line = &mut self.lines[usize::from(line)];
            for window in windows_at(*line, shift) {
                self.tally.subtract(self.scores.tally(window));
            }
            *line |= (self.turn as u64 + 1) << shift;
            for window in windows_at(*line, shift) {
                self.tally.add(self.scores.tally(window));
            }
        }
        self.is_won = may_win && self.wins(point, self.turn);
        self.flip(point);
        self.pass_turn();
    }

    /// Lets the side to move pass.
    pub(crate) fn put_nothing(&mut self) {
        self.past.push(Past {
            point: None,
            tally: self.tally,
        });
        self.pass_turn();
    }

    /// Takes the last stone or pass back.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn take_back(&mut self) {
        let past = self.past.pop().expect("a stone was put");
        self.pass_turn();
        self.is_won = false;
        self.tally = past.tally;
        if let Some(point) = past.point {
            for Place { line, shift } in PLACES[usize::from(point)] {
                self.lines[usize::from(line)] &= !(3 << shift);
            }
            self.flip(point);
        }
    }

    /// Whether anything was played.
    pub fn is_empty(&self) -> bool {
        self.past.is_empty()
    }

    fn pass_turn(&mut self) {
        self.turn = self.turn.other();
        self.key ^= KEYS[2 * SIZE * SIZE];
    }

    /// Puts a stone of the side to move into the key and the rows, or takes it out of them.
    fn flip(&mut self, point: Point) {
        let (x, y) = (usize::from(point) % SIZE, usize::from(point) / SIZE);
        self.stones[self.turn as usize][y] ^= 1 << x;
        self.key ^= KEYS[self.turn as usize * SIZE * SIZE + usize::from(point)];
    }

    /// Whether a stone of this color on a point is part of five in a row, by the rule.
    pub(crate) fn wins(&self, point: Point, stone: Stone) -> bool {
        let color = stone as u64 + 1;
        PLACES[usize::from(point)]
            .iter()
            .any(|Place { line, shift }| {
                let line = self.lines[usize::from(*line)];
                let is_own = |shift: &u8| line >> shift & 3 == color;
                let after = (shift + 2..).step_by(2).take_while(is_own).count();
                let before = (0..*shift)
                    .rev()
                    .skip(1)
                    .step_by(2)
                    .take_while(is_own)
                    .count();
                match self.rule {
                    Rule::Freestyle => before + after >= 4,
                    Rule::Standard => before + after == 4,
                }
            })
    }

    /// The evaluation for the side to move.
    pub(crate) fn score(&self) -> Score {
        self.tally.score(self.turn as usize)
    }

    /// The windows of the board as the side to move sees them: their numbers, and how often.
    pub(crate) fn window_features(&self) -> Vec<(usize, f32)> {
        let mut counts = vec![0.0; WEIGHTS];
        for line in self.lines {
            for start in (0..40).step_by(2) {
                let window = (line >> start) as usize & (WEIGHTS - 1);
                let seen = match self.turn {
                    Stone::Black => window,
                    Stone::White => exchange_colors(window),
                };
                counts[weight_index(seen)] += 1.0;
            }
        }
        // Windows without a stone say nothing.
        let has_stone = |window: usize| (0..6).any(|i| matches!(window >> (2 * i) & 3, 1 | 2));
        let counts = counts.into_iter().enumerate();
        counts
            .filter(|(window, count)| *count > 0.0 && has_stone(*window))
            .collect()
    }
}

static KEYS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    // Another part of the sequence than xiangqi's, only so that no two games share keys.
    (10_000..=10_000 + 2 * (SIZE * SIZE) as u64)
        .map(zobrist)
        .collect()
});
