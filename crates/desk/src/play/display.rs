//! Where the picture goes: in a terminal it stays at the top and is drawn over; elsewhere everything is written one
//! after the other, so that a script or a log can read it.
//!
//! In a terminal the lines below the picture scroll by themselves (a scroll region, DECSTBM), so that the editor of the
//! line never pushes the board away and the clocks can tick where they stand.

use std::io::{self, Write};

use shakmaty::Color;

use super::console::terminal_size;
use super::screen::{Picture, View};
use crate::terminal::{Style, visible_width};

/// The size of a screen that does not tell it, in columns and rows.
const DEFAULT_SIZE: (usize, usize) = (80, 24);

/// The lines below the picture that stay free for the prompt and what Tab shows.
const FREE_LINES: usize = 3;

/// Clears from the cursor to the end of the line, and to the end of the screen.
const CLEAR_LINE: &str = "\u{1b}[K";
const CLEAR_BELOW: &str = "\u{1b}[J";

/// The output of a game.
pub struct Display<W: Write> {
    out: W,
    style: Style,
    /// Whether the picture is drawn over.
    is_live: bool,
    /// Asks for the size of the screen in columns and rows.
    terminal_size: fn() -> Option<(usize, usize)>,
    /// The picture that is on the screen, if the clocks can tick in it.
    shown: Option<Picture>,
    /// The clocks that were written last.
    ticked: String,
    was_drawn: bool,
}

impl<W: Write> Display<W> {
    /// An output in this style; a live one draws over its picture.
    pub fn new(out: W, style: Style, is_live: bool) -> Display<W> {
        Display {
            out,
            style,
            is_live,
            terminal_size,
            shown: None,
            ticked: String::new(),
            was_drawn: false,
        }
    }

    /// Whether the picture is drawn over.
    pub fn is_live(&self) -> bool {
        self.is_live
    }

    /// The style.
    pub fn style(&self) -> Style {
        self.style
    }

    /// The size of the screen in columns and rows.
    fn size(&self) -> (usize, usize) {
        let size = if self.is_live {
            (self.terminal_size)()
        } else {
            None
        };
        size.unwrap_or(DEFAULT_SIZE)
    }

    /// The columns of the screen.
    pub fn columns(&self) -> usize {
        self.size().0
    }

    /// The lines of a text that fit on the screen above the prompt; all of them where nothing is drawn over.
    pub fn page_length(&self) -> usize {
        if self.is_live {
            self.size().1.saturating_sub(FREE_LINES).max(1)
        } else {
            usize::MAX
        }
    }

    /// Shows the game, with a message below it. A message that does not fit below is shown alone.
    ///
    /// # Errors
    ///
    /// If the output can't be written.
    pub fn show(&mut self, view: &View<'_>, message: &[String]) -> io::Result<()> {
        let (columns, rows) = self.size();
        let picture = view.picture(self.style, columns);
        if !self.is_live {
            writeln!(self.out)?;
            self.lines(&picture.lines)?;
            return self.lines(message);
        }
        if !self.was_drawn {
            // What stood on the screen moves up, out of it.
            self.out.write_all("\n".repeat(rows).as_bytes())?;
            self.was_drawn = true;
        }
        // A long line takes several on the screen.
        let height = |line: &String| visible_width(line).div_ceil(columns).max(1);
        let height: usize = message.iter().map(height).sum();
        let fits = picture.lines.len() + 1 + height + FREE_LINES <= rows;
        let is_picture_shown = fits || height < FREE_LINES;
        let mut text = "\u{1b}[r\u{1b}[H".to_owned();
        if is_picture_shown {
            for line in &picture.lines {
                text.push_str(&format!("{line}{CLEAR_LINE}\n"));
            }
            text.push_str(&format!("{CLEAR_LINE}\n"));
        }
        text.push_str(CLEAR_BELOW);
        if fits {
            let top = picture.lines.len() + 2;
            text.push_str(&format!("\u{1b}[{top};{rows}r\u{1b}[{top};1H"));
        }
        for line in message {
            text.push_str(&format!("{line}\n"));
        }
        self.shown = fits.then_some(picture);
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    /// Lets the clocks tick in the picture that is on the screen. The cursor stays where it is.
    ///
    /// # Errors
    ///
    /// If the output can't be written.
    pub fn tick(&mut self, view: &View<'_>) -> io::Result<()> {
        let Some(picture) = &self.shown else {
            return Ok(());
        };
        let mut text = "\u{1b}7".to_owned();
        for side in Color::ALL {
            let (line, column) = picture.clocks.get(side);
            let clock = view.clock(side, self.style);
            text.push_str(&format!("\u{1b}[{};{}H{clock}", line + 1, column + 1));
        }
        text.push_str("\u{1b}8");
        if text == self.ticked {
            return Ok(());
        }
        // In one piece, so that nothing that the editor writes comes between.
        self.out.write_all(text.as_bytes())?;
        self.ticked = text;
        self.out.flush()
    }

    /// Writes lines one after the other.
    ///
    /// # Errors
    ///
    /// If the output can't be written.
    pub fn lines(&mut self, lines: &[String]) -> io::Result<()> {
        for line in lines {
            writeln!(self.out, "{line}")?;
        }
        self.out.flush()
    }

    /// Writes the text before the cursor, for a person at a simple terminal. In a live one the editor of the line does.
    ///
    /// # Errors
    ///
    /// If the output can't be written.
    pub fn prompt(&mut self, prompt: &str) -> io::Result<()> {
        if !self.is_live {
            write!(self.out, "{prompt}")?;
        }
        self.out.flush()
    }

    /// Leaves the screen as other programs expect it, with the last picture on it.
    ///
    /// # Errors
    ///
    /// If the output can't be written.
    pub fn leave(&mut self) -> io::Result<()> {
        if self.was_drawn {
            // The end of the scroll region moves the cursor; it is put back.
            self.out.write_all(b"\x1b7\x1b[r\x1b8")?;
            self.was_drawn = false;
            self.shown = None;
        }
        self.out.flush()
    }
}

impl<W: Write> Drop for Display<W> {
    fn drop(&mut self) {
        // Nothing is left to be done if the output is gone.
        let _ = self.leave();
    }
}

/// A line of the game for a screen that is not drawn over: `12. Nf3    +0.31/14   4:58`.
pub fn move_line(number: &str, san: &str, evaluation: &str, clock: &str) -> String {
    let m = format!("{number} {san}");
    let line = format!("{m:<14} {evaluation:>10} {clock:>9}");
    debug_assert!(visible_width(&line) < DEFAULT_SIZE.0);
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::arbiter::Arbiter;
    use crate::play::clock::TimeControl;
    use shakmaty::{ByColor, Chess};
    use squarewise_engine::evaluation::TableSet;
    use std::time::{Duration, Instant};

    fn view(arbiter: &Arbiter, now: Instant) -> View<'_> {
        View {
            arbiter,
            names: ByColor::new_with(|_| "Anna"),
            orientation: Color::White,
            evaluation: None,
            opening: None,
            now,
        }
    }

