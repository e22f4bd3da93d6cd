//! A position of chess or of a variant: shakmaty's position, and beside it what a variant adds.
//!
//! shakmaty plays every move of the variants as it should: a pawn's step back, an own capture, a
//! double step from any rank. Three things it can't know are kept here: which rules hold, the en
//! passant square after a double step from other ranks than in chess, and how far the fifty-move
//! rule has counted where a pawn's step doesn't reset it. Which moves there are, and what they do,
//! is in `variant_moves`.

use std::hash::{Hash, Hasher};
use std::ops::Deref;

use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, CastlingMode, CastlingSide, Chess, Move, Position, Role, Setup, Square};

use crate::position::fen::setup_of;
use crate::position::rules::{Castling, Rules, Variant};
use crate::position::{FenError, LeftOut, from_setup};

/// A position of a variant. It dereferences to the position that a player of chess would see, for
/// everything that is the same in all variants: what stands where and what it attacks.
#[derive(Clone, Debug, Default)]
pub struct VariantPosition {
    pub(super) chess: Chess,
    /// The plies that count for the fifty-move rule although shakmaty has begun anew after them.
    pub(super) uncounted_halfmoves: u32,
    /// The square that a pawn has just crossed by a double step that chess doesn't have.
    pub(super) crossed: Option<Square>,
    pub(super) variant: Variant,
}

impl VariantPosition {
    /// The start position of a variant.
    pub fn start_of(variant: Variant) -> VariantPosition {
        VariantPosition::new(Chess::default(), variant)
    }

    /// A position by the rules of a variant. Castling rights that its rules never grant and an en
    /// passant square that they can't have are left out.
    ///
    /// # Panics
    ///
    /// If it is a position of Chess960, and the variant has none.
    pub fn new(chess: Chess, variant: Variant) -> VariantPosition {
        if variant == Variant::Chess {
            return chess.into();
        }
        let setup = chess.to_setup(shakmaty::EnPassantMode::Always);
        let mode = chess.castles().mode();
        let (position, _) = VariantPosition::from_setup(setup, Some(mode), variant)
            .expect("a legal position stays legal with fewer rights where its castling is known");
        position
    }

    /// The position of a FEN by the rules of a variant, and what was left out of it.
    ///
    /// # Errors
    ///
    /// If the text is not a FEN; else as [`VariantPosition::from_setup`].
    pub fn from_fen(
        fen: &str,
        mode: Option<CastlingMode>,
        variant: Variant,
    ) -> Result<(VariantPosition, LeftOut), FenError> {
        let (setup, mode) = setup_of(fen, mode)?;
        VariantPosition::from_setup(setup, mode, variant)
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
    pub fn is_time_to_castle(&self) -> bool {
        match self.rules().castling {
            Castling::Always => true,
            Castling::Never => false,
            Castling::FromMove(number) => self.fullmoves().get() >= number,
        }
    }

    /// The position after a null move: the turn passes to the other side. `None` if the side to
    /// move is in check.
    pub fn pass(&self) -> Option<VariantPosition> {
        Some(VariantPosition {
            chess: self.chess.clone().swap_turn().ok()?,
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
            _ => uci_move
                .to_move(self)
                .ok()
                .or_else(|| self.castling_by_target(uci_move)),
        }
    }

    /// Castling that is written as the king's way, as in chess, from squares that only Chess960
    /// has. A way of one square is a plain move of the king.
    fn castling_by_target(&self, uci_move: UciMove) -> Option<Move> {
        let UciMove::Normal {
            from,
            to,
            promotion: None,
        } = uci_move
        else {
            return None;
        };
        let is_way = self.our(Role::King).contains(from)
            && from.rank() == to.rank()
            && from.distance(to) >= 2;
        let mut sides = CastlingSide::ALL.into_iter().filter(|_| is_way);
        let side = sides.find(|side| side.king_to(self.turn()) == to)?;
        let castling = self.castling_moves(side).first().copied();
        castling.filter(|m| self.is_legal(*m))
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
