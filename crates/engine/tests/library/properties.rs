//! Properties that hold in all games, tested on random ones.
//!
//! Values updated move by move equal those computed from scratch, the terms of an evaluation add up
//! to it, upcoming repetitions are found, and alpha-beta returns the score of plain negamax.

use std::sync::Arc;

use crate::support::positions::{game, request};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Board, Chess, Color, EnPassantMode, Move, Position, Role, attacks};
use squarewise_engine::evaluation::attacks::for_each_feature as for_each_attack;
use squarewise_engine::evaluation::breakdown::{Breakdown, Table};
use squarewise_engine::evaluation::features::{Feature, FeatureState, Layout};
use squarewise_engine::evaluation::king_buckets::KingBuckets;
use squarewise_engine::evaluation::tapered_score::{BLEND_DIVISOR, PackedScore, TaperedScore};
use squarewise_engine::evaluation::{Accumulator, EvaluationMemory, Evaluator, TableSet, Tables};
use squarewise_engine::plain_negamax::PlainNegamax;
use squarewise_engine::position::chess960_start;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::piece_changes::PieceChange;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::{Searcher, Selectivity};

/// Tables with a king bucket for each square and no two scores alike, so that no mistake goes
/// unnoticed.
fn varied_tables() -> Tables {
    let king_buckets = KingBuckets::named("squares").expect("a scheme of this name");
    let layout = Layout::new(king_buckets);
    let score = |number: usize| {
        let mixed = (number as u32).wrapping_mul(0x9e37_79b9);
        PackedScore {
            middlegame: (mixed >> 16) as i16 / 129,
            endgame: mixed as i16 / 129,
        }
    };
    let scores = (0..layout.length()).map(score).collect();
    Tables::from_scores(layout, scores, 13)
}

/// The sum of all features, White's scores minus Black's, as the index law lists them: pairs too.
fn sum_of_features(board: &Board, tables: &Tables) -> TaperedScore {
    let layout = tables.layout();
    let state = FeatureState::of(layout, board);
    let mut sum = TaperedScore::default();
    let mut add = |feature| {
        let [black, white] = state.indices(layout, feature);
        sum += tables.score(white);
        sum -= tables.score(black);
    };
    state.for_each_feature(board, &mut add);
    Feature::pairs_on(board).for_each(add);
    sum
}

/// The sum of all attacks, White's scores minus Black's, as the index law lists them.
fn sum_of_attacks(position: &Chess, tables: &Tables) -> TaperedScore {
    let mut sum = TaperedScore::default();
    for_each_attack(position.board(), position.turn(), |side, feature| {
        let first = tables.layout().range(feature.family()).start;
        let score = tables.score(first + feature.place());
        match side {
            Color::White => sum += score,
            Color::Black => sum -= score,
        }
    });
    sum
}

/// The position with colors swapped and the board mirrored vertically.
fn mirrored(position: &Chess) -> Chess {
    let setup = position.to_setup(EnPassantMode::Legal).into_mirrored();
    setup
        .position(position.castles().mode())
        .expect("a mirrored position is as legal")
}

/// Holds the key and the evaluation of a game's last position, which lies `ply` plies below the
/// root of the evaluator, against those computed from scratch.
fn assert_values_match_scratch(
    game: &Game,
    evaluator: &mut Evaluator,
    tables: &Tables,
    ply: usize,
) {
    let position = game.position();
    let key: Zobrist64 = position.zobrist_hash(EnPassantMode::Legal);
    assert_eq!(game.key(), key.0, "key of {position:?}");
    let evaluation = evaluator.evaluation(game, ply);
    assert_eq!(evaluation, tables.evaluate(position), "{position:?}");
    let accumulator = Accumulator::of(position.board(), tables);
    let sum = sum_of_features(position.board(), tables);
    assert_eq!(accumulator.balance(), sum, "sum of {position:?}");
    if let Some(attacks) = tables.attacks() {
        let passed = accumulator.passed_pawns();
        let found = attacks.balance(position.board(), position.turn(), passed);
        assert_eq!(
            found,
            sum_of_attacks(position, tables),
            "attacks of {position:?}"
        );
    }
}

/// Every sixteenth choice is a null move, unless the side to move is in check.
fn is_null_move(choice: u16, game: &Game) -> bool {
    choice.is_multiple_of(16) && !game.position().is_check()
}

