//! The command line of the laboratory: a file for each subcommand.
//!
//! clap parses the arguments into the types here, and each subcommand's `run` does the work and
//! writes to the output that it is given.

mod drawishness;
mod endings;
mod families;
mod import;
mod playing;
mod rule_set;
mod selfplay;
#[cfg(feature = "tuning")]
mod spsa;
mod table_match;
#[cfg(feature = "tuning")]
mod tree;
mod tune;
mod wdl;

use clap::{Parser, Subcommand};

/// The laboratory of the chess engine Squarewise: what its tables and numbers are learned with.
#[derive(Debug, Parser)]
#[command(name = "squarewise-lab", version, about)]
pub struct Arguments {
    /// Level of diagnostics on stderr: off, error, warn, info, debug or trace.
    // Behind the options of each subcommand.
    #[arg(long, global = true, value_name = "LEVEL", display_order = 900)]
    pub log: Option<tracing::level_filters::LevelFilter>,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the laboratory can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play games of the engine against itself and write their positions to a file.
    Selfplay(selfplay::SelfPlay),
    /// Turn PGN games with scores into a file of training games.
    Import(import::Import),
    /// Fit tables to the positions of training games.
    Tune(tune::Tune),
    /// Learn the tables of a rule set from zero: generations of games and fits.
    RuleSet(rule_set::RuleSet),
    /// Let two sets of tables play each other.
    Match(table_match::TableMatch),
    /// Fit the model of win, draw and loss to games, and check its predictions.
    Wdl(wdl::FitWdl),
    /// Fit to results of games how much of a lead counts in which ending.
    Drawishness(drawishness::FitDrawishness),
    /// Fit the tables of endings to distances to mate, which are counted from the rules.
    Endings(endings::FitEndings),
    /// Tune the parameters of the search by games between slightly different ones (SPSA).
    #[cfg(feature = "tuning")]
    Spsa(spsa::Spsa),
    /// Write the parameters of the search as OpenBench's form for SPSA takes them.
    #[cfg(feature = "tuning")]
    SpsaInputs(spsa::SpsaInputs),
    /// Show the shape of the search's trees.
    #[cfg(feature = "tuning")]
    Tree(tree::Tree),
}
