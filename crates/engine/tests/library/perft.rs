//! The move generator against published counts, in standard chess and in Chess960.
//!
//! The default run is small; `cargo test --release -- --ignored` counts to the last published
//! depth.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, PositionError};
use squarewise_engine::position::perft;
use squarewise_engine::position::variant_position::VariantPosition;

/// Counts larger than this are left to the ignored tests.
const LARGEST_DEFAULT_COUNT: u64 = 5_000_000;
const DEEPEST_DEFAULT_DEPTH: u32 = 4;
/// There are 960 positions, so one ply less is enough.
const DEEPEST_DEFAULT_DEPTH_OF_CHESS960: u32 = 3;

struct Case {
    position: VariantPosition,
    fen: String,
    counts: Vec<(u32, u64)>,
}

impl Case {
    fn new(fen: &str, mode: CastlingMode) -> Case {
        // Some counts are published for positions with a check that no move can give.
        let position = fen
            .parse::<Fen>()
            .expect("the file holds positions")
            .into_position::<Chess>(mode)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_too_much_material);
        Case {
            position: position.expect("the file holds legal positions").into(),
            fen: fen.to_owned(),
            counts: Vec::new(),
        }
    }

    /// Checks the counts that are wanted; returns their number.
    fn check(&self, is_wanted: impl Fn(u32, u64) -> bool) -> usize {
        let wanted = self
            .counts
            .iter()
            .filter(|(depth, count)| is_wanted(*depth, *count));
        wanted
            .map(|(depth, count)| {
                let found = perft::count(&self.position, *depth, &|| true);
                assert_eq!(found, Some(*count), "{} at depth {depth}", self.fen);
            })
            .count()
    }
}

/// The positions of a file with lines of the form `FEN ;D1 20 ;D2 400 ...`.
fn standard_cases() -> Vec<Case> {
    let cases = include_str!("../../../../tests/data/standard.epd")
        .lines()
        .map(|line| {
            let mut fields = line.split(';');
            let fen = fields.next().expect("a line begins with its position");
            let mut case = Case::new(fen.trim(), CastlingMode::Standard);
            case.counts.extend(fields.map(|field| {
                let (depth, count) = field.trim().split_once(' ').expect("a depth and a count");
                let depth = depth.trim_start_matches('D').parse().expect("a depth");
                (depth, count.parse().expect("a count"))
            }));
            case
        });
    cases.collect()
}

/// The positions of a text with lines `epd FEN`, each followed by lines `perft DEPTH COUNT`.
fn listed_cases(text: &str, mode: CastlingMode) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        match line.split(' ').collect::<Vec<_>>().as_slice() {
            ["epd", fen @ ..] => cases.push(Case::new(&fen.join(" "), mode)),
            ["perft", depth, count] => {
                let case = cases
                    .last_mut()
                    .expect("a position stands before its counts");
                let depth = depth.parse().expect("a depth");
                case.counts.push((depth, count.parse().expect("a count")));
            }
            _ => {}
        }
    }
    cases
}

fn check_all(cases: &[Case], is_wanted: impl Fn(u32, u64) -> bool, expected: usize) {
    let checked: usize = cases.iter().map(|case| case.check(&is_wanted)).sum();
    assert!(checked >= expected, "only {checked} counts were checked");
}

#[test]
fn standard_positions_have_their_published_counts() {
    let wanted = |depth, count| depth <= DEEPEST_DEFAULT_DEPTH && count <= LARGEST_DEFAULT_COUNT;
    check_all(&standard_cases(), wanted, 500);
}

#[test]
fn awkward_positions_have_their_published_counts() {
    let cases = listed_cases(
        include_str!("../../../../tests/data/tricky.perft"),
        CastlingMode::Chess960,
    );
    let wanted = |depth, count| depth <= DEEPEST_DEFAULT_DEPTH && count <= LARGEST_DEFAULT_COUNT;
    check_all(&cases, wanted, 60);
}

#[test]
fn chess960_positions_have_their_published_counts() {
    let cases = listed_cases(
        include_str!("../../../../tests/data/chess960.perft"),
        CastlingMode::Chess960,
    );
    assert_eq!(cases.len(), 960);
    check_all(
        &cases,
        |depth, _| depth <= DEEPEST_DEFAULT_DEPTH_OF_CHESS960,
        2_880,
    );
}

#[test]
#[ignore = "minutes long"]
fn standard_positions_have_their_published_counts_to_the_last_depth() {
    check_all(&standard_cases(), |_, _| true, 700);
}

#[test]
#[ignore = "minutes long"]
fn chess960_positions_have_their_published_counts_at_depth_five() {
    let cases = listed_cases(
        include_str!("../../../../tests/data/chess960.perft"),
        CastlingMode::Chess960,
    );
    check_all(&cases, |depth, _| depth <= 5, 4_800);
}
