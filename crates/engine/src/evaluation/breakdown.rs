//! The breakdown: an evaluation taken apart into exact terms, by piece and table.
//!
//! Everything that shows where a score comes from reads this one list: `eval`, `why` and the
//! report. A term has its exact score for the middlegame and the endgame, and its value in whole
//! centipawns at the phase of the position. The exact scores add up to the balance. The values are
//! rounded by the method of largest remainders, so that they add up to the evaluation too. Each is
//! less than one centipawn from its exact value, except what a piece has with its pawns, which is a
//! sum of rounded pairs.

use shakmaty::{Color, Position, Role, Square};

use super::accumulator::Accumulator;
use super::attack_terms;
use super::ending_terms;
use super::features::{Family, Feature, FeatureState};
use super::king_buckets::KingBuckets;
use super::pairs::PlacedPiece;
use super::rounding::{ExactPart, apportion, nearest, numerator};
use super::tables::{Tables, mean_as_enemy};
use super::tapered_score::{MAX_PHASE, TaperedScore};
use super::{blend, evaluate};
use crate::score::Score;

pub use super::terms::{
    AttackTerm, EndingTerm, FamilyTerm, PairTerm, PieceTerms, Source, Table, Term,
};

/// An evaluation and its terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakdown {
    /// Every piece, White's first, each side from a1 to h8.
    pub pieces: Vec<PieceTerms>,
    /// Every pair of a piece and a pawn; empty if the tables have none.
    pub pairs: Vec<PairTerm>,
    /// What belongs to no single piece, family by family.
    pub beyond_pieces: Vec<FamilyTerm>,
    /// Every attack that has a score, family by family; empty if the tables know no attacks. Those
    /// of a family and a side add up to its part of [`Breakdown::beyond_pieces`].
    pub attacks: Vec<AttackTerm>,
    /// The entries of an ending that has tables of its own, which count in place of all others;
    /// empty in any other position. They add up to the last of [`Breakdown::beyond_pieces`].
    pub ending: Vec<EndingTerm>,
    /// The sum of all exact scores, from White's point of view.
    pub balance: TaperedScore,
    /// The weight of the middlegame in the blend, 0 to [`MAX_PHASE`].
    pub phase: i32,
    /// The side to move.
    pub turn: Color,
    /// The bonus for the side to move, from White's point of view.
    pub tempo: i32,
    /// The evaluation from White's point of view, before a score is clamped: the sum of the values
    /// of the pieces and of everything below them.
    pub total: i32,
    /// The evaluation that the search uses, from the point of view of the side to move.
    pub score: Score,
}

impl Breakdown {
    /// Takes the evaluation of a position apart.
    pub fn of(position: &impl Position, tables: &Tables) -> Breakdown {
        let accumulator = Accumulator::of(position.board(), tables);
        let turn = position.turn();
        let ending = ending_terms::on(position.board(), turn, tables);
        let attacks = match ending {
            Some(_) => Vec::new(),
            None => attack_terms::on(position.board(), turn, tables),
        };
        let mut balance = accumulator.balance();
        for attack in &attacks {
            match attack.side {
                Color::White => balance += attack.exact,
                Color::Black => balance -= attack.exact,
            }
        }
        let mut tempo = turn.fold_wb(tables.tempo(), -tables.tempo());
        if let Some(terms) = &ending {
            balance = ending_terms::sum(terms);
            tempo = 0;
        }
        let mut breakdown = Breakdown {
            pieces: Vec::new(),
            pairs: Vec::new(),
            beyond_pieces: Vec::new(),
            attacks,
            ending: Vec::new(),
            balance,
            phase: accumulator.phase(),
            turn,
            tempo,
            total: blend(balance, accumulator.phase()) + tempo,
            score: evaluate(accumulator, tables, position.board(), turn),
        };
        breakdown.add_exact_terms(position, tables);
        if tables.attacks().is_some() {
            let families = attack_terms::of_families(&breakdown.attacks);
            breakdown.beyond_pieces.extend(families);
        }
        if tables.endings().is_some() {
            breakdown.add_ending(ending);
        }
        breakdown.round();
        if tables.pairs().is_some() {
            breakdown.add_pawn_terms();
        }
        breakdown
    }

    /// Those of [`Breakdown::beyond_pieces`] that matter to this position: without the ending if it
    /// is none that has tables of its own.
    pub fn shown_beyond_pieces(&self) -> impl Iterator<Item = &FamilyTerm> {
        let is_shown =
            |term: &&FamilyTerm| term.source != Source::Ending || !self.ending.is_empty();
        self.beyond_pieces.iter().filter(is_shown)
    }

