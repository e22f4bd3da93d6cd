//! Drawishness: how much of a lead counts for the result, by what is left on the board.
//!
//! A pawn more wins less often where the bishops stand on squares of different colors, where few
//! pawns are left, or where all of them stand on one wing. The score of the search doesn't know
//! that: its tables add up to the same lead in any ending. So the model of win, draw and loss
//! ([`crate::wdl`]) takes a share of a lead away. Which share depends on the kind of ending, the
//! pawns of the side that leads, and whether pawns stand on both wings; the share is negative where
//! a lead wins more often than elsewhere. A lead that wins anyway is left as it is: from [`FADING`]
//! on the share fades.
//!
//! The shares are fitted to the results of the engine's own games (`squarewise-lab drawishness`).
//! Stockfish's classical evaluation scales endings by hand. Here the evaluation stays as it is:
//! with shares taken from it, it foretold results better and played no better (`docs/lab/wdl.md`).

use std::ops::Range;

use shakmaty::{Bitboard, Board, Color};

use shares::SHARES;

mod shares;

/// What all of a lead is, in the shares that are taken away.
pub const WHOLE: i32 = 64;

/// The leads in centipawns up to which a share is taken away whole, and from which nothing is.
pub const FADING: Range<f64> = 200.0..600.0;

/// The numbers of pawns of a side: none to eight.
const PAWNS: usize = 9;

/// The number of entries: kinds of endings, pawns of the side that leads, on both wings or on one.
pub const DRAWISHNESS_SIZE: usize = EndingKind::ALL.len() * PAWNS * 2;

/// What stands on the board besides kings and pawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndingKind {
    /// A queen, and no ending of those below.
    WithQueens,
    /// No queen, and no ending of those below.
    WithoutQueens,
    /// Nothing.
    Pawns,
    /// A bishop on each side, on squares of different colors.
    OppositeBishops,
    /// The same, and on each side a knight, rook or queen besides.
    OppositeBishopsAndOneMore,
    /// A rook on each side.
    Rooks,
    /// A queen on each side.
    Queens,
    /// A knight or bishop on one side, nothing on the other.
    MinorAgainstPawns,
    /// A rook or queen on one side, nothing on the other.
    MajorAgainstPawns,
}

impl EndingKind {
    /// Every kind, in the order of the entries.
    pub const ALL: [EndingKind; 9] = [
        EndingKind::WithQueens,
        EndingKind::WithoutQueens,
        EndingKind::Pawns,
        EndingKind::OppositeBishops,
        EndingKind::OppositeBishopsAndOneMore,
        EndingKind::Rooks,
        EndingKind::Queens,
        EndingKind::MinorAgainstPawns,
        EndingKind::MajorAgainstPawns,
    ];

    /// The kind of a board.
    fn of(board: &Board) -> EndingKind {
        let [white, black] = Color::ALL.map(|side| pieces_of(board, side));
        let kind = match (white.max(black), white.min(black)) {
            (0, _) => EndingKind::Pawns,
            (MINOR, 0) => EndingKind::MinorAgainstPawns,
            (ROOK | QUEEN, 0) => EndingKind::MajorAgainstPawns,
            (ROOK, ROOK) => EndingKind::Rooks,
            (QUEEN, QUEEN) => EndingKind::Queens,
            _ if board.queens().any() => EndingKind::WithQueens,
            _ => EndingKind::WithoutQueens,
        };
        if white != black || !has_opposite_bishops(board) {
            return kind;
        }
        match white {
            MINOR => EndingKind::OppositeBishops,
            TWO_MINORS | BISHOP_AND_ROOK | BISHOP_AND_QUEEN => {
                EndingKind::OppositeBishopsAndOneMore
            }
            _ => kind,
        }
    }
}

/// The pieces of a side as one number: its knights and bishops, its rooks and its queens, in four
/// bits each.
fn pieces_of(board: &Board, side: Color) -> usize {
    let own = board.by_color(side);
    let count = |pieces: Bitboard| (pieces & own).count();
    let minors = count(board.knights() | board.bishops());
    minors * MINOR + count(board.rooks()) * ROOK + count(board.queens()) * QUEEN
}

