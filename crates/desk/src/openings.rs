//! The names of openings.
//!
//! An opening is a position, not an order of moves: a game that reaches the Najdorf Variation by a
//! detour has played it too. The table has a line for each named position and is part of the
//! program. It is read when the first name is asked for, in a few milliseconds.
//!
//! Data: <https://github.com/lichess-org/chess-openings> (CC0), 3,807 positions. `openings.txt`
//! holds them in the order of their moves, and each line leaves out what it shares with the line
//! before:
//!
//! ```text
//! moves shared, further moves|ECO code if it is another|words of the name shared, further words
//! 2 Nc3 Nc6 d4|C46|3 Accepted
//! ```

use std::collections::HashMap;
use std::sync::LazyLock;

use shakmaty::san::San;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Move, Position};
use squarewise_engine::book::BookMove;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::rules::Variant;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::search::strength::Level;

/// An opening with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The code of the Encyclopaedia of Chess Openings, `A00` to `E99`.
    pub eco: &'static str,
    /// The name, such as `Sicilian Defense: Najdorf Variation`.
    pub name: &'static str,
}

/// The last named position of a game, transpositions included; `None` if it has none. The position
/// that the game starts from counts too. A game of a variant has none.
pub(crate) fn opening_of(start: &VariantPosition, moves: &[Move]) -> Option<Opening> {
    if start.variant() != Variant::Chess {
        return None;
    }
    let mut position = start.clone();
    let mut opening = TABLE.named.get(&key(&position));
    for m in moves {
        position.play_unchecked(*m);
        opening = TABLE.named.get(&key(&position)).or(opening);
    }
    opening.copied()
}

/// The moves with which people go on in an opening: those that lead to a named opening or towards
/// one, each with the number of openings that lie ahead as its weight. None if the position is off
/// every path, or one of a variant.
pub(crate) fn common_moves(position: &VariantPosition) -> Vec<BookMove> {
    if position.variant() != Variant::Chess {
        return Vec::new();
    }
    let book_move = |m: Move| {
        let mut after = position.clone();
        after.play_unchecked(m);
        let weight = TABLE.ahead.get(&key(&after))?;
        Some(BookMove { m, weight: *weight })
    };
    let moves = position.legal_moves().into_iter();
    moves.filter_map(book_move).collect()
}

/// The `common_moves` to play in a game at a level that still knows its opening: without those
/// after which a position of the game is on the board once more. None at full strength.
pub fn common_moves_at(level: Option<Level>, game: &Game) -> Vec<BookMove> {
    let knows_opening = |level: Level| level.knows_opening(game.position());
    if !level.is_some_and(knows_opening) {
        return Vec::new();
    }
    let mut moves = common_moves(game.position());
    let mut trial = game.recent();
    moves.retain(|book_move| {
        trial.play(book_move.m);
        let goes_back = trial.is_repetition(usize::MAX);
        trial.unmake_move();
        !goes_back
    });
    moves
}

/// The table as it is shipped.
const DATA: &str = include_str!("openings.txt");

/// The openings by the keys of positions.
#[derive(Default)]
struct Table {
    /// The opening of each named position.
    named: HashMap<u64, Opening>,
    /// How many lines of the table go through a position or end in it.
    ahead: HashMap<u64, u16>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table::default();
    let mut expander = Expander::default();
    for line in DATA.lines() {
        let Some((key, opening)) = expander.opening(line) else {
            continue;
        };
        table.named.insert(key, opening);
        for position in &expander.positions {
            *table.ahead.entry(self::key(position)).or_default() += 1;
        }
    }
    table
});

/// The key of a position: equal for positions with the same pieces, side to move, castling rights
/// and en passant captures.
fn key(position: &VariantPosition) -> u64 {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::Legal);
    key
}

/// Restores what a line of the table leaves out because the line before has it.
#[derive(Default)]
struct Expander {
    /// The positions of the line before, from the first to the named one.
    positions: Vec<VariantPosition>,
    eco: &'static str,
    name: &'static str,
}

impl Expander {
    /// The opening of a line, with the key of its position; `None` if the line is damaged.
    fn opening(&mut self, line: &'static str) -> Option<(u64, Opening)> {
        let mut fields = line.split('|');
        let (moves, eco, name) = (fields.next()?, fields.next()?, fields.next()?);
        let key = self.key_after(moves)?;
        if !eco.is_empty() {
            self.eco = eco;
        }
        self.name = self.full_name(name)?;
        let opening = Opening {
            eco: self.eco,
            name: self.name,
        };
        Some((key, opening))
    }

    fn key_after(&mut self, moves: &str) -> Option<u64> {
        let mut words = moves.split(' ');
        let shared: usize = words.next()?.parse().ok()?;
        self.positions.truncate(shared + 1);
        if self.positions.is_empty() {
            self.positions.push(VariantPosition::default());
        }
        for word in words {
            let san: San = word.parse().ok()?;
            let mut position = self.positions.last()?.clone();
            let m = san.to_move(&position).ok()?;
            position.play_unchecked(m);
            self.positions.push(position);
        }
        self.positions.last().map(key)
    }

