//! The tables that the engine learned from its own games, starting from zero: without given values
//! of pieces or squares.
//!
//! The files that hold them are compiled into the program. `docs/lab/tables.md` describes how they
//! were made, generation by generation and with the commands, and to which games each set was
//! fitted; the provenance in each file is a summary.

use super::file::Document;
use crate::position::rules::Variant;

/// The tables with all families, as `squarewise-lab tune` fitted them; threats by sets of attackers
/// came later, as sums (`docs/lab/tables.md`).
const ATTACKS: &[u8] = include_bytes!("attacks.bin");

/// Those without attacks.
const PAIRS: &[u8] = include_bytes!("pairs.bin");

/// Those without attacks, passed pawns and pairs.
const SQUARES: &[u8] = include_bytes!("learned.bin");

/// The tables with all families: those of [`pairs`], and attacks. With them comes their provenance.
///
/// # Panics
///
/// If the compiled-in file is damaged, which a test rules out.
pub fn attacks() -> Document {
    Document::from_bytes(ATTACKS).expect("the file of the tables with attacks is intact")
}

/// The tables without attacks: piece-square tables by king bucket, material imbalance, passed
/// pawns, pairs of pawns, and pieces with pawns. With them comes their provenance.
///
/// # Panics
///
/// If the compiled-in file is damaged, which a test rules out.
pub fn pairs() -> Document {
    Document::from_bytes(PAIRS).expect("the file of the tables with pairs is intact")
}

/// The tables that know pawns by their own squares alone: piece-square tables by king bucket and
/// material imbalance, without passed pawns and without pairs. With them comes their provenance.
///
/// # Panics
///
/// If the compiled-in file is damaged, which a test rules out.
pub fn squares() -> Document {
    Document::from_bytes(SQUARES).expect("the file of the tables without pairs is intact")
}

/// What games of a variant add to the tables of [`attacks`], with its provenance; `None` where
/// nothing was learned that gains (`docs/rule-sets.md`). It is the same in every king bucket and
/// has nothing for pairs of pieces.
///
/// # Panics
///
/// If the compiled-in file is damaged, which a test rules out.
pub fn correction(variant: Variant) -> Option<Document> {
    let bytes: &[u8] = match variant {
        Variant::Torpedo => include_bytes!("variants/torpedo.bin"),
        Variant::PawnSideways => include_bytes!("variants/pawnsideways.bin"),
        _ => return None,
    };
    Some(Document::from_bytes(bytes).expect("the file of a correction is intact"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::features::Family;
    use shakmaty::Role;

    #[test]
    fn the_files_are_intact_and_small() {
        assert!(ATTACKS.len() + PAIRS.len() + SQUARES.len() < 1 << 20);
        for Document { provenance, tables } in [attacks(), pairs(), squares()] {
            assert!(provenance.contains("tune"), "{provenance}");
            assert!(!tables.is_zero());
        }
        assert!(attacks().tables.attacks().is_some());
        assert_eq!(pairs().tables.attacks(), None);
        assert!(pairs().tables.pairs().is_some());
        assert_eq!(squares().tables.pairs(), None);
    }

    #[test]
    fn the_corrections_of_variants_fit_the_tables_of_chess_and_are_small() {
        let tables = attacks().tables;
        let corrected = Variant::ALL.into_iter().filter_map(correction);
        let mut count = 0;
        for Document {
            provenance,
            tables: correction,
        } in corrected
        {
            assert!(provenance.contains("a correction"), "{provenance}");
            let corrected = tables.corrected_by(&correction);
            assert_ne!(corrected, tables);
            for family in Family::ALL {
                let keeps = corrected.scores_of(family) == tables.scores_of(family);
                assert_eq!(keeps, family.shares_scores(), "{family:?}");
            }
            let document = Document {
                provenance,
                tables: correction,
            };
            assert!(document.to_bytes().len() < 64 << 10);
            count += 1;
        }
        assert_eq!(count, 2);
    }

    #[test]
    fn the_sets_have_the_families_that_their_documentation_names() {
        let families = |Document { tables, .. }| {
            let all = Family::ALL.into_iter();
            all.filter(|family| !tables.is_zero_in(*family))
                .collect::<Vec<_>>()
        };
        assert_eq!(families(attacks()), Family::ALL);
        let mut without_attacks = Family::ALL.to_vec();
        without_attacks.retain(|family| !family.is_attacks());
        assert_eq!(families(pairs()), without_attacks);
        assert_eq!(families(squares()), [Family::PieceSquare, Family::Material]);
    }

    #[test]
    fn the_piece_values_are_in_the_usual_order() {
        let tables = squares().tables;
        let value = |role| {
            let value = tables.piece_value(role);
            value.middlegame + value.endgame
        };
        assert!(value(Role::Queen) > value(Role::Rook));
        assert!(value(Role::Rook) > value(Role::Bishop));
        assert!(value(Role::Bishop) > value(Role::Pawn));
        assert!(value(Role::Knight) > value(Role::Pawn));
        assert!(value(Role::Pawn) > 0);
    }
}
