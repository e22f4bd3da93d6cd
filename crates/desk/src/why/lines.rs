//! The lines that the coach compares: how they are searched, and which of two tells more.

use shakmaty::{Color, Move, Position};

use super::force::{Harvest, ends_unsettled, harvest};
use super::words::{NEARLY, WINNING};
use super::{Effort, ScoredLine, Search};
use squarewise_engine::evaluation::Tables;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::movegen::legal_moves;
use squarewise_engine::score::Score;

/// The plies of a line that are shown.
pub(super) const SHOWN_PLIES: usize = 6;

/// A short line is extended by at most this many searches.
const MAX_EXTENSIONS: usize = 3;

/// The lines that the coach compares.
pub(super) struct Lines {
    /// The best line.
    pub best: ScoredLine,
    /// The line of the move that was asked about, if it isn't the best.
    pub other: Option<ScoredLine>,
    /// The best line without the best move; `None` if that is forced.
    pub next: Option<ScoredLine>,
}

impl Lines {
    /// Searches a position that isn't over, and the move that was asked about. `None` if a search
    /// was interrupted.
    pub fn searched(
        game: &Game,
        tables: &Tables,
        asked: Option<Move>,
        search: &mut Search<'_>,
    ) -> Option<Lines> {
        let mut best = extended(game, search(game, &[], Effort::Full)?, search);
        let mut other = match asked.filter(|m| Some(m) != best.moves.first()) {
            Some(m) => {
                let line = search(game, &[m], Effort::Full)?;
                let line = with_the_way_back(game, line, best.score, Effort::Full, search)?;
                Some(extended(game, line, search))
            }
            None => None,
        };
        // A search of its own can see more in a move.
        let is_better = |line: &mut ScoredLine| {
            let least = if line.score.is_mate() { 1 } else { NEARLY };
            line.score >= best.score + least
        };
        if let Some(better) = other.take_if(is_better) {
            best = better;
        }
        let first = *best.moves.first()?;
        let legal = legal_moves(game.position()).into_iter();
        let others: Vec<Move> = legal.filter(|m| *m != first).collect();
        let next = match others.as_slice() {
            [] => None,
            others => search(game, others, Effort::Aside)
                .and_then(|next| with_the_way_back(game, next, best.score, Effort::Aside, search)),
        };
        // The longer of two searches of one move says what it is worth.
        let next = next.map(|next| match &other {
            Some(line) if line.moves.first() == next.moves.first() => line.clone(),
            _ => next,
        });
        let (best, next) = match next {
            Some(next) if asked.is_none() && wins_the_same_sooner(game, tables, &next, &best) => {
                (extended(game, next, search), Some(best))
            }
            next => (best, next),
        };
        Some(Lines { best, other, next })
    }
}

/// Whether a line is as good as the best one and takes at once what that wins later: a person who
/// asks about the position sees this move.
fn wins_the_same_sooner(
    game: &Game,
    tables: &Tables,
    line: &ScoredLine,
    best: &ScoredLine,
) -> bool {
    if best.score - line.score >= NEARLY || best.score.is_decisive() {
        return false;
    }
    let us = game.position().turn();
    let won = |line| harvest(game, tables, line).filter(|won| won.winner == us);
    let (Some(sooner), Some(later)) = (won(line), won(best)) else {
        return false;
    };
    sooner.decides_at() == Some(0) && later.decides_at() > Some(0) && sooner.value >= later.value
}

/// The line of a move that the search calls a draw only because it returns to the position before
/// the move, searched again. A side that wins by going back there, as by triangulation with the
/// king, repeats that position for a search that began with it, but not for one that begins after
/// the move. `best` is the score of the best move. `None` if a search was interrupted.
pub(crate) fn with_the_way_back(
    game: &Game,
    line: ScoredLine,
    best: Score,
    effort: Effort,
    search: &mut Search<'_>,
) -> Option<ScoredLine> {
    let after = played(game, &line.moves[..1]);
    let can_matter = line.score == Score::DRAW && best >= Score::centipawns(WINNING);
    if !can_matter || after.end_by_the_rules().is_some() {
        return Some(line);
    }
    let reply = search(&after, &[], effort)?;
    if reply.score > Score::centipawns(-WINNING) {
        return Some(line);
    }
    Some(ScoredLine {
        score: match reply.score.mate_moves() {
            Some(moves) => Score::from_mate_moves(1 - moves),
            None => -reply.score,
        },
        depth: reply.depth + 1,
        moves: [&line.moves[..1], &reply.moves].concat(),
        ..line
    })
}

/// A line that is cut short, because the search knew it from its table, with what a search of its
/// end adds.
pub(super) fn extended(game: &Game, mut line: ScoredLine, search: &mut Search<'_>) -> ScoredLine {
    // The search of the end may know its line from the table too.
    for _ in 0..MAX_EXTENSIONS {
        let end = played(game, &line.moves);
        let is_short = line.moves.len() < SHOWN_PLIES && !line.score.is_decisive();
        if !is_short || line.moves.is_empty() || end.end_by_the_rules().is_some() {
            break;
        }
        let Some(rest) = search(&end, &[], Effort::Aside) else {
            break;
        };
        line.moves.extend(rest.moves);
    }
    line
}