/// Whether a move of a piece of the side to move leads to one of the keys. Whether it leaves the
/// king in check does not matter.
fn has_repeating_move(game: &Game, keys: &[u64]) -> bool {
    let (position, occupied) = (game.position(), game.position().board().occupied());
    let pieces = position
        .board()
        .iter()
        .filter(|(_, piece)| piece.color == position.turn());
    let mut moves = pieces
        .filter(|(_, piece)| piece.role != Role::Pawn)
        .flat_map(|(from, piece)| {
            let targets = attacks::attacks(from, piece, occupied) & !occupied;
            targets.into_iter().map(move |to| (piece, from, to))
        });
    moves.any(|(piece, from, to)| {
        let mut after = game.keys();
        after.apply(PieceChange {
            piece,
            from: Some(from),
            to: Some(to),
        });
        after.toggle_turn();
        keys.contains(&after.position)
    })
}

#[test]
fn a_triangulation_of_the_enemy_king_is_no_upcoming_repetition() {
    // Black's king has gone from e8 to e7 in three moves, White's king to d1 and back. Only a move
    // of Black's king would repeat the first position, but White is to move.
    let game = game(
        "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
        "e8d8 e1d1 d8d7 d1e1 d7e7",
    );
    assert!(!game.has_upcoming_repetition(5));
}

proptest! {
    #[test]
    fn keys_and_evaluations_of_random_games_equal_those_computed_from_scratch(
        start in 0u32..960,
        choices in prop::collection::vec(any::<u16>(), 1..250),
    ) {
        let tables = if start % 2 == 0 { varied_tables() } else { Tables::zero() };
        let mut game = Game::new(chess960_start(start));
        let mut memory = EvaluationMemory::default();
        let mut evaluator = Evaluator::new(&tables, game.position(), choices.len(), &mut memory);
        assert_values_match_scratch(&game, &mut evaluator, &tables, 0);
        let mut played = 0;
        for choice in choices {
            if is_null_move(choice, &game) {
                game.make_null_move();
            } else {
                // Castling is rare among random moves, so it is played whenever it is legal.
                let moves = game.position().legal_moves();
                let castling = moves.iter().copied().find(|m| m.is_castle());
                let Some(index) = usize::from(choice).checked_rem(moves.len()) else { break };
                game.play(castling.unwrap_or(moves[index]));
            }
            played += 1;
            evaluator.enter(played);
            // Accumulators wait until they are asked for: often for several moves.
            if choice % 5 < 2 {
                assert_values_match_scratch(&game, &mut evaluator, &tables, played);
            }
        }
        for ply in (0..played).rev() {
            game.unmake_move();
            assert_values_match_scratch(&game, &mut evaluator, &tables, ply);
        }
        prop_assert_eq!(game.position().chess(), &chess960_start(start));
    }

    #[test]
    fn an_upcoming_repetition_is_one_by_a_move_of_an_own_piece(
        choices in prop::collection::vec(any::<u8>(), 8..80),
    ) {
        // Few pieces and only quiet moves, so that positions occur again.
        let mut game = game("4k3/1q2n3/8/8/8/5b2/3R4/K2B4 w - - 0 1", "");
        let mut keys = vec![game.key()];
        for (ply, choice) in choices.into_iter().enumerate() {
            let moves: Vec<Move> = game.position().legal_moves().into_iter().collect();
            let repeats = moves.iter().any(|m| {
                game.play(*m);
                let repeats_position = keys.contains(&game.key());
                game.unmake_move();
                repeats_position
            });
            let is_upcoming = game.has_upcoming_repetition(ply);
            prop_assert!(!repeats || is_upcoming, "ply {} of {:?}", ply, game.position());
            prop_assert_eq!(is_upcoming, has_repeating_move(&game, &keys), "ply {} of {:?}", ply, game.position());
            // Some of the moves repeat a position if they can.
            let back = moves.iter().copied().find(|m| {
                game.play(*m);
                let repeats_position = keys.contains(&game.key());
                game.unmake_move();
                repeats_position && choice % 2 == 0 && choice % 8 != 0
            });
            let quiet: Vec<Move> = moves.into_iter().filter(|m| !m.is_zeroing()).collect();
            let Some(index) = usize::from(choice).checked_rem(quiet.len()) else { break };
            game.play(back.unwrap_or(quiet[index]));
            keys.push(game.key());
        }
    }

    #[test]
    fn mirrored_positions_have_the_same_evaluation(
        start in 0u32..960,
        choices in prop::collection::vec(any::<u16>(), 1..120),
    ) {
        for tables in [TableSet::Simplified.tables(), Arc::new(varied_tables())] {
            let mut game = Game::new(chess960_start(start));
            for choice in &choices {
                let moves = game.position().legal_moves();
                let Some(index) = usize::from(*choice).checked_rem(moves.len()) else { break };
                game.play(moves[index]);
                let mirrored = tables.evaluate(&mirrored(game.position()));
                prop_assert_eq!(tables.evaluate(game.position()), mirrored, "{:?}", game.position());
            }
        }
    }
}

