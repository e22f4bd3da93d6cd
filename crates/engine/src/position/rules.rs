//! The rules of chess and of nine of its variants: those that Tomasev, Paquet, Hassabis and Kramnik
//! let AlphaZero learn (*Assessing Game Balance with AlphaZero*, 2020, arXiv:2009.04374).
//!
//! In all of them a piece attacks what it attacks in chess, so checks, pins and attack tables are
//! those of chess. What differs is when one may castle, where pawns go without capturing, whether
//! own pieces may be captured, and what stalemate is worth. [`Rules`] lists exactly that.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use shakmaty::{Bitboard, Color, Rank, Square, attacks};

/// Chess or one of its variants, by the names that `UCI_Variant` and `--variant` take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Chess.
    #[default]
    Chess,
    /// Nobody castles.
    NoCastle,
    /// Nobody castles before move 11.
    NoCastle10,
    /// Pawns move by one square only.
    PawnOne,
    /// Whoever stalemates the opponent wins.
    StalemateWin,
    /// Pawns move by one or two squares from anywhere.
    Torpedo,
    /// Pawns move by one or two squares from their second and third rank.
    SemiTorpedo,
    /// Pawns also step back, but not behind their second rank.
    PawnBack,
    /// Pawns also step sideways.
    PawnSideways,
    /// Own pieces may be captured, except the king.
    SelfCapture,
}

impl Variant {
    /// Every variant, chess first, in the order of their numbers.
    pub const ALL: [Variant; 10] = [
        Variant::Chess,
        Variant::NoCastle,
        Variant::NoCastle10,
        Variant::PawnOne,
        Variant::StalemateWin,
        Variant::Torpedo,
        Variant::SemiTorpedo,
        Variant::PawnBack,
        Variant::PawnSideways,
        Variant::SelfCapture,
    ];

    /// The name in `UCI_Variant`, as Fairy-Stockfish has it where it knows the variant.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Chess => "chess",
            Variant::NoCastle => "nocastle",
            Variant::NoCastle10 => "nocastle10",
            Variant::PawnOne => "pawnone",
            Variant::StalemateWin => "stalematewin",
            Variant::Torpedo => "torpedo",
            Variant::SemiTorpedo => "semitorpedo",
            Variant::PawnBack => "pawnback",
            Variant::PawnSideways => "pawnsideways",
            Variant::SelfCapture => "selfcapture",
        }
    }

    /// What distinguishes the variant, in words for a list to choose from.
    pub const fn description(self) -> &'static str {
        match self {
            Variant::Chess => "Chess",
            Variant::NoCastle => "No castling",
            Variant::NoCastle10 => "No castling before move 11",
            Variant::PawnOne => "Pawns move by one square only",
            Variant::StalemateWin => "Stalemate wins",
            Variant::Torpedo => "Pawns move by one or two squares from anywhere",
            Variant::SemiTorpedo => "Pawns move by two squares from their third rank, too",
            Variant::PawnBack => "Pawns also step back",
            Variant::PawnSideways => "Pawns also step sideways",
            Variant::SelfCapture => "Own pieces may be captured",
        }
    }

    /// The rules of the variant.
    #[inline]
    pub fn rules(self) -> &'static Rules {
        &ALL_RULES[self as usize]
    }

    /// Whether an endgame without castling rights is that of chess, so that what is known of
    /// endgames in chess holds.
    pub fn has_endgames_of_chess(self) -> bool {
        let castling = CHESS.castling;
        let rules = *self.rules();
        Rules { castling, ..rules } == CHESS
    }

    const fn written_rules(self) -> Rules {
        match self {
            Variant::Chess => CHESS,
            Variant::NoCastle => Rules {
                castling: Castling::Never,
                ..CHESS
            },
            Variant::NoCastle10 => Rules {
                castling: Castling::FromMove(11),
                ..CHESS
            },
            Variant::PawnOne => Rules {
                double_steps_over: [Bitboard::EMPTY; 2],
                ..CHESS
            },
            Variant::StalemateWin => Rules {
                stalemate_wins: true,
                ..CHESS
            },
            Variant::Torpedo => Rules {
                double_steps_over: [Bitboard::FULL; 2],
                ..CHESS
            },
            Variant::SemiTorpedo => Rules {
                double_steps_over: [RANK_5.with_const(RANK_6), RANK_3.with_const(RANK_4)],
                ..CHESS
            },
            Variant::PawnBack => Rules {
                pawns_step_back: true,
                ..CHESS
            },
            Variant::PawnSideways => Rules {
                pawns_step_sideways: true,
                ..CHESS
            },
            Variant::SelfCapture => Rules {
                own_captures: true,
                ..CHESS
            },
        }
    }
}

