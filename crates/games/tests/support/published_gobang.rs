//! The published gobang program (`colingogogo/gobang_AI`, 2017), as a test opponent: three plies of
//! negamax, its shapes found anew for every stone of every leaf, the opponent's counted a tenth.
//!
//! Where the original sets out to put the neighbours of the last stone first but removes from the
//! list that it walks, the port does what was meant. It looks at the points of the board only.

const SIZE: i32 = 15;
const DEPTH: u32 = 3;
const INFINITY: i64 = 999_999_990;

/// The published scores, times ten, so that a tenth of them is an integer.
const SHAPES: [(i64, &[u8]); 15] = [
    (500, &[0, 1, 1, 0, 0]),
    (500, &[0, 0, 1, 1, 0]),
    (2_000, &[1, 1, 0, 1, 0]),
    (5_000, &[0, 0, 1, 1, 1]),
    (5_000, &[1, 1, 1, 0, 0]),
    (50_000, &[0, 1, 1, 1, 0]),
    (50_000, &[0, 1, 0, 1, 1, 0]),
    (50_000, &[0, 1, 1, 0, 1, 0]),
    (50_000, &[1, 1, 1, 0, 1]),
    (50_000, &[1, 1, 0, 1, 1]),
    (50_000, &[1, 0, 1, 1, 1]),
    (50_000, &[1, 1, 1, 1, 0]),
    (50_000, &[0, 1, 1, 1, 1]),
    (500_000, &[0, 1, 1, 1, 1, 0]),
    (INFINITY, &[1, 1, 1, 1, 1]),
];

const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (-1, 1)];

/// A shape that was found: its score, its first five points, its direction.
type Found = (i64, [(i32, i32); 5], usize);

/// The board: 0 is empty, 1 the program's stone, 2 the opponent's.
#[derive(Clone)]
pub struct PublishedGobang {
    board: [[u8; SIZE as usize]; SIZE as usize],
    last: (i32, i32),
    best: Option<(i32, i32)>,
}

impl PublishedGobang {
    pub fn new() -> PublishedGobang {
        PublishedGobang {
            board: [[0; 15]; 15],
            last: (7, 7),
            best: None,
        }
    }

    /// Puts a stone of a player, 1 for the program.
    pub fn put(&mut self, (x, y): (i32, i32), player: u8) {
        self.board[x as usize][y as usize] = player;
        self.last = (x, y);
    }

    /// The move that the program plays.
    pub fn answer(&mut self) -> (i32, i32) {
        self.best = None;
        self.negamax(1, DEPTH, -INFINITY, INFINITY);
        // It plays nothing sensible when every move loses; then the first point near a stone.
        self.best.unwrap_or_else(|| self.candidates()[0])
    }

    fn at(&self, x: i32, y: i32) -> u8 {
        let is_on_board = (0..SIZE).contains(&x) && (0..SIZE).contains(&y);
        if is_on_board {
            self.board[x as usize][y as usize]
        } else {
            0
        }
    }

    fn negamax(&mut self, player: u8, depth: u32, mut alpha: i64, beta: i64) -> i64 {
        if depth == 0 || self.is_won(1) || self.is_won(2) {
            return self.evaluate(player);
        }
        let last = self.last;
        for (x, y) in self.candidates() {
            self.put((x, y), player);
            let score = -self.negamax(3 - player, depth - 1, -beta, -alpha);
            self.board[x as usize][y as usize] = 0;
            self.last = last;
            if score > alpha {
                if depth == DEPTH {
                    self.best = Some((x, y));
                }
                if score >= beta {
                    return beta;
                }
                alpha = score;
            }
        }
        alpha
    }

    /// Empty points beside a stone; those beside the last one come first.
    fn candidates(&self) -> Vec<(i32, i32)> {
        let neighbours = (-1..=1).flat_map(|i| (-1..=1).map(move |j| (i, j)));
        let points = (0..SIZE).flat_map(|x| (0..SIZE).map(move |y| (x, y)));
        let has_neighbour =
            |(x, y): &(i32, i32)| neighbours.clone().any(|(i, j)| self.at(x + i, y + j) != 0);
        let empty = points.filter(|(x, y)| self.at(*x, *y) == 0);
        let mut found: Vec<_> = empty.filter(has_neighbour).collect();
        let (last_x, last_y) = self.last;
        found.sort_by_key(|(x, y)| (x - last_x).abs().max((y - last_y).abs()) > 1);
        found
    }

    pub fn is_won(&self, player: u8) -> bool {
        let is_five =
            |x, y, (i, j): &(i32, i32)| (0..5).all(|n| self.at(x + n * i, y + n * j) == player);
        let mut points = (0..SIZE).flat_map(|x| (0..SIZE).map(move |y| (x, y)));
        points.any(|(x, y)| DIRECTIONS.iter().any(|direction| is_five(x, y, direction)))
    }

    fn evaluate(&self, player: u8) -> i64 {
        self.score(player) - self.score(3 - player) / 10
    }

    fn score(&self, player: u8) -> i64 {
        let mut found: Vec<Found> = Vec::new();
        let mut total = 0;
        for x in 0..SIZE {
            for y in 0..SIZE {
                if self.at(x, y) == player {
                    for direction in 0..4 {
                        total += self.line_score(x, y, direction, player, &mut found);
                    }
                }
            }
        }
        total
    }

    /// The best shape that a stone is part of in a direction, and a bonus for each shape that it
    /// crosses. A stone that is part of a shape in this direction already counts no more.
    fn line_score(
        &self,
        x: i32,
        y: i32,
        direction: usize,
        player: u8,
        found: &mut Vec<Found>,
    ) -> i64 {
        if found
            .iter()
            .any(|shape| shape.2 == direction && shape.1.contains(&(x, y)))
        {
            return 0;
        }
        let (i, j) = DIRECTIONS[direction];
        let mut best: Option<Found> = None;
        for offset in -5..=0 {
            let point = |n: i32| (x + (n + offset) * i, y + (n + offset) * j);
            let symbols: [u8; 6] = std::array::from_fn(|n| {
                let (x, y) = point(n as i32);
                match self.at(x, y) {
                    0 => 0,
                    stone if stone == player => 1,
                    _ => 2,
                }
            });
            for (score, shape) in SHAPES {
                let is_better = best.is_none_or(|best| score > best.0);
                if is_better && symbols.starts_with(shape) {
                    best = Some((score, std::array::from_fn(|n| point(n as i32)), direction));
                }
            }
        }
        let Some(best) = best else {
            return 0;
        };
        let crossings = found.iter().map(|other| {
            let shared = other
                .1
                .iter()
                .filter(|point| best.1.contains(point))
                .count();
            shared as i64 * (other.0 + best.0)
        });
        let score = best.0 + crossings.sum::<i64>();
        found.push(best);
        score
    }
}
