//! Colored text: ANSI escape sequences, where the output understands them.
//!
//! Every method of [`Style`] here returns its text unchanged if there are no colors. Colors are given as red, green and
//! blue; a terminal with 256 colors gets the nearest of its fixed ones.

use super::Style;

/// The sequence that ends all colors.
const RESET: &str = "\u{1b}[0m";

/// The levels of each component in the 6 * 6 * 6 cube of a terminal with 256 colors (as in xterm).
const CUBE_LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// A color: red, green and blue, 0 to 255 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// White.
    pub const WHITE: Rgb = Rgb(255, 255, 255);
    /// Black.
    pub const BLACK: Rgb = Rgb(0, 0, 0);
    /// Of what is good.
    const GREEN: Rgb = Rgb(0, 160, 80);
    /// Of what is bad.
    const RED: Rgb = Rgb(215, 70, 70);

    /// Black or white, whichever is easier to read on this color.
    pub fn readable(self) -> Rgb {
        // The weights by which the eye sees the components (Rec. 601), in thousandths.
        let brightness =
            299 * u32::from(self.0) + 587 * u32::from(self.1) + 114 * u32::from(self.2);
        if brightness > 128_000 {
            Rgb::BLACK
        } else {
            Rgb::WHITE
        }
    }

    /// The nearest color of a terminal with 256 colors, 16 to 255: one of its cube or one of its grays.
    fn nearest_of_256(self) -> u8 {
        let parts = [self.0, self.1, self.2];
        let cube = parts.map(|part| {
            let distance = |index: &usize| CUBE_LEVELS[*index].abs_diff(part);
            (0..CUBE_LEVELS.len()).min_by_key(distance).unwrap_or(0)
        });
        let of_cube = cube.map(|index| CUBE_LEVELS[index]);
        let mean = parts.map(u32::from).iter().sum::<u32>() / 3;
        let gray = (mean.saturating_sub(3) / 10).min(23) as u8;
        let of_gray = [8 + 10 * gray; 3];
        let distance = |color: [u8; 3]| -> u32 {
            let pairs = color.into_iter().zip(parts);
            pairs
                .map(|(a, b)| u32::from(a.abs_diff(b)).pow(2))
                .sum::<u32>()
        };
        if distance(of_gray) < distance(of_cube) {
            232 + gray
        } else {
            (16 + 36 * cube[0] + 6 * cube[1] + cube[2]) as u8
        }
    }
}

impl Style {
    /// The text in a color, on the background of the terminal.
    pub fn colored(self, text: &str, color: Rgb) -> String {
        self.with_codes(text, &self.color_code("38", color))
    }

    /// The text in a color on another one.
    pub fn on(self, text: &str, color: Rgb, background: Rgb) -> String {
        let codes = [
            self.color_code("38", color),
            self.color_code("48", background),
        ];
        self.with_codes(text, &codes.join(";"))
    }

    /// The text in bold letters.
    pub fn bold(self, text: &str) -> String {
        self.with_codes(text, "1")
    }

    /// The text in faint letters, for what matters less.
    pub fn dim(self, text: &str) -> String {
        self.with_codes(text, "2")
    }

    /// The text in green, for what is good.
    pub fn good(self, text: &str) -> String {
        self.colored(text, Rgb::GREEN)
    }

    /// The text in red, for what is bad.
    pub fn bad(self, text: &str) -> String {
        self.colored(text, Rgb::RED)
    }

    fn with_codes(self, text: &str, codes: &str) -> String {
        if self.has_colors {
            format!("\u{1b}[{codes}m{text}{RESET}")
        } else {
            text.to_owned()
        }
    }

    /// The parameters of a foreground (38) or background (48) color.
    fn color_code(self, ground: &str, color: Rgb) -> String {
        let Rgb(red, green, blue) = color;
        if self.has_true_color {
            format!("{ground};2;{red};{green};{blue}")
        } else {
            format!("{ground};5;{}", color.nearest_of_256())
        }
    }
}

/// The number of columns that a text takes on the screen: its characters without escape sequences. It is right for the
/// characters that this module draws, each of which takes one column.
pub fn visible_width(text: &str) -> usize {
    let mut width = 0;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            // A sequence is `ESC [`, parameters, and a letter.
            characters.find(char::is_ascii_alphabetic);
        } else {
            width += 1;
        }
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(both, "\u{1b}[38;5;231;48;5;16ma\u{1b}[0m");
    }

    #[test]
    fn grays_are_nearer_than_the_cube() {
        assert_eq!(Rgb(58, 58, 58).nearest_of_256(), 237);
        assert_eq!(Rgb(238, 238, 238).nearest_of_256(), 255);
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
