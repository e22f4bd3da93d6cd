//! Searches every position of a game.
//!
//! The last position comes first. When the search comes to an earlier one, the transposition table
//! knows what follows in the game, so that the played moves are seen deeper than by a search on its
//! own, and the scores of a position and the next agree better. That is what a chess program does
//! when a person goes through a game backwards.

use std::time::Duration;

use shakmaty::{Color, KnownOutcome, Outcome, Position};
use squarewise_engine::position::variant_position::VariantPosition;

use super::{AnalyzedGame, AnalyzedLine, AnalyzedPosition};
use crate::openings::opening_of;
use crate::pgn::GameRecord;
use squarewise_engine::position::draws::GameEnd;
use squarewise_engine::position::game::Game;
use squarewise_engine::score::Score;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::stop::{StopToken, Stopped};
use squarewise_engine::search::window::Bound;
use squarewise_engine::search::{
    Progress, SearchInfo, SearchOptions, SearchRequest, Searcher, SearcherError,
};
use squarewise_engine::wdl::WinDrawLoss;

/// How positions are searched.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What ends the search of a position.
    pub limits: Limits,
    /// The number of lines (MultiPV), 1 or more.
    pub lines: usize,
    /// The size of the transposition table, in MiB.
    pub hash_megabytes: usize,
    /// The number of search threads.
    pub threads: usize,
}

/// Analyzes one game after the other.
#[derive(Debug)]
pub struct Analyzer {
    searcher: Searcher,
    limits: Limits,
    options: SearchOptions,
}

impl Analyzer {
    /// An analyzer with these settings.
    ///
    /// # Errors
    ///
    /// [`SearcherError`] if there is no memory or the search threads can't be started.
    pub fn new(settings: &Settings) -> Result<Analyzer, SearcherError> {
        Ok(Analyzer {
            searcher: Searcher::with_threads(settings.hash_megabytes, settings.threads)?,
            limits: settings.limits.clone(),
            options: SearchOptions {
                move_overhead: Duration::ZERO,
                multi_pv: settings.lines,
                ..SearchOptions::default()
            },
        })
    }

    /// Analyzes a game. Calls `on_position` before and after each search, with the positions that
    /// are done, the last one of the game first. With a limit of nodes or depth and a single search
    /// thread, the same game gives the same result every time.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` was raised.
    pub fn analyze(
        &mut self,
        record: GameRecord,
        stop: &StopToken,
        on_position: &mut dyn FnMut(&[AnalyzedPosition]),
    ) -> Result<AnalyzedGame, Stopped> {
        self.searcher.new_game();
        let mut game = Game::new(record.start.clone());
        let mut is_third = vec![false];
        for ply in &record.plies {
            match ply.m {
                Some(m) => game.play(m),
                None => game.make_null_move(),
            }
            is_third.push(game.end_by_the_rules() == Some(GameEnd::ThreefoldRepetition));
        }
        let mut positions = Vec::with_capacity(record.plies.len() + 1);
        let mut score_by_rule = drawn_by_claim(&game, record.outcome);
        let played_on = last_unclaimed(is_third, score_by_rule.is_some());
        for ply in (0..=record.plies.len()).rev() {
            on_position(&positions);
            let by_rule = score_by_rule.take().or_else(|| result(game.position()));
            positions.push(match by_rule {
                Some(score) => finished(score, game.position()),
                // Nobody claimed what was repeated here, so the search must not score it as a draw.
                None if played_on.is_some_and(|last| ply <= last) => {
                    self.search(&Game::new(game.position().clone()), stop)
                }
                None => self.search(&game, stop),
            });
            // A search that was stopped has no result worth keeping.
            if stop.is_requested() {
                return Err(Stopped);
            }
            if ply > 0 {
                game.unmake_move();
            }
        }
        on_position(&positions);
        positions.reverse();
        let moves: Vec<_> = record.plies.iter().map_while(|ply| ply.m).collect();
        Ok(AnalyzedGame {
            opening: opening_of(&record.start, &moves),
            record,
            positions,
        })
    }

