//! Training data: the positions of many games in little memory.
//!
//! A position takes 40 bytes, so that tens of millions of them fit into memory. Which features it
//! has is found out each time it is looked at, since a list of them would take many times as much.

use std::collections::HashSet;

use shakmaty::{Bitboard, Board, ByColor, ByRole, Color};

use super::game_format::TrainingGame;
use super::training_position::{GameResult, TrainingPosition};
use squarewise_engine::checksum::RunningChecksum;

/// One game in this many is kept for validation.
pub(super) const VALIDATION_SHARE: usize = 16;

/// A training position, packed: 40 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedPosition {
    white: Bitboard,
    /// The role of the piece on each square, 1 for a pawn to 6 for a king, one bit in each of the
    /// three.
    roles: [Bitboard; 3],
    /// The score in centipawns, from White's point of view.
    pub(super) score: i16,
    pub(super) result: GameResult,
    pub(super) turn: Color,
}

const _: () = assert!(size_of::<PackedPosition>() == 40);

impl PackedPosition {
    pub(super) fn new(position: &TrainingPosition) -> PackedPosition {
        let (by_role, by_color) = position.board.clone().into_bitboards();
        let ByRole {
            pawn,
            knight,
            bishop,
            rook,
            queen,
            king,
        } = by_role;
        PackedPosition {
            white: by_color.white,
            roles: [
                pawn | bishop | queen,
                knight | bishop | king,
                rook | queen | king,
            ],
            score: position.score,
            result: position.result,
            turn: position.turn,
        }
    }

    /// The pieces on their squares.
    pub(super) fn board(&self) -> Board {
        let [one, two, four] = self.roles;
        let occupied = one | two | four;
        let by_role = ByRole {
            pawn: one & !two & !four,
            knight: two & !one & !four,
            bishop: one & two & !four,
            rook: four & !one & !two,
            queen: four & one,
            king: four & two,
        };
        let by_color = ByColor {
            white: self.white,
            black: occupied & !self.white,
        };
        Board::try_from_bitboards(by_role, by_color)
            .expect("every occupied square has one role and one color")
    }
}

/// The positions of many games, some of them kept for validation.
#[derive(Debug, Default)]
pub struct TrainingData {
    games: usize,
    checksum: RunningChecksum,
    pub(super) training: Vec<PackedPosition>,
    pub(super) validation: Vec<PackedPosition>,
}

impl TrainingData {
    /// Adds a game. A position that comes up in it more than once counts once. Games are not split
    /// between training and validation, because the positions of one game are alike.
    pub fn add(&mut self, game: &TrainingGame) {
        let part = if self.games.is_multiple_of(VALIDATION_SHARE) {
            &mut self.validation
        } else {
            &mut self.training
        };
        let mut seen = HashSet::new();
        for position in &game.positions {
            self.checksum.add(&position.to_bytes());
            let packed = PackedPosition::new(position);
            // Who moves back and forth says nothing new.
            if seen.insert((packed.white, packed.roles, packed.turn)) {
                part.push(packed);
            }
        }
        self.games += 1;
        // Where a game ends decides which part the next positions belong to.
        self.checksum
            .add(&(game.positions.len() as u64).to_le_bytes());
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Whether there are positions to fit to and others to test the fit with.
    pub fn can_be_split(&self) -> bool {
        !self.training.is_empty() && !self.validation.is_empty()
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.training.len() + self.validation.len()
    }

    /// A checksum of all games, by which a fit to them is told from one to others.
    pub fn checksum(&self) -> u64 {
        self.checksum.value()
    }
}

impl<'a> FromIterator<&'a TrainingGame> for TrainingData {
    fn from_iter<Games: IntoIterator<Item = &'a TrainingGame>>(games: Games) -> TrainingData {
        let mut data = TrainingData::default();
        games.into_iter().for_each(|game| data.add(game));
        data
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    fn position(fen: &str, score: i16) -> TrainingPosition {
        let fen: Fen = fen.parse().expect("a valid FEN");
        let setup = fen.into_setup();
        TrainingPosition {
            board: setup.board,
            turn: setup.turn,
            castling_rights: Bitboard::EMPTY,
            en_passant: None,
            score,
            result: GameResult::BlackWins,
        }
    }

    #[test]
    fn a_packed_position_has_the_same_pieces() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/8/8/8/8/8/8/K1k5 w - - 0 1",
        ] {
            let position = position(fen, -123);
            let packed = PackedPosition::new(&position);
            assert_eq!(packed.board(), position.board);
            assert_eq!(packed.turn, position.turn);
            assert_eq!(packed.score, -123);
            assert_eq!(packed.result, GameResult::BlackWins);
        }
    }

    #[test]
    fn one_game_in_sixteen_is_kept_for_validation_and_repetitions_count_once() {
        let game = TrainingGame {
            positions: vec![
                position("8/8/8/8/8/8/8/K1k5 w - - 0 1", 0),
                position("8/8/8/8/8/8/8/K1k5 b - - 0 1", 0),
                position("8/8/8/8/8/8/8/K1k5 w - - 0 1", 5),
            ],
        };
        let data: TrainingData = std::iter::repeat_n(&game, 33).collect();
        assert_eq!(data.games(), 33);
        assert_eq!((data.training.len(), data.validation.len()), (60, 6));
        assert_eq!(data.positions(), 66);
    }

    #[test]
    fn other_positions_scores_results_and_games_have_another_checksum() {
        let start = || position("8/8/8/8/8/8/8/K1k5 w - - 0 1", 0);
        let won = TrainingPosition {
            result: GameResult::WhiteWins,
            ..start()
        };
        let sets: [&[&[TrainingPosition]]; 6] = [
            &[&[start(), start()]],
            &[&[start()], &[start()]],
            &[&[start(), position("8/8/8/8/8/8/8/K1k5 b - - 0 1", 0)]],
            &[&[start(), position("8/8/8/8/8/8/8/K1k5 w - - 0 1", 1)]],
            &[&[start(), won]],
            &[],
        ];
        let checksums = sets.map(|games| {
            let games = games.iter().map(|positions| TrainingGame {
                positions: positions.to_vec(),
            });
            let games: Vec<TrainingGame> = games.collect();
            games.iter().collect::<TrainingData>().checksum()
        });
        assert_eq!(HashSet::from(checksums).len(), checksums.len());
    }
}
