//! Start positions for data generation, as OpenBench asks for them: the command `genfens`.
//!
//! A game that is played to be learned from must not be the same as another, and must not be
//! decided before it begins. So each position is some random plies away from the start position, or
//! from a random position of a book, and a short search sees neither side far ahead. Position
//! number `n` of a seed is the same however many are asked for.

mod book;
mod error;

use std::path::PathBuf;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shakmaty::Chess;

use self::book::Book;
pub use self::error::GenfensError;
use self::error::MAX_TRIES;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::random_moves::play_randomly;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::search::{SearchRequest, Searcher};

/// The random plies from the start position, if their number is not given; half of the positions
/// have one more, so that both sides are to move.
const PLIES_FROM_START: u32 = 8;
/// The same from a position of a book, which has left the start position behind.
const PLIES_FROM_BOOK: u32 = 4;
/// The most random plies that can be asked for.
pub const MAX_PLIES: u32 = 100;

/// A position is too one-sided from this many centipawns; at 100 the side ahead wins half of its
/// games.
const ONE_SIDED: i32 = 200;
/// The nodes of the search that looks at a position: a few milliseconds.
const NODES: u64 = 5_000;
/// The size of its transposition table in MiB.
const HASH_MEGABYTES: usize = 1;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The number of positions.
    pub count: u32,
    /// The seed of all random numbers.
    pub seed: u32,
    /// A file of positions to begin with, one EPD or FEN a line; `None` for the start position.
    pub book: Option<PathBuf>,
    /// The number of random plies, at most [`MAX_PLIES`]; `None` for the usual one.
    pub plies: Option<u32>,
}

/// Makes the positions and passes each to `receive`. Raising `stop` ends it early.
pub fn run(
    plan: &Plan,
    stop: &StopToken,
    receive: &mut dyn FnMut(Chess),
) -> Result<(), GenfensError> {
    let mut book = plan.book.as_deref().map(Book::open).transpose()?;
    let mut searcher = Searcher::new(HASH_MEGABYTES)?;
    for number in 0..plan.count {
        let mut random = ChaCha8Rng::seed_from_u64(u64::from(plan.seed));
        random.set_stream(u64::from(number));
        let mut tries = 0..MAX_TRIES;
        loop {
            if stop.is_requested() {
                return Ok(());
            }
            tries.next().ok_or(GenfensError::NothingBalanced)?;
            let begin = book.as_mut().map(|book| book.draw(&mut random));
            let begin = begin.transpose()?.unwrap_or_default();
            let position = after_random_plies(begin, plan, &mut random);
            if let Some(position) = position.filter(|position| is_balanced(position, &mut searcher))
            {
                receive(position);
                break;
            }
        }
    }
    Ok(())
}

/// The position after the random plies; `None` if the game is over before.
fn after_random_plies(start: Chess, plan: &Plan, random: &mut ChaCha8Rng) -> Option<Chess> {
    let mut position = VariantPosition::from(start);
    let usual = if plan.book.is_some() {
        PLIES_FROM_BOOK
    } else {
        PLIES_FROM_START
    };
    // Drawn always, so that the moves of a seed don't depend on whether their number is given.
    let one_more = random.next_u32() % 2;
    let plies = plan.plies.unwrap_or(usual + one_more);
    let is_on = play_randomly(&mut position, plies, random);
    is_on.then(|| position.chess().clone())
}

