//! Strategy in words: where the largest differences of the evaluation come from, when nothing is
//! won or lost by force.
//!
//! A piece is named if something on the board is good or bad about it, such as a file, an outpost
//! or a king with open squares around it, unless the evaluation clearly says the opposite. The more
//! the evaluation agrees, the earlier it is named.

use shakmaty::attacks::attacks;
use shakmaty::{Bitboard, Board, Color, File, Position, Rank, Role, Square};
use squarewise_engine::position::variant_position::VariantPosition;

use super::drawish_words::{drawn_ending, likely_draw};
use super::exchanges::{can_trade, hanging, pins};
use super::material::material_in_words;
use super::pawn_endings::told_of_pawn_ending;
use super::piece_traits::{in_words, pawns_of};
use super::words::{end_of_game, leader, piece_of_side, side_name, standing};
use squarewise_engine::evaluation::breakdown::{Breakdown, PieceTerms};
use squarewise_engine::position::game::Game;
use squarewise_engine::position::played_move::captured_square;
use squarewise_engine::score::Score;

/// The evaluation contradicts a trait if it differs from the average of its kind by this many
/// centipawns the other way.
const CONTRADICTION: i32 = 8;

/// The most traits that are named.
const MAX_NAMED: usize = 3;

/// Pieces are more active if they reach this many squares more than the enemy's.
const MORE_SQUARES: i32 = 6;

/// Development counts while at least so many men are on the board.
const OPENING_MEN: usize = 26;

/// Something on the board that is good or bad for a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trait {
    /// The side that it is good for.
    pub favors: Color,
    /// How much it is worth saying, in centipawns: a fixed part and, for a piece on its square,
    /// what the evaluation adds.
    pub weight: i32,
    /// In words, such as "White's rook on e1 has the open e-file".
    pub words: String,
}

impl Trait {
    /// Whether it is about a pawn on its square.
    pub(super) fn is_about_pawn(&self) -> bool {
        self.words.contains("'s pawn on ")
    }

    /// The words without side and square: what both sides have in the same way is no difference.
    fn kind(&self) -> String {
        let is_kept = |word: &&str| {
            let is_square = word.parse::<Square>().is_ok();
            !is_square
                && !word.starts_with(|c: char| c.is_uppercase())
                && word.parse::<u32>().is_err()
        };
        let words: Vec<&str> = self.words.split(' ').filter(is_kept).collect();
        words.join(" ")
    }
}

/// The traits of a position, the weightiest first.
pub(super) fn traits(position: &VariantPosition, breakdown: &Breakdown) -> Vec<Trait> {
    let board = position.board();
    let mut traits = Vec::new();
    for share in &breakdown.pieces {
        let piece = share.piece;
        let difference = worth(share) - average(breakdown, piece.role);
        for is_good in [true, false] {
            let said = if is_good { difference } else { -difference };
            let favors = if is_good { piece.color } else { !piece.color };
            let seen = in_words(position, piece, share.square, is_good);
            let seen = seen.filter(|_| said > -CONTRADICTION);
            traits.extend(seen.map(|(weight, words)| Trait {
                favors,
                weight: weight + said,
                words: format!("{} {words}", piece_of_side(piece, share.square)),
            }));
        }
    }
    for side in Color::ALL {
        let pinned = pins(board, side).into_iter();
        let pinned = pinned.filter(|pin| !can_trade(board, pin.piece, pin.by));
        traits.extend(pinned.filter_map(|pin| {
            let role = board
                .role_at(pin.piece)
                .filter(|role| *role != Role::Pawn)?;
            let piece = piece_of_side(role.of(side), pin.piece);
            Some(Trait {
                favors: !side,
                weight: 30,
                words: format!("{piece} is pinned"),
            })
        }));
        traits.extend(minority_attack(board, side));
        traits.extend(development(board, side));
    }
    for (favors, weight, words) in told_of_pawn_ending(position) {
        // Of one pawn this says more than that it is passed.
        traits.retain(|one| !(one.favors == favors && is_told_by(&one.words, &words)));
        traits.push(Trait {
            favors,
            weight,
            words,
        });
    }
    traits.sort_by_key(|one| -one.weight);
    traits
}

/// Whether words say of a pawn that it is passed of which others tell more.
fn is_told_by(words: &str, others: &str) -> bool {
    let pawn = words.strip_suffix(" is passed");
    let square = pawn.and_then(|pawn| pawn.rsplit(' ').next());
    square.is_some_and(|square| others.ends_with(square))
}

