//! Drawishness in chess words: why a lead counts for less.

use shakmaty::{Bitboard, Board, Color, File, Position, Rank, Role, Square};

use super::force::material_balance;
use super::material::pieces_in_words;
use super::words::{leader, listed, role_name, side_name};
use squarewise_engine::drawishness::{Drawishness, EndingKind};
use squarewise_engine::position::rules::Variant;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::score::Score;

/// A draw is likely if no more than this share of a lead counts.
const LIKELY: f64 = 0.67;

/// Why a draw is likely although a side leads by this score for White, such as "bishops on squares
/// of different colors make a draw likely".
pub(super) fn likely_draw(for_white: Score, board: &Board) -> Option<String> {
    let entry = Drawishness::of(board, leader(for_white)?);
    let lead = f64::from(for_white.value()).abs();
    let reasons = reasons(entry);
    (entry.counted_share(lead) <= LIKELY && !reasons.is_empty()).then(|| {
        let makes = match reasons.as_slice() {
            [reason] if reason.starts_with("a ") || reason.starts_with("no ") => "makes",
            _ => "make",
        };
        format!("{} {makes} a draw likely", listed(&reasons))
    })
}

/// The words for an ending that can't be won though a side has more material, by a score for White,
/// and the reason. With pawns that leave their files, or stalemates that win, it can be another
/// thing: those of chess are known.
pub(super) fn drawn_ending(
    for_white: Score,
    position: &VariantPosition,
) -> Option<(&'static str, String)> {
    if position.variant() != Variant::Chess {
        return None;
    }
    let sure = sure_draw(position.board()).map(|reason| ("the game is a draw", reason));
    sure.or_else(|| {
        let board = position.board();
        let reason = lone_minor(for_white, board).or_else(|| usual_draw(for_white, board))?;
        Some(("the game is a draw with best play", reason))
    })
}

/// Why the side that leads by this score for White can't win with a bishop or a knight alone,
/// whatever pawns the other side has; `None` if a corner mate is found.
fn lone_minor(for_white: Score, board: &Board) -> Option<String> {
    let others = board.by_color(leader(for_white)?) & !board.kings();
    let role = others
        .single_square()
        .and_then(|square| board.role_at(square))?;
    let is_minor = matches!(role, Role::Bishop | Role::Knight);
    (is_minor && !for_white.is_decisive()).then(|| format!("a {} alone can't win", role_name(role)))
}

/// Why a side with more material can't win against a bare king, whatever the search says: two
/// knights can't force mate, and a bishop that doesn't guard the corner where the rook's pawn
/// queens can't drive the king from there.
fn sure_draw(board: &Board) -> Option<String> {
    let strong = Color::ALL
        .into_iter()
        .find(|side| board.by_color(!*side).count() == 1)?;
    let of = |role: Role| board.by_piece(role.of(strong));
    let others = board.by_color(strong) & !of(Role::King);
    if others == of(Role::Knight) && others.count() == 2 {
        return Some("two knights can't force mate".to_owned());
    }
    let (pawns, bishops) = (of(Role::Pawn), of(Role::Bishop));
    let file = pawns.first()?.file();
    let corner = Square::from_coords(file, strong.fold_wb(Rank::Eighth, Rank::First));
    let is_rook_pawn =
        matches!(file, File::A | File::H) && (pawns & !Bitboard::from(file)).is_empty();
    let misses = |bishop: Square| bishop.is_light() != corner.is_light();
    let king = board.king_of(!strong)?;
    let holds = is_rook_pawn
        && others == pawns | bishops
        && bishops.any()
        && bishops.into_iter().all(misses)
        && king.distance(corner) <= 1;
    let (bishop, side) = (bishops.first()?, side_name(!strong));
    holds.then(|| {
        format!(
            "the bishop on {bishop} doesn't guard {corner}, where the pawn queens, and {side}'s king \
             can't be driven from there"
        )
    })
}

