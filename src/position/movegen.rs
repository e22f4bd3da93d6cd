//! Which moves are legal, computed from shakmaty's attack tables.
//!
//! A search asks for captures long before it asks for quiet moves, and often never asks for the latter.
//! So the facts that decide masks (who gives check, which pieces are pinned, where a piece may land
//! to answer a check) are gathered once a node in [`LegalMasks`], and the moves are generated from them in
//! two halves: *tactical* ones, which change the material, and *quiet* ones. Both halves are legal as
//! they come; nothing is generated first and taken back later. shakmaty's own generator is the judge in
//! the tests.

use shakmaty::{Bitboard, CastlingSide, Chess, Color, File, Position, Role, Square, attacks};

use crate::position::packed_move::PackedMove;

/// What the side to move may do without leaving its king in check.
#[derive(Clone, Copy, Debug)]
pub struct LegalMasks {
    /// The king of the side to move.
    king: Square,
    /// The enemy pieces that give check.
    checkers: Bitboard,
    /// Own pieces that shield the king: they move along the line of the pin or not at all.
    pinned: Bitboard,
    /// Where a piece other than the king may land: anywhere, or, in check, where it ends the check.
    check_mask: Bitboard,
}

impl LegalMasks {
    /// Gathers the facts for the side to move.
    ///
    /// # Panics
    ///
    /// If the side to move has no king, which no position of ours allows.
    pub fn of(position: &Chess) -> LegalMasks {
        LegalMasks::with_checkers(position, position.checkers())
    }

    /// The same, where the pieces that give check are known already.
    pub fn with_checkers(position: &Chess, checkers: Bitboard) -> LegalMasks {
        let king = position
            .board()
            .king_of(position.turn())
            .expect("both sides have a king");
        let check_mask = match checkers.single_square() {
            Some(checker) => attacks::between(king, checker).with(checker),
            None if checkers.is_empty() => Bitboard::FULL,
            None => Bitboard::EMPTY, // a double check leaves only king moves
        };
        LegalMasks {
            king,
            checkers,
            pinned: pinned_pieces(position, king),
            check_mask,
        }
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// Visits every legal capture and promotion.
    pub fn for_each_tactical(&self, position: &Chess, mut visit: impl FnMut(PackedMove)) {
        self.pawn_captures(position, &mut visit);
        self.promotions_without_capture(position, &mut visit);
        self.piece_moves::<true>(position, &mut visit);
    }

    /// Visits every legal move that is neither a capture nor a promotion.
    pub fn for_each_quiet(&self, position: &Chess, mut visit: impl FnMut(PackedMove)) {
        self.pawn_advances(position, &mut visit);
        self.piece_moves::<false>(position, &mut visit);
        if self.checkers.is_empty() {
            for side in CastlingSide::ALL {
                if position.castles().has(position.turn(), side) {
                    let moves = position.castling_moves(side).into_iter();
                    moves.filter_map(PackedMove::new).for_each(&mut visit);
                }
            }
        }
    }

    /// Visits the legal moves that are neither captures nor promotions and by which the moving piece gives
    /// check. Checks by a piece that the move uncovers, by castling and by a pawn's double step are left out.
    pub fn for_each_quiet_check(&self, position: &Chess, mut visit: impl FnMut(PackedMove)) {
        let board = position.board();
        let Some(enemy_king) = board.king_of(!position.turn()) else {
            return;
        };
        let occupied = board.occupied();
        let check_mask = self.check_mask & !occupied;
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let pieces = position.our(role);
            let checking = piece_attacks(role, enemy_king, occupied) & check_mask;
            if pieces.is_empty() || checking.is_empty() {
                continue;
            }
            for from in pieces {
                let mut squares = piece_attacks(role, from, occupied) & checking;
                if self.pinned.contains(from) {
                    squares &= attacks::ray(self.king, from);
                }
                squares.for_each(|to| visit(PackedMove::normal(role, from, None, to, None)));
            }
        }
        let forward = position.turn().fold_wb(8, -8);
        let checking = attacks::pawn_attacks(!position.turn(), enemy_king) & !Bitboard::BACKRANKS;
        for to in position.our(Role::Pawn).shift(forward) & checking & check_mask {
            let from = origin(to, forward);
            if self.keeps_pin(from, to) {
                emit_pawn_move(from, to, None, &mut visit);
            }
        }
    }

