//! Tapered scores: one value for the middlegame and one for the endgame.
//!
//! The evaluation blends the two by the *phase* of the game, which counts the pieces that are left:
//! tapered evaluation.
//!
//! Scores are counted in *units* of an eighth of a centipawn: hundreds of small scores are added
//! up, and rounding each of them to whole centipawns would cost as much as some families of tables
//! gain.
//!
//! [`TaperedScore`] is made for arithmetic, [`PackedScore`] takes half its size and is what tables
//! store.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use shakmaty::{Board, Role};

/// The phase with all pieces on the board; 0 is pawns and kings alone.
pub const MAX_PHASE: i32 = 24;

/// The units to a centipawn.
pub const UNITS: i32 = 8;

/// What a sum of units blended by the phase is divided by for centipawns: [`MAX_PHASE`] times
/// [`UNITS`].
pub const BLEND_DIVISOR: i32 = MAX_PHASE * UNITS;

/// The contribution of one piece to the phase: 1 for a minor piece, 2 for a rook, 4 for a queen.
#[inline]
pub fn phase_of(role: Role) -> i32 {
    match role {
        Role::Pawn | Role::King => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
    }
}

/// The phase contributions of all pieces on a board. More than [`MAX_PHASE`] after promotions.
pub fn unclamped_phase(board: &Board) -> i32 {
    board.iter().map(|(_, piece)| phase_of(piece.role)).sum()
}

/// A value in units, in the middlegame and in the endgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaperedScore {
    /// The value with all pieces on the board.
    pub middlegame: i32,
    /// The value with kings and pawns alone.
    pub endgame: i32,
}

impl TaperedScore {
    /// A value in centipawns that is the same in all phases.
    pub const fn flat(centipawns: i32) -> TaperedScore {
        TaperedScore {
            middlegame: centipawns * UNITS,
            endgame: centipawns * UNITS,
        }
    }

    /// The values of both phases in centipawns, middlegame first, to the nearest integer; halves
    /// are rounded away from zero.
    pub fn in_centipawns(self) -> [i32; 2] {
        [self.middlegame, self.endgame].map(|units| {
            let half = UNITS / 2 * units.signum();
            (units + half) / UNITS
        })
    }

    /// The sum of the values of both phases, weighted by the phase (0 to [`MAX_PHASE`]): divided by
    /// [`BLEND_DIVISOR`] it is in centipawns.
    #[inline]
    pub fn weighted(self, phase: i32) -> i32 {
        self.middlegame * phase + self.endgame * (MAX_PHASE - phase)
    }
}

impl AddAssign for TaperedScore {
    #[inline]
    fn add_assign(&mut self, other: TaperedScore) {
        self.middlegame += other.middlegame;
        self.endgame += other.endgame;
    }
}

impl SubAssign for TaperedScore {
    #[inline]
    fn sub_assign(&mut self, other: TaperedScore) {
        self.middlegame -= other.middlegame;
        self.endgame -= other.endgame;
    }
}

impl Add for TaperedScore {
    type Output = TaperedScore;

    #[inline]
    fn add(mut self, other: TaperedScore) -> TaperedScore {
        self += other;
        self
    }
}

impl Sub for TaperedScore {
    type Output = TaperedScore;

    #[inline]
    fn sub(mut self, other: TaperedScore) -> TaperedScore {
        self -= other;
        self
    }
}

impl Neg for TaperedScore {
    type Output = TaperedScore;

    #[inline]
    fn neg(self) -> TaperedScore {
        TaperedScore::default() - self
    }
}

impl Sum for TaperedScore {
    fn sum<I: Iterator<Item = TaperedScore>>(scores: I) -> TaperedScore {
        scores.fold(TaperedScore::default(), Add::add)
    }
}

/// A [`TaperedScore`] as it is stored in tables: half the size, so that more of them fit into the
/// cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackedScore {
    /// The value in the middlegame, in units.
    pub middlegame: i16,
    /// The value in the endgame, in units.
    pub endgame: i16,
}

impl From<PackedScore> for TaperedScore {
    #[inline]
    fn from(packed: PackedScore) -> TaperedScore {
        TaperedScore {
            middlegame: i32::from(packed.middlegame),
            endgame: i32::from(packed.endgame),
        }
    }
}
