//! What each move of a line changes in the evaluation.
//!
//! A move changes the share of the piece that moves and takes that of a captured one away. It can
//! change all others too: when a king changes its bucket, and when an exchange brings the endgame
//! nearer. All changes together are the difference of the two evaluations, exactly.

use shakmaty::{Color, Move, Piece, Position, Role, Square};

use super::words::{numbered, signed};
use squarewise_engine::evaluation::Tables;
use squarewise_engine::evaluation::breakdown::Breakdown;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::played_move::{captured_square, moved_squares};

/// A move of a line and what it changes. All values are centipawns from White's point of view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move with its number, such as `17. Nxe5` or `17... Nxe5`.
    pub name: String,
    /// The evaluation after it.
    pub evaluation: i32,
    /// What changed, in words. The values add up to the difference of the evaluations.
    pub changes: Vec<(String, i32)>,
}

impl Step {
    /// The difference that the move makes to the evaluation.
    pub fn change(&self) -> i32 {
        self.changes.iter().map(|(_, value)| value).sum()
    }

    /// The changes in words, with their values.
    pub fn changes_in_words(&self) -> String {
        let changes = self.changes.iter();
        let words: Vec<String> = changes
            .map(|(name, value)| format!("{name} {}", signed(*value)))
            .collect();
        words.join(", ")
    }
}

/// The steps of a line that begins in the current position of a game. Its moves must be legal.
pub fn steps(game: &Game, tables: &Tables, line: &[Move]) -> Vec<Step> {
    let mut game = game.recent();
    let mut before = Breakdown::of(game.position(), tables);
    let mut steps = Vec::new();
    for m in line {
        let name = numbered(&game, *m);
        let mover = game.position().turn();
        game.play(*m);
        let after = Breakdown::of(game.position(), tables);
        steps.push(Step {
            name,
            evaluation: after.total,
            changes: changes(*m, mover, &before, &after),
        });
        before = after;
    }
    steps
}

/// What a move changes, in words.
fn changes(m: Move, mover: Color, before: &Breakdown, after: &Breakdown) -> Vec<(String, i32)> {
    let mut changes = Vec::new();
    let value = |breakdown: &Breakdown, square| -> i32 {
        breakdown.piece_on(square).map_or(0, |share| share.total())
    };
    let letter = |square: Square| -> String {
        let piece = before.piece_on(square).map(|share| share.piece);
        piece.map_or_else(String::new, |piece| symbol(piece, square))
    };
    let mut left: Vec<Square> = Vec::new();
    for (from, to) in moved_squares(m, mover).into_iter().flatten() {
        let change = value(after, to) - value(before, from);
        changes.push((format!("{}-{to}", letter(from)), change));
        left.push(from);
    }
    if let Some(square) = captured_square(m) {
        changes.push((format!("x{}", letter(square)), -value(before, square)));
        left.push(square);
    }
    let others = before
        .pieces
        .iter()
        .filter(|share| !left.contains(&share.square));
    let others = others.map(|share| value(after, share.square) - share.total());
    changes.push(("others".to_owned(), others.sum()));
    for (old, new) in before.beyond_pieces.iter().zip(&after.beyond_pieces) {
        changes.push((old.source.name().to_owned(), new.value() - old.value()));
    }
    changes.push(("turn".to_owned(), after.tempo - before.tempo));
    changes.retain(|(_, value)| *value != 0);
    changes
}

/// A piece on a square in short, such as `Ng1` or `e4`; the color is left out.
fn symbol(piece: Piece, square: Square) -> String {
    match piece.role {
        Role::Pawn => square.to_string(),
        role => format!("{}{square}", role.upper_char()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use shakmaty::uci::UciMove;
    use squarewise_engine::evaluation::TableSet;
    use squarewise_engine::position::from_fen;

    /// A line with all kinds of moves: castling on both sides, en passant, captures and promotions.
    const FEN: &str = "r3k2r/7P/8/3pP3/8/8/6p1/R3K2R w KQkq d6 0 1";
    const LINE: &str = "e5d6 e8c8 e1c1 g2h1q d1h1 h8h7 h1h7";

    fn game_and_line() -> (Game, Vec<Move>) {
        let position = from_fen(FEN, CastlingMode::Standard).expect("a legal position");
        let game = Game::new(position);
        let mut played = game.clone();
        let line = LINE.split(' ').map_while(|word| {
            let uci: UciMove = word.parse().ok()?;
            let m = uci.to_move(played.position()).ok()?;
            played.play(m);
            Some(m)
        });
        let line = line.collect();
        (game, line)
    }

    #[test]
    fn the_changes_of_each_move_add_up_to_the_difference() {
        for set in TableSet::ALL {
            let (tables, (game, line)) = (set.tables(), game_and_line());
            assert_eq!(line.len(), 7, "{line:?}");
            let mut evaluation = Breakdown::of(game.position(), &tables).total;
            for step in steps(&game, &tables, &line) {
                evaluation += step.change();
                assert_eq!(evaluation, step.evaluation, "{step:?}");
            }
        }
    }

    #[test]
    fn each_kind_of_move_says_what_it_touches() {
        let (game, line) = game_and_line();
        let steps = steps(&game, &TableSet::Simplified.tables(), &line);
        assert_eq!(steps[0].name, "1. exd6");
        let words = |index: usize| steps[index].changes_in_words();
        assert_eq!(words(0), "e5-d6 +5, xd5 +120");
        assert_eq!(words(1), "Ke8-c8 -10, Ra8-d8 -5");
    }
}
