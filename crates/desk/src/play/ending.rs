//! How a game ends: its result and the reason, in words and as PGN records it.

use std::fmt;
use std::time::Duration;

use shakmaty::{Color, KnownOutcome, Outcome};
use squarewise_engine::position::variant_position::VariantPosition;

use squarewise_engine::position::draws::GameEnd;
use squarewise_engine::position::game::Game;

/// Why a game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    Rules(GameEnd),
    Resignation,
    /// Both sides want a draw.
    Agreement,
    /// The time of a side is over.
    TimeForfeit,
    /// The time of a side is over, and the other side could not mate by any moves.
    TimeForfeitWithoutMaterial,
    /// An engine has failed its game.
    Failure(Failure),
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

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The result; unknown if the game was not finished.
    pub outcome: Outcome,
    pub reason: Reason,
}

/// Why there is no game that begins at a position, in words; `None` if there is one.
pub fn end_in_words(start: &VariantPosition) -> Option<String> {
    let end = Game::new(start.clone()).end_by_the_rules()?;
    Some(Ending::by_the_rules(end).reason_in_words())
}

impl Ending {
    /// The end of a game by the rules alone.
    pub fn by_the_rules(end: GameEnd) -> Ending {
        match end.winner() {
            Some(winner) => Ending::win(winner, Reason::Rules(end)),
            None => Ending::draw(Reason::Rules(end)),
        }
    }

    pub fn win(winner: Color, reason: Reason) -> Ending {
        Ending {
            outcome: Outcome::Known(KnownOutcome::Decisive { winner }),
            reason,
        }
    }

    pub fn draw(reason: Reason) -> Ending {
        Ending {
            outcome: Outcome::Known(KnownOutcome::Draw),
            reason,
        }
    }

    /// A game that was not finished.
    pub fn unfinished(reason: Reason) -> Ending {
        Ending {
            outcome: Outcome::Unknown,
            reason,
        }
    }

    /// The reason, and who wins by it, such as `checkmate, White wins`.
    pub fn reason_in_words(&self) -> String {
        let Outcome::Known(KnownOutcome::Decisive { winner }) = self.outcome else {
            return self.reason_without_winner().to_owned();
        };
        let [winner, loser] = [winner, !winner].map(|side| side.fold_wb("White", "Black"));
        let how = match &self.reason {
            Reason::Resignation => format!("{loser} resigns"),
            Reason::TimeForfeit => format!("{loser} is out of time"),
            Reason::Failure(failure) => format!("{loser} {failure}"),
            Reason::Rules(GameEnd::WonByStalemate { .. }) => "stalemate".to_owned(),
            _ => "checkmate".to_owned(),
        };
        format!("{how}, {winner} wins")
    }

    fn reason_without_winner(&self) -> &'static str {
        match self.reason {
            Reason::Rules(GameEnd::Stalemate) => "stalemate, a draw",
            Reason::Rules(GameEnd::InsufficientMaterial) => {
                "neither side can mate with what is left, a draw"
            }
            Reason::Rules(GameEnd::ThreefoldRepetition) => "threefold repetition, a draw",
            Reason::Rules(GameEnd::FiftyMoves) => {
                "fifty moves without a capture or a pawn move, a draw"
            }
            Reason::TimeForfeitWithoutMaterial => {
                "one side is out of time and the other can't mate, a draw"
            }
            Reason::Agreement => "a draw by agreement",
            Reason::EndOfInput => "the input ended before the game",
            _ => "the game was interrupted",
        }
    }

    /// The value of the tag `Termination` of PGN.
    pub fn termination(&self) -> &'static str {
        match self.reason {
            Reason::TimeForfeit | Reason::TimeForfeitWithoutMaterial => "time forfeit",
            Reason::Failure(Failure::IllegalMove(_)) => "rules infraction",
            Reason::Failure(_) => "abandoned",
            Reason::Interrupted | Reason::EndOfInput => "unterminated",
            _ => "normal",
        }
    }
}

/// The result and the reason in one line, such as `1-0: checkmate, White wins`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.outcome, self.reason_in_words())
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
                Ending::by_the_rules(GameEnd::Checkmate { winner }),
                "1-0: checkmate, White wins",
                "normal",
            ),
            (
                Ending::win(Color::Black, Reason::Resignation),
                "0-1: White resigns, Black wins",
                "normal",
            ),
            (
                Ending::win(winner, Reason::TimeForfeit),
                "1-0: Black is out of time, White wins",
                "time forfeit",
            ),
            (
                Ending::by_the_rules(GameEnd::Stalemate),
                "1/2-1/2: stalemate, a draw",
                "normal",
            ),
            (
                Ending::win(winner, Reason::Failure(illegal)),
                "1-0: Black played e7e4, which is not a legal move, White wins",
                "rules infraction",
            ),
            (
                Ending::win(winner, Reason::Failure(dead)),
                "1-0: Black has ended: exit code 1, White wins",
                "abandoned",
            ),
            (
                Ending::unfinished(Reason::Interrupted),
                "*: the game was interrupted",
                "unterminated",
            ),
        ] {
            assert_eq!(ending.to_string(), sentence);
            assert_eq!(ending.termination(), termination);
        }
    }
}
