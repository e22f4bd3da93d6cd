//! Distances to mate in endings of three and four men, counted from the rules alone: retrograde
//! analysis.
//!
//! It begins at the mates on the board and goes backwards: whoever can move to a position that is
//! lost for the other side wins, and whoever has only moves to won ones loses. Captures and
//! promotions lead to other endings, which are counted first. En passant is left out.

use std::collections::HashMap;

use arrayvec::ArrayVec;
use rayon::prelude::*;
use shakmaty::{Color, Piece, Role, Square};

use super::men::{
    Placed, Position, are_kings_apart, as_seen_by_strong, ending_of, for_each_move,
    for_each_move_back, is_check, is_legal,
};
use squarewise_engine::evaluation::endings::Ending;

/// Not a position that can be.
const ILLEGAL: u8 = 255;

/// No distance yet and, in the end, a draw.
const DRAWN: u8 = 254;

/// A stalemate.
const STALEMATE: u8 = 253;

/// A counter of moves that never runs out: one of them doesn't lose.
const HOLDS: u8 = 255;

/// How a position ends with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nobody mates.
    Drawn,
    /// The side to move mates in so many plies.
    Won(u8),
    /// The side to move is mated in so many plies.
    Lost(u8),
}

/// The distances of an ending.
struct Distances {
    pieces: Vec<Piece>,
    /// By [`Distances::index`]: odd plies if the side to move mates, even ones if it is mated.
    plies: Vec<u8>,
}

/// The distances of the endings that have been counted.
#[derive(Default)]
pub struct Endings {
    known: HashMap<Ending, Distances>,
}

impl Endings {
    /// Counts the distances of an ending, and first those of all endings that it can become.
    pub fn count(&mut self, ending: Ending) {
        if self.known.contains_key(&ending) {
            return;
        }
        let [strong, weak] = ending.sides();
        for side in 0..2 {
            let mut sides = [strong.clone(), weak.clone()];
            for index in 0..sides[side].len() {
                let role = sides[side].remove(index);
                self.count_if_any(&sides);
                if role == Role::Pawn {
                    for promoted in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                        sides[side].insert(index, promoted);
                        self.count_if_any(&sides);
                        for other in 0..sides[1 - side].len() {
                            let taken = sides[1 - side].remove(other);
                            self.count_if_any(&sides);
                            sides[1 - side].insert(other, taken);
                        }
                        sides[side].remove(index);
                    }
                }
                sides[side].insert(index, role);
            }
        }
        let distances = Distances::count(ending, self);
        self.known.insert(ending, distances);
    }

    fn count_if_any(&mut self, sides: &[Vec<Role>; 2]) {
        if let Some((ending, _)) = ending_of(sides) {
            self.count(ending);
        }
    }

    /// Every position of an ending in which the side to move has a move, with that side and the
    /// outcome, in a fixed order. The strong king stands on the files a to d.
    pub fn positions(
        &self,
        ending: Ending,
    ) -> impl Iterator<Item = (usize, Position, Color, Outcome)> {
        let distances = &self.known[&ending];
        (0..distances.plies.len()).filter_map(|index| {
            let outcome = outcome(distances.plies[index])?;
            let (position, turn) = distances.position(index);
            Some((index, position, turn, outcome))
        })
    }

    /// How often each position of an ending occurs if every won one is played out once with the
    /// best moves of both sides, shared equally between equally good ones.
    pub fn visits(&self, ending: Ending) -> Vec<f32> {
        let distances = &self.known[&ending];
        let mut by_plies: Vec<Vec<u32>> = vec![Vec::new(); 256];
        for (index, plies) in distances.plies.iter().enumerate() {
            by_plies[usize::from(*plies)].push(index as u32);
        }
        let mut visits = vec![1.0; distances.plies.len()];
        for plies in (1..usize::from(STALEMATE)).rev() {
            for index in &by_plies[plies] {
                let (position, turn) = distances.position(*index as usize);
                let mut best: ArrayVec<usize, 128> = ArrayVec::new();
                for_each_move(&position, turn, |after, is_conversion| {
                    if !is_conversion {
                        let next: Position = after.iter().copied().collect();
                        let next = distances.index(&next, !turn);
                        if usize::from(distances.plies[next]) + 1 == plies {
                            best.push(next);
                        }
                    }
                });
                let share: f32 = visits[*index as usize] / best.len() as f32;
                best.iter().for_each(|next| visits[*next] += share);
            }
        }
        visits
    }

    /// The plies of a position after a capture or a promotion.
    fn plies(&self, men: &[Placed], turn: Color) -> u8 {
        match as_seen_by_strong(men, turn) {
            Some((ending, position, turn)) => {
                let distances = &self.known[&ending];
                distances.plies[distances.index(&position, turn)]
            }
            None if are_kings_apart(men) => DRAWN,
            None => ILLEGAL,
        }
    }
}

