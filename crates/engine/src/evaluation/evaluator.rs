//! The evaluator of a search: the accumulators of the current line, one for each ply.
//!
//! Many nodes are never evaluated, so a ply gets its accumulator only when it is asked for: from
//! the nearest ply above that has one, by the piece changes of the moves in between. And many
//! positions come again, in the next iteration, by other moves or in the search of the next move,
//! so evaluations are remembered.

use shakmaty::{Chess, Position};

use super::accumulator::Accumulator;
use super::evaluate;
use super::tables::Tables;
use crate::position::game::Game;
use crate::position::zobrist::is_checked_afresh;
use crate::score::Score;

/// Evaluates the positions of a line from a root.
#[derive(Debug)]
pub struct Evaluator<'a> {
    tables: &'a Tables,
    /// The accumulator of each ply, `None` until its position is evaluated. The root always has
    /// one.
    accumulators: Vec<Option<Accumulator>>,
    memory: &'a mut EvaluationMemory,
}

impl<'a> Evaluator<'a> {
    /// An evaluator by `tables` for lines of up to `plies` plies from `root`. All that `memory`
    /// holds must be evaluations by the same tables.
    pub fn new(
        tables: &'a Tables,
        root: &Chess,
        plies: usize,
        memory: &'a mut EvaluationMemory,
    ) -> Evaluator<'a> {
        let root = Accumulator::of(root.board(), tables);
        Evaluator {
            tables,
            // A ply that no move has led to yet stands for the root.
            accumulators: vec![Some(root); plies + 1],
            memory,
        }
    }

    /// Forgets the accumulator of a ply: another move has just led to it. The root keeps its own.
    #[inline]
    pub fn enter(&mut self, ply: usize) {
        debug_assert!(ply > 0, "the root of a line stays the same");
        self.accumulators[ply] = None;
    }

    /// Prefetches what is remembered of the position with this key, which will be evaluated soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch_index::prefetch_index(&self.memory.0, EvaluationMemory::place(key));
    }

    /// The static evaluation of the last position of a game, from the point of view of the side to
    /// move. It lies `ply` plies below the root.
    #[inline]
    pub fn evaluation(&mut self, game: &Game, ply: usize) -> Score {
        let key = game.key();
        if let Some(score) = self.memory.get(key) {
            if is_checked_afresh(key) {
                assert_eq!(score, self.tables.evaluate(game.position()));
            }
            return score;
        }
        let accumulator = self.accumulator(game, ply);
        let position = game.position();
        let score = evaluate(accumulator, self.tables, position.board(), position.turn());
        self.memory.set(key, score);
        score
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
        if is_checked_afresh(game.key()) {
            let position = game.position();
            let expected = Accumulator::of(position.board(), self.tables);
            assert_eq!(accumulator, expected, "the accumulator of {position:?}");
        }
        accumulator
    }
}

/// Evaluations by one set of tables, by the keys of their positions; a new one takes the place of
/// an older one. It belongs to a search thread and outlives its searches: no search allocates it,
/// and an evaluation is the same in all searches and games.
///
/// An entry is the key, of which the lowest bits, its place, make room for the score.
#[derive(Clone, Debug)]
pub struct EvaluationMemory(Vec<u64>);

impl Default for EvaluationMemory {
    fn default() -> EvaluationMemory {
        EvaluationMemory(vec![0; EvaluationMemory::LENGTH])
    }
}

/// A score takes as many bits as the place tells of a key.
const _: () = assert!(EvaluationMemory::SCORE_MASK == u16::MAX as u64);

impl EvaluationMemory {
    /// Half a megabyte, which the second level of a processor's cache holds.
    const LENGTH: usize = 1 << 16;
    /// The bits of an entry that hold the score: those of the key there are its place.
    const SCORE_MASK: u64 = EvaluationMemory::LENGTH as u64 - 1;

    /// Forgets all evaluations, before a search with other tables.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The evaluation stored for a key. The place tells its lowest 16 bits and the entry the
    /// others, so that no other key is taken for it.
    #[inline]
    fn get(&self, key: u64) -> Option<Score> {
        let entry = self.0[EvaluationMemory::place(key)];
        ((entry ^ key) & !EvaluationMemory::SCORE_MASK == 0)
            .then(|| Score::from_bits((entry & EvaluationMemory::SCORE_MASK) as u16))
    }

    #[inline]
    fn set(&mut self, key: u64, score: Score) {
        self.0[EvaluationMemory::place(key)] =
            key & !EvaluationMemory::SCORE_MASK | u64::from(score.to_bits());
    }

    #[inline]
    fn place(key: u64) -> usize {
        key as usize % EvaluationMemory::LENGTH
    }
}