const MINOR: usize = 1;
const ROOK: usize = 1 << 4;
const QUEEN: usize = 1 << 8;
const TWO_MINORS: usize = 2 * MINOR;
const BISHOP_AND_ROOK: usize = MINOR + ROOK;
const BISHOP_AND_QUEEN: usize = MINOR + QUEEN;

/// Whether each side has one bishop, and they stand on squares of different colors.
fn has_opposite_bishops(board: &Board) -> bool {
    let bishops = board.bishops();
    let is_single = |squares: Bitboard| (bishops & squares).single_square().is_some();
    is_single(board.white()) && is_single(board.black()) && is_single(Bitboard::DARK_SQUARES)
}

/// What the chances to draw depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawishness {
    /// What stands on the board besides kings and pawns.
    pub kind: EndingKind,
    /// The pawns of the side that leads, at most eight.
    pub pawns: usize,
    /// Whether all pawns of both sides stand on the files a to d, or all on e to h.
    pub is_on_one_wing: bool,
}

impl Drawishness {
    /// The entry of a board on which this side leads.
    pub fn of(board: &Board, leader: Color) -> Drawishness {
        let pawns = board.pawns();
        Drawishness {
            kind: EndingKind::of(board),
            pawns: (pawns & board.by_color(leader)).count().min(PAWNS - 1),
            is_on_one_wing: [Bitboard::WEST, Bitboard::EAST]
                .into_iter()
                .any(|wing| (pawns & wing).is_empty()),
        }
    }

    /// The place of its share.
    pub fn place(self) -> usize {
        (self.kind as usize * 2 + usize::from(self.is_on_one_wing)) * PAWNS + self.pawns
    }

    /// Every entry, in the order of its place.
    pub fn all() -> impl Iterator<Item = Drawishness> {
        EndingKind::ALL.into_iter().flat_map(|kind| {
            [false, true].into_iter().flat_map(move |is_on_one_wing| {
                (0..PAWNS).map(move |pawns| Drawishness {
                    kind,
                    pawns,
                    is_on_one_wing,
                })
            })
        })
    }

    /// The share of a small lead that is taken away, in parts of [`WHOLE`].
    pub fn share(self) -> i32 {
        i32::from(SHARES[self.place()])
    }

    /// The share of a lead in centipawns that counts: 1 for all of it.
    pub fn counted_share(self, lead: f64) -> f64 {
        1.0 - fading(lead) * f64::from(self.share()) / f64::from(WHOLE)
    }
}

/// What counts of a search's score for this side, in centipawns, for the result of the game.
pub fn counted(centipawns: f64, side: Color, board: &Board) -> f64 {
    let leader = if centipawns > 0.0 { side } else { !side };
    centipawns * Drawishness::of(board, leader).counted_share(centipawns.abs())
}

