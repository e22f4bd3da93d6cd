//! What a page asks. Text enters here only: `{"do":"play","at":12,"move":"e2e4"}`.

use serde::Deserialize;

/// A command to a board. `at` is the number of the position that the reader saw, so that a late
/// command doesn't hit another one of the same game.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Command {
    /// The reader has gone to a position. With `worth`, tell what its pieces are worth.
    Look {
        at: usize,
        #[serde(default)]
        worth: bool,
    },
    /// A move by its squares, such as `e2e4` or `e7e8q`. With `game`, only if a game is being
    /// played.
    Play {
        at: usize,
        r#move: String,
        #[serde(default)]
        game: bool,
    },
    /// A move as people type it. With `game`, only if a game is being played.
    Type {
        at: usize,
        text: String,
        #[serde(default)]
        game: bool,
    },
    Delete {
        at: usize,
    },
    Promote {
        at: usize,
    },
    /// A comment, glyphs, and arrows and circles such as `Re2e4` and `Ge4`.
    Annotate {
        at: usize,
        comment: Option<String>,
        glyphs: Option<Vec<u16>>,
        shapes: Option<Vec<String>>,
    },
    /// The tables of all pieces in a position.
    Maps {
        at: usize,
    },
    /// Games in PGN, or a position.
    Load {
        text: String,
    },
    /// A game of those that were loaded, from 0.
    Open {
        game: usize,
    },
    /// A position from FEN, by the rules of a variant or, if none is named, of the board.
    Position {
        fen: String,
        variant: Option<String>,
    },
    /// Whether a FEN is a position by such rules, for the editor.
    Check {
        fen: String,
        variant: Option<String>,
    },
    /// The start position of Chess960 with this number, 0 to 959.
    Chess960 {
        number: u32,
    },
    /// What the style of a player is like.
    Style {
        name: String,
    },
    /// The start position of a variant, by its name.
    Variant {
        name: String,
    },
    /// The game as PGN and the position as FEN.
    Text {
        at: usize,
    },
    Analyze(Analyze),
    /// Ends the analysis: that of this position, or any without one.
    Rest {
        at: Option<usize>,
    },
    /// Why a position is as it is and, if a move is named, why that is worse than the best.
    Why {
        at: usize,
        r#move: Option<String>,
    },
    /// A game against the engine.
    Game(GameWish),
    TakeBack {},
    Resign {},
    OfferDraw {},
    Rematch {},
    /// The first step names the piece, the second the move, the third the line.
    Hint {
        /// The reader's position; that of the board without it.
        at: Option<usize>,
        step: u32,
    },
    /// Reviews the main line.
    Review {
        nodes: u64,
    },
    CancelReview {},
    /// The review as a page of its own.
    Report {},
    /// A move tried where a mistake was made.
    Try {
        at: usize,
        r#move: String,
    },
    /// A puzzle from mistakes of earlier games: new ones first, then those that were missed.
    Puzzle {},
    /// How the puzzle on the board went.
    PuzzleDone {
        solved: bool,
    },
}

/// A command to all boards.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum DeskCommand {
    /// A board that nobody looks at or, if there is none, a new one.
    Any {},
    /// What is on each board, in a line.
    List {},
    New {},
    Close {
        board: u32,
    },
    /// Games that were kept.
    Kept {},
}

/// How a position is analyzed while a person looks at it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(super) struct Analyze {
    pub(super) at: usize,
    /// The number of lines, 1 to 10.
    pub(super) lines: usize,
    /// The time in seconds; without it the analysis goes on until it is ended.
    pub(super) seconds: Option<u64>,
    pub(super) threads: usize,
    /// The size of the transposition table in MiB.
    pub(super) hash: usize,
    /// Whether to show what the other side threatens.
    #[serde(default)]
    pub(super) threat: bool,
    /// The moves to which the analysis is restricted, as people type them; all if there are none.
    #[serde(default)]
    pub(super) moves: Vec<String>,
}

/// The side that a person wants to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Seat {
    White,
    Black,
    Random,
    /// The engine plays itself.
    None,
}

/// The game that a person wants to play.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameWish {
    /// The side of the person.
    pub(super) color: Seat,
    /// The rating of the engine; full strength without it.
    pub(super) elo: Option<u32>,
    /// The name of the player in whose style it plays; its own way without it.
    pub(super) style: Option<String>,
    /// Minutes and seconds a move, such as `5+3`; no clock without it.
    pub(super) time: Option<String>,
    /// The position from which it starts; the start position without it.
    pub(super) from: Option<usize>,
    /// The start position of Chess960 with this number.
    pub(super) chess960: Option<u32>,
    /// The variant that is played from its start position, by its name.
    pub(super) variant: Option<String>,
    /// Whether each move of the person is judged at once.
    #[serde(default)]
    pub(super) feedback: bool,
}

/// Reads a command.
pub(super) fn read<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(text).map_err(|error| format!("this is not understood: {error}"))
}
