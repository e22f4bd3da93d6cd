//! Opening books in the Polyglot format.
//!
//! A Polyglot book is a sorted list of entries of 16 bytes, big-endian: the Zobrist key of a
//! position (8 bytes), a move (2), its weight (2), and 4 bytes for learning that nothing here
//! reads. A position with several moves has several entries. The weight says how often to play the
//! move: twice the weight, twice as often.
//!
//! Format: <http://hgm.nubati.net/book_format.html>. shakmaty's `Zobrist64` uses the random numbers
//! of Polyglot, so its keys are those of the book.

use std::cmp::Reverse;
use std::io;
use std::path::Path;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position, Role, Square};

use crate::bounded_file;
use crate::position::game::Game;
use crate::position::rules::Variant;

/// The largest book, in bytes: 16 million entries. A book is held in memory.
pub const MAX_BYTES: u64 = 256 << 20;

/// The size of an entry, in bytes.
const ENTRY_BYTES: usize = 16;

/// The most entries of a position that are read: more than it has legal moves.
const MAX_ENTRIES_OF_POSITION: usize = 256;

/// Why a file is not a book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There are no entries, or they are all zeros.
    #[error("not a Polyglot book: it holds no positions")]
    Empty,
    /// The file ends inside an entry.
    #[error("not a Polyglot book: {0} bytes are not a whole number of entries of 16 bytes")]
    Length(usize),
    /// The keys are not sorted, so a position would not be found.
    #[error("not a Polyglot book, or damaged: entry {0} has a smaller key than the one before")]
    Unsorted(usize),
}

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub m: Move,
    /// How often to play it, in proportion to the position's other moves.
    pub weight: u16,
}

/// An opening book, sorted by key.
#[derive(Clone, Debug)]
pub struct Book {
    bytes: Vec<u8>,
}

impl Book {
    /// Reads a book from a file of at most [`MAX_BYTES`].
    ///
    /// # Errors
    ///
    /// [`BookError`] if the file can't be read, is larger, or is not a book.
    pub fn read(path: &Path) -> Result<Book, BookError> {
        Book::from_bytes(bounded_file::read(path, MAX_BYTES)?)
    }

    /// The book with these bytes.
    ///
    /// # Errors
    ///
    /// [`BookError`] if they are not a whole number of entries, sorted by key, or there is no
    /// position among them.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Book, BookError> {
        let (entries, rest) = bytes.as_chunks::<ENTRY_BYTES>();
        if !rest.is_empty() {
            return Err(BookError::Length(bytes.len()));
        }
        let mut pairs = entries.windows(2);
        if let Some(index) = pairs.position(|pair| key_of(&pair[0]) > key_of(&pair[1])) {
            return Err(BookError::Unsorted(index + 2));
        }
        // The keys are sorted, so if the last is zero all are.
        if entries.last().is_none_or(|entry| key_of(entry) == 0) {
            return Err(BookError::Empty);
        }
        Ok(Book { bytes })
    }

    /// The book with these moves: each is played in its position, in proportion to its weight.
    /// `None` without any.
    pub fn of_moves(moves: impl IntoIterator<Item = (Chess, BookMove)>) -> Option<Book> {
        let entry = |(position, book_move): (Chess, BookMove)| {
            let mut entry = [0; ENTRY_BYTES];
            entry[..8].copy_from_slice(&polyglot_key(&position).to_be_bytes());
            entry[8..10].copy_from_slice(&encode(book_move.m)?.to_be_bytes());
            entry[10..12].copy_from_slice(&book_move.weight.to_be_bytes());
            Some(entry)
        };
        let mut entries: Vec<_> = moves.into_iter().filter_map(entry).collect();
        // Of a position the most frequent move comes first.
        entries.sort_by_key(|entry| (key_of(entry), Reverse([entry[10], entry[11]])));
        Book::from_bytes(entries.concat()).ok()
    }

    /// The book in the Polyglot format.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Whether there are no entries. A book that was read has some.
    pub fn is_empty(&self) -> bool {
        self.entries().is_empty()
    }

    /// The moves to play in a position, in the order of the book. As in Polyglot, a move of weight
    /// 0 is never played; nor is an illegal one, which a damaged book or two positions with the
    /// same key can give.
    pub fn moves(&self, position: &Chess) -> Vec<BookMove> {
        let key = polyglot_key(position);
        let entries = self.entries();
        let first = entries.partition_point(|entry| key_of(entry) < key);
        entries[first..]
            .iter()
            .take_while(|entry| key_of(entry) == key)
            .take(MAX_ENTRIES_OF_POSITION)
            .filter_map(|entry| book_move(entry, position))
            .filter(|book_move| book_move.weight > 0)
            .collect()
    }

    /// The moves to play in a game: those of [`Book::moves`], without any by which a position
    /// occurs for the third time, or after which the opponent can bring that about. A book doesn't
    /// know how the game has gone. None in a variant: books are of chess.
    pub fn moves_in_game(&self, game: &Game) -> Vec<BookMove> {
        if game.position().variant() != Variant::Chess {
            return Vec::new();
        }
        let mut moves = self.moves(game.position());
        // What is to occur for the third time has occurred twice.
        if game.has_repeated() {
            let mut trial = game.recent();
            moves.retain(|book_move| !allows_threefold_repetition(&mut trial, book_move.m));
        }
        moves
    }

    fn entries(&self) -> &[[u8; ENTRY_BYTES]] {
        self.bytes.as_chunks().0
    }
}

