//! The geometry of the board: where each piece can go from each point if nothing stands in its way.
//! The palaces and the river are in these tables, and nowhere in the code that makes moves.

use std::array;
use std::sync::LazyLock;

use super::pieces::{Side, Square};

/// A step, and the point that must be empty for it: a horse's leg or an elephant's eye.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// The point that must be empty.
    pub(crate) via: Square,
    /// Where the step leads.
    pub(crate) to: Square,
}

/// All steps from one point, by kind of piece.
#[derive(Debug)]
pub(crate) struct Steps {
    /// The points in each of the four directions, the nearest first.
    pub(crate) rays: [Vec<Square>; 4],
    pub(crate) king: Vec<Square>,
    pub(crate) advisor: Vec<Square>,
    pub(crate) elephant: Vec<Step>,
    pub(crate) horse: Vec<Step>,
    /// Horses at these points attack this one, unless the leg is blocked.
    pub(crate) horse_attackers: Vec<Step>,
    /// A soldier's steps, for Red and for Black.
    pub(crate) soldier: [Vec<Square>; 2],
    /// Where soldiers of Red, and of Black, attack this point from.
    pub(crate) soldier_attackers: [Vec<Square>; 2],
}

/// The steps from each point.
pub(crate) static STEPS: LazyLock<[Steps; 90]> =
    LazyLock::new(|| array::from_fn(|square| steps_from(square as Square)));

const ORTHOGONAL: [(i32, i32); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

fn file_and_rank(square: Square) -> (i32, i32) {
    (i32::from(square) % 9, i32::from(square) / 9)
}

/// The point so many files and ranks away, if it is on the board.
fn offset(square: Square, (files, ranks): (i32, i32)) -> Option<Square> {
    let (file, rank) = file_and_rank(square);
    let (file, rank) = (file + files, rank + ranks);
    let is_on_board = (0..9).contains(&file) && (0..10).contains(&rank);
    is_on_board.then_some((rank * 9 + file) as Square)
}

fn is_in_palace(square: Square) -> bool {
    let (file, rank) = file_and_rank(square);
    (3..=5).contains(&file) && !(3..=6).contains(&rank)
}

/// Whether the point lies beyond the river, as Red sees it.
pub(crate) fn is_beyond_the_river(square: Square) -> bool {
    square >= 45
}

/// The neighbours in some directions that lie in the same palace.
fn within_palace(square: Square, directions: [(i32, i32); 4]) -> Vec<Square> {
    let neighbours = directions.into_iter().filter_map(|d| offset(square, d));
    neighbours
        .filter(|to| is_in_palace(square) && is_in_palace(*to))
        .collect()
}

fn elephant(square: Square) -> Vec<Step> {
    let step = |(files, ranks): (i32, i32)| {
        let to = offset(square, (2 * files, 2 * ranks))?;
        let via = offset(square, (files, ranks))?;
        (is_beyond_the_river(square) == is_beyond_the_river(to)).then_some(Step { via, to })
    };
    DIAGONAL.into_iter().filter_map(step).collect()
}

/// A horse goes one step along a line, and one further diagonally. The leg is beside the point that
/// it starts from; seen from its target it is the diagonal neighbour.
fn horse(square: Square, is_leg_beside: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    for (long_files, long_ranks) in ORTHOGONAL {
        for aside in [-1, 1] {
            let (files, ranks) = (
                2 * long_files + aside * long_ranks.abs(),
                2 * long_ranks + aside * long_files.abs(),
            );
            let leg = if is_leg_beside {
                (long_files, long_ranks)
            } else {
                (files - long_files, ranks - long_ranks)
            };
            if let (Some(to), Some(via)) = (offset(square, (files, ranks)), offset(square, leg)) {
                steps.push(Step { via, to });
            }
        }
    }
    steps
}

fn soldier(square: Square, side: Side) -> Vec<Square> {
    let forward = if side == Side::Red { 1 } else { -1 };
    let has_crossed = is_beyond_the_river(square) == (side == Side::Red);
    let sideways = [(-1, 0), (1, 0)];
    let directions = [(0, forward)].into_iter();
    let directions = directions.chain(sideways.into_iter().filter(|_| has_crossed));
    directions.filter_map(|d| offset(square, d)).collect()
}

fn steps_from(square: Square) -> Steps {
    let ray = |(files, ranks): (i32, i32)| {
        let points = (1..10).map_while(|n| offset(square, (n * files, n * ranks)));
        points.collect()
    };
    let soldier_attackers = |side| {
        let attacks = |from: &Square| soldier(*from, side).contains(&square);
        (0..90).filter(attacks).collect()
    };
    Steps {
        rays: ORTHOGONAL.map(ray),
        king: within_palace(square, ORTHOGONAL),
        advisor: within_palace(square, DIAGONAL),
        elephant: elephant(square),
        horse: horse(square, true),
        horse_attackers: horse(square, false),
        soldier: [Side::Red, Side::Black].map(|side| soldier(square, side)),
        soldier_attackers: [Side::Red, Side::Black].map(soldier_attackers),
    }
}
