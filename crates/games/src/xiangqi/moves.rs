//! How the pieces move, and when a king is attacked.

use crate::game::{Game, Outcome, RankedMove, Score};
use crate::learning::Learnable;

use super::evaluation::{TEMPO, Tables, tables_of, taper, weights_of};
use super::geometry::STEPS;
use super::pieces::{Move, Piece, Role, Side, Square};
use super::position::Xiangqi;

impl Xiangqi {
    /// Whether the opponent attacks the king of a side. The kings attack each other along an open
    /// file, as rooks do: that is the rule of the flying general.
    pub(super) fn is_attacked(&self, side: Side) -> bool {
        let enemy = |role| {
            Some(Piece {
                side: side.other(),
                role,
            })
        };
        let steps = &STEPS[usize::from(self.kings[side as usize])];
        let stands = |square: Square, role| self.board[usize::from(square)] == enemy(role);
        steps.rays.iter().any(|ray| {
            let mut pieces = ray.iter().filter_map(|to| self.board[usize::from(*to)]);
            let is_rook = |piece: Piece| piece.role == Role::Rook || piece.role == Role::King;
            let first = pieces.next();
            first.is_some_and(|first| first.side != side && is_rook(first))
                || first.is_some() && pieces.next() == enemy(Role::Cannon)
        }) || steps
            .horse_attackers
            .iter()
            .any(|step| stands(step.to, Role::Horse) && self.board[usize::from(step.via)].is_none())
            || steps.soldier_attackers[side.other() as usize]
                .iter()
                .any(|from| stands(*from, Role::Soldier))
    }

    /// Calls `visit` with each move by the rules of the pieces; it may leave the king attacked.
    fn for_each_move(&self, mut visit: impl FnMut(Move, Piece, Option<Piece>)) {
        for (from, piece) in (0..).zip(self.board) {
            let Some(piece) = piece.filter(|piece| piece.side == self.turn) else {
                continue;
            };
            self.for_each_target(from, piece, |to| {
                let captured = self.board[usize::from(to)];
                if captured.is_none_or(|captured| captured.side != piece.side) {
                    visit(Move { from, to }, piece, captured);
                }
            });
        }
    }

    /// Calls `visit` with each point that a piece reaches. Own pieces may stand there.
    fn for_each_target(&self, from: Square, piece: Piece, mut visit: impl FnMut(Square)) {
        let steps = &STEPS[usize::from(from)];
        let is_empty = |square: Square| self.board[usize::from(square)].is_none();
        match piece.role {
            Role::King => steps.king.iter().copied().for_each(visit),
            Role::Advisor => steps.advisor.iter().copied().for_each(visit),
            Role::Soldier => {
                let targets = &steps.soldier[piece.side as usize];
                targets.iter().copied().for_each(visit);
            }
            Role::Elephant | Role::Horse => {
                let is_elephant = piece.role == Role::Elephant;
                let steps = if is_elephant {
                    &steps.elephant
                } else {
                    &steps.horse
                };
                let open = steps.iter().filter(|step| is_empty(step.via));
                open.map(|step| step.to).for_each(visit);
            }
            Role::Rook => {
                for ray in &steps.rays {
                    let blocker = ray.iter().position(|to| !is_empty(*to));
                    let reach = blocker.map_or(ray.len(), |blocker| blocker + 1);
                    ray[..reach].iter().copied().for_each(&mut visit);
                }
            }
            Role::Cannon => {
                for ray in &steps.rays {
                    let screen = ray.iter().position(|to| !is_empty(*to));
                    let (open, beyond) = ray.split_at(screen.unwrap_or(ray.len()));
                    open.iter().copied().for_each(&mut visit);
                    let mut beyond = beyond.iter().copied().skip(1);
                    beyond.find(|to| !is_empty(*to)).map(&mut visit);
                }
            }
        }
    }

