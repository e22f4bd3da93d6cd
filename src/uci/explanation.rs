//! The answer to `eval`: where the evaluation of a position comes from, piece by piece and pawn by
//! pawn.

use squarewise_desk::notation::role_name;
use squarewise_desk::why::{ending_parts, largest_attacks};
use squarewise_engine::evaluation::TaperedScore;
use squarewise_engine::evaluation::breakdown::{Breakdown, PieceTerms, Table};
use squarewise_engine::wdl::WinDrawLoss;

/// The most pawns that are named for one piece; the others are one number.
const MAX_NAMED_PAWNS: usize = 4;

/// The most attacks that are named.
const MAX_NAMED_ATTACKS: usize = 12;

/// The terms of an evaluation: a row for each piece, one for each family of tables whose scores
/// belong to no single piece, what the pawns and being passed do for each piece, then the sums,
/// `why` (the sentence that says what decides) and the result to expect.
pub(super) fn explanation(breakdown: &Breakdown, why: &str, expected: WinDrawLoss) -> Vec<String> {
    let mut lines = exact_rows(breakdown);
    let is_passed = |piece: &PieceTerms| piece.passed.exact != TaperedScore::default();
    if !breakdown.pairs.is_empty() || breakdown.pieces.iter().any(is_passed) {
        lines.push("in centipawns of this phase, for White:".to_owned());
        let pieces = breakdown.pieces.iter();
        lines.extend(pieces.map(|piece| piece_in_words(breakdown, piece)));
    }
    lines.extend(breakdown.shown_beyond_pieces().map(|term| {
        let [black, white] = term.exact.map(mg_eg);
        let name = term.source.name();
        format!("{name} (mg, eg): White {white}, Black {black}")
    }));
    for (heading, parts) in [
        (
            "what counts in this ending, in centipawns, for White:",
            ending_parts(breakdown),
        ),
        (
            "what attacks add most, in centipawns of this phase, for White:",
            largest_attacks(breakdown, MAX_NAMED_ATTACKS),
        ),
    ] {
        if !parts.is_empty() {
            lines.push(heading.to_owned());
            let parts = parts.iter();
            lines.extend(parts.map(|(words, value)| format!("  {words} {value:+}")));
        }
    }
    let balance = breakdown.balance.in_centipawns();
    lines.push(format!(
        "balance for White: middlegame {}, endgame {}; phase: middlegame {} %; on the move: {}",
        balance[0],
        balance[1],
        breakdown.middlegame_share(),
        breakdown.turn.fold_wb(breakdown.tempo, -breakdown.tempo),
    ));
    let WinDrawLoss { win, draw, loss } = expected;
    lines.extend([
        format!("what decides: {why}"),
        format!("expected result of 1000 games: {win} wins, {draw} draws, {loss} losses"),
        "cp are the engine's own centipawns: at 100 about half of middlegames are won".to_owned(),
        format!("evaluation {} cp", breakdown.score.value()),
    ]);
    lines
}

/// The exact scores of each piece below a header, good for its owner if they are positive.
fn exact_rows(breakdown: &Breakdown) -> Vec<String> {
    let has_pairs = !breakdown.pairs.is_empty();
    let mut header = "square  piece  material (mg, eg)  table (mg, eg)".to_owned();
    if has_pairs {
        header += "  pawns (mg, eg)";
    }
    let mut lines = vec![header + "    sum (mg, eg)"];
    lines.extend(breakdown.pieces.iter().map(|piece| {
        let material = piece.exact(|table| table == Table::Material);
        let pawns = piece.exact(|table| table == Table::Pawns);
        let table = piece.exact(|table| ![Table::Material, Table::Pawns].contains(&table));
        let sum = piece.exact(|_| true);
        let [material, pawns, table, sum] =
            [material, pawns, table, sum].map(TaperedScore::in_centipawns);
        let of_pawns = if has_pairs {
            format!("  {:6} {:6}", pawns[0], pawns[1])
        } else {
            String::new()
        };
        format!(
            "{:6}  {:5}  {:8} {:8}  {:6} {:6}{of_pawns}  {:8} {:6}",
            piece.square.to_string(),
            piece.piece.char(),
            material[0],
            material[1],
            table[0],
            table[1],
            sum[0],
            sum[1],
        )
    }));
    lines
}

/// The share of a piece with the pawns that matter most to it, such as `knight e5 +312: material
/// +289, square -2, with pawn d4 +14, against pawn d6 +11`. What a passed pawn is worth for being
/// one stands apart from its square. The numbers add up.
fn piece_in_words(breakdown: &Breakdown, share: &PieceTerms) -> String {
    let bonus = share.bonus() - share.term(Table::Pawns);
    let mut parts = vec![
        format!("material {:+}", share.term(Table::Material)),
        format!("square {:+}", bonus - share.passed.value),
    ];
    if share.passed.value != 0 {
        parts.push(format!("passed {:+}", share.passed.value));
    }
    let mut pairs: Vec<_> = breakdown.pairs_of(share.square).collect();
    pairs.sort_by_key(|((_, square), part)| (-part.abs(), *square));
    let named = pairs.len().min(MAX_NAMED_PAWNS);
    parts.extend(pairs[..named].iter().map(|((piece, square), part)| {
        let preposition = if piece.color == share.piece.color {
            "with"
        } else {
            "against"
        };
        let role = role_name(piece.role);
        format!("{preposition} {role} {square} {part:+}")
    }));
    if pairs.len() > named {
        let others: i32 = pairs[named..].iter().map(|(_, part)| part).sum();
        parts.push(format!("{} other pawns {others:+}", pairs.len() - named));
    }
    let (role, square) = (role_name(share.piece.role), share.square);
    let parts = parts.join(", ");
    format!("  {role} {square} {:+}: {parts}", share.total())
}

fn mg_eg(score: TaperedScore) -> String {
    let [middlegame, endgame] = score.in_centipawns();
    format!("{middlegame} {endgame}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Chess;
    use squarewise_engine::evaluation::TableSet;

    #[test]
    fn an_explanation_has_a_line_for_every_family_by_name() {
        let tables = TableSet::Simplified.tables();
        let lines = explanation(
            &Breakdown::of(&Chess::default(), &tables),
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
                "cp are the engine's own centipawns: at 100 about half of middlegames are won",
                "evaluation 0 cp",
            ]
        );
    }
}
