//! The search of a chess engine on other boards.
//!
//! The algorithm stays, and any board game can use it; the evaluation is what differs. Begin with
//! [`search`]: one searcher that reads from top to bottom and knows no game. [`game`] is what it
//! asks of one. Three games answer: [`gobang`], [`xiangqi`] and [`chess`], the program of a
//! published article that the engine Squarewise grew out of. The crate uses nothing of the engine.
//!
//! ```
//! use squarewise_games::gobang::{Gobang, Rule, Scores};
//! use squarewise_games::limits::Limits;
//! use squarewise_games::search::Searcher;
//!
//! let mut game = Gobang::new(Rule::Freestyle, Scores::learned());
//! let limits = Limits { depth: 4, ..Limits::default() };
//! let found = Searcher::new(16).search(&mut game, limits, &mut |_| ());
//! assert_eq!(found.expect("the board is empty").pv[0], 7 * 15 + 7); // the centre
//! ```
//!
//! # The map
//!
//! | module | what it does | what it imports |
//! |---|---|---|
//! | [`game`] | what the search must know of a game; scores | nothing |
//! | [`limits`] | when a search ends, and what it has found | game |
//! | [`search`] | read this first: iterative deepening, principal variation search, quiescence | game, limits, move_order, transposition_table |
//! | `move_order` | which move is tried first: killers, history | game |
//! | `transposition_table` | positions that were searched already | game |
//! | [`plain_negamax`] | the search without anything that makes it fast: the oracle of the tests | game |
//! | [`learning`] | an evaluation learned from nothing, by games and logistic regression | game, limits, search |
//! | [`command_line`] | arguments that the programs share, lines of input | game, learning |
//! | [`terminal`] | play at the terminal, saved games | command_line, game, limits, search |
//! | [`gobang`] | five in a row: lines as bits, shapes and scores by look-up, Gomocup's protocol | command_line, game, learning, limits, search, terminal |
//! | [`xiangqi`] | Chinese chess: rules, learned tables, UCI and UCCI | command_line, game, learning, limits, search, terminal |
//! | [`chess`] | the article's chess program | game |

#![forbid(unsafe_code)]

pub mod chess;
pub mod command_line;
pub mod game;
pub mod gobang;
pub mod learning;
pub mod limits;
mod move_order;
pub mod plain_negamax;
pub mod search;
pub mod terminal;
mod transposition_table;
pub mod xiangqi;
