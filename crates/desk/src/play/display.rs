//! Where the picture goes: in a terminal it stays at the top and is drawn over; elsewhere
//! everything is written one after the other, so that a script or a log can read it.
//!
//! In a terminal the lines below the picture scroll by themselves (a scroll region, DECSTBM), so
//! that the editor of the line never pushes the board away and the clocks can tick where they
//! stand.

use std::io::{self, Write};

use super::scene::Scene;
use super::screen::MIN_SIZE;
use crate::terminal::{Style, visible_width, wrapped};

/// The size of a screen that does not tell it, in columns and rows.
const DEFAULT_SIZE: (usize, usize) = (80, 24);

/// The lines below the picture that stay free for the prompt and what Tab shows, and the empty
/// lines above the message; in a low window it is only the prompt.
const FREE_LINES: [(usize, usize); 2] = [(3, 1), (1, 0)];

/// A message of more lines is shown alone if it does not fit below the board. A shorter one is cut.
const MAX_CUT_LINES: usize = 3;

/// Clears from the cursor to the end of the line, and to the end of the screen.
const CLEAR_LINE: &str = "\u{1b}[K";
const CLEAR_BELOW: &str = "\u{1b}[J";

/// Asks a terminal for its size in columns and rows.
pub type ScreenSize = fn() -> Option<(usize, usize)>;

/// The output of a game.
pub struct Display<W: Write> {
    out: W,
    style: Style,
    /// Asks for the size of the screen, on which the picture is drawn over.
    screen_size: Option<ScreenSize>,
    /// The size of the screen on which was drawn last.
    drawn_size: Option<(usize, usize)>,
    /// The picture that is on the screen, and can change there line by line.
    shown: Vec<String>,
}

impl<W: Write> Display<W> {
    /// An output in this style. One that can tell the size of its screen, in columns and rows, is
    /// live: it draws over its picture.
    pub fn new(out: W, style: Style, screen_size: Option<ScreenSize>) -> Display<W> {
        Display {
            out,
            style,
            screen_size,
            drawn_size: None,
            shown: Vec::new(),
        }
    }

    /// Whether the picture is drawn over.
    pub fn is_live(&self) -> bool {
        self.screen_size.is_some()
    }

    /// The style.
    pub fn style(&self) -> Style {
        self.style
    }

    /// The size of the screen in columns and rows.
    fn size(&self) -> (usize, usize) {
        let size = self.screen_size.and_then(|size| size());
        size.unwrap_or(DEFAULT_SIZE)
    }

    /// The columns of the screen.
    pub fn columns(&self) -> usize {
        self.size().0
    }

    /// The lines of a text that fit on the screen above the prompt; all of them where nothing is
    /// drawn over.
    pub fn page_length(&self) -> usize {
        let [(free, _), _] = FREE_LINES;
        if self.is_live() {
            self.size().1.saturating_sub(free).max(1)
        } else {
            usize::MAX
        }
    }

    /// The game with a message below it, as it is to be written. A long message that does not fit
    /// below is shown alone.
    pub fn frame(&mut self, scene: &Scene, message: &[String]) -> String {
        let (columns, rows) = self.size();
        if !self.is_live() {
            let picture = scene.pictures(self.style, columns).swap_remove(0);
            return format!("\n{}\n{}", picture.join("\n"), lines(message));
        }
        let mut text = String::new();
        if self.drawn_size.is_none() {
            // What stood on the screen moves up, out of it.
            text.push_str(&"\n".repeat(rows));
        }
        self.drawn_size = Some((columns, rows));
        let (picture, gap, message) = self.arranged(scene, message);
        text.push_str("\u{1b}[r\u{1b}[H");
        for line in &picture {
            text.push_str(&format!("{line}{CLEAR_LINE}\n"));
        }
        text.push_str(CLEAR_BELOW);
        if !picture.is_empty() {
            // The line feed leads from the line above the region into it: an editor that shows this
            // adds none.
            let above = picture.len() + gap;
            text.push_str(&format!("\u{1b}[{};{rows}r\u{1b}[{above};1H\n", above + 1));
        }
        text.push_str(&lines(&message));
        self.shown = picture;
        text
    }

