//! The evaluation taken apart, piece by piece, for people who want to see where a score comes from.

use shakmaty::{Board, Color, Piece, Position, Square};

use super::{Accumulator, MAX_PHASE, Tables, TaperedScore, evaluate};
use crate::score::Score;

/// What one piece adds to the evaluation. Values are its owner's: positive is good for its side.
#[derive(Clone, Copy, Debug)]
pub struct Contribution {
    /// Where it stands.
    pub square: Square,
    /// What it is.
    pub piece: Piece,
    /// Its worth wherever it stands.
    pub material: TaperedScore,
    /// What its square adds.
    pub table: TaperedScore,
}

/// An evaluation and its parts.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Every piece, White's first, each side from a1 to h8.
    pub contributions: Vec<Contribution>,
    /// What each side's army is worth beyond the sum of its pieces, indexed by color. Positive is good for
    /// its side.
    pub armies: [TaperedScore; 2],
    /// The balance of all pieces and of the armies, White's view.
    pub balance: TaperedScore,
    /// The weight of the middle game in the blend, out of [`MAX_PHASE`].
    pub phase: i32,
    /// What it is worth to be on the move.
    pub tempo: i32,
    /// The evaluation, from the view of the side to move.
    pub score: Score,
}

impl Explanation {
    /// The share of the middle game in per cent.
    pub fn middle_game_share(&self) -> i32 {
        self.phase * 100 / MAX_PHASE
    }
}

/// Takes the evaluation of a position apart.
pub fn explain(position: &impl Position, tables: &Tables) -> Explanation {
    let sums = Accumulator::of(position.board(), tables);
    let contributions = Color::ALL
        .into_iter()
        .flat_map(|color| contributions_of(position.board(), color, sums, tables))
        .collect();
    Explanation {
        contributions,
        armies: [Color::Black, Color::White].map(|side| tables.material_score(sums.army(side))),
        balance: sums.balance(),
        phase: sums.phase(),
        tempo: tables.tempo(),
        score: evaluate(sums, tables, position.turn()),
    }
}

fn contributions_of<'a>(
    board: &'a Board,
    color: Color,
    sums: Accumulator,
    tables: &'a Tables,
) -> impl Iterator<Item = Contribution> + 'a {
    let pieces = board.iter().filter(move |(_, piece)| piece.color == color);
    pieces.map(move |(square, piece)| {
        // What its owner sees in it, less what the enemy sees.
        let mut table = tables.weight(sums.view(color), false, piece.role, square);
        table -= tables.weight(sums.view(!color), true, piece.role, square);
        let material = tables.material(piece.role);
        table -= material;
        Contribution {
            square,
            piece,
            material,
            table,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::TableSet;
    use shakmaty::Chess;
    use shakmaty::fen::Fen;

    #[test]
    fn the_parts_add_up_to_the_whole() {
        let fen: Fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1"
            .parse()
            .expect("a valid FEN");
        let position: Chess = fen
            .into_position(shakmaty::CastlingMode::Standard)
            .expect("a legal position");
        for set in TableSet::ALL {
            let explanation = explain(&position, &set.tables());
            let [black, white] = explanation.armies;
            let mut balance = white;
            balance -= black;
            for part in &explanation.contributions {
                for share in [part.material, part.table] {
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
            let middle_game = balance.middle_game * explanation.phase;
            let end_game = balance.end_game * (MAX_PHASE - explanation.phase);
            let blended = (middle_game + end_game) / MAX_PHASE;
            assert_eq!(explanation.score.value(), explanation.tempo - blended);
        }
        let explanation = explain(&position, &TableSet::Simplified.tables());
        assert_eq!(explanation.score, Score::centipawns(-105));
    }
}
