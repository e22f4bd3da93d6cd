//! Colored text: ANSI escape sequences, where the output understands them.
//!
//! Every method of [`Style`] here returns its text unchanged if there are no colors. Colors are
//! given as red, green and blue; a terminal with 256 colors gets the nearest of its fixed ones.

use anstyle::{Color, RgbColor, Style as Paint};
use anstyle_lossy::rgb_to_xterm;

use super::Style;

/// A color: red, green and blue, 0 to 255 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// White.
    const WHITE: Rgb = Rgb(255, 255, 255);
    /// Black.
    const BLACK: Rgb = Rgb(0, 0, 0);
    /// Of what is good.
    const GREEN: Rgb = Rgb(0, 160, 80);
    /// Of what is bad.
    const RED: Rgb = Rgb(215, 70, 70);

    /// Black or white, whichever is easier to read on this color.
    fn readable(self) -> Rgb {
        // The weights by which the eye sees the components (Rec. 601), in thousandths.
        let brightness =
            299 * u32::from(self.0) + 587 * u32::from(self.1) + 114 * u32::from(self.2);
        if brightness > 128_000 {
            Rgb::BLACK
        } else {
            Rgb::WHITE
        }
    }
}

impl Style {
    /// The text in a color, on the background of the terminal.
    pub fn colored(self, text: &str, color: Rgb) -> String {
        self.painted(text, Paint::new().fg_color(self.ink(color)))
    }

    /// The text in a color on another one.
    pub fn on(self, text: &str, color: Rgb, background: Rgb) -> String {
        let paint = Paint::new().fg_color(self.ink(color));
        self.painted(text, paint.bg_color(self.ink(background)))
    }

    /// The text on a color, in black or white, whichever is easier to read there.
    pub fn on_color(self, text: &str, background: Rgb) -> String {
        self.on(text, background.readable(), background)
    }

    /// The text in bold letters.
    pub fn bold(self, text: &str) -> String {
        self.painted(text, Paint::new().bold())
    }

    /// The text in faint letters, for what matters less.
    pub fn dim(self, text: &str) -> String {
        self.painted(text, Paint::new().dimmed())
    }

    /// The text in green, for what is good.
    pub fn good(self, text: &str) -> String {
        self.colored(text, Rgb::GREEN)
    }

    /// The text in red, for what is bad.
    pub fn bad(self, text: &str) -> String {
        self.colored(text, Rgb::RED)
    }

    fn painted(self, text: &str, paint: Paint) -> String {
        if self.has_colors {
            format!("{paint}{text}{paint:#}")
        } else {
            text.to_owned()
        }
    }

    /// A color as the terminal knows it.
    fn ink(self, Rgb(red, green, blue): Rgb) -> Option<Color> {
        let color = RgbColor(red, green, blue);
        Some(if self.has_true_color {
            Color::Rgb(color)
        } else {
            Color::Ansi256(rgb_to_xterm(color))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::visible_width;

    const COLORS: Style = Style {
        has_colors: true,
        ..Style::PLAIN
    };

    #[test]
    fn plain_text_stays_as_it_is() {
        assert_eq!(Style::PLAIN.bold("a"), "a");
        assert_eq!(Style::PLAIN.on("a", Rgb::WHITE, Rgb::BLACK), "a");
    }

    #[test]
    fn colors_are_written_as_the_terminal_knows_them() {
        let true_color = Style {
            has_true_color: true,
            ..COLORS
        };
        let orange = Rgb(255, 135, 0);
        assert_eq!(
            true_color.colored("a", orange),
            "\u{1b}[38;2;255;135;0ma\u{1b}[0m"
        );
        assert_eq!(COLORS.colored("a", orange), "\u{1b}[38;5;208ma\u{1b}[0m");
        let both = COLORS.on("a", Rgb::WHITE, Rgb::BLACK);
        assert_eq!(both, "\u{1b}[38;5;231m\u{1b}[48;5;16ma\u{1b}[0m");
    }

    #[test]
    fn the_width_leaves_escape_sequences_out() {
        assert_eq!(visible_width(""), 0);
        assert_eq!(visible_width("a♞b"), 3);
        let painted = COLORS.bold(&COLORS.good("three"));
        assert_eq!(visible_width(&painted), 5);
    }

    #[test]
    fn text_is_readable_on_every_background() {
        assert_eq!(Rgb(250, 240, 200).readable(), Rgb::BLACK);
        assert_eq!(Rgb(20, 30, 120).readable(), Rgb::WHITE);
    }
}