/// Why an ending without pawns is a draw with best play, though a side has more; `None` too where
/// the score for White says that there was a mistake.
fn usual_draw(for_white: Score, board: &Board) -> Option<String> {
    // Scores of the stronger side.
    const NO_MISTAKE: std::ops::Range<i32> = -100..450;
    if board.pawns().any() {
        return None;
    }
    let [white, black] = [Color::White, Color::Black].map(|side| {
        let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].into_iter();
        let of = |role: Role| std::iter::repeat_n(role, board.by_piece(role.of(side)).count());
        roles.flat_map(of).collect::<Vec<Role>>()
    });
    let lead = material_balance(board).signum();
    let (strong, weak) = if lead > 0 {
        (white, black)
    } else {
        (black, white)
    };
    let is_minor = |role: &Role| matches!(role, Role::Bishop | Role::Knight);
    let is_usual = match (strong.as_slice(), weak.as_slice()) {
        ([Role::Rook], [other]) => is_minor(other),
        ([Role::Rook, more], [Role::Rook]) | ([Role::Queen, more], [Role::Queen]) => is_minor(more),
        // This one is won.
        ([Role::Bishop, Role::Bishop], [Role::Knight]) => false,
        ([one, more], [other]) => [one, more, other].into_iter().all(is_minor),
        _ => false,
    };
    let (strong, weak) = (pieces_in_words(&strong), pieces_in_words(&weak));
    (is_usual && NO_MISTAKE.contains(&(for_white.value() * lead)))
        .then(|| format!("without pawns {strong} can't force a win against {weak}"))
}

