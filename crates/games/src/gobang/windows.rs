//! The evaluation: what each stretch of six points is worth, added up over all lines.
//!
//! There are two sets of scores. The published one is that of a program that teaches gobang
//! (`colingogogo/gobang_AI`, 2017): a number for each shape, mine minus yours. The other one is
//! fitted to games of this program against itself; it knows whose turn it is, since a three of the
//! side to move is worth much more than one of the opponent's.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::game::Score;
use crate::learning::as_comments;

/// How many points a window has.
pub(crate) const WINDOW: usize = 6;

/// A number for each window. Mirrored windows share one.
pub const WEIGHTS: usize = 1 << (2 * WINDOW);

/// The points of a window, as the file of scores writes them.
const SYMBOLS: [char; 4] = ['.', 'x', 'o', '#'];

/// The published shapes and their scores: `x` is an own stone, `.` an empty point. Shapes of five
/// points are looked for at the beginning of a window. A five ends the game, and needs no score.
const PUBLISHED: [(Score, &str); 14] = [
    (50, ".xx.."),
    (50, "..xx."),
    (200, "xx.x."),
    (500, "..xxx"),
    (500, "xxx.."),
    (5_000, ".xxx."),
    (5_000, ".x.xx."),
    (5_000, ".xx.x."),
    (5_000, "xxx.x"),
    (5_000, "xx.xx"),
    (5_000, "x.xxx"),
    (5_000, "xxxx."),
    (5_000, ".xxxx"),
    (50_000, ".xxxx."),
];

/// The published scores are divided by this, so that several shapes together stay below a win.
const PUBLISHED_UNIT: Score = 10;

/// What is added up over all windows of the board. Four numbers, so that one instruction adds them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// The evaluation if Black is to move, and if White is; for the side to move.
    scores: [Score; 2],
    /// For each color how many windows begin with four of its stones and an empty point among five,
    /// and how many with three and two, the latter times [`THREES`].
    counts: [i32; 2],
}

/// Above all numbers of fours.
const THREES: i32 = 1 << 12;

impl Tally {
    pub(crate) fn add(&mut self, other: &Tally) {
        for side in 0..2 {
            self.scores[side] = self.scores[side].wrapping_add(other.scores[side]);
            self.counts[side] = self.counts[side].wrapping_add(other.counts[side]);
        }
    }

    pub(crate) fn subtract(&mut self, other: &Tally) {
        for side in 0..2 {
            self.scores[side] = self.scores[side].wrapping_sub(other.scores[side]);
            self.counts[side] = self.counts[side].wrapping_sub(other.counts[side]);
        }
    }

    /// The evaluation if this color is to move.
    pub(crate) fn score(&self, stone: usize) -> Score {
        self.scores[stone]
    }

    /// Whether this color has four of five points, and the fifth is empty.
    pub(crate) fn has_four(&self, stone: usize) -> bool {
        self.counts[stone] % THREES > 0
    }

    /// Whether this color has three of five points, and the others are empty.
    pub(crate) fn has_three(&self, stone: usize) -> bool {
        self.counts[stone] >= THREES
    }
}

/// A set of scores, as a table of windows.
#[derive(Debug)]
pub struct Scores {
    tallies: Vec<Tally>,
}

static LEARNED: LazyLock<Scores> = LazyLock::new(|| {
    let weights = read_scores(include_str!("../../tables/gobang.txt"));
    Scores::new(&weights.expect("the scores are complete"))
});

static PUBLISHED_SCORES: LazyLock<Scores> = LazyLock::new(|| {
    let weights: Vec<Score> = (0..WEIGHTS)
        .map(|window| published(window) - published(exchange_colors(window)))
        .collect();
    Scores::new(&weights)
});