    /// Visits every legal move, tactical ones first.
    pub fn for_each(&self, position: &Chess, mut visit: impl FnMut(PackedMove)) {
        self.for_each_tactical(position, &mut visit);
        self.for_each_quiet(position, &mut visit);
    }

    /// Whether a move, remembered from another node or another game, is legal here.
    pub fn allows(&self, position: &Chess, m: PackedMove) -> bool {
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
            && !position.us().contains(to)
            && m.promotion().is_some() == is_promotion(role, to)
            && reaches(position, role, from, to)
            && self.is_safe(position, role, from, to)
    }

    /// Whether a move that its piece can make leaves the king safe.
    fn is_safe(&self, position: &Chess, role: Role, from: Square, to: Square) -> bool {
        if role == Role::King {
            return self.king_may_go(position, to);
        }
        self.check_mask.contains(to) && self.keeps_pin(from, to)
    }

    /// Whether a piece, if pinned, stays on the line of its pin.
    #[inline]
    fn keeps_pin(&self, from: Square, to: Square) -> bool {
        !self.pinned.contains(from) || attacks::aligned(self.king, from, to)
    }

    /// Whether no enemy piece attacks the square once the king has left its own.
    #[inline]
    fn king_may_go(&self, position: &Chess, to: Square) -> bool {
        let occupied = position.board().occupied().without(self.king);
        position
            .board()
            .attacks_to(to, !position.turn(), occupied)
            .is_empty()
    }

    /// Knights, bishops, rooks, queens and the king: captures, or moves to empty squares.
    #[inline]
    fn piece_moves<const CAPTURES: bool>(
        &self,
        position: &Chess,
        visit: &mut impl FnMut(PackedMove),
    ) {
        let board = position.board();
        let occupied = board.occupied();
        let wanted = if CAPTURES { position.them() } else { !occupied };
        let mut emit = |role, from, to| {
            let capture = if CAPTURES { board.role_at(to) } else { None };
            visit(PackedMove::normal(role, from, capture, to, None));
        };

        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in position.our(role) {
                let mut squares = piece_attacks(role, from, occupied) & wanted & self.check_mask;
                if self.pinned.contains(from) {
                    squares &= attacks::ray(self.king, from);
                }
                squares.for_each(|to| emit(role, from, to));
            }
        }
        for to in attacks::king_attacks(self.king) & wanted {
            if self.king_may_go(position, to) {
                emit(Role::King, self.king, to);
            }
        }
    }

    /// Pawn captures, those that promote and those en passant among them.
    #[inline]
    fn pawn_captures(&self, position: &Chess, visit: &mut impl FnMut(PackedMove)) {
        let board = position.board();
        let forward = position.turn().fold_wb(8, -8);
        let pawns = position.our(Role::Pawn);
        for (sideways, edge) in [(-1, File::A), (1, File::H)] {
            let step = forward + sideways;
            let targets = pawns.without(edge).shift(step) & position.them() & self.check_mask;
            for to in targets {
                let from = origin(to, step);
                if self.keeps_pin(from, to) {
                    emit_pawn_move(from, to, board.role_at(to), visit);
                }
            }
        }
        if position.maybe_ep_square().is_some() {
            let moves = position.en_passant_moves().into_iter();
            moves.filter_map(PackedMove::new).for_each(visit);
        }
    }

    /// Pawns that step onto the last rank.
    #[inline]
    fn promotions_without_capture(&self, position: &Chess, visit: &mut impl FnMut(PackedMove)) {
        let forward = position.turn().fold_wb(8, -8);
        let stepped = position.our(Role::Pawn).shift(forward) & Bitboard::BACKRANKS;
        for to in stepped & !position.board().occupied() & self.check_mask {
            let from = origin(to, forward);
            if self.keeps_pin(from, to) {
                emit_pawn_move(from, to, None, visit);
            }
        }
    }

    /// Pawn steps, single and double, short of the last rank.
    #[inline]
    fn pawn_advances(&self, position: &Chess, visit: &mut impl FnMut(PackedMove)) {
        let empty = !position.board().occupied();
        let forward = position.turn().fold_wb(8, -8);
        let third_rank = Bitboard::from_rank(
            position
                .turn()
                .fold_wb(shakmaty::Rank::Third, shakmaty::Rank::Sixth),
        );
        let single = position.our(Role::Pawn).shift(forward) & empty & !Bitboard::BACKRANKS;
        let double = (single & third_rank).shift(forward) & empty;
        for (targets, step) in [(single, forward), (double, 2 * forward)] {
            for to in targets & self.check_mask {
                let from = origin(to, step);
                if self.keeps_pin(from, to) {
                    emit_pawn_move(from, to, None, visit);
                }
            }
        }
    }
}

