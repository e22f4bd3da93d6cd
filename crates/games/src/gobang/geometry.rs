//! The lines of the board. Each point lies on four of them: its rank, its file and two diagonals.
//!
//! A line is 64 bits, two for each point: 0 is empty, 1 Black's stone, 2 White's, 3 the edge. A
//! stretch of a line is then a number, which looks up what the stretch is worth.

/// The board has so many points on each side.
pub const SIZE: usize = 15;

/// A point: `15 * y + x`, from the first corner.
pub type Point = u8;

/// This many points of edge lie before the first point of a line.
const EDGE: usize = 5;

/// Ranks, files and the diagonals in both directions.
pub(crate) const LINES: usize = 2 * SIZE + 2 * (2 * SIZE - 1);

/// Where a point stands on a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Which line it is.
    pub(crate) line: u8,
    /// Where the point's two bits begin.
    pub(crate) shift: u8,
}

/// The four lines of each point.
pub(crate) static PLACES: [[Place; 4]; SIZE * SIZE] = places();

const fn places() -> [[Place; 4]; SIZE * SIZE] {
    let mut places = [[Place { line: 0, shift: 0 }; 4]; SIZE * SIZE];
    let mut point = 0;
    while point < SIZE * SIZE {
        let (x, y) = (point % SIZE, point / SIZE);
        let diagonals = 2 * SIZE;
        places[point] = [
            place(y, x),
            place(SIZE + x, y),
            place(diagonals + x + SIZE - 1 - y, x),
            place(diagonals + 2 * SIZE - 1 + x + y, x),
        ];
        point += 1;
    }
    places
}

const fn place(line: usize, index: usize) -> Place {
    Place {
        line: line as u8,
        shift: 2 * (index + EDGE) as u8,
    }
}

/// The lines of an empty board: where there is no point, there is edge.
pub(crate) fn empty_lines() -> [u64; LINES] {
    let mut lines = [u64::MAX; LINES];
    for Place { line, shift } in PLACES.iter().flatten() {
        lines[usize::from(*line)] &= !(3 << shift);
    }
    lines
}

/// The points that are at most two steps away from one of these, as rows of bits.
pub(crate) fn within_two(rows: &[u32; SIZE]) -> [u32; SIZE] {
    let widened = rows.map(|row| row | row << 1 | row << 2 | row >> 1 | row >> 2);
    let mut near = [0; SIZE];
    for (y, near) in near.iter_mut().enumerate() {
        let from = y.saturating_sub(2);
        let to = (y + 2).min(SIZE - 1);
        *near = widened[from..=to].iter().fold(0, |all, row| all | row);
        *near &= (1 << SIZE) - 1;
    }
    near
}

/// The points of rows of bits.
pub(crate) fn points(rows: &[u32; SIZE]) -> impl Iterator<Item = Point> + '_ {
    let rows = (0u8..).zip(rows);
    rows.flat_map(|(y, &row)| {
        let mut left = row;
        std::iter::from_fn(move || {
            let x = left.trailing_zeros() as u8;
            (left != 0).then(|| {
                left &= left - 1;
                y * SIZE as u8 + x
            })
        })
    })
}
