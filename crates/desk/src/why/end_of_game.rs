//! Games that are over: the sum of the pieces no longer counts.

use squarewise_engine::position::draws::GameEnd;
use squarewise_engine::position::game::Game;

/// A sentence that says that the game is over and why the sum no longer counts; `None` if it goes on.
pub fn game_over(game: &Game) -> Option<String> {
    let reason = end_of_game(game)?;
    Some(format!(
        "The game is over: {reason}. The sum is that of the pieces as they stand."
    ))
}

/// How a game has ended, in words; `None` if it goes on.
pub(super) fn end_of_game(game: &Game) -> Option<&'static str> {
    Some(match game.end_by_the_rules()? {
        GameEnd::Checkmate { winner } => winner.fold_wb(
            "Black is checkmated and White has won",
            "White is checkmated and Black has won",
        ),
        GameEnd::Stalemate => "stalemate, a draw",
        GameEnd::InsufficientMaterial => "neither side can mate, a draw",
        GameEnd::ThreefoldRepetition => "the position has occurred three times, a draw",
        GameEnd::FiftyMoves => "fifty moves without a capture or a pawn move, a draw",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use squarewise_engine::evaluation::TableSet;
    use squarewise_engine::position::from_fen;

    fn game(fen: &str) -> Game {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        Game::new(position, TableSet::Learned.tables())
    }

    #[test]
    fn a_game_that_is_over_is_called_so() {
        for (fen, words) in [
            (
                "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
                "White is checkmated",
            ),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
            ("7k/8/6K1/8/8/8/8/6N1 b - - 0 1", "neither side can mate"),
            ("7k/8/6K1/8/8/8/8/6R1 b - - 100 90", "fifty moves"),
        ] {
            let said = game_over(&game(fen)).expect("a game that is over");
            assert!(said.contains(words), "{said}");
        }
        let running = game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(game_over(&running), None);
    }
}
