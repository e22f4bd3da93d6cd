//! Squarewise: a UCI chess engine that judges a position by material and piece-square tables alone.
//!
//! # The road of the data
//!
//! ```text
//! stdin line -> Command -> Engine (state machine) -> Searcher -> Report / Finding -> response -> stdout
//!                                                     |  negamax -> quiescence -> ordering -> history
//!                                                     |  transposition, pruning, clock, stop
//!                                                     +- Game (positions, keys, repetition) -> evaluation
//! ```
//!
//! A word enters as text exactly once ([`uci::command`]) and leaves as text exactly once
//! ([`uci::response`]). Between those two doors everything is a type.
//!
//! # The map
//!
//! | room | what it does | whom it knows |
//! |---|---|---|
//! | [`score`] | what a position is worth: centipawns, or a distance to mate | nobody |
//! | [`keys`] | Zobrist keys of a position and of its parts | nobody |
//! | [`reversible`] | which single move lies between two keys | keys |
//! | [`packed_move`] | a move in 32 bits, and in 16 | nobody |
//! | [`movegen`] | which moves are legal, captures and quiet moves apart | packed_move |
//! | [`evaluation`] | material and piece-square tables, running sums, the sum taken apart, heat maps | score |
//! | [`game`] | positions played through, keys, repetition, fifty moves | evaluation, keys, movegen, packed_move, reversible, score |
//! | [`search`] | the tree: iterative deepening, the node, quiescence, ordering, table, clock | the above |
//! | [`perft`] | counting lines, the generator's test | movegen, search (its stop token) |
//! | [`mod@bench`] | the fixed tree whose size is the fingerprint | search |
//! | [`suite`] | test suites: positions and what solves them | nobody |
//! | [`learning`] | self-play, written positions, the tuner that makes tables of them | evaluation, game, movegen, score, search |
//! | [`uci`] | the conversation: event loop, commands, options, responses, jobs | all of the above |
//! | [`cli`] | the command line | bench, evaluation, game, learning, perft, search, suite, uci |
//! | [`debug_log`] | where diagnostics go | nobody |
//! | [`bounded_file`] | reading regular files of a bounded size | nobody |
//!
//! Inside [`search`], from the top down: `deepening` (one search and its iterations), `negamax` (the node),
//! `forward` (what may end it early), `singular` (the only good move), `quiescence`, `lessons` (what a node
//! learns), [`search::ordering`] (which move next), [`search::correction`] (what the tables get wrong),
//! [`search::history`], [`search::exchange`], [`search::transposition`], [`search::pruning`] (formulas),
//! [`search::parameters`] (their numbers), [`search::window`], [`search::line`], [`search::clock`],
//! [`search::limits`], [`search::stop`]. `tests/architecture.rs` keeps this true.
//!
//! # Who owns what
//!
//! One thread reads the input and one thinks; both put what they have into one channel. The main thread
//! takes it out, owns all state and alone writes the output. The searcher is lent to the thinking thread
//! with each job and comes back with the answer.

#![forbid(unsafe_code)]

pub mod bench;
pub mod bounded_file;
pub mod cli;
pub mod debug_log;
pub mod evaluation;
pub mod learning;
pub mod position;
pub mod score;
pub mod search;
pub mod suite;
pub mod uci;
