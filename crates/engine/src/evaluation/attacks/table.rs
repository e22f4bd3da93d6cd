//! The tables of attacks in the form in which the search looks them up.

use shakmaty::{Bitboard, Board, Color, Role};

use super::attack_map::{AttackMap, PieceAttacks};
use super::attack_pairs::{SeenAttack, flip, seen_attacks};
use super::king_counts::KING_COUNTS_SIZE;
use super::king_danger::{KING_ATTACKS, KingAttack};
use super::mobility::{MOBILITY_SIZE, Mobility};
use super::passed_path::PASSED_PATHS_SIZE;
use super::places::{PLACED, Places};
use super::surroundings::Surroundings;
use super::threats::THREATS_SIZE;
use super::wide_score::WideScore;
use super::{king_counts, passed_path, threats};
use crate::evaluation::layout::{Family, Layout};
use crate::evaluation::pairs::PIECE_ROLES;
use crate::evaluation::tapered_score::{PackedScore, TaperedScore};

/// The squares on which an attacker is looked up: those of four files.
const FROM: usize = 32;

/// The rows of attackers.
const ROWS: usize = PIECE_ROLES.len() * FROM;

/// The distance between the rows of attackers. The eight unused scores at the end keep rows from
/// competing for the same sets of the processor's cache.
const ROW: usize = PLACED + 8;

/// The scores of all families of attacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttackTable {
    threats: Box<[WideScore; THREATS_SIZE]>,
    mobility: Box<[WideScore; MOBILITY_SIZE]>,
    king_counts: Box<[WideScore; KING_COUNTS_SIZE]>,
    /// The sum of all parts of each attack on a king.
    king_danger: Box<[WideScore; KING_ATTACKS]>,
    passed_paths: Box<[WideScore; PASSED_PATHS_SIZE]>,
    /// The attack pairs of pieces: of each role on each square a row by what is attacked
    /// ([`super::places`]).
    piece_pairs: Box<[[WideScore; ROW]; ROWS]>,
    /// The attack pairs of pawns: of each color, towards the a-file and towards the h-file, a row
    /// by what is attacked.
    pawn_pairs: Box<[[[WideScore; PLACED]; 2]; 2]>,
}

impl AttackTable {
    /// The table of these scores, or `None` if all of them are zero, so that nothing needs to be
    /// looked up.
    pub fn new(layout: &Layout, scores: &[PackedScore]) -> Option<AttackTable> {
        let of = |family: Family| &scores[layout.range(family)];
        let mut families = Family::ALL.into_iter().filter(|family| family.is_attacks());
        if families.all(|family| {
            of(family)
                .iter()
                .all(|score| *score == PackedScore::default())
        }) {
            return None;
        }
        let mut king_danger = boxed(WideScore::default());
        for (score, attack) in king_danger.iter_mut().zip(KingAttack::all()) {
            for part in attack.parts() {
                score.add(of(Family::KingDanger)[part.place()].into());
            }
        }
        let mut table = AttackTable {
            threats: widened(of(Family::Threats)),
            mobility: widened(of(Family::Mobility)),
            king_counts: widened(of(Family::KingCounts)),
            king_danger,
            passed_paths: widened(of(Family::PassedPaths)),
            piece_pairs: boxed([WideScore::default(); ROW]),
            pawn_pairs: boxed([[WideScore::default(); PLACED]; 2]),
        };
        for (pair, score) in seen_attacks().zip(of(Family::AttackPairs)) {
            table.set_pair(pair, (*score).into());
        }
        Some(table)
    }