/// All legal moves of a position.
pub fn legal_moves(position: &Chess) -> shakmaty::MoveList {
    let mut moves = shakmaty::MoveList::new();
    LegalMasks::of(position).for_each(position, |m| moves.push(m.into()));
    moves
}

/// Whether the side to move has a legal move at all.
pub fn has_legal_move(position: &Chess) -> bool {
    let mut has_move = false;
    LegalMasks::of(position).for_each(position, |_| has_move = true);
    has_move
}

/// Whether the piece that a move brings to its square gives check from there. Checks by a piece that the move
/// uncovers, and by castling, are not looked at.
pub fn gives_direct_check(position: &Chess, m: PackedMove) -> bool {
    if !m.is_normal() {
        return false;
    }
    let (from, to) = (m.from(), m.to());
    let piece = m.arriving().of(position.turn());
    let occupied = position.board().occupied().without(from).with(to);
    let king = position.board().king_of(!position.turn());
    king.is_some_and(|king| attacks::attacks(to, piece, occupied).contains(king))
}

/// Whether the pieces of the side to move, king and pawns aside, have at least so many squares to go to. Pins are
/// not looked at.
pub fn has_mobility(position: &Chess, least: usize) -> bool {
    let occupied = position.board().occupied();
    let mut squares = 0;
    for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
        for from in position.our(role) {
            squares += (piece_attacks(role, from, occupied) & !position.us()).count();
            if squares >= least {
                return true;
            }
        }
    }
    false
}

/// The squares that the pieces of a side attack, their own pieces' among them.
pub fn attacked_by(position: &Chess, side: Color) -> Bitboard {
    let board = position.board();
    let occupied = board.occupied();
    let of_side = board.by_color(side);
    let pawns = board.pawns() & of_side;
    let forward = side.fold_wb(8, -8);
    let mut attacked =
        pawns.without(File::A).shift(forward - 1) | pawns.without(File::H).shift(forward + 1);
    for from in board.knights() & of_side {
        attacked |= attacks::knight_attacks(from);
    }
    for from in board.bishops_and_queens() & of_side {
        attacked |= attacks::bishop_attacks(from, occupied);
    }
    for from in board.rooks_and_queens() & of_side {
        attacked |= attacks::rook_attacks(from, occupied);
    }
    for from in board.kings() & of_side {
        attacked |= attacks::king_attacks(from);
    }
    attacked
}

/// Own pieces that stand alone between the king and an enemy slider.
fn pinned_pieces(position: &Chess, king: Square) -> Bitboard {
    let board = position.board();
    let snipers = (attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens())
        | (attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens());
    let mut pinned = Bitboard::EMPTY;
    for sniper in snipers & position.them() {
        let between = attacks::between(king, sniper) & board.occupied();
        if !between.more_than_one() {
            pinned |= between & position.us();
        }
    }
    pinned
}

/// The squares that a piece other than a pawn attacks.
#[inline]
fn piece_attacks(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    attacks::attacks(from, role.of(Color::White), occupied)
}

