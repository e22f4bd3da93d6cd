//! The argument `--color`, which every subcommand has, and what it means for an output.
//!
//! The style of an output is decided here once, from the argument, the environment and the kind of
//! the output. Messages about mistakes in the arguments obey it too, so it is looked up before the
//! arguments are parsed.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{Error, ErrorKind};
use clap::{Arg, Command};

use squarewise_desk::terminal::{ColorChoice, Style};

/// What standard output can show.
pub fn stdout_style(choice: ColorChoice) -> Style {
    style(choice, io::stdout().is_terminal())
}

/// What standard error can show.
pub fn stderr_style(choice: ColorChoice) -> Style {
    style(choice, io::stderr().is_terminal())
}

fn style(choice: ColorChoice, is_terminal: bool) -> Style {
    let is_terminal = understands_escapes() && is_terminal;
    Style::new(choice, is_terminal, |name| std::env::var(name).ok())
}

/// Whether a terminal understands escape sequences. The console of Windows has to be asked to,
/// which happens here; those before Windows 10 can't.
pub(super) fn understands_escapes() -> bool {
    // Only on Windows is there an answer. Terminals of Unix that run there are no consoles, and set
    // TERM.
    let is_enabled = anstyle_query::windows::enable_ansi_colors();
    is_enabled.unwrap_or(true) || std::env::var_os("TERM").is_some()
}

/// Reads when to use colors. Who names the color of a side means something else.
#[derive(Clone, Debug)]
pub(super) struct ColorChoiceParser;

impl TypedValueParser for ColorChoiceParser {
    type Value = ColorChoice;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<ColorChoice, Error> {
        if let Some(side @ ("white" | "black")) = value.to_str() {
            let meant = format!(
                "--color sets the colors of the text; to play {side}, use: squarewise play --as {side}\n"
            );
            return Err(Error::raw(ErrorKind::InvalidValue, meant).with_cmd(command));
        }
        let names = PossibleValuesParser::new(ColorChoice::ALL.map(ColorChoice::name));
        let name = names.parse_ref(command, argument, value)?;
        Ok(ColorChoice::named(&name).unwrap_or_default())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = ColorChoice::ALL.into_iter().map(ColorChoice::name);
        Some(Box::new(names.map(PossibleValue::new)))
    }
}

/// What clap's own messages look like: as the last `--color` of the command line says, which need
/// not be free of mistakes otherwise.
pub(super) fn color_of_messages(arguments: impl Iterator<Item = OsString>) -> clap::ColorChoice {
    let mut choice = ColorChoice::Auto;
    let mut is_value = false;
    for argument in arguments {
        let Some(text) = argument.to_str() else {
            is_value = false;
            continue;
        };
        let value = if is_value {
            Some(text)
        } else {
            text.strip_prefix("--color=")
        };
        choice = value.and_then(ColorChoice::named).unwrap_or(choice);
        is_value = text == "--color";
    }
    match choice {
        ColorChoice::Auto => clap::ColorChoice::Auto,
        ColorChoice::Always => clap::ColorChoice::Always,
        ColorChoice::Never => clap::ColorChoice::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_messages(arguments: &[&str]) -> clap::ColorChoice {
        color_of_messages(arguments.iter().map(OsString::from))
    }

    #[test]
    fn the_color_of_messages_is_found_in_both_forms() {
        assert_eq!(of_messages(&["bench"]), clap::ColorChoice::Auto);
        let never = of_messages(&["--color", "never", "bench", "--depth", "x"]);
        assert_eq!(never, clap::ColorChoice::Never);
        assert_eq!(
            of_messages(&["bench", "--color=always"]),
            clap::ColorChoice::Always
        );
        let last = of_messages(&["--color", "always", "--color=never"]);
        assert_eq!(last, clap::ColorChoice::Never);
    }

    #[test]
    fn a_wrong_color_is_left_to_the_parser() {
        assert_eq!(of_messages(&["--color", "pink"]), clap::ColorChoice::Auto);
        assert_eq!(of_messages(&["--color"]), clap::ColorChoice::Auto);
    }
}
