//! The position: what stands where, whose turn it is, and what is needed to take moves back.

use std::sync::LazyLock;

use crate::game::{Score, zobrist};

use super::evaluation::{Phased, Tables};
use super::pieces::{Move, Piece, Role, Side, Square};

/// The game is drawn after so many plies without a capture: 50 moves of each side, as in the rules
/// of the UCCI league.
pub(super) const DRAWN_PLIES: u16 = 100;

/// What taking a move back restores, and what the rule of repetition must know of earlier
/// positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Past {
    /// The move that was made, or `None` for a pass.
    pub(crate) mv: Option<Move>,
    captured: Option<Piece>,
    /// The key of the position before the move.
    pub(crate) key: u64,
    /// Whether the side that then moved was in check.
    pub(crate) was_in_check: bool,
    plies_without_capture: u16,
    score: Phased,
}

/// A game of xiangqi: the position and how it came about.
#[derive(Clone, Debug)]
pub struct Xiangqi {
    pub(crate) board: [Option<Piece>; 90],
    pub(crate) turn: Side,
    /// Where the kings stand.
    pub(crate) kings: [Square; 2],
    pub(crate) key: u64,
    /// Whether the side to move is in check.
    pub(crate) is_in_check: bool,
    pub(crate) plies_without_capture: u16,
    /// So many of them are a draw.
    pub(super) drawn_plies: u16,
    /// What the pieces are worth.
    pub(crate) tables: &'static Tables,
    /// The sums of the piece-square tables, from Red's side.
    pub(crate) score: Phased,
    /// How many rooks, horses and cannons both sides have.
    pub(crate) attackers: Score,
    pub(crate) past: Vec<Past>,
}

impl Xiangqi {
    /// A position with these pieces. Both kings are among them, at the given points.
    pub(super) fn new(board: [Option<Piece>; 90], turn: Side, kings: [Square; 2]) -> Xiangqi {
        let mut position = Xiangqi {
            board,
            turn,
            kings,
            key: if turn == Side::Red { 0 } else { KEYS[TURN] },
            is_in_check: false,
            plies_without_capture: 0,
            drawn_plies: DRAWN_PLIES,
            tables: Tables::learned(),
            score: [0; 2],
            attackers: 0,
            past: Vec::new(),
        };
        for (square, piece) in (0..).zip(board) {
            if let Some(piece) = piece {
                position.key ^= piece_key(piece, square);
                position.attackers += Score::from(piece.role.is_attacker());
            }
        }
        position.is_in_check = position.is_attacked(turn);
        position.with_tables(Tables::learned())
    }

    /// The same position, evaluated by other tables.
    pub fn with_tables(mut self, tables: &'static Tables) -> Xiangqi {
        self.tables = tables;
        self.score = [0; 2];
        for (square, piece) in (0..).zip(self.board) {
            if let Some(piece) = piece {
                self.count(piece, square, 1);
            }
        }
        self
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// What stands on a point.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[usize::from(square)]
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.is_in_check
    }

    /// The moves since the beginning.
    pub fn played(&self) -> impl Iterator<Item = Move> {
        self.past.iter().filter_map(|past| past.mv)
    }

    /// Adds the worth of a piece on a point so many times.
    fn count(&mut self, piece: Piece, square: Square, times: Score) {
        let worth = self.tables.worth(piece, square);
        for (score, worth) in self.score.iter_mut().zip(worth) {
            *score += times * worth;
        }
    }

    fn remember(&mut self, mv: Option<Move>, captured: Option<Piece>) {
        self.past.push(Past {
            mv,
            captured,
            key: self.key,
            was_in_check: self.is_in_check,
            plies_without_capture: self.plies_without_capture,
            score: self.score,
        });
    }

    /// Makes a move of a piece by its rules. If it leaves the own king attacked, it is taken back.
    pub(super) fn make_if_legal(&mut self, mv: Move) -> bool {
        let (from, to) = (usize::from(mv.from), usize::from(mv.to));
        let Some(piece) = self.board[from] else {
            return false;
        };
        let captured = self.board[to];
        self.remember(Some(mv), captured);
        self.board[to] = Some(piece);
        self.board[from] = None;
        if piece.role == Role::King {
            self.kings[piece.side as usize] = mv.to;
        }
        self.key ^= piece_key(piece, mv.from) ^ piece_key(piece, mv.to) ^ KEYS[TURN];
        self.count(piece, mv.to, 1);
        self.count(piece, mv.from, -1);
        self.plies_without_capture = self.plies_without_capture.saturating_add(1);
        if let Some(captured) = captured {
            self.key ^= piece_key(captured, mv.to);
            self.count(captured, mv.to, -1);
            self.attackers -= Score::from(captured.role.is_attacker());
            self.plies_without_capture = 0;
        }
        self.turn = self.turn.other();
        if self.is_attacked(piece.side) {
            self.take_back();
            return false;
        }
        self.is_in_check = self.is_attacked(self.turn);
        true
    }

    /// Gives the turn to the opponent.
    pub(super) fn make_pass(&mut self) {
        self.remember(None, None);
        self.key ^= KEYS[TURN];
        self.turn = self.turn.other();
        self.plies_without_capture = 0;
        self.is_in_check = false;
    }

    /// Takes the last move or pass back.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub(super) fn take_back(&mut self) {
        let past = self.past.pop().expect("a move was made");
        self.turn = self.turn.other();
        if let Some(mv) = past.mv {
            let piece = self.board[usize::from(mv.to)].expect("the piece that moved");
            self.board[usize::from(mv.from)] = Some(piece);
            self.board[usize::from(mv.to)] = past.captured;
            let is_attacker = |captured: Piece| captured.role.is_attacker();
            self.attackers += Score::from(past.captured.is_some_and(is_attacker));
            if piece.role == Role::King {
                self.kings[piece.side as usize] = mv.from;
            }
        }
        self.key = past.key;
        self.score = past.score;
        self.is_in_check = past.was_in_check;
        self.plies_without_capture = past.plies_without_capture;
    }
}

/// The part of the key that says that Black is to move.
const TURN: usize = 2 * 7 * 90;

static KEYS: LazyLock<Vec<u64>> = LazyLock::new(|| (0..=TURN as u64).map(zobrist).collect());

fn piece_key(piece: Piece, square: Square) -> u64 {
    KEYS[(piece.side as usize * 7 + piece.role as usize) * 90 + usize::from(square)]
}