/// Whether the game goes on, and a short search sees neither side far ahead.
fn is_balanced(position: &Chess, searcher: &mut Searcher) -> bool {
    let game = Game::new(position.clone());
    if game.end_by_the_rules().is_some() {
        return false;
    }
    // What earlier searches have learned would make the answer depend on them.
    searcher.new_game();
    let result = searcher.search(&game, SearchRequest::new(Limits::nodes(NODES)), &mut |_| ());
    result.score().value().abs() < ONE_SIDED
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Color, EnPassantMode, Position};
    use std::collections::HashSet;
    use std::fs;
    use tempfile::{NamedTempFile, TempPath};

    fn plan(count: u32, seed: u32) -> Plan {
        Plan {
            count,
            seed,
            book: None,
            plies: None,
        }
    }

    fn positions(plan: &Plan) -> Vec<Chess> {
        let mut positions = Vec::new();
        let run = run(plan, &StopToken::new(), &mut |position| {
            positions.push(position);
        });
        run.expect("positions");
        positions
    }

    fn fens(plan: &Plan) -> Vec<String> {
        let positions = positions(plan).into_iter();
        let fens = positions
            .map(|position| Fen::from_position(&position, EnPassantMode::Legal).to_string());
        fens.collect()
    }

    /// A book of these lines, removed at the end of the test.
    fn book(lines: &str) -> TempPath {
        let file = NamedTempFile::with_prefix("squarewise-").expect("a file can be made");
        fs::write(&file, lines).expect("a file can be written");
        file.into_temp_path()
    }

    /// The error with a book of these lines.
    fn error_with_book(lines: &str) -> String {
        let path = book(lines);
        let plan = Plan {
            book: Some(path.to_path_buf()),
            ..plan(4, 1)
        };
        let result = run(&plan, &StopToken::new(), &mut |_| ());
        result.expect_err("a useless book").to_string()
    }

    #[test]
    fn positions_depend_on_the_seed_and_on_their_number_alone() {
        let first = fens(&plan(12, 7));
        assert_eq!(first[..5], fens(&plan(5, 7)));
        let all: HashSet<String> = first.into_iter().chain(fens(&plan(12, 8))).collect();
        assert_eq!(all.len(), 24);
    }

    #[test]
    fn positions_are_not_over_are_balanced_and_have_either_side_to_move() {
        let positions = positions(&plan(24, 1));
        let mut searcher = Searcher::new(HASH_MEGABYTES).expect("memory");
        for position in &positions {
            assert!(!position.is_game_over());
            assert!(is_balanced(position, &mut searcher));
        }
        let white = positions
            .iter()
            .filter(|position| position.turn() == Color::White);
        assert!((1..24).contains(&white.count()));
        let a_queen_less = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        let bare_kings = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
        for fen in [a_queen_less, mated, bare_kings] {
            let position = squarewise_engine::position::from_fen(fen, CastlingMode::Standard)
                .expect("a position");
            assert!(!is_balanced(&position, &mut searcher), "{fen}");
        }
    }

    #[test]
    fn a_book_is_the_beginning_and_the_number_of_plies_can_be_chosen() {
        // EPD, FEN and Chess960, with comments and line ends of every kind.
        let lines = [
            "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
            "rnbqkb1r/pp2pppp/2p2n2/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 2 4",
            "nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR w HBhb - 0 1",
        ];
        let epd = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - hmvc 3; fmvn 3;";
        let text = format!("# three\r\n{epd}\r\n\r\n{}\n{}", lines[1], lines[2]);
        let path = book(&text);
        let plan = Plan {
            book: Some(path.to_path_buf()),
            plies: Some(0),
            ..plan(30, 3)
        };
        let drawn: HashSet<Chess> = positions(&plan).into_iter().collect();
        let with_plies = positions(&Plan {
            plies: Some(3),
            ..plan.clone()
        });
        let boards: HashSet<String> = drawn
            .iter()
            .map(|position| position.board().to_string())
            .collect();
        let expected: HashSet<String> = lines
            .iter()
            .map(|line| line.split(' ').next().unwrap_or_default().to_owned())
            .collect();
        assert_eq!(boards, expected);
        assert!(
            with_plies
                .iter()
                .all(|position| !expected.contains(&position.board().to_string()))
        );
    }

    #[test]
    fn a_book_that_is_of_no_use_is_an_error() {
        for (name, lines, expected) in [
            ("comments", "# nothing\n\n", "no positions"),
            (
                "comments without end",
                &"#\n".repeat(1_000_000),
                "no positions",
            ),
            ("rubbish", "rubbish", "'rubbish' is not a position"),
            ("binary", &"x".repeat(10_000), "too long"),
            // Over already, which is seen without a search.
            (
                "over",
                "8/8/8/8/8/8/8/K1k5 w - - 0 1",
                "no balanced position",
            ),
        ] {
            let error = error_with_book(lines);
            assert!(error.contains(expected), "{name}: {error}");
            // OpenBench would read a message that begins like this as a position.
            assert!(!error.starts_with("genfens "), "{error}");
        }
        let missing = Plan {
            book: Some(PathBuf::from("no-such-book.epd")),
            ..plan(1, 1)
        };
        let error = run(&missing, &StopToken::new(), &mut |_| ()).expect_err("no book");
        assert!(error.to_string().contains("no-such-book.epd"), "{error}");
    }

    #[test]
    fn it_can_be_stopped() {
        let stop = StopToken::new();
        let mut count = 0;
        run(&plan(u32::MAX, 1), &stop, &mut |_| {
            count += 1;
            stop.request();
        })
        .expect("positions");
        assert_eq!(count, 1);
    }
}