    /// The terms of the piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<&PieceTerms> {
        self.pieces.iter().find(|piece| piece.square == square)
    }

    /// What the pawns add to the piece on a square, one by one: the other piece of each pair, and
    /// the part in centipawns from White's point of view. They add up to its term of
    /// [`Table::Pawns`].
    pub fn pairs_of(&self, square: Square) -> impl Iterator<Item = (PlacedPiece, i32)> {
        self.pairs.iter().filter_map(move |pair| {
            let other = if pair.piece.1 == square {
                pair.pawn
            } else if pair.pawn.1 == square {
                pair.piece
            } else {
                return None;
            };
            Some((other, pair.part_of(square, pair.value))).filter(|(_, part)| *part != 0)
        })
    }

    /// The weight of the middlegame in per cent.
    pub fn middlegame_share(&self) -> i32 {
        self.phase * 100 / MAX_PHASE
    }

    /// Finds the exact score of every feature on the board.
    fn add_exact_terms(&mut self, position: &impl Position, tables: &Tables) {
        let (board, layout) = (position.board(), tables.layout());
        let state = FeatureState::of(layout, board);
        let piece_squares = tables.scores_of(Family::PieceSquare);
        let enemy_means = Role::ALL.map(|role| mean_as_enemy(piece_squares, role));
        let is_plain = *layout.king_buckets() == KingBuckets::PLAIN;
        let mut add = |feature: Feature| {
            let exact = state
                .indices(layout, feature)
                .map(|index| tables.score(index));
            match feature {
                Feature::PieceSquare(piece, square) => {
                    let enemy_mean = enemy_means[usize::from(piece.role) - 1];
                    let values = (tables.piece_value(piece.role), enemy_mean);
                    let terms = piece_terms(values, piece.color, exact, is_plain);
                    self.pieces.push(PieceTerms {
                        square,
                        piece,
                        terms,
                        passed: Term::new(Table::Square, TaperedScore::default()),
                    });
                }
                Feature::PassedPawn((_, square)) => {
                    let mut pawns = self.pieces.iter_mut();
                    if let Some(pawn) = pawns.find(|piece| piece.square == square) {
                        pawn.add_passed(exact);
                    }
                }
                Feature::Pair { piece, pawn } => {
                    let [black, white] = exact;
                    self.pairs.push(PairTerm {
                        piece,
                        pawn,
                        exact: white - black,
                        value: 0,
                    });
                }
                Feature::Material => self.beyond_pieces.push(FamilyTerm {
                    source: Source::Family(feature.family()),
                    exact,
                    sides: [0; 2],
                }),
            }
        };
        state.for_each_feature(board, &mut add);
        if tables.pairs().is_some() {
            Feature::pairs_on(board).for_each(add);
        }
        self.pieces
            .sort_by_key(|piece| (piece.piece.color.is_black(), piece.square));
    }

    /// Adds what the ending is worth. If the position is an ending with tables of its own, which
    /// has these terms, nothing else is worth anything.
    fn add_ending(&mut self, terms: Option<Vec<EndingTerm>>) {
        let is_ending = terms.is_some();
        self.ending = terms.unwrap_or_default();
        if is_ending {
            let pieces = self.pieces.iter_mut();
            let of_pieces =
                pieces.flat_map(|piece| piece.terms.iter_mut().chain([&mut piece.passed]));
            of_pieces.for_each(|term| term.exact = TaperedScore::default());
            let families = self.beyond_pieces.iter_mut();
            families.for_each(|family| family.exact = [TaperedScore::default(); 2]);
            self.pairs.clear();
        }
        self.beyond_pieces.push(ending_terms::family(&self.ending));
    }

    /// Gives every term its value: the exact scores blended by the phase, and rounded so that they
    /// add up. Material is rounded last, so that pieces of a kind nearly always show the same
    /// value.
    fn round(&mut self) {
        let phase = self.phase;
        let numerator = |side, exact| numerator(side, exact, phase);
        let mut exact = Vec::new();
        for piece in &self.pieces {
            exact.extend(piece.terms.iter().map(|term| ExactPart {
                numerator: numerator(piece.piece.color, term.exact),
                is_material: term.table == Table::Material,
            }));
        }
        let part = |side, score| ExactPart {
            numerator: numerator(side, score),
            is_material: false,
        };
        for family in &self.beyond_pieces {
            let [black, white] = family.exact;
            exact.extend([part(Color::Black, black), part(Color::White, white)]);
        }
        exact.extend(self.pairs.iter().map(|pair| part(Color::White, pair.exact)));

        let mut rounded = apportion(&exact, self.total - self.tempo).into_iter();
        let mut next = || rounded.next().unwrap_or_default();
        for piece in &mut self.pieces {
            piece.terms.iter_mut().for_each(|term| term.value = next());
            piece.passed.value = nearest(numerator(piece.piece.color, piece.passed.exact));
        }
        for family in &mut self.beyond_pieces {
            family.sides = [-next(), next()];
        }
        self.pairs.iter_mut().for_each(|pair| pair.value = next());
        attack_terms::round(&mut self.attacks, &self.beyond_pieces, phase);
        if !self.ending.is_empty() {
            ending_terms::round(&mut self.ending, self.total, phase);
        }
    }

    /// Adds up what the pawns add to each piece.
    fn add_pawn_terms(&mut self) {
        for piece in &mut self.pieces {
            let mut of_pawns = Term::new(Table::Pawns, TaperedScore::default());
            for pair in &self.pairs {
                of_pawns.value += pair.part_of(piece.square, pair.value);
                let part = pair.exact_part_of(piece.square);
                match piece.piece.color {
                    Color::White => of_pawns.exact += part,
                    Color::Black => of_pawns.exact -= part,
                }
            }
            piece.terms.push(of_pawns);
        }
    }
}

