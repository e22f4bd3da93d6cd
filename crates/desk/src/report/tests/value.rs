//! Reads the JSON that the report writes: objects, arrays, whole numbers and texts.

use std::iter::Peekable;
use std::ops::Index;
use std::str::Chars;

/// A value of JSON.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Number(i64),
    Text(String),
    Array(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Reads a whole text. Panics if it is not JSON.
    pub(super) fn read(text: &str) -> Value {
        let mut rest = text.chars().peekable();
        let value = read_value(&mut rest);
        assert_eq!(rest.next(), None, "something follows the value");
        value
    }

    /// The value of a key, if it is there.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Object(entries) => entries
                .iter()
                .find(|(other, _)| other == key)
                .map(|(_, value)| value),
            _ => panic!("{self:?} is no object"),
        }
    }

    pub(super) fn number(&self) -> i64 {
        match self {
            Value::Number(number) => *number,
            _ => panic!("{self:?} is no number"),
        }
    }

    pub(super) fn text(&self) -> &str {
        match self {
            Value::Text(text) => text,
            _ => panic!("{self:?} is no text"),
        }
    }

    pub(super) fn array(&self) -> &[Value] {
        match self {
            Value::Array(values) => values,
            _ => panic!("{self:?} is no array"),
        }
    }

    /// The numbers of an array.
    pub(super) fn numbers(&self) -> Vec<i64> {
        self.array().iter().map(Value::number).collect()
    }
}

impl Index<&str> for Value {
    type Output = Value;

    fn index(&self, key: &str) -> &Value {
        self.get(key)
            .unwrap_or_else(|| panic!("no {key} in {self:?}"))
    }
}

impl Index<usize> for Value {
    type Output = Value;

    fn index(&self, index: usize) -> &Value {
        &self.array()[index]
    }
}

fn read_value(rest: &mut Peekable<Chars>) -> Value {
    match rest.peek() {
        Some('{') => Value::Object(read_list(rest, '}', |rest| {
            let key = read_text(rest);
            assert_eq!(rest.next(), Some(':'));
            (key, read_value(rest))
        })),
        Some('[') => Value::Array(read_list(rest, ']', read_value)),
        Some('"') => Value::Text(read_text(rest)),
        _ => {
            let mut digits = String::new();
            while let Some(digit) = rest.next_if(|next| *next == '-' || next.is_ascii_digit()) {
                digits.push(digit);
            }
            Value::Number(
                digits
                    .parse()
                    .unwrap_or_else(|_| panic!("no value: {digits:?}")),
            )
        }
    }
}

/// The items between two brackets, separated by commas.
fn read_list<T>(
    rest: &mut Peekable<Chars>,
    end: char,
    item: impl Fn(&mut Peekable<Chars>) -> T,
) -> Vec<T> {
    let mut items = Vec::new();
    rest.next();
    if rest.next_if_eq(&end).is_some() {
        return items;
    }
    loop {
        items.push(item(rest));
        match rest.next() {
            Some(',') => (),
            next => {
                assert_eq!(next, Some(end), "no comma and no end");
                return items;
            }
        }
    }
}

fn read_text(rest: &mut Peekable<Chars>) -> String {
    assert_eq!(rest.next(), Some('"'));
    let mut text = String::new();
    loop {
        match rest.next().expect("the text ends") {
            '"' => return text,
            '\\' => match rest.next() {
                Some('u') => {
                    let digits: String = rest.take(4).collect();
                    let code = u32::from_str_radix(&digits, 16).expect("four digits");
                    text.push(char::from_u32(code).expect("a character"));
                }
                escaped => text.push(escaped.expect("an escaped character")),
            },
            next => text.push(next),
        }
    }
}
