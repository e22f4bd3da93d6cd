//! What must hold for all games, tried on random ones: what is kept up move by move equals what is computed
//! afresh, and alpha-beta finds what plain negamax finds.

use std::cmp::Reverse;
use std::sync::Arc;

use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Board, CastlingMode, Chess, EnPassantMode, Move, Position, Setup};
use squarewise::evaluation::king_buckets::KingBuckets;
use squarewise::evaluation::material::MATERIAL_SIZE;
use squarewise::evaluation::tables::PackedScore;
use squarewise::evaluation::{Accumulator, TableSet, Tables};
use squarewise::position::game::Game;
use squarewise::score::Score;
use squarewise::search::limits::Limits;
use squarewise::search::{SearchRequest, Searcher, Selectivity};

/// The start of a Chess960 game; number 518 is the standard one.
fn chess960_start(number: u32) -> Chess {
    let board = Board::chess960(number);
    let castling_rights = board.rooks();
    let setup = Setup {
        board,
        castling_rights,
        ..Setup::initial()
    };
    setup
        .position(CastlingMode::Chess960)
        .expect("every start is legal")
}

fn new_game(start: Chess) -> Game {
    Game::new(start, TableSet::Simplified.tables())
}

/// Tables that look at the kings and in which no two values are alike, so that no mistake goes unnoticed.
fn varied_tables() -> Tables {
    let shape = KingBuckets::named("squares").expect("a shape of this name");
    let cell = |number: usize| {
        let mixed = (number as u32).wrapping_mul(0x9e37_79b9);
        PackedScore {
            middle_game: (mixed >> 16) as i16 / 64,
            end_game: mixed as i16 / 64,
        }
    };
    let length = shape.length();
    let cells = (0..length).map(cell).collect();
    let armies = (length..length + MATERIAL_SIZE).map(cell).collect();
    Tables::from_scores(shape, cells, armies, 13)
}

/// The position with colors swapped and the board turned upside down.
fn swapped(position: &Chess) -> Chess {
    let setup = position.to_setup(EnPassantMode::Legal).into_mirrored();
    setup
        .position(position.castles().mode())
        .expect("a mirrored position is as legal")
}

fn assert_kept_up(game: &Game) {
    let position = game.position();
    let key: Zobrist64 = position.zobrist_hash(EnPassantMode::Legal);
    assert_eq!(game.key(), key.0, "key of {position:?}");
    let accumulator = Accumulator::of(position.board(), game.tables());
    assert_eq!(
        game.accumulator(),
        accumulator,
        "accumulator of {position:?}"
    );
}

/// Every sixteenth choice is a pass, where passing is allowed.
fn passes(choice: u16, game: &Game) -> bool {
    choice.is_multiple_of(16) && !game.position().is_check()
}

proptest! {
    #[test]
    fn keys_and_sums_are_kept_up_along_random_games(
        start in 0u32..960,
        choices in prop::collection::vec(any::<u16>(), 1..250),
    ) {
        let tables = if start % 2 == 0 { varied_tables() } else { Tables::zero() };
        let mut game = Game::new(chess960_start(start), Arc::new(tables));
        assert_kept_up(&game);
        let mut played = 0;
        for choice in choices {
            if passes(choice, &game) {
                game.make_null_move();
            } else {
                // Castling is rare among random moves; where it can be had it is played.
                let moves = game.position().legal_moves();
                let castling = moves.iter().copied().find(|m| m.is_castle());
                let Some(index) = usize::from(choice).checked_rem(moves.len()) else { break };
                game.play(castling.unwrap_or(moves[index]));
            }
            assert_kept_up(&game);
            played += 1;
        }
        for _ in 0..played {
            game.unmake_move();
            assert_kept_up(&game);
        }
        prop_assert_eq!(game.position(), &chess960_start(start));
    }

    #[test]
    fn a_repetition_that_a_legal_move_brings_is_seen_before_it_is_played(
        choices in prop::collection::vec(any::<u8>(), 8..80),
    ) {
        // Few pieces and only quiet piece moves, so that positions do come up again.
        let fen: Fen = "4k3/1q2n3/8/8/8/5b2/3R4/K2B4 w - - 0 1".parse().expect("a valid FEN");
        let mode = CastlingMode::Standard;
        let mut game = new_game(fen.into_position(mode).expect("a legal position"));
        let mut keys = vec![game.key()];
        for (ply, choice) in choices.into_iter().enumerate() {
            let moves: Vec<Move> = game.position().legal_moves().into_iter().collect();
            let repeats = moves.iter().any(|m| {
                game.play(*m);
                let is_known = keys.contains(&game.key());
                game.unmake_move();
                is_known
            });
            prop_assert!(!repeats || game.has_upcoming_repetition(ply), "ply {} of {:?}", ply, game.position());
            // Every other move goes back if it can.
            let back = moves.iter().copied().find(|m| {
                game.play(*m);
                let is_known = keys.contains(&game.key());
                game.unmake_move();
                is_known && choice % 2 == 0 && choice % 8 != 0
            });
            let quiet: Vec<Move> = moves.into_iter().filter(|m| !m.is_zeroing()).collect();
            let Some(index) = usize::from(choice).checked_rem(quiet.len()) else { break };
            game.play(back.unwrap_or(quiet[index]));
            keys.push(game.key());
        }
    }

    #[test]
    fn both_colors_are_judged_alike(
        start in 0u32..960,
        choices in prop::collection::vec(any::<u16>(), 1..120),
    ) {
        for tables in [TableSet::Simplified.tables(), Arc::new(varied_tables())] {
            let mut game = Game::new(chess960_start(start), Arc::clone(&tables));
            for choice in &choices {
                let moves = game.position().legal_moves();
                let Some(index) = usize::from(*choice).checked_rem(moves.len()) else { break };
                game.play(moves[index]);
                let other = Game::new(swapped(game.position()), Arc::clone(&tables));
                prop_assert_eq!(game.evaluation(), other.evaluation(), "{:?}", game.position());
            }
        }
    }
}

