//! What a line is like: the features by which a player chooses among nearly equal moves.
//!
//! Three kinds of them stand in one list, the *index space*. How good the line is: what it loses,
//! and how early the search had it. What its first move is like: a check, a trade, a step of the
//! h-pawn. And which pieces stand where at its end, each piece on its square: the weights of those
//! are differences to the tables of the evaluation. Each feature counts twice, for the middlegame
//! and for the endgame, weighted by the phase of the game.
//!
//! The last kind follows Hoki and Kaneko (*Large-Scale Optimization for Evaluation Functions with
//! Minimax Search*, JAIR 49, 2014): since the evaluation is linear, the gradient of a line's score
//! is the difference of the features at its leaf.

use shakmaty::{Color, File, Piece, Role, Square};

/// How good a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// What it loses, up to 10 centipawns; 1 for all of them.
    FirstLoss,
    /// What it loses from 10 to 30 centipawns; 1 for all of them.
    FurtherLoss,
    /// What it loses beyond 30 centipawns, in half pawns.
    GreatLoss,
    /// It is the best.
    Best,
    /// What it lost on average in the first half of the iterations, in units of 30 centipawns.
    EarlyLoss,
    /// The same in the second half.
    LateLoss,
    /// The share of the iterations in which it was the best.
    BestShare,
    /// What it loses, in units of 30 centipawns, times how far the game is decided: 1 from a score
    /// of five pawns on.
    LossWhenDecided,
    /// What the static evaluation gains by the move, in pawns.
    AtFirstSight,
}

/// What a move is like, or the line that it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trait {
    /// A piece of this role moves; castling is a trait of its own.
    Moves(Role),
    /// It captures a piece of this role.
    Takes(Role),
    /// The pawn of this file moves.
    PawnOf(File),
    /// It gives check.
    Check,
    /// It castles on the king's side.
    CastlesShort,
    /// It castles on the queen's side.
    CastlesLong,
    /// A pawn is promoted.
    Promotes,
    /// It captures the piece that has just moved.
    Recaptures,
    /// It captures a piece of about its own value.
    Trades,
    /// The piece was attacked by a lesser one, or attacked and not defended.
    Withdraws,
    /// The piece goes to where a pawn attacks it.
    IntoPawn,
    /// The exchanges on the target square lose material.
    Offers,
    /// A piece goes forward, by 4 ranks.
    Advances,
    /// A piece goes backward.
    Retreats,
    /// A piece comes closer to the enemy king, by 4 squares.
    TowardsEnemyKing,
    /// A piece comes closer to its own king, by 4 squares.
    TowardsOwnKing,
    /// A pawn moves on the file of the enemy king or on one beside it.
    PawnStorm,
    /// A pawn moves on the file of its own king or on one beside it.
    OpensOwnKing,
    /// A pawn takes two steps.
    DoubleStep,
    /// The piece is that of the player's last move.
    SamePiece,
    /// It attacks a more valuable piece, or one that is not defended; by their number.
    Threatens,
    /// The piece attacks squares around the enemy king, by 4 squares more than before.
    AtEnemyKing,
    /// A knight or bishop leaves its own first rank.
    Develops,
    /// The queens come off in the line.
    QueensOff,
    /// Pieces come off in the line, by 2.
    PiecesOff,
    /// Material is given for other things, at the end of the line.
    Sacrifices,
    /// Material is won at the end of the line.
    WinsMaterial,
}

const QUALITIES: usize = 9;
const TRAITS: usize = 6 + 5 + 8 + 24;
const SQUARES: usize = 2 * 6 * 64;

/// The place of the first piece on a square; all that come before it are qualities and traits.
pub(super) const FIRST_SQUARE: usize = QUALITIES + TRAITS;

/// The number of features in each phase: the endgame's places are so much further on.
pub const PER_PHASE: usize = FIRST_SQUARE + SQUARES;

/// The number of features.
pub const FEATURES: usize = 2 * PER_PHASE;

/// Whether a feature is about a piece on a square, in either phase.
pub fn is_about_square(place: usize) -> bool {
    place % PER_PHASE >= FIRST_SQUARE
}

impl Quality {
    /// Its place in the index space.
    pub const fn place(self) -> usize {
        self as usize
    }
}

impl Trait {
    /// Every trait, in the order of the index space.
    pub fn all() -> impl Iterator<Item = Trait> {
        use Trait::*;
        let of_roles = Role::ALL.into_iter().map(Moves);
        let of_takes = Role::ALL.into_iter().take(5).map(Takes);
        let of_files = File::ALL.into_iter().map(PawnOf);
        let others = [
            Check,
            CastlesShort,
            CastlesLong,
            Promotes,
            Recaptures,
            Trades,
            Withdraws,
            IntoPawn,
            Offers,
            Advances,
            Retreats,
            TowardsEnemyKing,
            TowardsOwnKing,
            PawnStorm,
            OpensOwnKing,
            DoubleStep,
            SamePiece,
            Threatens,
            AtEnemyKing,
            Develops,
            QueensOff,
            PiecesOff,
            Sacrifices,
            WinsMaterial,
        ];
        of_roles.chain(of_takes).chain(of_files).chain(others)
    }

    /// Its place in the index space.
    pub fn place(self) -> usize {
        let place = Trait::all().position(|other| other == self);
        QUALITIES + place.expect("every trait is listed")
    }
}

/// The place of a piece on a square as the player sees it, from behind the own pieces.
pub(super) fn square_place(player: Color, piece: Piece, square: Square) -> usize {
    let side = usize::from(piece.color != player);
    let seen = player.fold_wb(square, square.flip_vertical());
    FIRST_SQUARE + (side * 6 + usize::from(piece.role) - 1) * 64 + usize::from(seen)
}