    fn arbiter() -> Arbiter {
        let control = TimeControl::parse_clock("5+3").expect("a time control");
        Arbiter::new(Chess::default(), TableSet::default().tables(), control)
    }

    /// What is written by a display of this kind.
    fn written(is_live: bool, write: impl Fn(&mut Display<&mut Vec<u8>>)) -> String {
        let mut bytes = Vec::new();
        let mut display = Display::new(&mut bytes, Style::PLAIN, is_live);
        display.terminal_size = || Some(DEFAULT_SIZE);
        write(&mut display);
        drop(display);
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn without_a_terminal_there_are_lines_and_nothing_else() {
        let arbiter = arbiter();
        let text = written(false, |display| {
            let view = view(&arbiter, Instant::now());
            let shown = display.show(&view, &["Your turn.".to_owned()]);
            shown.expect("memory to write to");
            display.tick(&view).expect("memory to write to");
        });
        assert!(!text.contains('\u{1b}'), "{text}");
        assert!(text.ends_with("Your turn.\n"), "{text}");
    }

    #[test]
    fn in_a_terminal_the_lines_below_the_board_scroll_and_the_end_undoes_that() {
        let arbiter = arbiter();
        let text = written(true, |display| {
            let shown = display.show(&view(&arbiter, Instant::now()), &[]);
            shown.expect("memory to write to");
        });
        assert!(text.contains("\u{1b}[11;24r"), "{text:?}");
        assert!(text.ends_with("\u{1b}[r\u{1b}8"), "{text:?}");
    }

    #[test]
    fn the_clocks_tick_only_when_they_have_changed() {
        let mut arbiter = arbiter();
        let now = Instant::now();
        arbiter.start_clock(now);
        let ticks = |seconds: &[u64]| {
            let text = written(true, |display| {
                let shown = display.show(&view(&arbiter, now), &[]);
                shown.expect("memory to write to");
                for second in seconds {
                    let later = now + Duration::from_secs(*second);
                    let ticked = display.tick(&view(&arbiter, later));
                    ticked.expect("memory to write to");
                }
            });
            // One more is written at the end.
            text.matches("\u{1b}7").count() - 1
        };
        assert_eq!(ticks(&[]), 0);
        assert_eq!(ticks(&[1, 1, 1]), 1);
        assert_eq!(ticks(&[1, 2, 2, 3]), 3);
    }

    #[test]
    fn a_message_that_does_not_fit_is_shown_without_the_board() {
        let arbiter = arbiter();
        let text = written(true, |display| {
            let message = vec!["long".to_owned(); 30];
            let shown = display.show(&view(&arbiter, Instant::now()), &message);
            shown.expect("memory to write to");
        });
        assert_eq!(text.matches("long").count(), 30);
        assert!(!text.contains("Anna"), "{text:?}");
    }

    #[test]
    fn a_line_of_the_game_has_columns() {
        let line = move_line("12...", "Nf3+", "+0.31/14", "4:58");
        assert_eq!(line, "12... Nf3+       +0.31/14      4:58");
        assert_eq!(move_line("1.", "e4", "", ""), "1. e4");
    }
}
