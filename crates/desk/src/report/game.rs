//! One game in the page: its heading, its graph, what each side did wrong, and its data.
//!
//! The script shows one game at a time. It fills the board and the list of moves from the data, and
//! hides the other games.

use maud::{Markup, PreEscaped, html};
use shakmaty::Color;

use super::{data, graph};
use crate::analysis::{AnalyzedGame, Counts, Judgement, Phase, Slide};
use crate::page::text;

/// The section of a game; `before` is the number of games already on the page.
pub(super) fn section(number: usize, before: usize, game: &AnalyzedGame) -> Markup {
    let record = &game.record;
    let [white, black] = [Color::White, Color::Black].map(|color| text::player(record, color));
    let result = shown_result(record.result());
    html! {
        section.game id=(format!("game-{number}")) data-number=(number)
            data-label=(format!("{number}. {white} – {black}, {result}")) aria-label=(format!("Game {number}")) {
            header {
                h2 {
                    bdi { (white) } " – " bdi { (black) } " "
                    span.result { (result) }
                }
                (circumstances(game))
            }
            (graph::graph(game))
            (summary(game))
            script.data type="application/json" { (PreEscaped(data::json(before, game))) }
        }
        "\n"
    }
}

/// A result as people write it.
pub(super) fn shown_result(result: &str) -> &str {
    match result {
        "1-0" => "1–0",
        "0-1" => "0–1",
        "1/2-1/2" => "½–½",
        "0-0" => "0–0",
        _ => "unfinished",
    }
}

/// Event, round, place, date and opening, as far as the tags give them.
fn circumstances(game: &AnalyzedGame) -> Markup {
    let record = &game.record;
    let round = text::known_tag(record, "Round").map(|round| format!("round {round}"));
    let parts = [
        text::known_tag(record, "Event"),
        round,
        text::known_tag(record, "Site"),
        text::date(record),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    html! {
        @if !parts.is_empty() {
            p.event {
                @for (index, part) in parts.iter().enumerate() {
                    @if index > 0 { " · " }
                    bdi { (part) }
                }
            }
        }
        @if let Some(opening) = game.opening {
            p.opening { span.eco { (opening.eco) } " " (opening.name) }
        }
    }
}

/// Accuracy and errors of both sides.
fn summary(game: &AnalyzedGame) -> Markup {
    let accuracy = |color| match game.accuracy(color) {
        Some(accuracy) => format!("{accuracy:.1} %"),
        None => "–".to_owned(),
    };
    let counts = Color::ALL.map(|color| game.counts(color));
    let rows = [
        (
            "Inaccuracies",
            Judgement::Inaccuracy,
            counts.map(|side| side.inaccuracies),
        ),
        (
            "Mistakes",
            Judgement::Mistake,
            counts.map(|side| side.mistakes),
        ),
        (
            "Blunders",
            Judgement::Blunder,
            counts.map(|side| side.blunders),
        ),
    ];
    let loss = |color| {
        game.average_centipawn_loss(color)
            .map_or_else(|| "–".to_owned(), |loss| loss.to_string())
    };
    let by_phase = Color::ALL.map(|color| game.counts_by_phase(color).map(Counts::total));
    html! {
        table.summary {
            thead {
                tr { td {} th scope="col" { "White" } th scope="col" { "Black" } }
            }
            tbody {
                tr.accuracy {
                    th scope="row" { "Accuracy" }
                    @for color in Color::ALL { td { (accuracy(color)) } }
                }
                tr {
                    th scope="row" { "Average centipawn loss" }
                    @for color in Color::ALL { td { (loss(color)) } }
                }
                @for (name, judgement, counts) in rows {
                    tr {
                        th scope="row" { (name) " " span.mark.(graph::class(judgement)) { (judgement.mark()) } }
                        @for count in counts { td { (count) } }
                    }
                }
                @for phase in Phase::ALL {
                    tr {
                        th scope="row" { "Marks in the " (phase.name()) }
                        @for counts in by_phase { td { (counts[phase as usize]) } }
                    }
                }
            }
        }
        @for slide in Color::ALL.into_iter().flat_map(|color| game.slides(color)) {
            p.slide { (told(game, &slide)) }
        }
    }
}

/// A slide in a sentence.
fn told(game: &AnalyzedGame, slide: &Slide) -> String {
    let player = slide.color.fold_wb("White", "Black");
    let [first, last] = [slide.first, slide.last].map(|ply| game.move_in_words(ply));
    let [before, after] = slide.percents;
    format!(
        "{player}’s winning chances slid from {before:.0} % to {after:.0} % between {first} and {last}, although none of \
         these moves is marked."
    )
}
