//! A script: what a program says to the engine, step by step.

use std::fmt;

/// Bytes that are sent in one piece, with a line feed behind them: usually one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub bytes: Vec<u8>,
    /// Whether the answer of a search that ends by itself soon is awaited before the next step.
    pub waits: bool,
}

impl Step {
    pub fn line(text: impl Into<String>) -> Step {
        Step {
            bytes: text.into().into_bytes(),
            waits: false,
        }
    }
}

/// How a conversation ends, after the engine has become idle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The search that runs at the end, or nothing.
    pub go: &'static str,
    /// Whether `quit` is sent; otherwise the input ends.
    pub quits: bool,
}

/// What is said to one engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    pub steps: Vec<Step>,
    pub ending: Ending,
}

impl Script {
    /// Whether every byte of it can be pasted into a terminal as it is shown.
    fn is_text(&self) -> bool {
        let is_plain = |step: &Step| str::from_utf8(&step.bytes).is_ok_and(is_printable);
        self.steps.iter().all(is_plain)
    }
}

fn is_printable(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

/// The lines as they can be pasted, or, if some bytes can't, as arguments of `printf '%b\n'` in a
/// shell.
impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_text = self.is_text();
        if !is_text {
            writeln!(f, "printf '%b\\n' \\")?;
        }
        for step in &self.steps {
            if is_text {
                writeln!(f, "{}", String::from_utf8_lossy(&step.bytes))?;
            } else {
                writeln!(f, "  '{}' \\", octal(&step.bytes))?;
            }
        }
        let Ending { go, quits } = self.ending;
        let end = if quits { "quit" } else { "" };
        if is_text {
            write!(f, "{go}\n{end}")
        } else {
            write!(f, "  '{go}' '{end}' | squarewise")
        }
    }
}

/// The bytes with those escaped that the shell or `printf` would change.
fn octal(bytes: &[u8]) -> String {
    let escaped = bytes.iter().map(|byte| match byte {
        b' '..=b'~' if !matches!(byte, b'\'' | b'\\') => char::from(*byte).to_string(),
        byte => format!("\\0{byte:03o}"),
    });
    escaped.collect()
}

#[test]
fn a_script_is_shown_so_that_it_can_be_pasted() {
    let mut script = Script {
        steps: vec![Step::line("go nodes 9"), Step::line("d")],
        ending: Ending {
            go: "go infinite",
            quits: true,
        },
    };
    assert_eq!(script.to_string(), "go nodes 9\nd\ngo infinite\nquit");
    script.steps[1].bytes = b"it's \xff".to_vec();
    let expected = "printf '%b\\n' \\\n  'go nodes 9' \\\n  'it\\0047s \\0377' \\\n  'go infinite' 'quit' | squarewise";
    assert_eq!(script.to_string(), expected);
}
