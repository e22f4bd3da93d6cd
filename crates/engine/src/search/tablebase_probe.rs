//! Which positions of the tree are looked up in the endgame tablebases.

use shakmaty::{Chess, Color, Position};

use super::request::SearchOptions;
use crate::position::draws::FIFTY_MOVES;
use crate::position::game::Game;
use crate::position::packed_move::PackedMove;
use crate::syzygy::{Tablebases, Wdl};

/// The most pieces of a position that is looked up, kings included.
pub(super) fn max_pieces(tablebases: &Tablebases, options: &SearchOptions) -> usize {
    options.tablebase_limit.min(tablebases.largest())
}

/// The tables that the nodes of a search probe, and when they do.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeProbe<'a> {
    tablebases: &'a Tablebases,
    /// The most pieces of a position that is probed.
    max_pieces: usize,
    /// The minimum depth of a node with that many pieces; nodes with fewer are probed at any depth.
    min_depth: i32,
    /// Whether wins that the fifty-move rule prevents are draws.
    pub(super) fifty_move_rule: bool,
}

impl<'a> TreeProbe<'a> {
    /// The probe that the options ask for; `None` if they allow no position of the tables.
    pub(super) fn new(
        tablebases: &'a Tablebases,
        options: &SearchOptions,
    ) -> Option<TreeProbe<'a>> {
        let max_pieces = max_pieces(tablebases, options);
        (max_pieces > 0).then_some(TreeProbe {
            tablebases,
            max_pieces,
            min_depth: i32::try_from(options.tablebase_depth).unwrap_or(i32::MAX),
            fifty_move_rule: options.fifty_move_rule,
        })
    }

    /// The result of a position that is to be searched to this depth; `None` if it isn't looked up
    /// or is in no table.
    ///
    /// Directly after a capture or a pawn move the result is certain; later the fifty-move clock
    /// would matter, which the tables don't know. Neither do they know castling rights, and refuse
    /// them themselves.
    pub(super) fn result(self, position: &Chess, depth: i32) -> Option<Wdl> {
        let pieces = position.board().occupied().count();
        let is_looked_up = pieces <= self.max_pieces
            && (pieces < self.max_pieces || depth >= self.min_depth)
            && position.halfmoves() == 0;
        if !is_looked_up {
            return None;
        }
        self.tablebases.probe_wdl(position)
    }

    /// How many moves of a line are shown: up to the first after which the tables no longer say
    /// that this side wins, or until `must_end`. The first move always counts.
    ///
    /// Where the tables know the root, the search doesn't look for the win itself, so a line can
    /// give it away and still end well.
    pub(super) fn moves_to_win(
        self,
        root: &Game,
        line: &[PackedMove],
        winner: Color,
        must_end: impl Fn() -> bool,
    ) -> usize {
        let mut game = root.clone();
        let mut was_known = false;
        for (index, m) in line.iter().enumerate() {
            if index > 0 && must_end() {
                return index;
            }
            game.play((*m).into());
            let is_won = if game.position().is_checkmate() {
                Some(true)
            } else if game.is_draw(index + 1) {
                Some(false)
            } else {
                self.is_won(game.position(), winner)
            };
            if index > 0 && !is_won.unwrap_or(!was_known) {
                return index;
            }
            was_known |= is_won.is_some();
        }
        line.len()
    }

    /// Whether this side wins a position; `None` if the tables don't know it.
    fn is_won(self, position: &Chess, winner: Color) -> Option<bool> {
        if position.board().occupied().count() > self.max_pieces {
            return None;
        }
        let sign = if position.turn() == winner { 1 } else { -1 };
        if position.halfmoves() == 0 {
            let wdl = self.tablebases.probe_wdl(position)?;
            let wdl = if sign > 0 { wdl } else { -wdl };
            return Some(wdl == Wdl::Win || (wdl == Wdl::CursedWin && !self.fifty_move_rule));
        }
        let plies = sign * self.tablebases.probe_dtz(position)?;
        let clock = i32::try_from(position.halfmoves()).unwrap_or(i32::MAX);
        let fits = plies.saturating_add(clock) <= FIFTY_MOVES as i32;
        Some(plies > 0 && (fits || !self.fifty_move_rule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::from_fen;
    use crate::syzygy::test_support::tablebases;
    use shakmaty::CastlingMode;

    #[test]
    fn positions_with_more_pieces_than_the_limit_are_not_looked_up() {
        let position = from_fen("8/8/8/8/8/4k3/8/4K2R w - - 0 1", CastlingMode::Standard);
        let position = position.expect("a legal position");
        let tablebases = tablebases();
        let result = |tablebase_limit| {
            let options = SearchOptions {
                tablebase_limit,
                ..SearchOptions::default()
            };
            TreeProbe::new(&tablebases, &options)?.result(&position, 3)
        };
        assert_eq!([3, 2, 0].map(result), [Some(Wdl::Win), None, None]);
    }
}
