//! Move ordering: the move picker returns the moves of a node one by one, the most promising first.
//!
//! Alpha-beta saves the most if the best move comes first, and a node that is cut off early never
//! needs its remaining moves. The picker therefore generates them in stages and picks one at a
//! time, in the order of `Stage`.

use shakmaty::{Position, Role};

use super::history::{History, HistoryContext, Killers};
use super::ranked_moves::RankedMoves;
use super::see;
use super::tunable::parameters;
use crate::position::movegen::LegalMasks;
use crate::position::packed_move::PackedMove;
use crate::position::variant_position::VariantPosition;

parameters! {
    /// The weight of the captured piece's value in centipawns, relative to the capture history.
    CAPTURE_VALUE_FACTOR = 16, 4 to 40;
    /// Good captures: this much history, in history points, is worth a centipawn of the exchange.
    CAPTURE_HISTORY_DIVISOR = 128, 32 to 512;
}

/// The stages of move ordering, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// 1. The move of the transposition table.
    TtMove,
    /// 2. Good captures: captures and queen promotions that lose no material by static exchange
    ///    evaluation, give or take what their history says, by the weighted sum of the victim's
    ///    value and the capture history.
    GenerateCaptures,
    GoodCaptures,
    /// 3. The two killer moves.
    FirstKiller,
    SecondKiller,
    /// 4. The other quiet moves, by their histories.
    GenerateQuiets,
    Quiets,
    /// 5. Bad captures: those that lose material, and underpromotions.
    BadCaptures,
    Done,
}

/// Which quiet moves are picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuietMoves {
    None,
    /// Those that give check and lose no material.
    Checks,
    All,
}

/// Picks the legal moves of one node, each once.
pub struct MovePicker {
    masks: LegalMasks,
    stage: Stage,
    tt_move: Option<PackedMove>,
    killers: Killers,
    quiets: QuietMoves,
    with_bad_captures: bool,
    /// The bad captures met so far, then the other captures, then the quiet moves.
    moves: RankedMoves,
    bad_captures: usize,
    next: usize,
}

impl MovePicker {
    /// A picker of all moves, for a node of the main search or one in check.
    #[inline]
    pub fn all(masks: LegalMasks, tt_move: Option<PackedMove>, killers: Killers) -> MovePicker {
        MovePicker {
            masks,
            stage: Stage::TtMove,
            tt_move,
            killers,
            quiets: QuietMoves::All,
            with_bad_captures: true,
            moves: RankedMoves::default(),
            bad_captures: 0,
            next: 0,
        }
    }

    /// A picker of good captures and queen promotions only.
    #[inline]
    pub fn captures(masks: LegalMasks, tt_move: Option<PackedMove>) -> MovePicker {
        MovePicker {
            quiets: QuietMoves::None,
            with_bad_captures: false,
            ..MovePicker::all(
                masks,
                tt_move.filter(|m| m.is_tactical()),
                Killers::default(),
            )
        }
    }

    /// The same picker, with bad captures and underpromotions.
    #[inline]
    pub(super) fn with_bad_captures(self) -> MovePicker {
        MovePicker {
            with_bad_captures: true,
            ..self
        }
    }

    /// The same picker, with quiet moves that give check and lose no material.
    #[inline]
    pub(super) fn with_quiet_checks(self) -> MovePicker {
        MovePicker {
            quiets: QuietMoves::Checks,
            ..self
        }
    }