/// A side whose opponent has more pieces at home.
fn development(board: &Board, side: Color) -> Option<Trait> {
    let minor = board.knights() | board.bishops();
    let at_home = |side: Color| {
        let rank = Bitboard::from_rank(side.fold_wb(Rank::First, Rank::Eighth));
        (minor & board.by_color(side) & rank).count()
    };
    let (own, other) = (at_home(side), at_home(!side));
    let count = |side: Color| (minor & board.by_color(side)).count();
    let is_opening = board.occupied().count() >= OPENING_MEN && count(side) == count(!side);
    (is_opening && own < other && other >= 2).then(|| Trait {
        favors: side,
        weight: 20 * (other - own) as i32,
        words: format!("{} is ahead in development", side_name(side)),
    })
}

/// The position in words, as the evaluation alone sees it, without a search.
pub fn in_general(position: &VariantPosition, breakdown: &Breakdown) -> String {
    if let Some(end) = end_of_game(&Game::new(position.clone())) {
        return format!("the game is over: {end}");
    }
    let score = Score::centipawns(breakdown.total);
    let us = position.turn();
    // In check a piece can hang that no legal move takes.
    let legal = position.legal_moves();
    let can_be_taken = |square: Square| legal.iter().any(|m| captured_square(*m) == Some(square));
    let mut hanging = hanging(position.board(), !us).into_iter();
    let hangs = hanging.find(|(square, _)| can_be_taken(*square));
    let hangs = hangs.and_then(|(square, _)| {
        let piece = position.board().piece_at(square)?;
        Some(format!("; {} hangs", piece_of_side(piece, square)))
    });
    let told = with_reasons(&standing(score), position, breakdown, score);
    format!("{told}{}", hangs.unwrap_or_default())
}

/// How a position stands, with its reasons: material, the strongest traits, and what makes a draw
/// likely, by a score for White.
pub(super) fn with_reasons(
    standing: &str,
    position: &VariantPosition,
    breakdown: &Breakdown,
    for_white: Score,
) -> String {
    let material = material(breakdown);
    if let Some((draw, reason)) = drawn_ending(for_white, position) {
        return format!("{draw}, though {material}: {reason}");
    }
    let parts = traits_in_words(position, breakdown, for_white);
    let mut told = match (
        side_with_more(&material) == leader(for_white),
        parts.as_slice(),
    ) {
        (true, []) => format!("{standing}: {material}"),
        (true, _) => format!("{standing}: {material}; {}", clauses(&parts)),
        (false, []) => format!("{standing}, though {material}"),
        (false, _) => format!("{standing}, though {material}: {}", clauses(&parts)),
    };
    let may_be_drawn = position.variant().has_endgames_of_chess() && !has_bare_king(position);
    let draw = likely_draw(for_white, position.board()).filter(|_| may_be_drawn);
    if let Some(draw) = draw {
        told.push_str(&format!(", but {draw}"));
    }
    told
}

/// The side that has more material by these words; `None` if it is equal.
pub(super) fn side_with_more(material: &str) -> Option<Color> {
    let mut sides = Color::ALL.into_iter();
    sides.find(|side| material.starts_with(side_name(*side)))
}

fn has_bare_king(position: &VariantPosition) -> bool {
    let mut sides = Color::ALL.into_iter();
    sides.any(|side| position.board().by_color(side).count() == 1)
}

/// The strongest traits.
fn traits_in_words(
    position: &VariantPosition,
    breakdown: &Breakdown,
    for_white: Score,
) -> Vec<String> {
    let leader = leader(for_white);
    // Against a bare king nothing counts but the mate, and the way of the pawns.
    if has_bare_king(position) {
        let told = told_of_pawn_ending(position).into_iter();
        return told
            .filter(|(favors, ..)| leader.is_none_or(|leader| leader == *favors))
            .map(|(.., words)| words)
            .collect();
    }
    let [white, black] = [Color::White, Color::Black].map(|side| reach(position.board(), side));
    let more = Color::from_white(white > black);
    let mut parts = Vec::new();
    if (white - black).abs() >= MORE_SQUARES && leader != Some(!more) {
        let (many, few) = (white.max(black), white.min(black));
        let side = side_name(more);
        parts.push(format!(
            "{side}'s pieces are more active, with {many} squares against {few}"
        ));
    }
    let traits = traits(position, breakdown);
    let is_shared = |one: &&Trait| {
        let mut others = traits.iter().filter(|other| other.favors != one.favors);
        others.any(|other| other.kind() == one.kind())
    };
    let traits: Vec<&Trait> = traits.iter().filter(|one| !is_shared(one)).collect();
    let of = |side: Color| traits.iter().filter(move |one| one.favors == side);
    match leader {
        Some(leader) => parts.extend(of(leader).map(|one| one.words.clone())),
        None => {
            let sides = [position.turn(), !position.turn()].into_iter();
            parts.extend(
                sides
                    .filter_map(|side| of(side).next())
                    .map(|one| one.words.clone()),
            );
        }
    }
    parts.truncate(MAX_NAMED);
    parts
}

