//! `squarewise play`, with people and engines at the board.
