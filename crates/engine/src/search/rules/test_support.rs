//! What the tests of the rules share: positions in which few rules interfere with each other, and
//! the traces that a rule leaves.
//!
//! A rule shows in the number of nodes, in the score, and in the depth of the entry that the
//! transposition table holds for the position or for a child of it.

use shakmaty::Position;
use shakmaty::uci::UciMove;

use crate::position::packed_move::{CompactMove, PackedMove};
use crate::score::Score;
use crate::search::node::Node;
use crate::search::pv::Pv;
use crate::search::transposition_table::Entry;
use crate::search::window::Bound;
use crate::search::worker::Worker;
use crate::search::worker::test_support::{legal_move, zero_window_node};

/// White has eleven moves, all quiet. There is nothing to capture or to check soon, and null move
/// pruning needs pieces.
pub(super) const PAWNS: &str = "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1";

/// White can take the pawn. No quiet move gives check.
pub(super) const HANGING_PAWN: &str = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";

/// The static evaluation, without corrections.
pub(super) fn evaluation(thread: &Worker) -> Score {
    thread.shared.tables.evaluate(thread.game.position())
}

pub(super) fn search(thread: &mut Worker, node: Node) -> Score {
    let score = thread.negamax(node, &mut Pv::new());
    score.expect("nothing stops the search")
}

/// A zero-window node at ply 1 that is expected to fail high.
pub(super) fn cut_node(alpha: Score, depth: i32) -> Node {
    Node {
        cut_node: true,
        ..zero_window_node(alpha, depth)
    }
}

/// An entry with a legal move.
pub(super) fn entry(thread: &Worker, best: &str, score: Score, depth: u8, bound: Bound) -> Entry {
    Entry {
        best: Some(CompactMove::from(legal_move(thread, best))),
        score,
        depth,
        bound,
    }
}

/// Stores an entry for the current position.
pub(super) fn store(thread: &Worker, entry: Entry) {
    thread.tt.store(thread.game.key(), entry);
}

/// Stores a move for the current position and nothing else that a search could use.
pub(super) fn store_move(thread: &mut Worker, best: &str) {
    let score = evaluation(thread);
    store(thread, entry(thread, best, score, 0, Bound::Upper));
}

/// Calls `visit` in the position after a move.
pub(super) fn after<R>(thread: &mut Worker, name: &str, visit: impl FnOnce(&mut Worker) -> R) -> R {
    let m = legal_move(thread, name);
    thread.game.make_move(m, |_| ());
    let result = visit(thread);
    thread.unmake_move();
    result
}

/// The depth of the entry of the current position.
pub(super) fn stored_depth(thread: &Worker) -> Option<i32> {
    let entry = thread.tt.probe(thread.game.key())?;
    Some(i32::from(entry.depth))
}

/// The depth of the entry of the position after a move.
pub(super) fn depth_after(thread: &mut Worker, name: &str) -> Option<i32> {
    after(thread, name, |thread| stored_depth(thread))
}

/// Stores a quiet move in the position after each move, which keeps reverse futility pruning from
/// it.
pub(super) fn store_quiet_replies(thread: &mut Worker) {
    for m in legal_moves(thread) {
        thread.game.make_move(m, |_| ());
        let reply = legal_moves(thread).into_iter().find(|m| !m.is_tactical());
        if let Some(reply) = reply {
            store_move(thread, &UciMove::from_standard(reply.into()).to_string());
        }
        thread.unmake_move();
    }
}

/// The number of moves after which a position is as `is` says.
pub(super) fn moves_to(thread: &mut Worker, is: fn(&Worker) -> bool) -> usize {
    let mut count = 0;
    for m in legal_moves(thread) {
        thread.game.make_move(m, |_| ());
        count += usize::from(is(thread));
        thread.unmake_move();
    }
    count
}

/// Whether the current position has an entry of a search, not of [`store_move`] alone.
pub(super) fn is_searched(thread: &Worker) -> bool {
    let is_stored = |entry: Entry| entry.depth == 0 && entry.score == evaluation(thread);
    let entry = thread.tt.probe(thread.game.key());
    entry.is_some_and(|entry| !is_stored(entry))
}

fn legal_moves(thread: &Worker) -> Vec<PackedMove> {
    let moves = thread.game.position().legal_moves();
    moves.into_iter().filter_map(PackedMove::new).collect()
}

/// Changes the history of a quiet move at ply 1, which was 0, to an even number of points.
pub(super) fn set_history(thread: &mut Worker, name: &str, history: i32) {
    let m = legal_move(thread, name);
    thread.store_threats(1);
    let context = thread.stack[1].context;
    // Two histories have an entry for it: there is no earlier move to continue.
    thread.history.update_quiet(&context, m, history / 2);
    assert_eq!(thread.history.of_move(m, &context), history);
}
