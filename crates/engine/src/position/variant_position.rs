//! A position of chess or of a variant: shakmaty's position, and beside it what a variant adds.
//!
//! shakmaty plays every move of the variants as it should: a pawn's step back, an own capture, a
//! double step from any rank. Three things it can't know are kept here: which rules hold, the en
//! passant square after a double step from other ranks than in chess, and how far the fifty-move
//! rule has counted where a pawn's step doesn't reset it. [`VariantPosition`] is a
//! [`shakmaty::Position`], so reading and writing moves in SAN follows the rules of the variant.

use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;
use std::ops::Deref;

use shakmaty::attacks::pawn_attacks;
use shakmaty::uci::UciMove;
use shakmaty::{
    Bitboard, Board, ByColor, ByRole, Castles, CastlingMode, CastlingSide, Chess, Color, Move,
    MoveList, Outcome, Position, PositionError, RemainingChecks, Role, Setup, Square,
};

use crate::position::movegen::LegalMasks;
use crate::position::packed_move::PackedMove;
use crate::position::rules::{Castling, Rules, Variant};
use crate::position::{FenError, LeftOut, from_setup};

/// A position of a variant. It dereferences to the position that a player of chess would see, for
/// everything that is the same in all variants: what stands where and what it attacks.
#[derive(Clone, Debug, Default)]
pub struct VariantPosition {
    chess: Chess,
    /// The plies that count for the fifty-move rule although shakmaty has begun anew after them.
    uncounted_halfmoves: u32,
    /// The square that a pawn has just crossed by a double step that chess doesn't have.
    crossed: Option<Square>,
    variant: Variant,
}

impl VariantPosition {
    /// The start position of a variant.
    pub fn start_of(variant: Variant) -> VariantPosition {
        VariantPosition::new(Chess::default(), variant)
    }

    /// A position by the rules of a variant. Castling rights that its rules never grant and an en
    /// passant square that they can't have are left out.
    pub fn new(chess: Chess, variant: Variant) -> VariantPosition {
        if variant == Variant::Chess {
            return chess.into();
        }
        let setup = chess.to_setup(shakmaty::EnPassantMode::Always);
        let mode = chess.castles().mode();
        let (position, _) = VariantPosition::from_setup(setup, Some(mode), variant)
            .expect("a legal position stays legal with fewer rights");
        position
    }

    /// The position of what a text says by the rules of a variant, as [`from_setup`] reads it.
    ///
    /// # Errors
    ///
    /// If the position is illegal, or if the variant has no Chess960 and the position needs it.
    pub fn from_setup(
        mut setup: Setup,
        mode: Option<CastlingMode>,
        variant: Variant,
    ) -> Result<(VariantPosition, LeftOut), FenError> {
        let rules = variant.rules();
        if rules.castling == Castling::Never {
            setup.castling_rights = Bitboard::EMPTY;
        }
        let mut crossed = None;
        let mut is_left_out = false;
        if let Some(square) = setup.ep_square {
            if !rules.double_steps_over[usize::from(!setup.turn)].contains(square) {
                is_left_out = variant != Variant::Chess;
            } else if is_crossed_by_new_double_step(&setup, square) {
                crossed = Some(square);
            }
            if is_left_out || crossed.is_some() {
                setup.ep_square = None;
            }
        }
        let (chess, mut left_out) = from_setup(setup, mode)?;
        if rules.own_captures && chess.castles().mode() == CastlingMode::Chess960 {
            return Err(FenError::NoChess960(variant));
        }
        left_out.en_passant_square |= is_left_out;
        let position = VariantPosition {
            chess,
            variant,
            crossed,
            uncounted_halfmoves: 0,
        };
        Ok((position, left_out))
    }

