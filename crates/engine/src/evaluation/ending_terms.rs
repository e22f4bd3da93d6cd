//! The terms of an ending that has tables of its own in a [`Breakdown`](super::Breakdown).

use shakmaty::{Board, Color};

use super::endings::Men;
use super::rounding::{ExactPart, apportion, numerator};
use super::tables::Tables;
use super::tapered_score::TaperedScore;
use super::terms::{EndingTerm, FamilyTerm, Source};

/// Every entry that a position adds up; `None` unless it is an ending that the tables know.
pub(super) fn on(board: &Board, turn: Color, tables: &Tables) -> Option<Vec<EndingTerm>> {
    let endings = tables.endings()?;
    let men = Men::on(board, turn)?;
    let scores = endings.scores(men.ending, men.is_strong_turn);
    let mut terms = Vec::new();
    men.for_each_entry(|place, entry| {
        let score = i32::from(scores[place]);
        let units = men.strong.fold_wb(score, -score);
        let exact = TaperedScore {
            middlegame: units,
            endgame: units,
        };
        terms.push(EndingTerm {
            entry,
            exact,
            value: 0,
        });
    });
    Some(terms)
}

/// The sum of the entries, from White's point of view.
pub(super) fn sum(terms: &[EndingTerm]) -> TaperedScore {
    terms.iter().map(|term| term.exact).sum()
}

/// What the ending is worth, to the side that it is good for.
pub(super) fn family(terms: &[EndingTerm]) -> FamilyTerm {
    let sum = sum(terms);
    let none = TaperedScore::default();
    FamilyTerm {
        source: Source::Ending,
        exact: if sum.endgame < 0 {
            [-sum, none]
        } else {
            [none, sum]
        },
        sides: [0; 2],
    }
}

/// Gives each entry its value: they add up to `total`.
pub(super) fn round(terms: &mut [EndingTerm], total: i32, phase: i32) {
    let part = |term: &EndingTerm| ExactPart {
        numerator: numerator(Color::White, term.exact, phase),
        is_material: false,
    };
    let exact: Vec<ExactPart> = terms.iter().map(part).collect();
    for (term, value) in terms.iter_mut().zip(apportion(&exact, total)) {
        term.value = value;
    }
}