/// Whether the piece can make this move if its king's safety is left aside. The square `to` is known to
/// hold no piece of its own side.
fn reaches(position: &Chess, role: Role, from: Square, to: Square) -> bool {
    let occupied = position.board().occupied();
    if role != Role::Pawn {
        return piece_attacks(role, from, occupied).contains(to);
    }
    if occupied.contains(to) {
        return attacks::pawn_attacks(position.turn(), from).contains(to);
    }
    let forward = position.turn().fold_wb(8, -8);
    let start_rank = position
        .turn()
        .fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh);
    let step = from
        .offset(forward)
        .filter(|square| !occupied.contains(*square));
    step == Some(to)
        || (from.rank() == start_rank && step.and_then(|square| square.offset(forward)) == Some(to))
}

fn is_promotion(role: Role, to: Square) -> bool {
    role == Role::Pawn && Bitboard::BACKRANKS.contains(to)
}

/// Where a pawn came from that went to `to` by `step`.
#[inline]
fn origin(to: Square, step: i32) -> Square {
    to.offset(-step)
        .expect("a pawn's step back stays on the board")
}

/// A pawn's move, or its four promotions.
#[inline]
fn emit_pawn_move(
    from: Square,
    to: Square,
    capture: Option<Role>,
    visit: &mut impl FnMut(PackedMove),
) {
    let mut emit = |promotion| {
        visit(PackedMove::normal(Role::Pawn, from, capture, to, promotion));
    };
    if is_promotion(Role::Pawn, to) {
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
            emit(Some(role));
        }
    } else {
        emit(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Move, MoveList};
    use std::collections::HashSet;

    /// Our moves and shakmaty's are the same set, none twice.
    fn assert_same_moves(position: &Chess) {
        let ours = legal_moves(position);
        let theirs = position.legal_moves();
        assert_eq!(ours.len(), theirs.len(), "{position:?}");
        let as_set = |moves: &MoveList| moves.iter().copied().collect::<HashSet<Move>>();
        assert_eq!(as_set(&ours), as_set(&theirs), "{position:?}");
    }

    /// Of all the moves that `others` hold, exactly the legal ones are allowed.
    fn assert_allows_exactly_the_legal(position: &Chess, others: &[Move]) {
        let masks = LegalMasks::of(position);
        let legal = position.legal_moves();
        for m in others.iter().chain(&legal) {
            let packed = PackedMove::new(*m).expect("no drop");
            assert_eq!(
                masks.allows(position, packed),
                legal.contains(m),
                "{m:?} in {position:?}"
            );
        }
    }

    fn position(fen: &str) -> Chess {
        let fen: Fen = fen.parse().expect("a valid FEN");
        fen.into_position(CastlingMode::Chess960)
            .expect("a legal position")
    }

    #[test]
    fn pieces_are_mobile_that_have_squares_to_go_to() {
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/8/RB2K3 w - - 0 1", true),
            ("4k3/8/8/8/8/8/PPP5/RB2K3 w - - 0 1", false),
            ("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1", false),
            ("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", false),
        ] {
            assert_eq!(has_mobility(&position(fen), 6), expected, "{fen}");
        }
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

    /// The quiet checks are the quiet moves that give a direct check, but for double steps.
    fn assert_quiet_checks(position: &Chess) {
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

    /// A square is attacked by a side if one of its pieces does.
    fn assert_attacked_squares(position: &Chess) {
        let board = position.board();
        for side in Color::ALL {
            let attacked = attacked_by(position, side);
            for square in Square::ALL {
                let attackers = board.attacks_to(square, side, board.occupied());
                assert_eq!(attacked.contains(square), attackers.any(), "{position:?}");
            }
        }
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
                assert_attacked_squares(&position);
                assert_allows_exactly_the_legal(&position, &seen);
                let moves = position.legal_moves();
                let Some(index) = usize::from(choice).checked_rem(moves.len()) else { break };
                seen.extend(moves.iter().copied());
                seen.truncate(400);
                position.play_unchecked(moves[index]);
            }
        }
    }
}
