//! The WDL model: how likely a win, a draw and a loss are, given a score and the material on the
//! board.
//!
//! The chance to win follows a logistic curve, `1 / (1 + exp((a - x) / b))`, where the strength `x`
//! is a power of the score in pawns, `sign(score) * |score|^p`. At the strength `a` a win is as
//! likely as not; `b` says how gradually the chance grows around it. All three depend on the
//! material that is left. The chance to lose is the other side's chance to win, and the rest are
//! draws. Where a variant has the endings of chess, only the part of the score is used that counts
//! in this kind of ending ([`drawishness`]).
//!
//! The idea is Stockfish's (<https://github.com/official-stockfish/WDL_model>), which has no
//! exponent. Here it makes high scores count less in endgames with few pieces, where an extra piece
//! often doesn't win. The numbers are fitted to the engine's own games: `docs/lab/wdl.md` tells
//! how, and how well they predict other games.

use std::fmt;

use shakmaty::{Board, Color, Position, Role};

use crate::drawishness;
use crate::position::variant_position::VariantPosition;
use crate::score::Score;

/// The amounts of material, in pawns of both sides, for which the model has a curve. Between two of
/// them it is interpolated; less than the first counts as the first. The last is the material of
/// the start position.
pub const KNOTS: [u32; 5] = [10, 20, 35, 55, 78];

/// The expected result of a game per mille, from the point of view of the side to move. The three
/// add up to 1,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinDrawLoss {
    /// How many of a thousand games are won.
    pub win: u16,
    /// How many are drawn.
    pub draw: u16,
    /// How many are lost.
    pub loss: u16,
}

impl WinDrawLoss {
    /// A certain win.
    pub const WIN: WinDrawLoss = WinDrawLoss::new(1_000, 0);
    /// A certain draw.
    pub const DRAW: WinDrawLoss = WinDrawLoss::new(0, 0);
    /// A certain loss.
    pub const LOSS: WinDrawLoss = WinDrawLoss::new(0, 1_000);

    const fn new(win: u16, loss: u16) -> WinDrawLoss {
        let draw = 1_000 - win - loss;
        WinDrawLoss { win, draw, loss }
    }

    /// The expected result of a game in which a search gave this score to the position, both from
    /// the point of view of `side`. Mates and tablebase results are certain.
    pub fn expected(score: Score, side: Color, position: &VariantPosition) -> WinDrawLoss {
        if score.is_decisive() {
            return if score > Score::DRAW {
                WinDrawLoss::WIN
            } else {
                WinDrawLoss::LOSS
            };
        }
        let board = position.board();
        let centipawns = score.value().into();
        let counted = if position.variant().has_endgames_of_chess() {
            drawishness::counted(centipawns, side, board)
        } else {
            centipawns
        };
        let chances = WdlModel::FITTED.curve(material(board)).chances(counted);
        // Rounded down, so that the draws are never negative; no win or loss is shown as certain
        // unless it is.
        let per_mille = |chance: f64| ((chance * 1_000.0) as u16).min(999);
        WinDrawLoss::new(per_mille(chances.win), per_mille(chances.loss))
    }

    /// White's expected points in a thousand games, 0 to 1,000, by a score from White's point of
    /// view.
    pub fn white_points(score: Score, position: &VariantPosition) -> u32 {
        WinDrawLoss::expected(score, Color::White, position).points()
    }

    /// The expected points of a thousand games, 0 to 1,000: a win counts one, a draw a half.
    pub fn points(self) -> u32 {
        u32::from(self.win) + u32::from(self.draw) / 2
    }
}

/// `W D L`, the numbers alone, as in an `info` line.
impl fmt::Display for WinDrawLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.win, self.draw, self.loss)
    }
}

/// The probabilities of the three results for one side; they add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// The chance to win.
    pub win: f64,
    /// The chance of a draw.
    pub draw: f64,
    /// The chance to lose.
    pub loss: f64,
}