/// How much of its share is taken away from a lead in centipawns, 0 to 1.
pub fn fading(lead: f64) -> f64 {
    (FADING.end - lead.clamp(FADING.start, FADING.end)) / (FADING.end - FADING.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::from_fen;
    use shakmaty::{CastlingMode, Position};

    fn of(fen: &str) -> Drawishness {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        Drawishness::of(position.board(), Color::White)
    }

    #[test]
    fn every_entry_has_a_place_of_its_own() {
        let places: Vec<usize> = Drawishness::all().map(Drawishness::place).collect();
        assert_eq!(places, (0..DRAWISHNESS_SIZE).collect::<Vec<_>>());
        assert!(Drawishness::all().all(|entry| (-WHOLE..WHOLE).contains(&entry.share())));
    }

    #[test]
    fn endings_are_told_apart() {
        for (fen, kind) in [
            ("4k3/p7/8/8/8/8/PP6/4K3 w - - 0 1", EndingKind::Pawns),
            (
                "4kb2/p7/8/8/8/8/PP6/4KB2 w - - 0 1",
                EndingKind::OppositeBishops,
            ),
            (
                "2b1k3/p7/8/8/8/8/PP6/4KB2 w - - 0 1",
                EndingKind::WithoutQueens,
            ),
            (
                "4kn2/p7/8/8/8/8/PP6/4KB2 w - - 0 1",
                EndingKind::WithoutQueens,
            ),
            (
                "4kb1r/p7/8/8/8/8/PP6/4KB1R w - - 0 1",
                EndingKind::OppositeBishopsAndOneMore,
            ),
            (
                "3qkb2/p7/8/8/8/8/PP6/3QKB2 w - - 0 1",
                EndingKind::OppositeBishopsAndOneMore,
            ),
            (
                "4kbn1/p7/8/8/8/8/PP6/4KBN1 w - - 0 1",
                EndingKind::OppositeBishopsAndOneMore,
            ),
            (
                "4kbr1/p7/8/8/8/8/PP6/4KBN1 w - - 0 1",
                EndingKind::WithoutQueens,
            ),
            (
                "2b1kb2/p7/8/8/8/8/PP6/4KBN1 w - - 0 1",
                EndingKind::WithoutQueens,
            ),
            ("4k2r/p7/8/8/8/8/PP6/4K2R w - - 0 1", EndingKind::Rooks),
            ("3qk3/p7/8/8/8/8/PP6/3QK3 w - - 0 1", EndingKind::Queens),
            (
                "4k3/p7/8/8/8/8/PP6/4K1N1 w - - 0 1",
                EndingKind::MinorAgainstPawns,
            ),
            (
                "r3k3/p7/8/8/8/8/PP6/4K3 w - - 0 1",
                EndingKind::MajorAgainstPawns,
            ),
            (
                "r3k1r1/p7/8/8/8/8/PP6/4K3 w - - 0 1",
                EndingKind::WithoutQueens,
            ),
            ("3qk3/p7/8/8/8/8/PP6/4K2R w - - 0 1", EndingKind::WithQueens),
        ] {
            assert_eq!(of(fen).kind, kind, "{fen}");
        }
        let wings = [
            "4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/PPPPP3/4K3 w - - 0 1",
        ];
        assert_eq!(
            wings.map(of).map(|entry| entry.is_on_one_wing),
            [true, false]
        );
        assert_eq!(wings.map(of).map(|entry| entry.pawns), [4, 5]);
    }

    #[test]
    fn a_greater_lead_counts_more_and_one_that_wins_counts_in_full() {
        for entry in Drawishness::all() {
            let counted = |lead: f64| lead * entry.counted_share(lead);
            let leads = (0..700).map(f64::from);
            assert!(leads.map(counted).is_sorted(), "{entry:?}");
            assert_eq!(counted(FADING.end), FADING.end);
            let small = counted(FADING.start) / FADING.start;
            let share = f64::from(entry.share()) / f64::from(WHOLE);
            assert!((1.0 - share - small).abs() < 1e-9, "{entry:?}");
        }
    }

    #[test]
    fn a_pawn_more_counts_less_with_bishops_of_opposite_colors() {
        let counted = |fen| {
            let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
            let [white, black] =
                [Color::White, Color::Black].map(|side| counted(100.0, side, position.board()));
            (white, black)
        };
        let opposite = counted("4kb2/5ppp/8/8/8/8/5PPP/4KB2 w - - 0 1");
        let same = counted("2b1k3/5ppp/8/8/8/8/5PPP/4KB2 w - - 0 1");
        assert!(2.0 * opposite.0 < same.0, "{opposite:?} {same:?}");
        assert!(opposite.0 > 0.0, "a lead stays one");
        assert_eq!(opposite.0, opposite.1);
        let board = Board::default();
        assert_eq!(super::counted(0.0, Color::White, &board), 0.0);
        assert_eq!(
            super::counted(-80.0, Color::White, &board),
            -super::counted(80.0, Color::Black, &board)
        );
    }
}
