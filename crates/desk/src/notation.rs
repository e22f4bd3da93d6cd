//! Reads moves as people write them: SAN, UCI, and what is neither but clear, such as `nf3`,
//! `e2-e4`, `0-0` or `e8q`.
//!
//! A text is read without looking at the board. Some have two readings: in `bc4` the letter can be
//! the b-pawn or the bishop. The position then decides between them.

mod san;
mod written;

pub(crate) use san::{play_in_san, san, san_plus};
pub(crate) use written::{FOREIGN_PIECES, NoMove, UNTRANSLATED, extent, written_move};

use shakmaty::{CastlingSide, File, Move, Position, Rank, Role, Square};
use squarewise_engine::position::variant_position::VariantPosition;

/// The name of a kind of piece inside a sentence.
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// One way to read a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Castling.
    Castle(CastlingSide),
    /// Anything else.
    Normal(Pattern),
}

/// What the text of a move says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// The piece that moves; `None` if only its square is given.
    pub role: Option<Role>,
    /// The file from which it comes, if it is given.
    pub file: Option<File>,
    /// The rank from which it comes, if it is given.
    pub rank: Option<Rank>,
    /// The square to which it goes.
    pub to: Square,
    /// Whether the text says that it captures.
    pub captures: bool,
    /// The piece to which a pawn promotes, if it is given.
    pub promotion: Option<Role>,
}

impl Pattern {
    /// The square from which the piece comes, if it is given in full.
    pub fn from(self) -> Option<Square> {
        Some(Square::from_coords(self.file?, self.rank?))
    }

    /// Whether the piece can come from this square.
    pub fn allows_origin(self, from: Square) -> bool {
        self.file.is_none_or(|file| from.file() == file)
            && self.rank.is_none_or(|rank| from.rank() == rank)
    }
}

/// What a reading means in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// One legal move.
    Move(Move),
    /// Several legal moves.
    Several(Vec<Move>),
    /// A legal move of a pawn that must say to which piece it promotes.
    NeedsPromotion,
    /// No legal move.
    Nothing,
}

/// The ways to read a text as a move, the likeliest first; empty if it does not look like a move.
pub(crate) fn readings(text: &str) -> Vec<Reading> {
    let text = text.replace(['‐', '‑', '‒', '–', '—', '−'], "-");
    let text = without_number(text.trim()).trim_end_matches(['+', '#', '!', '?']);
    let suffix = ["e.p.", "e.p", "ep"]
        .iter()
        .find_map(|suffix| text.strip_suffix(suffix));
    let text = suffix.unwrap_or(text).trim_end();
    if let Some(side) = castling_side(text) {
        return vec![Reading::Castle(side)];
    }
    let is_filler = |c: char| matches!(c, '-' | 'x' | 'X' | ':' | '=' | '(' | ')' | '/' | ' ');
    let letters: Vec<char> = text.chars().filter(|c| !is_filler(*c)).collect();
    let (letters, promotion) = split_promotion(&letters);
    // Before the piece of a promotion a colon is no capture.
    let target = text.rfind(|c: char| c.is_ascii_digit());
    let to_target = promotion.and(target).map_or(text, |end| &text[..end]);
    let captures = to_target.contains(['x', 'X', ':']);
    let [origin @ .., file, rank] = letters else {
        return Vec::new();
    };
    let Some(to) = square(*file, *rank) else {
        return Vec::new();
    };
    let patterns = origins(origin)
        .into_iter()
        .map(|(role, file, rank)| Pattern {
            role,
            file,
            rank,
            to,
            captures,
            promotion,
        });
    // Nobody writes the file of a pawn that stays on it: `bb5` is the bishop.
    let is_pawn_ahead = |pattern: &Pattern| {
        pattern.role == Some(Role::Pawn) && pattern.file == Some(pattern.to.file())
    };
    let patterns = patterns.filter(|pattern| !is_pawn_ahead(pattern));
    patterns.map(Reading::Normal).collect()
}

/// A text without the number of the move before it: `1. e4`, `12...Nf6`.
fn without_number(text: &str) -> &str {
    let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = after.len() < text.len() && after.starts_with(['.', '…']);
    if is_number {
        after.trim_start_matches(['.', '…', ' '])
    } else {
        text
    }
}

/// Whether a text looks like a move, possible or not.
pub(crate) fn looks_like_a_move(text: &str) -> bool {
    !readings(text).is_empty()
}