    /// The largest picture that fits above a message, the empty lines between them, and the
    /// message. Where none fits, that is said.
    fn arranged(&self, scene: &Scene, message: &[String]) -> (Vec<String>, usize, Vec<String>) {
        let (columns, rows) = self.size();
        // A long line takes several on the screen.
        let height = |line: &String| visible_width(line).div_ceil(columns).max(1);
        let pictures = scene.pictures(self.style, columns);
        let fitting = |height: usize| {
            pictures.iter().find_map(|picture| {
                let fits =
                    |(free, gap): &(usize, usize)| picture.len() + gap + height + free <= rows;
                let (_, gap) = FREE_LINES.into_iter().find(fits)?;
                Some((picture.clone(), gap))
            })
        };
        let all: usize = message.iter().map(height).sum();
        let least = if all > MAX_CUT_LINES { all } else { all.min(1) };
        for height in (least..=all).rev() {
            if let Some((picture, gap)) = fitting(height) {
                let mut lines: Vec<String> = message.to_vec();
                if height < all {
                    // The end says most: the move that was played.
                    let rows = lines.iter().flat_map(|line| wrapped(line, columns - 1));
                    lines = rows.collect();
                    lines.drain(..lines.len().saturating_sub(height));
                }
                return (picture, gap, lines);
            }
        }
        let mut message = message.to_vec();
        if fitting(1).is_none() {
            let (columns, rows) = MIN_SIZE;
            message.insert(
                0,
                format!("The board needs {columns} columns, {rows} lines."),
            );
        }
        (Vec::new(), 0, message)
    }

    /// Brings the picture that is on the screen up to date: the clocks tick, the evaluation
    /// changes. The cursor stays where it is. Returns whether all has to be drawn anew, since the
    /// window has another size.
    pub fn tick(&mut self, scene: &Scene) -> io::Result<bool> {
        let Some(drawn_size) = self.drawn_size else {
            return Ok(false);
        };
        let size = self.size();
        if size != drawn_size {
            return Ok(true);
        }
        let pictures = scene.pictures(self.style, size.0);
        let same = |picture: &Vec<String>| picture.len() == self.shown.len();
        let Some(picture) = pictures.into_iter().find(same) else {
            return Ok(false);
        };
        let mut changed = String::new();
        for (index, (line, shown)) in picture.iter().zip(&self.shown).enumerate() {
            if line != shown {
                changed.push_str(&format!("\u{1b}[{};1H{line}{CLEAR_LINE}", index + 1));
            }
        }
        self.shown = picture;
        if !changed.is_empty() {
            // In one piece, so that nothing that the editor writes comes between.
            self.write(&format!("\u{1b}7{changed}\u{1b}8"))?;
        }
        Ok(false)
    }

    /// Writes a text.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    /// Writes lines one after the other.
    pub fn lines(&mut self, text: &[String]) -> io::Result<()> {
        self.write(&lines(text))
    }