fn outcome(plies: u8) -> Option<Outcome> {
    match plies {
        ILLEGAL | STALEMATE | 0 => None,
        DRAWN => Some(Outcome::Drawn),
        odd if odd % 2 == 1 => Some(Outcome::Won(odd)),
        even => Some(Outcome::Lost(even)),
    }
}

/// What is known of a position before the analysis goes backwards.
#[derive(Clone, Copy, Default)]
struct Start {
    /// The moves within the ending that may still hold, or [`HOLDS`].
    moves: u8,
    /// The plies to mate if the side to move can convert into a win; 0 if it can't.
    win: u8,
    /// The most plies to a mate against it after a capture or a promotion; 0 if there is none.
    loss: u8,
    /// Whether it is mated, or has only captures and promotions and loses by all of them.
    is_lost: bool,
    /// Whether the side to move has no move and is not in check.
    is_stalemate: bool,
}

impl Distances {
    fn count(ending: Ending, endings: &Endings) -> Distances {
        let [strong, weak] = ending.sides();
        let of = |color: Color| move |role: Role| role.of(color);
        let kings = [Role::King.of(Color::White), Role::King.of(Color::Black)];
        let others = strong
            .into_iter()
            .map(of(Color::White))
            .chain(weak.into_iter().map(of(Color::Black)));
        let pieces: Vec<Piece> = kings.into_iter().chain(others).collect();
        let size = 64 << (6 * (pieces.len() - 1));
        let mut distances = Distances {
            pieces,
            plies: Vec::new(),
        };
        distances.plies = (0..size)
            .into_par_iter()
            .map(|index| {
                let (position, turn) = distances.position(index);
                if is_legal(&position, turn) {
                    DRAWN
                } else {
                    ILLEGAL
                }
            })
            .collect();
        let starts: Vec<Start> = (0..size)
            .into_par_iter()
            .map(|index| distances.start(index, endings))
            .collect();
        distances.go_backwards(starts);
        distances
    }

    /// The place of a position in the list of plies.
    fn index(&self, position: &Position, turn: Color) -> usize {
        let mirror = if usize::from(position[0].1.file()) > 3 {
            7
        } else {
            0
        };
        let square = |square: Square| usize::from(square) ^ mirror;
        let king = square(position[0].1);
        let first = turn.fold_wb(0, 32) + king / 8 * 4 + king % 8;
        let others = position[1..].iter();
        others.fold(first, |index, (_, other)| index << 6 | square(*other))
    }

    /// The position of a place, with the side to move.
    fn position(&self, mut index: usize) -> (Position, Color) {
        let mut position: Position = self
            .pieces
            .iter()
            .map(|piece| (*piece, Square::A1))
            .collect();
        for (_, square) in position[1..].iter_mut().rev() {
            *square = Square::new((index & 63) as u32);
            index >>= 6;
        }
        position[0].1 = Square::new((index % 32 / 4 * 8 + index % 4) as u32);
        (position, Color::from_white(index < 32))
    }

