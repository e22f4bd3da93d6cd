//! Values of all kinds: numbers of all sizes, words, paths, nonsense; and the `setoption` lines
//! with them.

use super::declared_option::{DeclaredOption, Kind};
use super::dice::Dice;

/// Numbers and what looks like numbers.
const NUMBERS: [&str; 30] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "+5",
    "-0",
    "-1",
    "-7",
    "63",
    "255",
    "256",
    "5000",
    "32767",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483649",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775809",
    "18446744073709551616",
    "99999999999999999999999999999999999999",
    "1.5",
    "1e9",
    "0x10",
    "١٢",
    "NaN",
];

/// Words that stand where they shouldn't.
const WORDS: [&str; 22] = [
    "true",
    "false",
    "TRUE",
    "yes",
    "on",
    "<empty>",
    "value",
    "name",
    "name value",
    "startpos",
    "fen",
    "moves",
    "e2e4",
    "infinite",
    "ünïcödé",
    "♞",
    "\u{feff}",
    "a  b",
    "\"",
    "-",
    "\\",
    "%s%n",
];

/// The files in the folder of an engine, good ones and bad ones, and names of what isn't there. All
/// are relative, so that nothing outside the folder is written, whatever option a path ends up in.
pub const PATHS: [&str; 16] = [
    "learned.tables",
    "cut.tables",
    "trap.bin",
    "dog.bin",
    "cut.bin",
    "syzygy",
    "damaged",
    "syzygy:damaged",
    "pipe",
    "zeros",
    "full",
    ".",
    "empty",
    "missing",
    "missing/missing",
    "log.txt",
];

/// A word that can be a number of any size, or none.
pub fn number(dice: &mut Dice) -> String {
    if dice.one_in(60) {
        return "9".repeat(dice.between(100, 3_000));
    }
    dice.pick(&NUMBERS).to_owned()
}

/// A small number as a limit that ends a search soon.
pub fn small_number(dice: &mut Dice, max: usize) -> String {
    dice.between(1, max).to_string()
}

/// Text of any kind.
pub fn word(dice: &mut Dice) -> String {
    match dice.below(12) {
        0 => "x".repeat(dice.between(50, 2_000)),
        1 => String::new(),
        2 | 3 => number(dice),
        4 => dice.pick(&PATHS).to_owned(),
        _ => dice.pick(&WORDS).to_owned(),
    }
}

/// A line that sets one of the options: to a value that it takes, at the limits of its range,
/// beyond them, or to something else.
pub fn set_option(dice: &mut Dice, options: &[DeclaredOption]) -> String {
    if dice.one_in(25) {
        return malformed_set_option(dice);
    }
    let option = &options[dice.below(options.len())];
    let name = match dice.below(8) {
        0 => option.name.to_uppercase(),
        1 => option.name.to_lowercase(),
        _ => option.name.clone(),
    };
    match value(dice, option).map(|value| affordable(option, value)) {
        Some(value) => format!("setoption name {name} value {value}"),
        None => format!("setoption name {name}"),
    }
}

fn malformed_set_option(dice: &mut Dice) -> String {
    let lines = [
        "setoption",
        "setoption name",
        "setoption value",
        "setoption name value",
        "setoption Hash 3",
        "setoption name value 3",
        "setoption name Nope value 1",
        "setoption value 3 name Hash",
        "setoption name Multi PV value 3",
        "setoption name MultiPV value 3 value 4",
    ];
    dice.pick(&lines).to_owned()
}

fn value(dice: &mut Dice, option: &DeclaredOption) -> Option<String> {
    if dice.one_in(20) {
        return None;
    }
    if dice.one_in(5) {
        // A file name is never a random word: the log would be written there.
        return Some(match option.kind {
            Kind::Text => String::new(),
            _ => word(dice),
        });
    }
    Some(match &option.kind {
        Kind::Button => word(dice),
        Kind::Check => dice.pick(&["true", "false", "True", "FALSE"]).to_owned(),
        Kind::Combo(choices) => choices[dice.below(choices.len())].clone(),
        Kind::Text => match dice.below(6) {
            0 => "<empty>".to_owned(),
            1 => String::new(),
            _ => dice.pick(&PATHS).to_owned(),
        },
        Kind::Spin { min, max } => spin(dice, *min, *max),
    })
}

/// A number in the range of an option, at its ends, beyond them, or of any size.
fn spin(dice: &mut Dice, min: i64, max: i64) -> String {
    let value = match dice.below(8) {
        0 => min,
        1 => max,
        2 => min - 1,
        3 => max + 1,
        4 => return number(dice),
        _ => {
            let range = usize::try_from(max - min).expect("the range begins before its end");
            min + dice.between(0, range) as i64
        }
    };
    value.to_string()
}

/// The value, or a smaller one if it would fill the memory of the machine or start a thousand
/// threads: other tests do.
fn affordable(option: &DeclaredOption, value: String) -> String {
    let greatest = match option.name.as_str() {
        "Hash" => 24,
        "Threads" => 6,
        _ => return value,
    };
    let number: Option<i64> = value.trim().parse().ok();
    match number.filter(|_| option.takes(Some(&value)) == Some(true)) {
        Some(number) if number > greatest => (1 + number % greatest).to_string(),
        _ => value,
    }
}
