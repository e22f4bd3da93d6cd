//! The review of a game while it comes: every position is searched, from the last to the first, and
//! each move is judged as soon as the positions on both sides of it are known.

use std::thread;

use serde_json::{Value, json};
use shakmaty::{Color, Position};
use squarewise_engine::position::variant_position::VariantPosition;

use super::coach;
use super::tree::Tree;
use crate::analysis::annotate::judge;
use crate::analysis::{AnalyzedGame, AnalyzedPosition, MoveReview};
use crate::page::position::line;
use crate::page::text;
use crate::pgn::{GameRecord, Ply};
use crate::report;
use squarewise_engine::search::STACK_BYTES;
use squarewise_engine::search::stop::{StopToken, Stopped};
use squarewise_engine::search_worker::catch_panic;

/// The nodes for a position that may be asked for.
const NODES: std::ops::RangeInclusive<u64> = 1_000..=10_000_000;

/// What a review tells.
pub(super) enum News {
    /// What was found in a position.
    Found(Value),
    /// Everything.
    Done(Box<AnalyzedGame>),
    /// Why there is no review.
    Failed(String),
}

/// A review, as far as it has come.
pub(super) struct Review {
    /// The numbers of the positions of the main line.
    pub(super) nodes: Vec<usize>,
    /// What was told of each position, the last one first.
    found: Vec<Value>,
    /// The whole, when it is done.
    pub(super) done: Option<AnalyzedGame>,
    stop: StopToken,
}

impl Drop for Review {
    fn drop(&mut self) {
        self.stop.request();
    }
}

impl Review {
    /// Begins to review the main line of a tree; what is found is told as it comes. The token is
    /// raised when the review is dropped.
    ///
    /// # Errors
    ///
    /// In words, if there is nothing to review.
    pub(super) fn start(
        tree: &Tree,
        nodes: u64,
        stop: StopToken,
        tell: impl Fn(News) + Send + 'static,
    ) -> Result<Review, String> {
        if !NODES.contains(&nodes) {
            let (least, most) = (NODES.start(), NODES.end());
            return Err(format!(
                "a review takes {least} to {most} nodes for a position"
            ));
        }
        let mut record = tree.record();
        record
            .plies
            .iter_mut()
            .for_each(|ply| ply.variations.clear());
        if record.plies.is_empty() {
            return Err("there are no moves to review yet".to_owned());
        }
        let review = Review {
            nodes: tree.main_line(),
            found: Vec::new(),
            done: None,
            stop: stop.clone(),
        };
        let ids = review.nodes.clone();
        let work = move || review_all(&ids, record, nodes, &stop, &tell);
        let thread = thread::Builder::new()
            .name("review".to_owned())
            .stack_size(STACK_BYTES);
        thread.spawn(work).map_err(|error| error.to_string())?;
        Ok(review)
    }

    /// The review that a game had when it was on the board before; `None` if its moves are others
    /// now.
    pub(super) fn again(game: AnalyzedGame, tree: &Tree) -> Option<Review> {
        let mut nodes = tree.main_line();
        nodes.truncate(game.positions.len());
        let plies = game.record.plies.iter();
        let is_same = |(id, ply): (&usize, &Ply)| tree.node(*id).is_ok_and(|n| n.ply.m == ply.m);
        let are_same = nodes.iter().skip(1).zip(plies).all(is_same);
        if nodes.len() != game.positions.len() || !are_same {
            return None;
        }
        let positions = positions_of(&game.record);
        let from_the_end: Vec<AnalyzedPosition> = game.positions.iter().rev().cloned().collect();
        let found = (0..nodes.len()).map(|told| {
            let ply = nodes.len() - 1 - told;
            found(
                &game.record,
                &positions,
                ply,
                &from_the_end[..=told],
                &nodes,
            )
        });
        Some(Review {
            found: found.collect(),
            nodes,
            done: Some(game),
            stop: StopToken::new(),
        })
    }

    /// What a page that has just come needs to know.
    pub(super) fn json(&self) -> Value {
        json!({
            "total": self.nodes.len(),
            "found": self.found,
            "summary": self.done.as_ref().map(summary),
        })
    }

    /// Takes what was found of a position.
    pub(super) fn add(&mut self, value: Value) {
        self.found.push(value);
    }

    /// Writes evaluations and marks beside the moves of the main line.
    pub(super) fn write_into(&self, game: &AnalyzedGame, tree: &mut Tree) {
        let reviews = game.reviews();
        for (ply, id) in self.nodes.iter().skip(1).enumerate() {
            let Ok(node) = tree.node_mut(*id) else {
                return;
            };
            judge(
                &mut node.ply,
                &game.positions[ply + 1],
                reviews[ply].judgement,
            );
        }
    }

