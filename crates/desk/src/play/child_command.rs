//! The command that starts another engine.
//!
//! It is split at spaces outside quotation marks. A backslash is a letter like any other, since it
//! separates the folders of a path on Windows. If the whole command is the path of a file, it is
//! the program.

use std::io;
use std::path::Path;

/// The quotation marks. An apostrophe is none on Windows, where names of folders contain it
/// (`O'Brien`) and no shell takes it for one.
const QUOTATION_MARKS: &[char] = if cfg!(windows) { &['"'] } else { &['"', '\''] };

/// Splits a command into words: the program and its arguments.
pub(super) fn words(command: &str) -> io::Result<Vec<String>> {
    let command = command.trim();
    // The name of a program without a folder would be looked up in the folders for programs only.
    let path = Path::new(".").join(command);
    if path.is_file() {
        return Ok(vec![path.display().to_string()]);
    }
    split(command, QUOTATION_MARKS)
}

/// Splits a text at spaces outside quotation marks.
fn split(text: &str, quotation_marks: &[char]) -> io::Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            None if quotation_marks.contains(&c) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        let reason = "a quotation mark is not closed";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    words.extend(word);
    Ok(words)
}

/// The name of an engine that has not said one: that of its program.
pub(super) fn program_name(command: &str) -> String {
    let words = words(command).unwrap_or_default();
    let program = words.first().map_or(command, String::as_str);
    let name = Path::new(program).file_stem();
    name.map_or_else(
        || command.to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splits a command in which both marks are quotation marks, or only the double one, as on
    /// Windows.
    fn split_by(marks: &[char], command: &str) -> Vec<String> {
        split(command, marks).expect("a command")
    }

    #[test]
    fn a_command_is_split_at_spaces_outside_quotation_marks() {
        let split_here = |command| split_by(&['"', '\''], command);
        assert_eq!(split_here("stockfish"), ["stockfish"]);
        assert_eq!(split_here(" a  b\tc "), ["a", "b", "c"]);
        assert_eq!(
            split_here("sh -c 'echo \"a b\"' \"c d\"e ''"),
            ["sh", "-c", "echo \"a b\"", "c de", ""]
        );
        assert_eq!(split_here(""), [""; 0]);
        assert!(split("sh -c 'echo", &['"', '\'']).is_err());
    }

    #[test]
    fn paths_of_windows_keep_their_backslashes_and_apostrophes() {
        assert_eq!(
            split_by(&['"'], r#""C:\Program Files\sf.exe" --uci \\server\x"#),
            [r"C:\Program Files\sf.exe", "--uci", r"\\server\x"]
        );
        assert_eq!(
            split_by(&['"'], r"C:\Users\O'Brien\sf.exe -t 2"),
            [r"C:\Users\O'Brien\sf.exe", "-t", "2"]
        );
    }

    #[test]
    fn the_path_of_a_file_is_one_word() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert_eq!(words(path).expect("a command"), [path]);
    }

    #[test]
    fn a_file_of_the_current_directory_is_not_looked_up_elsewhere() {
        // Tests run in the folder of Cargo.toml.
        let found = words("Cargo.toml").expect("a command");
        let expected = Path::new(".").join("Cargo.toml");
        assert_eq!(found, [expected.display().to_string()]);
    }

    #[test]
    fn the_name_of_a_program_can_have_spaces() {
        for (command, name) in [
            ("stockfish", "stockfish"),
            ("/usr/games/gnuchess --uci", "gnuchess"),
            ("\"/opt/My Engines/sf 16\" --uci", "sf 16"),
            ("Cargo.toml", "Cargo"),
            ("\"not closed", "\"not closed"),
            ("", ""),
        ] {
            assert_eq!(program_name(command), name);
        }
    }
}