    /// Sets the score of a pair.
    fn set_pair(&mut self, pair: SeenAttack, score: WideScore) {
        let mut roles = PIECE_ROLES.into_iter();
        if let Some(role) = roles.find(|role| usize::from(*role) - 1 == pair.role) {
            let victim = pair.victim(Color::White, 0).seen(Color::White, 0);
            self.piece_pairs[row_of(role, pair.from)][victim] = score;
            return;
        }
        for side in Color::ALL {
            for to_left in [0, 7] {
                let flip = side.fold_wb(0, 56) ^ to_left;
                let is_to_h = usize::from((pair.to ^ flip) % 8 > (pair.from ^ flip) % 8);
                let victim = pair.victim(side, flip).seen(Color::White, 0);
                self.pawn_pairs[usize::from(side)][is_to_h][victim] = score;
            }
        }
    }

    /// What the attacks on a board are worth, White's scores minus Black's. It adds up what
    /// [`super::for_each_feature`] lists, family by family, so that each loop is compiled for its
    /// own kind of feature. `passed` are the passed pawns of Black and of White.
    #[inline(always)]
    pub fn balance(&self, board: &Board, turn: Color, passed: [Bitboard; 2]) -> TaperedScore {
        let (mut white, mut black) = (WideScore::default(), WideScore::default());
        let places = Places::of(board);
        let map = AttackMap::new(board, &places, |piece| {
            let sum = piece.side.fold_wb(&mut white, &mut black);
            self.add_piece(&places, piece, sum);
        });
        let [of_black, of_white] = passed;
        self.add_side(&map, turn, (Color::White, of_white), &mut white);
        self.add_side(&map, turn, (Color::Black, of_black), &mut black);
        white.subtract(black);
        white.into()
    }

    /// Adds the mobility of a piece and the pairs of which it is the attacker.
    #[inline(always)]
    fn add_piece(&self, places: &Places, piece: PieceAttacks, sum: &mut WideScore) {
        sum.add(self.mobility[Mobility::of(piece).place()]);
        let flip = flip(piece.side, piece.square);
        let row = &self.piece_pairs[row_of(piece.role, usize::from(piece.square) ^ flip)];
        for to in piece.attacks & places.victims {
            sum.add(row[places.on(to).seen(piece.side, flip)]);
        }
    }

    /// Adds everything else of a side with these passed pawns.
    #[inline(always)]
    fn add_side(
        &self,
        map: &AttackMap,
        turn: Color,
        (side, passed): (Color, Bitboard),
        sum: &mut WideScore,
    ) {
        let rows = &self.pawn_pairs[usize::from(side)];
        for (attacked, row) in map.side(side).by_pawns.into_iter().zip(rows) {
            for to in attacked & map.places.victims {
                sum.add(row[map.places.on(to).seen(Color::White, 0)]);
            }
        }
        threats::for_each(map, turn, side, |threat| {
            sum.add(self.threats[threat.place()]);
        });
        if let Some(around) = Surroundings::of_king(map, side) {
            king_counts::for_each(map, &around, |count| {
                sum.add(self.king_counts[count.place()]);
            });
            sum.add(self.king_danger[KingAttack::on(map, &around).place()]);
        }
        passed_path::for_each(map, side, passed, |path| {
            sum.add(self.passed_paths[path.place()]);
        });
    }
}

/// The row of a piece that stands on a square of the a- to d-files.
#[inline(always)]
fn row_of(role: Role, from: usize) -> usize {
    let role = usize::from(role) - usize::from(Role::Knight);
    role * FROM + from / 8 * 4 + from % 4
}

/// An array filled with one item: made where it stays, since the stack of a thread can be smaller.
fn boxed<T: Copy, const LENGTH: usize>(item: T) -> Box<[T; LENGTH]> {
    let items = vec![item; LENGTH].into_boxed_slice();
    items
        .try_into()
        .unwrap_or_else(|_| unreachable!("it has this length"))
}

/// The scores of a family.
fn widened<const LENGTH: usize>(scores: &[PackedScore]) -> Box<[WideScore; LENGTH]> {
    let mut widened = boxed(WideScore::default());
    for (wide, score) in widened.iter_mut().zip(scores) {
        *wide = (*score).into();
    }
    widened
}
