//! What a person sees in a terminal: when colors are used, and the pictures made of text.
//!
//! A [`Style`] says what the output can show. Boards, bars and heat maps are drawn for it, from
//! truecolor squares with Unicode pieces down to plain ASCII. Nothing here prints: every function
//! returns text, and the subcommands write it.

mod bar;
pub mod board;
mod heat_map;
mod ink;
mod text;

pub use bar::{bar, vertical_bar};
pub use console::measure_text_width as visible_width;
pub use heat_map::heat_maps;
pub use ink::Rgb;
pub use text::{counted, fitted, printable, push_word, wrapped};

/// The columns and rows of the terminal on standard output; `None` if there is none or it does not
/// tell them.
pub fn screen_size() -> Option<(usize, usize)> {
    let (rows, columns) = console::Term::stdout().size_checked()?;
    (rows > 0 && columns > 0).then_some((columns.into(), rows.into()))
}

/// When to use colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorChoice {
    /// If the output is a terminal and the environment variable `NO_COLOR` is not set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    /// Every choice, in the order in which they are offered.
    pub const ALL: [ColorChoice; 3] = [ColorChoice::Auto, ColorChoice::Always, ColorChoice::Never];

    /// The name by which users choose it.
    pub const fn name(self) -> &'static str {
        match self {
            ColorChoice::Auto => "auto",
            ColorChoice::Always => "always",
            ColorChoice::Never => "never",
        }
    }

    /// The choice of this name.
    pub fn named(name: &str) -> Option<ColorChoice> {
        let mut all = ColorChoice::ALL.into_iter();
        all.find(|choice| choice.name() == name)
    }
}

/// What the output can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether ANSI escape sequences with colors are understood.
    pub has_colors: bool,
    /// Whether chess pieces and blocks of Unicode are shown; otherwise plain ASCII.
    pub has_unicode: bool,
    /// Whether colors may be any of 16 million, instead of the 256 that every color terminal has.
    pub has_true_color: bool,
}

impl Style {
    /// Plain ASCII without colors.
    pub const PLAIN: Style = Style {
        has_colors: false,
        has_unicode: false,
        has_true_color: false,
    };

    /// The style of an output. `variable` looks up an environment variable.
    ///
    /// Without a choice by the user there are colors in a terminal, unless `NO_COLOR` is set
    /// (<https://no-color.org>), or `TERM` is `dumb` or, except on Windows, not set. Unicode comes
    /// with colors, unless the locale (`LC_ALL`, `LC_CTYPE`, `LANG`) has another encoding or the
    /// terminal is the Linux console, whose font has no chess pieces. `COLORTERM` tells whether the
    /// terminal knows 24-bit colors.
    pub fn new(
        choice: ColorChoice,
        is_terminal: bool,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Style {
        let variable = |name| variable(name).filter(|value| !value.is_empty());
        let terminal = variable("TERM");
        let is_dumb = match terminal.as_deref() {
            Some(name) => name == "dumb",
            None => !cfg!(windows),
        };
        let has_colors = match choice {
            ColorChoice::Auto => is_terminal && !is_dumb && variable("NO_COLOR").is_none(),
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        };
        let mut locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter();
        let locale = locale.find_map(variable).map(|name| name.to_lowercase());
        let is_utf8 = locale.is_none_or(|name| name.contains("utf-8") || name.contains("utf8"));
        let is_console = terminal.as_deref() == Some("linux");
        let depth = variable("COLORTERM").unwrap_or_default();
        Style {
            has_colors,
            has_unicode: has_colors && is_utf8 && !is_console,
            has_true_color: has_colors && (depth.contains("truecolor") || depth.contains("24bit")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(choice: ColorChoice, is_terminal: bool, variables: &[(&str, &str)]) -> Style {
        Style::new(choice, is_terminal, |name| {
            let mut variables = variables.iter();
            let found = variables.find(|(other, _)| *other == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn every_choice_has_a_name() {
        for choice in ColorChoice::ALL {
            assert_eq!(ColorChoice::named(choice.name()), Some(choice));
        }
        assert_eq!(ColorChoice::named("sometimes"), None);
    }

    #[test]
    fn a_terminal_has_colors_unless_it_is_dumb_or_no_color_is_set() {
        let auto = |is_terminal, variables: &[_]| style(ColorChoice::Auto, is_terminal, variables);
        let xterm = ("TERM", "xterm-256color");
        assert!(auto(true, &[xterm]).has_colors);
        assert!(auto(true, &[xterm, ("NO_COLOR", "")]).has_colors);
        assert_eq!(auto(true, &[xterm, ("NO_COLOR", "1")]), Style::PLAIN);
        assert_eq!(auto(true, &[("TERM", "dumb")]), Style::PLAIN);
        assert_eq!(auto(false, &[xterm]), Style::PLAIN);
    }

    #[test]
    fn the_user_has_the_last_word() {
        let variables = [("TERM", "dumb"), ("NO_COLOR", "1")];
        assert!(style(ColorChoice::Always, false, &variables).has_colors);
        let variables = [("TERM", "xterm"), ("COLORTERM", "truecolor")];
        assert_eq!(style(ColorChoice::Never, true, &variables), Style::PLAIN);
    }

    #[test]
    fn unicode_depends_on_the_locale_and_true_colors_on_the_terminal() {
        let always = |variables: &[_]| style(ColorChoice::Always, true, variables);
        assert!(always(&[]).has_unicode);
        assert!(always(&[("LANG", "de_DE.UTF-8")]).has_unicode);
        assert!(always(&[("LANG", "C"), ("LC_ALL", "C.utf8")]).has_unicode);
        assert!(!always(&[("LANG", "en_US.UTF-8"), ("LC_ALL", "POSIX")]).has_unicode);
        assert!(!always(&[("TERM", "linux")]).has_unicode);
        assert!(!always(&[("COLORTERM", "yes")]).has_true_color);
        assert!(always(&[("COLORTERM", "truecolor")]).has_true_color);
        assert!(always(&[("COLORTERM", "24bit")]).has_true_color);
    }
}
