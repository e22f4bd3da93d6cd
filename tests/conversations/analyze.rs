//! `squarewise analyze`, with games as they come.
