//! Text whose encoding nobody states: UTF-8 or, where it isn't, Windows-1252, as older programs
//! write it; a whole file also UTF-16, if a byte-order mark says so.
//!
//! Windows-1252 is Latin-1 with letters, quotation marks and dashes in place of control characters.
//! Bytes that happen to be UTF-8 are hardly ever Windows-1252: that would take an accented capital
//! letter with a sign behind it. Other single-byte encodings can't be told from it, and are decoded
//! wrongly.

use std::io;
use std::path::Path;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use squarewise_engine::bounded_file;

/// The byte-order mark of UTF-8, which programs for Windows write before a text.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Ctrl-Z, which ends a text in DOS. Some programs fill the last block of a file with it.
const END_OF_TEXT: char = '\x1a';

/// Reads a regular file of 1 to `max_bytes` bytes as text, in the encoding of its byte-order mark
/// or, without one, in UTF-8 or Windows-1252. The mark and the Ctrl-Z with which DOS ends texts are
/// left out.
///
/// # Errors
///
/// Those of [`bounded_file::read`], and if the file is compressed or a document of a word processor,
/// or there is no memory for the text.
pub fn read_to_string(path: &Path, max_bytes: u64) -> io::Result<String> {
    let mut text = decode_file(bounded_file::read(path, max_bytes)?)?;
    text.truncate(text.trim_end_matches(END_OF_TEXT).len());
    Ok(text)
}

/// The text of these bytes: UTF-8 or, if they aren't, Windows-1252.
pub fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let (text, _) = WINDOWS_1252.decode_without_bom_handling(error.as_bytes());
        text.into_owned()
    })
}

