//! The drawings on buttons, and the board between its players.

use maud::{Markup, html};

/// Half a disc, for light and dark.
pub(crate) const THEME: &str =
    "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM12 3v18M12 7h5M12 12h8M12 17h5";

/// Arrows that turn the board round.
pub(crate) const FLIP: &str = "M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4";

/// The buttons that step through a game: their ids, labels, keys and drawings.
pub(crate) const STEPS: [(&str, &str, &str, &str); 4] = [
    ("first", "Start", "Home", "M6 5v14M18 5l-9 7 9 7z"),
    ("back", "Back", "ArrowLeft", "M15 5l-9 7 9 7z"),
    ("next", "Forward", "ArrowRight", "M9 5l9 7-9 7z"),
    ("last", "End", "End", "M18 5v14M6 5l9 7-9 7z"),
];

/// The ways to show numbers on the squares, in the order of their keys, 0 to 4.
pub(crate) const HEATS: [(&str, &str); 5] = [
    ("off", "Off"),
    ("worth", "Worth"),
    ("square", "Square"),
    ("change", "Last move"),
    ("table", "Table"),
];

/// A drawing of 24 units.
pub(crate) fn icon(path: &str) -> Markup {
    html! { svg.icon viewBox="0 0 24 24" aria-hidden="true" { path d=(path) {} } }
}

/// A corner of a chessboard.
pub(crate) fn logo() -> Markup {
    html! {
        svg.logo viewBox="0 0 4 4" aria-hidden="true" {
            rect width="4" height="4" rx=".7" {}
            path d="M.6 .6h1.4v1.4H.6zM2 2h1.4v1.4H2z" {}
        }
    }
}

/// A button that steps through a game.
pub(crate) fn step((id, label, keys, path): (&str, &str, &str, &str)) -> Markup {
    html! {
        button id=(id) type="button" aria-label=(label) aria-keyshortcuts=(keys) title=(format!("{label} ({keys})")) {
            (icon(path))
        }
    }
}

/// The board with a player above and one below, and the bar of expected points beside it.
pub(crate) fn stage() -> Markup {
    let strip = |id: &str| {
        html! {
            div.strip id=(id) {
                span.side aria-hidden="true" {}
                bdi.name {}
                span.rating {}
                span.material role="img" hidden {}
                span.clock {}
            }
        }
    };
    html! {
        (strip("far"))
        div #stage {
            div #bar role="img" { div {} }
            div #board role="grid" aria-label="Chessboard" {}
            svg #arrows viewBox="0 0 8 8" aria-hidden="true" {}
        }
        (strip("near"))
    }
}

/// The switch for the numbers on the squares, with its legend.
pub(crate) fn overlays() -> Markup {
    html! {
        div.overlays {
            span #overlays-label { "On each square" }
            div.segments role="group" aria-labelledby="overlays-label" {
                @for (key, (mode, label)) in HEATS.iter().enumerate() {
                    button type="button" data-heat=(mode) aria-pressed="false" aria-keyshortcuts=(key)
                        title=(format!("{label} ({key})")) { (label) }
                }
            }
            p #legend {
                span.scale aria-hidden="true" { span #scale-low {} span.ramp {} span #scale-high {} }
                span #legend-text {}
            }
        }
    }
}

/// What a screen reader says after each step.
pub(crate) fn live_region() -> Markup {
    html! {
        div #said.visually-hidden role="status" aria-live="polite" aria-atomic="true" {}
    }
}