    /// The whole name. It lives as long as the program, like the table.
    fn full_name(&self, name: &str) -> Option<&'static str> {
        let (shared, further) = name.split_once(' ').unwrap_or((name, ""));
        let shared: usize = shared.parse().ok()?;
        let mut words: Vec<&str> = self.name.split(' ').take(shared).collect();
        if !further.is_empty() {
            words.push(further);
        }
        let name = words.join(" ");
        let is_the_same = name == self.name;
        Some(if is_the_same { self.name } else { name.leak() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use squarewise_engine::position::from_fen;

    fn opening_after(start: &VariantPosition, line: &str) -> Option<(&'static str, &'static str)> {
        let mut position = start.clone();
        let play = |san: &str| {
            let san: San = san.parse().expect("a move in SAN");
            let m = san.to_move(&position).expect("a legal move");
            position.play_unchecked(m);
            m
        };
        let moves: Vec<Move> = line.split_whitespace().map(play).collect();
        opening_of(start, &moves).map(|opening| (opening.eco, opening.name))
    }

    fn opening(line: &str) -> Option<(&'static str, &'static str)> {
        opening_after(&VariantPosition::default(), line)
    }

    #[test]
    fn every_line_of_the_table_names_a_position_of_its_own() {
        assert_eq!(TABLE.named.len(), DATA.lines().count());
        assert_eq!(TABLE.named.len(), 3_807);
        for opening in TABLE.named.values() {
            let (volume, number) = opening.eco.split_at(1);
            assert!("ABCDE".contains(volume), "{opening:?}");
            assert!(number.len() == 2 && number.parse::<u8>().is_ok());
            assert_eq!(opening.name.trim(), opening.name);
            assert!(!opening.name.is_empty() && opening.name.len() < 110);
        }
    }

    #[test]
    fn known_openings_have_their_names() {
        assert_eq!(opening(""), None);
        assert_eq!(opening("e4"), Some(("B00", "King's Pawn Game")));
        let najdorf = ("B90", "Sicilian Defense: Najdorf Variation");
        let line = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6";
        assert_eq!(opening(line), Some(najdorf));
        let berlin = "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4 d4 Nd6 Bxc6 dxc6 dxe5 Nf5 Qxd8+ Kxd8";
        let name = "Ruy Lopez: Berlin Defense, l'Hermet Variation, Berlin Wall Defense";
        assert_eq!(opening(berlin), Some(("C67", name)));
    }

    #[test]
    fn the_last_named_position_counts_after_the_book_is_left() {
        let line = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 h4 h5 a4 b6";
        assert_eq!(opening(line).map(|(eco, _)| eco), Some("B90"));
    }

    #[test]
    fn common_moves_are_those_of_people_and_end_with_the_table() {
        let after = |line: &str| {
            let mut position = VariantPosition::default();
            for word in line.split_whitespace() {
                let san: San = word.parse().expect("a move");
                let m = san.to_move(&position).expect("a legal move");
                position.play_unchecked(m);
            }
            position
        };
        let weights = |line: &str| -> HashMap<String, u16> {
            let position = after(line);
            let moves = common_moves(&position).into_iter();
            let named = |m: BookMove| (San::from_move(&position, m.m).to_string(), m.weight);
            moves.map(named).collect()
        };
        let first = weights("");
        assert!(
            first["e4"] > first["d4"] && first["d4"] > first["Nf3"],
            "{first:?}"
        );
        assert!(weights("e4")["c5"] > weights("e4")["a6"]);
        assert_eq!(weights("e4 e5 Ke2 Ke7 Kd3 Kd6"), HashMap::new());
        // Whoever takes a move back isn't followed.
        let back = "Nf3 Nf6 Ng1";
        assert!(weights(back).contains_key("Ng8"));
        let mut game = Game::new(VariantPosition::default());
        for word in back.split_whitespace() {
            let san: San = word.parse().expect("a move");
            let m = san.to_move(game.position()).expect("a legal move");
            game.play(m);
        }
        let at = |elo: Option<u32>, game| common_moves_at(elo.map(Level::of_elo), game);
        assert!(at(Some(3_000), &game).is_empty());
        let first = Game::new(VariantPosition::default());
        assert!(!at(Some(3_000), &first).is_empty() && at(None, &first).is_empty());
    }

    #[test]
    fn transpositions_are_found() {
        let direct = opening("d4 Nf6 c4 e6 Nc3 Bb4");
        assert_eq!(direct, Some(("E20", "Nimzo-Indian Defense")));
        assert_eq!(opening("c4 e6 Nc3 Nf6 d4 Bb4"), direct);
    }

    #[test]
    fn another_start_position_has_a_name_only_if_it_is_known() {
        let position =
            |fen: &str, mode| VariantPosition::from(from_fen(fen, mode).expect("a position"));
        let endgame = position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", CastlingMode::Standard);
        assert_eq!(opening_after(&endgame, "e4 Kd7"), None);
        let fen = "nnrbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNRBKRBQ w KQkq - 0 1";
        assert_eq!(
            opening_after(&position(fen, CastlingMode::Chess960), "e4 e5"),
            None
        );
        let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let sicilian = position(fen, CastlingMode::Standard);
        assert_eq!(
            opening_after(&sicilian, ""),
            Some(("B20", "Sicilian Defense"))
        );
        assert_eq!(opening_after(&sicilian, "Nf3"), opening("e4 c5 Nf3"));
    }
}
