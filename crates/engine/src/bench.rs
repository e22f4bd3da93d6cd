//! The benchmark: searches of fixed positions to a fixed depth. The node count is the fingerprint
//! of the search, the time gives its speed.
//!
//! Every position is searched as in a new game, so the node count is the same on every run, build
//! and machine. A refactoring keeps it; a change of the search, the evaluation or the move order
//! moves it. OpenBench compares it to make sure that two builds are the same engine.

pub mod speed;

use std::time::Duration;

use shakmaty::CastlingMode;

use crate::position;
use crate::position::game::Game;
use crate::search::limits::Limits;
use crate::search::stop::StopToken;
use crate::search::transposition_table::AllocationError;
use crate::search::{SearchRequest, SearchResult, Searcher};

/// The depth of the fingerprint, in plies.
pub const DEFAULT_DEPTH: u32 = 12;

/// The size of the fingerprint's transposition table, in MiB.
pub const DEFAULT_HASH: usize = 16;

/// Positions from World Championship games, from the opening to bare endgames, and two composed
/// ones: a zugzwang and a mate.
pub const POSITIONS: [&str; 40] = [
    "rnbqk2r/ppp2ppp/4pn2/3p4/1bPP4/2N5/PPQ1PPPP/R1B1KBNR w KQkq - 0 5",
    "r1bqkb1r/pppp1ppp/2n5/1B2p3/3Pn3/5N2/PPP2PPP/RNBQ1RK1 b kq - 0 5",
    "r1bqk2r/1p3ppp/p1nppbn1/2p5/2P1PP2/2NP1N2/PP2B1PP/R1B1QR1K b kq - 1 10",
    "rn1qkb1r/pb1ppppp/1p3n2/2p5/3P4/5NP1/PPP1PPBP/RNBQK2R w KQkq - 0 5",
    "rnbqk1nr/pp3ppp/4p3/2ppP3/3P4/P1P5/2P2PPP/R1BQKBNR b KQkq - 0 6",
    "rnq1kb1r/pp1n1ppp/4p3/3pNb2/3P4/1QN1P3/PP1B1PPP/R3KB1R b KQkq - 5 9",
    "r1bq1rk1/p2p1pp1/2n1pn1p/2p5/2P4B/P1Q1P2N/1P3PPP/R3KB1R b KQ - 1 11",
    "r1bq1rk1/pp3pp1/2nb1n1p/3p4/3N4/2NBB2P/PPP2PP1/R2Q1RK1 w - - 2 11",
    "r2qkb1r/1p2pppp/p2p1n2/4n1B1/b3P3/2Pp1N2/PP1N1PPP/R2QR1K1 w kq - 0 11",
    "2rr2k1/pb1nbpp1/4qn1p/2pp4/7B/2N1PN2/PPR1BPPP/1Q1R2K1 w - - 8 17",
    "2r2rk1/pp2qppp/1bn1pB2/1N2N3/3P4/P6P/1P2QPP1/2R2RK1 b - - 0 18",
    "r5k1/1pq2p1p/p1p1rnp1/2b1pN2/P3P3/5Q2/1PP2PPP/R1B2RK1 w - - 0 16",
    "rnbq1rk1/6pp/5n2/1Bppp3/1b6/P1N1P3/1P2NPPP/R1BQ1RK1 b - - 0 12",
    "3rk3/2p2rpp/1bn1pn2/1p2p3/1P2P3/1NP2P2/4K1PP/R1B1N2R b - - 2 19",
    "rn2k2r/pp3p1p/2p1pp2/5b2/PbqP4/2N5/1P1QPPPP/R3KB1R w KQkq - 0 11",
    "r1b2rk1/pp2n1p1/4p2p/q1ppP3/3P4/2PB1N2/P1P3PP/R3QRK1 b - - 3 16",
    "2r3k1/pp1q2b1/3Pr1pp/3Q1p2/2n4P/P1N2NB1/1P3PP1/3R2K1 b - - 2 26",
    "1r4rk/pN2q2p/1p6/2p1b3/1P1pBpn1/5Q2/PB1R3P/5R1K b - - 6 29",
    "r3n1k1/1p1r1ppp/2q1p3/8/P6Q/R1B5/2P2PPP/5RK1 b - - 3 27",
    "1r2r1k1/5p1p/5b2/p1P2Q2/3q4/P1N1pPP1/6BP/R2b1R1K b - - 1 28",
    "1r3r1k/5Rpp/1q1p4/1p1Bb3/3pP3/1Q4PP/1P3P2/4R1K1 w - - 1 24",
    "r2r1bk1/1b3ppp/p7/PPp5/4P3/2q4P/2BN1PP1/1RQ1R1K1 w - - 3 25",
    "2r5/3q3R/1k3p2/4p3/pP1rQ3/Pp4P1/1P5P/KR6 w - - 9 42",
    "8/pR3pkp/8/1B3p2/P4PP1/1P5K/3r3P/6b1 b - - 0 35",
    "r1bb4/p5pp/2N1k3/8/2p1n3/2B5/1PPK1PPP/R6R w - - 1 25",
    "8/6k1/bpn2r2/4ppp1/2p5/P1RpP1P1/5KP1/5B1R w - - 0 29",
    "5k2/p5pp/b3pp2/2N5/Pp3P2/8/1R3KPP/5r2 w - - 4 35",
    "1k2r3/1p3p1p/p7/3PPp2/8/3P4/P1nN2PP/4R2K w - - 3 28",
    "6k1/1b3ppp/8/p7/PP1R4/2N4P/1r6/5K2 b - - 3 40",
    "8/4kp1R/3b4/2p5/1pP3PP/2n5/P5K1/8 b - - 0 41",
    "8/2p2kpp/p1Rb4/1r6/4K3/4B1P1/P4P1P/8 b - - 0 27",
    "8/7p/p3pB2/5p2/1PK2P2/6k1/6P1/8 b - - 0 40",
    "6k1/pp1R1p2/8/2R4p/4r2P/1P6/r4P2/6K1 w - - 1 30",
    "6k1/5p2/6p1/8/1R2bPK1/2P1P3/7r/8 b - - 1 43",
    "1r6/4k2p/8/3K4/1p3PP1/1R5P/8/8 b - - 5 48",
    "6k1/p4R2/8/7p/7r/1R3K2/5P2/8 b - - 0 35",
    "8/8/p7/6k1/R6p/1r6/7K/8 b - - 3 49",
    "8/4K3/6r1/3Pk3/8/8/6p1/3R4 w - - 2 66",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
    "6k1/5p1p/2Q1p1p1/5n1r/N7/1B3P1P/1PP3PK/4q3 b - - 0 1",
];

