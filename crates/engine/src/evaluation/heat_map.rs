//! Heat maps of the tables: the value of a white piece on every square, given the squares of both
//! kings, what some pawns add to it there, or what a pawn is worth more for being passed.
//!
//! A map has both phases. What draws it is no part of the engine.
//!
//! A map reads the tables itself and is not made by a [`super::breakdown`], which takes a legal
//! position apart: a map has also squares on which the piece could not legally stand, and shows one
//! family of scores without what mobility and the other families add.

use shakmaty::{Color, Role, Square};

use super::king_buckets::Perspective;
use super::pairs::{PAWN_SQUARES, PlacedPiece, is_pair};
use super::tables::Tables;
use super::tapered_score::TaperedScore;

/// The squares of the kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kings {
    /// The square of White's king.
    pub white: Square,
    /// The square of Black's king.
    pub black: Square,
}

/// What a map shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The value of a piece.
    Piece,
    /// What these pawns add to it.
    Pawns(Vec<PlacedPiece>),
    /// What a pawn is worth more for being passed.
    Passed,
    /// How much more a player likes a piece to stand there than people in general do.
    Liking,
}

/// The values of one white piece.
#[derive(Clone, Debug)]
pub struct HeatMap {
    /// The role of the piece.
    pub role: Role,
    /// What the map shows of it.
    pub subject: Subject,
    /// The value of each square, a1 first.
    pub values: [TaperedScore; 64],
}

impl Kings {
    /// The perspective of a side from behind its king.
    fn perspective(self, tables: &Tables, side: Color) -> Perspective {
        let king = side.fold_wb(self.white, self.black);
        tables.layout().king_buckets().perspective(side, king)
    }
}

/// White's scores minus Black's on each square, given the indices of the scores that a side has
/// there.
fn values<Indices: IntoIterator<Item = usize>>(
    tables: &Tables,
    indices: impl Fn(Color, Square) -> Indices,
) -> [TaperedScore; 64] {
    Square::ALL.map(|square| {
        let sum = |side| -> TaperedScore {
            let indices = indices(side, square).into_iter();
            indices.map(|index| tables.score(index)).sum()
        };
        sum(Color::White) - sum(Color::Black)
    })
}

/// Pawns as in a FEN, each with its square, such as `Pd4 pe6`.
pub fn pawns_in_words(pawns: &[PlacedPiece]) -> String {
    let pawn = |(pawn, square): &PlacedPiece| format!("{}{square}", pawn.char());
    let pawns: Vec<String> = pawns.iter().map(pawn).collect();
    pawns.join(" ")
}

impl HeatMap {
    /// The map of a role: White's score of the white piece minus Black's score of it.
    pub fn of(tables: &Tables, role: Role, kings: Kings) -> HeatMap {
        let layout = tables.layout();
        let piece = role.of(Color::White);
        let index = |side, square| {
            let perspective = kings.perspective(tables, side);
            Some(layout.piece_square_index(side, perspective, piece, square))
        };
        HeatMap {
            role,
            subject: Subject::Piece,
            values: values(tables, index),
        }
    }

    /// The map of what a white pawn is worth more for being passed: White's score of it minus
    /// Black's.
    pub fn of_passed_pawn(tables: &Tables, kings: Kings) -> HeatMap {
        let layout = tables.layout();
        let pawn = Role::Pawn.of(Color::White);
        let index = |side, square| {
            let perspective = kings.perspective(tables, side);
            let can_stand = PAWN_SQUARES.contains(square);
            can_stand.then(|| layout.passed_pawn_index(side, perspective, (pawn, square)))
        };
        HeatMap {
            role: Role::Pawn,
            subject: Subject::Passed,
            values: values(tables, index),
        }
    }

    /// The map of what pawns add to a piece of this role: White's score of the pairs minus Black's.
    /// If it is a pawn itself, half of each pair counts as its own.
    pub fn of_pawns(tables: &Tables, role: Role, kings: Kings, pawns: &[PlacedPiece]) -> HeatMap {
        let layout = tables.layout();
        let indices = |side, square| {
            let perspective = kings.perspective(tables, side);
            let piece = (role.of(Color::White), square);
            let others = pawns.iter().filter(move |(_, place)| *place != square);
            others
                .filter(move |pawn| is_pair(piece, **pawn))
                .map(move |pawn| layout.pair_index(side, perspective, piece, *pawn))
        };
        let mut values = values(tables, indices);
        if role == Role::Pawn {
            for value in &mut values {
                value.middlegame /= 2;
                value.endgame /= 2;
            }
        }
        HeatMap {
            role,
            subject: Subject::Pawns(pawns.to_vec()),
            values,
        }
    }

