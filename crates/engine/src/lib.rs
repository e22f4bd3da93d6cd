//! Squarewise: a UCI chess engine that evaluates a position by tables alone.
//!
//! # Data flow
//!
//! ```text
//! stdin line -> Command -> Engine (state machine) -> Searcher -> Progress / SearchResult -> response -> stdout
//!                                                     |  threads: iterative deepening -> negamax -> quiescence
//!                                                     |           -> rules -> move picker -> history
//!                                                     |  shared:  transposition table, node counts, stop token
//!                                                     +- Game (positions, keys, repetition) -> evaluation
//! ```
//!
//! Text enters in exactly one place ([`uci::command`]) and leaves in exactly one place ([`uci::response`]). Between
//! these two everything is a type.
//!
//! # The map
//!
//! | module | what it does | what it imports |
//! |---|---|---|
//! | [`score`] | scores: centipawns, tablebase results, the distance to mate | nothing |
//! | [`wdl`] | the chances to win, draw and lose, by score and material | score |
//! | [`evaluation`] | piece-square tables, material, the accumulator, the evaluation taken apart in exact terms | bounded_file, checksum, score |
//! | [`position`] | move generation, packed moves, Zobrist keys, attacks, perft | nothing |
//! | `position::piece_changes` | how a move changes the pieces | evaluation |
//! | [`position::game`] | the game as a stack of positions: make and unmake, draws | evaluation, score |
//! | [`search`] | the search, from iterative deepening to the transposition table | position, score, syzygy |
//! | [`syzygy`] | endgame tablebases: finding and probing them | bounded_file |
//! | [`mod@bench`] | fixed positions to a fixed depth: the node signature and the speed | evaluation, position, search |
//! | [`suite`] | test suites in EPD | position |
//! | [`book`] | opening books in the Polyglot format | bounded_file |
//! | [`pgn`] | games as they are written down, with comments, clocks and variations | position, score, text_encoding |
//! | [`openings`] | the names of openings | nothing |
//! | [`analysis`] | games analyzed: what each move was worth, in words and in PGN | evaluation, openings, pgn, position, score, search, wdl |
//! | [`report`] | analyzed games as one web page | analysis, evaluation, pgn, position, score |
//! | [`weak_play`] | searches limited to a level of play | evaluation, search |
//! | [`play`] | games at the terminal, against people and other engines | book, bounded_file, evaluation, openings, pgn, position, score, search, terminal, wdl, weak_play, why |
//! | [`terminal`] | what a terminal shows: colors, boards, bars | evaluation |
//! | [`why`] | why a position or a move is good or bad: what a coach says, and the sum on the board and step by step | evaluation, position, score, search, terminal |
//! | [`learning`] | self-play, training games, the tuner, SPSA | bounded_file, checksum, evaluation, output_file, pgn, position, score, search, wdl |
//! | [`genfens`] | start positions for data generation with OpenBench | bounded_file, evaluation, learning, position, search |
//! | [`uci`] | the protocol: event loop, commands, options, responses | bench, book, debug_log, evaluation, genfens, position, score, search, syzygy, text_encoding, wdl, weak_play, why |
//! | [`cli`] | the command line, a file for each subcommand | analysis, bench, book, bounded_file, evaluation, learning, output_file, pgn, play, position, report, score, search, suite, syzygy, terminal, uci, wdl, why |
//! | `cli::uci` | the engine on standard input and output | debug_log |
//! | `main` | the program: where diagnostics go, and which subcommand runs | cli, debug_log, search |
//! | [`debug_log`] | where diagnostics go | bounded_file |
//! | [`bounded_file`] | reading regular files of a bounded size | text_encoding |
//! | [`output_file`] | writing files whole or not at all | nothing |
//! | [`checksum`] | the checksum of files of tables and games | nothing |
//! | [`text_encoding`] | text in UTF-8 or Latin-1, byte-order marks | nothing |
//!
//! Inside [`search`], from top to bottom; a file imports only those below it:
//!
//! | file | what it does |
//! |---|---|
//! | [`mod`](search) | [`search::Searcher`]: what lives across moves, and one search from request to result |
//! | [`parameters`](search::parameters) | the list of all tunable numbers |
//! | `lazy_smp` | helper threads, and the vote on the move |
//! | `iterative_deepening` | iterations, aspiration windows, one line or several |
//! | `mate_search` | proves a mate in a number of moves, for `go mate` |
//! | `negamax`, `quiescence` | the node, and the leaves of the tree |
//! | `history_update` | what a node learns from its moves |
//! | `rules/` | selectivity, a file per family of rules: node pruning, move pruning, reductions, extensions, tablebases; what weaker play overlooks |
//! | `node` | what is asked of a node (`Node`), and the facts that its rules go by (`NodeInfo`, `MoveInfo`) |
//! | `thread`, `shared`, `root_moves` | what one search thread owns, with make, unmake and the node count; what all share; the moves at the root |
//! | `root_ranking`, `tablebase_probe` | the root moves ranked by the endgame tablebases; what the tree asks them |
//! | [`move_picker`](search::move_picker) | move ordering, stage by stage |
//! | [`correction_history`](search::correction_history), [`history`](search::history) | corrections of the static evaluation; histories of moves, killer moves |
//! | [`see`](search::see) | static exchange evaluation |
//! | `request`, `result` | what a search is asked, tells and answers |
//! | [`transposition_table`](search::transposition_table) | the transposition table, lock-free in safe code |
//! | `tt_entry`, `huge_pages` | how an entry is packed into two words; large pages of memory for the table |
//! | [`pv`](search::pv), [`window`](search::window) | principal variations; alpha-beta windows and bounds |
//! | [`time_management`](search::time_management), [`limits`](search::limits), [`stop`](search::stop) | what ends a search |
//! | [`injected_panic`](search::injected_panic) | panics on demand, for tests |
//! | [`strength`](search::strength) | weaker play: what a player of a given rating sees |
//! | `tunable` | the type of a tunable number and the macro that declares it |
//!
//! `tests/architecture.rs` reads all imports and holds them against these two tables; it also fails if files import each
//! other in a circle.
//!
//! # Who owns what
//!
//! One thread reads the input and one works; both send events into one channel. The main thread receives them, owns
//! all state and alone writes the output. The [`search::Searcher`] is lent to the worker with each job and comes back
//! with the result, so nothing is locked, and no transposition table is resized while a search reads it.
//!
//! State is grouped by how long it lives. Across moves: the transposition table, and for each search thread its
//! histories. For one search: `Thread` with the game, the ply stack and the root moves, and `Shared` with what all
//! threads of the search read: limits, time, tablebases, a stop token (a child of the engine's) and the counts. For
//! one node: `Node` and `NodeInfo`.
//!
//! # What a change costs
//!
//! The files to touch, besides the line in CHANGELOG; what changes the tree also changes the number in
//! `tests/signature.rs`.
//!
//! | change | files |
//! |---|---|
//! | a margin | the file that declares it, where the rule stands |
//! | a search rule | one file of `search/rules/` with the rule, its numbers and its test; one line in `search/negamax.rs` |
//! | a fact that several rules need | a field of `NodeInfo` or `MoveInfo` in `search/node.rs` |
//! | a UCI option | `uci/options.rs`: a field with its default and one entry; the place where it is used |
//! | a UCI option for the search | a field with its default in `search/request.rs`; one entry in `uci/options.rs`; the place where it is used |
//! | several lines | `search/iterative_deepening.rs`: each is searched in turn; `search/root_moves.rs`: their order |
//! | helper threads | `search/lazy_smp.rs`: how they work together; `search/iterative_deepening.rs`: how their depths differ; `search/thread.rs`: who watches the limits |
//! | a level of weaker play | `search/strength.rs`: its numbers; `weak_play.rs`: what it changes about a search; `search/rules/overlooking.rs`: what it overlooks |
//! | a family of tables | its file in `evaluation/`; its variant with name and size in `evaluation/layout.rs`; its features and what a position keeps of them in `evaluation/features.rs`; its terms in `evaluation/breakdown.rs`; its place in the format, `evaluation/file.rs`; its name for `tune --families` in `cli/tune.rs` |
//! | a subcommand | its file in `cli/`; one arm in `cli/mod.rs` and in `main.rs` |

#![forbid(unsafe_code)]

pub mod analysis;
pub mod bench;
pub mod book;
pub mod bounded_file;
pub mod checksum;
pub mod cli;
pub mod debug_log;
pub mod evaluation;
pub mod genfens;
pub mod learning;
pub mod openings;
pub mod output_file;
pub mod pgn;
pub mod play;
pub mod position;
pub mod report;
pub mod score;
pub mod search;
pub mod suite;
pub mod syzygy;
pub mod terminal;
pub mod text_encoding;
pub mod uci;
pub mod wdl;
pub mod weak_play;
pub mod why;
