//! Ranks the root moves by the endgame tablebases: only moves that keep the best result are
//! searched for the best move, so that every won position is won within the fifty-move rule and
//! every drawn one held.
//!
//! The tables of distances (DTZ) tell how long a win takes. A win that is certain ranks above one
//! that the fifty-move rule may spoil; among certain wins the search chooses, which looks more like
//! chess than the shortest way to the next capture. But once a position has repeated, the shortest
//! way counts, so that there is progress. Without DTZ tables the result alone ranks the moves. The
//! scheme is Stockfish's.

use shakmaty::{Chess, Move, Position};

use super::request::SearchOptions;
use super::root_moves::RootMoves;
use super::tablebase_probe::max_pieces;
use crate::position::draws;
use crate::position::game::Game;
use crate::score::Score;
use crate::syzygy::{Tablebases, Wdl};

/// The rank of a certain win; a certain loss has the opposite.
const CERTAIN: i32 = 1 << 18;
/// The rank of a win that takes no plies if it is not certain. Each ply costs one.
const UNCERTAIN: i32 = CERTAIN / 2;
/// The fifty-move rule, in plies.
const FIFTY_MOVES: i32 = draws::FIFTY_MOVES as i32;

/// What the endgame tablebases know about the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootRanking {
    /// The number of root moves that they have ranked: all, or 0 if they don't know the root.
    pub(super) hits: usize,
    /// Whether the tree is still probed: to make progress in a won position without DTZ tables, and
    /// if the tables don't know the root. Otherwise the search must look for the way to mate
    /// itself.
    pub(super) probes_tree: bool,
}

impl RootRanking {
    /// The ranking if the tables don't know the root.
    const UNKNOWN: RootRanking = RootRanking {
        hits: 0,
        probes_tree: true,
    };
}

/// Ranks the root moves of the last position of a game, unless the search must stop meanwhile:
/// a disk can take its time for each of them.
pub(super) fn rank_root_moves(
    root_moves: &mut RootMoves,
    game: &Game,
    tablebases: Option<&Tablebases>,
    options: &SearchOptions,
    must_stop: &dyn Fn() -> bool,
) -> RootRanking {
    let position = game.position();
    let is_in_tables = |tablebases: &&Tablebases| {
        let pieces = position.board().occupied().count();
        pieces <= max_pieces(tablebases, options) && !position.castles().any()
    };
    let Some(tablebases) = tablebases.filter(is_in_tables) else {
        return RootRanking::UNKNOWN;
    };
    let root = Root {
        game,
        tablebases,
        fifty_move_rule: options.fifty_move_rule,
    };
    let ranks = |rank: &dyn Fn(Move) -> Option<i32>| -> Option<Vec<i32>> {
        let moves = root_moves.moves();
        moves.map(|m| rank(m).filter(|_| !must_stop())).collect()
    };
    let by_dtz = ranks(&|m| root.rank_by_dtz(m));
    let has_dtz = by_dtz.is_some();
    let Some(ranks) = by_dtz.or_else(|| ranks(&|m| root.rank_by_wdl(m))) else {
        return RootRanking::UNKNOWN;
    };
    let is_won = ranks.iter().any(|rank| root.score(*rank) > Score::DRAW);
    root_moves.rank(&ranks, |rank| root.score(rank));
    RootRanking {
        hits: ranks.len(),
        probes_tree: !has_dtz && is_won,
    }
}

/// The root, as the ranking of a move needs it.
#[derive(Clone, Copy)]
struct Root<'a> {
    game: &'a Game,
    tablebases: &'a Tablebases,
    fifty_move_rule: bool,
}

