//! The sets of tables that ship with the engine, by name.
//!
//! The UCI option `Tables` and the arguments of the subcommands choose one of them. A set is built
//! when it is first used. `docs/lab/tables.md` says to which games each of the learned ones is
//! fitted.

use std::sync::{Arc, LazyLock, OnceLock};

use super::tables::Tables;
use super::{learned, simplified};
use crate::position::rules::Variant;

/// A set of tables that ships with the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableSet {
    /// All families of tables: those of [`TableSet::Pairs`], and attacks: threats, mobility, the
    /// danger of kings, the paths of passed pawns, and which piece attacks which from where. Fitted
    /// to the engine's own games.
    #[default]
    Attacks,
    /// Pieces by their squares and the kings', the material imbalance, passed pawns, and pairs with
    /// every pawn. Fitted to the engine's own games, too.
    Pairs,
    /// Pieces by their squares and the kings' alone, and the material imbalance. Fitted to the
    /// engine's own games, too.
    Learned,
    /// The tables of the published "simplified evaluation", number for number.
    Simplified,
}

impl TableSet {
    /// Every set, in the order in which they are offered.
    pub const ALL: [TableSet; 4] = [
        TableSet::Attacks,
        TableSet::Pairs,
        TableSet::Learned,
        TableSet::Simplified,
    ];

    /// The name by which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            TableSet::Attacks => "Attacks",
            TableSet::Pairs => "Pairs",
            TableSet::Learned => "Learned",
            TableSet::Simplified => "Simplified",
        }
    }

    /// The set of this name, in any case.
    pub fn named(name: &str) -> Option<TableSet> {
        TableSet::ALL
            .into_iter()
            .find(|set| set.name().eq_ignore_ascii_case(name))
    }

    /// The tables that a weakened engine plays with instead of these: its levels were calibrated
    /// with those without attacks and pairs. All others are their own.
    pub fn for_levels(tables: &Arc<Tables>) -> Arc<Tables> {
        let is = |set: TableSet| Arc::ptr_eq(tables, &set.tables());
        if is(TableSet::Attacks) || is(TableSet::Pairs) {
            TableSet::Learned.tables()
        } else {
            Arc::clone(tables)
        }
    }

    /// The set as a variant is played with it: the default one by [`tables_of`], all others as they
    /// are, but for endings ([`Tables::with_endings_for`]).
    pub fn tables_for(self, variant: Variant) -> Arc<Tables> {
        if self == TableSet::default() {
            tables_of(variant)
        } else {
            self.tables().with_endings_for(variant)
        }
    }

    /// The tables themselves, built at the first call and shared from then on.
    pub fn tables(self) -> Arc<Tables> {
        static ATTACKS: LazyLock<Arc<Tables>> =
            LazyLock::new(|| Arc::new(learned::attacks().tables));
        static PAIRS: LazyLock<Arc<Tables>> = LazyLock::new(|| Arc::new(learned::pairs().tables));
        static LEARNED: LazyLock<Arc<Tables>> =
            LazyLock::new(|| Arc::new(learned::squares().tables));
        static SIMPLIFIED: LazyLock<Arc<Tables>> = LazyLock::new(|| {
            let published = &simplified::PIECE_SQUARE_TABLES;
            Arc::new(Tables::from_piece_square_tables(published))
        });
        match self {
            TableSet::Attacks => Arc::clone(&ATTACKS),
            TableSet::Pairs => Arc::clone(&PAIRS),
            TableSet::Learned => Arc::clone(&LEARNED),
            TableSet::Simplified => Arc::clone(&SIMPLIFIED),
        }
    }
}

/// The tables that a variant is played with: the default set with what games of the variant have
/// taught. Built at the first call, like the sets.
pub fn tables_of(variant: Variant) -> Arc<Tables> {
    static ALL: [OnceLock<Arc<Tables>>; Variant::ALL.len()] =
        [const { OnceLock::new() }; Variant::ALL.len()];
    let tables = ALL[variant as usize].get_or_init(|| {
        let tables = TableSet::default().tables();
        let tables = match learned::correction(variant) {
            Some(correction) => Arc::new(tables.corrected_by(&correction.tables)),
            None => tables,
        };
        tables.with_endings_for(variant)
    });
    Arc::clone(tables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_is_played_with_what_its_games_have_taught_and_chess_as_ever() {
        let chess = TableSet::default().tables();
        assert!(Arc::ptr_eq(&tables_of(Variant::Chess), &chess));
        for variant in Variant::ALL {
            let is_learned = tables_of(variant).scores() != chess.scores();
            assert_eq!(
                is_learned,
                learned::correction(variant).is_some(),
                "{variant}"
            );
            let asked_for = TableSet::default().tables_for(variant);
            assert!(Arc::ptr_eq(&asked_for, &tables_of(variant)), "{variant}");
            // A set that is asked for by its name is what it is in chess.
            let pairs = TableSet::Pairs.tables_for(variant);
            assert_eq!(pairs.scores(), TableSet::Pairs.tables().scores());
        }
    }
}
