//! How a game ends: its result and the reason, in words and as PGN records it.

use std::fmt;
use std::time::Duration;

use shakmaty::{Color, KnownOutcome, Outcome};
use squarewise_engine::position::variant_position::VariantPosition;

use squarewise_engine::position::draws::GameEnd;
use squarewise_engine::position::game::Game;

/// The end of a game. A color is that of the side that loses by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Rules(GameEnd),
    Resignation(Color),
    /// Both sides want a draw.
    Agreement,
    /// The time of a side is over.
    TimeForfeit(Color),
    /// The time of a side is over, and the other side could not mate by any moves.
    TimeForfeitWithoutMaterial,
    /// An engine has failed its game.
    Failure(Color, Failure),
    /// The user has ended the program.
    Interrupted,
    /// The input has ended, and nobody is left who could move.
    EndOfInput,
}

/// How an engine loses by itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It has answered with something that is no legal move.
    #[error("played {0}, which is not a legal move")]
    IllegalMove(String),
    /// Its process has ended, or its output; the reason in words, as far as there is one.
    #[error("has ended: {0}")]
    Died(String),
    /// It has not answered for this long.
    #[error("does not answer: no move for {:.1} s", .0.as_secs_f64())]
    Hung(Duration),
    /// It has an internal error.
    #[error("has failed: {0}")]
    Internal(String),
}

/// Why there is no game that begins at a position, in words; `None` if there is one.
pub fn end_in_words(start: &VariantPosition) -> Option<String> {
    let end = Game::new(start.clone()).end_by_the_rules()?;
    Some(Ending::Rules(end).reason_in_words())
}

impl Ending {
    /// The result; unknown if the game was not finished.
    pub fn outcome(&self) -> Outcome {
        let winner = match self {
            Ending::Rules(end) => end.winner(),
            Ending::Resignation(loser) | Ending::TimeForfeit(loser) | Ending::Failure(loser, _) => {
                Some(!*loser)
            }
            Ending::Agreement | Ending::TimeForfeitWithoutMaterial => None,
            Ending::Interrupted | Ending::EndOfInput => return Outcome::Unknown,
        };
        Outcome::Known(KnownOutcome::from_winner(winner))
    }

    /// The reason, and who wins by it, such as `checkmate, White wins`.
    pub fn reason_in_words(&self) -> String {
        let name = |side: Color| side.fold_wb("White", "Black");
        let lost = |side: Color, how: &str| format!("{} {how}, {} wins", name(side), name(!side));
        let drawn = match self {
            Ending::Resignation(loser) => return lost(*loser, "resigns"),
            Ending::TimeForfeit(loser) => return lost(*loser, "is out of time"),
            Ending::Failure(loser, failure) => return lost(*loser, &failure.to_string()),
            Ending::Rules(GameEnd::Checkmate { winner }) => {
                return format!("checkmate, {} wins", name(*winner));
            }
            Ending::Rules(GameEnd::WonByStalemate { winner }) => {
                return format!("stalemate, {} wins", name(*winner));
            }
            Ending::Rules(GameEnd::Stalemate) => "stalemate",
            Ending::Rules(GameEnd::InsufficientMaterial) => {
                "neither side can mate with what is left"
            }
            Ending::Rules(GameEnd::ThreefoldRepetition) => "threefold repetition",
            Ending::Rules(GameEnd::FiftyMoves) => "the fifty-move rule",
            Ending::TimeForfeitWithoutMaterial => {
                "one side is out of time and the other can't mate"
            }
            Ending::Agreement => return "a draw by agreement".to_owned(),
            Ending::EndOfInput => return "the input ended before the game".to_owned(),
            Ending::Interrupted => return "the game was interrupted".to_owned(),
        };
        format!("{drawn}, a draw")
    }

    /// The value of the tag `Termination` of PGN.
    pub fn termination(&self) -> &'static str {
        match self {
            Ending::TimeForfeit(_) | Ending::TimeForfeitWithoutMaterial => "time forfeit",
            Ending::Failure(_, Failure::IllegalMove(_)) => "rules infraction",
            Ending::Failure(..) => "abandoned",
            Ending::Interrupted | Ending::EndOfInput => "unterminated",
            _ => "normal",
        }
    }
}

/// The result and the reason in one line, such as `1-0: checkmate, White wins`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.outcome(), self.reason_in_words())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_is_told_in_one_sentence_and_in_the_words_of_pgn() {
        let winner = Color::White;
        let illegal = Failure::IllegalMove("e7e4".to_owned());
        let dead = Failure::Died("exit code 1".to_owned());
        for (ending, sentence, termination) in [
            (
                Ending::Rules(GameEnd::Checkmate { winner }),
                "1-0: checkmate, White wins",
                "normal",
            ),
            (
                Ending::Resignation(Color::White),
                "0-1: White resigns, Black wins",
                "normal",
            ),
            (
                Ending::TimeForfeit(Color::Black),
                "1-0: Black is out of time, White wins",
                "time forfeit",
            ),
            (
                Ending::Rules(GameEnd::Stalemate),
                "1/2-1/2: stalemate, a draw",
                "normal",
            ),
            (
                Ending::Failure(Color::Black, illegal),
                "1-0: Black played e7e4, which is not a legal move, White wins",
                "rules infraction",
            ),
            (
                Ending::Failure(Color::Black, dead),
                "1-0: Black has ended: exit code 1, White wins",
                "abandoned",
            ),
            (
                Ending::Interrupted,
                "*: the game was interrupted",
                "unterminated",
            ),
        ] {
            assert_eq!(ending.to_string(), sentence);
            assert_eq!(ending.termination(), termination);
        }
    }
}
