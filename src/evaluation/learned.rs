//! The tables that the engine learned from its own games, starting from zero: without given values of pieces or
//! squares.
//!
//! The files that hold them are compiled into the program. This folder's `README.md` describes how they were
//! made, generation by generation and with the commands; the provenance in each file is a summary.

use super::file::Document;

/// The tables with pairs of pieces and pawns, as `squarewise tune` wrote them.
const PAIRS: &[u8] = include_bytes!("pairs.bin");

/// Those without, fitted to the same games.
const SQUARES: &[u8] = include_bytes!("learned.bin");

/// The tables with pairs of pieces and pawns, and their provenance.
///
/// # Panics
///
/// If the compiled-in file is damaged, which a test rules out.
pub fn pairs() -> Document {
    Document::from_bytes(PAIRS).expect("the file of the tables with pairs is intact")
}

/// The tables without pairs, and their provenance.
///
/// # Panics
///
/// If the compiled-in file is damaged, which a test rules out.
pub fn squares() -> Document {
    Document::from_bytes(SQUARES).expect("the file of the tables without pairs is intact")
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Role;

    #[test]
    fn the_files_are_intact_and_small() {
        assert!(PAIRS.len() + SQUARES.len() < 1 << 20);
        for Document { provenance, tables } in [pairs(), squares()] {
            assert!(provenance.contains("tune"), "{provenance}");
            assert!(!tables.is_zero());
        }
        assert!(pairs().tables.pairs().is_some());
        assert_eq!(squares().tables.pairs(), None);
    }

    #[test]
    fn the_piece_values_are_in_the_usual_order() {
        let tables = squares().tables;
        let value = |role| {
            let value = tables.piece_value(role);
            value.middle_game + value.end_game
        };
        assert!(value(Role::Queen) > value(Role::Rook));
        assert!(value(Role::Rook) > value(Role::Bishop));
        assert!(value(Role::Bishop) > value(Role::Pawn));
        assert!(value(Role::Knight) > value(Role::Pawn));
        assert!(value(Role::Pawn) > 0);
    }
}
