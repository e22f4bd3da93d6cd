//! Positions, moves and rules on the command line.

use std::io;
use std::path::Path;

use clap::Args;

use super::tell::tell;
use squarewise_engine::position::rules::Variant;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::position::{FenError, LeftOut, counters, epd_fields};

/// The rules to play by, which `play`, `analyze`, `why` and `perft` take.
#[derive(Clone, Copy, Debug, Args)]
pub struct RulesArgument {
    /// The variant to play: chess, nocastle, nocastle10, pawnone, stalematewin, torpedo,
    /// semitorpedo, pawnback, pawnsideways or selfcapture.
    #[arg(long, value_name = "NAME", default_value_t = Variant::Chess)]
    pub variant: Variant,
}

impl RulesArgument {
    /// The position of a text that was accepted as one, by these rules. What is left out
    /// of it is told on stderr.
    ///
    /// # Errors
    ///
    /// If the rules don't allow the position.
    pub fn position(self, text: &str) -> io::Result<VariantPosition> {
        let read = read_with_epd(text, self.variant);
        let (position, left_out) = read.map_err(io::Error::other)?;
        tell_left_out(left_out);
        Ok(position)
    }
}

/// The position of `startpos` or a FEN. Castling rights that only Chess960 has make it a Chess960
/// position.
fn read(text: &str, variant: Variant) -> Result<(VariantPosition, LeftOut), FenError> {
    match text {
        "startpos" => Ok((VariantPosition::start_of(variant), LeftOut::default())),
        fen => VariantPosition::from_fen(fen, None, variant),
    }
}

/// The same, but also from a line of EPD.
fn read_with_epd(text: &str, variant: Variant) -> Result<(VariantPosition, LeftOut), FenError> {
    read(text, variant).or_else(|error| {
        if matches!(error, FenError::OfOtherVariant) {
            return Err(error);
        }
        VariantPosition::from_fen(&fen_of_epd(text), None, variant)
    })
}

/// The FEN of a line of EPD: its fields, and the counters that can stand behind them.
fn fen_of_epd(line: &str) -> String {
    let (fields, operations) = epd_fields(line);
    match counters(operations) {
        Some((halfmoves, fullmoves)) => format!("{fields} {halfmoves} {fullmoves}"),
        None => fields,
    }
}

/// The same text, if it can be a position.
pub(super) fn position_text(text: &str) -> Result<String, String> {
    match read(text, Variant::Chess) {
        Ok(_) => Ok(text.to_owned()),
        Err(_) if Path::new(text).exists() => {
            Err("this is a file; give a position, as a FEN in quotation marks".to_owned())
        }
        Err(_) if !text.contains('/') => {
            Err("this is not a position: give a FEN in quotation marks, or startpos".to_owned())
        }
        Err(error) => Err(error.to_string()),
    }
}

/// The same text, if it can be a position, or the FEN of a line of EPD.
pub(super) fn position_or_epd(text: &str) -> Result<String, String> {
    position_text(text).or_else(|_| {
        let read = read_with_epd(text, Variant::Chess);
        read.map(|_| fen_of_epd(text))
            .map_err(|error| error.to_string())
    })
}

/// Tells what was left out of a position.
fn tell_left_out(left_out: LeftOut) {
    left_out.in_words().into_iter().for_each(tell);
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Position};

    #[test]
    fn a_fen_can_be_one_of_chess960() {
        let mode = |fen: &str| {
            let read = read(fen, Variant::Chess);
            read.map(|(position, _)| position.castles().mode())
                .map_err(|error| error.to_string())
        };
        assert_eq!(mode("startpos"), Ok(CastlingMode::Standard));
        let standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(mode(standard), Ok(CastlingMode::Standard));
        let shuffled = "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1";
        assert_eq!(mode(shuffled), Ok(CastlingMode::Chess960));
        assert!(mode("8/8/8/8/8/8/8/8 w - - 0 1").is_err());
    }

    #[test]
    fn a_rule_set_reads_a_fen_by_its_own_rules() {
        let torpedo = "4k3/8/8/pP6/8/8/8/4K3 w - a6 0 1";
        let crossed = "4k3/8/8/8/pP6/8/8/4K3 b - b3 0 1";
        let late = "4k3/8/p7/1P6/8/8/8/4K3 w - a7 0 1";
        let shuffled = "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1";
        let read = |variant, fen: &str| RulesArgument { variant }.position(fen);
        for fen in [torpedo, crossed, late, "startpos"] {
            let position = read(Variant::Torpedo, fen).expect("a position of torpedo chess");
            assert_eq!(position.variant(), Variant::Torpedo);
        }
        let error = read(Variant::SelfCapture, shuffled).expect_err("no Chess960");
        assert!(
            error
                .to_string()
                .contains("selfcapture can't be played as Chess960")
        );
        assert!(read(Variant::Torpedo, shuffled).is_ok());
    }

    #[test]
    fn what_looks_like_no_position_is_told_how_one_is_written() {
        let refused = |text: &str| position_text(text).expect_err("no position");
        assert!(refused("e4").contains("a FEN in quotation marks"));
        assert!(refused("8/8 w").contains("invalid board part"));
    }
}
