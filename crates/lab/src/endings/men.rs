//! The men of a small position, and their moves forwards and backwards.
//!
//! Castling and en passant are left out: no right to castle is left with so few men.

use std::cmp::Reverse;

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

use squarewise_engine::evaluation::endings::{Ending, MAX_MEN};

/// A man on a square.
pub type Placed = (Piece, Square);

/// The men of a position: the strong king, the other king, then the men in the order of
/// [`Ending::sides`]. The strong side is White.
pub type Position = ArrayVec<Placed, MAX_MEN>;

/// The ending of men, White's and Black's without the kings, and the strong side; `None` for bare
/// kings.
pub(super) fn ending_of(sides: &[Vec<Role>; 2]) -> Option<(Ending, Color)> {
    let [white, black] = sides;
    let two = |side: &[Role]| Ending::Two(side[0].max(side[1]), side[0].min(side[1]));
    Some(match (white.as_slice(), black.as_slice()) {
        ([], []) => return None,
        ([one], []) => (Ending::One(*one), Color::White),
        ([], [one]) => (Ending::One(*one), Color::Black),
        ([white], [black]) if white >= black => (Ending::Against(*white, *black), Color::White),
        ([white], [black]) => (Ending::Against(*black, *white), Color::Black),
        (white, []) => (two(white), Color::White),
        (_, black) => (two(black), Color::Black),
    })
}

/// The ending that men are after a capture or a promotion, whoever was the strong side before, and
/// the men in its order, with the side to move. If Black is strong now the board is turned around.
/// `None` for bare kings.
pub(super) fn as_seen_by_strong(men: &[Placed], turn: Color) -> Option<(Ending, Position, Color)> {
    let mut sides = Color::ALL.map(|color| {
        let of_side = men.iter().filter(|(piece, _)| piece.color == color);
        let mut side: Vec<Placed> = of_side.copied().collect();
        // The king first, then the higher man.
        side.sort_by_key(|(piece, _)| Reverse(piece.role));
        side
    });
    let roles = sides.each_ref().map(|side| {
        let men = side.iter().map(|(piece, _)| piece.role);
        men.filter(|role| *role != Role::King).collect()
    });
    let (ending, strong) = ending_of(&roles)?;
    if strong == Color::Black {
        for (piece, square) in sides.iter_mut().flatten() {
            piece.color = !piece.color;
            *square = square.flip_vertical();
        }
        sides.reverse();
    }
    let kings = sides.each_ref().map(|side| side[0]).into_iter();
    let others = sides.iter().flat_map(|side| side[1..].iter().copied());
    let position = kings.chain(others).collect();
    Some((ending, position, strong.fold_wb(turn, !turn)))
}

/// Whether the kings, which come first, don't touch.
pub(super) fn are_kings_apart(men: &[Placed]) -> bool {
    men[0].1.distance(men[1].1) > 1
}

fn occupied(position: &[Placed]) -> Bitboard {
    position.iter().map(|(_, square)| *square).collect()
}

/// Whether the king of a side is attacked.
pub(super) fn is_check(position: &[Placed], side: Color) -> bool {
    let king = position[usize::from(side == Color::Black)].1;
    let occupied = occupied(position);
    let mut enemies = position.iter().filter(|(piece, _)| piece.color != side);
    enemies.any(|(piece, square)| attacks::attacks(*square, *piece, occupied).contains(king))
}

/// Whether a position with this side to move can be: every man has a square of its own, no pawn
/// stands on the first or last rank, and the side that has moved isn't in check.
pub(super) fn is_legal(position: &Position, turn: Color) -> bool {
    occupied(position).count() == position.len()
        && position.iter().all(|(piece, square)| {
            piece.role != Role::Pawn || !Bitboard::BACKRANKS.contains(*square)
        })
        && !is_check(position, !turn)
}

/// Whether the side to move can take something or promote a pawn.
pub(super) fn can_convert(position: &Position, turn: Color) -> bool {
    let mut can = false;
    for_each_move(position, turn, |_, is_conversion| can |= is_conversion);
    can
}

/// Calls `f` with the men after each move, legal or not, and whether it is a capture or a
/// promotion.
pub(super) fn for_each_move(position: &Position, turn: Color, mut f: impl FnMut(&[Placed], bool)) {
    let occupied = occupied(position);
    for (index, (piece, from)) in position
        .iter()
        .enumerate()
        .filter(|(_, (piece, _))| piece.color == turn)
    {
        let reached = attacks::attacks(*from, *piece, occupied);
        let to = if piece.role == Role::Pawn {
            reached & occupied | pushes(*from, turn, occupied)
        } else {
            reached
        };
        for to in to {
            let mut after = position.clone();
            after[index].1 = to;
            let taken = position.iter().position(|(_, square)| *square == to);
            if let Some(taken) = taken {
                let victim = position[taken].0;
                if victim.color == turn || victim.role == Role::King {
                    continue;
                }
                after.remove(taken);
            }
            if piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(to) {
                for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                    let mut promoted = after.clone();
                    for (piece, square) in &mut promoted {
                        if *square == to {
                            piece.role = role;
                        }
                    }
                    f(&promoted, true);
                }
            } else {
                f(&after, taken.is_some());
            }
        }
    }
}

/// Where a pawn can be pushed to.
fn pushes(from: Square, side: Color, occupied: Bitboard) -> Bitboard {
    let forward = side.fold_wb(8, -8);
    let mut to = Bitboard::EMPTY;
    let mut last = from;
    let steps = if from.rank() == side.fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh) {
        2
    } else {
        1
    };
    for _ in 0..steps {
        match last.offset(forward) {
            Some(next) if !occupied.contains(next) => {
                to.add(next);
                last = next;
            }
            _ => break,
        }
    }
    to
}

/// Calls `f` with the men before each move of a side that is neither a capture nor a promotion.
pub(super) fn for_each_move_back(position: &Position, side: Color, mut f: impl FnMut(&Position)) {
    let occupied = occupied(position);
    let men = position
        .iter()
        .enumerate()
        .filter(|(_, (piece, _))| piece.color == side);
    for (index, (piece, to)) in men {
        let from = if piece.role == Role::Pawn {
            let pawns = Square::ALL.into_iter().filter(|from| {
                from.file() == to.file()
                    && !occupied.contains(*from)
                    && !Bitboard::BACKRANKS.contains(*from)
            });
            let emptied = occupied ^ Bitboard::from_square(*to);
            pawns
                .filter(|from| pushes(*from, side, emptied).contains(*to))
                .collect()
        } else {
            attacks::attacks(*to, *piece, occupied) & !occupied
        };
        for from in from {
            let mut before = position.clone();
            before[index].1 = from;
            f(&before);
        }
    }
}
