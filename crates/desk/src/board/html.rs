//! The page: what stands on it, and the files of its script and style.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::server::Files;
use crate::page::icons::{FLIP, STEPS, THEME, icon, live_region, logo, overlays, stage, step};
use crate::page::{self};
use squarewise_engine::search::strength::ELO_RANGE;

/// The parts of the script, one after the other.
const SCRIPT: [&str; 13] = [
    page::HELPERS,
    page::BOARD,
    page::WHY,
    include_str!("script/net.js"),
    include_str!("script/state.js"),
    include_str!("script/moves.js"),
    include_str!("script/analysis.js"),
    include_str!("script/game.js"),
    include_str!("script/review.js"),
    include_str!("script/puzzles.js"),
    include_str!("script/explain.js"),
    include_str!("script/dialogs.js"),
    include_str!("script/main.js"),
];

/// The parts of the style sheet.
const STYLE: [&str; 2] = [page::STYLE, include_str!("board.css")];

const ICON: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><rect width="4" height="4" rx=".7" fill="#1f6f5c"/><path d="M.6 .6h1.4v1.4H.6zM2 2h1.4v1.4H2z" fill="#f4f1ea"/></svg>"##;

/// What the server serves.
pub(super) fn files() -> Files {
    Files {
        page: whole().into_string(),
        script: SCRIPT.concat(),
        style: STYLE.concat(),
        icon: ICON,
    }
}

fn whole() -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Squarewise" }
                link rel="icon" href="/icon.svg";
                link rel="stylesheet" href="/style.css";
                script src="/script.js" defer {}
            }
            body {
                svg.symbols aria-hidden="true" width="0" height="0" { (PreEscaped(page::PIECES)) }
                (head())
                noscript { p.notice { "The board needs JavaScript, which is off here." } }
                p #warning.notice role="alert" hidden {}
                (live_region())
                main {
                    (play())
                    section #panel aria-label="What you do" {
                        (play_view())
                        (analysis_view())
                        (review_view())
                        (puzzle_view())
                    }
                    (moves())
                    (why())
                }
                (dialogs())
            }
        }
    }
}

fn head() -> Markup {
    let views = [
        ("play", "Play"),
        ("analysis", "Analyze"),
        ("review", "Review"),
        ("puzzles", "Puzzles"),
    ];
    html! {
        header.page {
            h1 { (logo()) span.brand { "Squarewise" } }
            nav.segments aria-label="What you do" {
                @for (view, label) in views {
                    button type="button" data-view=(view) aria-pressed="false" { (label) }
                }
            }
            span.gap {}
            button #open-games type="button" title="Open games or a position (o)" { (icon("M4 19V5h6l2 2h8v12z")) span.label { "Open" } }
            button #set-up type="button" title="Set up a position" { (icon("M4 20l1-5L16 4l4 4L9 19zM13 7l4 4")) span.label { "Set up" } }
            button #save type="button" title="Save or copy the game (s)" { (icon("M12 3v12M7 10l5 5 5-5M4 20h16")) span.label { "Save" } }
            button.round #sound type="button" aria-pressed="false" aria-label="Sounds" title="Sounds" { (icon("M4 9v6h4l5 4V5L8 9zM17 8a6 6 0 0 1 0 8")) }
            button.round #theme type="button" aria-label="Dark colors" title="Light or dark" { (icon(THEME)) }
            button.round #help type="button" aria-label="Keys and help" title="Keys and help (?)" { "?" }
        }
    }
}