/// The usual value of a piece in pawns: pawns 1, minor pieces 3, rooks 5, queens 9, kings 0.
pub fn points(role: Role) -> u32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

/// The material on the board in pawns, both sides together, by [`points`].
pub fn material(board: &Board) -> u32 {
    board.iter().map(|(_, piece)| points(piece.role)).sum()
}

/// The curve for one amount of material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinCurve {
    /// The strength at which a win is as likely as not.
    pub a: f64,
    /// How gradually the chance grows around it.
    pub b: f64,
    /// The exponent that turns scores into strengths.
    pub p: f64,
}

/// The model: a curve for each of the [`KNOTS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WdlModel(pub [WinCurve; KNOTS.len()]);

impl WdlModel {
    /// The model fitted to the engine's own games with the tables `Attacks`.
    pub const FITTED: WdlModel = WdlModel([
        WinCurve {
            a: 1.346,
            b: 0.187,
            p: 0.501,
        },
        WinCurve {
            a: 1.473,
            b: 0.596,
            p: 0.796,
        },
        WinCurve {
            a: 1.255,
            b: 0.587,
            p: 0.902,
        },
        WinCurve {
            a: 1.076,
            b: 0.704,
            p: 0.888,
        },
        WinCurve {
            a: 0.821,
            b: 0.724,
            p: 0.799,
        },
    ]);

    /// The curve for this material.
    pub fn curve(&self, material: u32) -> WinCurve {
        let mut curve = WinCurve {
            a: 0.0,
            b: 0.0,
            p: 0.0,
        };
        for (at_knot, weight) in self.0.iter().zip(knot_weights(material)) {
            curve.a += weight * at_knot.a;
            curve.b += weight * at_knot.b;
            curve.p += weight * at_knot.p;
        }
        curve
    }
}

impl WinCurve {
    /// The chances of a side to which a search gave this many centipawns.
    pub fn chances(&self, centipawns: f64) -> Chances {
        let strength = (centipawns.abs() / 100.0).powf(self.p).copysign(centipawns);
        let win = logistic((strength - self.a) / self.b);
        let loss = logistic((-strength - self.a) / self.b);
        let draw = 1.0 - win - loss;
        Chances { win, draw, loss }
    }

    /// The score at which a win is as likely as not, in centipawns.
    pub fn even_score(&self) -> f64 {
        100.0 * self.a.powf(1.0 / self.p)
    }
}

