//! The tables that the engine learned from its own games, from nothing: not a piece value, not a square.
//!
//! They are read from a file that is part of the program. How they came to be is told, generation by
//! generation and with the commands, in this folder's `README.md`, and in the file itself.

use super::file::Document;

/// The file, as `squarewise tune` wrote it.
const BYTES: &[u8] = include_bytes!("learned.bin");

/// The tables and their provenance.
///
/// # Panics
///
/// If the file that was compiled in is damaged, which a test rules out.
pub fn document() -> Document {
    Document::from_bytes(BYTES).expect("the file of the learned tables is whole")
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Role;

    #[test]
    fn the_file_is_whole_and_small() {
        assert!(BYTES.len() < 1 << 20);
        let document = document();
        assert!(
            document.provenance.contains("tune"),
            "{}",
            document.provenance
        );
    }

    #[test]
    fn the_pieces_come_out_in_their_order() {
        let tables = document().tables;
        let value = |role| {
            let weight = tables.material(role);
            weight.middle_game + weight.end_game
        };
        assert!(value(Role::Queen) > value(Role::Rook));
        assert!(value(Role::Rook) > value(Role::Bishop));
        assert!(value(Role::Bishop) > value(Role::Pawn));
        assert!(value(Role::Knight) > value(Role::Pawn));
        assert!(value(Role::Pawn) > 0);
    }
}
