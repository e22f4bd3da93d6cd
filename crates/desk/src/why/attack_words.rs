//! Attacks in chess words: what a term of the evaluation is about.

use shakmaty::{Color, Role};

use super::words::{listed, piece_of_side, piece_on, role_name, side_name};
use crate::terminal::counted;
use squarewise_engine::evaluation::attacks::AttackFeature;
use squarewise_engine::evaluation::attacks::attack_pairs::AttackPair;
use squarewise_engine::evaluation::attacks::king_counts::{KingCount, KingCountKind};
use squarewise_engine::evaluation::attacks::king_danger::KingAttack;
use squarewise_engine::evaluation::attacks::passed_path::{Behind, PassedPath, Path, Stop};
use squarewise_engine::evaluation::attacks::threats::{Defence, Threat};
use squarewise_engine::evaluation::breakdown::{AttackTerm, Breakdown};

/// The attacks that add most to an evaluation for either side, largest first, at most `most` of
/// them: each in chess words with its value in centipawns, + for White.
pub fn largest_attacks(breakdown: &Breakdown, most: usize) -> Vec<(String, i32)> {
    let mut terms: Vec<&AttackTerm> = breakdown.attacks.iter().collect();
    terms.retain(|term| term.value != 0);
    terms.sort_by_key(|term| -term.value.abs());
    terms.truncate(most);
    let in_words = terms.into_iter().map(|term| (words(term), term.value));
    in_words.collect()
}

/// What an attack is, such as "the knight on e5 attacks the rook on d7".
fn words(term: &AttackTerm) -> String {
    let side = term.side;
    match term.feature {
        AttackFeature::Threat(threat) => threat_words(threat),
        AttackFeature::Mobility(mobility) => {
            let (piece, square) = mobility.piece;
            let piece = piece_on(piece.role, square);
            format!(
                "{piece} bears on {}",
                none_or_counted(mobility.squares, "safe square")
            )
        }
        AttackFeature::KingCount(count) => count_words(count, side),
        AttackFeature::KingDanger(danger) => danger_words(danger.attack, side),
        AttackFeature::PassedPath(path) => path_words(path),
        AttackFeature::Pair(pair) => pair_words(pair),
    }
}

/// A number of things: "no square", "1 square", "2 squares".
fn none_or_counted(number: usize, thing: &str) -> String {
    match number {
        0 => format!("no {thing}"),
        _ => counted(number, thing),
    }
}

fn threat_words(threat: Threat) -> String {
    let attacking = Role::ALL.into_iter().filter(|role| {
        let bit = threat.attackers >> (usize::from(*role) - 1);
        bit & 1 != 0
    });
    let attackers: Vec<String> = attacking
        .map(|role| format!("a {}", role_name(role)))
        .collect();
    let (victim, square) = threat.victim;
    let victim = piece_of_side(victim, square);
    let defence = match threat.defence {
        Defence::None => "nothing defends",
        Defence::ByPiece => "pieces defend",
        Defence::ByPawn => "a pawn defends",
    };
    let by = listed(&attackers);
    format!("{victim}, which {defence}, is attacked by {by}")
}

fn count_words(count: KingCount, side: Color) -> String {
    let king = format!("{}'s king", side_name(side));
    let (own, enemy) = (side_name(side), side_name(!side));
    let squares = none_or_counted(count.count, "square");
    match count.kind {
        KingCountKind::Attacked => format!("{enemy} attacks {squares} beside {king}"),
        KingCountKind::AttackedTwice => format!("{enemy} attacks {squares} beside {king} twice"),
        KingCountKind::Undefended => {
            format!("{enemy} attacks {squares} near {king} that no other piece defends")
        }
        KingCountKind::FlankAttacked => format!("{enemy} attacks {squares} on the wing of {king}"),
        KingCountKind::FlankAttackedTwice => {
            format!("{enemy} attacks {squares} on the wing of {king} twice")
        }
        KingCountKind::FlankDefended => format!("{own} defends {squares} on the wing of {king}"),
        KingCountKind::FlankDefendedTwice => {
            format!("{own} defends {squares} on the wing of {king} twice")
        }
        KingCountKind::OwnPieces => {
            // The king itself is counted.
            let others = none_or_counted(count.count.saturating_sub(1), "own piece");
            format!("{others} beside {king}")
        }
        KingCountKind::UnsafeChecks => {
            let checks = none_or_counted(count.count, "check");
            format!("{enemy} has {checks} by a piece that could be taken")
        }
        KingCountKind::Openness => format!("{king} is open to {squares}"),
        KingCountKind::UnderMinors => {
            format!("{enemy}'s minor pieces attack {squares} beside {king}")
        }
        KingCountKind::UnderPawns => {
            format!("{enemy}'s pawns attack {squares} beside {king}")
        }
    }
}

