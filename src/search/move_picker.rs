//! The move picker: which move to try next, and why.
//!
//! Alpha-beta saves the most when the best move comes first, and a node that is cut off early never needs
//! its remaining moves. So moves are generated in batches and picked one at a time, in the order of
//! [`Stage`].

use arrayvec::ArrayVec;
use shakmaty::{Chess, Position, Role};

use super::history::{History, HistoryContext, Killers};
use super::parameters::CAPTURE_GAIN_FACTOR;
use super::see;
use crate::position::movegen::LegalMasks;
use crate::position::packed_move::PackedMove;

/// The stages, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// 1. The best move of an earlier search of this position.
    TableMove,
    /// 2. Captures and queen promotions that lose no material: by what they win and how they did before.
    GenerateTactical,
    WinningTactical,
    /// 3. Two quiet moves that refuted siblings.
    FirstKiller,
    SecondKiller,
    /// 4. The other quiet moves, by their history.
    GenerateQuiet,
    Quiet,
    /// 5. Captures that lose material, and promotions to less than a queen.
    LosingTactical,
    Done,
}

/// Which quiet moves are handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quiet {
    None,
    /// Those that give check and lose no material.
    Checks,
    All,
}

#[derive(Clone, Copy)]
struct ScoredMove {
    m: PackedMove,
    score: i32,
}

/// Hands out the moves of one node, each once, all legal.
pub struct MovePicker {
    masks: LegalMasks,
    stage: Stage,
    table_move: Option<PackedMove>,
    killers: Killers,
    quiet: Quiet,
    with_losing: bool,
    /// Losing tactical moves that were put aside, then the batch that is being picked from.
    moves: ArrayVec<ScoredMove, 256>,
    put_aside: usize,
    next: usize,
}

impl MovePicker {
    /// All moves, for a node of the main search or one in check.
    #[inline]
    pub fn all(masks: LegalMasks, table_move: Option<PackedMove>, killers: Killers) -> MovePicker {
        MovePicker {
            masks,
            stage: Stage::TableMove,
            table_move,
            killers,
            quiet: Quiet::All,
            with_losing: true,
            moves: ArrayVec::new(),
            put_aside: 0,
            next: 0,
        }
    }

    /// Captures and promotions only, those that lose material only if `with_losing`.
    #[inline]
    pub fn tactical(
        masks: LegalMasks,
        table_move: Option<PackedMove>,
        with_losing: bool,
    ) -> MovePicker {
        MovePicker {
            quiet: Quiet::None,
            with_losing,
            ..MovePicker::all(
                masks,
                table_move.filter(|m| m.is_tactical()),
                Killers::default(),
            )
        }
    }

    /// The same, with quiet moves that give check and lose no material.
    #[inline]
    pub fn with_checks(self) -> MovePicker {
        MovePicker {
            quiet: Quiet::Checks,
            ..self
        }
    }

