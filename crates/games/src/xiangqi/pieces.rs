//! Points, pieces and moves: the words of the game.

/// A point of the board: `9 * rank + file`, from Red's left corner.
pub type Square = u8;

/// The two players. Red begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Has the ranks 1 to 5.
    Red,
    /// Has the ranks 6 to 10.
    Black,
}

impl Side {
    /// The opponent.
    pub fn other(self) -> Side {
        match self {
            Side::Red => Side::Black,
            Side::Black => Side::Red,
        }
    }
}

/// The kinds of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The general.
    King,
    /// The guard, which stays in the palace.
    Advisor,
    /// The minister, which doesn't cross the river.
    Elephant,
    /// The knight whose leg can be blocked.
    Horse,
    /// The chariot.
    Rook,
    /// Captures over exactly one piece.
    Cannon,
    /// The pawn, which never becomes anything else.
    Soldier,
}

impl Role {
    /// All kinds, in the order of their letters in FEN: K A B N R C P.
    pub(crate) const ALL: [Role; 7] = [
        Role::King,
        Role::Advisor,
        Role::Elephant,
        Role::Horse,
        Role::Rook,
        Role::Cannon,
        Role::Soldier,
    ];

    /// Whether the piece goes where it likes and threatens the king from afar.
    pub(crate) fn is_attacker(self) -> bool {
        matches!(self, Role::Rook | Role::Horse | Role::Cannon)
    }
}

/// A piece of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub role: Role,
}

/// A move from one point to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}
