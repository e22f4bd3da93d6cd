//! Heat maps for a terminal: the value of a piece on every square, as numbers on colored squares.
//!
//! The middlegame stands on the left and the endgame on the right, each with its files, ranks and a
//! legend. Without colors the numbers alone remain, in plain ASCII.

use shakmaty::{File, Rank, Square};

use super::Style;
use super::ink::Rgb;
use squarewise_engine::evaluation::heat_map::{HeatMap, Kings, Phase};

/// The number of colors that a legend shows.
const LEGEND_LENGTH: i32 = 12;

/// The columns between the two phases.
const GAP: &str = "   ";

/// All maps one below the other, each with a title. `kings` are those for which the maps were made.
pub fn heat_maps(maps: &[HeatMap], kings: Kings, style: Style) -> String {
    let maps: Vec<String> = maps.iter().map(|map| heat_map(map, kings, style)).collect();
    maps.join("\n")
}

fn heat_map(map: &HeatMap, kings: Kings, style: Style) -> String {
    let title = style.bold(&map.title(kings));
    let phases = [map.phase(false), map.phase(true)];
    // The numbers and a space before them.
    let numbers = phases.iter().flat_map(|phase| phase.values);
    let longest = numbers.map(|value| value.to_string().len()).max();
    let cell = longest.unwrap_or(0).max(3) + 1;
    let row = |drawn: [String; 2]| format!("{}{GAP}{}", drawn[0], drawn[1]);

    let names = ["middlegame", "endgame"].map(|name| format!("{name:<width$}", width = 8 * cell));
    let files: String = File::ALL
        .into_iter()
        .map(|file| format!("{:>cell$}", file.char()))
        .collect();
    let mut lines = vec![title, format!("  {}", row(names).trim_end())];
    for rank in Rank::ALL.into_iter().rev() {
        let squares = phases.map(|phase| {
            let squares = File::ALL.map(|file| Square::from_coords(file, rank));
            let squares = squares.map(|square| draw_square(map, &phase, square, cell, style));
            squares.concat()
        });
        lines.push(format!("{} {}", rank.char(), row(squares)));
    }
    lines.push(format!("  {}", row([files.clone(), files])));
    let legends = phases.map(|phase| legend(&phase, 8 * cell, style));
    lines.push(format!("  {}", row(legends).trim_end()));
    lines.join("\n") + "\n"
}

/// A square, `cell` columns wide; empty if the piece can't stand there.
fn draw_square(map: &HeatMap, phase: &Phase, square: Square, cell: usize, style: Style) -> String {
    if !map.can_stand_on(square) {
        return " ".repeat(cell);
    }
    let value = phase.values[usize::from(square)];
    let [red, green, blue] = phase.color(square);
    style.on_color(&format!("{value:>cell$}"), Rgb(red, green, blue))
}

/// The lowest and the highest value and, if there are colors, the colors from one to the other.
fn legend(phase: &Phase, width: usize, style: Style) -> String {
    let (min, max) = (phase.min, phase.max);
    let (text, drawn) = if style.has_colors {
        let shades: String = (0..LEGEND_LENGTH)
            .map(|step| min + (max - min) * step / (LEGEND_LENGTH - 1))
            .map(|value| {
                let [red, green, blue] = phase.color_of(value);
                style.on_color(" ", Rgb(red, green, blue))
            })
            .collect();
        let blank = " ".repeat(LEGEND_LENGTH as usize);
        let with = |shades: &str| format!("{min} {shades} {max}");
        (with(&blank), with(&shades))
    } else {
        let text = format!("lowest {min}, highest {max}");
        (text.clone(), text)
    };
    format!("{drawn}{}", " ".repeat(width.saturating_sub(text.len())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::visible_width;
    use shakmaty::Role;
    use squarewise_engine::evaluation::TableSet;

    const KINGS: Kings = Kings {
        white: Square::E1,
        black: Square::E8,
    };

    fn drawn(role: Role, style: Style) -> String {
        let map = HeatMap::of(&TableSet::Simplified.tables(), role, KINGS);
        heat_maps(&[map], KINGS, style)
    }

    #[test]
    fn a_plain_map_has_a_title_files_ranks_and_a_legend() {
        let text = drawn(Role::Knight, Style::PLAIN);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 12);
        assert_eq!(
            lines[0],
            "Knight: value for White in centipawns, kings on e1 and e8"
        );
        assert_eq!(
            lines[2],
            "8  270 280 290 290 290 290 280 270    270 280 290 290 290 290 280 270"
        );
        assert_eq!(
            lines[10],
            "     a   b   c   d   e   f   g   h      a   b   c   d   e   f   g   h"
        );
        assert_eq!(
            lines[11],
            "  lowest 270, highest 340            lowest 270, highest 340"
        );
        assert!(text.is_ascii() && !text.contains('\u{1b}'));
    }

    #[test]
    fn colors_change_nothing_in_the_numbers() {
        let colors = Style {
            has_colors: true,
            ..Style::PLAIN
        };
        let (plain, colored) = (drawn(Role::Pawn, Style::PLAIN), drawn(Role::Pawn, colors));
        let pairs = plain.lines().zip(colored.lines()).take(11);
        for (plain, colored) in pairs {
            assert_eq!(visible_width(colored), plain.len(), "{colored}");
        }
        // The squares on which pawns stand, in both phases, with the legends and the title.
        assert_eq!(colored.matches("\u{1b}[0m").count(), 2 * 48 + 2 * 12 + 1);
    }
}
