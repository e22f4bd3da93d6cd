//! Charts for a terminal: numbers on colored cells, the endgame beside the middlegame if both fit
//! 80 columns, else below it.

use super::{Chart, PHASES, Phase};
use crate::terminal::{Rgb, Style};
use squarewise_engine::evaluation::heat_map::color_between;

/// The columns of a terminal.
const WIDTH: usize = 80;

/// The columns between the two phases.
const GAP: &str = "   ";

/// All charts one below the other, each with a title.
pub fn charts(charts: &[Chart], style: Style) -> String {
    let charts = charts.iter().map(|chart| drawn(chart, style));
    charts.collect::<Vec<String>>().join("\n")
}

fn drawn(chart: &Chart, style: Style) -> String {
    let phases = chart.phases();
    let numbers = phases
        .iter()
        .flat_map(|phase| phase.rows.iter().flatten().flatten());
    let numbers = numbers.map(|value| value.to_string().len());
    let longest = numbers.chain(chart.columns.iter().map(String::len)).max();
    let cell = longest.unwrap_or(0) + 1;
    let label = chart
        .rows
        .iter()
        .map(|(name, _)| name.len())
        .max()
        .unwrap_or(0);
    let of_phase = cell * chart.columns.len();
    let mut lines = vec![style.bold(&format!("{}, in centipawns", chart.title))];
    if label + 2 * of_phase + GAP.len() <= WIDTH {
        lines.extend(block(chart, &[0, 1], &phases, [label, cell], style));
    } else {
        for phase in [0, 1] {
            lines.extend(block(chart, &[phase], &phases, [label, cell], style));
        }
    }
    lines.join("\n") + "\n"
}

/// The lines of some phases beside each other: their names, the heads of the columns, and the rows.
fn block(
    chart: &Chart,
    shown: &[usize],
    phases: &[Phase; 2],
    [label, cell]: [usize; 2],
    style: Style,
) -> Vec<String> {
    let beside = |name: &str, of_phase: &dyn Fn(usize) -> String| {
        let parts: Vec<String> = shown.iter().map(|phase| of_phase(*phase)).collect();
        format!("{name:<label$}{}", parts.join(GAP))
    };
    let width = cell * chart.columns.len();
    let names = beside("", &|phase| format!(" {:<1$}", PHASES[phase], width - 1));
    let heads = beside("", &|_| {
        let heads = chart.columns.iter().map(|head| format!("{head:>cell$}"));
        heads.collect()
    });
    let mut lines = vec![names.trim_end().to_owned(), heads];
    for (number, (name, _)) in chart.rows.iter().enumerate() {
        let row = beside(name, &|phase| {
            let Phase { rows, range } = &phases[phase];
            let cells = rows[number].iter().map(|value| match value {
                Some(value) => {
                    let [red, green, blue] = color_between(*range, *value);
                    style.on_color(&format!("{value:>cell$}"), Rgb(red, green, blue))
                }
                None => " ".repeat(cell),
            });
            cells.collect()
        });
        lines.push(row.trim_end().to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use squarewise_engine::evaluation::tapered_score::TaperedScore;

    fn chart(columns: usize) -> Chart {
        let heads = (0..columns).map(|head| head.to_string());
        let score = |value| Some(TaperedScore::flat(value));
        Chart {
            title: "Pieces".to_owned(),
            columns: heads.collect(),
            rows: vec![
                ("knight".to_owned(), vec![score(-12); columns]),
                ("rook".to_owned(), vec![None; columns]),
            ],
        }
    }

    #[test]
    fn the_phases_stand_beside_each_other_where_both_fit() {
        let text = charts(&[chart(3)], Style::PLAIN);
        let expected = [
            "Pieces, in centipawns",
            "       middlegame     endgame",
            "         0   1   2      0   1   2",
            "knight -12 -12 -12    -12 -12 -12",
            "rook",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
        let wide = charts(&[chart(12)], Style::PLAIN);
        assert_eq!(wide.matches("knight").count(), 2);
        assert!(wide.lines().all(|line| line.len() <= WIDTH), "{wide}");
    }
}