    /// The legal moves.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.for_each_move(|mv, _, _| moves.push(mv));
        let mut position = self.clone();
        moves.retain(|mv| {
            let is_legal = position.make_if_legal(*mv);
            if is_legal {
                position.take_back();
            }
            is_legal
        });
        moves
    }

    /// Whether the piece on `from` goes to `to` by its own rules.
    pub(super) fn can_reach(&self, mv: Move) -> bool {
        let mut can_reach = false;
        self.for_each_move(|candidate, _, _| can_reach |= candidate == mv);
        can_reach
    }

    /// How many lines of moves lead so many plies deep: the usual test of move generation.
    pub fn perft(&mut self, depth: u32) -> u64 {
        let mut moves = Vec::with_capacity(64);
        self.for_each_move(|mv, _, _| moves.push(mv));
        let mut lines = 0;
        for mv in moves {
            if self.make_if_legal(mv) {
                lines += if depth <= 1 { 1 } else { self.perft(depth - 1) };
                self.take_back();
            }
        }
        lines
    }
}

/// Captures come first, the most valuable victim by the least valuable attacker.
fn ranked(tables: &Tables, mv: Move, piece: Piece, captured: Option<Piece>) -> RankedMove<Move> {
    let rank = captured.map_or(0, |captured| {
        16 * tables.material(captured.role) - tables.material(piece.role)
    });
    RankedMove {
        mv,
        rank,
        is_tactical: captured.is_some(),
    }
}

impl Game for Xiangqi {
    type Move = Move;

    fn result(&self) -> Option<Outcome> {
        self.result_by_repetition(1)
            .or_else(|| self.result_by_count())
    }

    /// Who can't move has lost, in check or not.
    fn result_without_moves(&self) -> Outcome {
        Outcome::Lost
    }

    fn moves(&self, moves: &mut Vec<RankedMove<Move>>) {
        self.for_each_move(|mv, piece, captured| {
            moves.push(ranked(self.tables, mv, piece, captured))
        });
    }

    fn forcing_moves(&self, moves: &mut Vec<RankedMove<Move>>) {
        self.for_each_move(|mv, piece, captured| {
            if captured.is_some() {
                moves.push(ranked(self.tables, mv, piece, captured));
            }
        });
    }

    fn must_answer(&self) -> bool {
        self.is_in_check
    }

    fn make(&mut self, mv: Move) -> bool {
        self.make_if_legal(mv)
    }

    fn unmake(&mut self) {
        self.take_back();
    }

    /// Not in check, and not when only soldiers and guards are left, since then a pass may be
    /// better than any move.
    fn pass(&mut self) -> bool {
        let mut own = self
            .board
            .iter()
            .flatten()
            .filter(|piece| piece.side == self.turn);
        let may_pass = !self.is_in_check && own.any(|piece| piece.role.is_attacker());
        if may_pass {
            self.make_pass();
        }
        may_pass
    }

    fn evaluate(&self) -> Score {
        let for_red = taper(self.score, self.attackers);
        let for_mover = if self.turn == Side::Red {
            for_red
        } else {
            -for_red
        };
        for_mover + TEMPO
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn history_slot(&self, mv: Move) -> usize {
        let piece = self.board[usize::from(mv.from)];
        let piece = piece.map_or(0, |piece| piece.side as usize * 7 + piece.role as usize);
        piece * 90 + usize::from(mv.to)
    }
}

impl Learnable for Xiangqi {
    type Tables = Tables;

    fn tables(weights: &[Score]) -> Tables {
        tables_of(weights)
    }

    fn start(tables: &'static Tables) -> Xiangqi {
        Xiangqi::default().with_tables(tables)
    }

    fn features(&self) -> Vec<(usize, f32)> {
        let mut features = Vec::with_capacity(128);
        for (square, piece) in (0..).zip(self.board) {
            if let Some(piece) = piece {
                let count = if piece.side == self.turn { 1.0 } else { -1.0 };
                let weights = weights_of(piece, square, self.attackers);
                let counts = weights.map(|(index, share)| (index, share * count));
                features.extend(counts.into_iter().filter(|(_, count)| *count != 0.0));
            }
        }
        features
    }
}
