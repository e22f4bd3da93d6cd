//! The sentence: what decides an evaluation.
//!
//! Most of an evaluation cancels out: both sides have a knight on a fair square. So the pieces of each kind are paired
//! off, each with the one that stands most alike, and what is left of each pair is a reason. The sentence names the reasons that make up most
//! of the evaluation, and the strongest one against it. Every number in it is a share of White or a difference of two,
//! in centipawns from White's point of view.

use shakmaty::{Color, Rank, Role, Square};

use super::material::{Difference, material_difference};
use super::words::{bonus, color_name, name, role_name, side_name, signed};
use squarewise_engine::evaluation::shares::{PieceShare, Shares, Table};

/// The most reasons that are named.
const MAX_REASONS: usize = 3;

/// Reasons are named until they make up this part of what speaks for the evaluation, in per cent.
const ENOUGH_PERCENT: i32 = 65;

/// A reason below this many centipawns decides nothing.
const MIN_REASON: i32 = 8;

/// A reason against the evaluation is named if it is at least this part of the strongest one for it, in per cent.
const MIN_OPPOSED_PERCENT: i32 = 50;

/// A pair of pawns is named if it makes up this part of what all pawns do, in per cent.
const SINGLE_PAWN_PERCENT: i32 = 70;

/// An evaluation closer to zero than this many centipawns is called level.
const LEVEL: i32 = 15;

/// A piece within this many king's moves of a king is near it.
const NEAR: u32 = 3;

/// Something that makes the evaluation what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Reason {
    /// What it is worth to White, in centipawns.
    value: i32,
    /// In words, with the value.
    words: String,
}

/// What decides the evaluation, in one sentence, such as `+84: the white knight on e5, +31 for its square near the
/// black king; ...`. All numbers are centipawns from White's point of view.
pub fn sentence(shares: &Shares) -> String {
    let reasons = reasons(shares);
    let total = shares.total;
    // A level evaluation has no direction: the reasons for White come first.
    let direction = if total < 0 { -1 } else { 1 };
    let strength = |reason: &Reason| direction * reason.value;
    let (mut pro, mut contra): (Vec<&Reason>, Vec<&Reason>) =
        reasons.iter().partition(|reason| strength(reason) > 0);
    pro.sort_by_key(|reason| -strength(reason));
    contra.sort_by_key(|reason| strength(reason));

    let all: i32 = pro.iter().map(|reason| strength(reason)).sum();
    let mut named = Vec::new();
    let mut sum = 0;
    for reason in pro.iter().take(MAX_REASONS) {
        let is_worth_it = strength(reason) >= MIN_REASON.max(all / 10);
        if 100 * sum >= ENOUGH_PERCENT * all || !is_worth_it {
            break;
        }
        sum += strength(reason);
        named.push(reason.words.clone());
    }
    let strongest = pro.first().map_or(0, |reason| strength(reason));
    let min_opposed = MIN_REASON.max(strongest * MIN_OPPOSED_PERCENT / 100);
    let opposed = contra
        .first()
        .filter(|reason| -strength(reason) >= min_opposed);

    let words = if named.is_empty() {
        "nothing stands out".to_owned()
    } else {
        named.join("; ")
    };
    let level = if total.abs() < LEVEL { ", level" } else { "" };
    let against = opposed.map_or_else(String::new, |reason| {
        format!("; against it, {}", reason.words)
    });
    format!("{}{level}: {words}{against}", signed(total))
}

/// Everything that makes the evaluation what it is; the values add up to it.
fn reasons(shares: &Shares) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = Role::ALL
        .into_iter()
        .flat_map(|role| of_role(shares, role))
        .collect();
    let Difference { value, words } = material_difference(shares);
    let words = words.unwrap_or_else(|| "material".to_owned());
    let words = format!("{words} ({})", signed(value));
    reasons.push(Reason { value, words });
    let turn = side_name(shares.turn);
    reasons.push(Reason {
        value: shares.tempo,
        words: format!("{turn} to move, {}", signed(shares.tempo)),
    });
    reasons.retain(|reason| reason.value != 0);
    reasons
}

/// A white and a black piece of one kind; a piece can be without a counterpart.
type Pair<'a> = [Option<&'a PieceShare>; 2];

/// The pieces of a kind in pairs, those first that stand most alike as seen from their own sides.
fn pairs_of(shares: &Shares, role: Role) -> Vec<Pair<'_>> {
    let [mut white, mut black] = [Color::White, Color::Black].map(|side| {
        let pieces = shares.pieces.iter();
        let pieces = pieces.filter(|share| share.piece == role.of(side));
        pieces.collect::<Vec<&PieceShare>>()
    });
    let mut pairs = Vec::new();
    while !white.is_empty() && !black.is_empty() {
        let all = (0..white.len()).flat_map(|one| (0..black.len()).map(move |two| (one, two)));
        let nearest = all.min_by_key(|(one, two)| {
            let (one, two) = (white[*one].square, black[*two].square.flip_vertical());
            2 * one.file().distance(two.file()) + one.rank().distance(two.rank())
        });
        let Some((one, two)) = nearest else { break };
        pairs.push([Some(white.swap_remove(one)), Some(black.swap_remove(two))]);
    }
    pairs.extend(white.into_iter().map(|share| [Some(share), None]));
    pairs.extend(black.into_iter().map(|share| [None, Some(share)]));
    pairs
}

