//! What the report and the board in the browser have in common: the board, its pieces and colors,
//! texts that are safe to show, and what each piece of a position is worth.
//!
//! The parts of the script and of the style sheet are files that each page puts together as it
//! needs them; all texts from games go through [`text`].

pub(crate) mod icons;
pub(crate) mod json;
pub(crate) mod maps;
pub(crate) mod position;
pub(crate) mod text;
pub(crate) mod worth;

/// Colors, the board, and the tables of worth.
pub(crate) const STYLE: &str = include_str!("page.css");
/// Small helpers of the script, and moves in words.
pub(crate) const HELPERS: &str = include_str!("script/helpers.js");
/// The board, and beside it the pieces that each side has taken.
pub(crate) const BOARD: &str = concat!(
    include_str!("script/board.js"),
    include_str!("script/material.js")
);
/// The tables of worth.
pub(crate) const WHY: &str = include_str!("script/why.js");
/// The pieces as symbols of SVG.
pub(crate) const PIECES: &str = include_str!("pieces.svg");
