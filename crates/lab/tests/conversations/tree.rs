//! `squarewise-lab tree`, which the feature `tuning` adds.

use super::{error, output};
use crate::support::scratch::Scratch;

/// The number before these words.
fn number(text: &str, words: &str) -> f64 {
    let before = text
        .split(words)
        .next()
        .filter(|before| before.len() < text.len());
    let word = before.and_then(|before| before.split_whitespace().last());
    let number = word.and_then(|word| word.parse().ok());
    number.unwrap_or_else(|| panic!("no number before {words} in {text}"))
}

#[test]
fn the_shape_of_the_trees_is_told_and_is_the_same_twice() {
    let folder = Scratch::new("tree");
    let positions = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\n\n\
                     8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - id \"an ending\";\n";
    let file = folder.file("positions.epd", positions);
    let arguments = ["tree", "--depth", "7", "--positions", &file];
    let text = output(&arguments);
    assert!(text.starts_with("2 positions, "), "{text}");
    let nodes = number(&text, " nodes\n");
    let quiescence = number(&text, " % of the nodes are of the quiescence search");
    let cutoffs = number(&text, " cutoffs are by the first move");
    let first = number(&text, " % of ");
    assert!((5.0..95.0).contains(&quiescence), "{text}");
    assert!(cutoffs > 10.0 && cutoffs < nodes, "{text}");
    assert!(first > 0.0, "{text}");
    assert_eq!(number(&text, " windows of the root failed").fract(), 0.0);
    // Each depth takes more nodes than the one before, and the last one all of them.
    let rows = text.lines().skip_while(|line| !line.starts_with("depth"));
    let rows = rows.skip(1).take(7);
    let to_depth: Vec<f64> = rows
        .map(|row| {
            row.split_whitespace()
                .nth(1)
                .and_then(|word| word.parse().ok())
        })
        .map(|nodes| nodes.unwrap_or_else(|| panic!("{text}")))
        .collect();
    assert!(to_depth.is_sorted_by(|one, next| one < next), "{text}");
    assert_eq!(to_depth.last(), Some(&nodes));
    assert_eq!(output(&arguments), text);
}

#[test]
fn what_is_no_position_is_named_by_its_line() {
    let folder = Scratch::new("tree-wrong");
    let file = folder.file("positions.epd", "8/8/8/8/8/4k3/8/4K2R w - -\nhello\n");
    let message = error(&["tree", "--positions", &file]);
    assert!(message.contains("line 2"), "{message}");
    let empty = folder.file("empty.epd", "\n# none yet\n");
    assert!(error(&["tree", "--positions", &empty]).contains("no positions"));
    assert!(error(&["tree", "--positions", "no-such-file"]).contains("no-such-file"));
}
