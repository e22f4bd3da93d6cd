//! Writes JSON that is safe inside a `<script>` element.
//!
//! HTML knows no escapes inside a script: the text `</script` ends it wherever it stands. So `<`, `>` and `&` are
//! written as escapes of JSON, and so is everything outside printable ASCII that could be taken for something else.
//! Format: RFC 8259; why `<` is escaped: <https://html.spec.whatwg.org/multipage/scripting.html>, "Restrictions for
//! contents of script elements".

use std::fmt::{Display, Write};

/// JSON in the making. Commas are set where they are needed.
#[derive(Debug, Default)]
pub(super) struct Json(String);

impl Json {
    /// The finished text.
    pub(super) fn into_string(self) -> String {
        self.0
    }

    /// An object; `fill` writes its keys and values.
    pub(super) fn object(&mut self, fill: impl FnOnce(&mut Json)) {
        self.separate();
        self.0.push('{');
        fill(self);
        self.0.push('}');
    }

    /// An array; `fill` writes its values.
    pub(super) fn array(&mut self, fill: impl FnOnce(&mut Json)) {
        self.separate();
        self.0.push('[');
        fill(self);
        self.0.push(']');
    }

    /// The key of the value that follows.
    pub(super) fn key(&mut self, key: &str) -> &mut Json {
        self.text(key);
        self.0.push(':');
        self
    }

    /// A whole number.
    pub(super) fn number(&mut self, number: impl Into<i64>) {
        self.separate();
        self.display(number.into());
    }

    /// A text.
    pub(super) fn text(&mut self, text: &str) {
        self.separate();
        self.0.push('"');
        for character in text.chars() {
            match character {
                '"' => self.0.push_str("\\\""),
                '\\' => self.0.push_str("\\\\"),
                '<' | '>' | '&' | '\'' => self.escape(character),
                '\u{2028}' | '\u{2029}' => self.escape(character),
                _ if character.is_control() => self.escape(character),
                _ => self.0.push(character),
            }
        }
        self.0.push('"');
    }

    /// A character of the basic multilingual plane by its number.
    fn escape(&mut self, character: char) {
        self.display(format_args!("\\u{:04x}", u32::from(character)));
    }

    fn display(&mut self, value: impl Display) {
        let written = write!(self.0, "{value}");
        debug_assert!(written.is_ok(), "a string takes everything");
    }

    /// A comma, unless the value is the first of its object or array or follows its key.
    fn separate(&mut self) {
        if !matches!(self.0.as_bytes().last(), None | Some(b'[' | b'{' | b':')) {
            self.0.push(',');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_separated_and_nested() {
        let mut json = Json::default();
        json.object(|json| {
            json.key("a").number(-1);
            json.key("b").array(|json| {
                json.number(2);
                json.text(":");
                json.text("[");
                json.array(|_| ());
            });
            json.key("c").text("");
        });
        assert_eq!(json.into_string(), r#"{"a":-1,"b":[2,":","[",[]],"c":""}"#);
    }

    #[test]
    fn a_text_can_neither_end_its_string_nor_its_script() {
        let mut json = Json::default();
        json.text("\"]}</script><!--\\\n\u{0}\u{2028}&'\u{9f}é\u{1f600}");
        assert_eq!(
            json.into_string(),
            "\"\\\"]}\\u003c/script\\u003e\\u003c!--\\\\\\u000a\\u0000\\u2028\\u0026\\u0027\\u009fé\u{1f600}\""
        );
    }
}