impl Root<'_> {
    /// The rank of a move by the plies to the next capture or pawn move.
    fn rank_by_dtz(self, m: Move) -> Option<i32> {
        let after = self.after(m);
        let position = after.position();
        let dtz = if position.is_checkmate() {
            1
        } else if m.is_zeroing() {
            dtz_of_zeroing_move(self.probe_wdl(position)?)
        } else if self.is_draw(&after) {
            0
        } else {
            let dtz = -self.tablebases.probe_dtz(position)?;
            dtz + dtz.signum()
        };
        // A FEN can name any number.
        let clock = self.game.position().halfmoves().min(draws::FIFTY_MOVES) as i32;
        Some(rank_of_dtz(dtz, clock, self.game.has_repeated()))
    }

    /// The rank of a move by the result alone.
    fn rank_by_wdl(self, m: Move) -> Option<i32> {
        let after = self.after(m);
        if self.is_draw(&after) {
            return Some(0);
        }
        Some(match self.probe_wdl(after.position())? {
            Wdl::Win => CERTAIN,
            Wdl::CursedWin => UNCERTAIN - FIFTY_MOVES - 1,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => -(UNCERTAIN - FIFTY_MOVES - 1),
            Wdl::Loss => -CERTAIN,
        })
    }

    fn after(self, m: Move) -> Game {
        let mut after = self.game.clone();
        after.play(m);
        after
    }

    /// The result for the side that has just moved.
    fn probe_wdl(self, after: &Chess) -> Option<Wdl> {
        self.tablebases.probe_wdl(after).map(|wdl| -wdl)
    }

    /// Whether a move leads to a draw by the rules.
    fn is_draw(self, after: &Game) -> bool {
        after.is_repetition(1) || (self.fifty_move_rule && after.is_draw(1))
    }

    /// The score of a rank. Draws that only the fifty-move rule makes differ from others by a
    /// centipawn.
    fn score(self, rank: i32) -> Score {
        let decisive = if self.fifty_move_rule {
            UNCERTAIN - FIFTY_MOVES
        } else {
            1
        };
        if rank >= decisive {
            Score::tablebase_win(0)
        } else if rank <= -decisive {
            Score::tablebase_loss(0)
        } else {
            Score::centipawns(rank.signum())
        }
    }
}

/// The distance of a capture or a pawn move that leads to this result for the side that makes it.
fn dtz_of_zeroing_move(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Win => 1,
        Wdl::CursedWin => FIFTY_MOVES + 1,
        Wdl::Draw => 0,
        Wdl::BlessedLoss => -FIFTY_MOVES - 1,
        Wdl::Loss => -1,
    }
}

/// The rank of a move that needs `dtz` plies to the next capture or pawn move, counted from the
/// root, where the fifty-move clock stands at `clock` plies.
///
/// A win is certain if the clock leaves a ply more than it needs, since distances are rounded, and
/// if no position has repeated since the last capture or pawn move. A loss is certain if even twice
/// its distance fits.
fn rank_of_dtz(dtz: i32, clock: i32, has_repeated: bool) -> i32 {
    match dtz {
        1.. if dtz + clock < FIFTY_MOVES && !has_repeated => CERTAIN,
        1.. => UNCERTAIN - (dtz + clock),
        0 => 0,
        _ if -dtz * 2 + clock < FIFTY_MOVES => -CERTAIN,
        _ => -UNCERTAIN + (-dtz + clock),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::from_fen;
    use crate::search::limits::Limits;
    use crate::syzygy::test_support::tablebases;
    use shakmaty::CastlingMode;

    #[test]
    fn nothing_is_ranked_once_the_search_must_stop() {
        let fen = "8/8/8/4k3/8/8/8/KQ6 w - - 0 1";
        let game = Game::new(from_fen(fen, CastlingMode::Standard).expect("a legal position"));
        let (tablebases, options, limits) =
            (tablebases(), SearchOptions::default(), Limits::default());
        let moves = limits.root_moves(game.position());
        for must_stop in [false, true] {
            let mut root_moves = RootMoves::new(Score::DRAW, &moves, &limits);
            let tablebases = Some(&tablebases);
            let ranking =
                rank_root_moves(&mut root_moves, &game, tablebases, &options, &|| must_stop);
            assert_eq!(ranking.hits, if must_stop { 0 } else { moves.len() });
        }
    }

    #[test]
    fn certain_wins_rank_equally_and_others_by_their_distance() {
        assert_eq!(rank_of_dtz(1, 0, false), rank_of_dtz(60, 39, false));
        assert!(rank_of_dtz(60, 39, false) > rank_of_dtz(60, 40, false));
        assert!(rank_of_dtz(59, 41, false) > rank_of_dtz(60, 41, false));
        // After a repetition only the shortest way leads on.
        assert!(rank_of_dtz(9, 10, true) > rank_of_dtz(11, 10, true));
        assert!(rank_of_dtz(101, 0, false) > rank_of_dtz(0, 0, false));
    }

    #[test]
    fn a_lost_position_is_defended_by_distance_only_where_the_fifty_move_rule_can_save_it() {
        assert_eq!(rank_of_dtz(-3, 0, false), rank_of_dtz(-9, 0, false));
        assert!(rank_of_dtz(-30, 60, false) > rank_of_dtz(-28, 60, false));
        assert!(rank_of_dtz(-28, 60, false) > rank_of_dtz(-3, 60, false));
        assert!(rank_of_dtz(0, 60, false) > rank_of_dtz(-101, 60, false));
    }
}