    /// The next move to try in this position, which must be the same at every call.
    #[inline]
    pub fn next(
        &mut self,
        position: &Chess,
        history: &History,
        context: &HistoryContext,
    ) -> Option<PackedMove> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateTactical;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateTactical => {
                    self.generate_tactical(position, history);
                    self.stage = Stage::WinningTactical;
                }
                Stage::WinningTactical => {
                    if let Some(m) = self.pick_winning(position) {
                        return Some(m);
                    }
                    self.stage = Stage::FirstKiller;
                }
                Stage::FirstKiller => {
                    self.stage = Stage::SecondKiller;
                    if let Some(m) = self.killer(position, 0) {
                        return Some(m);
                    }
                }
                Stage::SecondKiller => {
                    self.stage = Stage::GenerateQuiet;
                    if let Some(m) = self.killer(position, 1) {
                        return Some(m);
                    }
                }
                Stage::GenerateQuiet => {
                    self.next = self.moves.len();
                    match self.quiet {
                        Quiet::None => {}
                        Quiet::Checks => self.generate_checks(position),
                        Quiet::All => self.generate_quiet(position, history, context),
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if let Some(m) = self.pick_quiet() {
                        return Some(m);
                    }
                    self.turn_to_losing();
                }
                Stage::LosingTactical => {
                    if self.with_losing && self.next < self.put_aside {
                        self.next += 1;
                        return Some(self.moves[self.next - 1].m);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Goes back to the moves that were put aside.
    fn turn_to_losing(&mut self) {
        self.stage = Stage::LosingTactical;
        self.next = 0;
    }

    /// The history by which the move handed out last was put in its place; none if it came for another reason,
    /// as the table move and the killers do.
    pub fn history_of_quiet(&self) -> Option<i32> {
        (self.stage == Stage::Quiet).then(|| self.moves[self.next - 1].score)
    }

    /// Whether the moves handed out now lose material.
    pub fn is_losing(&self) -> bool {
        self.stage == Stage::LosingTactical
    }

    /// From here on hands out no quiet move any more.
    pub fn skip_quiet(&mut self) {
        self.quiet = Quiet::None;
    }

    // The two generators stand apart from `next`, which is called far more often: with their many variables
    // inside it, every call of it would have registers to save.
    #[inline(never)]
    fn generate_tactical(&mut self, position: &Chess, history: &History) {
        let turn = position.turn();
        let moves = &mut self.moves;
        self.masks.for_each_tactical(position, |m| {
            moves.push(ScoredMove {
                m,
                score: gain_of(m) * CAPTURE_GAIN_FACTOR.get() + history.of_capture(turn, m),
            });
        });
    }

    #[inline(never)]
    fn generate_quiet(&mut self, position: &Chess, history: &History, context: &HistoryContext) {
        let moves = &mut self.moves;
        let history = history.of_node(context);
        self.masks.for_each_quiet(position, |m| {
            moves.push(ScoredMove {
                m,
                score: history.of_quiet(m),
            });
        });
    }

    #[inline(never)]
    fn generate_checks(&mut self, position: &Chess) {
        let moves = &mut self.moves;
        self.masks.for_each_quiet_check(position, |m| {
            if see::see_ge(position, m, 0) {
                moves.push(ScoredMove { m, score: 0 });
            }
        });
    }

    /// The best tactical move that loses no material; losing ones met on the way are put aside. Few of the
    /// moves generated are ever picked, so what was handed out already is told from them here.
    #[inline]
    fn pick_winning(&mut self, position: &Chess) -> Option<PackedMove> {
        while let Some(m) = self.pick_best() {
            if Some(m) == self.table_move {
                continue;
            }
            if is_winning(position, m) {
                return Some(m);
            }
            self.moves.swap(self.put_aside, self.next - 1);
            self.put_aside += 1;
        }
        None
    }

    #[inline]
    fn pick_quiet(&mut self) -> Option<PackedMove> {
        while self.quiet != Quiet::None {
            let m = self.pick_best()?;
            if Some(m) != self.table_move && !self.killers.contains(m) {
                return Some(m);
            }
        }
        None
    }

    /// The best of the batch that is left: a selection sort that stops when the node does.
    #[inline]
    fn pick_best(&mut self) -> Option<PackedMove> {
        let batch = &mut self.moves[self.next..];
        let mut best = 0;
        let mut best_score = batch.first()?.score;
        for (index, candidate) in batch.iter().enumerate() {
            if candidate.score > best_score {
                best = index;
                best_score = candidate.score;
            }
        }
        batch.swap(0, best);
        self.next += 1;
        Some(self.moves[self.next - 1].m)
    }

    /// A killer, if it is a legal quiet move here and not the table move.
    fn killer(&self, position: &Chess, index: usize) -> Option<PackedMove> {
        self.killers.moves()[index].filter(|m| {
            self.quiet == Quiet::All
                && Some(*m) != self.table_move
                && self.masks.allows(position, *m)
        })
    }
}

/// What a capture or promotion wins at once, in centipawns; of equal gains the smaller piece's comes first.
#[inline]
fn gain_of(m: PackedMove) -> i32 {
    let promoted = if m.promotion() == Some(Role::Queen) {
        see::value_of(Role::Queen)
    } else {
        0
    };
    see::value_taken(m) + promoted - m.role_number() as i32 * 4
}

/// Whether a tactical move belongs before the quiet ones.
#[inline]
fn is_winning(position: &Chess, m: PackedMove) -> bool {
    if m.promotion().is_some_and(|role| role != Role::Queen) {
        return false;
    }
    // Taking something bigger wins whatever comes back; only the others need the exchange played out.
    let takes_bigger = m.promotion().is_none() && see::value_taken(m) >= see::value_of(m.role());
    takes_bigger || see::see_ge(position, m, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;
    use std::collections::HashSet;

    fn position(fen: &str) -> Chess {
        let fen: Fen = fen.parse().expect("a valid FEN");
        fen.into_position(CastlingMode::Standard)
            .expect("a legal position")
    }

    fn legal_moves(position: &Chess) -> Vec<PackedMove> {
        let legal = position.legal_moves().into_iter();
        legal.filter_map(PackedMove::new).collect()
    }

    fn picked(position: &Chess, mut picker: MovePicker) -> Vec<PackedMove> {
        let (history, context) = (History::new(), HistoryContext::first(position.turn()));
        std::iter::from_fn(|| picker.next(position, &history, &context)).collect()
    }

    proptest! {
        #[test]
        fn every_legal_move_is_handed_out_once(choices in prop::collection::vec(any::<u8>(), 1..120)) {
            let mut position = Chess::default();
            let mut earlier: Vec<PackedMove> = Vec::new();
            for choice in choices {
                let legal = legal_moves(&position);
                let Some(index) = usize::from(choice).checked_rem(legal.len()) else { break };
                let masks = LegalMasks::of(&position);
                let mut killers = Killers::default();
                for m in earlier.iter().filter(|m| !m.is_tactical()).take(2) {
                    killers.add(*m);
                }
                let moves = picked(&position, MovePicker::all(masks, Some(legal[index]), killers));
                prop_assert_eq!(moves[0], legal[index]);
                prop_assert_eq!(moves.len(), legal.len());
                let distinct: HashSet<PackedMove> = moves.into_iter().collect();
                prop_assert_eq!(distinct, legal.iter().copied().collect());

                let tactical = picked(&position, MovePicker::tactical(masks, None, true));
                prop_assert_eq!(tactical.len(), legal.iter().filter(|m| m.is_tactical()).count());
                position.play_unchecked(legal[index].into());
                earlier = legal_moves(&position);
                let passed = position.clone().swap_turn().map(|passed| legal_moves(&passed));
                earlier.extend(passed.unwrap_or_default());
            }
        }
    }

    #[test]
    fn winning_captures_come_first_and_losing_ones_last() {
        // The pawn takes the rook, the queen could take a pawn that is defended.
        let position = position("4k3/8/2p5/3p1r2/4P3/8/3Q4/4K3 w - - 0 1");
        let moves = picked(
            &position,
            MovePicker::all(LegalMasks::of(&position), None, Killers::default()),
        );
        let words: Vec<String> = moves.iter().map(|m| m.to_string()).collect();
        assert_eq!(words.first().map(String::as_str), Some("e4xf5"));
        assert_eq!(words.last().map(String::as_str), Some("Qd2xd5"));
    }

    #[test]
    fn a_quiescence_picker_leaves_losing_captures_out() {
        let position = position("4k3/8/2p5/3p1r2/4P3/8/3Q4/4K3 w - - 0 1");
        let picker = MovePicker::tactical(LegalMasks::of(&position), None, false);
        let moves = picked(&position, picker);
        assert!(moves.iter().all(|m| m.role() == Role::Pawn), "{moves:?}");
    }
}
