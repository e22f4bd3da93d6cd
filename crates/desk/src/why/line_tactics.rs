//! Two pieces on one line of a bishop, rook or queen: pins and skewers.

use shakmaty::attacks::attacks;
use shakmaty::{Board, Color, Role, Square};

use super::exchanges::{Pin, can_trade, capture_gain, exchange, pins};
use squarewise_engine::search::see::value_of;

/// The king that leaves a line still guards what stands this close behind it.
const GUARDED_DISTANCE: u32 = 2;

/// A piece that is attacked along a line, and what stands behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OnLine {
    pub front: (Role, Square),
    pub behind: (Role, Square),
}

/// The pins that a move of `mover` makes: to the king, or to a queen behind the piece.
pub(super) fn new_pins(before: &Board, after: &Board, mover: Color) -> Vec<OnLine> {
    let old = pinned(before, !mover);
    let is_old = |pin: &OnLine| {
        let mut old = old.iter();
        old.any(|old| (old.front, old.behind.0) == (pin.front, pin.behind.0))
    };
    let new = pinned(after, !mover).into_iter();
    new.filter(|pin| !is_old(pin)).collect()
}

/// The pieces of a side that are pinned, to the king or the queen; pawns are left out, and so is
/// what can be traded for the pinner.
fn pinned(board: &Board, side: Color) -> Vec<OnLine> {
    let of_value = |square: Square| board.role_at(square).filter(|role| *role != Role::Pawn);
    let on_line = |piece: Square, behind: (Role, Square)| {
        let front = (of_value(piece)?, piece);
        Some(OnLine { front, behind })
    };
    let holds = |pin: &Pin| !can_trade(board, pin.piece, pin.by);
    let absolute = pins(board, side).into_iter().filter(holds);
    let mut found: Vec<OnLine> = absolute
        .filter_map(|pin| on_line(pin.piece, (Role::King, pin.king)))
        .collect();
    for queen in board.by_piece(Role::Queen.of(side)) {
        // A board on which the queen is the king has her pins.
        let mut disguised = board.clone();
        disguised.discard_piece_at(queen);
        if let Some(king) = board.king_of(side) {
            disguised.set_piece_at(king, Role::Pawn.of(side));
        }
        disguised.set_piece_at(queen, Role::King.of(side));
        let to_queen = pins(&disguised, side).into_iter().filter(|pin| {
            let is_by_lesser = board.role_at(pin.by) != Some(Role::Queen);
            is_by_lesser && Some(pin.piece) != board.king_of(side) && holds(pin)
        });
        found.extend(to_queen.filter_map(|pin| on_line(pin.piece, (Role::Queen, queen))));
    }
    found
}

/// The skewer of the bishop, rook or queen on a square: it attacks a piece that must go, and wins
/// what stands behind it, which is worth no more.
pub(super) fn skewer(board: &Board, square: Square) -> Option<OnLine> {
    let is_slider = |role: Role| matches!(role, Role::Bishop | Role::Rook | Role::Queen);
    let slider = board
        .piece_at(square)
        .filter(|piece| is_slider(piece.role))?;
    let enemies = board.by_color(!slider.color);
    let seen = attacks(square, slider, board.occupied());
    let skewered = |front: Square| {
        let mut left = board.clone();
        let role = left.remove_piece_at(front)?.role;
        let uncovered = attacks(square, slider, left.occupied()) & !seen & enemies;
        let behind = uncovered.first()?;
        let behind_role = board.role_at(behind)?;
        let is_lesser = role == Role::King || value_of(role) >= value_of(behind_role);
        let must_go = match role {
            Role::King => front.distance(behind) > GUARDED_DISTANCE,
            Role::Pawn => false,
            _ => capture_gain(board, square, front) > 0 && !can_trade(board, front, square),
        };
        let is_won = !matches!(behind_role, Role::Pawn | Role::King)
            && capture_gain(&left, square, behind) > 0;
        (is_lesser && must_go && is_won).then_some(OnLine {
            front: (role, front),
            behind: (behind_role, behind),
        })
    };
    let is_safe = exchange(board, square, !slider.color) == 0;
    let mut fronts = (seen & enemies).into_iter().filter(|_| is_safe);
    fronts.find_map(skewered)
}
