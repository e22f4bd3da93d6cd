//! How a game ends: its result and the reason, in words and as PGN records it.

use std::fmt;
use std::time::Duration;

use shakmaty::{Color, KnownOutcome, Outcome};

/// Why a game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side has the pieces to mate.
    InsufficientMaterial,
    /// The position has occurred for the third time.
    ThreefoldRepetition,
    /// Fifty moves of each side without a capture or a pawn move.
    FiftyMoves,
    /// A side gives up.
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
    /// Its process has ended, or its output; what is known of it in words.
    #[error("has ended: {0}")]
    Died(String),
    /// It has not answered for this long.
    #[error("does not answer: nothing for {:.1} s", .0.as_secs_f64())]
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
    /// Why it is over.
    pub reason: Reason,
}

impl Ending {
    /// A win.
    pub fn win(winner: Color, reason: Reason) -> Ending {
        Ending {
            outcome: Outcome::Known(KnownOutcome::Decisive { winner }),
            reason,
        }
    }

    /// A draw.
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

/// The result and the reason in one sentence, such as `1-0: checkmate, White wins`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let winner = match self.outcome {
            Outcome::Known(KnownOutcome::Decisive { winner }) => Some(winner),
            _ => None,
        };
        let loser = winner.map_or("", |winner| (!winner).fold_wb("White", "Black"));
        write!(f, "{}: ", self.outcome)?;
        match &self.reason {
            Reason::Checkmate => write!(f, "checkmate"),
            Reason::Stalemate => write!(f, "stalemate, a draw"),
            Reason::InsufficientMaterial => {
                write!(f, "neither side has enough material to mate, a draw")
            }
            Reason::ThreefoldRepetition => write!(f, "threefold repetition, a draw"),
            Reason::FiftyMoves => write!(f, "fifty moves without progress, a draw"),
            Reason::Resignation => write!(f, "{loser} resigns"),
            Reason::Agreement => write!(f, "a draw by agreement"),
            Reason::TimeForfeit => write!(f, "{loser} is out of time"),
            Reason::TimeForfeitWithoutMaterial => write!(
                f,
                "a draw, for one side is out of time and the other could not mate"
            ),
            Reason::Failure(failure) => write!(f, "{loser} {failure}"),
            Reason::Interrupted => write!(f, "the game was interrupted"),
            Reason::EndOfInput => write!(f, "the input ended before the game"),
        }?;
        match winner {
            Some(winner) => write!(f, ", {} wins", winner.fold_wb("White", "Black")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_is_told_in_one_sentence() {
        for (ending, expected) in [
            (
                Ending::win(Color::White, Reason::Checkmate),
                "1-0: checkmate, White wins",
            ),
            (
                Ending::win(Color::Black, Reason::Resignation),
                "0-1: White resigns, Black wins",
            ),
            (
                Ending::draw(Reason::Stalemate),
                "1/2-1/2: stalemate, a draw",
            ),
            (
                Ending::win(
                    Color::White,
                    Reason::Failure(Failure::IllegalMove("e7e4".to_owned())),
                ),
                "1-0: Black played e7e4, which is not a legal move, White wins",
            ),
            (
                Ending::unfinished(Reason::Interrupted),
                "*: the game was interrupted",
            ),
        ] {
            assert_eq!(ending.to_string(), expected);
        }
    }

    #[test]
    fn pgn_knows_its_own_words_for_the_reason() {
        let lost = |reason| Ending::win(Color::White, reason).termination();
        assert_eq!(lost(Reason::Checkmate), "normal");
        assert_eq!(lost(Reason::TimeForfeit), "time forfeit");
        let failure = Failure::IllegalMove("0000".to_owned());
        assert_eq!(lost(Reason::Failure(failure)), "rules infraction");
        let failure = Failure::Died("exit code 1".to_owned());
        assert_eq!(lost(Reason::Failure(failure)), "abandoned");
        let interrupted = Ending::unfinished(Reason::Interrupted);
        assert_eq!(interrupted.termination(), "unterminated");
    }
}
