//! The families of tables by the names that they have on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use squarewise_engine::evaluation::features::Family;

/// The families that need not be fitted: their names on the command line, and what they are.
pub(super) const FAMILIES: [(&str, Family, &str); 10] = [
    ("material", Family::Material, "The material imbalance"),
    ("passed-pawns", Family::PassedPawns, "Passed pawns"),
    ("threats", Family::Threats, "Attacks on enemy pieces"),
    (
        "mobility",
        Family::Mobility,
        "The numbers of safe squares of pieces",
    ),
    (
        "king-counts",
        Family::KingCounts,
        "What is counted around kings",
    ),
    (
        "king-danger",
        Family::KingDanger,
        "The ways in which kings are attacked",
    ),
    (
        "passed-paths",
        Family::PassedPaths,
        "The paths of passed pawns",
    ),
    (
        "attack-pairs",
        Family::AttackPairs,
        "Attacks from square to square",
    ),
    ("pawn-pairs", Family::PawnPairs, "Pairs of pawns"),
    (
        "piece-pawns",
        Family::PiecePawns,
        "Knights, bishops, rooks and queens with pawns",
    ),
];

/// Reads the name of one of [`FAMILIES`].
pub(super) fn families() -> impl TypedValueParser<Value = Family> {
    let values = FAMILIES.map(|(name, _, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(values).try_map(|name| {
        let named = FAMILIES.into_iter().find(|(known, ..)| *known == name);
        named.map(|(_, family, _)| family).ok_or("no such family")
    })
}