/// The sum of all values, as a reader of the breakdown adds them up.
fn sum_of_values(breakdown: &Breakdown) -> i32 {
    let terms = breakdown.pieces.iter().flat_map(|piece| &piece.terms);
    let pieces: i32 = terms.map(|term| term.value).sum();
    let beyond_pieces = breakdown.beyond_pieces.iter();
    let beyond_pieces: i32 = beyond_pieces.map(|term| term.value()).sum();
    pieces + beyond_pieces + breakdown.tempo
}

/// The sum of all exact scores.
fn sum_of_exact_scores(breakdown: &Breakdown) -> TaperedScore {
    let mut sum = TaperedScore::default();
    for piece in &breakdown.pieces {
        match piece.piece.color {
            Color::White => sum += piece.exact(|_| true),
            Color::Black => sum -= piece.exact(|_| true),
        }
    }
    for term in &breakdown.beyond_pieces {
        let [black, white] = term.exact;
        sum += white;
        sum -= black;
    }
    sum
}

/// Fails if a value is a centipawn or more from its exact score.
fn assert_rounded_by_less_than_one(breakdown: &Breakdown) {
    let blended = |side: Color, exact: TaperedScore| {
        let value = exact.weighted(breakdown.phase);
        side.fold_wb(value, -value)
    };
    for piece in &breakdown.pieces {
        let side = piece.piece.color;
        for term in piece.terms.iter().filter(|term| term.table != Table::Pawns) {
            let lost = BLEND_DIVISOR * term.value - blended(side, term.exact);
            assert!(lost.abs() < BLEND_DIVISOR, "{term:?} of {piece:?}");
        }
        let passed = BLEND_DIVISOR * piece.passed.value - blended(side, piece.passed.exact);
        assert!(passed.abs() <= BLEND_DIVISOR / 2, "{piece:?}");
        let pairs = breakdown.pairs_of(piece.square);
        let of_pawns: i32 = pairs.map(|(_, part)| part).sum();
        assert_eq!(piece.term(Table::Pawns), of_pawns, "{piece:?}");
    }
    for pair in &breakdown.pairs {
        let lost = BLEND_DIVISOR * pair.value - blended(Color::White, pair.exact);
        assert!(lost.abs() < BLEND_DIVISOR, "{pair:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]
    #[test]
    fn the_terms_of_all_pieces_and_tables_add_up_exactly_to_the_evaluation(
        start in 0u32..960,
        seed in any::<u64>(),
        choices in prop::collection::vec(any::<u16>(), 1..160),
    ) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let learned = TableSet::Learned.tables();
        let sets = [
            Arc::new(learned.misjudged(60, &mut random)),
            learned,
            TableSet::Simplified.tables(),
            TableSet::Attacks.tables(),
            Arc::new(varied_tables()),
            Arc::new(Tables::zero()),
        ];
        let mut game = Game::new(chess960_start(start));
        for choice in choices {
            let moves = game.position().legal_moves();
            let Some(index) = usize::from(choice).checked_rem(moves.len()) else { break };
            game.play(moves[index]);
            for tables in &sets {
                let breakdown = Breakdown::of(game.position(), tables);
                let score = tables.evaluate(game.position()).value();
                let of_white = game.position().turn().fold_wb(score, -score);
                prop_assert_eq!(breakdown.total, of_white, "{:?}", game.position());
                prop_assert_eq!(sum_of_values(&breakdown), of_white, "{:?}", game.position());
                prop_assert_eq!(sum_of_exact_scores(&breakdown), breakdown.balance, "{:?}", game.position());
                if breakdown.ending.is_empty() {
                    let mut balance = Accumulator::of(game.position().board(), tables).balance();
                    balance += sum_of_attacks(game.position(), tables);
                    prop_assert_eq!(breakdown.balance, balance, "{:?}", game.position());
                }
                assert_rounded_by_less_than_one(&breakdown);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]
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

        let tables = TableSet::Simplified.tables();
        let mut oracle = PlainNegamax { tables: &tables, nodes_left: 60_000 };
        let expected = oracle.negamax(&mut Game::new(position.clone()), 3, 0);
        // Some random positions have so many captures that they take too long without alpha-beta.
        prop_assume!(expected.is_some());

        let mut searcher = Searcher::new(1)
            .expect("1 MiB can be allocated")
            .with_selectivity(Selectivity::Off);
        let game = Game::new(position.clone());
        let result = searcher.search(&game, request(Limits::depth(3)), &mut |_| ());
        prop_assert_eq!(Some(result.score()), expected, "{:?}", position);
    }
}
