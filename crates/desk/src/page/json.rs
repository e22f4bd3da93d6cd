//! JSON that is safe inside a `<script>` element.
//!
//! HTML knows no escapes inside a script: the text `</script` ends it wherever it stands. So `<`,
//! `>`, `&` and `'`, which occur only inside the texts of JSON, are written as escapes of JSON, and
//! so are two line separators of Unicode. Format: RFC 8259; why `<` is escaped:
//! <https://html.spec.whatwg.org/multipage/scripting.html>, "Restrictions for contents of script
//! elements".

use std::fmt::Write;

use serde_json::Value;

/// The text of a value for a script element.
pub(crate) fn script_safe(value: &Value) -> String {
    let json = value.to_string();
    let mut safe = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' | '>' | '&' | '\'' | '\u{2028}' | '\u{2029}' => {
                let written = write!(safe, "\\u{:04x}", u32::from(character));
                debug_assert!(written.is_ok(), "a string takes everything");
            }
            _ => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_can_neither_end_its_string_nor_its_script() {
        let value = Value::from("\"]}</script><!--\\\n\u{0}\u{2028}&'é\u{1f600}");
        assert_eq!(
            script_safe(&value),
            "\"\\\"]}\\u003c/script\\u003e\\u003c!--\\\\\\n\\u0000\\u2028\\u0026\\u0027é\u{1f600}\""
        );
        let read: Value = serde_json::from_str(&script_safe(&value)).expect("JSON");
        assert_eq!(read, value);
    }
}