/// Plain negamax, which looks at every move of every node. Only its quiescence has a window: without one a
/// single wild exchange would take hours.
struct Reference {
    nodes_left: u32,
}

impl Reference {
    /// `None` when the nodes are used up.
    fn negamax(&mut self, game: &mut Game, depth: u32, ply: usize) -> Option<Score> {
        if depth == 0 {
            return self.quiescence(game, ply, Score::LOWEST, Score::HIGHEST);
        }
        if ply > 0 && game.is_draw(ply) {
            return Some(Score::DRAW);
        }
        let moves = game.position().legal_moves();
        if moves.is_empty() {
            let is_mated = game.position().is_check();
            return Some(if is_mated {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            });
        }
        let mut best = Score::LOWEST;
        for m in moves {
            self.nodes_left = self.nodes_left.checked_sub(1)?;
            game.play(m);
            best = best.max(-self.negamax(game, depth - 1, ply + 1)?);
            game.unmake_move();
        }
        Some(best)
    }

    fn quiescence(
        &mut self,
        game: &mut Game,
        ply: usize,
        mut alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        if game.is_draw(ply) {
            return Some(Score::DRAW);
        }
        let in_check = game.position().is_check();
        let mut best = if in_check {
            Score::mated_in(ply)
        } else {
            game.evaluation()
        };
        let mut moves = game.position().legal_moves();
        moves.retain(|m| in_check || m.is_capture() || m.is_promotion());
        moves.sort_by_key(|m| Reverse(m.capture()));
        for m in moves {
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
            self.nodes_left = self.nodes_left.checked_sub(1)?;
            game.play(m);
            best = best.max(-self.quiescence(game, ply + 1, -beta, -alpha)?);
            game.unmake_move();
        }
        Some(best)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn alpha_beta_without_selectivity_equals_plain_negamax(
        choices in prop::collection::vec(any::<u16>(), 0..120),
    ) {
        let mut position = Chess::default();
        for choice in choices {
            let moves = position.legal_moves();
            let Some(index) = usize::from(choice).checked_rem(moves.len()) else { break };
            position.play_unchecked(moves[index]);
        }
        prop_assume!(!position.legal_moves().is_empty());

        let mut reference = Reference { nodes_left: 800_000 };
        let expected = reference.negamax(&mut new_game(position.clone()), 3, 0);
        // Some random positions are one wild exchange; those take too long without alpha-beta.
        prop_assume!(expected.is_some());

        let mut searcher = Searcher::new(1)
            .expect("a small table can be had")
            .with_selectivity(Selectivity::Off);
        let game = Game::new(position.clone(), Arc::clone(&TableSet::Simplified.tables()));
        let result = searcher.search(SearchRequest::new(game, Limits::depth(3)), &mut |_| ());
        prop_assert_eq!(Some(result.score()), expected, "{:?}", position);
    }
}
