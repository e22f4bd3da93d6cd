//! What a person does beside the board: play, analyze, review, puzzles.

use maud::{Markup, html};

use super::super::opponent::Opponent;
use squarewise_engine::position::rules::Variant;
use squarewise_engine::search::strength::ELO_RANGE;

/// A game: the wishes before it, and the buttons while it is played.
pub(super) fn play_view(opponent: &Opponent) -> Markup {
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
                        @for (value, label) in [("white", "White"), ("random", "Either"), ("black", "Black"), ("none", "Watch")] {
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
                    label for="like" { "Plays like" }
                    div.row {
                        select #like {
                            option value="" { "Squarewise" }
                            @for (place, style) in opponent.styles.iter().enumerate() {
                                option value=(style.name) selected[opponent.is_styled && place == 0] { (style.name) }
                            }
                        }
                        button #like-show type="button" title="Openings, and what this player likes" { "What is that like?" }
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
                        option value="variant" { "A variant of chess" }
                    }
                    input #start-number type="number" hidden min="0" max="959" value="518" aria-label="Number, 0 to 959";
                    select #start-variant hidden aria-label="Variant" {
                        @for variant in &Variant::ALL[1..] { option value=(variant.name()) { (variant.description()) } }
                    }
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
pub(super) fn analysis_view() -> Markup {
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
            p #known hidden {}
            ol #lines {}
            details #engine-settings {
                summary { "Engine settings" }
                div.fields {
                    label for="multi" { "Lines" } input #multi type="number" min="1" max="10" value="3";
                    label for="seconds" { "Seconds" } input #seconds type="number" min="1" max="3600" value="20";
                    label for="threads" { "Threads" } input #threads type="number" min="1" value="1";
                    label for="hash" { "Memory in MiB" } input #hash type="number" min="1" value="64";
                    label for="only" { "Only" } input #only type="text" spellcheck="false" autocomplete="off" maxlength="120" placeholder="these moves: Nf3 e4";
                }
            }
        }
    }
}

/// The review of the game on the board.
pub(super) fn review_view() -> Markup {
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
pub(super) fn puzzle_view() -> Markup {
    html! {
        div.view #view-puzzles hidden {
            h2 #puzzle-title { "Puzzles from your games" }
            p #puzzle-text role="status" { "Each mistake in a game that you reviewed becomes a puzzle. Those that you miss come back." }
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