/// Whether a position occurs for the third time after a move, or after a reply to it.
fn allows_threefold_repetition(game: &mut Game, m: Move) -> bool {
    game.play(m);
    let replies = game.position().legal_moves();
    let is_allowed = game.is_repetition(0)
        || replies.into_iter().any(|reply| {
            game.play(reply);
            let is_third = game.is_repetition(0);
            game.unmake_move();
            is_third
        });
    game.unmake_move();
    is_allowed
}

/// The move with the greatest weight, the first of several; `None` without moves.
pub fn best(moves: &[BookMove]) -> Option<BookMove> {
    let by_weight = |book_move: &&BookMove| Reverse(book_move.weight);
    moves.iter().min_by_key(by_weight).copied()
}

/// A random move, each with a probability in proportion to its weight; `None` without moves.
pub fn draw(moves: &[BookMove], random: &mut ChaCha8Rng) -> Option<BookMove> {
    if moves.is_empty() {
        return None;
    }
    // The bias of the remainder is negligible.
    let mut rest = random.next_u64() % total_weight(moves).max(1);
    moves.iter().copied().find(|book_move| {
        let weight = u64::from(book_move.weight);
        let is_drawn = rest < weight;
        rest = rest.saturating_sub(weight);
        is_drawn
    })
}

/// The sum of the weights.
pub fn total_weight(moves: &[BookMove]) -> u64 {
    moves.iter().map(|m| u64::from(m.weight)).sum()
}

/// The Zobrist key by which a book knows a position. An en passant square counts if a pawn stands
/// beside the one that has advanced, even if it is pinned and can't capture.
fn polyglot_key(position: &Chess) -> u64 {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::PseudoLegal);
    key
}

fn key_of(entry: &[u8; ENTRY_BYTES]) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = *entry;
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

/// The move of an entry with its weight; `None` if it is illegal in the position.
fn book_move(entry: &[u8; ENTRY_BYTES], position: &Chess) -> Option<BookMove> {
    let [.., move_high, move_low, weight_high, weight_low, _, _, _, _] = *entry;
    let uci_move = decode(u16::from_be_bytes([move_high, move_low]))?;
    Some(BookMove {
        m: uci_move.to_move(position).ok()?,
        weight: u16::from_be_bytes([weight_high, weight_low]),
    })
}

/// The bits of a move: the inverse of [`decode`]. `None` for a drop.
fn encode(m: Move) -> Option<u16> {
    let promotion = m.promotion().map_or(0, |role| u16::from(role) - 1);
    let from = u16::from(m.from()?);
    Some(promotion << 12 | from << 6 | u16::from(m.to()))
}

