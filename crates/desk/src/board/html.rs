//! The page: what stands on it, and the files of its script and style.

mod dialogs;
mod views;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use dialogs::dialogs;
use views::{analysis_view, play_view, puzzle_view, review_view};

use super::opponent::Opponent;
use super::server::Files;
use crate::page::icons::{FLIP, STEPS, THEME, icon, live_region, logo, overlays, stage, step};
use crate::page::{self};

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
pub(super) fn files(opponent: &Opponent) -> Files {
    Files {
        page: whole(opponent).into_string(),
        script: SCRIPT.concat(),
        style: STYLE.concat(),
        icon: ICON,
    }
}

fn whole(opponent: &Opponent) -> Markup {
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
                        (play_view(opponent))
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
            button #boards type="button" title="Boards: the others, and new ones (b)" { (icon("M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z")) span.label { "Boards" } }
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
