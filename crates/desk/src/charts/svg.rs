//! Charts as one SVG picture: each cell in the color of its score and with the score in it, the
//! middlegame on the left and the endgame on the right.

use std::iter;

use super::{Chart, PHASES, Phase};
use squarewise_engine::evaluation::heat_map::color_between;

/// The size of a cell in pixels.
const CELL: [usize; 2] = [46, 20];
/// The width of the names of the rows.
const NAMES: usize = 180;
/// The space around what is drawn.
const MARGIN: usize = 20;
/// The height of the titles of a chart and the heads of its columns.
const HEAD: usize = 64;

/// All charts, one below the other.
pub fn svg(charts: &[Chart]) -> String {
    let columns = charts.iter().map(|chart| chart.columns.len()).max();
    let width = NAMES + 2 * (columns.unwrap_or(0) * CELL[0] + MARGIN) + MARGIN;
    let rows = charts.iter().map(|chart| HEAD + chart.rows.len() * CELL[1]);
    let tops: Vec<usize> = iter::once(0)
        .chain(rows.scan(0, |top, height| {
            *top += height;
            Some(*top)
        }))
        .collect();
    let height = tops.last().copied().unwrap_or(0) + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"sans-serif\" font-size=\"10\">\n\
         <title>What attacks are worth, in centipawns</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (chart, top) in charts.iter().zip(tops) {
        svg += &drawn(chart, top);
    }
    svg + "</svg>\n"
}

/// A chart, with its upper edge here.
fn drawn(chart: &Chart, top: usize) -> String {
    let title = &chart.title;
    let y = top + 26;
    let mut svg = format!(
        "<text x=\"{MARGIN}\" y=\"{y}\" font-size=\"14\" font-weight=\"bold\">{title}, in centipawns</text>\n"
    );
    let first_row = top + HEAD;
    for (row, (name, _)) in chart.rows.iter().enumerate() {
        let y = first_row + row * CELL[1] + 14;
        svg += &text([NAMES + MARGIN - 6, y], "end", "black", name);
    }
    for (place, (name, phase)) in PHASES.into_iter().zip(chart.phases()).enumerate() {
        let left = MARGIN + NAMES + place * (chart.columns.len() * CELL[0] + MARGIN);
        svg += &text([left, top + 44], "start", "black", name);
        for (column, head) in chart.columns.iter().enumerate() {
            let x = left + column * CELL[0] + CELL[0] / 2;
            svg += &text([x, first_row - 6], "middle", "#555", head);
        }
        svg += &cells(&phase, [left, first_row]);
    }
    svg
}

fn cells(phase: &Phase, [left, top]: [usize; 2]) -> String {
    let mut svg = String::new();
    for (row, values) in phase.rows.iter().enumerate() {
        for (column, value) in values.iter().enumerate() {
            let Some(value) = *value else { continue };
            let [red, green, blue] = color_between(phase.range, value);
            let ink = if green < 110 { "white" } else { "black" };
            let [x, y] = [left + column * CELL[0], top + row * CELL[1]];
            let [width, height] = CELL;
            svg += &format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
                 fill=\"rgb({red},{green},{blue})\" stroke=\"#ccc\"/>"
            );
            svg += &text([x + width / 2, y + 14], "middle", ink, &value.to_string());
        }
    }
    svg
}

fn text([x, y]: [usize; 2], anchor: &str, color: &str, text: &str) -> String {
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{color}\">{text}</text>\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::{Subject, of};
    use squarewise_engine::evaluation::TableSet;

    #[test]
    fn every_score_has_a_cell_in_both_phases_and_every_row_its_name() {
        let charts = of(&TableSet::Attacks.tables(), Subject::Mobility);
        let picture = svg(&charts);
        assert_eq!(picture.matches("<rect x=").count(), 2 * (9 + 14 + 15 + 28));
        for name in ["knight", "queen", ">27<", "middlegame", "endgame"] {
            assert!(picture.contains(name), "{name}");
        }
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    }
}