/// What makes draws likely, such as "few pawns".
fn reasons(entry: Drawishness) -> Vec<String> {
    let pieces = match entry.kind {
        EndingKind::OppositeBishops | EndingKind::OppositeBishopsAndOneMore => {
            Some("bishops on squares of different colors")
        }
        EndingKind::Rooks => Some("rooks alone"),
        EndingKind::Queens => Some("queens alone"),
        EndingKind::MinorAgainstPawns => Some("a single piece"),
        _ => None,
    };
    let pawns = match entry.pawns {
        0 => Some("no pawn to promote"),
        1 => Some("a single pawn"),
        2 | 3 => Some("few pawns"),
        _ => None,
    };
    let wing = (entry.is_on_one_wing && entry.pawns > 1).then_some("pawns on one wing");
    let reasons = [pieces, pawns, wing].into_iter().flatten();
    reasons.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use squarewise_engine::position::from_fen;

    fn said(fen: &str, for_white: i32) -> Option<String> {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        likely_draw(Score::centipawns(for_white), position.board())
    }

    #[test]
    fn what_cannot_be_won_is_known_by_the_pieces_alone() {
        for (fen, expected) in [
            ("k7/8/1K6/8/P7/8/5B2/8 w - - 0 1", Some("doesn't guard a8")),
            ("6k1/8/5K2/7P/8/8/8/1B6 w - - 0 1", Some("doesn't guard h8")),
            ("8/8/8/8/8/2k5/1N6/N1K5 w - - 0 1", Some("two knights")),
            // The right bishop, a king that is elsewhere, another pawn, and a pawn for Black.
            ("k7/8/1K6/8/P7/8/8/5B2 w - - 0 1", None),
            ("8/8/1K2k3/8/P7/8/5B2/8 w - - 0 1", None),
            ("k7/8/1K6/8/P7/8/4PB2/8 w - - 0 1", None),
            ("k7/7p/1K6/8/P7/8/5B2/8 w - - 0 1", None),
            ("8/8/8/8/8/2k5/1N5N/N1K5 w - - 0 1", None),
        ] {
            let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
            let said = sure_draw(position.board());
            let is_right = match expected {
                Some(words) => said.as_deref().is_some_and(|said| said.contains(words)),
                None => said.is_none(),
            };
            assert!(is_right, "{fen}: {said:?}");
        }
    }

    #[test]
    fn endings_without_pawns_that_are_draws_with_best_play_are_known() {
        for (fen, for_white, expected) in [
            (
                "8/8/5k2/3b4/8/8/4R3/4K3 w - - 0 1",
                150,
                Some("a rook can't force a win against a bishop"),
            ),
            (
                "4k3/8/8/8/4r3/8/4RB2/4K3 b - - 0 1",
                300,
                Some("a rook and a bishop can't force a win against a rook"),
            ),
            (
                "4k3/8/8/1nn5/8/8/4B3/4K3 w - - 0 1",
                -200,
                Some("two knights can't force a win against a bishop"),
            ),
            // What wins, a mistake that the search has seen, and a pawn.
            ("4k3/8/8/1n6/8/8/4BB2/4K3 w - - 0 1", 300, None),
            ("3k4/8/8/1r6/8/8/4Q3/4K3 w - - 0 1", 300, None),
            ("8/8/5k2/3b4/8/8/4R3/4K3 w - - 0 1", 600, None),
            ("8/8/5k2/3b4/8/8/4R3/4K3 w - - 0 1", -150, None),
            ("8/8/5k2/3b4/8/8/P3R3/4K3 w - - 0 1", 150, None),
        ] {
            let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
            let said = usual_draw(Score::centipawns(for_white), position.board());
            let is_right = match expected {
                Some(words) => said.as_deref().is_some_and(|said| said.contains(words)),
                None => said.is_none(),
            };
            assert!(is_right, "{fen}: {said:?}");
        }
    }

    #[test]
    fn a_piece_alone_cannot_win_whatever_it_leads_by() {
        for (fen, for_white, expected) in [
            (
                "8/8/4k3/4b3/8/1K6/1P6/8 w - - 0 1",
                -93,
                Some("a bishop alone can't win"),
            ),
            (
                "8/8/4k3/8/8/1K3n2/1P6/8 w - - 0 1",
                -60,
                Some("a knight alone can't win"),
            ),
            // The pawn leads, and a pawn of its own can win.
            ("8/8/4k3/4b3/8/1K6/1P6/8 w - - 0 1", 93, None),
            ("8/5p2/4k3/4b3/8/1K6/1P6/8 w - - 0 1", -193, None),
        ] {
            let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
            let said = lone_minor(Score::centipawns(for_white), position.board());
            assert_eq!(said.as_deref(), expected, "{fen}");
        }
    }

    #[test]
    fn likely_draws_have_a_reason() {
        for (fen, for_white, expected) in [
            (
                "4kb2/5pp1/8/8/8/8/4PPP1/4KB2 w - - 0 1",
                90,
                "bishops on squares of different colors, few pawns and pawns on one wing \
                 make a draw likely",
            ),
            (
                "4kb2/pp3ppp/8/8/8/8/PP2PPPP/4KB2 w - - 0 1",
                90,
                "bishops on squares of different colors make a draw likely",
            ),
            (
                "r2qk3/4pppp/8/8/8/8/4PPPP/R2QK3 w - - 0 1",
                100,
                "pawns on one wing make a draw likely",
            ),
            (
                "r3k1n1/8/8/8/8/8/8/4K1NN b - - 0 1",
                -150,
                "no pawn to promote makes a draw likely",
            ),
        ] {
            assert_eq!(said(fen, for_white).as_deref(), Some(expected), "{fen}");
        }
    }

    #[test]
    fn a_lead_that_wins_or_is_none_and_what_is_no_ending_need_no_reason() {
        for (fen, for_white) in [
            ("4kb2/5pp1/8/8/8/8/4PPP1/4KB2 w - - 0 1", 700),
            ("4kb2/5pp1/8/8/8/8/4PPP1/4KB2 w - - 0 1", 5),
            (
                "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
                100,
            ),
            ("4k3/5ppp/8/8/8/8/PP2PPPP/4K3 w - - 0 1", 100),
        ] {
            assert_eq!(said(fen, for_white), None, "{fen}");
        }
    }
}
