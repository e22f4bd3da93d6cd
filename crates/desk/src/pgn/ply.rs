//! A move of a record with its annotations, or a null move.

use std::time::Duration;

use crate::notation::play_in_san;
use shakmaty::{Color, EnPassantMode, Move, Position};
use squarewise_engine::position::variant_position::VariantPosition;

use super::RecordedEvaluation;

/// A move, or a null move, with its annotations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ply {
    /// The move, which is legal in the position before it. `None` is a null move: the turn passes,
    /// as annotators write it to show a threat, and trainers where only one side moves.
    pub m: Option<Move>,
    /// Numeric annotation glyphs, such as 4 for `??`.
    pub nags: Vec<u16>,
    /// The glyphs before the move, at the start of a variation.
    pub nags_before: Vec<u16>,
    /// The text before the move, at the start of a variation. Elsewhere it is the comment of the
    /// move before.
    pub comment_before: String,
    /// The text after the move, without commands such as `[%clk]`.
    pub comment: String,
    /// The commands in the comment that have no field of their own, such as `[%csl Ge4]`, as they
    /// stand.
    pub commands: String,
    /// The time left on the clock of the player after the move.
    pub clock: Option<Duration>,
    /// The evaluation of the position after the move.
    pub evaluation: Option<RecordedEvaluation>,
    /// What could have been played instead of the move: lines that begin in the position before it.
    pub variations: Vec<Vec<Ply>>,
}

impl Ply {
    /// A move without annotations; `None` is a null move.
    pub fn new(m: impl Into<Option<Move>>) -> Ply {
        Ply {
            m: m.into(),
            ..Ply::default()
        }
    }

    /// Plays the move in the position before it.
    pub fn play(&self, position: &mut VariantPosition) {
        match self.m {
            Some(m) => position.play_unchecked(m),
            None => *position = passed(position).unwrap_or_else(|| position.clone()),
        }
    }

    /// Plays the move, and returns it in SAN: `--` for a null move.
    pub fn play_in_san(&self, position: &mut VariantPosition) -> String {
        match self.m {
            Some(m) => play_in_san(position, m).to_string(),
            None => {
                self.play(position);
                "--".to_owned()
            }
        }
    }
}

/// The position after a null move: the other side is to move, and no pawn can be taken en passant.
/// `None` if the side to move is in check.
pub(crate) fn passed(position: &VariantPosition) -> Option<VariantPosition> {
    let mode = position.castles().mode();
    let mut setup = position.to_setup(EnPassantMode::Always);
    if setup.turn == Color::Black {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
    setup.halfmoves = setup.halfmoves.saturating_add(1);
    setup.swap_turn();
    let passed = VariantPosition::from_setup(setup, Some(mode), position.variant());
    passed.ok().map(|(position, _)| position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;
    use squarewise_engine::position::from_fen;

    #[test]
    fn a_null_move_passes_the_turn_and_clears_the_en_passant_square() {
        for (fen, after) in [
            (
                "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 7",
                "4k3/8/8/8/3pP3/8/8/4K3 w - - 1 8",
            ),
            (
                "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 4 7",
                "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 5 7",
            ),
        ] {
            let mut position =
                VariantPosition::from(from_fen(fen, CastlingMode::Standard).expect("a position"));
            assert_eq!(Ply::new(None).play_in_san(&mut position), "--");
            let found = Fen::from_position(&position, EnPassantMode::Always);
            assert_eq!(found.to_string(), after);
        }
        let fen = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
        let in_check = from_fen(fen, CastlingMode::Standard).expect("a position");
        assert!(passed(&in_check.into()).is_none());
    }
}
