use shakmaty::{CastlingMode, Position, Role, Square};
use std::collections::HashSet;

use super::attack_pairs::{ATTACK_PAIRS_SIZE, seen_attacks};
use super::king_counts::KingCountKind;
use super::passed_path::{Behind, Path, Stop};
use super::threats::Defence;
use super::*;
use crate::position::from_fen;

/// The features of a side in a position.
fn features(fen: &str, side: Color) -> Vec<AttackFeature> {
    let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
    let mut features = Vec::new();
    for_each_feature(position.board(), position.turn(), |of, feature| {
        if of == side {
            features.push(feature);
        }
    });
    features
}

#[test]
fn every_attack_from_square_to_square_has_a_place_of_its_own() {
    let places: Vec<usize> = seen_attacks().map(|pair| pair.place()).collect();
    assert!(places.iter().copied().eq(0..ATTACK_PAIRS_SIZE));
}

#[test]
fn a_threat_names_attackers_victim_defence_and_turn() {
    // The bishop attacks a loose knight; knight and rook attack a pawn that a pawn defends, and the
    // knight a loose rook.
    let fen = "6k1/1p1r4/2p5/4N3/n7/1B6/8/2R3K1 b - - 0 1";
    let threats: Vec<_> = features(fen, Color::White)
        .into_iter()
        .filter_map(|feature| match feature {
            AttackFeature::Threat(threat) => Some(threat),
            _ => None,
        })
        .map(|threat| {
            (
                threat.attackers,
                threat.victim.1,
                threat.defence,
                threat.is_attackers_turn,
            )
        })
        .collect();
    assert_eq!(
        threats,
        [
            (0b00_0100, Square::A4, Defence::None, false),
            (0b00_1010, Square::C6, Defence::ByPawn, false),
            (0b00_0010, Square::D7, Defence::None, false),
        ]
    );
}

#[test]
fn squares_that_pawns_attack_are_not_safe_and_bishops_look_through_queens() {
    let fen = "6k1/8/1p6/8/2N5/8/3B4/4Q1K1 w - - 0 1";
    let squares = |role| {
        let mut features = features(fen, Color::White).into_iter();
        features.find_map(|feature| match feature {
            AttackFeature::Mobility(mobility) if mobility.piece.0.role == role => {
                Some(mobility.squares)
            }
            _ => None,
        })
    };
    // Of the knight's eight squares a5 is attacked by the pawn.
    assert_eq!(squares(Role::Knight), Some(7));
    // From d2: c1, c3 to a5 without a5, e1, e3 to h6.
    assert_eq!(squares(Role::Bishop), Some(8));
}

#[test]
fn a_passed_pawn_knows_its_path() {
    let path = |fen| {
        let mut features = features(fen, Color::White).into_iter();
        features.find_map(|feature| match feature {
            AttackFeature::PassedPath(path) => Some((path.stop, path.path, path.behind)),
            _ => None,
        })
    };
    let free = path("7k/8/8/3P4/8/8/8/3R3K w - - 0 1");
    assert_eq!(free, Some((Stop::Free, Path::Free, Behind::Own)));
    let blocked = path("7k/3n4/3r4/3P4/8/8/8/7K w - - 0 1");
    assert_eq!(blocked, Some((Stop::Rook, Path::Attacked, Behind::None)));
}

#[test]
fn squares_around_a_king_are_counted() {
    let fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let count = |kind| {
        let mut features = features(fen, Color::Black).into_iter();
        features.find_map(|feature| match feature {
            AttackFeature::KingCount(count) if count.kind == kind => Some(count.count),
            _ => None,
        })
    };
    // The rook reaches a8 and no square beside the king.
    assert_eq!(count(KingCountKind::Attacked), Some(0));
    assert_eq!(count(KingCountKind::OwnPieces), Some(4));
    // It can check on a8, where nobody takes it.
    assert_eq!(count(KingCountKind::UnsafeChecks), Some(0));
    let mut all = features(fen, Color::Black).into_iter();
    let safe_checks = all.find_map(|feature| match feature {
        AttackFeature::KingDanger(danger) => Some(danger.attack.safe_checks),
        _ => None,
    });
    assert_eq!(safe_checks, Some([false, false, true, false]));
}

#[test]
fn an_attack_on_a_king_is_counted_in_every_way() {
    let features = features("6k1/5ppp/1n6/4P1N1/2B5/8/8/R2Q2K1 b - - 0 1", Color::Black);
    let mut counts = Vec::new();
    let mut dangers = Vec::new();
    for feature in features {
        match feature {
            AttackFeature::KingCount(count) => counts.push((count.kind, count.count)),
            AttackFeature::KingDanger(danger) => dangers.push(danger.attack),
            _ => (),
        }
    }
    // Attacked are f6, f7 and h7. The knight guards a8 against the rook; on d8 and f7 a check is
    // safe.
    let expected = [3, 1, 2, 7, 2, 9, 1, 4, 1, 10, 2, 1];
    assert_eq!(
        counts,
        KingCountKind::ALL
            .into_iter()
            .zip(expected)
            .collect::<Vec<_>>()
    );
    let danger = dangers[0];
    assert!(dangers.iter().all(|part| *part == danger));
    assert_eq!(danger.attackers, [1, 1, 0, 0]);
    assert_eq!(danger.weak, 2);
    assert_eq!(danger.safe_checks, [false, true, false, true]);
}

#[test]
fn every_feature_has_a_place_in_its_family() {
    let mut seen = HashSet::new();
    for fen in [
        "r1bq1rk1/pp3ppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQ - 0 8",
        "8/5pk1/4p1p1/P2pP2p/3N1P1P/6P1/1r4K1/8 w - - 0 40",
        "QQQQQ3/QQQQ4/8/8/8/7k/8/K7 b - - 0 1",
    ] {
        for side in Color::ALL {
            for feature in features(fen, side) {
                let (family, place) = (feature.family(), feature.place());
                assert!(place < family.size(1), "{feature:?}");
                seen.insert(family as usize);
            }
        }
    }
    assert_eq!(seen.len(), 6);
}
