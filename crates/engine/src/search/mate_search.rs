//! Mate search: proves that the side to move mates in a number of moves, for `go mate`.
//!
//! The selective search prunes quiet moves in positions that are won anyway, and many mate problems
//! are solved by a quiet move. So `go mate` also tries every move of the attacker against every
//! reply, for a mate in one, two, three moves and so on. Only the attacker's last move is
//! restricted: it must give check, unless stalemate wins too. A mate that is not found within these
//! moves does not exist.
//!
//! The work grows so fast with the number of moves that the selective search, which follows checks
//! much further, goes on in turn with this one.

use arrayvec::ArrayVec;

use super::pv::Pv;
use super::stop::Stopped;
use super::worker::Worker;
use crate::position::attacks::may_give_check;
use crate::position::movegen::{LegalMasks, MAX_MOVES, has_legal_move};
use crate::position::packed_move::PackedMove;
use crate::score::{MAX_PLY, Score};

/// The mate search takes its turn for at least this many nodes.
const MIN_NODES: u64 = 50_000;

/// The most legal moves of a position is 218, and 244 where own pieces may be captured.
type MoveList = ArrayVec<PackedMove, MAX_MOVES>;

/// How far the mate search has come.
pub(super) struct MateSearch {
    /// A mate in this many moves is tried next; none is possible in fewer.
    next: u32,
    /// A mate in this many moves is asked for.
    wanted: u32,
    /// The node count of the worker at which the current turn ends.
    node_limit: u64,
    /// For each ply, the last reply that escaped the mate: it is likely to refute other moves too.
    refutations: Vec<Option<PackedMove>>,
}

/// How a turn of the mate search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnEnd {
    /// It takes another turn.
    Interrupted,
    /// A mate is found, or there is none in as many moves: nothing is left to search.
    Decided,
}

/// Why the mate search ended without a result.
enum Ended {
    /// The whole search is stopped.
    Stopped,
    TurnOver,
}

impl From<Stopped> for Ended {
    fn from(_: Stopped) -> Ended {
        Ended::Stopped
    }
}

impl MateSearch {
    /// A search for a mate in this many moves or fewer; the longest that is looked for has 63.
    pub(super) fn new(wanted: u32) -> MateSearch {
        MateSearch {
            next: 1,
            wanted: wanted.min(MAX_PLY as u32 / 2),
            node_limit: 0,
            refutations: vec![None; MAX_PLY + 1],
        }
    }

    /// Searches on for as many nodes as the worker has searched so far. A mate that is found
    /// becomes the best line of the worker. After an interruption the search for a mate in the same
    /// number of moves begins anew, with twice the nodes or more.
    pub(super) fn take_turn(&mut self, worker: &mut Worker) -> Result<TurnEnd, Stopped> {
        let nodes = worker.nodes();
        self.node_limit = nodes + nodes.max(MIN_NODES);
        worker.root_moves.begin_line(0);
        let mut pv = Pv::new();
        while self.next <= self.wanted {
            match self.mates_within(worker, self.next, 0, &mut pv) {
                Ok(false) => self.next += 1,
                Ok(true) => {
                    let plies = pv.moves().len();
                    worker.selective_depth = plies;
                    worker.update_root_move(pv.moves()[0], Score::mate_in(plies), &pv);
                    return Ok(TurnEnd::Decided);
                }
                Err(Ended::TurnOver) => return Ok(TurnEnd::Interrupted),
                Err(Ended::Stopped) => return Err(Stopped),
            }
        }
        Ok(TurnEnd::Decided)
    }

    /// Whether the side to move mates within this many moves, 1 or more. Fills `pv` if it does.
    fn mates_within(
        &mut self,
        worker: &mut Worker,
        moves: u32,
        ply: usize,
        pv: &mut Pv,
    ) -> Result<bool, Ended> {
        if ply > 0 && worker.game.is_draw(ply) {
            return Ok(false);
        }
        if worker.nodes() >= self.node_limit {
            return Err(Ended::TurnOver);
        }
        let mut child_pv = Pv::new();
        for m in attacking_moves(worker, moves, ply) {
            worker.make_move(m, ply)?;
            let is_mated = self.is_mated_within(worker, moves - 1, ply + 1, &mut child_pv);
            worker.unmake_move();
            if is_mated? {
                pv.set(m, &child_pv);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the side to move is mated now or within this many moves of the other side, whatever
    /// it plays. If it is, fills `pv` with the longest defence.
    fn is_mated_within(
        &mut self,
        worker: &mut Worker,
        moves: u32,
        ply: usize,
        pv: &mut Pv,
    ) -> Result<bool, Ended> {
        pv.clear();
        let is_lost_without_moves = worker.is_lost_without_moves(ply);
        if moves == 0 {
            return Ok(is_lost_without_moves && !has_legal_move(worker.game.position()));
        }
        let replies = legal_moves(worker, ply, self.refutations[ply]);
        if replies.is_empty() {
            return Ok(is_lost_without_moves);
        }
        if worker.game.is_draw(ply) {
            return Ok(false);
        }
        let mut child_pv = Pv::new();
        for m in replies {
            worker.make_move(m, ply)?;
            let mates = self.mates_within(worker, moves, ply + 1, &mut child_pv);
            worker.unmake_move();
            if !mates? {
                self.refutations[ply] = Some(m);
                return Ok(false);
            }
            if child_pv.moves().len() >= pv.moves().len() {
                pv.set(m, &child_pv);
            }
        }
        Ok(true)
    }
}

/// The moves with which the attacker can mate within this many moves, those that can give check
/// first. The last of them must give check, unless stalemate wins too.
fn attacking_moves(worker: &Worker, moves: u32, ply: usize) -> MoveList {
    let position = worker.game.position();
    let mut list = legal_moves(worker, ply, None);
    if ply == 0 {
        list.retain(|m| worker.root_moves.includes(*m));
    }
    if moves == 1 && !worker.game.loses_by_stalemate() {
        list.retain(|m| may_give_check(position, *m));
    } else {
        list.sort_by_key(|m| !may_give_check(position, *m));
    }
    list
}

/// All legal moves, captures first; before them `first` if it is one of them.
fn legal_moves(worker: &Worker, ply: usize, first: Option<PackedMove>) -> MoveList {
    let position = worker.game.position();
    let mut list = MoveList::new();
    let masks = LegalMasks::with_checkers(position, worker.stack[ply].checkers);
    masks.for_each(position, |m| list.push(m));
    if let Some(index) = list.iter().position(|m| Some(*m) == first) {
        list[..=index].rotate_right(1);
    }
    list
}
