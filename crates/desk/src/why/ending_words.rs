//! Endings in chess words: what each entry of an ending's tables is about.

use shakmaty::Square;

use super::words::piece_of_side;
use squarewise_engine::evaluation::breakdown::Breakdown;
use squarewise_engine::evaluation::endings::Entry;

/// What an ending of few men adds up, each part in chess words with its value in centipawns, + for
/// White; empty if the position is no such ending.
pub fn ending_parts(breakdown: &Breakdown) -> Vec<(String, i32)> {
    let man = |square: Square| {
        let piece = breakdown.piece_on(square).map(|share| share.piece);
        piece.map_or_else(String::new, |piece| piece_of_side(piece, square))
    };
    let words = |entry: Entry| match entry {
        Entry::Ending => "these men, and whose turn it is".to_owned(),
        Entry::Square(square) => man(square),
        Entry::Pair(one, other) => format!("the distance of {} and {}", man(one), man(other)),
    };
    let terms = breakdown.ending.iter();
    terms.map(|term| (words(term.entry), term.value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use squarewise_engine::evaluation::TableSet;
    use squarewise_engine::position::from_fen;

    #[test]
    fn the_parts_of_an_ending_are_named_and_add_up() {
        let position = from_fen("7k/8/5K2/8/8/2B5/4N3/8 w - - 0 1", CastlingMode::Standard);
        let position = position.expect("a legal position");
        let breakdown = Breakdown::of(&position, &TableSet::Attacks.tables());
        let parts = ending_parts(&breakdown);
        let words: Vec<&str> = parts.iter().map(|(words, _)| words.as_str()).collect();
        assert_eq!(
            words,
            [
                "these men, and whose turn it is",
                "Black's king on h8",
                "the distance of White's king on f6 and Black's king on h8",
            ]
        );
        assert_eq!(
            parts.iter().map(|(_, value)| value).sum::<i32>(),
            breakdown.total
        );
    }
}
