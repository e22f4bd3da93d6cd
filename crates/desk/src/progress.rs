//! The progress bar of subcommands that take long.
//!
//! It is drawn on stderr, so that the output of the subcommand can be redirected. Without a
//! terminal nothing is drawn. A line that is too long for the window loses its end, and does not
//! wrap.

use std::io;

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar on stderr, followed by `label`, an indicatif template, the time that is left, and
/// the message.
pub fn progress_bar(length: u64, label: &str) -> io::Result<ProgressBar> {
    let template = format!("{{bar:12}} {label}, {{eta}} left, {{wide_msg}}");
    let style = ProgressStyle::with_template(&template).map_err(io::Error::other)?;
    // Every terminal has these.
    let style = style.progress_chars("#>-");
    Ok(ProgressBar::new(length).with_style(style))
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::{ProgressDrawTarget, TermLike};
    use std::sync::{Arc, Mutex};

    /// A terminal of 80 columns that keeps what is written.
    #[derive(Clone, Debug, Default)]
    struct Terminal(Arc<Mutex<String>>);

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            80
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, line: &str) -> io::Result<()> {
            self.write_str(line)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().expect("no panic before").push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            self.write_str("\n")
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn no_line_is_longer_than_the_window_and_a_short_message_is_whole() {
        for message in ["loss 0.066812 train", &"long words ".repeat(20)] {
            let terminal = Terminal::default();
            let bar = progress_bar(40, "epoch {pos}/{len}").expect("a template");
            bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(terminal.clone())));
            bar.set_message(message.to_owned());
            bar.set_position(12);
            bar.tick();
            let drawn = terminal.0.lock().expect("no panic before").clone();
            let last = drawn
                .lines()
                .rfind(|line| !line.is_empty())
                .expect("a line");
            assert!(last.contains("epoch 12/40, "), "{drawn:?}");
            assert!(last.chars().count() <= 80, "{drawn:?}");
            assert_eq!(last.contains(message), message.len() < 40, "{drawn:?}");
        }
    }
}
