//! A board with its attacks: what all families of attacks are found from.

use shakmaty::{Board, Color, Role, Square};

use crate::position::attack_map::AttackMap;

/// A board with its attacks, and the side to move.
#[derive(Clone, Debug)]
pub struct AttackedBoard<'a> {
    /// The pieces.
    pub board: &'a Board,
    /// The side to move.
    pub turn: Color,
    /// What they attack.
    pub map: AttackMap,
    /// The role of the piece on each occupied square. What stands here for an empty one means
    /// nothing.
    roles: [Role; 64],
}

impl<'a> AttackedBoard<'a> {
    /// Finds the attacks on a board.
    #[inline(always)]
    pub fn new(board: &'a Board, turn: Color) -> AttackedBoard<'a> {
        let mut attacked = AttackedBoard {
            board,
            turn,
            map: AttackMap::default(),
            roles: [Role::Pawn; 64],
        };
        attacked.map.fill(board);
        for side in Color::ALL {
            for attacker in &attacked.map.side(side).pieces {
                attacked.roles[usize::from(attacker.square)] = attacker.role;
            }
        }
        attacked
    }

    /// The role of the piece on an occupied square.
    #[inline(always)]
    pub(super) fn role_on(&self, square: Square) -> Role {
        self.roles[usize::from(square)]
    }
}