/// What the squares of the pieces of a kind are worth, as far as it doesn't cancel out.
fn of_role(shares: &Shares, role: Role) -> Vec<Reason> {
    let net = |pair: &Pair| -> i32 { pair.iter().flatten().map(|share| bonus(share)).sum() };
    let reason = |pair: &Pair| Reason {
        value: net(pair),
        words: of_pair(shares, pair, net(pair)),
    };
    let pairs = pairs_of(shares, role);
    if role != Role::Pawn {
        return pairs.iter().map(reason).collect();
    }
    // Pawns work together, so they are one reason, unless a single one stands out.
    let all: i32 = pairs.iter().map(net).sum();
    let strength = |pair: &Pair| net(pair) * all.signum();
    let strongest = pairs.iter().max_by_key(|pair| strength(pair));
    // If they cancel out, none does.
    let stands_out = strongest
        .filter(|pair| all != 0 && 100 * strength(pair) >= SINGLE_PAWN_PERCENT * all.abs());
    let value = all - stands_out.map_or(0, net);
    let others = pairs.iter().filter(|pair| Some(*pair) != stands_out);
    let others: Vec<&PieceShare> = others.flatten().flatten().copied().collect();
    let words = of_pawns(shares, &others, value, stands_out.is_some());
    let others = Reason { value, words };
    stands_out.map(reason).into_iter().chain([others]).collect()
}

/// What pawns together are worth, in words; `are_others` if one of them is a reason of its own.
fn of_pawns(shares: &Shares, pawns: &[&PieceShare], value: i32, are_others: bool) -> String {
    let better_side = Color::from_white(value > 0);
    // A side without such pawns has none that stand better: those of the other side stand worse.
    let (side, how) = if pawns.iter().any(|pawn| pawn.piece.color == better_side) {
        (better_side, "better")
    } else {
        (!better_side, "worse")
    };
    let (side, number) = (side_name(side), signed(value));
    let others = if are_others { "other pawns" } else { "pawns" };
    if shares.pairs.is_empty() {
        format!("{side}'s {others} on {how} squares, {number}")
    } else {
        format!("{side}'s {others} in {how} shape, {number}")
    }
}

/// What the square of a piece adds, good for its owner if it is positive.
fn worth(share: &PieceShare) -> i32 {
    share.piece.color.fold_wb(bonus(share), -bonus(share))
}

/// A pair of pieces that differ by `net`, in words.
fn of_pair(shares: &Shares, pair: &Pair, net: i32) -> String {
    // The piece that departs most from the average in this direction comes first.
    let mut pieces: Vec<&PieceShare> = pair.iter().flatten().copied().collect();
    pieces.sort_by_key(|share| -net.signum() * bonus(share));
    let mut pieces = pieces.into_iter();
    match (pieces.next(), pieces.next()) {
        (Some(piece), Some(other)) if 4 * bonus(other).abs() > net.abs() => {
            let (better, worse) = if worth(piece) >= worth(other) {
                (piece, other)
            } else {
                (other, piece)
            };
            let covering = if covers_king(shares, better) {
                ", covering its king,"
            } else {
                ""
            };
            let (better, worse) = (name(better), name(worse));
            let number = signed(net);
            format!("{better}{covering} on a better square than {worse}, {number}")
        }
        (Some(piece), _) => {
            let number = signed(bonus(piece));
            format!("{}, {number} {}", name(piece), place(shares, piece))
        }
        (None, _) => String::new(),
    }
}

/// What is to be said about the square of a piece.
fn place(shares: &Shares, share: &PieceShare) -> String {
    let side = share.piece.color;
    if let Some(words) = by_pawns(shares, share) {
        return words;
    }
    if worth(share) <= 0 {
        return "for its poor square".to_owned();
    }
    let is_far_advanced = match side {
        Color::White => share.square.rank() >= Rank::Fifth,
        Color::Black => share.square.rank() <= Rank::Fourth,
    };
    if covers_king(shares, share) {
        return "covering its king".to_owned();
    }
    if 2 * share.passed_bonus.abs() > bonus(share).abs() {
        return "because it is passed".to_owned();
    }
    if share.piece.role == Role::Pawn && is_far_advanced {
        return "because it is far advanced".to_owned();
    }
    let [own, enemy] = [Table::OwnKing, Table::EnemyKing].map(|table| share.term(table));
    let is_against_king = side.fold_wb(enemy - own, own - enemy) > 0;
    let king = king_of(shares, !side);
    let is_near = king.is_some_and(|king| king.distance(share.square) <= NEAR);
    if share.piece.role != Role::King && is_against_king && is_near {
        format!("for its square near the {} king", color_name(!side))
    } else {
        "for its square".to_owned()
    }
}

