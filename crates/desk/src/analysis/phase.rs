//! The phases of a game, by the pieces that are left.

use shakmaty::{Bitboard, Board, Color, Position, Rank};
use squarewise_engine::position::variant_position::VariantPosition;

use crate::pgn::GameRecord;

/// With at most this many queens, rooks, bishops and knights the opening is over.
const MIDDLEGAME_PIECES: usize = 10;

/// With at most this many queens, rooks, bishops and knights the endgame begins.
const ENDGAME_PIECES: usize = 6;

/// With fewer pieces than this on its first rank a side is developed, and the opening is over.
const BACK_RANK_PIECES: usize = 4;

/// A phase of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Until a side is developed.
    Opening,
    /// While many pieces are left.
    Middlegame,
    /// The rest.
    Endgame,
}

impl Phase {
    /// The phases in their order.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    /// The name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middlegame => "middlegame",
            Phase::Endgame => "endgame",
        }
    }

    /// The phase of a position. The bounds are those of `Divider.scala` in Lichess's scalachess,
    /// without its measure of how much both sides are mixed.
    fn of(board: &Board) -> Phase {
        let pieces = (board.occupied() & !board.pawns() & !board.kings()).count();
        let is_developed = |color: Color| {
            let first_rank = Bitboard::from(color.fold_wb(Rank::First, Rank::Eighth));
            (board.by_color(color) & first_rank).count() < BACK_RANK_PIECES
        };
        if pieces <= ENDGAME_PIECES {
            Phase::Endgame
        } else if pieces <= MIDDLEGAME_PIECES || Color::ALL.into_iter().any(is_developed) {
            Phase::Middlegame
        } else {
            Phase::Opening
        }
    }
}

/// The phase in which each move of a game was played. A later phase never gives way to an earlier
/// one.
pub(super) fn phases(record: &GameRecord) -> Vec<Phase> {
    let mut position: VariantPosition = record.start.clone();
    let mut phase = Phase::Opening;
    let phases = record.plies.iter().map(|ply| {
        phase = phase.max(Phase::of(position.board()));
        ply.play(&mut position);
        phase
    });
    phases.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tests::game;

    #[test]
    fn a_game_goes_from_the_opening_to_the_endgame_and_not_back() {
        let opening = game("1. e4 e5", &[0, 0, 0]);
        assert_eq!(phases(&opening.record), [Phase::Opening; 2]);
        // Six pieces, then seven: White promotes.
        let fen = "[FEN \"3rr1k1/P7/8/8/8/8/8/RRBB2K1 w - - 0 1\"]\n\n1. a8=Q Kg7 *";
        assert_eq!(phases(&game(fen, &[0; 3]).record), [Phase::Endgame; 2]);
        let fen = "[FEN \"r1bqr1k1/8/8/8/8/8/8/RNBQR1K1 w - - 0 1\"]\n\n1. Kh1 *";
        assert_eq!(phases(&game(fen, &[0; 2]).record), [Phase::Middlegame]);
    }
}
