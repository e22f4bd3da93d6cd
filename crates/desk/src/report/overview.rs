//! The overview of a page with several games: a row for each game, which leads to it, and the
//! totals of the players.
//!
//! The page is a stream, and a row is known only when its game is. So the rows, about 1 kB each,
//! wait in memory until all games are written; the script puts them in front.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};
use shakmaty::{Color, KnownOutcome, Outcome};

use super::game::shown_result;
use super::graph;
use crate::analysis::{AnalyzedGame, Judgement, Totals};
use crate::page::text;

/// How many players the totals name.
const MAX_PLAYERS: usize = 100;

/// The size of a small graph in its own units.
const WIDTH: usize = 96;
const HEIGHT: u32 = 24;

/// A small graph shows at most this many positions.
const MAX_POINTS: usize = 48;

/// The rows of the games so far.
#[derive(Clone, Debug, Default)]
pub struct Overview {
    rows: String,
    games: usize,
    white_wins: usize,
    black_wins: usize,
    draws: usize,
    both_lost: usize,
}

impl Overview {
    /// Adds the row of a game; `number` is the one that [`add_game`](super::add_game) was told.
    pub fn add(&mut self, number: usize, game: &AnalyzedGame) {
        self.games += 1;
        match game.record.outcome {
            Outcome::Known(KnownOutcome::Decisive { winner }) => {
                *winner.fold_wb(&mut self.white_wins, &mut self.black_wins) += 1;
            }
            Outcome::Known(KnownOutcome::Draw) => self.draws += 1,
            Outcome::Unknown if game.record.result() == "0-0" => self.both_lost += 1,
            Outcome::Unknown => {}
        }
        self.rows.push_str(&row(number, game).into_string());
        self.rows.push('\n');
    }

    /// The overview, or nothing for a page with fewer than two games.
    pub(super) fn section(&self, totals: &Totals) -> Option<Markup> {
        (self.games > 1).then(|| {
            html! {
                section #overview aria-labelledby="overview-title" {
                    header {
                        h2 #overview-title { (self.games) " games" }
                        p #overview-results { (self.results()) }
                        div.find {
                            label for="player" { "Player" }
                            input #player type="search" autocomplete="off" spellcheck="false" placeholder="part of a name";
                        }
                        p #found role="status" {}
                    }
                    (self.table())
                    (players(totals))
                }
            }
        })
    }

    /// How the games ended, in a sentence.
    fn results(&self) -> String {
        let ended = self.white_wins + self.black_wins + self.draws + self.both_lost;
        let kinds = [
            (self.white_wins, "won by White"),
            (self.black_wins, "won by Black"),
            (self.draws, "drawn"),
            (self.both_lost, "lost by both"),
            (self.games - ended, "unfinished"),
        ];
        let kinds = kinds.iter().filter(|(count, _)| *count > 0);
        let kinds: Vec<String> = kinds.map(|(count, how)| format!("{count} {how}")).collect();
        kinds.join(", ")
    }

    fn table(&self) -> Markup {
        let marks = [
            ("Mistakes", Judgement::Mistake),
            ("Blunders", Judgement::Blunder),
        ];
        html! {
            table #all-games {
                thead {
                    tr {
                        @for name in ["Game", "Result", "Opening", "White’s chances"] { th scope="col" rowspan="2" { (name) } }
                        th scope="colgroup" colspan="2" { "Accuracy" }
                        @for (name, mark) in marks {
                            th scope="colgroup" colspan="2" { (name) " " span.mark.(graph::class(mark)) { (mark.mark()) } }
                        }
                    }
                    tr { @for _ in 0..3 { @for side in ["White", "Black"] { th scope="col" { (side) } } } }
                }
                tbody { (PreEscaped(&self.rows)) }
            }
        }
    }
}

/// The row of a game. Its link is the address of the start of the game.
fn row(number: usize, game: &AnalyzedGame) -> Markup {
    let record = &game.record;
    let [white, black] = [Color::White, Color::Black].map(|color| text::player(record, color));
    let sides = [Color::White, Color::Black];
    let accuracy = |color| {
        game.accuracy(color)
            .map_or_else(|| "–".to_owned(), |accuracy| format!("{accuracy:.0} %"))
    };
    html! {
        tr data-number=(number) {
            th scope="row" {
                a href=(format!("#{number}.0")) { span.number { (number) "." } " " bdi { (white) } " – " bdi { (black) } }
            }
            td.ended { (shown_result(record.result())) }
            td.opening { @if let Some(opening) = game.opening { span.eco { (opening.eco) } " " (opening.name) } }
            td.course { (course(game)) }
            @for color in sides { td { (accuracy(color)) } }
            @for color in sides { td { (game.counts(color).mistakes) } }
            @for color in sides { td { (game.counts(color).blunders) } }
        }
    }
}

/// A small graph of White's expected points: light is White's share, dark Black's.
fn course(game: &AnalyzedGame) -> Markup {
    let points = game.positions.iter().map(|found| found.white_points);
    let points: Vec<u32> = points.collect();
    let percent = |points: Option<&u32>| points.map_or(50, |points| (points + 5) / 10);
    let (first, last) = (percent(points.first()), percent(points.last()));
    html! {
        svg.small.graph viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img"
            aria-label=(format!("from {first} to {last} percent")) {
            rect.black width=(WIDTH) height=(HEIGHT) {}
            path.white d=(small_area(&points)) {}
            path.middle d=(format!("M0 {}H{WIDTH}", HEIGHT / 2)) {}
        }
    }
}

/// The area under the curve as the data of an SVG path, in whole units. A long game shows the
/// points that lie evenly between its ends.
fn small_area(points: &[u32]) -> String {
    let last = points.len().saturating_sub(1);
    let shown = points.len().min(MAX_POINTS);
    let steps = shown.saturating_sub(1).max(1);
    let mut path = format!("M0 {HEIGHT}");
    for step in 0..shown {
        let value = points[step * last / steps].min(1_000);
        let y = HEIGHT - (value * HEIGHT + 500) / 1_000;
        let written = write!(path, "L{} {y}", step * WIDTH / steps);
        debug_assert!(written.is_ok(), "a string takes everything");
    }
    path + &format!("H{WIDTH}V{HEIGHT}Z")
}

/// What the games say of each player together. A name is a button that shows the games of that
/// player.
fn players(totals: &Totals) -> Markup {
    let players = totals.players();
    let figures = [
        "Games",
        "Accuracy",
        "Average centipawn loss",
        "?!",
        "?",
        "??",
        "Marks in the opening",
        "in the middlegame",
        "in the endgame",
    ];
    html! {
        @if !players.is_empty() {
            div #totals role="region" aria-labelledby="totals-title" tabindex="0" {
                h2 #totals-title { "By player" }
                table {
                    thead { tr { th scope="col" { "Player" } @for figure in figures { th scope="col" { (figure) } } } }
                    tbody {
                        @for (name, player) in players.iter().take(MAX_PLAYERS) {
                            @let counts = player.counts();
                            tr {
                                th scope="row" { button type="button" title="Show the games of this player" { bdi { (text::clean(name)) } } }
                                td { (player.games) }
                                td { (format!("{:.1} %", player.accuracy())) }
                                td { (player.average_centipawn_loss()) }
                                td { (counts.inaccuracies) }
                                td { (counts.mistakes) }
                                td { (counts.blunders) }
                                @for counts in player.by_phase { td { (counts.total()) } }
                            }
                        }
                    }
                }
                @if players.len() > MAX_PLAYERS { p { "and " (players.len() - MAX_PLAYERS) " more" } }
            }
        }
    }
}
