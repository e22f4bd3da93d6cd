//! Speed of the engine's parts: searches to a fixed depth, evaluation, move picking, making moves,
//! perft.
//!
//! `cargo bench` runs all groups, `cargo bench -- evaluation` one of them. Compare results of the
//! same machine only, with nothing else running.

#[path = "../tests/support/positions.rs"]
mod positions;

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use positions::position;
use shakmaty::{Move, Position};
use squarewise_engine::evaluation::{EvaluationMemory, Evaluator, TableSet};
use squarewise_engine::position::game::Game;
use squarewise_engine::position::movegen::{LegalMasks, legal_moves};
use squarewise_engine::position::perft;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::search::history::{History, HistoryContext, Killers};
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::move_picker::MovePicker;
use squarewise_engine::search::{SearchRequest, Searcher};

/// An opening, a middlegame with many captures, and an endgame.
const POSITIONS: [(&str, &str); 3] = [
    (
        "opening",
        "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    ),
    (
        "middlegame",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
];

const SEARCH_DEPTH: u32 = 9;
const PERFT_DEPTH: u32 = 4;
const HASH_MEGABYTES: usize = 16;

fn game(fen: &str) -> Game {
    let mut game = Game::new(position(fen));
    game.reserve(8);
    game
}

fn searches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(format!("search-depth-{SEARCH_DEPTH}"));
    group.sample_size(20);
    for (name, fen) in POSITIONS {
        let game = game(fen);
        let mut searcher = Searcher::new(HASH_MEGABYTES).expect("16 MiB can be allocated");
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                searcher.new_game();
                let request = SearchRequest::new(Limits::depth(SEARCH_DEPTH));
                searcher.search(&game, request, &mut |_| ()).info.nodes
            });
        });
    }
    group.finish();
}

fn evaluations(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("evaluation");
    let tables = TableSet::default().tables();
    for (name, fen) in POSITIONS {
        let position = VariantPosition::from(position(fen));
        group.bench_function(format!("from-scratch/{name}"), |bencher| {
            bencher.iter(|| tables.evaluate(black_box(&position)));
        });
    }
    let game = game(POSITIONS[1].1);
    let mut memory = EvaluationMemory::default();
    let mut evaluator = Evaluator::new(&tables, game.position(), 1, &mut memory);
    group.bench_function("remembered", |bencher| {
        bencher.iter(|| evaluator.evaluation(black_box(&game), 0));
    });
    group.finish();
}

fn picking(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("move-picking");
    let history = History::new();
    for (name, fen) in POSITIONS {
        let position = VariantPosition::from(position(fen));
        let context = HistoryContext::first(position.turn());
        group.bench_function(format!("all/{name}"), |bencher| {
            bencher.iter(|| {
                let masks = LegalMasks::of(black_box(&position));
                let mut picker = MovePicker::all(masks, None, Killers::default());
                let mut moves = 0;
                while picker.next(&position, &history, &context).is_some() {
                    moves += 1;
                }
                moves
            });
        });
        group.bench_function(format!("first-capture/{name}"), |bencher| {
            bencher.iter(|| {
                let masks = LegalMasks::of(black_box(&position));
                MovePicker::captures(masks, None).next(&position, &history, &context)
            });
        });
    }
    group.finish();
}

/// Making and unmaking every legal move: the position with its keys and its legal-move masks.
fn making(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("make-move-with-key-and-masks");
    for (name, fen) in POSITIONS {
        let moves: Vec<Move> = legal_moves(&position(fen).into()).into_iter().collect();
        group.throughput(Throughput::Elements(moves.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter_batched_ref(
                || game(fen),
                |game| {
                    for m in &moves {
                        game.play(*m);
                        black_box(game.key());
                        black_box(LegalMasks::of(game.position()));
                        game.unmake_move();
                    }
                },
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

fn counting(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(format!("perft-{PERFT_DEPTH}"));
    for (name, fen) in POSITIONS {
        let position = VariantPosition::from(position(fen));
        let count = || perft::count(&position, PERFT_DEPTH, &|| true);
        group.throughput(Throughput::Elements(count().expect("nobody stops it")));
        group.bench_function(name, |bencher| bencher.iter(count));
    }
    group.finish();
}

criterion_group!(benches, searches, evaluations, picking, making, counting);
criterion_main!(benches);