    /// What the moves of a position say of it at once.
    fn start(&self, index: usize, endings: &Endings) -> Start {
        if self.plies[index] == ILLEGAL {
            return Start::default();
        }
        let (position, turn) = self.position(index);
        let mut start = Start::default();
        let (mut has_moves, mut holds) = (false, false);
        for_each_move(&position, turn, |after, is_conversion| {
            if !is_conversion {
                let next: Position = after.iter().copied().collect();
                if self.plies[self.index(&next, !turn)] != ILLEGAL {
                    start.moves += 1;
                    has_moves = true;
                }
                return;
            }
            match endings.plies(after, !turn) {
                ILLEGAL => return,
                DRAWN | STALEMATE => holds = true,
                odd if odd % 2 == 1 => start.loss = start.loss.max(odd + 1),
                even if start.win == 0 => start.win = even + 1,
                even => start.win = start.win.min(even + 1),
            }
            has_moves = true;
        });
        if !has_moves {
            start.is_lost = is_check(&position, turn);
            start.is_stalemate = !start.is_lost;
        } else if holds || start.win > 0 {
            start.moves = HOLDS;
        } else {
            start.is_lost = start.moves == 0;
        }
        start
    }

    /// Goes backwards from the mates and the conversions, ply by ply.
    fn go_backwards(&mut self, mut starts: Vec<Start>) {
        let mut waves: Vec<Vec<u32>> = vec![Vec::new(); 256];
        for (index, start) in starts.iter().enumerate() {
            if start.is_stalemate {
                self.plies[index] = STALEMATE;
            } else if start.win > 0 {
                waves[usize::from(start.win)].push(index as u32);
            } else if start.is_lost {
                waves[usize::from(start.loss)].push(index as u32);
            }
        }
        for plies in 0..STALEMATE - 1 {
            for index in std::mem::take(&mut waves[usize::from(plies)]) {
                let index = index as usize;
                if self.plies[index] != DRAWN {
                    continue;
                }
                self.plies[index] = plies;
                let (position, turn) = self.position(index);
                for_each_move_back(&position, !turn, |before| {
                    let before = self.index(before, !turn);
                    if self.plies[before] != DRAWN {
                        return;
                    }
                    let start = &mut starts[before];
                    if plies % 2 == 0 {
                        waves[usize::from(plies) + 1].push(before as u32);
                    } else if start.moves != HOLDS {
                        start.moves -= 1;
                        if start.moves == 0 {
                            waves[usize::from(start.loss.max(plies + 1))].push(before as u32);
                        }
                    }
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest mate of an ending in plies, and the share of positions that the strong side wins
    /// if it is its turn, in per cent.
    fn longest_mate_and_won(ending: Ending) -> (u8, u32) {
        let mut endings = Endings::default();
        endings.count(ending);
        let (mut longest, mut won, mut all) = (0, 0, 0);
        for (_, _, turn, outcome) in endings.positions(ending) {
            if turn == Color::White {
                all += 1;
                if let Outcome::Won(plies) = outcome {
                    longest = longest.max(plies);
                    won += 1;
                }
            }
        }
        (longest, won * 100 / all)
    }

    // The longest mates are well known: queen in 10 moves, rook in 16 (chessprogramming wiki,
    // *Endgame Tablebases*). A king and a pawn win in at most 28.
    #[test]
    fn the_longest_mates_of_three_men_are_those_that_are_known() {
        assert_eq!(longest_mate_and_won(Ending::One(Role::Queen)), (19, 100));
        assert_eq!(longest_mate_and_won(Ending::One(Role::Rook)), (31, 100));
        assert_eq!(longest_mate_and_won(Ending::One(Role::Pawn)).0, 55);
    }

    #[test]
    fn a_lone_minor_piece_wins_nothing() {
        for role in [Role::Knight, Role::Bishop] {
            assert_eq!(longest_mate_and_won(Ending::One(role)), (0, 0));
        }
    }
}
