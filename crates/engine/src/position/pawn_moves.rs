//! The moves of pawns: captures, promotions and steps, in chess and in its variants.

use shakmaty::{Bitboard, File, Position, Role, Square};

use crate::position::movegen::LegalMasks;
use crate::position::packed_move::PackedMove;
use crate::position::variant_position::VariantPosition;

impl LegalMasks {
    /// Captures by pawns, including promotions and en passant.
    #[inline]
    pub(super) fn pawn_captures(
        &self,
        position: &VariantPosition,
        visit: &mut impl FnMut(PackedMove),
    ) {
        let board = position.board();
        let forward = position.turn().fold_wb(8, -8);
        let pawns = position.our(Role::Pawn);
        let capturable = position.capturable() & self.check_mask;
        for (sideways, edge) in [(-1, File::A), (1, File::H)] {
            let step = forward + sideways;
            for to in pawns.without(edge).shift(step) & capturable {
                let from = origin(to, step);
                if !self.respects_pin(from, to) {
                    continue;
                }
                let capture = board.role_at(to);
                if Bitboard::BACKRANKS.contains(to) {
                    promotions(from, to, capture, visit);
                } else {
                    visit(PackedMove::normal(Role::Pawn, from, capture, to, None));
                }
            }
        }
        if position.maybe_ep_square().is_some() {
            let moves = position.en_passant_moves().into_iter();
            moves.filter_map(PackedMove::new).for_each(visit);
        }
    }

    /// Promotions that capture nothing.
    #[inline]
    pub(super) fn promotions_without_capture(
        &self,
        position: &VariantPosition,
        visit: &mut impl FnMut(PackedMove),
    ) {
        let steps = PawnSteps::of(position);
        let promoting = Bitboard::BACKRANKS & self.check_mask;
        if ((steps.single | steps.double) & promoting).is_empty() {
            return;
        }
        for (targets, step) in [
            (steps.single, steps.forward),
            (steps.double, 2 * steps.forward),
        ] {
            for to in targets & promoting {
                let from = origin(to, step);
                if self.respects_pin(from, to) {
                    promotions(from, to, None, visit);
                }
            }
        }
    }

    /// The steps of pawns that do not promote.
    #[inline]
    pub(super) fn pawn_advances(
        &self,
        position: &VariantPosition,
        visit: &mut impl FnMut(PackedMove),
    ) {
        let steps = PawnSteps::of(position);
        for (targets, step) in [
            (steps.single, steps.forward),
            (steps.double, 2 * steps.forward),
        ] {
            self.pawn_steps(targets & !Bitboard::BACKRANKS, step, visit);
        }
        let rules = position.rules();
        if rules.pawns_step_back {
            self.pawn_steps_back(position, visit);
        }
        if rules.pawns_step_sideways {
            self.pawn_steps_sideways(position, visit);
        }
    }

    /// Steps back, which end on the second rank at the farthest.
    fn pawn_steps_back(&self, position: &VariantPosition, visit: &mut impl FnMut(PackedMove)) {
        let back = position.turn().fold_wb(-8, 8);
        let targets = position.our(Role::Pawn).shift(back) & !Bitboard::BACKRANKS;
        self.pawn_steps(targets & !position.board().occupied(), back, visit);
    }

    /// Steps to the squares on the left and on the right.
    fn pawn_steps_sideways(&self, position: &VariantPosition, visit: &mut impl FnMut(PackedMove)) {
        let pawns = position.our(Role::Pawn);
        for (step, edge) in [(-1, File::A), (1, File::H)] {
            let targets = pawns.without(edge).shift(step);
            self.pawn_steps(targets & !position.board().occupied(), step, visit);
        }
    }

    /// Moves of pawns to `targets`, each by the same step and none to the last rank, that keep the
    /// king out of check.
    #[inline(always)]
    pub(super) fn pawn_steps(
        &self,
        targets: Bitboard,
        step: i32,
        visit: &mut impl FnMut(PackedMove),
    ) {
        for to in targets & self.check_mask {
            let from = origin(to, step);
            if self.respects_pin(from, to) {
                visit(PackedMove::normal(Role::Pawn, from, None, to, None));
            }
        }
    }
}

/// The squares that pawns reach by steps forward, on which they may promote.
struct PawnSteps {
    forward: i32,
    single: Bitboard,
    double: Bitboard,
}

impl PawnSteps {
    #[inline]
    fn of(position: &VariantPosition) -> PawnSteps {
        let empty = !position.board().occupied();
        let forward = position.turn().fold_wb(8, -8);
        let single = position.our(Role::Pawn).shift(forward) & empty;
        let may_be_crossed = position.rules().double_steps_over[usize::from(position.turn())];
        PawnSteps {
            forward,
            single,
            double: (single & may_be_crossed).shift(forward) & empty,
        }
    }
}

/// The square from which a pawn reaches `to` by `step`.
#[inline]
fn origin(to: Square, step: i32) -> Square {
    to.offset(-step).expect("a pawn's origin is on the board")
}

/// Visits the four promotions of a pawn.
fn promotions(from: Square, to: Square, capture: Option<Role>, visit: &mut impl FnMut(PackedMove)) {
    for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
        visit(PackedMove::normal(
            Role::Pawn,
            from,
            capture,
            to,
            Some(role),
        ));
    }
}
