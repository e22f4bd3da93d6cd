//! The page around the games: head, board, controls, and the places that the script fills.
//!
//! Style sheet, script and pieces are part of the page. The Content-Security-Policy in the head
//! forbids everything else: a browser that honors it makes no request at all, whatever stands in a
//! game.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::page::icons::{FLIP, STEPS, THEME, icon, live_region, logo, overlays, stage, step};
use crate::page::{self, text};

/// The parts of the style sheet, one after the other.
const STYLE: [&str; 2] = [page::STYLE, include_str!("report.css")];
/// The parts of the script, one after the other.
const SCRIPT: [&str; 7] = [
    page::HELPERS,
    page::BOARD,
    page::WHY,
    include_str!("script/game.js"),
    include_str!("script/panels.js"),
    include_str!("script/overview.js"),
    include_str!("script/main.js"),
];

/// Lines of a list, for the overview.
const LIST: &str = "M4 6h16M4 12h16M4 18h16";

/// The next and the previous mistake: their ids, labels, keys and drawings.
const MARK_STEPS: [(&str, &str, &str, &str); 2] = [
    (
        "mark-before",
        "Previous mistake",
        "p",
        "M9 6l-6 6 6 6M12 9.2a3.5 3.5 0 1 1 5.2 3c-1.2.7-1.7 1.3-1.7 2.6M15.5 18.4v.2",
    ),
    (
        "mark-after",
        "Next mistake",
        "n",
        "M15 6l6 6-6 6M5 9.2a3.5 3.5 0 1 1 5.2 3c-1.2.7-1.7 1.3-1.7 2.6M8.5 18.4v.2",
    ),
];

/// Nothing is loaded from anywhere; only what stands in the page itself is used.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'";

/// Everything before the first game.
pub(super) fn before_games(title: &str) -> String {
    let title = text::clean(title);
    let head = html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(POLICY);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="referrer" content="no-referrer";
            meta name="generator" content=(concat!("Squarewise ", env!("CARGO_PKG_VERSION")));
            title { (title) }
            style { @for part in STYLE { (PreEscaped(part)) } }
            noscript { style { (PreEscaped(".game.game { display: grid; }")) } }
        }
    };
    let body = html! {
        svg.symbols aria-hidden="true" width="0" height="0" { (PreEscaped(page::PIECES)) }
        header.page {
            h1 { (logo()) bdi { (title) } }
            div.pick hidden {
                a #all href="#overview" aria-label="All games" title="All games" { (icon(LIST)) span { "All games" } }
                label for="pick" { "Game" }
                select #pick {}
            }
            button #theme type="button" aria-label="Dark colors" title="Light or dark" { (icon(THEME)) }
        }
        noscript { p.notice { "The board and the moves need JavaScript, which is off here." } }
        (live_region())
    };
    let (doctype, head, body) = (DOCTYPE.0, head.into_string(), body.into_string());
    let board = board().into_string();
    format!(
        "{doctype}\n<html lang=\"en\">\n{head}\n<body>\n{body}\n<main>\n{board}\n<div id=\"games\">\n"
    )
}

/// Everything after the last game. The overview stands beside the games that it lists.
pub(super) fn after_games(overview: Option<Markup>) -> String {
    let overview = overview.map(Markup::into_string).unwrap_or_default();
    let rest = html! {
        section #moves-panel aria-label="Moves" {
            div #line {}
            div.scroll { div.inner { p #preface dir="auto" hidden {} ol #moves {} } }
        }
        section #why aria-label="Why: the static evaluation" {
            div.scroll { div.inner {
                h2 { "Why: the sum behind the evaluation" }
                table #sum {}
                div #piece {}
                table #pieces {}
            } }
        }
    };
    let footer = html! {
        footer {
            details {
                summary { "Keys, and what the numbers mean" }
                (help())
            }
            p {
                "Written by Squarewise " (env!("CARGO_PKG_VERSION")) ". Chess pieces by Colin M.L. Burnett (cburnett), \
                 used under the GNU General Public License, version 2 or later."
            }
        }
        script { @for part in SCRIPT { (PreEscaped(part)) } }
    };
    let (rest, footer) = (rest.into_string(), footer.into_string());
    format!("{overview}</div>\n{rest}\n</main>\n{footer}\n</body>\n</html>\n")
}

/// The board with its players and controls.
fn board() -> Markup {
    html! {
        section #play aria-label="Board" {
            (stage())
            p #now {}
            (controls())
            (overlays())
        }
    }
}

/// The buttons that step through the game.
fn controls() -> Markup {
    html! {
        div.controls role="group" aria-label="Step through the game" {
            @for each in STEPS { (step(each)) }
            span.gap {}
            @for each in MARK_STEPS { (step(each)) }
            span.row-end {}
            button #best-move type="button" aria-pressed="true" aria-keyshortcuts="b" title="Arrow: the best move (b)" {
                (icon("M5 19L18 6M9 6h9v9")) "Best move"
            }
            button #flip type="button" aria-keyshortcuts="f" title="Flip the board (f)" {
                (icon(FLIP)) "Flip"
            }
            button #why-switch type="button" aria-pressed="false" aria-keyshortcuts="w" title="Why: where the evaluation comes from (w)" {
                "Why"
            }
        }
    }
}

/// The keys and the numbers explained.
fn help() -> Markup {
    let keys = [
        ("← →", "one move back or forward"),
        ("Home End", "start and end of the game"),
        ("f", "flip the board"),
        ("b", "arrow of the best move on and off"),
        ("n p", "next or previous mistake"),
        ("w", "why: what each piece is worth, on and off"),
        (
            "0 1 2 3 4",
            "numbers on the squares: off, worth, square, last move, table",
        ),
        (
            "Esc",
            "leave a line and return to the game, or leave the board",
        ),
        (
            "Tab",
            "reach everything; on the board the arrows move from square to square",
        ),
    ];
    html! {
        dl.keys {
            @for (key, meaning) in keys { dt { kbd { (key) } } dd { (meaning) } }
        }
        p {
            "On a phone, swipe over the board to step. Switch Why on and tap a piece to see what it is worth. "
            "All numbers on squares and in the tables are centipawns, hundredths of a pawn, from White’s side: + is good \
             for White, − for Black. The static evaluation is the sum of what every piece is worth: its material, and what \
             its square adds, given where its own king and the enemy king stand, and what the pawns of both sides add. What belongs to no piece is the balance of \
             material, what pieces attack, and a bonus for the side to move. The parts are rounded so that they add up exactly. “Table” shows what every square \
             would add to the selected piece, or to the one that moved last; of a pawn, what it would add to one more pawn."
        }
        p {
            "The score beside a move is that of the search, in pawns, from White’s side; #3 is a mate in three. Moves are \
             judged by the winning chances that they give away, by the formulas of Lichess. The graph shows expected points: \
             100 % is a won game, 50 % a draw."
        }
    }
}