    /// Takes the marks of [`Review::write_into`] away again.
    pub(super) fn take_marks_from(&self, tree: &mut Tree) {
        let reviews = self.done.iter().flat_map(AnalyzedGame::reviews);
        for (review, id) in reviews.zip(self.nodes.iter().skip(1)) {
            if let (Some(judgement), Ok(node)) = (review.judgement, tree.node_mut(*id)) {
                node.ply
                    .nags
                    .retain(|nag| *nag != u16::from(judgement.nag()));
            }
        }
    }

    /// The review as a page of its own.
    pub(super) fn page(&self) -> Result<String, String> {
        let game = self.done.as_ref().ok_or("the review is not done yet")?;
        let mut page = Vec::new();
        let title = format!(
            "{} – {}",
            text::player(&game.record, Color::White),
            text::player(&game.record, Color::Black)
        );
        let written = report::begin(&mut page, &title)
            .and_then(|()| report::add_game(&mut page, 1, 0, game))
            .and_then(|()| report::end(&mut page, &Default::default(), &Default::default()));
        written.map_err(|error| error.to_string())?;
        String::from_utf8(page).map_err(|error| error.to_string())
    }
}

/// Reviews a game in a thread of its own.
fn review_all(
    ids: &[usize],
    record: GameRecord,
    nodes: u64,
    stop: &StopToken,
    tell: &dyn Fn(News),
) {
    let positions = positions_of(&record);
    let mut told = 0;
    let mut tell_found = |done: &[AnalyzedPosition]| {
        while told < done.len() {
            let ply = ids.len() - 1 - told;
            tell(News::Found(found(
                &record,
                &positions,
                ply,
                &done[..=told],
                ids,
            )));
            told += 1;
        }
    };
    let analyzed = catch_panic(|| {
        let mut analyzer = coach::analyzer(nodes)?;
        Ok(analyzer.analyze(record.clone(), stop, &mut tell_found))
    });
    match analyzed.flatten() {
        Ok(Ok(game)) => tell(News::Done(Box::new(game))),
        // Whoever stopped it knows.
        Ok(Err(Stopped)) => {}
        Err(reason) => tell(News::Failed(reason)),
    }
}

/// All positions of a game, the first one included.
fn positions_of(record: &GameRecord) -> Vec<VariantPosition> {
    let mut positions = vec![record.start.clone()];
    let mut position = record.start.clone();
    for ply in &record.plies {
        ply.play(&mut position);
        positions.push(position.clone());
    }
    positions
}

/// What was found in the position before ply number `ply`, which is the last of those that are
/// done, and of the move that was played there.
fn found(
    record: &GameRecord,
    positions: &[VariantPosition],
    ply: usize,
    done: &[AnalyzedPosition],
    ids: &[usize],
) -> Value {
    let Some((here, later)) = done.split_last() else {
        return Value::Null;
    };
    let best = here.lines.first();
    let mut value = json!({
        "id": ids[ply],
        "s": text::score(here.score, here.lines.is_empty()),
        "q": here.white_points,
        "d": best.map(|best| best.depth),
        "l": best.map(|best| line(&positions[ply], &best.moves)),
    });
    if let (Some(played), Some(after)) = (record.plies.get(ply), later.last()) {
        let mut one = GameRecord::new(positions[ply].clone());
        one.plies = vec![played.clone()];
        let review = judged(one, [here.clone(), after.clone()]);
        value["next"] = json!({
            "id": ids[ply + 1],
            "j": review.judgement.map(|judgement| judgement.rank()),
            "loss": (review.loss * 10.0).round() / 10.0,
        });
    }
    value
}

/// The review of a game of one move.
pub(super) fn judged(record: GameRecord, positions: [AnalyzedPosition; 2]) -> MoveReview {
    let game = AnalyzedGame {
        record,
        opening: None,
        positions: positions.into(),
    };
    game.reviews()[0]
}

/// The figures of both players.
pub(super) fn summary(game: &AnalyzedGame) -> Value {
    let side = |color| {
        let counts = game.counts(color);
        json!({
            "accuracy": game.accuracy(color).map(|accuracy| (accuracy * 10.0).round() / 10.0),
            "loss": game.average_centipawn_loss(color),
            "marks": [counts.inaccuracies, counts.mistakes, counts.blunders],
        })
    };
    json!([side(Color::White), side(Color::Black)])
}

/// The mistakes of a game as puzzles: the position before each, the best move, and the move that
/// was played.
pub(super) fn mistakes(
    game: &AnalyzedGame,
) -> Vec<(VariantPosition, shakmaty::Move, shakmaty::Move)> {
    let positions = positions_of(&game.record);
    let reviews = game.reviews().into_iter().enumerate();
    let is_mistake = |review: &MoveReview| review.judgement.is_some_and(|one| one.rank() >= 2);
    let mistakes = reviews.filter(|(_, review)| is_mistake(review));
    let found = mistakes.filter_map(|(ply, _)| {
        let best = *game.positions[ply].lines.first()?.moves.first()?;
        let position = positions.get(ply)?.clone();
        debug_assert!(position.is_legal(best), "the search plays by the rules");
        Some((position, best, game.record.plies[ply].m?))
    });
    found.collect()
}