/// Clauses in one sentence. They are longer than the items of a list, so a comma parts the last
/// two.
fn clauses(parts: &[String]) -> String {
    match parts.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{}, and {last}", first.join(", ")),
        _ => parts.concat(),
    }
}

/// Who has more material, in words.
pub(super) fn material(breakdown: &Breakdown) -> String {
    material_in_words(breakdown).unwrap_or_else(|| "material is equal".to_owned())
}

/// What the square of a piece adds, good for its owner if it is positive.
fn worth(share: &PieceTerms) -> i32 {
    share.piece.color.fold_wb(share.bonus(), -share.bonus())
}

/// The average worth of the pieces of a kind on the board, both sides together.
fn average(breakdown: &Breakdown, role: Role) -> i32 {
    let pieces = breakdown
        .pieces
        .iter()
        .filter(|share| share.piece.role == role);
    let (sum, count) = pieces.fold((0, 0), |(sum, count), share| {
        (sum + worth(share), count + 1)
    });
    // A single piece has nobody to compare it with.
    if count < 2 { 0 } else { sum / count }
}

/// The squares that the pieces of a side see without its own pieces' squares, king and pawns left
/// out.
fn reach(board: &Board, side: Color) -> i32 {
    let pieces = board.by_color(side) & !board.pawns() & !board.kings();
    let squares = pieces.into_iter().filter_map(|square| {
        let piece = board.piece_at(square)?;
        Some((attacks(square, piece, board.occupied()) & !board.by_color(side)).count())
    });
    squares.sum::<usize>() as i32
}

