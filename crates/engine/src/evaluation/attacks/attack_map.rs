//! The attack map: which squares each side of a board attacks, and with what.
//!
//! A square that a side attacks is one on which it could capture; its own pieces there are
//! defended. Pins are ignored.

use shakmaty::attacks::{
    bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks,
};
use shakmaty::{Bitboard, Board, Color, Role, Square};

use super::places::Places;
use crate::evaluation::pairs::{PAWN_SQUARES, PIECE_ROLES};
use crate::position::attacks::pawn_attacks;

/// A knight, bishop, rook or queen and what it attacks.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceAttacks {
    pub(super) side: Color,
    pub(super) role: Role,
    pub(super) square: Square,
    pub(super) attacks: Bitboard,
    /// The squares that it can safely go to ([`super::mobility`]).
    pub(super) reach: Bitboard,
}

/// The squares that one side attacks.
#[derive(Clone, Debug, Default)]
pub(super) struct SideAttacks {
    by_role: [Bitboard; 6],
    /// What the pawns attack, towards the a-file and towards the h-file.
    pub(super) by_pawns: [Bitboard; 2],
    /// The squares attacked at all.
    pub(super) all: Bitboard,
    /// The squares attacked by two pieces or more.
    pub(super) twice: Bitboard,
    /// How many knights, bishops, rooks and queens attack the zone of the enemy king.
    pub(super) at_king: [u8; PIECE_ROLES.len()],
}

impl SideAttacks {
    /// The squares that the pieces of a role attack.
    #[inline(always)]
    pub(super) fn by(&self, role: Role) -> Bitboard {
        self.by_role[usize::from(role) - 1]
    }

    /// What the pawns and the king of a side attack.
    #[inline(always)]
    fn of_pawns_and_king(board: &Board, side: Color) -> SideAttacks {
        let own = board.by_color(side);
        let mut attacks = SideAttacks {
            by_pawns: pawn_attacks(board.pawns() & own & PAWN_SQUARES, side),
            ..SideAttacks::default()
        };
        for squares in attacks.by_pawns {
            attacks.add(Role::Pawn, squares);
        }
        for square in board.kings() & own {
            attacks.add(Role::King, king_attacks(square));
        }
        attacks
    }

    /// Adds what the pieces of a side attack, and shows each of them to `f`. `enemy_pawns` is what
    /// the enemy's pawns attack.
    #[inline(always)]
    fn add_pieces(
        &mut self,
        board: &Board,
        side: Color,
        enemy_pawns: Bitboard,
        mut f: impl FnMut(PieceAttacks),
    ) {
        let (own, occupied) = (board.by_color(side), board.occupied());
        let through_bishops = occupied ^ (own & board.bishops_and_queens());
        let through_rooks = occupied ^ (own & board.rooks_and_queens());
        let safe = mobility_area(board, side, enemy_pawns);
        let at_king = board.king_of(!side).map_or(Bitboard::EMPTY, zone);
        let mut add = |role: Role, square: Square, attacks: Bitboard, reach: Bitboard| {
            self.add(role, attacks);
            let number = &mut self.at_king[usize::from(role) - usize::from(Role::Knight)];
            *number += u8::from((attacks & at_king).any());
            f(PieceAttacks {
                side,
                role,
                square,
                attacks,
                reach: reach & safe,
            });
        };
        for square in board.knights() & own {
            let attacks = knight_attacks(square);
            add(Role::Knight, square, attacks, attacks);
        }
        for square in board.bishops() & own {
            let attacks = bishop_attacks(square, occupied);
            let reach = bishop_attacks(square, through_bishops);
            add(Role::Bishop, square, attacks, reach);
        }
        for square in board.rooks() & own {
            let attacks = rook_attacks(square, occupied);
            let reach = rook_attacks(square, through_rooks);
            add(Role::Rook, square, attacks, reach);
        }
        for square in board.queens() & own {
            let attacks = queen_attacks(square, occupied);
            add(Role::Queen, square, attacks, attacks);
        }
    }

    #[inline(always)]
    fn add(&mut self, role: Role, attacks: Bitboard) {
        self.by_role[usize::from(role) - 1] |= attacks;
        self.twice |= self.all & attacks;
        self.all |= attacks;
    }
}

/// A board, and the squares that its pieces attack.
#[derive(Clone, Debug)]
pub(super) struct AttackMap<'a> {
    pub(super) board: &'a Board,
    /// Its pieces by square.
    pub(super) places: &'a Places,
    /// By color.
    sides: [SideAttacks; 2],
}

impl<'a> AttackMap<'a> {
    /// Finds everything that the pieces attack, and shows `f` each knight, bishop, rook and queen.
    #[inline(always)]
    pub(super) fn new(
        board: &'a Board,
        places: &'a Places,
        mut f: impl FnMut(PieceAttacks),
    ) -> AttackMap<'a> {
        // Side by side instead of in a loop, so that each is compiled for its own color.
        let mut white = SideAttacks::of_pawns_and_king(board, Color::White);
        let mut black = SideAttacks::of_pawns_and_king(board, Color::Black);
        white.add_pieces(board, Color::White, black.by(Role::Pawn), &mut f);
        black.add_pieces(board, Color::Black, white.by(Role::Pawn), &mut f);
        AttackMap {
            board,
            places,
            sides: [black, white],
        }
    }

    /// What a side attacks.
    #[inline(always)]
    pub(super) fn side(&self, side: Color) -> &SideAttacks {
        &self.sides[usize::from(side)]
    }

    /// The role of the piece on an occupied square that is no king's.
    #[inline(always)]
    pub(super) fn role_on(&self, square: Square) -> Role {
        self.places.on(square).role()
    }
}

/// The squares that count for the pieces of a side, given what the enemy's pawns attack.
#[inline(always)]
fn mobility_area(board: &Board, side: Color, enemy_pawns: Bitboard) -> Bitboard {
    let pawns = board.by_piece(Role::Pawn.of(side));
    // What stands on a square blocks the pawn behind it.
    let blocked = pawns & board.occupied().shift(side.fold_wb(-8, 8));
    let king = board.by_piece(Role::King.of(side));
    !(enemy_pawns | blocked | king)
}

/// The three by three squares around a king, moved onto the board if the king stands on the edge.
#[inline(always)]
pub(super) fn zone(king: Square) -> Bitboard {
    const ZONES: [Bitboard; 64] = {
        let mut zones = [Bitboard::EMPTY; 64];
        let mut king = 0;
        while king < 64 {
            let (file, rank) = (first_of_zone(king % 8), first_of_zone(king / 8));
            zones[king] = Bitboard(0x07_07_07 << (rank * 8 + file));
            king += 1;
        }
        zones
    };
    ZONES[usize::from(king)]
}

/// The first file or rank of the zone of a king on this one.
const fn first_of_zone(kings: usize) -> usize {
    match kings {
        0 => 0,
        7 => 5,
        _ => kings - 1,
    }
}
