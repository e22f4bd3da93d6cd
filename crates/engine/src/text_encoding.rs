//! Text whose encoding nobody states: UTF-8 or, where it isn't, Windows-1252, as older programs
//! write it.
//!
//! Windows-1252 is Latin-1 with letters, quotation marks and dashes in place of control characters.
//! Bytes that happen to be UTF-8 are hardly ever Windows-1252: that would take an accented capital
//! letter with a sign behind it. Other single-byte encodings can't be told from it, and are decoded
//! wrongly.

use std::collections::TryReserveError;
use std::io;

/// The byte-order mark of UTF-8, which programs for Windows write before a text.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The text of these bytes: UTF-8 or, if they aren't, Windows-1252.
pub fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| windows_1252(error.as_bytes()).collect())
}

/// As [`decode`], for a text that can be large.
///
/// # Errors
///
/// If there is no memory for the text.
pub fn try_decode(bytes: Vec<u8>) -> Result<String, TryReserveError> {
    String::from_utf8(bytes).or_else(|error| {
        let mut text = String::new();
        // No letter of Windows-1252 takes more in UTF-8.
        text.try_reserve_exact(3 * error.as_bytes().len())?;
        text.extend(windows_1252(error.as_bytes()));
        Ok(text)
    })
}

/// The characters of the bytes from 0x80 to 0x9f; those that stand for none are control characters
/// as in Latin-1.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

fn windows_1252(bytes: &[u8]) -> impl Iterator<Item = char> {
    bytes.iter().map(|byte| match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(*byte),
    })
}

/// The bytes of a text without the byte-order mark at its start.
///
/// # Errors
///
/// If the mark is that of UTF-16, which can't be read.
pub fn without_byte_order_mark(bytes: &[u8]) -> io::Result<&[u8]> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "the text is in UTF-16; save it in UTF-8",
        ));
    }
    Ok(bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf8_are_windows_1252() {
        for (bytes, text) in [
            ("café ♞".as_bytes(), "café ♞"),
            (b"caf\xe9 \xff", "café ÿ"),
            (
                b"\x8aari\xe6 \x93good\x94 \x96 5 \x80",
                "Šariæ “good” – 5 €",
            ),
            (b"\xff\xfe\xfd", "ÿþý"),
        ] {
            assert_eq!(decode(bytes.into()), text);
            assert_eq!(try_decode(bytes.into()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn the_mark_of_utf8_is_left_out_and_that_of_utf16_refused() {
        for (bytes, text) in [
            (b"\xef\xbb\xbfone".as_slice(), b"one".as_slice()),
            (b"one", b"one"),
            (b"\xef\xbb", b"\xef\xbb"),
            (b"", b""),
        ] {
            let rest = without_byte_order_mark(bytes);
            assert_eq!(rest.expect("not UTF-16"), text);
        }
        for bytes in [b"\xff\xfeo\0", b"\xfe\xff\0o"] {
            let error = without_byte_order_mark(bytes).expect_err("UTF-16");
            assert!(error.to_string().contains("UTF-16"), "{error}");
        }
    }
}
