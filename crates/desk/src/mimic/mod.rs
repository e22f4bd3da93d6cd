//! Playing like a certain player: fits a style to the games of a player, judges it by games that it
//! has not seen, and shows it.
//!
//! [`games`] picks the player's games, [`lines`] searches the positions in which the player was to
//! move, [`choices`] turns them into choices among nearly equal moves, and [`descent`] fits the
//! weights of a [`Style`] to them. [`openings`] counts the book, [`paces`] the time for a move.
//! [`fit`](mod@fit) puts these together; [`score`] and [`naming`] judge, and [`show`] says in
//! [`words`] what a style is like. [`preference`] explains a single choice.

pub mod choices;
pub mod descent;
pub mod fit;
pub mod games;
pub mod lines;
pub mod naming;
pub mod openings;
pub mod paces;
pub mod preference;
pub mod score;
pub mod show;
pub mod words;

use std::sync::LazyLock;

use squarewise_engine::style::Style;

/// The first ply that a style is fitted to, from 0: before it the book is what players differ by.
pub const FIRST_PLY: usize = 16;

/// How people in general choose: what the style of a player is pulled towards, and compared with.
/// `docs/styles.md` says to whose games it is fitted.
pub fn people() -> &'static Style {
    static PEOPLE: LazyLock<Style> = LazyLock::new(|| {
        Style::from_bytes(include_bytes!("people.style")).expect("the style that ships is whole")
    });
    &PEOPLE
}