fn danger_words(attack: KingAttack, side: Color) -> String {
    let king = format!("{}'s king", side_name(side));
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(role_name);
    let attackers: Vec<String> = attack
        .attackers
        .into_iter()
        .zip(roles)
        .filter_map(|(number, role)| match number {
            0 => None,
            1 => Some(format!("a {role}")),
            _ => Some(none_or_counted(usize::from(number), role)),
        })
        .collect();
    let checks = attack.safe_checks.into_iter().zip(roles);
    let checks: Vec<String> = checks
        .filter(|(is_safe, _)| *is_safe)
        .map(|(_, role)| role.to_owned())
        .collect();
    let mut words = match attack.attackers.into_iter().sum::<u8>() {
        0 => format!("nothing bears on {king}"),
        1 => format!("{} bears on {king}", listed(&attackers)),
        _ => format!("{} bear on {king}", listed(&attackers)),
    };
    if attack.weak > 0 {
        words += &format!(
            ", {}",
            none_or_counted(usize::from(attack.weak), "weak square")
        );
    }
    if !checks.is_empty() {
        words += &format!(", safe checks by {}", listed(&checks));
    }
    words
}

fn path_words(path: PassedPath) -> String {
    let mut words = format!("the passed pawn on {}", path.pawn);
    words += match (path.stop, path.path) {
        (Stop::Free, Path::Free) => " has a free path",
        (Stop::Free, Path::Occupied) => " has a piece on its path",
        (Stop::Free, Path::Attacked) if path.is_stop_attacked => " is stopped by an attack",
        (Stop::Free, Path::Attacked) => " can move, but its path is attacked",
        (Stop::Own, _) => " stands behind a piece of its own",
        (Stop::Minor, _) => " is blocked by a knight or bishop",
        (Stop::Rook, _) => " is blocked by a rook",
        (Stop::Queen, _) => " is blocked by a queen",
        (Stop::King, _) => " is blocked by the king",
    };
    words += match path.behind {
        Behind::None => "",
        Behind::Own => ", with a rook or queen behind it",
        Behind::Enemy => ", with an enemy rook or queen behind it",
    };
    words
}

fn pair_words(pair: AttackPair) -> String {
    let (attacker, from) = pair.attacker;
    let (victim, to) = pair.victim;
    let verb = if attacker.color == victim.color {
        "defends"
    } else {
        "attacks"
    };
    let [one, other] = [(attacker, from), (victim, to)].map(|(piece, on)| piece_on(piece.role, on));
    format!("{one} {verb} {other}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use squarewise_engine::evaluation::TableSet;
    use squarewise_engine::evaluation::breakdown::Source;
    use squarewise_engine::position::from_fen;

    fn breakdown(fen: &str) -> Breakdown {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        Breakdown::of(&position, &TableSet::Attacks.tables())
    }

    #[test]
    fn each_attack_is_a_sentence_with_its_pieces() {
        let breakdown = breakdown("7k/1p1r4/2p5/4N3/n7/1B6/P7/2R3K1 w - - 0 1");
        let all: Vec<String> = breakdown.attacks.iter().map(words).collect();
        for expected in [
            "Black's rook on d7, which nothing defends, is attacked by a knight",
            "Black's pawn on c6, which a pawn defends, is attacked by a knight and a rook",
            "the knight on e5 attacks the rook on d7",
            "the pawn on b7 defends the pawn on c6",
            "the pawn on a2 defends the bishop on b3",
        ] {
            assert!(
                all.iter().any(|words| words == expected),
                "{expected}: {all:#?}"
            );
        }
    }

    #[test]
    fn a_king_under_attack_and_a_passed_pawn_are_described() {
        let breakdown = breakdown("6k1/5ppp/5N2/6Q1/8/P7/5PPP/6K1 b - - 0 1");
        let all: Vec<String> = breakdown.attacks.iter().map(words).collect();
        let begins = |begin: &str| all.iter().any(|words| words.starts_with(begin));
        assert!(
            begins("a knight and a queen bear on Black's king"),
            "{all:#?}"
        );
        assert!(
            all.contains(&"3 own pieces beside Black's king".to_owned()),
            "{all:#?}"
        );
        assert!(begins("the passed pawn on a3 has a free path"), "{all:#?}");
        assert!(begins("the queen on g5 bears on "), "{all:#?}");
    }

    #[test]
    fn attacks_add_up_to_their_families() {
        let breakdown =
            breakdown("r1bq1rk1/pp3ppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQ - 0 8");
        let families = breakdown.beyond_pieces.iter();
        for term in families {
            let family = match term.source {
                Source::Family(family) if family.is_attacks() => family,
                _ => continue,
            };
            let attacks = breakdown.attacks.iter();
            let of_family = attacks.filter(|attack| attack.feature.family() == family);
            let sum: i32 = of_family.map(|attack| attack.value).sum();
            assert_eq!(sum, term.value(), "{family:?}");
        }
        let largest = largest_attacks(&breakdown, 5);
        assert_eq!(largest.len(), 5);
        assert!(largest.is_sorted_by_key(|(_, value)| -value.abs()));
    }
}
