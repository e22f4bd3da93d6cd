//! Tables with random errors: how a weaker player evaluates a position.
//!
//! A person isn't wrong about every position in a new way, but has wrong ideas: knights on the rim
//! are fine, this bishop is worth a lot. So the errors are in the piece-square tables, the same in
//! every king bucket, and last for a game. They are smaller in the endgame, where less is a matter
//! of judgement.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use shakmaty::{Role, Square};

use super::features::Family;
use super::king_buckets::{BUCKET_SIZE, table_range};
use super::tables::Tables;
use super::tapered_score::{PackedScore, UNITS};

/// Errors in the endgame are smaller by this factor.
const ENDGAME_DIVISOR: i16 = 3;

impl Tables {
    /// These tables with an error in every square of every piece: normally distributed, with this
    /// standard deviation in centipawns in the middlegame. Of a pawn the errors are half as large.
    /// Endings are judged as before.
    pub fn misjudged(&self, deviation: u32, random: &mut ChaCha8Rng) -> Tables {
        let mut scores = self.scores().to_vec();
        let piece_square = &mut scores[self.layout().range(Family::PieceSquare)];
        for role in Role::ALL {
            let deviation = match role {
                Role::Pawn => deviation as i32 / 2,
                _ => deviation as i32,
            };
            for square in Square::ALL {
                let error = UNITS * deviation * normal(random) / 1_000;
                let index = table_range(false, role).start + usize::from(square);
                for bucket in piece_square.chunks_exact_mut(BUCKET_SIZE) {
                    add(&mut bucket[index], error);
                }
            }
        }
        let tables = Tables::from_scores(self.layout().clone(), scores, self.tempo() as i16);
        tables.with_endings_of(self)
    }
}

fn add(score: &mut PackedScore, error: i32) {
    let error = error.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    score.middlegame = score.middlegame.saturating_add(error);
    score.endgame = score.endgame.saturating_add(error / ENDGAME_DIVISOR);
}

/// A number from about the standard normal distribution, in thousandths: the sum of twelve uniform
/// ones (Irwin-Hall).
fn normal(random: &mut ChaCha8Rng) -> i32 {
    let uniform = |_| (random.next_u32() % 1_000) as i32;
    (0..12).map(uniform).sum::<i32>() - 6_000
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{Accumulator, TableSet, evaluate};
    use crate::position::rules::Variant;
    use rand_chacha::rand_core::SeedableRng;
    use shakmaty::{Board, Color};

    fn misjudged(deviation: u32, seed: u64) -> Tables {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        TableSet::Learned.tables().misjudged(deviation, &mut random)
    }

    /// The errors of the middlegame scores of a role, and the number of king buckets in which each
    /// square has another.
    fn errors(tables: &Tables, role: Role) -> (Vec<i32>, usize) {
        let right = TableSet::Learned.tables();
        let buckets = |tables: &Tables| -> Vec<Vec<i32>> {
            let scores = tables.scores_of(Family::PieceSquare);
            let bucket = |bucket: &[PackedScore]| {
                let table = &bucket[table_range(false, role)];
                table.iter().map(|s| i32::from(s.middlegame)).collect()
            };
            scores.chunks_exact(BUCKET_SIZE).map(bucket).collect()
        };
        let of_bucket = |(wrong, right): (&Vec<i32>, &Vec<i32>)| -> Vec<i32> {
            wrong.iter().zip(right).map(|(w, r)| w - r).collect()
        };
        let (wrong, right) = (buckets(tables), buckets(&right));
        let all: Vec<Vec<i32>> = wrong.iter().zip(&right).map(of_bucket).collect();
        let others = all.iter().filter(|errors| **errors != all[0]).count();
        (all[0].clone(), others)
    }

    #[test]
    fn errors_are_the_same_in_every_king_bucket_and_as_large_as_asked_for() {
        let tables = misjudged(100, 1);
        for (role, expected) in [(Role::Knight, 100.0), (Role::Pawn, 50.0)] {
            let (errors, others) = errors(&tables, role);
            assert_eq!(others, 0);
            let squares: i32 = errors.iter().map(|error| (error / UNITS).pow(2)).sum();
            let deviation = f64::from(squares / 64).sqrt();
            assert!(
                (0.75..1.25).contains(&(deviation / expected)),
                "{deviation}"
            );
        }
    }

    #[test]
    fn the_seed_decides_the_errors_and_without_deviation_there_are_none() {
        assert_eq!(misjudged(80, 7), misjudged(80, 7));
        assert_ne!(misjudged(80, 7), misjudged(80, 8));
        assert_eq!(
            misjudged(0, 7).scores(),
            TableSet::Learned.tables().scores()
        );
    }

    #[test]
    fn endings_are_judged_as_in_the_variant() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for (variant, has_endings) in [(Variant::Chess, true), (Variant::Torpedo, false)] {
            let tables = TableSet::Attacks.tables_for(variant);
            assert_eq!(tables.endings().is_some(), has_endings, "{variant}");
            let misjudged = tables.misjudged(3, &mut random);
            assert_eq!(misjudged.endings().is_some(), has_endings, "{variant}");
        }
    }

    #[test]
    fn both_sides_share_the_errors() {
        let tables = misjudged(200, 3);
        let score = |tables: &Tables, placement: &[u8], turn| {
            let board = Board::from_ascii_board_fen(placement).expect("a valid placement");
            evaluate(Accumulator::of(&board, tables), tables, &board, turn)
        };
        let (position, mirrored): (&[u8], &[u8]) = (
            b"6k1/5ppp/8/3n4/8/1B3N2/PP3PPP/6K1",
            b"6k1/pp3ppp/1b3n2/8/3N4/8/5PPP/6K1",
        );
        let misjudged = score(&tables, position, Color::White);
        assert_eq!(misjudged, score(&tables, mirrored, Color::Black));
        let right = score(&TableSet::Learned.tables(), position, Color::White);
        assert_ne!(misjudged, right);
    }
}