/// What a line wins by force, unless it ends amid captures and a search of its end shows that it is
/// lost again.
pub(super) fn lasting_harvest(
    game: &Game,
    tables: &Tables,
    line: &ScoredLine,
    search: &mut Search<'_>,
) -> Option<Harvest> {
    let won = harvest(game, tables, line)?;
    let end = played(game, &line.moves);
    let is_over = line.score.is_decisive() || end.end_by_the_rules().is_some();
    if is_over || !ends_unsettled(game, &line.moves) {
        return Some(won);
    }
    let Some(rest) = search(&end, &[], Effort::Aside) else {
        return Some(won);
    };
    let moves = [line.moves.as_slice(), &rest.moves].concat();
    let longer = ScoredLine {
        moves,
        ..line.clone()
    };
    let lasts = |later: Harvest| later.winner == won.winner && 2 * later.value >= won.value;
    harvest(game, tables, &longer)
        .is_some_and(lasts)
        .then_some(won)
}

/// The game after a line.
pub(super) fn played(game: &Game, line: &[Move]) -> Game {
    let mut game = game.recent();
    line.iter().for_each(|m| game.play(*m));
    game
}

/// The part of a line that is told: its first plies, and behind a capture what is taken back at
/// once.
pub(super) fn told(line: &[Move], plies: usize) -> &[Move] {
    let mut end = plies.min(line.len());
    let takes_back =
        |[one, next]: [&Move; 2]| one.is_capture() && next.is_capture() && one.to() == next.to();
    while (1..line.len()).contains(&end) && takes_back([&line[end - 1], &line[end]]) {
        end += 1;
    }
    &line[..end]
}

/// In a line that is drawn, the side that gives check with each of its moves until a position
/// occurs again, and the line up to there. A search ends its line one move before that at times.
pub(super) fn perpetual_check(game: &Game, line: &ScoredLine) -> Option<(Color, Vec<Move>)> {
    if line.score != Score::DRAW {
        return None;
    }
    let earlier = |keys: &[u64], game: &Game| keys.iter().rposition(|key| *key == game.key());
    let mut end = game.recent();
    let (mut keys, mut checks, mut first) = (Vec::new(), Vec::new(), None);
    let mut moves = line.moves.iter();
    while first.is_none()
        && let Some(m) = moves.next()
    {
        keys.push(end.key());
        end.play(*m);
        checks.push(end.position().is_check());
        first = earlier(&keys, &end);
    }
    let mut line = line.moves[..checks.len()].to_vec();
    let first = first.or_else(|| {
        let mut legal = legal_moves(end.position()).into_iter();
        legal.find_map(|m| {
            let next = played(&end, &[m]);
            let first = earlier(&keys, &next)?;
            checks.push(next.position().is_check());
            line.push(m);
            Some(first)
        })
    })?;
    let always_checks = |offset: usize| checks[first + offset..].iter().step_by(2).all(|c| *c);
    let offset = [0, 1].into_iter().find(|offset| always_checks(*offset))?;
    let turn = game.position().turn();
    let is_to_move = (first + offset).is_multiple_of(2);
    Some((if is_to_move { turn } else { !turn }, line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use shakmaty::uci::UciMove;
    use squarewise_engine::position::from_fen;

    fn game_and_line(fen: &str, line: &str) -> (Game, Vec<Move>) {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        let game = Game::new(position);
        let mut end = game.clone();
        let moves = line.split(' ').map(|word| {
            let uci: UciMove = word.parse().expect("a move");
            let m = uci.to_move(end.position()).expect("a legal move");
            end.play(m);
            m
        });
        let moves = moves.collect();
        (game, moves)
    }

    #[test]
    fn a_line_is_told_up_to_what_is_taken_back() {
        let fen = "3r2k1/3r1ppp/8/8/8/8/3R1PPP/3R2K1 w - - 0 1";
        let (_, line) = game_and_line(fen, "h2h3 h7h6 d2d7 d8d7 d1d7 g8h7");
        for (plies, told_plies) in [
            (0, 0),
            (1, 1),
            (2, 2),
            (3, 5),
            (4, 5),
            (5, 5),
            (6, 6),
            (9, 6),
        ] {
            assert_eq!(told(&line, plies), &line[..told_plies], "{plies}");
        }
    }

    #[test]
    fn checks_without_end_are_a_perpetual_check_of_who_gives_them() {
        let fen = "6k1/6p1/7p/8/4Q3/8/qr6/7K w - - 0 1";
        for (fen, line, expected) in [
            (fen, "e4e8 g8h7 e8e4 h7g8", Some((Color::White, 4))),
            // A move before the position occurs again.
            (fen, "e4e8 g8h7 e8e4", Some((Color::White, 4))),
            // What follows isn't told.
            (
                fen,
                "e4e8 g8h7 e8e4 h7g8 e4e8 g8h7 e8e4",
                Some((Color::White, 4)),
            ),
            // The checks begin later, and the other side is to move.
            (
                "6k1/6pp/8/8/4Q3/8/qr6/7K b - - 0 1",
                "h7h6 e4e8 g8h7 e8e4 h7g8",
                Some((Color::White, 5)),
            ),
            // One that repeats without checks, and checks that repeat nothing.
            (
                "6k1/5pp1/8/8/8/8/Q7/7K w - - 0 1",
                "a2b2 g8h7 b2a2 h7g8",
                None,
            ),
            (fen, "e4e8 g8h7", None),
        ] {
            let (game, moves) = game_and_line(fen, line);
            let mut line = ScoredLine {
                score: Score::DRAW,
                depth: 1,
                moves,
                is_in_tablebases: false,
            };
            let found = perpetual_check(&game, &line);
            let found = found.map(|(side, line)| (side, line.len()));
            assert_eq!(found, expected, "{fen}");
            line.score = Score::centipawns(20);
            assert_eq!(perpetual_check(&game, &line), None, "it isn't drawn");
        }
    }
}
