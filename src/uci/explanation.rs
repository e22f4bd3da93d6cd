//! The answer to `eval`: where the evaluation of a position comes from, piece by piece and pawn by pawn.

use crate::evaluation::TaperedScore;
use crate::evaluation::explain::{Contribution, Explanation};
use crate::evaluation::shares::{PieceShare, Shares, Table};
use crate::wdl::WinDrawLoss;
use crate::why::role_name;

/// The most pawns that are named for one piece; the others are one number.
const MAX_NAMED_PAWNS: usize = 4;

/// The terms of an evaluation: a row for each piece, one for each family of tables whose scores belong to no single
/// piece, what the pawns and being passed do for each piece, then the sums, `why` (the sentence that says what
/// decides) and the result to expect.
pub(super) fn explanation(
    explanation: &Explanation,
    shares: &Shares,
    why: &str,
    expected: WinDrawLoss,
) -> Vec<String> {
    let has_pairs = !explanation.pairs.is_empty();
    let mut header = "square  piece  material (mg, eg)  table (mg, eg)".to_owned();
    if has_pairs {
        header += "  pawns (mg, eg)";
    }
    let mut lines = vec![header + "    sum (mg, eg)"];
    lines.extend(explanation.contributions.iter().map(|part| {
        let (material, table, pawns) = (part.piece_value, part.square_bonus, part.pawn_bonus);
        let mut sum = material;
        sum += table;
        sum += pawns;
        let of_pawns = if has_pairs {
            format!("  {:6} {:6}", pawns.middlegame, pawns.endgame)
        } else {
            String::new()
        };
        format!(
            "{:6}  {:5}  {:8} {:8}  {:6} {:6}{of_pawns}  {:8} {:6}",
            part.square.to_string(),
            part.piece.char(),
            material.middlegame,
            material.endgame,
            table.middlegame,
            table.endgame,
            sum.middlegame,
            sum.endgame,
        )
    }));
    let is_passed = |part: &Contribution| part.passed_bonus != TaperedScore::default();
    if has_pairs || explanation.contributions.iter().any(is_passed) {
        lines.push("in centipawns of this phase, for White:".to_owned());
        lines.extend(
            shares
                .pieces
                .iter()
                .map(|share| piece_in_words(shares, share)),
        );
    }
    let beyond_pieces = explanation.beyond_pieces.iter();
    lines.extend(beyond_pieces.map(|(family, [black, white])| {
        let (name, [white, black]) = (family.name(), [white, black].map(mg_eg));
        format!("{name} (mg, eg): White {white}, Black {black}")
    }));
    lines.push(format!(
        "balance for White: middlegame {}, endgame {}; phase: middlegame {} %; on the move: {}",
        explanation.balance.middlegame,
        explanation.balance.endgame,
        explanation.middlegame_share(),
        explanation.tempo,
    ));
    let WinDrawLoss { win, draw, loss } = expected;
    lines.extend([
        format!("what decides: {why}"),
        format!("expected result of 1000 games: {win} wins, {draw} draws, {loss} losses"),
        "cp are the engine's own centipawns: at 100 half of all middlegames are won".to_owned(),
        format!("evaluation {} cp", explanation.score.value()),
    ]);
    lines
}

/// The share of a piece with the pawns that matter most to it, such as `knight e5 +312: material +289, square -2,
/// with pawn d4 +14, against pawn d6 +11`. What a passed pawn is worth for being one stands apart from its square.
/// The numbers add up.
fn piece_in_words(shares: &Shares, share: &PieceShare) -> String {
    let bonus = share.total() - share.term(Table::Material) - share.term(Table::Pawns);
    let mut parts = vec![
        format!("material {}", signed(share.term(Table::Material))),
        format!("square {}", signed(bonus - share.passed_bonus)),
    ];
    if share.passed_bonus != 0 {
        parts.push(format!("passed {}", signed(share.passed_bonus)));
    }
    let mut pairs: Vec<_> = shares.pairs_of(share.square).collect();
    pairs.sort_by_key(|((_, square), part)| (-part.abs(), *square));
    let named = pairs.len().min(MAX_NAMED_PAWNS);
    parts.extend(pairs[..named].iter().map(|((piece, square), part)| {
        let preposition = if piece.color == share.piece.color {
            "with"
        } else {
            "against"
        };
        let role = role_name(piece.role);
        format!("{preposition} {role} {square} {}", signed(*part))
    }));
    if pairs.len() > named {
        let others: i32 = pairs[named..].iter().map(|(_, part)| part).sum();
        parts.push(format!(
            "{} other pawns {}",
            pairs.len() - named,
            signed(others)
        ));
    }
    let (role, square) = (role_name(share.piece.role), share.square);
    let parts = parts.join(", ");
    format!("  {role} {square} {}: {parts}", signed(share.total()))
}

fn signed(value: i32) -> String {
    format!("{value:+}")
}

fn mg_eg(score: &TaperedScore) -> String {
    format!("{} {}", score.middlegame, score.endgame)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::TableSet;
    use crate::evaluation::explain::explain;
    use crate::evaluation::shares::shares;
    use shakmaty::Chess;

    #[test]
    fn an_explanation_has_a_line_for_every_family_by_name() {
        let tables = TableSet::Simplified.tables();
        let lines = explanation(
            &explain(&Chess::default(), &tables),
            &shares(&Chess::default(), &tables),
            "the game is level",
            WinDrawLoss::DRAW,
        );
        let beyond_pieces: Vec<&str> = lines[1 + 32..].iter().map(String::as_str).collect();
        assert_eq!(
            beyond_pieces,
            [
                "material imbalance (mg, eg): White 0 0, Black 0 0",
                "balance for White: middlegame 0, endgame 0; phase: middlegame 100 %; on the move: 0",
                "what decides: the game is level",
                "expected result of 1000 games: 0 wins, 1000 draws, 0 losses",
                "cp are the engine's own centipawns: at 100 half of all middlegames are won",
                "evaluation 0 cp",
            ]
        );
    }
}