/// The board with its controls.
fn play() -> Markup {
    html! {
        section #play aria-label="Board" {
            (stage())
            div.controls role="group" aria-label="Step through the game" {
                @for each in STEPS { (step(each)) }
                span.gap {}
                button #arrows-switch type="button" aria-pressed="true" aria-keyshortcuts="a" title="Arrows of the best moves (a)" {
                    (icon("M5 19L18 6M9 6h9v9")) span.label { "Arrows" }
                }
                button #draw type="button" aria-pressed="false" title="Draw arrows and circles with a finger or the left button; the right button always draws" {
                    (icon("M12 5a7 7 0 1 0 0 14a7 7 0 1 0 0-14z")) span.label { "Draw" }
                }
                button #flip type="button" aria-keyshortcuts="f" title="Flip the board (f)" { (icon(FLIP)) span.label { "Flip" } }
            }
            div.below {
                label for="typed" { "Type a move" }
                input #typed type="text" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="12" placeholder="Nf3, e2e4, O-O";
                p #message role="status" aria-live="polite" {}
            }
        }
    }
}

/// A game: the wishes before it, and the buttons while it is played.
fn play_view() -> Markup {
    let levels = [
        (500, "500"),
        (1_000, "1000"),
        (1_500, "1500"),
        (2_000, "2000"),
        (2_500, "2500"),
    ];
    let times = [
        ("", "No clock"),
        ("1+0", "1 min"),
        ("3+2", "3 + 2"),
        ("5+3", "5 + 3"),
        ("10+5", "10 + 5"),
        ("30+20", "30 + 20"),
    ];
    html! {
        div.view #view-play hidden {
            div #game-form {
                h2 { "Play the engine" }
                div.field {
                    span #color-label { "You play" }
                    div.segments role="group" aria-labelledby="color-label" {
                        @for (value, label) in [("white", "White"), ("random", "Either"), ("black", "Black")] {
                            button type="button" data-color=(value) aria-pressed=(value == "white") { (label) }
                        }
                    }
                }
                div.field {
                    label for="elo" { "Strength" }
                    div.strength {
                        input #elo type="range" min=(ELO_RANGE.start()) max=(ELO_RANGE.end() + 50) step="50" value="1500" list="levels";
                        output #elo-shown for="elo" { "1500" }
                        datalist #levels { @for (value, label) in levels { option value=(value) label=(label) {} } }
                    }
                }
                div.field {
                    label for="time" { "Time" }
                    select #time {
                        @for (value, label) in times { option value=(value) { (label) } }
                        option value="other" { "Another" }
                    }
                    input #other-time type="text" hidden maxlength="12" aria-label="Minutes and seconds a move" placeholder="15+10";
                }
                div.field {
                    label for="start" { "From" }
                    select #start {
                        option value="standard" { "Start position" }
                        option value="here" { "The position on the board" }
                        option value="chess960" { "Chess960, by number" }
                    }
                    input #start-number type="number" hidden min="0" max="959" value="518" aria-label="Number, 0 to 959";
                }
                label.check { input #feedback type="checkbox"; " Judge each of my moves while we play" }
                button.main #begin-game type="button" { "Start the game" }
            }
            div #game-panel hidden {
                h2 #game-title {}
                p #game-state role="status" {}
                div.buttons {
                    button #hint type="button" title="First the piece, then the move, then the line (h)" { "Hint" }
                    button #take-back type="button" { "Take back" }
                    button #offer-draw type="button" { "Offer a draw" }
                    button #resign type="button" { "Resign" }
                    button #rematch type="button" hidden { "Rematch" }
                    button #review-it type="button" hidden { "Review the game" }
                    button #new-game type="button" hidden { "New game" }
                }
                div #feedback-panel {}
            }
        }
    }
}

/// What the engine thinks of the position.
fn analysis_view() -> Markup {
    html! {
        div.view #view-analysis hidden {
            div.bar-line {
                button.switch #engine type="button" role="switch" aria-checked="false" aria-keyshortcuts="l" title="Engine on or off (l)" {
                    span.knob {} "Engine"
                }
                strong #score {}
                span #depth {}
                span.gap {}
                button #deeper type="button" hidden title="Go on without a limit" { "Deeper" }
                button #threat type="button" aria-pressed="false" aria-keyshortcuts="x" title="What the other side threatens (x)" { "Threat" }
            }
            div #chances aria-label="Chances" role="img" hidden { span.win {} span.draw {} span.loss {} }
            ol #lines {}
            details #engine-settings {
                summary { "Engine settings" }
                div.fields {
                    label for="multi" { "Lines" } input #multi type="number" min="1" max="10" value="3";
                    label for="seconds" { "Seconds" } input #seconds type="number" min="1" max="3600" value="20";
                    label for="threads" { "Threads" } input #threads type="number" min="1" value="1";
                    label for="hash" { "Memory in MiB" } input #hash type="number" min="1" value="64";
                }
            }
        }
    }
}

