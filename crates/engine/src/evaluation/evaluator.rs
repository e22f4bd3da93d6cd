//! The evaluator of a search: the accumulators of the current line, one for each ply.
//!
//! Many nodes are never evaluated, so a ply gets its accumulator only when it is asked for: from
//! the nearest ply above that has one, by the piece changes of the moves in between.

use shakmaty::{Chess, Position};

use super::accumulator::Accumulator;
use super::evaluate;
use super::tables::Tables;
use crate::position::game::Game;
use crate::score::Score;

/// Evaluates the positions of a line from a root.
#[derive(Clone, Debug)]
pub struct Evaluator<'a> {
    tables: &'a Tables,
    /// The accumulator of each ply, `None` until its position is evaluated. The root always has
    /// one.
    accumulators: Vec<Option<Accumulator>>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator by `tables` for lines of up to `plies` plies from `root`.
    pub fn new(tables: &'a Tables, root: &Chess, plies: usize) -> Evaluator<'a> {
        let root = Accumulator::of(root.board(), tables);
        Evaluator {
            tables,
            // A ply that no move has led to yet stands for the root.
            accumulators: vec![Some(root); plies + 1],
        }
    }

    /// Forgets the accumulator of a ply: another move has just led to it. The root keeps its own.
    #[inline]
    pub fn enter(&mut self, ply: usize) {
        debug_assert!(ply > 0, "the root of a line stays the same");
        self.accumulators[ply] = None;
    }

    /// The static evaluation of the last position of a game, from the point of view of the side to
    /// move. It lies `ply` plies below the root.
    #[inline]
    pub fn evaluation(&mut self, game: &Game, ply: usize) -> Score {
        let accumulator = self.accumulator(game, ply);
        let position = game.position();
        evaluate(accumulator, self.tables, position.board(), position.turn())
    }

    /// The accumulator of the last position of a game, `ply` plies below the root. Brings those
    /// above it up to date that have waited.
    #[inline]
    pub fn accumulator(&mut self, game: &Game, ply: usize) -> Accumulator {
        let mut evaluated = ply;
        let mut accumulator = loop {
            match self.accumulators[evaluated] {
                Some(accumulator) => break accumulator,
                None => evaluated -= 1,
            }
        };
        for next in evaluated + 1..=ply {
            let (changes, boards) = game.move_before(ply - next);
            if !changes.is_empty() {
                accumulator = accumulator.after_move(self.tables, changes, boards);
            }
            self.accumulators[next] = Some(accumulator);
        }
        debug_assert_eq!(
            accumulator,
            Accumulator::of(game.position().board(), self.tables),
            "the accumulator of {:?}",
            game.position()
        );
        accumulator
    }
}