    /// Leaves the screen as other programs expect it, with the last picture on it.
    pub fn leave(&mut self) -> io::Result<()> {
        if self.drawn_size.take().is_some() {
            // The end of the scroll region moves the cursor; it is put back.
            self.write("\u{1b}7\u{1b}[r\u{1b}8")?;
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

fn lines(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
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
    use crate::play::ending::Ending;
    use crate::play::scene::tests::scene;
    use std::time::{Duration, Instant};

    fn show<W: Write>(display: &mut Display<W>, scene: &Scene, message: &[String]) {
        let frame = display.frame(scene, message);
        display.write(&frame).expect("memory to write to");
    }

    /// What is written by a display of this kind.
    fn written(is_live: bool, write: impl Fn(&mut Display<&mut Vec<u8>>)) -> String {
        let mut bytes = Vec::new();
        let mut display = Display::new(&mut bytes, Style::PLAIN, None);
        display.screen_size = is_live.then_some(|| Some(DEFAULT_SIZE));
        write(&mut display);
        drop(display);
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn without_a_terminal_there_are_lines_and_nothing_else() {
        let text = written(false, |display| {
            show(display, &scene(""), &["Your turn.".to_owned()]);
            display.tick(&scene("")).expect("memory to write to");
        });
        assert!(!text.contains('\u{1b}'), "{text}");
        assert!(text.ends_with("Your turn.\n"), "{text}");
    }

    #[test]
    fn in_a_terminal_the_lines_below_the_board_scroll_and_the_end_undoes_that() {
        let text = written(true, |display| {
            show(display, &scene(""), &[]);
        });
        assert!(text.contains("\u{1b}[11;24r"), "{text:?}");
        assert!(text.ends_with("\u{1b}[r\u{1b}8"), "{text:?}");
    }

    #[test]
    fn the_clocks_tick_only_when_they_have_changed() {
        // The clock stands still at this second of the game.
        let at_second = |second: u64| {
            let (mut scene, start) = (scene(""), Instant::now());
            scene.arbiter.start_clock(start);
            let now = start + Duration::from_secs(second);
            scene.arbiter.end(Ending::Interrupted, now);
            scene
        };
        let ticks = |seconds: &[u64]| {
            let text = written(true, |display| {
                show(display, &at_second(0), &[]);
                for second in seconds {
                    let ticked = display.tick(&at_second(*second));
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
        let text = written(true, |display| {
            let message = vec!["long".to_owned(); 30];
            show(display, &scene(""), &message);
        });
        assert_eq!(text.matches("long").count(), 30);
        assert!(!text.contains("Anna"), "{text:?}");
    }

    /// What is on a screen of this size when the game has begun.
    fn in_a_window(size: ScreenSize) -> String {
        written(true, |display| {
            display.screen_size = Some(size);
            let message = ["Anna is thinking.", "Your turn."].map(str::to_owned);
            show(display, &scene(""), &message);
        })
    }

    #[test]
    fn in_a_small_window_the_board_is_shown_alone_and_in_a_smaller_one_that_is_said() {
        for (size, parts) in [
            ((|| Some((30, 24))) as fn() -> _, ["Anna (White)", "  a  b"]),
            (|| Some((30, 14)), ["Anna (White)", "  a  b"]),
            (|| Some((30, 12)), ["1  R  N  B  Q", "  a  b"]),
            (|| Some((30, 10)), ["1  R  N  B  Q", "8  r  n"]),
            (|| Some((80, 11)), ["Anna (White)", "8  r  n"]),
        ] {
            let text = in_a_window(size);
            for part in parts.into_iter().chain(["Your turn."]) {
                assert!(text.contains(part), "{part} in\n{text}");
            }
        }
        for size in [(|| Some((30, 9))) as fn() -> _, || Some((28, 24))] {
            let text = in_a_window(size);
            assert!(
                text.contains(
                    "The board needs 29 columns, 10 lines.\nAnna is thinking.\nYour turn."
                ),
                "{text}"
            );
        }
    }

    #[test]
    fn a_window_of_another_size_is_drawn_anew() {
        written(true, |display| {
            let scene = scene("");
            show(display, &scene, &[]);
            assert!(!display.tick(&scene).expect("memory to write to"));
            display.screen_size = Some(|| Some((60, 20)));
            assert!(display.tick(&scene).expect("memory to write to"));
            show(display, &scene, &[]);
            assert!(!display.tick(&scene).expect("memory to write to"));
        });
    }

    #[test]
    fn a_line_of_the_game_has_columns() {
        let line = move_line("12...", "Nf3+", "+0.31/14", "4:58");
        assert_eq!(line, "12... Nf3+       +0.31/14      4:58");
        assert_eq!(move_line("1.", "e4", "", ""), "1. e4");
    }
}
