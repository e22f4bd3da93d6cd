//! Games that were played elsewhere, as training games: what match programs write down as PGN.
//!
//! The positions are chosen as in self-play: quiet ones, with the score of the search that chose
//! the move. Moves without a score, such as those from a book, weren't searched and are left out.

use shakmaty::Outcome;

use super::game_format::TrainingGame;
use super::training_position::{GameResult, TrainingPosition, is_quiet};
use squarewise_desk::pgn::{GameRecord, noted_score};
use squarewise_engine::position::rules::Variant;

/// How games end that can be learned from, as the tag `Termination` says it: in the words of the
/// standard, of cutechess-cli and fastchess, and of c-chess-cli. All others, such as `time forfeit`
/// or `illegal move`, have a result that says nothing about the positions.
const TERMINATIONS: [&str; 7] = [
    "normal",
    "adjudication",
    "checkmate",
    "stalemate",
    "3-fold repetition",
    "50 moves rule",
    "insufficient material",
];

/// Words in the last comment of a game that ended in another way, in lower case. cutechess-cli and
/// fastchess write them even without the tag.
const ABORTED: [&str; 6] = [
    "on time",
    "time forfeit",
    "disconnect",
    "connection stall",
    "illegal move",
    "interrupted",
];

/// Why a game is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// It has no result.
    Unfinished,
    /// It was ended by a clock, a crash or a breach of the rules.
    Aborted,
    /// It is of a variant: its scores and results would teach tables of chess what is wrong there.
    OtherVariant,
    /// No quiet position of it has a score.
    NothingToLearn,
}