impl Display for Variant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no variant's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no variant {0:?}; there are {names}", names = Variant::ALL.map(Variant::name).join(", "))]
pub struct UnknownVariant(String);

impl FromStr for Variant {
    type Err = UnknownVariant;

    /// Reads a name in any case.
    fn from_str(name: &str) -> Result<Variant, UnknownVariant> {
        Variant::ALL
            .into_iter()
            .find(|variant| variant.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownVariant(name.to_owned()))
    }
}

/// When a side may castle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Castling {
    /// As in chess.
    Always,
    /// Never.
    Never,
    /// From the move with this number on.
    FromMove(u32),
}

/// What distinguishes the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// When a side may castle.
    pub castling: Castling,
    /// The squares that a pawn may cross with a double step, indexed by its color (black first).
    pub double_steps_over: [Bitboard; 2],
    /// Whether pawns may step back, to their second rank at the farthest. No pawn move but a
    /// capture or a promotion is irreversible then.
    pub pawns_step_back: bool,
    /// Whether pawns may step sideways. Such a step is reversible.
    pub pawns_step_sideways: bool,
    /// Whether a piece may capture pieces of its own side, except the king.
    pub own_captures: bool,
    /// Whether a side without a legal move has lost even if it is not in check.
    pub stalemate_wins: bool,
}

impl Rules {
    /// The squares to which a pawn of a side can step from a square of an empty board.
    pub fn pawn_steps(&self, side: Color, from: Square) -> Bitboard {
        let ahead = |ranks: i32| Bitboard::from_iter(from.offset(side.fold_wb(8, -8) * ranks));
        let mut steps = ahead(1);
        if (ahead(1) & self.double_steps_over[usize::from(side)]).any() {
            steps |= ahead(2);
        }
        if self.pawns_step_back {
            steps |= ahead(-1) & !Bitboard::BACKRANKS;
        }
        if self.pawns_step_sideways {
            steps |= attacks::king_attacks(from) & Bitboard::from_rank(from.rank());
        }
        steps
    }
}

const RANK_3: Bitboard = Bitboard::from_rank(Rank::Third);
const RANK_4: Bitboard = Bitboard::from_rank(Rank::Fourth);
const RANK_5: Bitboard = Bitboard::from_rank(Rank::Fifth);
const RANK_6: Bitboard = Bitboard::from_rank(Rank::Sixth);

const CHESS: Rules = Rules {
    castling: Castling::Always,
    double_steps_over: [RANK_6, RANK_3],
    pawns_step_back: false,
    pawns_step_sideways: false,
    own_captures: false,
    stalemate_wins: false,
};

/// The rules of every variant by its number.
static ALL_RULES: [Rules; Variant::ALL.len()] = {
    let mut all = [CHESS; Variant::ALL.len()];
    let mut number = 0;
    while number < all.len() {
        all[number] = Variant::ALL[number].written_rules();
        number += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_is_found_by_its_name_and_by_its_number() {
        for (number, variant) in Variant::ALL.into_iter().enumerate() {
            assert_eq!(variant as usize, number);
            assert_eq!(variant.name().parse(), Ok(variant));
            assert_eq!(variant.name().to_uppercase().parse(), Ok(variant));
        }
        let error = "atomic".parse::<Variant>().expect_err("not one of them");
        assert!(
            error
                .to_string()
                .contains("\"atomic\"; there are chess, nocastle,")
        );
    }
}
