//! Explanations: the evaluation taken apart, piece by piece, for people who want to see where a score comes
//! from.
//!
//! The command `eval` shows them. The parts add up exactly to the balance that the engine evaluates by.
//! [`super::shares`] blends them by the phase and rounds them to whole centipawns.

use shakmaty::{Color, Piece, Position, Role, Square};

use super::accumulator::Accumulator;
use super::evaluate;
use super::features::{Family, Feature, FeatureState};
use super::pairs::PlacedPiece;
use super::tables::{Tables, mean_as_enemy};
use super::tapered_score::{MAX_PHASE, TaperedScore};
use crate::score::Score;

/// The contribution of one piece to the evaluation. Positive values are good for its owner.
#[derive(Clone, Copy, Debug)]
pub struct Contribution {
    /// The square of the piece.
    pub square: Square,
    /// The piece.
    pub piece: Piece,
    /// Its value on any square.
    pub piece_value: TaperedScore,
    /// The bonus of its square.
    pub square_bonus: TaperedScore,
    /// The part of that bonus that the perspective of the other side gives it, from behind the enemy king: how much
    /// more it counts for than a piece of its kind does on average.
    pub enemy_king_bonus: TaperedScore,
    /// The part of the bonus of the square that it has for being a passed pawn; zero if it is none.
    pub passed_bonus: TaperedScore,
    /// What the pawns on the board add to it, or take from it: its part of every pair that it is one of. Zero if the
    /// tables have no pairs.
    pub pawn_bonus: TaperedScore,
}

impl Contribution {
    /// Adds what a passed pawn is worth for being passed: its scores, indexed by the color of the side from whose
    /// perspective they are.
    fn add_passed(&mut self, scores: [TaperedScore; 2]) {
        let own = scores[usize::from(self.piece.color)];
        let enemy = scores[usize::from(!self.piece.color)];
        self.enemy_king_bonus -= enemy;
        self.passed_bonus += own;
        self.passed_bonus -= enemy;
        self.square_bonus += self.passed_bonus;
    }
}

/// What a piece is worth because of a pawn, or two pawns because of each other.
#[derive(Clone, Copy, Debug)]
pub struct PairContribution {
    /// The piece or, of two pawns, that on the higher square.
    pub piece: PlacedPiece,
    /// The pawn.
    pub pawn: PlacedPiece,
    /// The value, from White's point of view.
    pub value: TaperedScore,
}

impl PairContribution {
    /// The part that counts as that of the piece on a square: all of it if a pawn stands by a piece, half of it if two
    /// pawns stand by each other. What can't be halved goes to the pawn on the higher square.
    pub fn part_of(&self, square: Square) -> TaperedScore {
        let part = |value| part_of_pair(self.piece, self.pawn, square, value);
        TaperedScore {
            middlegame: part(self.value.middlegame),
            endgame: part(self.value.endgame),
        }
    }
}

/// The part of a pair's value that counts as that of the piece on a square.
pub(super) fn part_of_pair(
    (piece, place): PlacedPiece,
    (_, pawn_place): PlacedPiece,
    square: Square,
    value: i32,
) -> i32 {
    let half = value / 2;
    match piece.role {
        Role::Pawn if square == place => value - half,
        Role::Pawn if square == pawn_place => half,
        Role::Pawn => 0,
        _ if square == place => value,
        _ => 0,
    }
}

/// An evaluation with its parts.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Every piece, White's first, each side from a1 to h8.
    pub contributions: Vec<Contribution>,
    /// Every pair of a piece and a pawn; empty if the tables have none.
    pub pairs: Vec<PairContribution>,
    /// The scores of each side that belong to no single piece, such as the material imbalance, by family. They are
    /// indexed by color: positive values are good for that side.
    pub beyond_pieces: Vec<(Family, [TaperedScore; 2])>,
    /// The sum of everything above, from White's point of view.
    pub balance: TaperedScore,
    /// The weight of the middlegame in the blend, 0 to [`MAX_PHASE`].
    pub phase: i32,
    /// The bonus for the side to move, in centipawns.
    pub tempo: i32,
    /// The evaluation, from the point of view of the side to move.
    pub score: Score,
}

impl Explanation {
    /// The weight of the middlegame in per cent.
    pub fn middlegame_share(&self) -> i32 {
        self.phase * 100 / MAX_PHASE
    }
}

