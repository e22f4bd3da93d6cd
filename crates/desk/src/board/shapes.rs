//! Arrows and circles that a reader draws, as PGN keeps them: `[%csl Ge4]` and `[%cal Re2e4]`.

/// Whether a text is an arrow or a circle with its color: `Re2e4`, `Ge4`.
pub(super) fn is_shape(text: &str) -> bool {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    match text.as_bytes() {
        [b'G' | b'R' | b'Y' | b'B', squares @ ..] => {
            matches!(squares.len(), 2 | 4) && squares.chunks(2).all(is_square)
        }
        _ => false,
    }
}

/// The arrows and circles among the commands of a comment.
pub(super) fn shapes_of(commands: &str) -> Vec<String> {
    let parts = commands.split("[%").filter_map(|part| part.split_once(']'));
    let lists = parts.filter_map(|(part, _)| {
        let (name, list) = part.split_once(char::is_whitespace)?;
        matches!(name, "csl" | "cal").then_some(list)
    });
    let shapes = lists.flat_map(|list| list.split(',')).map(str::trim);
    shapes
        .filter(|shape| is_shape(shape))
        .map(str::to_owned)
        .collect()
}

/// The commands with these arrows and circles instead of those that were there.
pub(super) fn with_shapes(commands: &str, shapes: &[String]) -> String {
    let parts = commands.split_inclusive(']').map(str::trim);
    let is_other = |part: &&str| !part.starts_with("[%csl") && !part.starts_with("[%cal");
    let mut kept: Vec<String> = parts.filter(is_other).map(str::to_owned).collect();
    for (name, length) in [("csl", 3), ("cal", 5)] {
        let own = shapes.iter().filter(|shape| shape.len() == length);
        let own: Vec<&str> = own.map(String::as_str).collect();
        if !own.is_empty() {
            kept.push(format!("[%{name} {}]", own.join(",")));
        }
    }
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_and_circles_are_read_and_written_among_other_commands() {
        let commands = "[%csl Ge4,Rd5] [%emt 0:00:05] [%cal Ge2e4]";
        assert_eq!(shapes_of(commands), ["Ge4", "Rd5", "Ge2e4"]);
        let shapes = ["Bb2b4".to_owned(), "Ya1".to_owned()];
        let written = with_shapes(commands, &shapes);
        assert_eq!(written, "[%emt 0:00:05] [%csl Ya1] [%cal Bb2b4]");
        for wrong in ["e4", "Ge9", "Ge2e", "Xe4", "Ge4]", ""] {
            assert!(!is_shape(wrong), "{wrong}");
        }
    }
}
