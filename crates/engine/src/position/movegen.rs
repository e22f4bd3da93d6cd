//! Legal move generation, from shakmaty's attack tables.
//!
//! A search wants the captures first and often never needs the quiet moves, so the generator has
//! two halves: *tactical* moves (captures and promotions) and *quiet* moves. Only legal moves are
//! generated. The masks that this needs (checkers, pinned pieces, check mask) are computed once per
//! node and shared by both halves: [`LegalMasks`]. The tests compare with shakmaty's own generator.

use shakmaty::attacks::{aligned, between, king_attacks, pawn_attacks, ray};
use shakmaty::{Bitboard, CastlingSide, Position, Role, Square};

use crate::position::attacks::{piece_attacks, pinned_pieces};
use crate::position::packed_move::PackedMove;
use crate::position::variant_position::VariantPosition;

/// No position has more moves than this, a power of two.
pub(crate) const MAX_MOVES: usize = 256;

/// The masks of legal move generation, which keep the king of the side to move out of check.
#[derive(Clone, Copy, Debug)]
pub struct LegalMasks {
    /// The king of the side to move.
    king: Square,
    /// The enemy pieces that give check.
    checkers: Bitboard,
    /// The pieces of the side to move that are pinned to the king: they can only move along the
    /// line of the pin.
    pinned: Bitboard,
    /// The check mask: the squares to which a piece other than the king can move. All squares if
    /// there is no check; otherwise those on which the piece captures the checker or blocks its
    /// line.
    pub(super) check_mask: Bitboard,
    /// The squares that the enemy attacks, if they are known and the king isn't in check.
    attacked: Option<Bitboard>,
}

impl LegalMasks {
    /// The masks of a position.
    ///
    /// # Panics
    ///
    /// If the side to move has no king.
    pub fn of(position: &VariantPosition) -> LegalMasks {
        LegalMasks::with_checkers(position, position.checkers())
    }

    /// The masks of a position with these checkers, which the caller has computed already.
    ///
    /// # Panics
    ///
    /// If the side to move has no king.
    pub(crate) fn with_checkers(position: &VariantPosition, checkers: Bitboard) -> LegalMasks {
        let king = position
            .board()
            .king_of(position.turn())
            .expect("both sides have a king");
        let check_mask = match checkers.single_square() {
            Some(checker) => between(king, checker).with(checker),
            None if checkers.is_empty() => Bitboard::FULL,
            None => Bitboard::EMPTY, // a double check leaves only king moves
        };
        LegalMasks {
            king,
            checkers,
            pinned: pinned_pieces(position, king),
            check_mask,
            attacked: None,
        }
    }

    /// The same masks where the squares that the enemy attacks are known: the king's moves are then
    /// found at once. In check they aren't, because the king hides squares behind itself from the
    /// checker.
    #[must_use]
    pub(crate) fn with_attacked(self, attacked: Bitboard) -> LegalMasks {
        let attacked = self.checkers.is_empty().then_some(attacked);
        LegalMasks { attacked, ..self }
    }

    /// Visits every legal capture and promotion.
    pub(crate) fn for_each_tactical(
        &self,
        position: &VariantPosition,
        mut visit: impl FnMut(PackedMove),
    ) {
        self.pawn_captures(position, &mut visit);
        self.promotions_without_capture(position, &mut visit);
        self.piece_moves::<true>(position, &mut visit);
    }

    /// Visits every legal move that is neither a capture nor a promotion.
    pub(crate) fn for_each_quiet(
        &self,
        position: &VariantPosition,
        mut visit: impl FnMut(PackedMove),
    ) {
        self.pawn_advances(position, &mut visit);
        self.piece_moves::<false>(position, &mut visit);
        if self.checkers.is_empty() && position.is_time_to_castle() {
            for side in CastlingSide::ALL {
                if position.castles().has(position.turn(), side) {
                    let moves = position.castling_moves(side).into_iter();
                    moves.filter_map(PackedMove::new).for_each(&mut visit);
                }
            }
        }
    }