    /// Which variant is played.
    #[inline]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The rules of the variant.
    #[inline]
    pub fn rules(&self) -> &'static Rules {
        self.variant.rules()
    }

    /// The position as a player of chess sees it.
    #[inline]
    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    /// Whether the side to move has lost if it has no legal move: it is in check, or stalemate
    /// loses.
    pub fn is_lost_without_moves(&self) -> bool {
        self.rules().stalemate_wins || self.is_check()
    }

    /// The pieces that the side to move may capture.
    #[inline]
    pub(crate) fn capturable(&self) -> Bitboard {
        if self.rules().own_captures {
            self.board().occupied() & !self.our(Role::King)
        } else {
            self.them()
        }
    }

    /// Whether the side to move may castle at all by now, if it has the right.
    #[inline]
    pub(super) fn is_time_to_castle(&self) -> bool {
        match self.rules().castling {
            Castling::Always => true,
            Castling::Never => false,
            Castling::FromMove(number) => self.fullmoves().get() >= number,
        }
    }

    /// Whether a move resets the count of the fifty-move rule, and no earlier position can occur
    /// again after it: a capture, a promotion, or a pawn's step that can't be undone.
    #[inline]
    pub(super) fn is_zeroing(&self, m: PackedMove) -> bool {
        m.is_zeroing() && (self.variant == Variant::Chess || !self.is_undoable_step(m))
    }

    /// Whether a move that is zeroing in chess is a pawn's step that can be undone.
    fn is_undoable_step(&self, m: PackedMove) -> bool {
        let rules = self.rules();
        let is_sideways = m.from().rank() == m.to().rank();
        !m.is_tactical() && (rules.pawns_step_back || rules.pawns_step_sideways && is_sideways)
    }

    /// The position after a null move: the turn passes to the other side.
    ///
    /// # Errors
    ///
    /// If the side to move is in check.
    pub fn pass(&self) -> Result<VariantPosition, PositionError<Chess>> {
        Ok(VariantPosition {
            chess: self.chess.clone().swap_turn()?,
            crossed: None,
            ..*self
        })
    }

    /// The legal move that a text in UCI notation means.
    pub fn uci_move(&self, uci_move: UciMove) -> Option<Move> {
        let is_sideways = |from: Square, to: Square| {
            from.rank() == to.rank() && self.board().role_at(from) == Some(Role::Pawn)
        };
        match uci_move {
            UciMove::Normal {
                from,
                to,
                promotion,
            } if is_sideways(from, to) => {
                let step = Move::Normal {
                    role: Role::Pawn,
                    from,
                    capture: None,
                    to,
                    promotion,
                };
                self.is_legal(step).then_some(step)
            }
            _ => uci_move.to_move(self).ok(),
        }
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

/// Whether a pawn of the side that has just moved can have crossed a square by a double step, from
/// another rank than in chess.
fn is_crossed_by_new_double_step(setup: &Setup, square: Square) -> bool {
    let mover = !setup.turn;
    let forward = mover.fold_wb(8, -8);
    let (Some(from), Some(to)) = (square.offset(-forward), square.offset(forward)) else {
        return false;
    };
    let is_empty = |square| setup.board.piece_at(square).is_none();
    from.rank() != mover.fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh)
        && !Bitboard::BACKRANKS.contains(from)
        && is_empty(from)
        && is_empty(square)
        && setup.board.piece_at(to) == Some(Role::Pawn.of(mover))
}

impl From<Chess> for VariantPosition {
    fn from(chess: Chess) -> VariantPosition {
        VariantPosition {
            chess,
            ..VariantPosition::default()
        }
    }
}

impl Deref for VariantPosition {
    type Target = Chess;

    #[inline]
    fn deref(&self) -> &Chess {
        &self.chess
    }
}

impl PartialEq for VariantPosition {
    fn eq(&self, other: &VariantPosition) -> bool {
        self.variant == other.variant
            && self.chess == other.chess
            && self.legal_ep_square() == other.legal_ep_square()
    }
}

impl Eq for VariantPosition {}

impl Hash for VariantPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.variant.hash(state);
        self.chess.hash(state);
    }
}

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
        self.chess.halfmoves() + self.uncounted_halfmoves
    }

    #[inline]
    fn fullmoves(&self) -> NonZeroU32 {
        self.chess.fullmoves()
    }

    fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        LegalMasks::of(self).for_each(self, |m| moves.push(m.into()));
        moves
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

    /// Where stalemate wins, any piece beside the king may stalemate.
    fn has_insufficient_material(&self, color: Color) -> bool {
        if self.rules().stalemate_wins {
            return self.board().by_color(color).count() == 1;
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
            counted + 1 - self.chess.halfmoves()
        };
    }
}