    /// The next move to search in this position, which must be the same at every call.
    #[inline]
    pub fn next(
        &mut self,
        position: &VariantPosition,
        history: &History,
        context: &HistoryContext,
    ) -> Option<PackedMove> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateCaptures;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(position, history);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    if let Some(m) = self.pick_good_capture(position, history) {
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
                    self.stage = Stage::GenerateQuiets;
                    if let Some(m) = self.killer(position, 1) {
                        return Some(m);
                    }
                }
                Stage::GenerateQuiets => {
                    self.next = self.moves.len();
                    match self.quiets {
                        QuietMoves::None => {}
                        QuietMoves::Checks => self.generate_quiet_checks(position),
                        QuietMoves::All => self.generate_quiets(position, history, context),
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if let Some(m) = self.pick_quiet() {
                        return Some(m);
                    }
                    self.stage = Stage::BadCaptures;
                    self.next = 0;
                }
                Stage::BadCaptures => {
                    if self.with_bad_captures && self.next < self.bad_captures {
                        self.next += 1;
                        return Some(self.moves.at(self.next - 1));
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// The history of the move picked last, if it was picked by its history; `None` for the move of
    /// the transposition table, killer moves and captures.
    pub(super) fn history_of_quiet(&self) -> Option<i32> {
        (self.stage == Stage::Quiets).then(|| self.moves.score_at(self.next - 1))
    }

    /// Whether the moves picked now are bad captures.
    pub(super) fn is_at_bad_captures(&self) -> bool {
        self.stage == Stage::BadCaptures
    }

    /// Skips all remaining quiet moves.
    pub(super) fn skip_quiets(&mut self) {
        self.quiets = QuietMoves::None;
    }

    // The generators are not inlined into `next`, which is called far more often: with their many
    // variables every call of it would have to save registers.
    #[inline(never)]
    fn generate_captures(&mut self, position: &VariantPosition, history: &History) {
        let turn = position.turn();
        let moves = &mut self.moves;
        self.masks.for_each_tactical(position, |m| {
            let value = capture_value(position, m) * CAPTURE_VALUE_FACTOR.get();
            moves.push(m, value + history.of_capture(turn, m));
        });
    }

    #[inline(never)]
    fn generate_quiets(
        &mut self,
        position: &VariantPosition,
        history: &History,
        context: &HistoryContext,
    ) {
        let moves = &mut self.moves;
        let history = history.of_node(context);
        self.masks
            .for_each_quiet(position, |m| moves.push(m, history.of_quiet(m)));
    }

    #[inline(never)]
    fn generate_quiet_checks(&mut self, position: &VariantPosition) {
        let moves = &mut self.moves;
        self.masks.for_each_quiet_check(position, |m| {
            if see::see_ge(position, m, 0) {
                moves.push(m, 0);
            }
        });
    }

    /// The best capture that loses no material. Bad captures met on the way are moved to the front
    /// of the list.
    #[inline]
    fn pick_good_capture(
        &mut self,
        position: &VariantPosition,
        history: &History,
    ) -> Option<PackedMove> {
        while let Some(m) = self.pick_best() {
            if Some(m) == self.tt_move {
                continue;
            }
            if is_good_capture(position, m, history) {
                return Some(m);
            }
            self.moves.swap_picked(self.bad_captures, self.next - 1);
            self.bad_captures += 1;
        }
        None
    }

    #[inline]
    fn pick_quiet(&mut self) -> Option<PackedMove> {
        while self.quiets != QuietMoves::None {
            let m = self.pick_best()?;
            if Some(m) != self.tt_move && !self.killers.contains(m) {
                return Some(m);
            }
        }
        None
    }

    /// The best of the moves that are left: a selection sort that ends when the node does.
    #[inline]
    fn pick_best(&mut self) -> Option<PackedMove> {
        let best = self.moves.pick(self.next)?;
        self.next += 1;
        Some(best)
    }

    /// A killer move, if it is a legal quiet move here and not the move of the transposition table.
    fn killer(&self, position: &VariantPosition, index: usize) -> Option<PackedMove> {
        self.killers.moves()[index].filter(|m| {
            self.quiets == QuietMoves::All
                && Some(*m) != self.tt_move
                && self.masks.is_legal(position, *m)
        })
    }
}

/// The value for ordering a capture or promotion, in centipawns (*MVV-LVA*: the most valuable
/// victim first, and the least valuable attacker first among equals).
#[inline]
fn capture_value(position: &VariantPosition, m: PackedMove) -> i32 {
    let promoted = if m.promotion() == Some(Role::Queen) {
        see::value_of(Role::Queen)
    } else {
        0
    };
    see::captured_value(position, m) + promoted - m.role_number() as i32 * 4
}

/// Whether a capture or promotion comes before the quiet moves: it loses no material by static
/// exchange evaluation. One that was good elsewhere may lose some, and one that was bad must win
/// some (as in Clockwork and Sirius).
#[inline]
fn is_good_capture(position: &VariantPosition, m: PackedMove, history: &History) -> bool {
    if m.promotion().is_some_and(|role| role != Role::Queen) {
        return false;
    }
    let threshold = -history.of_capture(position.turn(), m) / CAPTURE_HISTORY_DIVISOR.get();
    // Capturing a piece of at least the same value never loses material.
    let captured = see::captured_value(position, m);
    let wins_at_once = m.promotion().is_none() && captured >= see::value_of(m.role());
    (wins_at_once && threshold <= 0) || see::see_ge(position, m, threshold)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::from_fen;
    use proptest::prelude::*;
    use shakmaty::CastlingMode;
    use std::collections::HashSet;

    fn position(fen: &str) -> VariantPosition {
        from_fen(fen, CastlingMode::Standard)
            .expect("a legal position")
            .into()
    }

    fn legal_moves(position: &VariantPosition) -> Vec<PackedMove> {
        let legal = position.legal_moves().into_iter();
        legal.filter_map(PackedMove::new).collect()
    }

    fn picked(position: &VariantPosition, mut picker: MovePicker) -> Vec<PackedMove> {
        let (history, context) = (History::new(), HistoryContext::first(position.turn()));
        std::iter::from_fn(|| picker.next(position, &history, &context)).collect()
    }

    proptest! {
        #[test]
        fn every_legal_move_is_picked_once(choices in prop::collection::vec(any::<u8>(), 1..120)) {
            let mut position = VariantPosition::default();
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

                let captures = picked(&position, MovePicker::captures(masks, None).with_bad_captures());
                prop_assert_eq!(captures.len(), legal.iter().filter(|m| m.is_tactical()).count());
                position.play_unchecked(legal[index].into());
                earlier = legal_moves(&position);
                let passed = position.pass().map(|passed| legal_moves(&passed));
                earlier.extend(passed.unwrap_or_default());
            }
        }
    }

    #[test]
    fn good_captures_come_first_and_bad_ones_last() {
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
    fn history_decides_about_a_capture_that_wins_or_loses_little() {
        // The bishop takes the knight, or the knight its like; both are taken back.
        let loss = see::value_of(Role::Bishop) - see::value_of(Role::Knight);
        for (fen, loss) in [
            ("4k3/2p5/3n4/8/8/B7/8/4K3 w - - 0 1", loss),
            ("4k3/2p5/3n4/8/4N3/8/8/4K3 w - - 0 1", 0),
        ] {
            let position = position(fen);
            let m = legal_moves(&position).into_iter().find(|m| m.is_tactical());
            let m = m.expect("there is one capture");
            let is_good = |history: i32| {
                let mut histories = History::new();
                histories.update_capture(position.turn(), m, history);
                is_good_capture(&position, m, &histories)
            };
            let needed = loss * CAPTURE_HISTORY_DIVISOR.get();
            assert!(is_good(needed), "{fen}");
            assert!(!is_good(needed - CAPTURE_HISTORY_DIVISOR.get()), "{fen}");
        }
    }

    #[test]
    fn a_quiescence_picker_leaves_bad_captures_out() {
        let position = position("4k3/8/2p5/3p1r2/4P3/8/3Q4/4K3 w - - 0 1");
        let picker = MovePicker::captures(LegalMasks::of(&position), None);
        let moves = picked(&position, picker);
        let words: Vec<String> = moves.iter().map(|m| m.to_string()).collect();
        assert_eq!(words, ["e4xf5", "e4xd5"]);
    }
}
