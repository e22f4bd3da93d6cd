//! The attacks of a [`Breakdown`](super::Breakdown): each with its score, added up by families, and
//! rounded so that they add up to these.

use shakmaty::{Board, Color};

use super::attacks::king_danger::Part;
use super::attacks::{AttackFeature, for_each_feature};
use super::features::Family;
use super::rounding::{ExactPart, apportion, numerator};
use super::tables::Tables;
use super::tapered_score::TaperedScore;
use super::terms::{AttackTerm, FamilyTerm, Source};

/// Every attack on a board with its score, in the order of the families; none if the tables know no
/// attacks. The parts of a king's danger are one term.
pub(super) fn on(board: &Board, turn: Color, tables: &Tables) -> Vec<AttackTerm> {
    let mut terms: Vec<AttackTerm> = Vec::new();
    if tables.attacks().is_none() {
        return terms;
    }
    for_each_feature(board, turn, |side, feature| {
        let index = tables.layout().range(feature.family()).start + feature.place();
        let exact = tables.score(index);
        // The whole comes first, its parts right behind it.
        if let AttackFeature::KingDanger(danger) = feature
            && danger.part != Part::Whole
            && let Some(whole) = terms.last_mut()
        {
            whole.exact += exact;
            return;
        }
        terms.push(AttackTerm {
            side,
            feature,
            exact,
            value: 0,
        });
    });
    terms.sort_by_key(|term| term.feature.family() as usize);
    terms
}

/// What each family of attacks is worth to each side.
pub(super) fn of_families(attacks: &[AttackTerm]) -> impl Iterator<Item = FamilyTerm> {
    let families = Family::ALL.into_iter().filter(|family| family.is_attacks());
    families.map(|family| {
        let mut exact = [TaperedScore::default(); 2];
        for attack in attacks
            .iter()
            .filter(|attack| attack.feature.family() == family)
        {
            exact[usize::from(attack.side)] += attack.exact;
        }
        FamilyTerm {
            source: Source::Family(family),
            exact,
            sides: [0; 2],
        }
    })
}

/// Gives each attack its value: those of a family and a side add up to its part of the term of the
/// family, which has been rounded.
pub(super) fn round(attacks: &mut [AttackTerm], families: &[FamilyTerm], phase: i32) {
    for term in families {
        let family = match term.source {
            Source::Family(family) if family.is_attacks() => family,
            _ => continue,
        };
        for side in Color::ALL {
            let mut of_side: Vec<&mut AttackTerm> = attacks
                .iter_mut()
                .filter(|attack| attack.side == side && attack.feature.family() == family)
                .collect();
            let part = |attack: &&mut AttackTerm| ExactPart {
                numerator: numerator(side, attack.exact, phase),
                is_material: false,
            };
            let exact: Vec<ExactPart> = of_side.iter().map(part).collect();
            let value = term.sides[usize::from(side)];
            let rounded = apportion(&exact, side.fold_wb(value, -value));
            for (attack, value) in of_side.iter_mut().zip(rounded) {
                attack.value = value;
            }
        }
    }
}