impl Scores {
    /// The scores that were fitted to games.
    pub fn learned() -> &'static Scores {
        &LEARNED
    }

    /// The published scores of shapes.
    pub fn published() -> &'static Scores {
        &PUBLISHED_SCORES
    }

    /// Scores for each window as the side to move sees it; there are [`WEIGHTS`].
    fn new(weights: &[Score]) -> Scores {
        let tally = |window| {
            let five = [window, exchange_colors(window)].map(stones_of_five);
            Tally {
                scores: [weights[window], weights[exchange_colors(window)]],
                counts: five.map(|stones| match stones {
                    Some(4) => 1,
                    Some(3) => THREES,
                    _ => 0,
                }),
            }
        };
        Scores {
            tallies: (0..WEIGHTS).map(tally).collect(),
        }
    }

    /// Scores of weights of which mirrored windows share one.
    pub(crate) fn of_shared(weights: &[Score]) -> Scores {
        let weights: Vec<Score> = (0..WEIGHTS)
            .map(|window| weights[weight_index(window)])
            .collect();
        Scores::new(&weights)
    }

    pub(crate) fn tally(&self, window: usize) -> &Tally {
        &self.tallies[window]
    }
}

/// The windows of a line that contain the point whose bits begin at `shift`.
pub(crate) fn windows_at(line: u64, shift: u8) -> impl Iterator<Item = usize> {
    let first = shift - 2 * (WINDOW as u8 - 1);
    let starts = (0..WINDOW as u8).map(move |index| first + 2 * index);
    starts.map(move |start| (line >> start) as usize & (WEIGHTS - 1))
}

fn symbol(window: usize, index: usize) -> usize {
    window >> (2 * index) & 3
}

/// A stretch of points as the opponent sees it: the two bits of each point change places, which
/// leaves the edge.
pub(crate) fn exchange_colors(points: usize) -> usize {
    (points & 0x5555) << 1 | points >> 1 & 0x5555
}

/// The number that a window shares with its mirror image.
pub(crate) fn weight_index(window: usize) -> usize {
    let mirrored = (0..WINDOW).map(|index| symbol(window, index) << (2 * (WINDOW - 1 - index)));
    window.min(mirrored.sum())
}

/// Black's stones among the first five points, if there is nothing else but empty points.
fn stones_of_five(window: usize) -> Option<usize> {
    let five = (0..5).map(|index| symbol(window, index));
    let is_open = five.clone().all(|symbol| symbol < 2);
    is_open.then(|| five.sum())
}

/// The highest published score of a shape that a window has, for Black.
fn published(window: usize) -> Score {
    let matches = |(_, shape): &&(Score, &str)| {
        let mut points = shape.chars().enumerate();
        points.all(|(index, point)| SYMBOLS[symbol(window, index)] == point)
    };
    let scores = PUBLISHED.iter().filter(matches).map(|(score, _)| *score);
    scores.max().unwrap_or(0) / PUBLISHED_UNIT
}

fn window_text(window: usize) -> String {
    (0..WINDOW)
        .map(|index| SYMBOLS[symbol(window, index)])
        .collect()
}

/// Scores as the program reads them, below lines that say how they came about: a window as the side
/// to move sees it, and its score. Windows that are not listed score nothing.
pub fn scores_text(provenance: &str, weights: &[Score]) -> String {
    let mut text = as_comments(provenance);
    for (window, weight) in weights
        .iter()
        .enumerate()
        .filter(|(_, weight)| **weight != 0)
    {
        text += &format!("{} {weight}\n", window_text(window));
    }
    text
}

fn read_scores(text: &str) -> Option<Vec<Score>> {
    let lines = text.lines().filter(|line| !line.starts_with("# "));
    let read = |line: &str| {
        let (window, score) = line.split_once(' ')?;
        Some((window.to_owned(), score.parse().ok()?))
    };
    let scores = lines
        .map(read)
        .collect::<Option<BTreeMap<String, Score>>>()?;
    let score = |window| scores.get(&window_text(weight_index(window)));
    Some(
        (0..WEIGHTS)
            .map(|window| score(window).copied().unwrap_or(0))
            .collect(),
    )
}
