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

/// What compressed files begin with, the name of the form, and a command that unpacks it.
const COMPRESSED: [(&[u8], &str, &str); 10] = [
    (b"\x1f\x8b", "gzip", "gunzip"),
    (b"\x28\xb5\x2f\xfd", "Zstandard", "unzstd"),
    (b"\xfd7zXZ\0", "xz", "unxz"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip", "7z x"),
    (b"PK\x03\x04", "zip", "unzip"),
    (b"PK\x05\x06", "zip", "unzip"),
    (b"Rar!\x1a\x07", "RAR", "unrar x"),
    (b"\x04\x22\x4d\x18", "LZ4", "unlz4"),
    (b"\x1f\x9d", "compress", "uncompress"),
    // With the mark of a block, so that no text is taken for it.
    (b"1AY&SY", "bzip2", "bunzip2"),
];

/// The error of a file that is compressed: by what, and what unpacks it.
fn refuse_compressed(bytes: &[u8]) -> io::Result<()> {
    let bytes = match bytes {
        [b'B', b'Z', b'h', b'1'..=b'9', block @ ..] => block,
        bytes => bytes,
    };
    let found = COMPRESSED
        .iter()
        .find(|(magic, ..)| bytes.starts_with(magic));
    found.map_or(Ok(()), |(_, form, command)| {
        let reason = format!("this is compressed by {form}; unpack it first ({command})");
        Err(io::Error::new(io::ErrorKind::InvalidData, reason))
    })
}

/// The bytes of a text without the byte-order mark at its start.
///
/// # Errors
///
/// If the mark is that of UTF-16, which can't be read, or if the bytes are compressed.
pub fn without_byte_order_mark(bytes: &[u8]) -> io::Result<&[u8]> {
    refuse_compressed(bytes)?;
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
    fn compressed_files_are_named_with_what_unpacks_them() {
        for (bytes, form) in [
            (b"\x1f\x8b\x08\x00\x01".as_slice(), "gzip"),
            (b"\x28\xb5\x2f\xfd\x04", "Zstandard"),
            (b"\xfd7zXZ\0\0", "xz"),
            (b"7z\xbc\xaf\x27\x1c\0", "7-Zip"),
            (b"PK\x03\x04\x14", "zip"),
            (b"Rar!\x1a\x07\x01", "RAR"),
            (b"BZh91AY&SY", "bzip2"),
        ] {
            let error = without_byte_order_mark(bytes).expect_err(form).to_string();
            assert!(
                error.contains(&format!("by {form}; unpack it first (")),
                "{error}"
            );
        }
        for text in ["PK, a game", "BZh9 is a bishop", "7z", "Rar!", "1. e4 e5"] {
            assert!(without_byte_order_mark(text.as_bytes()).is_ok(), "{text}");
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
