//! The tables that the engine learned from its own games, starting from zero: without given values of pieces or
//! squares.
//!
//! The file that holds them is compiled into the program. This folder's `README.md` describes how they were
//! made, generation by generation and with the commands; the provenance in the file is a summary.

use super::file::Document;

/// The file, as `squarewise tune` wrote it.
const BYTES: &[u8] = include_bytes!("learned.bin");

/// The tables and their provenance.
///
/// # Panics
///
/// If the compiled-in file is damaged, which a test rules out.
pub fn document() -> Document {
    Document::from_bytes(BYTES).expect("the file of the learned tables is intact")
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Role;

    #[test]
    fn the_file_is_intact_and_small() {
        assert!(BYTES.len() < 1 << 20);
        let document = document();
        assert!(
            document.provenance.contains("tune"),
            "{}",
            document.provenance
        );
    }

    #[test]
    fn the_piece_values_are_in_the_usual_order() {
        let tables = document().tables;
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