/// The review of the game on the board.
fn review_view() -> Markup {
    html! {
        div.view #view-review hidden {
            div.bar-line {
                button.main #review-start type="button" { "Review this game" }
                label for="effort" { "Care" }
                select #effort {
                    option value="30000" { "quick" }
                    option value="150000" selected { "good" }
                    option value="1000000" { "thorough" }
                }
                button #review-cancel type="button" hidden { "Stop" }
                progress #review-progress max="1" value="0" hidden aria-label="Review" {}
            }
            div #review-graph {}
            table #review-table hidden {}
            p #review-note {}
            div.buttons #review-buttons hidden {
                button #mistake-back type="button" title="Previous mistake (p)" { "‹ Mistake" }
                button #mistake-next type="button" title="Next mistake (n)" { "Mistake ›" }
                button #learn type="button" { "Learn from your mistakes" }
                button #report type="button" { "Save the report" }
            }
        }
    }
}

/// Puzzles from one's own games.
fn puzzle_view() -> Markup {
    html! {
        div.view #view-puzzles hidden {
            h2 #puzzle-title { "Puzzles from your games" }
            p #puzzle-text { "Each mistake in a game that you reviewed becomes a puzzle. Those that you miss come back." }
            div.buttons {
                button.main #puzzle-next type="button" { "Next puzzle" }
                button #puzzle-hint type="button" hidden { "Hint" }
                button #puzzle-show type="button" hidden { "Show the move" }
                button #puzzle-end type="button" hidden { "Leave" }
            }
            div #puzzle-answer {}
        }
    }
}

fn moves() -> Markup {
    html! {
        section #moves-panel aria-label="Moves" {
            div #about { strong #opening {} span #circumstances {} select #game-list aria-label="Game" hidden {} }
            div.scroll { div.inner { div #moves {} } }
            div #annotation {
                div.glyphs role="group" aria-label="Judge the move" {
                    @for (glyph, mark, words) in [(1, "!", "good move"), (2, "?", "mistake"), (3, "!!", "brilliant move"), (4, "??", "blunder"), (5, "!?", "interesting move"), (6, "?!", "dubious move")] {
                        button type="button" data-glyph=(glyph) aria-pressed="false" title=(words) aria-label=(words) { (mark) }
                    }
                    span.gap {}
                    button #promote type="button" title="Make this variation more important" { "Promote" }
                    button #delete type="button" title="Delete this move and what follows" { "Delete" }
                }
                textarea #comment rows="1" maxlength="5000" aria-label="Comment" placeholder="A comment on this move" {}
            }
        }
    }
}

fn why() -> Markup {
    html! {
        section #why aria-label="Why" {
            div.bar-line {
                button.switch #why-switch type="button" role="switch" aria-checked="false" aria-keyshortcuts="w" title="Explain the position (w)" {
                    span.knob {} "Why"
                }
                button #tables-switch type="button" aria-pressed="false" hidden { "What each piece is worth" }
            }
            div #sentences aria-live="polite" {}
            div #tables hidden {
                (overlays())
                table #sum {}
                div #piece {}
                table #pieces {}
            }
        }
    }
}

