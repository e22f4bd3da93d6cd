//! A chess engine as a library: it evaluates a position by tables alone, and searches it.
//!
//! Whatever finds a move is here; it reads no command line and prints nothing. The program
//! `squarewise` puts UCI around it.
//!
//! ```
//! use shakmaty::{CastlingMode, san::SanPlus};
//! use squarewise_engine::evaluation::TableSet;
//! use squarewise_engine::position::{from_fen, game::Game};
//! use squarewise_engine::search::{SearchRequest, Searcher, limits::Limits};
//!
//! let position = from_fen("6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1", CastlingMode::Standard)?;
//! // In centipawns, for the side to move: White is a rook ahead.
//! assert!(TableSet::default().tables().evaluate(&position).value() > 300);
//! let mut searcher = Searcher::new(16)?; // MiB of transposition table
//! let result = searcher.search(&Game::new(position.clone()), SearchRequest::new(Limits::depth(6)), &mut |_| ());
//! let best = result.best_move().expect("there are legal moves");
//! assert_eq!(SanPlus::from_move(position, best).to_string(), "Re8#");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Data flow
//!
//! ```text
//! SearchRequest -> Searcher -> Progress / SearchResult
//!                   |  threads: iterative deepening -> negamax -> quiescence -> rules -> move picker -> history
//!                   |  shared:  transposition table, node counts, stop token
//!                   +- Game (positions, keys, repetition) -> evaluation
//! ```
//!
//! # The map
//!
//! | module | what it does | what it imports |
//! |---|---|---|
//! | [`score`] | scores: centipawns, tablebase results, the distance to mate | nothing |
//! | [`drawishness`] | how much of a lead counts, by what is left on the board | nothing |
//! | [`wdl`] | the chances to win, draw and lose, by the score | drawishness, position, score |
//! | [`evaluation`] | tables of pieces on squares, material, pawns, pairs, attacks and endings; the accumulator; the evaluation taken apart in exact terms | bounded_file, checksum, little_endian, position, score |
//! | [`position`] | the game as a stack of positions (make and unmake, draws), move generation, packed moves, Zobrist keys, attacks, perft, the rules of the variants | nothing |
//! | [`search`] | the search, from iterative deepening to the transposition table | evaluation, position, score, syzygy |
//! | [`plain_negamax`] | read this first: the search in its plainest form, which is also the oracle of its tests | evaluation, position, score |
//! | [`syzygy`] | endgame tablebases: finding and probing them | bounded_file |
//! | [`mod@bench`] | fixed positions to a fixed depth: the node signature and the speed | position, search |
//! | [`book`] | opening books in the Polyglot format | bounded_file, position |
//! | [`search_worker`] | a thread that searches while its owner does something else | search |
//! | [`style`] | playing like a certain player: the choice among nearly equal moves, style files | book, bounded_file, checksum, evaluation, little_endian, position, score, search |
//! | [`weak_play`] | searches limited to a level of play | evaluation, search |
//! | [`bounded_file`] | reading regular files of a bounded size | nothing |
//! | [`checksum`] | the checksum of files of tables and games | nothing |
//! | [`little_endian`] | numbers taken off the front of bytes | nothing |
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
//! | `rules/` | selectivity, a file per family of rules: cutoffs, node pruning, move pruning, quiescence pruning, reductions, extensions, tablebases; what weaker play overlooks |
//! | `node`, `searched_moves` | what is asked of a node (`Node`), and the facts that its rules go by (`NodeInfo`, `MoveInfo`); what its moves have yielded |
//! | `worker`, `shared` | what one search thread owns, with make, unmake and the node count; what all share |
//! | `root_ranking`, `tablebase_probe` | ranks the root moves by the endgame tablebases; what the tree asks them |
//! | `root_moves`, `root_line` | the moves at the root, with their scores and lines; a line |
//! | [`move_picker`](search::move_picker), `ranked_moves` | move ordering, stage by stage; the moves with their scores, the best first |
//! | `correction_history`, [`history`](search::history) | corrections of the static evaluation; histories of moves, killer moves |
//! | [`see`](search::see) | static exchange evaluation |
//! | `request`, `result` | what a search is asked, tells and answers |
//! | `tree_shape` | what is counted of the tree, for the laboratory |
//! | [`transposition_table`](search::transposition_table) | the transposition table, lock-free in safe code |
//! | `tt_entry`, `spawning`, `huge_pages` | how an entry is packed into one word; threads where memory may be refused; large pages of memory for the table |
//! | `pv`, [`window`](search::window) | principal variations; alpha-beta windows and bounds |
//! | [`time_management`](search::time_management), [`limits`](search::limits), [`stop`](search::stop) | what ends a search |
//! | [`injected_panic`](search::injected_panic) | panics on demand, for tests |
//! | [`strength`](search::strength) | weaker play: what a player of a given rating sees |
//! | `tunable` | the type of a tunable number and the macro that declares it |
//!
//! A test reads all imports and holds them against these two tables; it also fails if files import
//! each other in a circle.
//!
//! # Who owns what
//!
//! A [`search::Searcher`] owns what lives across moves: the transposition table, and for each
//! search thread its histories. Whoever holds it lends it to one search at a time, so nothing is
//! locked, and no transposition table is resized while a search reads it. For one search: `Worker`
//! with the game, the ply stack and the root moves, and `Shared` with what all threads of the
//! search read: limits, time, tablebases, a stop token and the counts. For one node: `Node` and
//! `NodeInfo`.

#![forbid(unsafe_code)]

pub mod bench;
pub mod book;
pub mod bounded_file;
pub mod checksum;
pub mod drawishness;
pub mod evaluation;
pub mod little_endian;
pub mod plain_negamax;
pub mod position;
pub mod score;
pub mod search;
pub mod search_worker;
pub mod style;
pub mod syzygy;
pub mod wdl;
pub mod weak_play;