/// What is to be said about a piece that owes the pawns more than half of what its place adds.
fn by_pawns(shares: &Shares, share: &PieceShare) -> Option<String> {
    let direction = bonus(share).signum();
    let by_pawns = direction * share.term(Table::Pawns);
    if 2 * by_pawns <= bonus(share).abs() {
        return None;
    }
    let strongest = shares
        .pairs_of(share.square)
        .max_by_key(|(_, part)| direction * part);
    let words = match strongest {
        Some(((other, square), part)) if 2 * direction * part > by_pawns => {
            let preposition = if other.color == share.piece.color {
                "with"
            } else {
                "against"
            };
            format!("{preposition} the {} on {square}", role_name(other.role))
        }
        _ => "for how the pawns stand".to_owned(),
    };
    Some(words)
}

/// Whether a piece is a pawn right in front of its own king, which gives it its value.
fn covers_king(shares: &Shares, share: &PieceShare) -> bool {
    let side = share.piece.color;
    let Some(king) = king_of(shares, side) else {
        return false;
    };
    let [pawn_rank, king_rank] = [share.square, king].map(|square| i32::from(square.rank()));
    let ahead = side.fold_wb(pawn_rank - king_rank, king_rank - pawn_rank);
    let own = share.term(Table::OwnKing);
    share.piece.role == Role::Pawn
        && (1..=2).contains(&ahead)
        && king.file().distance(share.square.file()) <= 1
        && side.fold_wb(own, -own) > 0
}

fn king_of(shares: &Shares, side: Color) -> Option<Square> {
    let mut kings = shares.pieces.iter();
    let king = kings.find(|share| share.piece == Role::King.of(side));
    king.map(|king| king.square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use squarewise_engine::evaluation::TableSet;
    use squarewise_engine::evaluation::shares::shares;
    use squarewise_engine::position::from_fen;

    fn said(fen: &str, set: TableSet) -> String {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        sentence(&shares(&position, &set.tables()))
    }

    #[test]
    fn what_both_sides_have_is_not_named() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(
            said(start, TableSet::Simplified),
            "0, level: nothing stands out"
        );
        let one_knight = "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 1";
        assert_eq!(
            said(one_knight, TableSet::Simplified),
            "+50: the black knight on b8, +40 for its poor square"
        );
    }

    #[test]
    fn a_piece_alone_is_named_with_its_own_number() {
        // The knight has 20 for its square, the kings nothing.
        let fen = "4k3/8/8/4N3/8/8/8/4K3 w - - 0 1";
        assert_eq!(
            said(fen, TableSet::Simplified),
            "+340: White is a knight up (+320)"
        );
        let fen = "4k3/8/8/4N3/8/8/3n4/4K3 w - - 0 1";
        assert_eq!(
            said(fen, TableSet::Simplified),
            "+20: the white knight on e5, +20 for its square"
        );
    }

    #[test]
    fn reasons_for_the_evaluation_come_before_the_one_against_it() {
        // Black is a pawn up, and the white knight stands better than the black one.
        let fen = "4k2n/4pp2/8/4N3/8/8/4P3/4K3 w - - 0 1";
        let said = said(fen, TableSet::Simplified);
        assert!(
            said.starts_with("-40: Black is a pawn up (-100); against it, "),
            "{said}"
        );
        assert!(
            said.contains(
                "the white knight on e5 on a better square than the black knight on h8, +70"
            ),
            "{said}"
        );
    }

    #[test]
    fn a_pawn_that_covers_its_king_is_called_so() {
        let fen = "r1bq1rk1/pp3pp1/2nb1n1p/3p4/3N4/2NBB2P/PPP2PP1/R2Q1RK1 w - - 2 11";
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        let shares = shares(&position, &TableSet::Learned.tables());
        let words = |square| place(&shares, shares.piece_on(square).expect("a pawn"));
        assert_eq!(words(Square::G2), "covering its king");
        assert_ne!(words(Square::A2), "covering its king");
    }

    #[test]
    fn a_side_without_pawns_has_none_on_better_squares() {
        let fen = "4k3/8/2n5/8/6P1/8/3PP3/4K3 w - - 0 1";
        let said = said(fen, TableSet::Simplified);
        assert!(
            said.contains("White's pawns on worse squares, -40"),
            "{said}"
        );
    }

    #[test]
    fn pawns_that_cancel_out_are_no_reason() {
        let fen = "4k3/4p3/8/3p4/4P3/8/3P4/4K3 w - - 0 1";
        assert_eq!(
            said(fen, TableSet::Simplified),
            "0, level: nothing stands out"
        );
    }

    #[test]
    fn all_reasons_together_are_the_evaluation() {
        for fen in [
            "r1bq1rk1/pp3pp1/2nb1n1p/3p4/3N4/2NBB2P/PPP2PP1/R2Q1RK1 w - - 2 11",
            "1r4rk/pN2q2p/1p6/2p1b3/1P1pBpn1/5Q2/PB1R3P/5R1K b - - 6 29",
            "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
        ] {
            let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
            let shares = shares(&position, &TableSet::Learned.tables());
            let sum: i32 = reasons(&shares).iter().map(|reason| reason.value).sum();
            assert_eq!(sum, shares.total, "{fen}");
        }
    }
}