/// The training game of a game as it was written down.
///
/// # Errors
///
/// [`LeftOut`] says why there is nothing to learn from it.
pub fn training_game(record: &GameRecord) -> Result<TrainingGame, LeftOut> {
    if record.start.variant() != Variant::Chess {
        return Err(LeftOut::OtherVariant);
    }
    let Outcome::Known(outcome) = record.outcome else {
        return Err(LeftOut::Unfinished);
    };
    let result = outcome
        .winner()
        .map_or(GameResult::Draw, GameResult::won_by);
    let is_usual = |termination: &str| {
        let mut usual = TERMINATIONS.iter();
        usual.any(|usual| usual.eq_ignore_ascii_case(termination))
    };
    if !record.known_tag("Termination").is_none_or(is_usual) {
        return Err(LeftOut::Aborted);
    }
    let last = record.plies.last().map_or("", |ply| &ply.comment);
    let last = last.to_lowercase();
    if ABORTED.iter().any(|words| last.contains(words)) {
        return Err(LeftOut::Aborted);
    }
    let mut position = record.start.clone();
    let mut positions = Vec::new();
    for ply in &record.plies {
        if let Some(score) = noted_score(&ply.comment)
            && let Some(m) = ply.m
            && is_quiet(&position, m, score)
        {
            positions.push(TrainingPosition::new(&position, score, result));
        }
        ply.play(&mut position);
    }
    if positions.is_empty() {
        return Err(LeftOut::NothingToLearn);
    }
    Ok(TrainingGame { positions })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Color;
    use squarewise_desk::pgn::Games;

    fn games(pgn: &str) -> Vec<Result<TrainingGame, LeftOut>> {
        let games = Games::new(pgn.as_bytes());
        let records = games.map(|game| game.expect("readable").record.expect("a legal game"));
        records.map(|record| training_game(&record)).collect()
    }

    /// The side to move and White's score of each position of the only game.
    fn scores(pgn: &str) -> Vec<(Color, i16)> {
        let mut games = games(pgn);
        assert_eq!(games.len(), 1);
        let game = games.remove(0).expect("positions");
        let positions = game.positions.iter();
        positions
            .map(|position| (position.turn, position.score))
            .collect()
    }

    #[test]
    fn scores_are_turned_to_whites_point_of_view() {
        let pgn = "1. e4 {+0.31/12 0.051s} e5 {-0.20/11 0.05s} 2. Nf3 {book} Nc6 {+0.10/9} 1/2-1/2";
        let expected = [(Color::White, 31), (Color::Black, 20), (Color::Black, -10)];
        assert_eq!(scores(pgn), expected);
        let results = games(pgn).remove(0).map(|game| game.positions[0].result);
        assert_eq!(results, Ok(GameResult::Draw));
    }

    #[test]
    fn only_quiet_positions_without_a_decisive_score_are_kept() {
        let pgn = "1. e4 {+0.10/5} d5 {+0.11/5} 2. exd5 {+0.12/5} c6 {-0.13/5} 3. Bb5 {+0.14/5} \
                   cxb5 {+3.00/5} 4. Qe2 {-M8/5} a6 {+M9/5} 5. Qxb5+ {-3.10/5} Bd7 {+3.20/5} \
                   6. d6 {-199.90/5} b6 {+7.00/5} 0-1";
        // Captures, the move out of check, mates and a loss by the tablebases are missing.
        let expected = [
            (Color::White, 10),
            (Color::Black, -11),
            (Color::Black, 13),
            (Color::White, 14),
            (Color::Black, -700),
        ];
        assert_eq!(scores(pgn), expected);
    }

    #[test]
    fn games_of_chess960_and_those_that_black_begins_are_understood() {
        let fen = "nrbbqknr/pppppppp/8/8/8/4N3/PPPPPPPP/NRBBQK1R b HBhb - 1 1";
        let pgn = format!(
            "[SetUp \"1\"]\n[FEN \"{fen}\"]\n[Variant \"Chess960\"]\n[Termination \"adjudication\"]\n\n\
             c5 {{+0.10/8}} d4 {{+0.05/8}} d5 {{-0.02/8}} O-O {{+0.04/8}} 1-0"
        );
        let expected = [
            (Color::Black, -10),
            (Color::White, 5),
            (Color::Black, 2),
            (Color::White, 4),
        ];
        assert_eq!(scores(&pgn), expected);
    }

    #[test]
    fn games_of_variants_are_left_out() {
        let game = |variant: &str| {
            let text = format!("[Variant \"{variant}\"]\n\n1. e4 {{+0.31/12}} 1-0");
            games(&text).remove(0).map(|game| game.positions.len())
        };
        assert_eq!(game("Standard"), Ok(1));
        assert_eq!(game("Torpedo"), Err(LeftOut::OtherVariant));
    }

    #[test]
    fn games_whose_result_says_nothing_are_left_out() {
        let game = |termination: &str, moves: &str| {
            games(&format!("[Termination \"{termination}\"]\n\n{moves}")).remove(0)
        };
        let moves = "1. e4 {+0.31/12} 1-0";
        assert!(game("Normal", moves).is_ok());
        assert!(game("?", moves).is_ok());
        for termination in ["time forfeit", "abandoned", "illegal move", "unterminated"] {
            assert_eq!(game(termination, moves), Err(LeftOut::Aborted));
        }
        for termination in [
            "checkmate",
            "Stalemate",
            "3-fold repetition",
            "50 moves rule",
        ] {
            assert!(game(termination, moves).is_ok(), "{termination}");
        }
        // The last comment tells it too.
        for reason in [
            "Black loses on time",
            "Black disconnects",
            "Black's connection stalls",
            "Black's connection stalled",
            "Black made an illegal move: e9",
            "Black makes an illegal move",
            "Game interrupted",
        ] {
            let moves = format!("1. e4 {{+0.31/12 0.1s, {reason}}} 1-0");
            assert_eq!(game("?", &moves), Err(LeftOut::Aborted), "{reason}");
        }
        for reason in ["White mates", "Black resigns", "White wins by adjudication"] {
            let moves = format!("1. e4 {{+0.31/12 0.1s, {reason}}} 1-0");
            assert!(game("?", &moves).is_ok(), "{reason}");
        }
        let unfinished = game("normal", "1. e4 {+0.31/12} *");
        assert_eq!(unfinished, Err(LeftOut::Unfinished));
        let without_scores = game("normal", "1. e4 {book} e5 1-0");
        assert_eq!(without_scores, Err(LeftOut::NothingToLearn));
    }
}
