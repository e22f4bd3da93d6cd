//! Attacks as tables: what is worth something because of who attacks it.
//!
//! The other families know where pieces stand; these know what they do there. All of them are found
//! anew for every position that is evaluated, in one walk over its pieces:
//!
//! | family | one entry for |
//! |---|---|
//! | [`threats`] | an enemy piece is attacked: by which roles, how defended, whose turn it is |
//! | [`mobility`] | a piece bears on so many safe squares |
//! | [`king_counts`] | so many squares around a king are attacked, and the like |
//! | [`king_danger`] | which pieces attack the surroundings of a king, what is weak there, which checks are safe |
//! | [`passed_path`] | what awaits a passed pawn on its way |
//! | [`attack_pairs`] | a piece on its square attacks or defends a piece on its square |
//!
//! An entry is good for the side whose [`AttackFeature`] it is; the evaluation is White's sum minus
//! Black's. [`for_each_feature`] is the index law: the search, the laboratory and the breakdown add
//! up what it lists, each in its own way.

mod attack_map;
pub mod attack_pairs;
pub mod king_counts;
pub mod king_danger;
pub mod mobility;
pub mod passed_path;
mod places;
mod surroundings;
pub mod table;
pub mod threats;
mod wide_score;

use shakmaty::{Board, Color};

use super::layout::Family;
use super::passed_pawns::passed_pawns;
use attack_map::AttackMap;
use attack_pairs::AttackPair;
use king_counts::KingCount;
use king_danger::KingDanger;
use mobility::Mobility;
use passed_path::PassedPath;
use places::Places;
use surroundings::Surroundings;
use threats::Threat;

/// Something that a table of attacks holds a score for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttackFeature {
    /// An enemy piece is attacked.
    Threat(Threat),
    /// A piece has squares to go to.
    Mobility(Mobility),
    /// Something around a king is counted.
    KingCount(KingCount),
    /// A king is attacked in some way, or in some part of it.
    KingDanger(KingDanger),
    /// A passed pawn has a way before it.
    PassedPath(PassedPath),
    /// A piece attacks or defends another.
    Pair(AttackPair),
}

impl AttackFeature {
    /// The family whose tables hold its score.
    #[inline(always)]
    pub fn family(self) -> Family {
        match self {
            AttackFeature::Threat(_) => Family::Threats,
            AttackFeature::Mobility(_) => Family::Mobility,
            AttackFeature::KingCount(_) => Family::KingCounts,
            AttackFeature::KingDanger(_) => Family::KingDanger,
            AttackFeature::PassedPath(_) => Family::PassedPaths,
            AttackFeature::Pair(_) => Family::AttackPairs,
        }
    }

    /// The place of its score in the family.
    #[inline(always)]
    pub fn place(self) -> usize {
        match self {
            AttackFeature::Threat(threat) => threat.place(),
            AttackFeature::Mobility(mobility) => mobility.place(),
            AttackFeature::KingCount(count) => count.place(),
            AttackFeature::KingDanger(danger) => danger.place(),
            AttackFeature::PassedPath(path) => path.place(),
            AttackFeature::Pair(pair) => pair.place(),
        }
    }
}

/// Calls `f` with every feature of a board, and the side for which it is good if its score is
/// positive. `turn` is the side to move.
pub fn for_each_feature(board: &Board, turn: Color, mut f: impl FnMut(Color, AttackFeature)) {
    let places = Places::of(board);
    let map = AttackMap::new(board, &places, |piece| {
        f(piece.side, AttackFeature::Mobility(Mobility::of(piece)));
        attack_pairs::of_piece(&places, piece, |pair| {
            f(piece.side, AttackFeature::Pair(pair))
        });
    });
    for side in Color::ALL {
        attack_pairs::of_pawns(&map, side, |pair| f(side, AttackFeature::Pair(pair)));
        threats::for_each(&map, turn, side, |threat| {
            f(side, AttackFeature::Threat(threat))
        });
        if let Some(around) = Surroundings::of_king(&map, side) {
            king_counts::for_each(&map, &around, |count| {
                f(side, AttackFeature::KingCount(count));
            });
            king_danger::for_each(&map, &around, |danger| {
                f(side, AttackFeature::KingDanger(danger));
            });
        }
        let passed = passed_pawns(board, side);
        passed_path::for_each(&map, side, passed, |path| {
            f(side, AttackFeature::PassedPath(path));
        });
    }
}

#[cfg(test)]
mod tests;
