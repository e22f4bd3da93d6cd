//! The options as the engine declares them in its answer to `uci`, so that none is forgotten.

use crate::support::Conversation;

/// An option of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredOption {
    pub name: String,
    pub kind: Kind,
    /// None for a button.
    pub default: Option<String>,
}

/// The type of an option, and the values that it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Button,
    Check,
    Spin { min: i64, max: i64 },
    Combo(Vec<String>),
    Text,
}

impl DeclaredOption {
    /// Reads an `option` line; fails if it has another form.
    pub fn parse(line: &str) -> DeclaredOption {
        let rest = line.strip_prefix("option name ");
        let (name, description) = rest
            .and_then(|rest| rest.split_once(" type "))
            .unwrap_or_else(|| panic!("an option without a name or a type: {line}"));
        let words: Vec<&str> = description.split(' ').collect();
        let values_of = |word: &str| -> Vec<String> {
            let pairs = words.windows(2).filter(|pair| pair[0] == word);
            pairs.map(|pair| pair[1].to_owned()).collect()
        };
        let limit = |word| {
            let value = values_of(word).first().and_then(|value| value.parse().ok());
            value.unwrap_or_else(|| panic!("no {word}: {line}"))
        };
        let kind = match words[0] {
            "button" => Kind::Button,
            "check" => Kind::Check,
            "spin" => Kind::Spin {
                min: limit("min"),
                max: limit("max"),
            },
            "combo" => Kind::Combo(values_of("var")),
            "string" => Kind::Text,
            _ => panic!("a type that UCI doesn't know: {line}"),
        };
        DeclaredOption {
            name: name.to_owned(),
            kind,
            default: values_of("default").pop(),
        }
    }

    /// Whether it takes this value; `None` if that depends on files and memory.
    pub fn takes(&self, value: Option<&str>) -> Option<bool> {
        let value = match (&self.kind, value) {
            (Kind::Button, _) => return Some(true),
            (_, None) => return Some(false),
            (_, Some(value)) => value,
        };
        match &self.kind {
            Kind::Button => Some(true),
            Kind::Check => Some(["true", "false"].contains(&value.to_ascii_lowercase().as_str())),
            Kind::Spin { min, max } => {
                let number: Option<i64> = value.parse().ok();
                Some(number.is_some_and(|number| (*min..=*max).contains(&number)))
            }
            Kind::Combo(choices) => {
                let is_choice = |choice: &String| choice.eq_ignore_ascii_case(value);
                Some(choices.iter().any(is_choice))
            }
            Kind::Text if value.is_empty() || value == "<empty>" => Some(true),
            Kind::Text => None,
        }
    }
}

/// The options that the engine declares.
pub fn declared_options() -> Vec<DeclaredOption> {
    let mut engine = Conversation::start();
    engine.send("uci");
    let lines = engine.lines_until_prefix("uciok");
    let options = lines.iter().filter(|line| line.starts_with("option"));
    options.map(|line| DeclaredOption::parse(line)).collect()
}