/// How much the curve of each of the [`KNOTS`] counts for this material: linear interpolation.
pub fn knot_weights(material: u32) -> [f64; KNOTS.len()] {
    let mut weights = [0.0; KNOTS.len()];
    let above = KNOTS.partition_point(|knot| *knot < material);
    match above.checked_sub(1) {
        None => weights[0] = 1.0,
        Some(below) if above == KNOTS.len() => weights[below] = 1.0,
        Some(below) => {
            let between = f64::from(material - KNOTS[below]);
            let share = between / f64::from(KNOTS[above] - KNOTS[below]);
            (weights[below], weights[above]) = (1.0 - share, share);
        }
    }
    weights
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::rules::Variant;

    /// Positions from the start position to bare kings.
    fn positions() -> Vec<VariantPosition> {
        let boards = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "r1bqk2r/ppp2ppp/2n2n2/3p4/3P4/2N2N2/PPP2PPP/R1BQK2R",
            "r3k2r/ppp2ppp/8/8/8/8/PPP2PPP/R3K2R",
            "4k3/pp3p2/8/8/8/8/PP3P2/4K2R",
            "4k3/8/8/8/8/8/4P3/4K3",
            "4k3/8/8/8/8/8/8/4K3",
        ];
        boards.map(|board| position(board, Variant::Chess)).into()
    }

    fn position(board: &str, variant: Variant) -> VariantPosition {
        let fen = format!("{board} w - - 0 1");
        let parsed = VariantPosition::from_fen(&fen, None, variant);
        parsed.expect("a legal position").0
    }

    fn expected(centipawns: i32, side: Color, position: &VariantPosition) -> WinDrawLoss {
        WinDrawLoss::expected(Score::centipawns(centipawns), side, position)
    }

    #[test]
    fn material_counts_both_sides() {
        let material = |position: &VariantPosition| material(position.board());
        let counts: Vec<u32> = positions().iter().map(material).collect();
        assert_eq!(counts, [78, 70, 32, 11, 1, 0]);
    }

    #[test]
    fn curves_are_interpolated_between_the_knots() {
        assert_eq!(knot_weights(0), [1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(knot_weights(20), [0.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(knot_weights(23), [0.0, 0.8, 0.2, 0.0, 0.0]);
        assert_eq!(knot_weights(90), [0.0, 0.0, 0.0, 0.0, 1.0]);
        for (knot, curve) in KNOTS.into_iter().zip(WdlModel::FITTED.0) {
            assert_eq!(WdlModel::FITTED.curve(knot), curve);
        }
    }

    #[test]
    fn chances_add_up_to_1000_and_are_the_same_for_both_sides() {
        for position in positions() {
            for centipawns in -30_000..=30_000 {
                let ours = expected(centipawns, Color::White, &position);
                let theirs = expected(-centipawns, Color::Black, &position);
                assert_eq!(ours.win + ours.draw + ours.loss, 1_000, "{centipawns}");
                assert_eq!((ours.win, ours.draw), (theirs.loss, theirs.draw));
            }
        }
    }

    #[test]
    fn a_better_score_never_wins_less_or_loses_more() {
        for position in positions() {
            let scores = -30_000..=30_000;
            let expected = |centipawns| expected(centipawns, Color::White, &position);
            let all: Vec<WinDrawLoss> = scores.map(expected).collect();
            assert!(all.is_sorted_by_key(|expected| expected.win));
            assert!(all.is_sorted_by_key(|expected| std::cmp::Reverse(expected.loss)));
            // Near equality it matters, and far away from it little is left to win.
            assert!(expected(150).win > expected(0).win + 50);
            assert!(expected(2_000).win > 900);
        }
    }

    #[test]
    fn only_decisive_scores_are_certain() {
        let position = VariantPosition::default();
        let expected = |score| WinDrawLoss::expected(score, Color::White, &position);
        for win in [
            Score::mate_in(1),
            Score::mate_in(90),
            Score::tablebase_win(7),
        ] {
            assert_eq!(expected(win), WinDrawLoss::WIN);
            assert_eq!(expected(-win), WinDrawLoss::LOSS);
        }
        assert_eq!(expected(Score::mated_in(0)), WinDrawLoss::LOSS);
        assert_eq!(expected(Score::centipawns(i32::MAX)).win, 999);
        assert_eq!(WinDrawLoss::LOSS.to_string(), "0 0 1000");
    }

    #[test]
    fn a_lead_draws_more_often_in_a_drawish_ending_where_endings_are_those_of_chess() {
        let draws = |variant| {
            let bishops = position("4k3/5ppp/3b4/8/8/3B4/4PPPP/4K3", variant);
            expected(100, Color::White, &bishops).draw
        };
        assert_eq!(draws(Variant::NoCastle), draws(Variant::Chess));
        for variant in [Variant::Torpedo, Variant::StalemateWin] {
            assert!(draws(variant) + 100 < draws(Variant::Chess), "{variant:?}");
        }
    }

    #[test]
    fn half_of_the_games_are_won_at_the_even_score() {
        for material in [0, 20, 40, 58, 78] {
            let curve = WdlModel::FITTED.curve(material);
            let chances = curve.chances(curve.even_score());
            assert!((chances.win - 0.5).abs() < 1e-9, "{chances:?}");
        }
    }

    #[test]
    fn a_pawn_is_about_an_even_chance_to_win_a_middlegame() {
        for material in 50..=78 {
            let even = WdlModel::FITTED.curve(material).even_score();
            assert!((75.0..130.0).contains(&even), "{even} at {material}");
        }
    }
}
