//! What a person sees in a terminal: when colors are used, and the pictures made of text.
//!
//! Nothing here prints: every function returns text, and the subcommands write it.

pub mod board;

/// When to use colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorChoice {
    /// If the output is a terminal and the environment variable `NO_COLOR` is not set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What the output can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether ANSI escape sequences with colors are understood.
    pub has_colors: bool,
    /// Whether chess pieces and blocks of Unicode are shown; otherwise plain ASCII.
    pub has_unicode: bool,
}

impl Style {
    /// Plain ASCII without colors.
    pub const PLAIN: Style = Style {
        has_colors: false,
        has_unicode: false,
    };
}