    /// Analyzes the position from which a record starts, and leaves out the moves. If `stop` is
    /// raised, the result is what was found until then.
    pub fn analyze_start(&mut self, mut record: GameRecord, stop: &StopToken) -> AnalyzedGame {
        record.plies.clear();
        self.searcher.new_game();
        let position = match result(&record.start) {
            Some(score) => finished(score, &record.start),
            None => {
                let game = Game::new(record.start.clone());
                self.search(&game, stop)
            }
        };
        AnalyzedGame {
            opening: opening_of(&record.start, &[]),
            record,
            positions: vec![position],
        }
    }

    fn search(&mut self, game: &Game, stop: &StopToken) -> AnalyzedPosition {
        let request = SearchRequest {
            options: self.options.clone(),
            stop: stop.child(),
            ..SearchRequest::of_variant(game.position().variant(), self.limits.clone())
        };
        let mut reported: Vec<SearchInfo> = Vec::new();
        let mut on_progress = |progress| {
            if let Progress::Info(info) = progress
                // Of several lines a bound is what is known of a line in the end.
                && (info.bound == Bound::Exact || self.options.multi_pv > 1)
            {
                reported.retain(|other| other.multipv != info.multipv);
                reported.push(info);
            }
        };
        let best = self.searcher.search(game, request, &mut on_progress).info;
        reported.sort_by_key(|info| info.multipv);
        // The best line comes from the end of the search, the others from the last iteration that
        // was finished.
        reported.retain(|other| other.pv.first() != best.pv.first());
        let infos = std::iter::once(best).chain(reported);
        let turn = game.position().turn();
        let lines = infos.take(self.options.multi_pv).map(|info| AnalyzedLine {
            score: turn.fold_wb(info.score, -info.score),
            depth: info.depth,
            moves: info.pv,
        });
        let lines: Vec<AnalyzedLine> = lines.collect();
        let score = lines[0].score;
        AnalyzedPosition {
            lines,
            score,
            white_points: WinDrawLoss::white_points(score, game.position()),
        }
    }
}

/// The score of a position in which the game is over by the rules, from White's point of view;
/// `None` if it goes on.
fn result(position: &VariantPosition) -> Option<Score> {
    let end = Game::new(position.clone()).end_by_the_rules()?;
    if matches!(end, GameEnd::ThreefoldRepetition | GameEnd::FiftyMoves) {
        return None; // A player has to claim these.
    }
    let decided = |winner: Color| winner.fold_wb(Score::mate_in(0), Score::mated_in(0));
    Some(end.winner().map_or(Score::DRAW, decided))
}

/// A draw if the last position of a drawn game has occurred three times, or if fifty moves have
/// passed: a player has claimed it. In other games nobody has.
fn drawn_by_claim(game: &Game, outcome: Outcome) -> Option<Score> {
    let is_drawn = outcome == Outcome::Known(KnownOutcome::Draw);
    let can_be_claimed = matches!(
        game.end_by_the_rules(),
        Some(GameEnd::ThreefoldRepetition | GameEnd::FiftyMoves)
    );
    (is_drawn && can_be_claimed).then_some(Score::DRAW)
}

/// The last position that has occurred three times without a claim, by the number of plies before
/// it; `is_third` says it of each position of the game. If the end was claimed, the unbroken row of
/// threefold repetitions before it counts as claimed.
fn last_unclaimed(mut is_third: Vec<bool>, is_claimed: bool) -> Option<usize> {
    if is_claimed {
        is_third.truncate(is_third.iter().rposition(|is_third| !is_third)?);
    }
    is_third.iter().rposition(|is_third| *is_third)
}

