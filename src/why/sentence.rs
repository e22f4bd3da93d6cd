//! The sentence: what decides an evaluation.
//!
//! Most of an evaluation cancels out: both sides have a knight on a fair square. So the pieces of each kind are paired
//! off, best against best, and what is left of each pair is a reason. The sentence names the reasons that make up most
//! of the evaluation, and the strongest one against it. Every number in it is a share of White or a difference of two,
//! in centipawns from White's point of view.

use shakmaty::{Color, Rank, Role, Square};

use super::material::{Difference, material_difference};
use crate::evaluation::shares::{PieceShare, Shares, Table};

/// The most reasons that are named.
const MAX_REASONS: usize = 3;

/// Reasons are named until they make up this part of what speaks for the evaluation, in per cent.
const ENOUGH_PERCENT: i32 = 65;

/// A reason below this many centipawns decides nothing.
const MIN_REASON: i32 = 8;

/// A reason against the evaluation is named if it is at least this part of the strongest one for it, in per cent.
const MIN_OPPOSED_PERCENT: i32 = 50;

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

    let mut words = if named.is_empty() {
        "nothing stands out".to_owned()
    } else {
        named.join("; ")
    };
    if total.abs() < LEVEL {
        words = format!("level: {words}");
    }
    let against = opposed.map_or_else(String::new, |reason| {
        format!("; against it, {}", reason.words)
    });
    format!("{}: {words}{against}", signed(total))
}

/// A number of centipawns with its sign; 0 has none.
pub(super) fn signed(value: i32) -> String {
    if value == 0 {
        "0".to_owned()
    } else {
        format!("{value:+}")
    }
}

/// Everything that makes the evaluation what it is; the values add up to it.
fn reasons(shares: &Shares) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = Role::ALL
        .into_iter()
        .flat_map(|role| of_role(shares, role))
        .collect();
    let Difference { value, words } = material_difference(shares);
    let words = words.map_or_else(
        || format!("material, {}", signed(value)),
        |words| format!("{words} ({})", signed(value)),
    );
    reasons.push(Reason { value, words });
    let turn = if shares.tempo > 0 { "White" } else { "Black" };
    reasons.push(Reason {
        value: shares.tempo,
        words: format!("{turn} to move, {}", signed(shares.tempo)),
    });
    reasons.retain(|reason| reason.value != 0);
    reasons
}

/// What the squares of the pieces of a kind are worth, as far as it doesn't cancel out.
fn of_role(shares: &Shares, role: Role) -> Vec<Reason> {
    let [mut white, mut black] = [Color::White, Color::Black].map(|side| {
        let pieces = shares.pieces.iter();
        let pieces = pieces.filter(|share| share.piece == role.of(side));
        pieces.collect::<Vec<&PieceShare>>()
    });
    white.sort_by_key(|share| -worth(share));
    black.sort_by_key(|share| -worth(share));
    let pairs = white.len().max(black.len());
    let pairs: Vec<[Option<&PieceShare>; 2]> = (0..pairs)
        .map(|place| [&white, &black].map(|side| side.get(place).copied()))
        .collect();
    let net = |pair: &[Option<&PieceShare>; 2]| -> i32 {
        pair.iter().flatten().map(|share| bonus(share)).sum()
    };
    if role != Role::Pawn {
        let reasons = pairs.iter().map(|pair| Reason {
            value: net(pair),
            words: of_pair(shares, pair, net(pair)),
        });
        return reasons.collect();
    }
    // Pawns work together, so they are one reason, unless a single one stands out.
    let all: i32 = pairs.iter().map(net).sum();
    let strongest = pairs.iter().max_by_key(|pair| net(pair) * all.signum());
    let stands_out = strongest.filter(|pair| 10 * net(pair) * all.signum() >= 7 * all.abs());
    let mut reasons = Vec::new();
    if let Some(pair) = stands_out {
        reasons.push(Reason {
            value: net(pair),
            words: of_pair(shares, pair, net(pair)),
        });
    }
    let value = all - stands_out.map_or(0, net);
    let side = if value > 0 { "White" } else { "Black" };
    let others = if stands_out.is_some() {
        "other pawns"
    } else {
        "pawns"
    };
    reasons.push(Reason {
        value,
        words: format!("{side}'s {others} on better squares, {}", signed(value)),
    });
    reasons
}