    /// Visits every quiet move by which the moving piece itself gives check. Discovered checks and
    /// checks by castling, or by a pawn that doesn't go one step ahead, are left out.
    pub(crate) fn for_each_quiet_check(
        &self,
        position: &VariantPosition,
        mut visit: impl FnMut(PackedMove),
    ) {
        let board = position.board();
        let Some(enemy_king) = board.king_of(!position.turn()) else {
            return;
        };
        let occupied = board.occupied();
        let allowed = self.check_mask & !occupied;
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let pieces = position.our(role);
            let checking = piece_attacks(role, enemy_king, occupied) & allowed;
            if pieces.is_empty() || checking.is_empty() {
                continue;
            }
            for from in pieces {
                let mut squares = piece_attacks(role, from, occupied) & checking;
                if self.pinned.contains(from) {
                    squares &= ray(self.king, from);
                }
                squares.for_each(|to| visit(PackedMove::normal(role, from, None, to, None)));
            }
        }
        let forward = position.turn().fold_wb(8, -8);
        let checking = pawn_attacks(!position.turn(), enemy_king) & !Bitboard::BACKRANKS;
        let targets = position.our(Role::Pawn).shift(forward) & checking & allowed;
        self.pawn_steps(targets, forward, &mut visit);
    }

    /// Visits every legal move, tactical ones first.
    pub fn for_each(&self, position: &VariantPosition, mut visit: impl FnMut(PackedMove)) {
        self.for_each_tactical(position, &mut visit);
        self.for_each_quiet(position, &mut visit);
    }

    /// Whether a move that was legal in some other position (a killer, a move of the transposition
    /// table) is legal in this one.
    pub fn is_legal(&self, position: &VariantPosition, m: PackedMove) -> bool {
        let (role, from, to) = (m.role(), m.from(), m.to());
        if m.is_castle() {
            let side = CastlingSide::from_king_side(from < to);
            return from == self.king && position.castling_moves(side).contains(&m.into());
        }
        if m.is_en_passant() {
            return position.en_passant_moves().contains(&m.into());
        }
        let board = position.board();
        board.piece_at(from) == Some(role.of(position.turn()))
            && board.role_at(to) == m.capture()
            && (m.capture().is_none() || position.capturable().contains(to))
            && m.promotion().is_some() == is_promotion(role, to)
            && can_reach(position, role, from, to)
            && self.keeps_king_safe(position, role, from, to)
    }

    /// Whether a pseudo-legal move keeps the king out of check.
    fn keeps_king_safe(
        &self,
        position: &VariantPosition,
        role: Role,
        from: Square,
        to: Square,
    ) -> bool {
        if role == Role::King {
            return self.is_safe_for_king(position, to);
        }
        self.check_mask.contains(to) && self.respects_pin(from, to)
    }

    /// Whether a piece is not pinned or moves along the line of its pin.
    #[inline]
    pub(super) fn respects_pin(&self, from: Square, to: Square) -> bool {
        !self.pinned.contains(from) || aligned(self.king, from, to)
    }

    /// Whether no enemy piece attacks `to`. The king itself does not block the enemy's lines.
    #[inline]
    fn is_safe_for_king(&self, position: &VariantPosition, to: Square) -> bool {
        if let Some(attacked) = self.attacked {
            return !attacked.contains(to);
        }
        let occupied = position.board().occupied().without(self.king);
        position
            .board()
            .attacks_to(to, !position.turn(), occupied)
            .is_empty()
    }

    /// Moves of knights, bishops, rooks, queens and the king: either the captures or the others.
    #[inline]
    fn piece_moves<const CAPTURES: bool>(
        &self,
        position: &VariantPosition,
        visit: &mut impl FnMut(PackedMove),
    ) {
        let board = position.board();
        let occupied = board.occupied();
        let targets = if CAPTURES {
            position.capturable()
        } else {
            !occupied
        };
        let mut emit = |role, from, to| {
            let capture = if CAPTURES { board.role_at(to) } else { None };
            visit(PackedMove::normal(role, from, capture, to, None));
        };

        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in position.our(role) {
                let mut squares = piece_attacks(role, from, occupied) & targets & self.check_mask;
                if self.pinned.contains(from) {
                    squares &= ray(self.king, from);
                }
                squares.for_each(|to| emit(role, from, to));
            }
        }
        for to in king_attacks(self.king) & targets {
            if self.is_safe_for_king(position, to) {
                emit(Role::King, self.king, to);
            }
        }
    }
}

/// All legal moves of a position.
pub fn legal_moves(position: &VariantPosition) -> shakmaty::MoveList {
    let mut moves = shakmaty::MoveList::new();
    LegalMasks::of(position).for_each(position, |m| moves.push(m.into()));
    moves
}

/// Whether the side to move has a legal move.
pub(crate) fn has_legal_move(position: &VariantPosition) -> bool {
    let mut has_move = false;
    LegalMasks::of(position).for_each(position, |_| has_move = true);
    has_move
}

/// Whether the move of a piece is pseudo-legal: legal except that it can leave the king in check.
/// If a piece stands on `to`, it may be captured.
fn can_reach(position: &VariantPosition, role: Role, from: Square, to: Square) -> bool {
    let occupied = position.board().occupied();
    if role != Role::Pawn {
        return piece_attacks(role, from, occupied).contains(to);
    }
    if occupied.contains(to) {
        return pawn_attacks(position.turn(), from).contains(to);
    }
    let forward = position.turn().fold_wb(8, -8);
    let rules = position.rules();
    let crossed = from.offset(forward);
    let may_cross = |square: Square| {
        !occupied.contains(square)
            && rules.double_steps_over[usize::from(position.turn())].contains(square)
    };
    crossed == Some(to)
        || crossed.is_some_and(|square| may_cross(square) && square.offset(forward) == Some(to))
        || (rules.pawns_step_back
            && from.offset(-forward) == Some(to)
            && !Bitboard::BACKRANKS.contains(to))
        || (rules.pawns_step_sideways && from.rank() == to.rank() && from.distance(to) == 1)
}

