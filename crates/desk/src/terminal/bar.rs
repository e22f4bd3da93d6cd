//! The evaluation bar: how the points of a position are shared between White and Black.
//!
//! It shows the expected points of White in a thousand games ([`squarewise_engine::wdl`] tells
//! them), because a bar of centipawns would be full long before the game is won.

use shakmaty::Color;

use super::Style;
use super::ink::Rgb;

/// The most points.
const ALL_POINTS: usize = 1_000;

/// White's part of a bar.
const WHITE: Rgb = Rgb(236, 236, 236);

/// Black's part of a bar.
const BLACK: Rgb = Rgb(68, 68, 68);

/// Blocks that fill one to seven eighths of a column from the left.
const EIGHTHS_OF_COLUMN: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// Blocks that fill one to seven eighths of a line from below.
const EIGHTHS_OF_LINE: [char; 7] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇'];

/// A horizontal bar of `length` columns, White's part on the left. `white_points` are the expected
/// points of White in a thousand games, 0 to 1,000. In ASCII White's part is made of `#` and
/// Black's of `-`.
pub fn bar(white_points: u32, length: usize, style: Style) -> String {
    let cells = cells(white_points, length, style, EIGHTHS_OF_COLUMN);
    style.on(&cells.into_iter().collect::<String>(), WHITE, BLACK)
}

/// A vertical bar, one column wide and `height` lines high, from the top down. White's part is at
/// the bottom if `orientation` is White, the side that sits at the bottom of the board.
pub fn vertical_bar(
    white_points: u32,
    height: usize,
    orientation: Color,
    style: Style,
) -> Vec<String> {
    let points = white_points.min(ALL_POINTS as u32);
    let at_the_bottom = orientation.fold_wb(points, ALL_POINTS as u32 - points);
    let [lower, upper] = orientation.fold_wb([WHITE, BLACK], [BLACK, WHITE]);
    let cells = cells(at_the_bottom, height, style, EIGHTHS_OF_LINE);
    let lines = cells.into_iter().rev();
    if style.has_colors {
        let paint = |cell: char| style.on(&cell.to_string(), lower, upper);
        return lines.map(paint).collect();
    }
    // Without colors the marks themselves tell the sides apart.
    let swap = |cell: char| match (cell, orientation) {
        ('#', Color::Black) => '-',
        ('-', Color::Black) => '#',
        _ => cell,
    };
    lines.map(|cell| swap(cell).to_string()).collect()
}

/// The cells of a bar from its full end: blocks where it is full, one in part, spaces or dashes
/// where it is empty.
fn cells(points: u32, length: usize, style: Style, eighths: [char; 7]) -> Vec<char> {
    let points = (points as usize).min(ALL_POINTS);
    let is_fine = style.has_colors && style.has_unicode;
    // Where the bar is empty, a space shows the background.
    let [full, empty] = if is_fine { ['█', ' '] } else { ['#', '-'] };
    let units = if is_fine { 8 } else { 1 };
    let filled = (points * length * units + ALL_POINTS / 2) / ALL_POINTS;
    let mut cells = vec![full; filled / units];
    if let Some(rest) = (filled % units).checked_sub(1) {
        cells.push(eighths[rest]);
    }
    cells.resize(length, empty);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::visible_width;

    const UNICODE: Style = Style {
        has_colors: true,
        has_unicode: true,
        has_true_color: true,
    };

    #[test]
    fn a_bar_is_as_full_as_white_has_points() {
        assert_eq!(bar(0, 10, Style::PLAIN), "----------");
        assert_eq!(bar(500, 10, Style::PLAIN), "#####-----");
        assert_eq!(bar(1_000, 10, Style::PLAIN), "##########");
        assert_eq!(bar(5_000, 4, Style::PLAIN), "####");
        assert!(bar(500, 5, UNICODE).contains("██▌  "));
        assert!(bar(525, 5, UNICODE).contains("██▋  "));
    }

    #[test]
    fn every_bar_has_its_length() {
        for points in 0..=1_000 {
            for style in [Style::PLAIN, UNICODE] {
                assert_eq!(visible_width(&bar(points, 13, style)), 13);
                let lines = vertical_bar(points, 8, Color::White, style);
                assert_eq!(lines.len(), 8);
                assert!(lines.iter().all(|line| visible_width(line) == 1));
            }
        }
    }

    #[test]
    fn a_vertical_bar_has_the_side_at_the_bottom_below() {
        let lines = |points, side| vertical_bar(points, 4, side, Style::PLAIN).concat();
        assert_eq!(lines(750, Color::White), "-###");
        assert_eq!(lines(750, Color::Black), "###-");
    }
}
