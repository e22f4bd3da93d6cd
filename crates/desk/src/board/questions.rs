//! Questions to the coach: hints, explanations, how good a move was.

use crate::notation::san_plus;
use serde_json::{Value, json};
use shakmaty::{Move, Position};

use super::coach::Mind;
use super::desk::Desk;
use super::event::Consequence;
use super::game::Match;
use super::review::judged;
use super::server::Reply;
use crate::analysis::{AnalyzedLine, AnalyzedPosition, MoveReview};
use crate::page::position::line;
use crate::page::text;
use crate::pgn::{GameRecord, Ply};
use crate::why::{self, Effort, ScoredLine};
use squarewise_engine::evaluation::tables_of;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::score::Score;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::wdl::WinDrawLoss;

/// A try at a puzzle is right if it loses fewer points of the winning chances than this, in per
/// cent.
const GOOD_LOSS: f64 = 3.5;

impl Desk {
    /// Explains a position and, if there is one, another move in it. The answer is an event.
    pub(super) fn why(&mut self, number: u32, at: usize, other: Option<Move>) -> Reply {
        let game = self.board(number)?.tree.game(at)?;
        let name = other.map(|m| san_plus(game.position(), m).to_string());
        let stop = StopToken::new();
        if let Some(before) = self.why_stops.insert(number, stop.clone()) {
            before.request();
        }
        self.coach.ask(move |mind| {
            let sentences = explained(mind, &stop, &game, other)?;
            let event = json!({ "is": "why", "at": at, "move": name, "sentences": sentences });
            Some(telling(number, at, game.position(), event))
        });
        Ok(json!({}))
    }

    /// A hint for the position of the game or, without one, for the reader's.
    pub(super) fn hint(&mut self, number: u32, at: Option<usize>, step: u32) -> Reply {
        let board = self.board(number)?;
        let game = board.game.as_ref().filter(|game| !game.is_over());
        let at = game.map_or(at.unwrap_or(board.at), |game| game.head());
        if game.is_some_and(|game| !game.is_persons_turn()) {
            return Err("it is the engine's turn".to_owned());
        }
        let game = board.tree.game(at)?;
        if game.position().legal_moves().is_empty() {
            return Err("the game is over here".to_owned());
        }
        self.coach.ask(move |mind| {
            let stop = StopToken::new();
            let found = mind.search(&stop, &game, &[], Effort::Full)?;
            let position = game.position();
            let best = *found.moves.first()?;
            let shown = line(position, &found.moves);
            let mut event = json!({ "is": "hint", "at": at, "step": step });
            event["from"] = best.from().map(|square| square.to_string()).into();
            if step >= 2 {
                event["line"] = shown
                    .into_iter()
                    .take(if step == 2 { 1 } else { 10 })
                    .collect();
            }
            Some(telling(number, at, position, event))
        });
        Ok(json!({}))
    }

    /// Judges a move that was tried instead of a mistake. The answer is an event.
    pub(super) fn try_move(&mut self, number: u32, at: usize, m: Move) -> Reply {
        let game = self.board(number)?.tree.game(at)?;
        self.coach.ask(move |mind| {
            let verdict = verdict(mind, &game, m)?;
            let position = game.position();
            let san = san_plus(position, m).to_string();
            let is_good = verdict.review.loss < GOOD_LOSS && verdict.review.judgement.is_none();
            let event = json!({
                "is": "tried",
                "at": at,
                "move": san,
                "good": is_good,
                "loss": verdict.review.loss.round(),
                "best": line(position, &verdict.best.moves),
                "line": line(position, &verdict.reply),
            });
            Some(telling(number, at, position, event))
        });
        Ok(json!({}))
    }
}

impl Desk {
    /// Judges the moves of games that go on which were not judged when the program ended.
    pub(super) fn judge_what_is_left(&self) {
        for (number, board) in &self.boards {
            let is_judged = |game: &&Match| game.wish().feedback && !game.is_over();
            let Some(game) = board.game.as_ref().filter(is_judged) else {
                continue;
            };
            for pair in game.nodes[game.moves_before..].windows(2) {
                let (Ok(before), Ok(after)) = (board.tree.game(pair[0]), board.tree.node(pair[1]))
                else {
                    continue;
                };
                let is_left = game.person() == Some(before.position().turn())
                    && !game.judged.contains_key(&pair[1]);
                if let Some(m) = after.ply.m.filter(|_| is_left) {
                    judge(self, *number, pair[1], before, m);
                }
            }
        }
    }
}

