//! Draws: repetition, the fifty-move rule, insufficient material; and how a game has ended by the
//! rules.
//!
//! The search asks for less than a game does: it notices mate and stalemate when a node has no
//! moves.

use shakmaty::{Color, Position, attacks};

use crate::position::cuckoo::reversible_move;
use crate::position::game::Game;
use crate::position::movegen::has_legal_move;
use crate::position::zobrist::ZobristKeys;

/// The fifty-move rule in plies without a capture or a pawn move that can't be undone.
pub(crate) const FIFTY_MOVES: u32 = 100;

/// A position that has occurred this often before is a draw: it is there for the third time.
const EARLIER_OCCURRENCES: usize = 2;

/// How a game ends by the rules of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// The side to move is mated.
    Checkmate {
        /// The other side.
        winner: Color,
    },
    /// The side to move has no move and is not in check.
    Stalemate,
    /// The side to move has no move and is not in check, in a variant where it has lost then.
    WonByStalemate {
        /// The other side.
        winner: Color,
    },
    /// Neither side has the pieces to mate.
    InsufficientMaterial,
    /// The position has occurred for the third time.
    ThreefoldRepetition,
    /// Fifty moves of each side without a capture or a pawn move that can't be undone.
    FiftyMoves,
}

impl GameEnd {
    /// The side that has won; `None` after a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameEnd::Checkmate { winner } | GameEnd::WonByStalemate { winner } => Some(winner),
            _ => None,
        }
    }
}

impl Game {
    /// How the game has ended by the rules; `None` if it goes on. Nobody needs to claim a threefold
    /// repetition or the fifty-move rule, as on chess servers. A mate takes precedence over both.
    pub fn end_by_the_rules(&self) -> Option<GameEnd> {
        let position = self.position();
        if position.is_checkmate() {
            let winner = !position.turn();
            Some(GameEnd::Checkmate { winner })
        } else if position.is_stalemate() {
            Some(if self.loses_by_stalemate() {
                let winner = !position.turn();
                GameEnd::WonByStalemate { winner }
            } else {
                GameEnd::Stalemate
            })
        } else if position.is_insufficient_material() {
            Some(GameEnd::InsufficientMaterial)
        } else if self.plies_to_occurrences().count() >= EARLIER_OCCURRENCES {
            Some(GameEnd::ThreefoldRepetition)
        } else if position.halfmoves() >= FIFTY_MOVES {
            Some(GameEnd::FiftyMoves)
        } else {
            None
        }
    }

    /// Whether the position is a draw for a search whose root lies `ply` plies back: by repetition,
    /// by the fifty-move rule or by insufficient material.
    ///
    /// A repetition of a position since the root counts at once: the side that could have avoided
    /// it the second time could have avoided it the first time. A position from before the root
    /// must occur three times.
    #[inline]
    pub fn is_draw(&self, ply: usize) -> bool {
        self.is_repetition(ply) || self.is_draw_by_fifty_moves() || self.is_insufficient_material()
    }

    /// Upcoming repetition: whether the side to move has a move that repeats a position since the
    /// root, which lies `ply` plies back. It can then force at least a draw. Whether the move
    /// leaves the king in check is not tested, and pawn moves that variants let undo are left out.
    #[inline]
    pub fn has_upcoming_repetition(&self, ply: usize) -> bool {
        let farthest = self.reversible_plies().min(ply);
        if farthest < 3 {
            return false;
        }
        let key = self.key();
        let occupied = self.position().board().occupied();
        let is_clear = |(one, other)| (attacks::between(one, other) & occupied).is_empty();
        // What the opponent's moves since an earlier position have changed in the key. Only where
        // they have taken each other back can a single move of ours be all that is left between the
        // two positions (as in Stockfish).
        let opponent_move = |plies: usize| {
            self.key_before(plies) ^ self.key_before(plies + 1) ^ ZobristKeys::turn()
        };
        let mut by_opponent = opponent_move(0);
        // Stockfish also looks at positions before the root, which count only if they have been
        // repeated already. Here the search stops at the root, so a single occurrence is enough, as
        // in `is_repetition`.
        (3..=farthest).step_by(2).any(|plies| {
            by_opponent ^= opponent_move(plies - 1);
            by_opponent == 0 && reversible_move(key ^ self.key_before(plies)).is_some_and(is_clear)
        })
    }

    /// Whether a side without a legal move has lost even if it is not in check.
    #[inline]
    pub(crate) fn loses_by_stalemate(&self) -> bool {
        self.position().rules().stalemate_wins
    }

    /// Whether neither side has the material to mate.
    #[inline]
    pub fn is_insufficient_material(&self) -> bool {
        let position = self.position();
        let board = position.board();
        (board.pawns() | board.rooks_and_queens()).is_empty() && position.is_insufficient_material()
    }

    /// Whether a position since the last irreversible move, the current one included, has occurred
    /// twice.
    pub fn has_repeated(&self) -> bool {
        let keys: Vec<u64> = (0..=self.reversible_plies())
            .map(|plies| self.key_before(plies))
            .collect();
        let is_repeated = |(index, key)| keys[..index].contains(key);
        keys.iter().enumerate().any(is_repeated)
    }

    /// Whether the position is a draw by repetition for a search whose root lies `ply` plies back.
    pub fn is_repetition(&self, ply: usize) -> bool {
        if self.reversible_plies() < 4 {
            return false;
        }
        let mut before_root = 0;
        for plies in self.plies_to_occurrences() {
            if plies <= ply {
                return true;
            }
            before_root += 1;
        }
        before_root >= EARLIER_OCCURRENCES
    }

    /// The fifty-move rule. A mate with the last of the fifty moves takes precedence.
    fn is_draw_by_fifty_moves(&self) -> bool {
        let position = self.position();
        let is_mated = || position.is_lost_without_moves() && !has_legal_move(position);
        position.halfmoves() >= FIFTY_MOVES && !is_mated()
    }

    /// The distances in plies to the earlier occurrences of the current position, latest first.
    fn plies_to_occurrences(&self) -> impl Iterator<Item = usize> {
        let key = self.key();
        (4..=self.reversible_plies())
            .step_by(2)
            .filter(move |plies| self.key_before(*plies) == key)
    }
}
