//! The expected result of the game, which `UCI_ShowWDL` and `eval` show: certain where the rules or
//! the tablebases decide it, and predicted by the WDL model elsewhere.

use shakmaty::Position;

use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::score::Score;
use squarewise_engine::search::SearchInfo;
use squarewise_engine::wdl::WinDrawLoss;

/// The expected result by a line of a search in this position. In a tablebase position everything
/// except a win or a loss is a draw, even a win that the fifty-move rule prevents.
pub(super) fn by_search(info: &SearchInfo, position: &VariantPosition) -> WinDrawLoss {
    if info.is_in_tablebases && !info.score.is_decisive() {
        WinDrawLoss::DRAW
    } else {
        by_score(info.score, position)
    }
}

/// The expected result by a score of the position, for the side to move.
pub(super) fn by_score(score: Score, position: &VariantPosition) -> WinDrawLoss {
    let is_over = position.legal_moves().is_empty();
    if is_over && position.is_lost_without_moves() {
        WinDrawLoss::LOSS
    } else if is_over || position.is_insufficient_material() {
        WinDrawLoss::DRAW
    } else {
        WinDrawLoss::expected(score, position.turn(), position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use squarewise_engine::position::from_fen;

    use squarewise_engine::search::{Fallback, SearchResult};

    fn position(fen: &str) -> VariantPosition {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        position.into()
    }

    #[test]
    fn finished_games_and_bare_kings_have_a_certain_result() {
        for (fen, expected) in [
            ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", WinDrawLoss::LOSS),
            ("k7/2Q5/8/8/8/8/8/K7 b - - 0 1", WinDrawLoss::DRAW),
            ("k7/8/8/8/8/8/8/KN6 w - - 0 1", WinDrawLoss::DRAW),
        ] {
            let score = Score::centipawns(250);
            assert_eq!(by_score(score, &position(fen)), expected, "{fen}");
        }
    }

    #[test]
    fn the_same_lead_wins_less_with_bishops_of_different_colors_whoever_is_to_move() {
        let expected = |board: &str, score| {
            by_score(
                Score::centipawns(score),
                &position(&format!("{board} - - 0 1")),
            )
        };
        let opposite = expected("4kb2/7p/8/8/8/8/P4PPP/4KB2 w", 120);
        let same = expected("2b1k3/7p/8/8/8/8/P4PPP/4KB2 w", 120);
        assert!(opposite.draw > same.draw + 50, "{opposite} {same}");
        assert!(opposite.win > opposite.loss, "{opposite}");
        let for_black = expected("4kb2/7p/8/8/8/8/P4PPP/4KB2 b", -120);
        assert_eq!(
            (for_black.loss, for_black.draw),
            (opposite.win, opposite.draw)
        );
    }

    #[test]
    fn the_tablebases_leave_only_wins_losses_and_draws() {
        let position = position("8/8/8/8/8/4k3/8/4K2R w - - 0 1");
        let tables = squarewise_engine::evaluation::TableSet::default().tables();
        let fallback = Fallback::new(&position, &tables, &[]);
        let mut info = SearchResult::from(fallback).info;
        info.is_in_tablebases = true;
        for (score, expected) in [
            (Score::tablebase_win(0), WinDrawLoss::WIN),
            (Score::tablebase_loss(9), WinDrawLoss::LOSS),
            (Score::mate_in(3), WinDrawLoss::WIN),
            (Score::DRAW, WinDrawLoss::DRAW),
            // A win that the fifty-move rule prevents.
            (Score::DRAW.next_up(), WinDrawLoss::DRAW),
        ] {
            info.score = score;
            assert_eq!(by_search(&info, &position), expected, "{score}");
        }
        info.is_in_tablebases = false;
        assert_ne!(by_search(&info, &position), WinDrawLoss::DRAW);
    }
}