/// The plan of two pawns against three on the queenside, where the side has no c-pawn and the
/// center is closed.
fn minority_attack(board: &Board, side: Color) -> Option<Trait> {
    let count = |side: Color, files: &[File]| {
        let files = files.iter().map(|file| Bitboard::from_file(*file));
        let files = files.fold(Bitboard::EMPTY, |all, file| all | file);
        (pawns_of(board, side) & files).count()
    };
    let wing = [File::A, File::B, File::C];
    let has_pawn = |square: Square, side: Color| pawns_of(board, side).contains(square);
    let is_fixed = has_pawn(Square::D4, Color::White) && has_pawn(Square::D5, Color::Black);
    let is_minority = has_pawn(side.fold_wb(Square::B2, Square::B7), side)
        && count(side, &[File::C]) == 0
        && count(side, &wing) == 2
        && count(!side, &wing) == 3
        && count(!side, &[File::C]) == 1;
    let pushes = side.fold_wb("b2-b4-b5", "b7-b5-b4");
    (is_minority && is_fixed).then(|| Trait {
        favors: side,
        weight: 40,
        words: format!("the minority attack {pushes} is a plan"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use squarewise_engine::evaluation::TableSet;
    use squarewise_engine::evaluation::breakdown::Breakdown;
    use squarewise_engine::position::from_fen;

    fn said(fen: &str) -> String {
        let position =
            VariantPosition::from(from_fen(fen, CastlingMode::Standard).expect("a legal position"));
        let breakdown = Breakdown::of(&position, &TableSet::default().tables());
        let traits = traits(&position, &breakdown);
        let words: Vec<String> = traits.into_iter().map(|one| one.words).collect();
        words.join("; ")
    }

    #[test]
    fn equal_material_alone_is_no_reason_why_a_side_is_better() {
        let start = VariantPosition::default();
        let breakdown = Breakdown::of(&start, &TableSet::default().tables());
        let told = with_reasons(
            "Black is better",
            &start,
            &breakdown,
            Score::centipawns(-100),
        );
        assert_eq!(told, "Black is better, though material is equal");
    }

    #[test]
    fn what_speaks_against_the_verdict_is_said_to_do_so() {
        let told = |fen: &str, standing: &str, score: i32| {
            let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
            let position = VariantPosition::from(position);
            let breakdown = Breakdown::of(&position, &TableSet::default().tables());
            with_reasons(standing, &position, &breakdown, Score::centipawns(score))
        };
        let pawn_down = "4k3/pp3ppp/2n5/8/8/2N5/PP3PP1/4K3 w - - 0 1";
        let better = told(pawn_down, "White is better", 80);
        assert!(
            better.starts_with("White is better, though Black is a pawn up"),
            "{better}"
        );
        let level = told(pawn_down, "the game is level", 0);
        assert!(
            level.starts_with("the game is level, though Black is a pawn up"),
            "{level}"
        );
        let bishops = "4kb2/5pp1/8/8/8/8/4PPP1/4KB2 w - - 0 1";
        let drawish = told(bishops, "White is better", 90);
        assert!(drawish.contains(", but bishops on squares"), "{drawish}");
    }

    #[test]
    fn two_reasons_are_parted_by_a_comma() {
        let fen = "r1bqkbnr/pppppppp/2n5/8/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2";
        let position =
            VariantPosition::from(from_fen(fen, CastlingMode::Standard).expect("a legal position"));
        let breakdown = Breakdown::of(&position, &TableSet::default().tables());
        let reasons = with_reasons("level", &position, &breakdown, Score::DRAW);
        let end = "with 15 squares against 8, and Black is ahead in development";
        assert!(reasons.ends_with(end), "{reasons}");
    }

    #[test]
    fn what_a_board_shows_is_said_of_the_side_that_has_it() {
        for (fen, words) in [
            (
                "6k1/pp3ppp/8/8/8/8/PP3PPP/4RK2 w - - 0 1",
                "White's rook on e1 has the open e-file",
            ),
            (
                "r5k1/pp3ppp/8/8/8/8/PP3PPP/4RK2 w - - 0 1",
                "Black's rook on a8 has no open file",
            ),
            (
                "4k3/5ppp/8/3N4/2P5/8/5PPP/4K1n1 w - - 0 1",
                "knight on d5 has an outpost",
            ),
            (
                "4k3/5ppp/P7/8/8/8/5PPP/4K3 w - - 0 1",
                "Black's king is outside the square of the pawn on a6",
            ),
            (
                "4k3/pp3ppp/2n5/1B6/8/8/PP3PPP/4K3 w - - 0 1",
                "Black's knight on c6 is pinned",
            ),
        ] {
            let said = said(fen);
            assert!(said.contains(words), "{words}: {said}");
        }
    }

    #[test]
    fn what_both_sides_have_alike_is_no_reason() {
        let start = VariantPosition::default();
        let breakdown = Breakdown::of(&start, &TableSet::default().tables());
        assert_eq!(
            in_general(&start, &breakdown),
            "the game is level: material is equal"
        );
        let fen = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        let position =
            VariantPosition::from(from_fen(fen, CastlingMode::Standard).expect("a legal position"));
        let breakdown = Breakdown::of(&position, &TableSet::default().tables());
        let said = with_reasons("level", &position, &breakdown, Score::DRAW);
        assert!(!said.contains("aims at f7"), "{said}");
    }

    #[test]
    fn material_and_what_hangs_are_said_without_a_search() {
        for (fen, words) in [
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "White is a pawn up"),
            (
                "4k3/8/8/3q4/8/2N5/3P4/4K3 w - - 0 1",
                "Black's queen on d5 hangs",
            ),
        ] {
            let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
            let position = VariantPosition::from(position);
            let tables = TableSet::default().tables();
            let said = in_general(&position, &Breakdown::of(&position, &tables));
            assert!(said.contains(words), "{said}");
        }
        let in_check = "4r1k1/8/8/3q4/8/2N5/8/4K3 w - - 0 1";
        let position = from_fen(in_check, CastlingMode::Standard).expect("a legal position");
        let position = VariantPosition::from(position);
        let tables = TableSet::default().tables();
        let said = in_general(&position, &Breakdown::of(&position, &tables));
        assert!(!said.contains("hangs"), "{said}");
    }
}