fn is_promotion(role: Role, to: Square) -> bool {
    role == Role::Pawn && Bitboard::BACKRANKS.contains(to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::attacks::{attacked_by, gives_direct_check};
    use crate::position::from_fen;
    use crate::position::rules::Variant;
    use proptest::prelude::*;
    use shakmaty::{CastlingMode, Move, MoveList};
    use std::collections::HashSet;

    /// Our moves and shakmaty's are the same set, and none occurs twice.
    fn assert_same_moves(position: &VariantPosition) {
        let ours = legal_moves(position);
        let theirs = position.chess().legal_moves();
        assert_eq!(ours.len(), theirs.len(), "{position:?}");
        let as_set = |moves: &MoveList| moves.iter().copied().collect::<HashSet<Move>>();
        assert_eq!(as_set(&ours), as_set(&theirs), "{position:?}");
        let masks = LegalMasks::of(position).with_attacked(attacked_by(position, !position.turn()));
        let mut same = MoveList::new();
        masks.for_each(position, |m| same.push(m.into()));
        assert_eq!(same, ours, "{position:?}");
    }

    /// Of the moves in `others`, exactly the legal ones are recognized as legal.
    fn assert_recognizes_legal_moves(position: &VariantPosition, others: &[Move]) {
        let masks = LegalMasks::of(position);
        let legal = position.chess().legal_moves();
        for m in others.iter().chain(&legal) {
            let packed = PackedMove::new(*m).expect("no drop");
            assert_eq!(
                masks.is_legal(position, packed),
                legal.contains(m),
                "{m:?} in {position:?}"
            );
        }
    }

    fn position(fen: &str) -> VariantPosition {
        from_fen(fen, CastlingMode::Chess960)
            .expect("a legal position")
            .into()
    }

    #[test]
    fn awkward_positions_give_the_same_moves_as_shakmaty() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", // en passant would uncover the king
            "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
            "4k3/8/8/8/1b5r/8/3N4/4K3 w - - 0 1", // a pinned knight
            "4k3/4r3/8/8/1b6/8/8/4K2R w K - 0 1", // double check
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "rr6/2kpp3/1ppnb1p1/p4q1p/P4P1P/1PNN2P1/2PP4/1K2R2R b E - 1 20",
        ] {
            assert_same_moves(&position(fen));
        }
    }

    #[test]
    fn a_pawn_that_steps_back_neither_reaches_the_first_rank_nor_promotes_there() {
        let chess = from_fen("4k3/8/8/8/8/4P3/4P3/K7 w - - 0 1", CastlingMode::Standard);
        let chess = chess.expect("a legal position");
        let position = VariantPosition::new(chess, Variant::PawnBack);
        let masks = LegalMasks::of(&position);
        let is_legal = |from, to, promotion| {
            masks.is_legal(
                &position,
                PackedMove::normal(Role::Pawn, from, None, to, promotion),
            )
        };
        assert!(!is_legal(Square::E2, Square::E1, None));
        assert!(!is_legal(Square::E2, Square::E1, Some(Role::Queen)));
        assert!(
            !is_legal(Square::E3, Square::E2, None),
            "a pawn stands there"
        );
        assert!(is_legal(Square::E3, Square::E4, None));
    }

    /// The quiet checks are the quiet moves that give a direct check, except double steps.
    fn assert_quiet_checks(position: &VariantPosition) {
        let masks = LegalMasks::of(position);
        let (mut ours, mut expected) = (Vec::new(), Vec::new());
        masks.for_each_quiet_check(position, |m| ours.push(m));
        masks.for_each_quiet(position, |m| {
            let is_double_step = m.role() == Role::Pawn && m.from().distance(m.to()) == 2;
            if gives_direct_check(position, m) && !is_double_step {
                expected.push(m);
            }
        });
        assert_eq!(ours.len(), expected.len(), "{position:?}");
        assert!(ours.iter().all(|m| expected.contains(m)), "{position:?}");
    }

    proptest! {
        #[test]
        fn random_games_give_the_same_moves_as_shakmaty(
            start in 0u32..960,
            choices in prop::collection::vec(any::<u8>(), 1..160),
        ) {
            let mut position = position(&format!(
                "{} w KQkq - 0 1",
                shakmaty::Board::chess960(start).board_fen()
            ));
            let mut seen: Vec<Move> = Vec::new();
            for choice in choices {
                assert_same_moves(&position);
                assert_quiet_checks(&position);
                assert_recognizes_legal_moves(&position, &seen);
                let moves = position.legal_moves();
                let Some(index) = usize::from(choice).checked_rem(moves.len()) else { break };
                seen.extend(moves.iter().copied());
                seen.truncate(400);
                position.play_unchecked(moves[index]);
            }
        }
    }
}