/// What the square of a piece adds, from White's point of view.
pub(super) fn bonus(share: &PieceShare) -> i32 {
    share.total() - share.term(Table::Material)
}

/// What the square of a piece adds, good for its owner if it is positive.
fn worth(share: &PieceShare) -> i32 {
    share.piece.color.fold_wb(bonus(share), -bonus(share))
}

/// A pair of pieces that differ by `net`, in words.
fn of_pair(shares: &Shares, pair: &[Option<&PieceShare>; 2], net: i32) -> String {
    // The piece that departs most from the average in this direction, and the other one.
    let mut pieces: Vec<&PieceShare> = pair.iter().flatten().copied().collect();
    pieces.sort_by_key(|share| -net.signum() * bonus(share));
    let Some((piece, others)) = pieces.split_first() else {
        return String::new();
    };
    let is_alone = others
        .iter()
        .all(|other| 4 * bonus(other).abs() <= net.abs());
    if is_alone || piece.piece.role == Role::Pawn {
        let number = if is_alone { bonus(piece) } else { net };
        let number = signed(number);
        return format!("{}, {number} {}", name(piece), place(shares, piece));
    }
    let (better, worse) = if worth(piece) >= worth(others[0]) {
        (*piece, others[0])
    } else {
        (others[0], *piece)
    };
    format!(
        "{} on a better square than {}, {}",
        name(better),
        name(worse),
        signed(net)
    )
}

/// A piece in words, such as "the white knight on e5".
pub(super) fn name(share: &PieceShare) -> String {
    let (side, role) = (color_name(share.piece.color), role_name(share.piece.role));
    format!("the {side} {role} on {}", share.square)
}

/// What is to be said about the square of a piece.
fn place(shares: &Shares, share: &PieceShare) -> String {
    let piece = share.piece;
    let king = |side: Color| -> Option<Square> {
        let mut kings = shares.pieces.iter();
        let king = kings.find(|other| other.piece == Role::King.of(side));
        king.map(|king| king.square)
    };
    let side = piece.color;
    let sign = side.fold_wb(1, -1) * worth(share).signum();
    // The table that most of the bonus comes from.
    let [own, enemy] = [Table::OwnKing, Table::EnemyKing].map(|table| sign * share.term(table));
    let quality = if worth(share) > 0 { "" } else { "poor " };
    let is_far_advanced = match side {
        Color::White => share.square.rank() >= Rank::Fifth,
        Color::Black => share.square.rank() <= Rank::Fourth,
    };
    if piece.role == Role::King {
        return format!("for its {quality}square");
    }
    if piece.role == Role::Pawn && is_far_advanced && worth(share) > 0 {
        return "because it is far advanced".to_owned();
    }
    let near = |side: Color| king(side).is_some_and(|king| king.distance(share.square) <= NEAR);
    let (other, near_other, near_own) = (color_name(!side), near(!side), near(side));
    if enemy > own && near_other && worth(share) > 0 {
        format!("for its square near the {other} king")
    } else if own > enemy && near_own && worth(share) > 0 {
        "for its square near its own king".to_owned()
    } else if enemy > own && !near_other && worth(share) < 0 {
        format!("for its poor square, away from the {other} king")
    } else {
        format!("for its {quality}square")
    }
}

/// The name of a side inside a sentence.
pub(super) fn color_name(side: Color) -> &'static str {
    side.fold_wb("white", "black")
}

/// The name of a kind of piece inside a sentence.
pub(super) fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
