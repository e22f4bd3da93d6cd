//! Chess for people: games in PGN, their analysis and the report on it, explanations, play at the
//! terminal, a board in the browser, and the styles of players.
//!
//! # The map
//!
//! What is imported from the engine is not listed.
//!
//! | module | what it does | what it imports |
//! |---|---|---|
//! | [`notation`] | moves in whatever way people write them, and in SAN | nothing |
//! | [`pgn`] | games as they are written down, with comments, clocks and variations | notation, text_encoding |
//! | [`openings`] | the names of openings | nothing |
//! | [`suite`] | test suites in EPD | notation, pgn |
//! | [`analysis`] | games analyzed: what each move was worth, in words and in PGN | openings, pgn |
//! | `page` | what pages in the browser share: the board, its script and colors, what pieces are worth | notation, pgn, terminal |
//! | [`report`] | analyzed games as one web page | analysis, page, pgn |
//! | [`board`] | a board in the browser: a server on this machine, its pages, games, live analysis, reviews | analysis, charts, mimic, notation, openings, output_file, page, pgn, pgn_file, play, report, search_thread, slips, text_encoding, why |
//! | [`terminal`] | what a terminal shows: colors, boards, bars | nothing |
//! | [`charts`] | what the tables hold: attacks by counts and states, for the terminal, and both these and heat maps as pictures and numbers | terminal |
//! | [`why`] | why a position or a move is good or bad: what a coach says, and the sum on the board and step by step | notation, pgn, terminal |
//! | [`slips`] | moves that a person types, and why they are not possible | notation, why |
//! | `search_thread` | searches in a thread of their own | nothing |
//! | [`pgn_file`] | a file to which games are added | output_file, text_encoding |
//! | [`play`] | games at the terminal, against people and other engines | notation, openings, pgn, pgn_file, search_thread, slips, terminal, why |
//! | [`mimic`] | the style of a player: fitted to games, judged by others, shown | analysis, notation, openings, pgn, text_encoding |
//! | [`output_file`] | writing files whole or not at all | nothing |
//! | [`interrupt`] | Ctrl-C and the signals that ask a program to end | output_file |
//! | [`process`] | a program from its start to its exit code | terminal |
//! | [`progress`] | progress bars of long runs | nothing |
//! | [`text_encoding`] | text in UTF-8, UTF-16 or Windows-1252, byte-order marks | nothing |
//! | [`named_tables`] | the tables that a command line names | nothing |

#![forbid(unsafe_code)]

pub mod analysis;
pub mod board;
pub mod charts;
pub mod interrupt;
pub mod mimic;
pub mod named_tables;
pub mod notation;
pub mod openings;
pub mod output_file;
mod page;
pub mod pgn;
pub mod pgn_file;
pub mod play;
pub mod process;
pub mod progress;
pub mod report;
mod search_thread;
pub mod slips;
pub mod suite;
pub mod terminal;
pub mod text_encoding;
pub mod why;
