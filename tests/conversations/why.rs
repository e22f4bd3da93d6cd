//! `squarewise why`, the evaluation taken apart.
