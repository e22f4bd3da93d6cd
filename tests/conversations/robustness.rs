//! Robustness: positions of all kinds, many of them made to break engines.
//!
//! Each is searched, with legal moves as the answer, or refused with a reason.

use super::protocol::Referee;
use crate::support::Conversation;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode};
use squarewise_engine::position::from_epd;

/// Tactical positions and endgames.
fn positions() -> impl Iterator<Item = Chess> {
    let tactical = include_str!("../data/wacnew.epd").lines().step_by(2);
    let endgames = include_str!("../data/endgames.epd").lines();
    tactical.chain(endgames).map(|line| {
        let (position, _) = from_epd(line).expect("a legal position");
        position
    })
}

#[test]
fn best_moves_pvs_and_ponder_moves_are_legal_in_two_hundred_positions() {
    let mut engine = Conversation::start();
    let (mut searched, mut pvs_seen) = (0, 0);
    for position in positions() {
        let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        engine.send(&format!("position fen {fen}"));
        let answer = engine.search("go nodes 5000");
        Referee::new(&fen, CastlingMode::Standard).check_answer(&answer);
        pvs_seen += answer.iter().filter(|line| line.contains(" pv ")).count();
        searched += 1;
    }
    assert_eq!(searched, 200);
    assert!(pvs_seen > 1_000, "only {pvs_seen} pvs were seen");
}

#[test]
fn positions_that_broke_other_engines_are_searched_or_refused() {
    let suites = [
        include_str!("../data/destruction-test.epd"),
        include_str!("../data/grief-causers.epd"),
    ];
    let mut engine = Conversation::start();
    let (mut taken, mut refused) = (0, 0);
    for line in suites.iter().flat_map(|suite| suite.lines()) {
        let fen = line.split(';').next().expect("a line has a first part");
        engine.send("position startpos");
        engine.send(&format!("position fen {fen}"));
        let answer = engine.sync();
        match answer.as_slice() {
            [] => taken += 1,
            [reason] if reason.starts_with("info string ") => refused += 1,
            other => panic!("{line}: {other:?}"),
        }
        // Either way the engine plays on, from the new position or from the old one.
        let answer = engine.search("go nodes 3000");
        assert!(
            answer
                .last()
                .is_some_and(|line| line.starts_with("bestmove "))
        );
    }
    assert!(taken >= 12, "only {taken} positions were taken");
    assert!(refused >= 40, "only {refused} positions were refused");
}