/// The terms of a piece with these scores, indexed by the color of the side from whose perspective
/// they are. `material` is its value on any square, `enemy_mean` its average score as an enemy
/// piece: the term of the enemy king is how much more it counts for than that.
fn piece_terms(
    (material, enemy_mean): (TaperedScore, TaperedScore),
    side: Color,
    exact: [TaperedScore; 2],
    is_plain: bool,
) -> Vec<Term> {
    let [own, enemy] = [side, !side].map(|perspective| exact[usize::from(perspective)]);
    let bonus = own - enemy - material;
    let material = Term::new(Table::Material, material);
    if is_plain {
        return vec![material, Term::new(Table::Square, bonus)];
    }
    let of_enemy = enemy_mean - enemy;
    let terms = [
        (Table::OwnKing, bonus - of_enemy),
        (Table::EnemyKing, of_enemy),
    ];
    let terms = terms.map(|(table, exact)| Term::new(table, exact));
    [material].into_iter().chain(terms).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::TableSet;
    use crate::position::from_fen;
    use shakmaty::{CastlingMode, Chess, Role};

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1";

    fn breakdown_of(fen: &str, set: TableSet) -> Breakdown {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        Breakdown::of(&position, &set.tables())
    }

    #[test]
    fn the_exact_terms_add_up_to_the_balance_and_the_values_to_the_evaluation() {
        let position = from_fen(KIWIPETE, CastlingMode::Standard).expect("a legal position");
        for set in TableSet::ALL {
            let breakdown = Breakdown::of(&position, &set.tables());
            let mut balance = TaperedScore::default();
            let mut total = breakdown.tempo;
            for family in &breakdown.beyond_pieces {
                let [black, white] = family.exact;
                balance += white;
                balance -= black;
                total += family.value();
            }
            for piece in &breakdown.pieces {
                match piece.piece.color {
                    Color::White => balance += piece.exact(|_| true),
                    Color::Black => balance -= piece.exact(|_| true),
                }
                total += piece.total();
            }
            assert_eq!(breakdown.pieces.len(), 32);
            assert_eq!(balance, breakdown.balance);
            // It is Black's turn.
            assert_eq!(total, breakdown.total);
            assert_eq!(breakdown.score, Score::centipawns(-total));
        }
    }

    #[test]
    fn published_tables_give_the_published_values() {
        let breakdown = breakdown_of(KIWIPETE, TableSet::Simplified);
        let knight = breakdown.piece_on(Square::E5).expect("a knight");
        let terms = knight.terms.iter().map(|term| (term.table, term.value));
        let terms: Vec<(Table, i32)> = terms.collect();
        assert_eq!(terms, [(Table::Material, 320), (Table::Square, 20)]);
        let queen = breakdown.piece_on(Square::E7).expect("a queen");
        assert_eq!(queen.term(Table::Material), -900);
        assert_eq!(breakdown.total, 105);
    }

    #[test]
    fn tables_with_king_buckets_have_a_term_for_each_king() {
        let breakdown = breakdown_of(KIWIPETE, TableSet::Learned);
        for share in &breakdown.pieces {
            let tables: Vec<Table> = share.terms.iter().map(|term| term.table).collect();
            assert_eq!(
                tables,
                [Table::Material, Table::OwnKing, Table::EnemyKing],
                "{share:?}"
            );
        }
    }

    #[test]
    fn equal_sides_have_equal_shares() {
        let breakdown = Breakdown::of(&Chess::default(), &TableSet::Learned.tables());
        for share in &breakdown.pieces {
            let opposite = breakdown.piece_on(share.square.flip_vertical());
            let opposite = opposite.expect("the other side has this piece too");
            for term in &share.terms {
                assert_eq!(opposite.term(term.table), -term.value, "{share:?}");
            }
        }
        assert_eq!(breakdown.total, breakdown.tempo);
    }

    #[test]
    fn pieces_of_a_kind_show_the_same_material() {
        let breakdown = breakdown_of(
            "4k3/pppp4/8/5n2/8/8/PPPPPPPP/4KBNR w - - 0 1",
            TableSet::Learned,
        );
        let mut pawns = breakdown.pieces.iter();
        let first = pawns.find(|share| share.piece.role == Role::Pawn);
        let value = first.expect("a pawn").term(Table::Material);
        for share in pawns.filter(|share| share.piece.role == Role::Pawn) {
            assert_eq!(share.term(Table::Material).abs(), value, "{share:?}");
        }
    }
}
