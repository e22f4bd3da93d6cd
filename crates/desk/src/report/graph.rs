//! The graph of a game: White's expected points after each move, as an SVG picture.
//!
//! The light area is White's share of the points and the dark one Black's. Judged moves are dots
//! whose shape tells the judgement as well as their color: a circle, a diamond, a square. The
//! script moves the line that marks the position on the board.

use std::fmt::Write;

use maud::{Markup, html};
use shakmaty::Position;
use squarewise_engine::position::played_move::side_of_ply;
use squarewise_engine::position::variant_position::VariantPosition;

use crate::analysis::{AnalyzedGame, Judgement};

/// The size of the picture in its own units.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 132.0;

/// The room on each side for the dots at the edge.
const MARGIN: f64 = 7.0;

/// Half the size of a dot.
const DOT: f64 = 5.0;

/// The picture, and in words what it shows.
pub(super) fn graph(game: &AnalyzedGame) -> Markup {
    let points: Vec<u32> = game
        .positions
        .iter()
        .map(|found| found.white_points)
        .collect();
    let place = |ply: usize| point(ply, points.len(), points.get(ply).copied().unwrap_or(500));
    let judged: Vec<(usize, Judgement)> = judged_plies(game);
    let middle = HEIGHT / 2.0;
    html! {
        figure.graph {
            div.slider role="slider" tabindex="0" aria-label="Graph: position in the game" aria-valuemin="0"
                aria-valuemax=(points.len().saturating_sub(1)) aria-valuenow="0"
                data-width=(WIDTH) data-margin=(MARGIN) data-last=(points.len().saturating_sub(1)) {
                svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) aria-hidden="true" {
                    rect.black width=(WIDTH) height=(HEIGHT) rx="6" {}
                    path.white d=(area(&points)) {}
                    path.middle d=(format!("M0 {middle}H{WIDTH}")) {}
                    @for number in (20..points.len()).step_by(20) {
                        path.tick d=(format!("M{:.1} 0V{HEIGHT}", place(number).0)) {}
                    }
                    path.curve d=(curve(&points)) {}
                    line.cursor x1=(MARGIN) x2=(MARGIN) y1="0" y2=(HEIGHT) {}
                    @for (ply, judgement) in &judged {
                        path.dot.(class(*judgement)) d=(dot(place(*ply), *judgement)) {}
                    }
                }
            }
            figcaption {
                span { "White’s expected points, 0 to 100 %" }
                span.visually-hidden { (in_words(&game.record.start, &points, &judged)) }
                span.keys aria-hidden="true" {
                    @for judgement in [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder] {
                        span.(class(judgement)) {
                            svg viewBox="0 0 12 12" { path.dot.(class(judgement)) d=(dot((DOT + 1.0, DOT + 1.0), judgement)) {} }
                            (class(judgement))
                        }
                    }
                }
            }
        }
    }
}

/// The numbers of the plies that were judged, counted from 1, so that they name the position after
/// the move.
fn judged_plies(game: &AnalyzedGame) -> Vec<(usize, Judgement)> {
    let reviews = game.reviews();
    let numbered = reviews.iter().enumerate();
    let judged = numbered.filter_map(|(index, review)| Some((index + 1, review.judgement?)));
    judged.collect()
}

/// The place in the picture of a position with these expected points.
fn point(ply: usize, positions: usize, points: u32) -> (f64, f64) {
    let steps = positions.saturating_sub(1).max(1) as f64;
    let x = MARGIN + (WIDTH - 2.0 * MARGIN) * ply as f64 / steps;
    (x, HEIGHT * (1.0 - f64::from(points.min(1_000)) / 1_000.0))
}

/// The curve through all positions, as the data of an SVG path.
fn curve(points: &[u32]) -> String {
    let mut path = String::new();
    for (ply, value) in points.iter().enumerate() {
        let (x, y) = point(ply, points.len(), *value);
        let command = if ply == 0 { 'M' } else { 'L' };
        let written = write!(path, "{command}{x:.1} {y:.1}");
        debug_assert!(written.is_ok(), "a string takes everything");
    }
    path
}

/// The area under the curve, which goes on at its height to both edges of the picture.
fn area(points: &[u32]) -> String {
    let Some((first, last)) = points.first().zip(points.last()) else {
        return String::new();
    };
    let height = |points| point(0, 1, points).1;
    let (first, last, curve) = (height(*first), height(*last), curve(points));
    let curve = curve.replacen('M', "L", 1);
    format!("M0 {HEIGHT}V{first:.1}{curve}L{WIDTH} {last:.1}V{HEIGHT}Z")
}

/// The outline of a dot.
fn dot((x, y): (f64, f64), judgement: Judgement) -> String {
    let y = y.clamp(DOT + 1.0, HEIGHT - DOT - 1.0);
    match judgement {
        Judgement::Inaccuracy => {
            let size = DOT - 0.5;
            format!(
                "M{:.1} {y:.1}a{size} {size} 0 1 0 {} 0a{size} {size} 0 1 0 -{} 0Z",
                x - size,
                2.0 * size,
                2.0 * size
            )
        }
        Judgement::Mistake => {
            format!(
                "M{x:.1} {:.1}l{DOT} {DOT}l-{DOT} {DOT}l-{DOT} -{DOT}Z",
                y - DOT
            )
        }
        Judgement::Blunder => {
            let (left, top, side) = (x - DOT + 0.5, y - DOT + 0.5, 2.0 * DOT - 1.0);
            format!("M{left:.1} {top:.1}h{side}v{side}h-{side}Z")
        }
    }
}

/// The name of a judgement, which is also its class in the style sheet.
pub(super) fn class(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "inaccuracy",
        Judgement::Mistake => "mistake",
        Judgement::Blunder => "blunder",
    }
}

/// What the graph shows, for those who can't see it.
fn in_words(start: &VariantPosition, points: &[u32], judged: &[(usize, Judgement)]) -> String {
    let Some((first, last)) = points.first().zip(points.last()) else {
        return "No positions.".to_owned();
    };
    let percent = |points: u32| (points + 5) / 10;
    let after = |ply: usize| match ply {
        0 => "at the start".to_owned(),
        _ => format!("after {}", named_move(start, ply)),
    };
    let numbered = || points.iter().copied().enumerate();
    let (lowest_ply, lowest) = numbered()
        .min_by_key(|(_, value)| *value)
        .unwrap_or_default();
    let (highest_ply, highest) = numbered()
        .max_by_key(|(_, value)| *value)
        .unwrap_or_default();
    let dots = judged
        .iter()
        .map(|(ply, judgement)| format!(" {} at {}.", class(*judgement), named_move(start, *ply)));
    format!(
        "White’s expected points begin at {} percent and end at {} percent; they are highest {} with {} percent and \
         lowest {} with {} percent.{}",
        percent(*first),
        percent(*last),
        after(highest_ply),
        percent(highest),
        after(lowest_ply),
        percent(lowest),
        dots.collect::<String>()
    )
}

/// A move in words, such as `White’s move 12`. `ply` counts from 1 in this game, which may begin at
/// any move of either side.
fn named_move(start: &VariantPosition, ply: usize) -> String {
    let side = side_of_ply(start, ply - 1).fold_wb("White", "Black");
    let later = (ply - usize::from(start.turn().is_white())) / 2;
    let number = start.fullmoves().get() as usize + later;
    format!("{side}’s move {number}")
}