    /// Whether the piece can stand on a square: pawns can't on the first and last rank.
    pub fn can_stand_on(&self, square: Square) -> bool {
        self.role != Role::Pawn || PAWN_SQUARES.contains(square)
    }

    /// What the map shows, in words. `kings` are those for which it was made.
    pub fn title(&self, kings: Kings) -> String {
        let Kings { white, black } = kings;
        let what = match &self.subject {
            Subject::Piece => "value for White in centipawns".to_owned(),
            Subject::Pawns(pawns) => {
                let pawns = pawns_in_words(pawns);
                format!("what pawns add for White in centipawns: {pawns}")
            }
            Subject::Passed => "what being passed adds for White in centipawns".to_owned(),
            Subject::Liking => "liked more than by others, in centipawns".to_owned(),
        };
        format!("{:?}: {what}, kings on {white} and {black}", self.role)
    }

    /// The values of one phase, and their range over the squares that the piece can stand on.
    pub fn phase(&self, is_endgame: bool) -> Phase {
        let value = |score: TaperedScore| score.in_centipawns()[usize::from(is_endgame)];
        let values = self.values.map(value);
        let possible = || {
            let squares = Square::ALL.into_iter();
            let squares = squares.filter(|square| self.can_stand_on(*square));
            squares.map(|square| values[usize::from(square)])
        };
        Phase {
            values,
            min: possible().min().unwrap_or(0),
            max: possible().max().unwrap_or(0),
        }
    }
}

/// The values of one phase of one role.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// In centipawns, indexed by square.
    pub values: [i32; 64],
    /// The lowest value on a square that the piece can stand on.
    pub min: i32,
    /// The highest such value.
    pub max: i32,
}

impl Phase {
    /// The color of a square as red, green and blue, as [`color_between`] has it.
    pub fn color(&self, square: Square) -> [u8; 3] {
        self.color_of(self.values[usize::from(square)])
    }

    /// The color of a value in centipawns.
    pub fn color_of(&self, value: i32) -> [u8; 3] {
        color_between([self.min, self.max], value)
    }
}

/// The color of a value as red, green and blue: from blue for the lowest value of a range through
/// white to red for the highest.
pub fn color_between([min, max]: [i32; 2], value: i32) -> [u8; 3] {
    let range = (max - min).max(1);
    let place = (value.clamp(min, max) - min) * 510 / range - 255; // -255 to 255
    let faded = (255 - place.abs()) as u8;
    if place < 0 {
        [faded, faded, 255]
    } else {
        [255, faded, faded]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::TableSet;
    use crate::evaluation::breakdown::{Breakdown, Table};
    use crate::position::from_fen;
    use shakmaty::CastlingMode;

    const KINGS: Kings = Kings {
        white: Square::E1,
        black: Square::E8,
    };

    fn knight() -> HeatMap {
        HeatMap::of(&TableSet::Simplified.tables(), Role::Knight, KINGS)
    }

    #[test]
    fn the_published_knight_is_best_in_the_center() {
        let phase = knight().phase(false);
        assert_eq!((phase.min, phase.max), (270, 340));
        assert_eq!(phase.color(Square::A1), [0, 0, 255]);
        assert_eq!(phase.color(Square::D4), [255, 0, 0]);
    }

    #[test]
    fn what_pawns_add_on_a_square_is_what_the_evaluation_adds_there() {
        let fen = "4k3/8/8/4p3/3P4/5N2/8/4K3 w - - 0 1";
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        let tables = TableSet::Pairs.tables();
        let breakdown = Breakdown::of(&position, &tables);
        let knight = breakdown.piece_on(Square::F3).expect("a knight");
        let pawns = [
            (Role::Pawn.of(Color::White), Square::D4),
            (Role::Pawn.of(Color::Black), Square::E5),
        ];
        let map = HeatMap::of_pawns(&tables, Role::Knight, KINGS, &pawns);
        let added = map.values[usize::from(Square::F3)];
        assert_ne!(added, TaperedScore::default());
        assert_eq!(knight.exact(|table| table == Table::Pawns), added);
    }

    #[test]
    fn a_flat_map_has_a_color_too() {
        let map = HeatMap {
            role: Role::Queen,
            subject: Subject::Piece,
            values: [TaperedScore::flat(900); 64],
        };
        assert_eq!(map.phase(true).color(Square::C3), [0, 0, 255]);
    }
}
