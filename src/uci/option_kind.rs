//! The types of UCI options: what an `option` line says of them, and how their values are read.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use super::setup_error::OptionError;
use squarewise_engine::evaluation::TableSet;
#[cfg(feature = "tuning")]
use squarewise_engine::search::parameters::Parameter;

/// The text that stands for an empty string, on input and on output.
const EMPTY: &str = "<empty>";

/// The field of the options `O` that holds a value of type `T`.
type Field<O, T> = fn(&mut O) -> &mut T;

/// The type of an option, the values that it takes, and the field that holds its value.
pub(super) enum Kind<O> {
    /// A whole number in a range.
    Spin(RangeInclusive<i64>, Field<O, usize>),
    /// A time in milliseconds in a range.
    Milliseconds(RangeInclusive<i64>, Field<O, Duration>),
    /// Yes or no.
    Check(Field<O, bool>),
    /// No value: an action.
    Button,
    /// A set of tables by its name.
    TableSets(Field<O, TableSet>),
    /// A file by its path, or none.
    File(Field<O, Option<PathBuf>>),
    /// A parameter of the search, which holds its value itself.
    #[cfg(feature = "tuning")]
    Parameter(&'static Parameter),
}

impl<O: Default> Kind<O> {
    /// The type with its default and its range, as an `option` line has them.
    pub(super) fn description(&self) -> String {
        let mut defaults = O::default();
        match self {
            Kind::Spin(range, field) => describe_spin(*field(&mut defaults), range),
            Kind::Milliseconds(range, field) => {
                describe_spin(field(&mut defaults).as_millis(), range)
            }
            Kind::Check(field) => format!("check default {}", field(&mut defaults)),
            Kind::Button => "button".to_owned(),
            Kind::TableSets(field) => {
                let default = field(&mut defaults).name();
                let choices = TableSet::ALL.map(|set| format!(" var {}", set.name()));
                format!("combo default {default}{}", choices.concat())
            }
            Kind::File(field) => {
                let default = field(&mut defaults).as_ref();
                let path = default.map_or(EMPTY.to_owned(), |path| path.display().to_string());
                format!("string default {path}")
            }
            #[cfg(feature = "tuning")]
            Kind::Parameter(parameter) => describe_spin(parameter.default, &range_of(parameter)),
        }
    }

    /// Parses a value of the option `name` and stores it. An error stores nothing.
    ///
    /// # Errors
    ///
    /// [`OptionError`] for a missing value, and for one that the option doesn't take.
    pub(super) fn set(
        &self,
        name: &'static str,
        options: &mut O,
        value: Option<&str>,
    ) -> Result<(), OptionError> {
        if let Kind::Button = self {
            return Ok(());
        }
        let value = value.ok_or(OptionError::MissingValue(name))?;
        let bad_value = |takes: String| OptionError::BadValue {
            name,
            value: value.to_owned(),
            takes,
        };
        let parse_spin = |range: &RangeInclusive<i64>| {
            let number = value.parse().ok();
            number
                .filter(|number| range.contains(number))
                .ok_or_else(|| {
                    let (min, max) = (range.start(), range.end());
                    bad_value(format!("whole numbers from {min} to {max}"))
                })
        };
        match self {
            Kind::Spin(range, field) => *field(options) = parse_spin(range)? as usize,
            Kind::Milliseconds(range, field) => {
                *field(options) = Duration::from_millis(parse_spin(range)?.unsigned_abs());
            }
            Kind::Check(field) => {
                let is_on = value.to_ascii_lowercase().parse();
                *field(options) = is_on.map_err(|_| bad_value("true or false".to_owned()))?;
            }
            Kind::Button => {}
            Kind::TableSets(field) => {
                let takes = || TableSet::ALL.map(TableSet::name).join(" or ");
                *field(options) = TableSet::named(value).ok_or_else(|| bad_value(takes()))?;
            }
            Kind::File(field) => {
                let is_empty = value.is_empty() || value == EMPTY;
                *field(options) = (!is_empty).then(|| PathBuf::from(value));
            }
            #[cfg(feature = "tuning")]
            Kind::Parameter(parameter) => parameter.set(parse_spin(&range_of(parameter))? as i32),
        }
        Ok(())
    }
}

fn describe_spin(default: impl Display, range: &RangeInclusive<i64>) -> String {
    let (min, max) = (range.start(), range.end());
    format!("spin default {default} min {min} max {max}")
}

#[cfg(feature = "tuning")]
fn range_of(parameter: &Parameter) -> RangeInclusive<i64> {
    i64::from(parameter.min)..=i64::from(parameter.max)
}
