//! The evaluation: what each piece is worth on each point, learned from games of this program
//! against itself. `tables/xiangqi.txt` holds the numbers and says how they came about.
//!
//! There are two numbers for each: one while all attackers (rooks, horses, cannons) are on the
//! board, one for when none is left. What counts lies between, by how many are left (*tapered
//! evaluation*).

use std::array;
use std::sync::LazyLock;

use crate::game::Score;
use crate::learning::{read_weights, write_rows};

use super::pieces::{Piece, Role, Side, Square};

/// What the right to move is worth.
pub(crate) const TEMPO: Score = 5;

/// A number for each kind of piece and each point of the board's left half; the right half mirrors
/// it.
const SQUARES: usize = 7 * 50;

/// What is learned for a phase: the numbers of points, and after them one for each kind of piece,
/// which is added to its points. A piece on a point that games seldom see is then worth about as
/// much as on any other.
const PHASE_WEIGHTS: usize = SQUARES + 7;

/// What is learned, for both phases.
pub const WEIGHTS: usize = 2 * PHASE_WEIGHTS;

/// The attackers of both sides at the beginning.
const ALL_ATTACKERS: Score = 12;

/// What counts with all attackers on the board, and with none.
pub(crate) type Phased = [Score; 2];

/// Between the two values, by the attackers that are left.
pub(crate) fn taper([with_all, with_none]: Phased, attackers: Score) -> Score {
    let attackers = attackers.min(ALL_ATTACKERS);
    (with_all * attackers + with_none * (ALL_ATTACKERS - attackers)) / ALL_ATTACKERS
}

/// The names of the pieces in the file, in the order of [`Role`].
const NAMES: [&str; 7] = [
    "king", "advisor", "elephant", "horse", "rook", "cannon", "soldier",
];

/// The piece-square tables, material included.
#[derive(Debug)]
pub struct Tables {
    /// By side and role, then by point; for Red.
    worth: [[Phased; 90]; 14],
    material: [Score; 7],
}

static LEARNED: LazyLock<Tables> = LazyLock::new(|| {
    let weights = read_weights(include_str!("../../tables/xiangqi.txt"), 2 * SQUARES);
    Tables::new(&weights.expect("the tables are complete"))
});

/// Where the worth of a piece on a point stands among the weights.
fn weight_index(piece: Piece, square: Square) -> usize {
    let (file, rank) = (usize::from(square) % 9, usize::from(square) / 9);
    let rank = if piece.side == Side::Red {
        rank
    } else {
        9 - rank
    };
    piece.role as usize * 50 + rank * 5 + file.min(8 - file)
}

impl Tables {
    /// The tables that the program plays with.
    pub fn learned() -> &'static Tables {
        &LEARNED
    }

    /// Tables of a number for each point of each piece, in both phases.
    fn new(weights: &[Score]) -> Tables {
        let (with_all, with_none) = weights.split_at(SQUARES);
        let piece = |index: usize| Piece {
            side: if index < 7 { Side::Red } else { Side::Black },
            role: Role::ALL[index % 7],
        };
        let sign = |index: usize| if index < 7 { 1 } else { -1 };
        let worth = |index, square: usize| {
            let at = weight_index(piece(index), square as Square);
            [with_all, with_none].map(|weights| sign(index) * weights[at])
        };
        let mean = |role: usize| {
            // Points without a number say nothing of the piece.
            let weights = with_all[role * 50..][..50]
                .iter()
                .filter(|weight| **weight != 0);
            weights.clone().sum::<Score>() / (weights.count().max(1) as Score)
        };
        Tables {
            worth: array::from_fn(|index| array::from_fn(|square| worth(index, square))),
            material: array::from_fn(mean),
        }
    }

    /// What a piece on a point is worth, for Red.
    pub(crate) fn worth(&self, piece: Piece, square: Square) -> Phased {
        self.worth[piece.side as usize * 7 + piece.role as usize][usize::from(square)]
    }

    /// What a kind of piece is worth on average, for the order of captures.
    pub(crate) fn material(&self, role: Role) -> Score {
        self.material[role as usize]
    }
}

/// Tables of learned numbers; there are [`WEIGHTS`].
pub(super) fn tables_of(weights: &[Score]) -> Tables {
    Tables::new(&with_material(weights))
}

/// The worth of each piece on each point, in both phases: its own number and that of its kind.
fn with_material(weights: &[Score]) -> Vec<Score> {
    let of_phase = |weights: &[Score]| {
        let worth = |index: usize| weights[index] + weights[SQUARES + index / 50];
        (0..SQUARES).map(worth).collect::<Vec<Score>>()
    };
    weights.chunks(PHASE_WEIGHTS).flat_map(of_phase).collect()
}

/// The tables as the program reads them, below lines that say how they came about: those of a board
/// with all attackers, and those of one with none. There are [`WEIGHTS`] numbers.
pub fn tables_text(provenance: &str, weights: &[Score]) -> String {
    let weights = with_material(weights);
    let rows = (0..140).map(|row| {
        let name = if row % 10 == 0 {
            NAMES[row / 10 % 7]
        } else {
            ""
        };
        (name.to_owned(), &weights[row * 5..][..5])
    });
    write_rows(provenance, rows)
}

/// The indices of the weights that a piece on a point counts for, and how much of each, while so
/// many attackers are left.
pub(super) fn weights_of(piece: Piece, square: Square, attackers: Score) -> [(usize, f32); 4] {
    let with_all = attackers.min(ALL_ATTACKERS) as f32 / ALL_ATTACKERS as f32;
    let own = weight_index(piece, square);
    let of_kind = SQUARES + piece.role as usize;
    [
        (own, with_all),
        (of_kind, with_all),
        (PHASE_WEIGHTS + own, 1.0 - with_all),
        (PHASE_WEIGHTS + of_kind, 1.0 - with_all),
    ]
}
