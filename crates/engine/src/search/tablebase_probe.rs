//! Which positions of the tree are looked up in the endgame tablebases.

use shakmaty::{Chess, Position};

use super::request::SearchOptions;
use crate::syzygy::{Tablebases, Wdl};

/// The most pieces of a position that is looked up, kings included.
pub(super) fn max_pieces(tablebases: &Tablebases, options: &SearchOptions) -> usize {
    options.tablebase_limit.min(tablebases.largest())
}

/// The tables that the nodes of a search probe, and when they do.
#[derive(Clone, Copy, Debug)]
pub struct TreeProbe<'a> {
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

    /// The result of a position that is to be searched to this depth; `None` if it isn't looked up or is in no table.
    ///
    /// Directly after a capture or a pawn move the result is certain; later the fifty-move clock would matter, which
    /// the tables don't know.
    pub(super) fn result(self, position: &Chess, depth: i32) -> Option<Wdl> {
        let pieces = position.board().occupied().count();
        let is_looked_up = pieces <= self.max_pieces
            && (pieces < self.max_pieces || depth >= self.min_depth)
            && position.halfmoves() == 0
            && !position.castles().any();
        if !is_looked_up {
            return None;
        }
        self.tablebases.probe_wdl(position)
    }
}