/// Judges a move of a game that is being played, and says what was better and why, unless the move
/// was good.
pub(super) fn judge(desk: &Desk, number: u32, id: usize, before: Game, m: Move) {
    desk.coach.ask(move |mind| {
        let verdict = verdict(mind, &before, m)?;
        let position = before.position();
        let judgement = verdict.review.judgement;
        let mut event = json!({
            "is": "feedback",
            "at": id,
            "j": judgement.map_or(0, |judgement| judgement.rank()),
            "loss": (verdict.review.loss * 10.0).round() / 10.0,
            "best": verdict.best.moves.first() == Some(&m),
            "depth": verdict.best.depth,
            "s": text::score(verdict.score, false),
        });
        if judgement.is_some() {
            event["better"] = line(position, &verdict.best.moves).into();
            let sentences = explained(mind, &StopToken::new(), &before, Some(m))?;
            event["sentences"] = sentences.into();
        }
        let mut after = position.clone();
        after.play_unchecked(m);
        Some(if_still_there(number, id, &after, move |desk| {
            let board = desk.boards.get_mut(&number);
            if let Some(game) = board.and_then(|board| board.game.as_mut()) {
                game.judged.insert(id, event.clone());
                desk.is_changed = true;
                desk.tell(number, &event);
            }
        }))
    });
}

/// What a search thinks of a move.
struct Verdict {
    review: MoveReview,
    best: ScoredLine,
    /// The move and what follows.
    reply: Vec<Move>,
    /// The score after the move, from White's point of view.
    score: Score,
}

/// Compares a move with the best one.
fn verdict(mind: &mut Mind, game: &Game, m: Move) -> Option<Verdict> {
    let position = game.position();
    let [best, played] = mind.compare(game, m)?;
    let white = |line: &ScoredLine| position.turn().fold_wb(line.score, -line.score);
    let found = |line: &ScoredLine, moves: &[Move]| AnalyzedPosition {
        lines: vec![AnalyzedLine {
            score: white(line),
            depth: line.depth,
            moves: moves.to_vec(),
        }],
        score: white(line),
        white_points: WinDrawLoss::white_points(white(line), position),
    };
    let mut record = GameRecord::new(position.clone());
    record.plies = vec![Ply::new(m)];
    // Of two searches the better result counts for the best move.
    let best = if played.score > best.score {
        played.clone()
    } else {
        best
    };
    let positions = [found(&best, &best.moves), found(&played, &played.moves)];
    Some(Verdict {
        review: judged(record, positions),
        score: white(&played),
        reply: played.moves,
        best,
    })
}

/// The sentences of a coach. `None` if the question was asked anew meanwhile.
fn explained(
    mind: &mut Mind,
    stop: &StopToken,
    game: &Game,
    other: Option<Move>,
) -> Option<Vec<String>> {
    let tables = tables_of(game.position().variant());
    let mut search =
        |game: &Game, moves: &[Move], effort: Effort| mind.search(stop, game, moves, effort);
    Some(why::advice(game, &tables, other, &mut search)?.sentences)
}

/// An answer about a position of a board, which is told and no more.
fn telling(number: u32, at: usize, position: &VariantPosition, event: Value) -> Consequence<Desk> {
    if_still_there(number, at, position, move |desk| desk.tell(number, &event))
}

/// What is to be done if a position of a board is still there: another game can be on the board by
/// now, where its number names another position.
fn if_still_there(
    number: u32,
    at: usize,
    position: &VariantPosition,
    then: impl FnOnce(&mut Desk) + Send + 'static,
) -> Consequence<Desk> {
    let position = position.clone();
    Box::new(move |desk: &mut Desk| {
        let board = desk.boards.get(&number);
        let node = board.and_then(|board| board.tree.node(at).ok());
        if node.is_some_and(|node| node.position == position) {
            then(desk);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::desk::test_support::{desk_in, next_answer};
    use super::super::kept::restored;
    use super::super::opponent::Opponent;
    use super::*;

    #[test]
    fn what_was_not_judged_before_the_end_of_the_program_is_judged_after_the_next_start() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut desk, received) = desk_in(folder.path());
        let kept = json!({
            "pgn": "1. e4 e5 2. Nf3 Nc6 *",
            "game": {
                "person": "w", "elo": 500, "feedback": true,
                "judged": [[1, { "is": "feedback", "at": 1, "j": 0 }]],
            },
        });
        let board = restored(&kept, &Opponent::default()).expect("it was kept well");
        desk.boards.insert(1, board);
        desk.judge_what_is_left();
        next_answer(&received)(&mut desk);
        let game = desk.boards[&1].game.as_ref().expect("it goes on");
        let judged: Vec<usize> = game.judged.keys().copied().collect();
        assert_eq!(judged, [game.nodes[1], game.nodes[3]]);
        assert!(received.try_recv().is_err(), "nothing else was asked");
    }
}
