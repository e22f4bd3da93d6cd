//! The men of an ending as its tables see them, and the entries that they add up.

use arrayvec::ArrayVec;
use shakmaty::{Board, Color, File, Role, Square};

use super::{Ending, MAX_MEN};

/// The entries for two men by how far they are apart: files, and ranks from the first to the
/// second.
const APART: usize = 8 * 15;

/// The kind of the strong side's king.
const STRONG_KING: usize = 0;

/// The kind of the king of the other side.
const WEAK_KING: usize = 1;

/// The entries of a kind of man: its squares.
const SQUARES: usize = 64;

/// The most entries that a position adds up: the ending, its men, and all pairs of them.
pub const MAX_ENTRIES: usize = 1 + MAX_MEN + MAX_MEN * (MAX_MEN - 1) / 2;

/// A man of an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man {
    /// Its kind: 0 for the strong king, 1 for the other king, then the others in the order of
    /// [`Ending::sides`], equal ones of a side together.
    kind: usize,
    /// Its square as the tables see it.
    seen: Square,
    /// Its square on the board.
    pub square: Square,
}

/// The men of an ending on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Men {
    /// The ending.
    pub ending: Ending,
    /// The strong side.
    pub strong: Color,
    /// Whether it is the strong side's turn.
    pub is_strong_turn: bool,
    men: ArrayVec<Man, MAX_MEN>,
}

/// What an entry of an ending stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The ending, with the turn.
    Ending,
    /// A man on its square.
    Square(Square),
    /// Two men on their squares.
    Pair(Square, Square),
}

impl Ending {
    /// The number of entries for each side to move; 0 if it has no tables.
    pub(super) fn entries(self) -> usize {
        if !self.has_tables() {
            return 0;
        }
        let kinds = self.kinds();
        let alike = usize::from(self.has_men_alike());
        1 + kinds * SQUARES + (kinds * (kinds - 1) / 2 + alike) * APART
    }

    /// The kinds of men: both kings and the others, two equal ones of a side being one kind.
    fn kinds(self) -> usize {
        match self {
            Ending::One(_) => 3,
            Ending::Two(high, low) if high == low => 3,
            Ending::Two(..) | Ending::Against(..) => 4,
        }
    }

    fn has_men_alike(self) -> bool {
        matches!(self, Ending::Two(high, low) if high == low)
    }

    /// Whether nothing stands against a lone king but pieces. Where they stand is left to the
    /// search then: what counts is where the lone king is, and how near the other one.
    fn is_lone_king(self) -> bool {
        self.has_tables() && !matches!(self, Ending::Against(..))
    }
}

impl Men {
    /// The men on a board; `None` unless they are an ending that has tables.
    #[inline]
    pub fn on(board: &Board, turn: Color) -> Option<Men> {
        if board.occupied().count() > MAX_MEN {
            return None;
        }
        Men::of_few(board, turn)
    }

    fn of_few(board: &Board, turn: Color) -> Option<Men> {
        let kings = [board.king_of(Color::White)?, board.king_of(Color::Black)?];
        let mut others: ArrayVec<(Color, Role, Square), MAX_MEN> = (board.occupied()
            & !board.kings())
        .into_iter()
        .filter_map(|square| {
            board
                .piece_at(square)
                .map(|piece| (piece.color, piece.role, square))
        })
        .collect();
        // The higher man first.
        if let [first, second] = others.as_slice()
            && first.1 < second.1
        {
            others.swap(0, 1);
        }
        let (ending, strong) = match *others.as_slice() {
            [(side, role, _)] => (Ending::One(role), side),
            [(side, high, _), (other, low, _)] if side == other => (Ending::Two(high, low), side),
            [(_, high, _), (_, low, _)] if high == low => {
                if others[0].0 != turn {
                    others.swap(0, 1);
                }
                (Ending::Against(high, low), turn)
            }
            [(side, high, _), (_, low, _)] => (Ending::Against(high, low), side),
            _ => return None,
        };
        if !ending.has_tables() {
            return None;
        }
        let kings = strong.fold_wb([kings[0], kings[1]], [kings[1], kings[0]]);
        let mut flip = strong.fold_wb(0, 56);
        if is_mirrored(flip, kings[0], &others) {
            flip ^= 7;
        }
        let man = |kind: usize, square: Square| Man {
            kind,
            seen: Square::new(u32::from(square) ^ flip),
            square,
        };
        let mut men = ArrayVec::new();
        men.push(man(STRONG_KING, kings[0]));
        men.push(man(WEAK_KING, kings[1]));
        for (index, (_, _, square)) in others.iter().enumerate() {
            let kind = if ending.has_men_alike() { 2 } else { 2 + index };
            men.push(man(kind, *square));
        }
        Some(Men {
            ending,
            strong,
            is_strong_turn: turn == strong,
            men,
        })
    }

    /// Calls `f` with the place of every entry and what it stands for.
    #[inline]
    pub fn for_each_entry(&self, mut f: impl FnMut(usize, Entry)) {
        f(0, Entry::Ending);
        let is_lone_king = self.ending.is_lone_king();
        for (index, man) in self.men.iter().enumerate() {
            if !is_lone_king || man.kind == WEAK_KING {
                let place = 1 + man.kind * SQUARES + usize::from(man.seen);
                f(place, Entry::Square(man.square));
            }
            for other in &self.men[..index] {
                let is_kings = man.kind == WEAK_KING;
                if !is_lone_king || is_kings || other.kind == man.kind {
                    f(
                        self.pair(*other, *man),
                        Entry::Pair(other.square, man.square),
                    );
                }
            }
        }
    }

    /// The place of the entry of two men, the lower kind first.
    #[inline]
    fn pair(&self, first: Man, second: Man) -> usize {
        let kinds = self.ending.kinds();
        let is_alike = first.kind == second.kind;
        let pair = if is_alike {
            kinds * (kinds - 1) / 2
        } else {
            second.kind * (second.kind - 1) / 2 + first.kind
        };
        1 + kinds * SQUARES + pair * APART + apart(first.seen, second.seen, is_alike)
    }
}

/// The number of how far two squares are apart, below [`APART`]; the same in both directions for
/// men that are alike.
#[inline]
fn apart(first: Square, second: Square, is_alike: bool) -> usize {
    let files = u32::from(first.file()).abs_diff(u32::from(second.file())) as usize;
    let ranks = i32::from(second.rank()) - i32::from(first.rank());
    let ranks = if is_alike { ranks.abs() } else { ranks };
    files * 15 + (ranks + 7) as usize
}

/// Whether the board is mirrored left to right besides `flip`. The only bishop, or of two opponents
/// the strong side's, is brought onto a dark square, since the corners differ by it; without such a
/// bishop the strong king is brought onto the files a to d.
fn is_mirrored(flip: u32, strong_king: Square, others: &[(Color, Role, Square)]) -> bool {
    let bishop = match *others {
        [(side, Role::Bishop, _), (other, Role::Bishop, _)] if side == other => None,
        _ => others.iter().find(|(_, role, _)| *role == Role::Bishop),
    };
    match bishop {
        Some((_, _, square)) => Square::new(u32::from(*square) ^ flip).is_light(),
        None => strong_king.file() > File::D,
    }
}
