//! The moves of a position of a variant: [`VariantPosition`] as a [`shakmaty::Position`], so that
//! reading and writing moves in SAN follows the rules of the variant.

use std::num::NonZeroU32;

use shakmaty::attacks::pawn_attacks;
use shakmaty::{
    Bitboard, Board, ByColor, ByRole, Castles, CastlingSide, Color, Move, MoveList, Outcome,
    Position, RemainingChecks, Role, Square,
};

use crate::position::movegen;
use crate::position::packed_move::PackedMove;
use crate::position::rules::Variant;
use crate::position::variant_position::VariantPosition;

impl Position for VariantPosition {
    #[inline]
    fn board(&self) -> &Board {
        self.chess.board()
    }

    fn promoted(&self) -> Bitboard {
        self.chess.promoted()
    }

    fn pockets(&self) -> Option<&ByColor<ByRole<u8>>> {
        None
    }

    #[inline]
    fn turn(&self) -> Color {
        self.chess.turn()
    }

    #[inline]
    fn castles(&self) -> &Castles {
        self.chess.castles()
    }

    #[inline]
    fn maybe_ep_square(&self) -> Option<Square> {
        self.chess.maybe_ep_square().or(self.crossed)
    }

    fn remaining_checks(&self) -> Option<&ByColor<RemainingChecks>> {
        None
    }

    #[inline]
    fn halfmoves(&self) -> u32 {
        self.chess
            .halfmoves()
            .saturating_add(self.uncounted_halfmoves)
    }

    #[inline]
    fn fullmoves(&self) -> NonZeroU32 {
        self.chess.fullmoves()
    }

    fn legal_moves(&self) -> MoveList {
        movegen::legal_moves(self)
    }

    fn castling_moves(&self, side: CastlingSide) -> MoveList {
        if self.is_time_to_castle() {
            self.chess.castling_moves(side)
        } else {
            MoveList::new()
        }
    }

    #[inline]
    fn en_passant_moves(&self) -> MoveList {
        match self.crossed {
            Some(crossed) => self.captures_of_crossing_pawn(crossed),
            None => self.chess.en_passant_moves(),
        }
    }

    fn is_variant_end(&self) -> bool {
        false
    }

    /// Where stalemate wins, any piece beside the king may stalemate, and so may a bare king that
    /// shuts the other one in behind its own pawn.
    fn has_insufficient_material(&self, color: Color) -> bool {
        if self.rules().stalemate_wins {
            let board = self.board();
            let is_bare = board.by_color(color).count() == 1;
            return is_bare && (board.pawns() & board.by_color(!color)).is_empty();
        }
        self.chess.has_insufficient_material(color)
    }

    fn variant_outcome(&self) -> Outcome {
        Outcome::Unknown
    }

    #[inline]
    fn play_unchecked(&mut self, m: Move) {
        if self.variant == Variant::Chess {
            self.chess.play_unchecked(m);
        } else {
            self.play_by_variant(m);
        }
    }
}

impl VariantPosition {
    /// Whether a move resets the count of the fifty-move rule, and no earlier position can occur
    /// again after it: a capture, a promotion, or a pawn's step that can't be undone.
    #[inline]
    pub(super) fn is_zeroing(&self, m: PackedMove) -> bool {
        m.is_zeroing() && (self.variant == Variant::Chess || !self.is_undoable_step(m))
    }

    /// Whether a move captures a piece of its own side.
    #[inline]
    pub(crate) fn captures_own(&self, m: PackedMove) -> bool {
        self.rules().own_captures
            && m.capture().is_some()
            && m.is_normal()
            && self.us().contains(m.to())
    }

    /// Whether a move that is zeroing in chess is a pawn's step that can be undone.
    fn is_undoable_step(&self, m: PackedMove) -> bool {
        let rules = self.rules();
        let is_sideways = m.from().rank() == m.to().rank();
        !m.is_tactical() && (rules.pawns_step_back || rules.pawns_step_sideways && is_sideways)
    }

    fn play_by_variant(&mut self, m: Move) {
        let counted = self.halfmoves();
        self.crossed = None;
        if let Move::Normal {
            role: Role::Pawn,
            from,
            to,
            promotion: None,
            ..
        } = m
            && from.file() == to.file()
            && from.distance(to) == 2
            && from.rank()
                != self
                    .turn()
                    .fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh)
        {
            self.crossed = from.offset(self.turn().fold_wb(8, -8));
        }
        let is_zeroing = PackedMove::new(m).is_some_and(|m| self.is_zeroing(m));
        self.chess.play_unchecked(m);
        self.uncounted_halfmoves = if is_zeroing {
            0
        } else {
            counted.saturating_add(1) - self.chess.halfmoves()
        };
    }

    /// En passant captures onto a square that only this variant lets a pawn cross.
    fn captures_of_crossing_pawn(&self, crossed: Square) -> MoveList {
        let board = self.board();
        let mut moves = MoveList::new();
        let Some(king) = board.king_of(self.turn()) else {
            return moves;
        };
        for from in self.our(Role::Pawn) & pawn_attacks(!self.turn(), crossed) {
            let captured = Square::from_coords(crossed.file(), from.rank());
            let occupied = board
                .occupied()
                .without(from)
                .without(captured)
                .with(crossed);
            let attackers = board
                .attacks_to(king, !self.turn(), occupied)
                .without(captured);
            if attackers.is_empty() {
                moves.push(Move::EnPassant { from, to: crossed });
            }
        }
        moves
    }
}