/// The move in the bits of an entry: from the lowest three, the target's file, its rank, the
/// origin's file, its rank, and the piece of a promotion. Castling is written as king takes rook,
/// also outside Chess960. `None` for the promotion to a piece that doesn't exist.
fn decode(bits: u16) -> Option<UciMove> {
    let promotion = match (bits >> 12) & 7 {
        0 => None,
        1 => Some(Role::Knight),
        2 => Some(Role::Bishop),
        3 => Some(Role::Rook),
        4 => Some(Role::Queen),
        _ => return None,
    };
    let square = |shift: u16| Square::new(u32::from((bits >> shift) & 63));
    Some(UciMove::Normal {
        from: square(6),
        to: square(0),
        promotion,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::from_fen;
    use rand_chacha::rand_core::SeedableRng;
    use shakmaty::CastlingMode;

    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

    /// The bits of a move in an entry.
    fn bits_of(text: &str) -> u16 {
        let promotions = ["", "n", "b", "r", "q"];
        let promotion = promotions.iter().position(|letter| *letter == &text[4..]);
        let square = |text: &str| text.parse::<Square>().expect("a square").to_u32() as u16;
        let promotion = promotion.expect("a piece to promote to") as u16;
        promotion << 12 | square(&text[..2]) << 6 | square(&text[2..4])
    }

    fn entry(key: u64, bits: u16, weight: u16) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..8].copy_from_slice(&key.to_be_bytes());
        bytes[8..10].copy_from_slice(&bits.to_be_bytes());
        bytes[10..12].copy_from_slice(&weight.to_be_bytes());
        bytes
    }

    fn position(fen: &str, mode: CastlingMode) -> Chess {
        from_fen(fen, mode).expect("a legal position")
    }

    /// A book with these moves for one position.
    fn book_for(position: &Chess, moves: &[(u16, u16)]) -> Book {
        let key = polyglot_key(position);
        let entries = moves
            .iter()
            .map(|(bits, weight)| entry(key, *bits, *weight));
        Book::from_bytes(entries.collect::<Vec<_>>().concat()).expect("a valid book")
    }

    /// The moves that a book with these moves plays, in UCI notation.
    fn played(position: &Chess, moves: &[&str]) -> Vec<String> {
        let moves: Vec<(u16, u16)> = moves.iter().map(|text| (bits_of(text), 1)).collect();
        let book_moves = book_for(position, &moves).moves(position);
        let mode = position.castles().mode();
        let uci = book_moves.iter().map(|book_move| book_move.m.to_uci(mode));
        uci.map(|uci| uci.to_string()).collect()
    }

    fn weights(moves: &[BookMove]) -> Vec<u16> {
        moves.iter().map(|book_move| book_move.weight).collect()
    }

    #[test]
    fn keys_are_those_that_the_format_publishes() {
        for (moves, key) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            let mut position = Chess::default();
            for word in moves.split_whitespace() {
                let uci_move: UciMove = word.parse().expect("a move");
                position.play_unchecked(uci_move.to_move(&position).expect("a legal move"));
            }
            assert_eq!(polyglot_key(&position), key, "after {moves:?}");
        }
    }

    #[test]
    fn the_key_counts_an_en_passant_square_even_if_the_pawn_beside_it_is_pinned() {
        let key = |en_passant: &str| {
            let fen = format!("8/8/8/8/k2Pp2Q/8/8/4K3 b - {en_passant} 0 1");
            polyglot_key(&position(&fen, CastlingMode::Standard))
        };
        assert_ne!(key("d3"), key("-"));
    }

    #[test]
    fn castling_is_king_takes_rook_or_the_move_of_the_king() {
        let standard = position(CASTLING, CastlingMode::Standard);
        let notations = ["e1h1", "e1a1", "e1g1", "e1c1"];
        assert_eq!(
            played(&standard, &notations),
            ["e1g1", "e1c1", "e1g1", "e1c1"]
        );
        let chess960 = position(CASTLING, CastlingMode::Chess960);
        assert_eq!(
            played(&chess960, &notations),
            ["e1h1", "e1a1", "e1h1", "e1a1"]
        );
    }

    #[test]
    fn promotions_are_to_the_piece_that_the_entry_names() {
        let position = position("8/P6k/8/8/8/8/8/K7 w - - 0 1", CastlingMode::Standard);
        let promotions = ["a7a8n", "a7a8b", "a7a8r", "a7a8q"];
        assert_eq!(played(&position, &promotions), promotions);
        assert_eq!(played(&position, &["a7a8"]), [""; 0]);
        assert_eq!(
            book_for(&position, &[(bits_of("a7a8") | 5 << 12, 1)]).moves(&position),
            []
        );
    }

    #[test]
    fn illegal_moves_are_left_out() {
        let without_rights = CASTLING.replace("KQkq", "kq");
        let position = position(&without_rights, CastlingMode::Standard);
        let illegal = ["e1h1", "e1g1", "a1a1", "e8e7", "e4e5", "a1h1", "a1b1q"];
        assert_eq!(played(&position, &illegal), [""; 0]);
        assert_eq!(played(&position, &["a1h1", "a1b1", "e1h1"]), ["a1b1"]);
    }

    #[test]
    fn moves_of_weight_zero_are_left_out() {
        let start = Chess::default();
        let book = book_for(
            &start,
            &[
                (bits_of("e2e4"), 0),
                (bits_of("d2d4"), 3),
                (bits_of("c2c4"), 0),
            ],
        );
        assert_eq!(weights(&book.moves(&start)), [3]);
        assert_eq!(book_for(&start, &[(bits_of("e2e4"), 0)]).moves(&start), []);
    }

    #[test]
    fn only_the_entries_of_the_position_are_its_moves() {
        let start = Chess::default();
        let key = polyglot_key(&start);
        let (e4, d4) = (bits_of("e2e4"), bits_of("d2d4"));
        let entries = [
            entry(0, e4, 1),
            entry(key - 1, e4, 2),
            entry(key, e4, 3),
            entry(key, d4, 4),
            entry(key + 1, e4, 5),
            entry(u64::MAX, e4, 6),
        ];
        let book = Book::from_bytes(entries.concat()).expect("a valid book");
        assert_eq!(book.len(), 6);
        assert_eq!(weights(&book.moves(&start)), [3, 4]);
        let first_and_last = Book::from_bytes([entries[0], entries[5]].concat());
        assert_eq!(first_and_last.expect("a valid book").moves(&start), []);
    }

    #[test]
    fn a_move_into_a_third_repetition_is_left_out() {
        let start = Chess::default();
        let mut game = Game::new(start.clone());
        let play = |game: &mut Game, moves: &str| {
            for word in moves.split(' ') {
                let uci_move: UciMove = word.parse().expect("a move");
                game.play(uci_move.to_move(game.position()).expect("a legal move"));
            }
        };
        let key = |moves: &str| {
            let mut game = game.clone();
            play(&mut game, moves);
            polyglot_key(game.position())
        };
        let knights_out = key("g1f3 g8f6");
        let mut entries = [
            entry(polyglot_key(&start), bits_of("g1f3"), 1),
            entry(polyglot_key(&start), bits_of("e2e4"), 2),
            entry(knights_out, bits_of("f3g1"), 3),
            entry(knights_out, bits_of("c2c4"), 4),
        ];
        entries.sort();
        let book = Book::from_bytes(entries.concat()).expect("a valid book");
        let played = |game: &Game| {
            let mut weights = weights(&book.moves_in_game(game));
            weights.sort_unstable();
            weights
        };
        let (there, back) = ("g1f3 g8f6", "f3g1 f6g8");
        assert_eq!(played(&game), [1, 2]);
        play(&mut game, there);
        assert_eq!(played(&game), [3, 4]);
        play(&mut game, back);
        // The start position has occurred twice, and no move leads to it within two plies.
        assert_eq!(played(&game), [1, 2]);
        play(&mut game, there);
        // After f3g1 the opponent could play f6g8, and the start position would be there a third
        // time.
        assert_eq!(played(&game), [4]);
        play(&mut game, "f3g1 f6g8");
        assert_eq!(played(&game), [2], "g1f3 g8f6 would be a third time too");
    }

    #[test]
    fn bytes_that_are_no_book_are_refused_with_the_reason() {
        let reason = |bytes: Vec<u8>| {
            let error = Book::from_bytes(bytes).expect_err("no book");
            error.to_string()
        };
        assert!(reason(Vec::new()).contains("no positions"));
        assert!(reason(vec![0; 160]).contains("no positions"));
        assert!(reason(vec![0; 15]).contains("15 bytes"));
        assert!(reason(vec![0; 33]).contains("33 bytes"));
        let unsorted = [entry(1, 0, 1), entry(3, 0, 1), entry(2, 0, 1)].concat();
        assert!(reason(unsorted).contains("entry 3"));
    }

    #[test]
    fn the_best_move_is_the_first_of_those_with_the_greatest_weight() {
        let start = Chess::default();
        let texts = [("a2a3", 1), ("e2e4", 9), ("d2d4", 9), ("c2c4", 2)];
        let entries = texts.map(|(text, weight)| (bits_of(text), weight));
        let moves = book_for(&start, &entries).moves(&start);
        assert_eq!(best(&moves), Some(moves[1]));
        assert_eq!(best(&[]), None);
    }

    #[test]
    fn moves_are_drawn_as_often_as_their_weights_say() {
        const DRAWS: usize = 20_000;
        let start = Chess::default();
        let texts = [("a2a3", 1), ("e2e4", 60), ("d2d4", 39)];
        let moves =
            book_for(&start, &texts.map(|(text, weight)| (bits_of(text), weight))).moves(&start);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let drawn: Vec<_> = (0..DRAWS).map(|_| draw(&moves, &mut random)).collect();
        for book_move in &moves {
            let count = drawn.iter().filter(|m| **m == Some(*book_move)).count();
            let expected = DRAWS * usize::from(book_move.weight) / 100;
            assert!(
                count.abs_diff(expected) < DRAWS / 50,
                "{count} times {book_move:?}"
            );
            assert!(count > 0, "{book_move:?} was never drawn");
        }
        assert_eq!(draw(&[], &mut random), None);
    }
}