/// `O-O` and `O-O-O`, with letters of any case or zeros, with or without the hyphens.
fn castling_side(text: &str) -> Option<CastlingSide> {
    let zeros = text.chars().filter(|c| !matches!(c, '-' | '_' | ' '));
    let is_castling = zeros.clone().all(|c| matches!(c, 'O' | 'o' | '0'));
    match zeros.count() {
        2 if is_castling => Some(CastlingSide::KingSide),
        3 if is_castling => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

/// Splits off the piece of a promotion: a letter after a rank.
fn split_promotion(letters: &[char]) -> (&[char], Option<Role>) {
    if let [before @ .., letter] = letters
        && before.last().is_some_and(char::is_ascii_digit)
        && let Some(role) = Role::from_char(*letter)
        && !matches!(role, Role::Pawn | Role::King)
    {
        return (before, Some(role));
    }
    (letters, None)
}

fn square(file: char, rank: char) -> Option<Square> {
    let file = File::from_char(file.to_ascii_lowercase())?;
    Some(Square::from_coords(file, Rank::from_char(rank)?))
}

type Origin = (Option<Role>, Option<File>, Option<Rank>);

/// The ways to read what stands before the target square. Without the name of a piece a file is
/// that of a pawn, and a whole square that of any piece. `B` is the bishop in the first place, `b`
/// the file, and only the file in a whole square.
fn origins(letters: &[char]) -> Vec<Origin> {
    let unnamed = file_and_rank(letters).and_then(|origin| match origin {
        (Some(_), Some(_)) => Some((None, origin.0, origin.1)),
        (file, None) => Some((Some(Role::Pawn), file, None)),
        (None, Some(_)) => None,
    });
    let named = letters.split_first().and_then(|(letter, rest)| {
        let (file, rank) = file_and_rank(rest)?;
        Some((Some(Role::from_char(*letter)?), file, rank))
    });
    let mut found: Vec<Origin> = unnamed.into_iter().chain(named).collect();
    if letters.first() == Some(&'B') {
        found.reverse();
        // One letter: the bishop alone.
        found.truncate(letters.len());
    } else if let ['b', rank] = letters
        && rank.is_ascii_digit()
    {
        found.truncate(1);
    }
    found
}

/// Reads at most a file and a rank; `None` if something else is there.
fn file_and_rank(letters: &[char]) -> Option<(Option<File>, Option<Rank>)> {
    let file = |letter: &char| File::from_char(letter.to_ascii_lowercase());
    let rank = |letter: &char| Rank::from_char(*letter);
    match letters {
        [] => Some((None, None)),
        [one] => match (file(one), rank(one)) {
            (None, None) => None,
            read => Some(read),
        },
        [one, two] => Some((Some(file(one)?), Some(rank(two)?))),
        _ => None,
    }
}

impl Reading {
    /// What it means in a position.
    pub fn meaning(self, position: &VariantPosition) -> Meaning {
        let matching: Vec<Move> = match self {
            Reading::Castle(side) => position.castling_moves(side).into_iter().collect(),
            Reading::Normal(pattern) => {
                let legal = position.legal_moves().into_iter();
                legal.filter(|m| matches(pattern, *m)).collect()
            }
        };
        let needs_promotion = |m: &Move| {
            let named = matches!(self, Reading::Normal(pattern) if pattern.promotion.is_some());
            m.promotion().is_some() && !named
        };
        match matching.as_slice() {
            [] => Meaning::Nothing,
            [m] => Meaning::Move(*m),
            [first, rest @ ..] if needs_promotion(first) => {
                if rest.iter().all(|m| m.from() == first.from()) {
                    Meaning::NeedsPromotion
                } else {
                    Meaning::Several(matching)
                }
            }
            _ => Meaning::Several(matching),
        }
    }
}

/// Whether a legal move is the one that a pattern describes. A capture need not be marked as one; a
/// move that is marked as a capture must be one.
fn matches(pattern: Pattern, m: Move) -> bool {
    let Some(from) = m.from() else {
        return false;
    };
    if !pattern.allows_origin(from) || pattern.role.is_some_and(|role| role != m.role()) {
        return false;
    }
    if let Move::Castle { king, rook } = m {
        // As UCI writes it: the king's own move, or in Chess960 the king takes the rook.
        let side = CastlingSide::from_queen_side(rook < king);
        let is_target = pattern.to == rook
            || pattern.to == Square::from_coords(side.king_to_file(), king.rank());
        return pattern.from() == Some(king) && is_target && pattern.promotion.is_none();
    }
    pattern.to == m.to()
        && (!pattern.captures || m.is_capture())
        && (pattern.promotion.is_none() || pattern.promotion == m.promotion())
}

/// What a text means in a position; `None` if it does not look like a move. If it can be read in
/// two ways, the likelier one counts, unless both are legal and nothing speaks for one of them.
pub fn meaning(text: &str, position: &VariantPosition) -> Option<Meaning> {
    let readings = readings(text);
    let first = readings.first()?.meaning(position);
    let second = readings.get(1).map(|reading| reading.meaning(position));
    let is_doubtful = matches!(
        readings.first(),
        Some(Reading::Normal(pattern)) if pattern.from().is_none() && !pattern.captures
    );
    Some(match (first, second) {
        (Meaning::Move(one), Some(Meaning::Move(other))) if is_doubtful && one != other => {
            Meaning::Several(vec![one, other])
        }
        (Meaning::Nothing, Some(second)) => second,
        (first, _) => first,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use squarewise_engine::position::from_fen;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    const PROMOTION: &str = "3r3k/2P5/8/8/8/8/8/K7 w - - 0 1";
    /// The pawn and the bishop can both capture on c4.
    const B_PAWN_AND_BISHOP: &str = "7k/8/8/8/2n5/1P1B4/8/K7 w - - 0 1";

    fn position(fen: &str) -> VariantPosition {
        VariantPosition::from(from_fen(fen, CastlingMode::Standard).expect("a legal position"))
    }

    /// The moves that a text means, in SAN; `?` for a missing promotion.
    fn read(fen: &str, text: &str) -> Option<Vec<String>> {
        let position = position(fen);
        let san = |m: &Move| san(&position, *m).to_string();
        meaning(text, &position).map(|meaning| match meaning {
            Meaning::Move(m) => vec![san(&m)],
            Meaning::Several(moves) => moves.iter().map(san).collect(),
            Meaning::NeedsPromotion => vec!["?".to_owned()],
            Meaning::Nothing => Vec::new(),
        })
    }

    fn assert_reads(fen: &str, texts: &[&str], expected: &str) {
        for text in texts {
            assert_eq!(read(fen, text), Some(vec![expected.to_owned()]), "{text:?}");
        }
    }

    #[test]
    fn knights_and_pawns_are_understood_in_many_spellings() {
        let knight = [
            "Nf3", "nf3", "NF3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "g1f3", "g1-f3", "Nf3+",
            "Nf3!?", " nf3 ",
        ];
        assert_reads(START, &knight, "Nf3");
        let pawn = [
            "e4", "E4", "e2e4", "e2-e4", "e2–e4", "e2 e4", "Pe4", "pe4", "1. e4", "1.e4", "1 . e4",
        ];
        assert_reads(START, &pawn[..10], "e4");
        assert_eq!(read(START, pawn[10]), None);
    }

    #[test]
    fn castling_is_understood_in_many_spellings() {
        let short = [
            "O-O", "0-0", "o-o", "OO", "00", "O-O+", "O–O", "0 - 0", "10. O-O", "e1g1", "e1h1",
            "Ke1-g1",
        ];
        assert_reads(CASTLING, &short, "O-O");
        assert_reads(
            CASTLING,
            &["O-O-O", "0-0-0", "ooo", "e1c1", "e1a1"],
            "O-O-O",
        );
        assert_eq!(read(START, "O-O"), Some(Vec::new()));
        assert_eq!(read(CASTLING, "Ne1g1"), Some(Vec::new()));
    }

    #[test]
    fn promotions_name_their_piece() {
        assert_reads(
            PROMOTION,
            &["c8=Q", "c8Q", "c8q", "c8(Q)", "c8/q", "c8:Q", "c7c8q"],
            "c8=Q",
        );
        assert_reads(
            PROMOTION,
            &["cxd8=N+", "cd8n", "c7d8n", "c7xd8=N"],
            "cxd8=N",
        );
        assert_reads(PROMOTION, &["c8", "c7c8", "cxd8"], "?");
        assert_eq!(read(PROMOTION, "c8=K"), None);
    }

    #[test]
    fn captures_need_no_sign_but_the_sign_needs_a_capture() {
        assert_reads(
            B_PAWN_AND_BISHOP,
            &["Bxc4", "Bc4", "B:c4", "d3c4", "d3xc4"],
            "Bxc4",
        );
        assert_eq!(read(B_PAWN_AND_BISHOP, "Bxe4"), Some(Vec::new()));
    }

    #[test]
    fn the_letter_b_is_the_pawn_or_the_bishop() {
        assert_reads(B_PAWN_AND_BISHOP, &["bxc4"], "bxc4");
        let both = vec!["bxc4".to_owned(), "Bxc4".to_owned()];
        assert_eq!(read(B_PAWN_AND_BISHOP, "bc4"), Some(both));
        assert_reads(B_PAWN_AND_BISHOP, &["be4", "bd3e4"], "Be4");
        assert_reads(B_PAWN_AND_BISHOP, &["bb1"], "Bb1");
        // A whole square is that of the piece, and no bishop from its rank.
        let bishop = "7k/8/8/8/8/8/8/K1B5 w - - 0 1";
        assert_reads(bishop, &["Bd2", "B1d2", "c1d2"], "Bd2");
        for text in ["b1d2", "b1-d2"] {
            assert_eq!(read(bishop, text), Some(Vec::new()), "{text}");
        }
    }

    #[test]
    fn several_pieces_that_can_go_there_are_all_found() {
        let two_knights = "7k/8/8/8/8/5N2/8/1N5K w - - 0 1";
        let found = read(two_knights, "Nd2").expect("it looks like a move");
        assert_eq!(found.len(), 2);
        assert_reads(two_knights, &["Nbd2", "nbd2", "N1d2", "b1d2"], "Nbd2");
    }

    #[test]
    fn what_does_not_look_like_a_move_is_no_reading() {
        for text in [
            "",
            "help",
            "undo",
            "e",
            "e9",
            "i4",
            "Nf",
            "Nf33",
            "Ze4",
            "--",
            "O",
            "OOOO",
            "ee4",
            "1e4",
            "e2e4e5",
            "\u{265e}f3",
            "x",
            "draw",
            "0",
            "+",
            "e2e4k",
        ] {
            assert_eq!(readings(text), [], "{text:?}");
        }
    }
}