/// The total of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// Nodes searched, the fingerprint.
    pub nodes: u64,
    /// Time spent searching.
    pub time: Duration,
}

impl Total {
    /// The speed in nodes per second.
    pub fn nodes_per_second(self) -> u64 {
        crate::search::nodes_per_second(self.nodes, self.time)
    }
}

/// Searches all positions `depth` plies deep with a transposition table of `hash` MiB. Calls
/// `on_position` after each position with its number from 1, its FEN, and the result. Raising
/// `stop` ends the run early, with the total so far.
///
/// # Errors
///
/// [`AllocationError`] if there is no memory for the transposition table.
pub fn run(
    depth: u32,
    hash: usize,
    stop: &StopToken,
    on_position: &mut dyn FnMut(usize, &str, &SearchResult),
) -> Result<Total, AllocationError> {
    let mut searcher = Searcher::new(hash)?;
    let mut total = Total {
        nodes: 0,
        time: Duration::ZERO,
    };
    for (index, fen) in POSITIONS.iter().enumerate() {
        if stop.is_requested() {
            break;
        }
        searcher.new_game();
        let request = SearchRequest {
            stop: stop.clone(),
            ..SearchRequest::new(Limits::depth(depth))
        };
        let result = searcher.search(&game(fen), request, &mut |_| ());
        total.nodes += result.info.nodes;
        total.time += result.info.time;
        on_position(index + 1, fen, &result);
    }
    Ok(total)
}

/// The game that begins with one of the positions.
fn game(fen: &str) -> Game {
    let position = position::from_fen(fen, CastlingMode::Standard)
        .expect("the benchmark's positions are legal");
    Game::new(position)
}