/// Takes the evaluation of a position apart.
pub fn explain(position: &impl Position, tables: &Tables) -> Explanation {
    let (board, layout) = (position.board(), tables.layout());
    let accumulator = Accumulator::of(board, tables);
    let state = FeatureState::of(layout, board);
    let piece_squares = tables.scores_of(Family::PieceSquare);
    let enemy_means = Role::ALL.map(|role| mean_as_enemy(piece_squares, role));
    let mut contributions: Vec<Contribution> = Vec::new();
    let mut beyond_pieces = Vec::new();
    let mut pairs: Vec<PairContribution> = Vec::new();
    let mut add = |feature: Feature| {
        let indices = state.indices(layout, feature);
        let scores = indices.map(|index| tables.score(index));
        match feature {
            Feature::PieceSquare(piece, square) => {
                let enemy_mean = enemy_means[usize::from(piece.role) - 1];
                let values = (tables.piece_value(piece.role), enemy_mean);
                contributions.push(contribution(values, piece, square, scores));
            }
            Feature::PassedPawn((_, square)) => {
                let mut pawns = contributions.iter_mut();
                if let Some(pawn) = pawns.find(|part| part.square == square) {
                    pawn.add_passed(scores);
                }
            }
            Feature::Pair { piece, pawn } => {
                let [black, mut value] = scores;
                value -= black;
                pairs.push(PairContribution { piece, pawn, value });
            }
            Feature::Material => beyond_pieces.push((feature.family(), scores)),
        }
    };
    state.for_each_feature(board, &mut add);
    if tables.pairs().is_some() {
        Feature::pairs_on(board).for_each(add);
    }
    contributions.sort_by_key(|part| (part.piece.color.is_black(), part.square));
    for contribution in &mut contributions {
        for pair in &pairs {
            let part = pair.part_of(contribution.square);
            match contribution.piece.color {
                Color::White => contribution.pawn_bonus += part,
                Color::Black => contribution.pawn_bonus -= part,
            }
        }
    }
    Explanation {
        contributions,
        pairs,
        beyond_pieces,
        balance: accumulator.balance(),
        phase: accumulator.phase(),
        tempo: tables.tempo(),
        score: evaluate(accumulator, tables, position.turn()),
    }
}

/// The contribution of a piece with these scores, indexed by the color of the side from whose perspective they
/// are. `values` are its value on any square, and its average score as an enemy piece.
fn contribution(
    values: (TaperedScore, TaperedScore),
    piece: Piece,
    square: Square,
    scores: [TaperedScore; 2],
) -> Contribution {
    let (piece_value, enemy_mean) = values;
    let mut square_bonus = scores[usize::from(piece.color)];
    square_bonus -= scores[usize::from(!piece.color)];
    square_bonus -= piece_value;
    let mut enemy_king_bonus = enemy_mean;
    enemy_king_bonus -= scores[usize::from(!piece.color)];
    Contribution {
        square,
        piece,
        piece_value,
        square_bonus,
        enemy_king_bonus,
        passed_bonus: TaperedScore::default(),
        pawn_bonus: TaperedScore::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::TableSet;
    use crate::position::from_fen;
    use shakmaty::CastlingMode;

    #[test]
    fn the_parts_add_up_to_the_evaluation() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1";
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        for set in TableSet::ALL {
            let explanation = explain(&position, &set.tables());
            let mut balance = TaperedScore::default();
            for (_, [black, white]) in &explanation.beyond_pieces {
                balance += *white;
                balance -= *black;
            }
            let families = explanation.beyond_pieces.iter().map(|(family, _)| *family);
            assert_eq!(families.collect::<Vec<_>>(), [Family::Material]);
            for part in &explanation.contributions {
                for share in [part.piece_value, part.square_bonus, part.pawn_bonus] {
                    if part.piece.color.is_white() {
                        balance += share
                    } else {
                        balance -= share
                    }
                }
            }
            assert_eq!(explanation.contributions.len(), 32);
            assert_eq!(balance, explanation.balance);
            // It is Black's turn.
            let middlegame = balance.middlegame * explanation.phase;
            let endgame = balance.endgame * (MAX_PHASE - explanation.phase);
            let blended = (middlegame + endgame) / MAX_PHASE;
            assert_eq!(explanation.score.value(), explanation.tempo - blended);
        }
        let explanation = explain(&position, &TableSet::Simplified.tables());
        assert_eq!(explanation.score, Score::centipawns(-105));
    }
}
