//! The features of a training position, as the model adds them up.
//!
//! They are found out each time a position is looked at: a list of them would take many times the
//! memory of the position. Which table entries a board has is asked of the evaluation, so that what
//! is fitted is what the engine plays with.

use arrayvec::ArrayVec;
use shakmaty::Color;

use super::training_data::PackedPosition;
use squarewise_engine::evaluation::attacks::attack_pairs;
use squarewise_engine::evaluation::attacks::for_each_feature as for_each_attack;
use squarewise_engine::evaluation::features::{Family, FeatureState, Layout};
use squarewise_engine::evaluation::pair_table::PairsOnBoard;
use squarewise_engine::evaluation::pairs::{SeenPair, seen_pairs};
use squarewise_engine::evaluation::tapered_score::{MAX_PHASE, unclamped_phase};

/// The most features of a position other than attacks and pairs: 32 pieces, of which the pawns can
/// be passed, and those that belong to no single piece.
const MAX_FEATURES: usize = 2 * 32 + Family::ALL.len();

/// The most features of attacks: each of 30 pieces attacks eight others at most, is attacked once
/// and has one mobility; the rest are those of kings and passed pawns.
const MAX_ATTACKS: usize = 384;

/// What the model needs to know about a position.
pub(super) struct PositionFeatures {
    /// The indices, as Black and as White sees it, of every feature of a fitted family other than
    /// attacks and pairs.
    pub(super) singles: ArrayVec<[u32; 2], MAX_FEATURES>,
    /// The index of every feature of attacks of a fitted family, and 1 if it is White's or -1 if it
    /// is Black's.
    pub(super) attacks: ArrayVec<(u32, f32), MAX_ATTACKS>,
    /// If pairs are fitted.
    pub(super) pairs: Option<PairsOnBoard>,
    /// The weight of the middlegame, 0 to 1.
    pub(super) middlegame: f32,
    /// 1 if White is to move, -1 if Black is.
    pub(super) turn: f32,
}

impl PositionFeatures {
    /// The features of a position that belong to these families.
    pub(super) fn new(
        position: &PackedPosition,
        layout: &Layout,
        families: &[Family],
    ) -> PositionFeatures {
        let board = position.board();
        let state = FeatureState::of(layout, &board);
        let mut singles = ArrayVec::new();
        state.for_each_feature(&board, |feature| {
            if families.contains(&feature.family()) {
                let indices = state.indices(layout, feature);
                singles.push(indices.map(|index| index as u32));
            }
        });
        let mut attacks = ArrayVec::new();
        if families.iter().any(|family| family.is_attacks()) {
            for_each_attack(&board, position.turn, |side: Color, feature| {
                let family = feature.family();
                if families.contains(&family) {
                    let index = layout.range(family).start + feature.place();
                    attacks.push((index as u32, side.fold_wb(1.0, -1.0)));
                }
            });
        }
        let has_pairs = families.iter().any(|family| family.is_pairs());
        PositionFeatures {
            singles,
            attacks,
            pairs: has_pairs.then(|| PairsOnBoard::new(state.pair_perspective(), &board)),
            middlegame: unclamped_phase(&board).min(MAX_PHASE) as f32 / MAX_PHASE as f32,
            turn: position.turn.fold_wb(1.0, -1.0),
        }
    }
}

/// The number of the relative parameter of every pair, first of attacks, then of pairs with pawns:
/// pairs of the same pieces at the same distance from each other share one.
///
/// Two pawns side by side support each other on every file, and a knight is blocked by a pawn in
/// front of it wherever both stand. There are 70,000 pairs, many of them hardly ever seen in games;
/// what holds for all that are placed alike is learned from all of them, and the score of a pair
/// only adds what is special about its squares.
pub(super) fn relative_numbers() -> Vec<u16> {
    // Files differ by -7 to 7, ranks too.
    const DISTANCES: usize = 15 * 15;
    // Pawn to queen, own and enemy, with own and enemy pawns.
    const PAWN_KINDS: usize = 10 * 2;
    let of_attack = |pair: attack_pairs::SeenAttack| {
        let kinds = PAWN_KINDS + pair.role * attack_pairs::VICTIMS + pair.victim;
        let files = (pair.to % 8 + 7) - pair.from % 8;
        let ranks = (pair.to / 8 + 7) - pair.from / 8;
        (kinds * DISTANCES + ranks * 15 + files) as u16
    };
    let number = |pair: SeenPair| {
        let kind = usize::from(pair.is_enemy) * 5 + usize::from(pair.role) - 1;
        let kinds = kind * 2 + usize::from(pair.is_enemy_pawn);
        let files = pair.pawn.file() as i32 - pair.square.file() as i32 + 7;
        let ranks = pair.pawn.rank() as i32 - pair.square.rank() as i32 + 7;
        (kinds * DISTANCES + (ranks * 15 + files) as usize) as u16
    };
    let attacks = attack_pairs::seen_attacks().map(of_attack);
    attacks.chain(seen_pairs().map(number)).collect()
}