/// A position in which the game is over.
fn finished(score: Score, position: &VariantPosition) -> AnalyzedPosition {
    let white_points = if score == Score::DRAW {
        500
    } else {
        WinDrawLoss::white_points(score, position)
    };
    AnalyzedPosition {
        lines: Vec::new(),
        score,
        white_points,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Judgement;
    use crate::pgn::Games;
    use shakmaty::Color;

    fn settings(nodes: u64, lines: usize) -> Settings {
        Settings {
            limits: Limits::nodes(nodes),
            lines,
            hash_megabytes: 1,
            threads: 1,
        }
    }

    fn analyzed(pgn: &str, nodes: u64, lines: usize) -> AnalyzedGame {
        let game = Games::new(pgn.as_bytes()).next().expect("a game");
        let record = game.expect("text").record.expect("legal moves");
        let mut analyzer = Analyzer::new(&settings(nodes, lines)).expect("a mebibyte");
        let analyzed = analyzer.analyze(record, &StopToken::new(), &mut |_| ());
        analyzed.expect("nobody stops it")
    }

    #[test]
    fn a_stalemate_is_worth_what_the_rules_say() {
        for (variant, stalemated, expected) in [
            ("Chess", "Kb5", Score::DRAW),
            ("StalemateWin", "Kb5", Score::mate_in(0)),
        ] {
            let pgn = format!(
                "[Variant \"{variant}\"]\n[FEN \"k7/2Q5/8/8/2K5/8/8/8 w - - 0 1\"]\n\n1. {stalemated} *\n"
            );
            let game = analyzed(&pgn, 100, 1);
            let last = game.positions.last().expect("the end");
            assert_eq!(last.score, expected, "{variant}");
        }
    }

    #[test]
    fn a_mate_that_was_overlooked_and_one_that_was_allowed_are_blunders() {
        // White overlooks the mate and leaves the queen to be taken, Black takes no notice of
        // either.
        let moves = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. d3 Nd4 5. Qxf7# 1-0";
        let game = analyzed(moves, 2_000, 1);
        assert_eq!(game.positions.len(), 10);
        let judgements: Vec<_> = game
            .reviews()
            .iter()
            .map(|review| review.judgement)
            .collect();
        assert_eq!(judgements[5], Some(Judgement::Blunder), "3... Nf6");
        assert_eq!(judgements[6], Some(Judgement::Blunder), "4. d3");
        assert_eq!(judgements[8], None, "the mate");
        let last = &game.positions[9];
        assert!(last.lines.is_empty());
        assert_eq!(last.score.mate_moves(), Some(0));
        assert_eq!(last.white_points, 1_000);
        assert_eq!(game.positions[6].score.mate_moves(), Some(1));
        assert!(game.accuracy(Color::Black) < game.accuracy(Color::White));
    }

    #[test]
    fn finished_games_have_the_points_of_their_result() {
        for (fen, moves, points) in [
            ("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "1. Qc7 1/2-1/2", 500),
            ("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "1. Qc8# 1-0", 1_000),
            ("7k/8/8/8/8/8/1r6/K7 w - - 0 1", "1. Kxb2 1/2-1/2", 500),
            ("k7/8/1K6/8/8/8/8/2Q5 w - - 99 80", "1. Qd1 1/2-1/2", 500),
            ("k7/8/1K6/8/8/8/8/2Q5 w - - 99 80", "1. Qc8# 1-0", 1_000),
        ] {
            let game = analyzed(&format!("[FEN \"{fen}\"]\n\n{moves}"), 100, 1);
            let last = game.positions.last().expect("a position");
            assert!(last.lines.is_empty(), "{moves}");
            assert_eq!(last.white_points, points, "{moves}");
        }
    }

    #[test]
    fn a_repetition_counts_if_the_game_was_drawn_by_it() {
        let fen = "[FEN \"7k/8/8/8/8/8/8/1KQ5 w - - 0 1\"]\n\n";
        let moves = "1. Ka2 Kg8 2. Kb1 Kh8 3. Ka2 Kg8 4. Kb1 Kh8";
        let drawn = analyzed(&format!("{fen}{moves} 1/2-1/2"), 200, 1);
        assert_eq!(drawn.positions[8].white_points, 500);
        assert_eq!(drawn.reviews()[6].judgement, Some(Judgement::Blunder));
        let open = analyzed(&format!("{fen}{moves} *"), 200, 1);
        assert!(open.positions[8].white_points > 900);
    }

    #[test]
    fn a_repetition_that_nobody_claims_throws_nothing_away() {
        let fen = "[FEN \"7k/8/8/8/8/8/8/1KQ5 w - - 0 1\"]\n\n";
        let shuffled = "1. Ka2 Kg8 2. Kb1 Kh8 3. Ka2 Kg8 4. Kb1 Kh8 5. Ka2 Kg8";
        let marks = |moves: &str| {
            let game = analyzed(&format!("{fen}{moves}"), 200, 1);
            let reviews = game.reviews();
            reviews
                .iter()
                .filter(|review| review.judgement.is_some())
                .count()
        };
        assert_eq!(marks(&format!("{shuffled} 6. Qf4 1-0")), 0);
        assert_eq!(marks(&format!("{shuffled} 6. Qf4 1/2-1/2")), 0);
        // A claim can come later than at the third time, and after a repetition without one.
        assert!(marks(&format!("{shuffled} 1/2-1/2")) > 0);
        let again = "6. Qf4 Kh8 7. Qe4 Kg8 8. Qf4 Kh8 9. Qe4 Kg8 10. Qf4 Kh8";
        let moves = format!("{shuffled} {again} 1/2-1/2");
        let game = analyzed(&format!("{fen}{moves}"), 200, 1);
        let reviews = game.reviews();
        let marked = (0..reviews.len()).filter(|ply| reviews[*ply].judgement.is_some());
        assert_eq!(marked.collect::<Vec<_>>(), [18], "10. Qf4");
    }

    #[test]
    fn the_number_of_lines_is_that_asked_for_or_that_of_the_moves() {
        let game = analyzed("1. e4 e5", 2_000, 3);
        for position in &game.positions {
            assert_eq!(position.lines.len(), 3);
            assert_eq!(position.score, position.lines[0].score);
            let firsts: Vec<_> = position.lines.iter().map(|line| line.moves[0]).collect();
            assert!(firsts[0] != firsts[1] && firsts[1] != firsts[2] && firsts[0] != firsts[2]);
        }
        // Scores are White's: in a position with Black to move better lines have lower ones. The
        // first line comes from the end of the search, where its score can be another than in the
        // last iteration that was finished.
        let lines = &game.positions[1].lines;
        assert!(lines[1].score <= lines[2].score, "{lines:?}");
        let fen = "[FEN \"7k/8/8/8/8/8/1r6/K7 w - - 0 1\"]\n\n*";
        assert_eq!(analyzed(fen, 100, 3).positions[0].lines.len(), 1);
    }

    #[test]
    fn the_same_nodes_give_the_same_result_whatever_was_analyzed_before() {
        let pgn = "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 *";
        let mut analyzer = Analyzer::new(&settings(1_000, 1)).expect("a mebibyte");
        let mut analyze = || {
            let game = Games::new(pgn.as_bytes()).next().expect("a game");
            let record = game.expect("text").record.expect("legal moves");
            let game = analyzer.analyze(record, &StopToken::new(), &mut |_| ());
            let positions = game.expect("nobody stops it").positions;
            let best = positions
                .into_iter()
                .map(|position| (position.score, position.lines[0].moves.clone()));
            best.collect::<Vec<_>>()
        };
        assert_eq!(analyze(), analyze());
    }

    #[test]
    fn a_raised_token_stops_the_analysis() {
        let game = Games::new("1. e4 e5 *".as_bytes()).next().expect("a game");
        let record = game.expect("text").record.expect("legal moves");
        let mut analyzer = Analyzer::new(&settings(u64::MAX, 1)).expect("a mebibyte");
        let stop = StopToken::new();
        let raised = stop.clone();
        let result = analyzer.analyze(record, &stop, &mut |_| raised.request());
        assert!(result.is_err());
    }
}