fn dialogs() -> Markup {
    html! {
        dialog #open-dialog aria-labelledby="open-title" {
            h2 #open-title { "Open games or a position" }
            p { "Paste PGN or a FEN, choose a file, or drop one on the page." }
            textarea #open-text rows="8" aria-label="PGN or FEN" spellcheck="false" {}
            p.error #open-error role="alert" {}
            div.buttons {
                button.main #open-do type="button" { "Open" }
                label.button for="open-file" { "Choose a file" }
                input #open-file type="file" accept=".pgn,.txt,.fen,.epd,text/plain";
                button #open-kept type="button" { "Games you played here" }
                span.gap {}
                button type="button" data-close="" { "Cancel" }
            }
        }
        dialog #save-dialog aria-labelledby="save-title" {
            h2 #save-title { "Save or copy" }
            label for="fen-text" { "Position (FEN)" }
            div.row { input #fen-text type="text" readonly; button #copy-fen type="button" { "Copy" } }
            label for="pgn-text" { "Game (PGN)" }
            textarea #pgn-text rows="10" readonly {}
            div.buttons {
                button.main #copy-pgn type="button" { "Copy the game" }
                button #download-pgn type="button" { "Save as a file" }
                span.gap {}
                button type="button" data-close="" { "Close" }
            }
        }
        dialog #setup-dialog aria-labelledby="setup-title" {
            h2 #setup-title { "Set up a position" }
            p { "Choose a piece, then click squares; click again to take it away." }
            div #palette.palette role="group" aria-label="Pieces" {}
            div #setup-board role="grid" aria-label="Position" {}
            div.fields {
                label for="setup-turn" { "To move" } select #setup-turn { option value="w" { "White" } option value="b" { "Black" } }
                label for="setup-castling" { "Castling" } input #setup-castling type="text" maxlength="8" value="KQkq";
                label for="setup-960" { "Chess960" }
                div.row { input #setup-960 type="number" min="0" max="959" value="518"; button #setup-960-do type="button" { "Show this start" } }
                label for="setup-fen" { "FEN" } input #setup-fen type="text" spellcheck="false" maxlength="120";
            }
            p.error #setup-error role="alert" {}
            div.buttons {
                button #setup-start type="button" { "Start position" }
                button #setup-empty type="button" { "Empty" }
                span.gap {}
                button.main #setup-do type="button" { "Use it" }
                button type="button" data-close="" { "Cancel" }
            }
        }
        dialog #promotion aria-label="Promote to" {
            div.buttons #promotion-choices {}
        }
        dialog #help-dialog aria-labelledby="help-title" {
            h2 #help-title { "Keys and help" }
            dl.keys {
                @for (key, meaning) in KEYS { dt { kbd { (key) } } dd { (meaning) } }
            }
            p { "Move a piece by dragging it, by clicking it and then its square, with Enter on the board's squares, or by typing the move. While the engine thinks you can already play your next move. The right mouse button draws arrows and circles." }
            p { "All numbers are centipawns, hundredths of a pawn, from White’s side. Moves are judged by the winning chances that they give away, as on Lichess." }
            p { "Your games are kept in " span #games-file {} ". Chess pieces by Colin M.L. Burnett (cburnett), GNU General Public License, version 2 or later." }
            div.buttons {
                button #new-board type="button" { "New board" }
                button #quit type="button" { "Quit the program" }
                span.gap {}
                button.main type="button" data-close="" { "Close" }
            }
        }
    }
}

/// The keys, for the help.
const KEYS: [(&str, &str); 16] = [
    ("← →", "one move back or forward"),
    ("↑ ↓", "the variation before or after"),
    ("Home End", "start and end of the game"),
    ("f", "flip the board"),
    ("l", "engine on or off"),
    ("Space", "play the best move of the engine"),
    ("a", "arrows on or off"),
    ("x", "what the other side threatens"),
    ("w", "why: explain the position"),
    (
        "0 to 4",
        "numbers on the squares: off, worth, square, last move, table",
    ),
    ("n p", "next or previous mistake of a review"),
    ("h", "a hint"),
    ("m", "type a move"),
    ("o s", "open; save"),
    ("Esc", "leave a line, or let a piece go"),
    (
        "Tab",
        "reach everything; on the board the arrows go from square to square",
    ),
];
