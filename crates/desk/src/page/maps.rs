//! The tables behind the worth of a piece: what every square would add to it, given where both
//! kings stand and how much material is left.
//!
//! A map belongs to a kind of piece, the squares of the kings and of the pawns, and the phase of
//! the game. Quiet moves of other pieces change none of these, so most positions share the maps of
//! the position before. In the map of pawns every pawn of the position counts, also the one that is
//! looked at.

use serde_json::Value;
use shakmaty::{Board, Color, Piece, Position, Role, Square};
use squarewise_engine::position::variant_position::VariantPosition;

use squarewise_engine::evaluation::heat_map::{HeatMap, Kings};
use squarewise_engine::evaluation::pairs::PlacedPiece;
use squarewise_engine::evaluation::passed_pawns::passed_pawns;
use squarewise_engine::evaluation::tapered_score::{BLEND_DIVISOR, MAX_PHASE, unclamped_phase};
use squarewise_engine::evaluation::{Tables, TaperedScore};

/// What the maps of a position depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    kings: Kings,
    pawns: Vec<PlacedPiece>,
    phase: i32,
    /// Every kind of piece on the board but the kings, in a fixed order.
    pieces: Vec<Piece>,
}

/// The maps of a game, each written once.
#[derive(Debug, Default)]
pub(crate) struct Maps(Vec<Key>);

impl Maps {
    /// The number of the maps of a position; `None` for a board without one king of each color, and
    /// in an ending that tables of its own evaluate, where a piece on its square adds nothing.
    pub(crate) fn number(&mut self, position: &VariantPosition, tables: &Tables) -> Option<u32> {
        let board = position.board();
        if tables.knows_ending(board) {
            return None;
        }
        let kings = Kings {
            white: board.king_of(Color::White)?,
            black: board.king_of(Color::Black)?,
        };
        let kinds = Color::ALL.into_iter().flat_map(|color| {
            let roles = Role::ALL.into_iter().filter(|role| *role != Role::King);
            roles.map(move |role| Piece { color, role })
        });
        let pawns = board.pawns().into_iter();
        let pawns = pawns.filter_map(|square| Some((board.piece_at(square)?, square)));
        let key = Key {
            kings,
            pawns: pawns.collect(),
            phase: unclamped_phase(board).min(MAX_PHASE),
            pieces: kinds.filter(|piece| board.by_piece(*piece).any()).collect(),
        };
        let earlier = self.0.iter().rposition(|other| *other == key);
        let number = earlier.unwrap_or_else(|| {
            self.0.push(key);
            self.0.len() - 1
        });
        u32::try_from(number).ok()
    }

    /// All maps: for each an object with the 64 values of each kind of piece, a1 first.
    pub(crate) fn json(&self, tables: &Tables) -> Vec<Value> {
        let maps = self.0.iter().map(|key| {
            let pieces = key.pieces.iter().map(|piece| {
                let values = values(tables, *piece, (key.kings, &key.pawns), key.phase);
                (piece.char().to_string(), Value::from(values.to_vec()))
            });
            Value::Object(pieces.collect())
        });
        maps.collect()
    }
}

/// The maps of a single position.
pub(crate) fn of(position: &VariantPosition, tables: &Tables) -> Value {
    let mut maps = Maps::default();
    let _ = maps.number(position, tables);
    maps.json(tables).pop().unwrap_or_default()
}

/// What each square adds to a piece, in centipawns from White's point of view. The map of a black
/// piece is that of a white one on the board with colors swapped.
pub(crate) fn values(
    tables: &Tables,
    piece: Piece,
    (kings, pawns): (Kings, &[PlacedPiece]),
    phase: i32,
) -> [i32; 64] {
    let material = tables.piece_value(piece.role);
    let bonus = |mut value: TaperedScore| {
        value -= material;
        (value.weighted(phase) + BLEND_DIVISOR / 2).div_euclid(BLEND_DIVISOR)
    };
    let of_white = |kings, pawns: &[PlacedPiece]| {
        let mut map = HeatMap::of(tables, piece.role, kings);
        let of_pawns = HeatMap::of_pawns(tables, piece.role, kings, pawns);
        for (sum, value) in map.values.iter_mut().zip(of_pawns.values) {
            *sum += value;
        }
        if piece.role == Role::Pawn {
            let passed = HeatMap::of_passed_pawn(tables, kings).values;
            for square in squares_where_passed(pawns) {
                map.values[usize::from(square)] += passed[usize::from(square)];
            }
        }
        map
    };
    match piece.color {
        Color::White => of_white(kings, pawns).values.map(bonus),
        Color::Black => {
            let swapped = Kings {
                white: kings.black.flip_vertical(),
                black: kings.white.flip_vertical(),
            };
            let swapped_pawns: Vec<PlacedPiece> = pawns
                .iter()
                .map(|(pawn, square)| (pawn.role.of(!pawn.color), square.flip_vertical()))
                .collect();
            let map = of_white(swapped, &swapped_pawns);
            Square::ALL.map(|square| -bonus(map.values[usize::from(square.flip_vertical())]))
        }
    }
}

/// The squares on which a white pawn would be passed among these pawns.
fn squares_where_passed(pawns: &[PlacedPiece]) -> impl Iterator<Item = Square> {
    let mut board = Board::empty();
    for (pawn, square) in pawns {
        board.set_piece_at(*square, *pawn);
    }
    let is_passed = move |square: &Square| {
        let mut board = board.clone();
        board.set_piece_at(*square, Role::Pawn.of(Color::White));
        passed_pawns(&board, Color::White).contains(*square)
    };
    Square::ALL.into_iter().filter(is_passed)
}