/// The text of a whole file, which can be large: as its byte-order mark says, which is left out, or
/// as [`decode`].
///
/// # Errors
///
/// If the bytes are no text, or there is no memory for it.
fn decode_file(mut bytes: Vec<u8>) -> io::Result<String> {
    refuse_other_than_text(&bytes)?;
    let (encoding, mark) = Encoding::for_bom(&bytes).unwrap_or((UTF_8, 0));
    bytes.drain(..mark);
    let (encoding, bytes) = if encoding == UTF_8 {
        match String::from_utf8(bytes) {
            Ok(text) => return Ok(text),
            Err(error) => (WINDOWS_1252, error.into_bytes()),
        }
    } else {
        (encoding, bytes)
    };
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let length = decoder.max_utf8_buffer_length(bytes.len());
    let mut text = String::new();
    text.try_reserve_exact(length.unwrap_or(usize::MAX))?;
    let _all_is_read = decoder.decode_to_string(&bytes, &mut text, true);
    Ok(text)
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

/// What documents of word processors begin with, and the name of the form.
const DOCUMENTS: [(&[u8], &str); 3] = [
    (b"{\\rtf", "an RTF document"),
    (b"%PDF-", "a PDF document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of Word"),
];

/// What the first names in the archives are that word processors write.
const NAMES_IN_DOCUMENTS: [&[u8]; 2] = [b"[Content_Types].xml", b"mimetypeapplication/vnd."];

/// The bytes within which the first name in an archive begins.
const FIRST_NAME: usize = 40;

/// Checks that a file that begins with these bytes is neither compressed nor a document of a word
/// processor.
///
/// # Errors
///
/// If it is: which, and how it becomes a text.
pub(crate) fn refuse_other_than_text(bytes: &[u8]) -> io::Result<()> {
    let mut forms = DOCUMENTS.iter();
    let form = forms.find(|(magic, _)| bytes.starts_with(magic));
    let begins_at = |name: &[u8]| (0..FIRST_NAME).find(|at| bytes[*at..].starts_with(name));
    let is_archive = bytes.starts_with(b"PK\x03\x04") && bytes.len() > FIRST_NAME;
    let mut names = NAMES_IN_DOCUMENTS.iter();
    let is_document = is_archive && names.any(|name| begins_at(name).is_some());
    let document = form.map(|(_, form)| *form);
    let document = document.or(is_document.then_some("a document of a word processor"));
    if let Some(document) = document {
        let reason = format!("this is {document}; save it as plain text first");
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    let bytes = match bytes {
        [b'B', b'Z', b'h', b'1'..=b'9', block @ ..] => block,
        bytes => bytes,
    };
    let mut forms = COMPRESSED.iter();
    let compressed = forms.find(|(magic, ..)| bytes.starts_with(magic));
    compressed.map_or(Ok(()), |(_, form, command)| {
        let reason = format!("this is compressed by {form}; unpack it first ({command})");
        Err(io::Error::new(io::ErrorKind::InvalidData, reason))
    })
}

/// A text that was taken for Windows-1252 though it was UTF-8 (`Â½` for `½`), as it was; `None` if
/// it wasn't.
pub(crate) fn before_second_encoding(text: &str) -> Option<String> {
    if !text.contains(['Â', 'Ã', 'â']) {
        return None;
    }
    let (bytes, _, has_others) = WINDOWS_1252.encode(text);
    String::from_utf8(bytes.into_owned())
        .ok()
        .filter(|_| !has_others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tempfile::NamedTempFile;

    #[test]
    fn texts_of_windows_are_read() {
        let file = NamedTempFile::new().expect("a file can be made");
        let path = file.into_temp_path();
        for (bytes, text) in [
            (
                b"\xef\xbb\xbfone\r\ntwo\r\n\x1a".as_slice(),
                "one\r\ntwo\r\n",
            ),
            (b"one\x1atwo\x1a\x1a", "one\x1atwo"),
            (b"caf\xe9", "café"),
            ("café".as_bytes(), "café"),
            (b"\xff\xfeo\0n\0e\0\x1a\0", "one"),
        ] {
            fs::write(&path, bytes).expect("the file can be written");
            let read = read_to_string(&path, 100);
            assert_eq!(read.expect("a text"), text);
        }
    }

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
            let error = refuse_other_than_text(bytes).expect_err(form);
            let error = error.to_string();
            assert!(
                error.contains(&format!("by {form}; unpack it first (")),
                "{error}"
            );
        }
        for text in ["PK, a game", "BZh9 is a bishop", "7z", "Rar!", "1. e4 e5"] {
            assert!(refuse_other_than_text(text.as_bytes()).is_ok(), "{text}");
        }
    }

    #[test]
    fn documents_are_named_with_what_makes_them_a_text() {
        let word = [b"PK\x03\x04".as_slice(), &[0; 26], b"[Content_Types].xml"].concat();
        let open = [
            b"PK\x03\x04".as_slice(),
            &[0; 26],
            b"mimetypeapplication/vnd.oasis",
        ]
        .concat();
        for (bytes, form) in [
            (br"{\rtf1\ansi 1. e4}".as_slice(), "an RTF document"),
            (b"%PDF-1.4\n", "a PDF document"),
            (&word, "a document of a word processor"),
            (&open, "a document of a word processor"),
        ] {
            let error = refuse_other_than_text(bytes).expect_err(form).to_string();
            assert_eq!(
                error,
                format!("this is {form}; save it as plain text first")
            );
        }
        let text = "{ a comment }";
        assert!(refuse_other_than_text(text.as_bytes()).is_ok());
    }

    #[test]
    fn a_second_encoding_is_undone() {
        for (text, before) in [
            ("Â½-Â½", Some("½-½")),
            ("1â€“0", Some("1–0")),
            ("â™˜f3", Some("♘f3")),
            ("Ângela", None),
            ("½-½", None),
            ("Â½ ♘", None),
        ] {
            assert_eq!(before_second_encoding(text).as_deref(), before, "{text}");
        }
    }

    #[test]
    fn files_are_read_as_their_byte_order_mark_says_without_it() {
        for (bytes, text) in [
            (b"\xef\xbb\xbfone \xe2\x99\x9e".as_slice(), "one ♞"),
            (b"\xef\xbb\xbfcaf\xe9", "café"),
            (b"caf\xe9", "café"),
            (b"\xef\xbb", "ï»"),
            (b"", ""),
            (b"\xff\xfec\0a\0f\0\xe9\0 \0\x5e\x26", "café ♞"),
            (b"\xfe\xff\0c\0a\0f\0\xe9\0 \x26\x5e", "café ♞"),
            // Half a character at the end.
            (b"\xff\xfea\0b", "a\u{fffd}"),
        ] {
            assert_eq!(decode_file(bytes.into()).expect("memory"), text);
        }
    }
}
