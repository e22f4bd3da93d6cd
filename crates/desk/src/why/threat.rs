//! Threats: what a side would do if it were its turn, found by a search after a null move.

use crate::notation::san_plus;
use crate::pgn::passed;
use crate::pgn::writer::line_of_play;
use shakmaty::{Color, Move, Position, Role, Square};

use super::force::{Harvest, harvest};
use super::mates::{end_in_a_word, mate_in_words};
use super::words::side_name;
use super::{Effort, ScoredLine, Search};
use squarewise_engine::evaluation::Tables;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::score::Score;

/// Passing must cost this many centipawns for a gain to be a threat: what the other side wins
/// anyway isn't one.
const MIN_LOSS: i32 = 60;

/// A mate in so many moves is no threat of mate if it begins with a capture.
const MANY_MOVES: i32 = 4;

/// A threat is told up to the move that wins something if that comes by this ply, counted from 0.
const LAST_TOLD_PLY: usize = 4;

/// What a side would win with one more move.
#[derive(Clone, Debug)]
pub(super) struct Threat {
    pub side: Color,
    pub line: ScoredLine,
    /// The position after the null move, in which the line begins.
    passed: VariantPosition,
    /// What it wins; `None` if it mates.
    harvest: Option<Harvest>,
}

/// The threat of the side that isn't to move; `best` is what the side to move has at best.
/// The search may end early: then there is none.
pub(super) fn threat(
    game: &Game,
    tables: &Tables,
    best: Score,
    search: &mut Search<'_>,
) -> Option<Threat> {
    let position = game.position();
    // Unlike the search's own null move this one counts as a move where moves are numbered.
    let passed = passed(position)?;
    let mut game = game.recent();
    game.make_null_move();
    if game.end_by_the_rules().is_some() {
        return None;
    }
    let side = passed.turn();
    let line = search(&game, &[], Effort::Aside)?;
    let is_mate = line.score.mate_moves().is_some_and(|moves| moves > 0);
    let harvest = harvest(&game, tables, &line).filter(|harvest| harvest.winner == side);
    let loss = best.value() + line.score.value();
    // A quiet move from which the gain is far off says little: much can be done against it.
    let forces = line
        .moves
        .first()
        .is_some_and(|m| m.is_capture() || m.is_promotion());
    let is_near = harvest
        .as_ref()
        .is_some_and(|won| forces || won.decides_at().is_some_and(|ply| ply <= LAST_TOLD_PLY));
    let is_threat = is_mate || (is_near && loss >= MIN_LOSS);
    (is_threat && !line.moves.is_empty()).then_some(Threat {
        side,
        harvest: harvest.filter(|_| !is_mate),
        line,
        passed,
    })
}

impl Threat {
    /// The move that carries it out.
    pub(super) fn first(&self) -> Option<Move> {
        self.line.moves.first().copied()
    }

    /// Whether this move carries out a threat that wins something but doesn't mate.
    pub(super) fn wins_by(&self, m: Move) -> bool {
        self.harvest.is_some() && self.first() == Some(m)
    }

    /// The piece that it wins, and where that stands.
    pub(super) fn victim(&self) -> Option<(Role, Square)> {
        let (_, role, square) = self.harvest.as_ref()?.capture?;
        Some((role, square))
    }

    /// The threat in words, such as "Black threatens Qe1#".
    pub(super) fn in_words(&self) -> String {
        let side = side_name(self.side);
        format!("{side} threatens {}", self.what())
    }

    /// What is threatened, such as "Qe1#" or "Nxe5, which wins a pawn".
    pub(super) fn what(&self) -> String {
        let Some(first) = self.first() else {
            return String::new();
        };
        let san = san_plus(&self.passed, first).to_string();
        let reason = mate_in_words(&self.passed, first);
        let reason = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
        let end = end_in_a_word(&self.passed, &self.line.moves);
        match (self.line.score.mate_moves(), &self.harvest) {
            // A promotion that is far off is only how the capture ends.
            (_, Some(harvest))
                if first.is_capture() && harvest.promotes_by() > Some(LAST_TOLD_PLY) =>
            {
                san
            }
            (_, Some(harvest)) => format!(
                "{}, which {}",
                self.up_to_the_gain(harvest, san),
                harvest.in_words()
            ),
            // So is a mate.
            (Some(MANY_MOVES..), None) if first.is_capture() => san,
            (Some(1), None) => format!("{end} by {san}{reason}"),
            (Some(moves), None) => format!("{end} in {moves}, beginning with {san}"),
            (None, None) => san,
        }
    }

    /// The line up to the move that wins something if that isn't the first, and not far off.
    fn up_to_the_gain(&self, harvest: &Harvest, first: String) -> String {
        match harvest.decides_at() {
            Some(ply @ 1..=LAST_TOLD_PLY) => line_of_play(&self.passed, &self.line.moves[..=ply]),
            _ => first,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use squarewise_engine::evaluation::TableSet;
    use squarewise_engine::position::from_fen;
    use squarewise_engine::search::limits::Limits;
    use squarewise_engine::search::{SearchRequest, Searcher};

    fn threat_in(fen: &str) -> Option<String> {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        let game = Game::new(position);
        let mut searcher = Searcher::new(16).expect("16 MiB can be allocated");
        let mut search = |game: &Game, _: &[Move], _: Effort| {
            let request = SearchRequest::new(Limits::nodes(20_000));
            Some(ScoredLine::from(&searcher.search(
                game,
                request,
                &mut |_| (),
            )))
        };
        let best = search(&game, &[], Effort::Full).expect("a line");
        threat(
            &game,
            &TableSet::default().tables(),
            best.score,
            &mut search,
        )
        .map(|threat| threat.in_words())
    }

    #[test]
    fn a_threat_is_what_the_other_side_would_do_with_one_more_move() {
        for (fen, words) in [
            (
                "6k1/5ppp/8/8/8/8/r4PPP/R5K1 b - - 0 1",
                Some("White threatens Rxa2"),
            ),
            (
                "1r4k1/5ppp/8/8/8/8/5PPP/1Q4K1 w - - 0 1",
                Some("Black threatens mate by Rxb1#"),
            ),
            // It takes three moves.
            (
                "r3k3/5ppp/8/3N4/8/8/5PPP/6K1 b - - 0 1",
                Some("2. Nc7+ Kd7 3. Nxa8, which wins the exchange"),
            ),
            (
                "6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1",
                Some("White threatens mate by Ra8#"),
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                None,
            ),
            // In check nobody can pass.
            ("4k3/8/8/8/8/8/4r3/3QK3 w - - 0 1", None),
        ] {
            let threat = threat_in(fen);
            match words {
                Some(words) => {
                    let threat = threat.unwrap_or_default();
                    assert!(threat.contains(words), "{threat}");
                }
                None => assert_eq!(threat, None, "{fen}"),
            }
        }
    }
}
