//! Which points are worth a look: those within two steps of a stone, and far fewer when somebody
//! threatens.
//!
//! 1. Who can make five does.
//! 2. Who can't, and whose opponent can, must play there.
//! 3. By the freestyle rule, who can make an open four does: it can't be stopped.
//! 4. Against an open three only its own points help, or a four of one's own.

use crate::game::{Game, LONGEST_WIN, Outcome, RankedMove, Score};
use crate::learning::Learnable;

use super::board::{Gobang, Rule, Stone};
use super::geometry::{PLACES, Place, Point, SIZE, points, within_two};
use super::shapes::Shape;
use super::windows::Scores;

/// How early a stone is tried that makes this shape, in the order of [`Shape`].
const ATTACK: [i32; 8] = [0, 20, 70, 80, 400, 450, 4_000, 10_000];

/// The same for a stone that takes the point from the opponent.
const DEFENCE: [i32; 8] = [0, 10, 40, 40, 250, 250, 2_500, 8_000];

/// What the side to move and its opponent would make of a point: the best shape of each, and how
/// early the point is tried.
#[derive(Clone, Copy)]
struct Candidate {
    point: Point,
    own: Shape,
    enemy: Shape,
    rank: i32,
}

impl Gobang {
    /// The empty points within two steps of a stone, or the centre of an empty board.
    fn near_points(&self) -> [u32; SIZE] {
        let [black, white] = &self.stones;
        let mut near = self.empty_near(&std::array::from_fn(|y| black[y] | white[y]));
        if near == [0; SIZE] && self.is_empty() {
            near[SIZE / 2] = 1 << (SIZE / 2);
        }
        near
    }

    /// The empty points within two steps of these: those where their color can make a four or five.
    fn empty_near(&self, stones: &[u32; SIZE]) -> [u32; SIZE] {
        let mut near = within_two(stones);
        for (y, near) in near.iter_mut().enumerate() {
            *near &= !(self.stones[0][y] | self.stones[1][y]);
        }
        near
    }

    fn candidate(&self, point: Point) -> Candidate {
        let (mut own, mut enemy, mut rank) = (Shape::Nothing, Shape::Nothing, 0);
        for Place { line, shift } in PLACES[usize::from(point)] {
            let [black, white] = self.shapes.at(self.lines[usize::from(line)], shift);
            let (mine, theirs) = match self.turn {
                Stone::Black => (black, white),
                Stone::White => (white, black),
            };
            let [mine, theirs] = [(mine, self.turn), (theirs, self.turn.other())]
                .map(|(shape, stone)| self.without_overline(shape, point, stone));
            own = own.max(mine);
            enemy = enemy.max(theirs);
            rank += ATTACK[mine as usize] + DEFENCE[theirs as usize];
        }
        Candidate {
            point,
            own,
            enemy,
            rank,
        }
    }

    /// A shape as the rule sees it: with the standard one six in a row look like five, and win
    /// nothing. Where another line wins, a five more changes nothing.
    fn without_overline(&self, shape: Shape, point: Point, stone: Stone) -> Shape {
        match shape {
            Shape::Five if !self.wins(point, stone) => Shape::Three,
            shape => shape,
        }
    }

    /// Whether a color can make five by its next stone.
    fn can_make_five(&self, stone: Stone) -> bool {
        // Few positions have a four, and only in these the points are looked at.
        self.tally.has_four(stone as usize)
            && points(&self.empty_near(&self.stones[stone as usize]))
                .any(|point| self.wins(point, stone))
    }

    /// The moves that a threat leaves, or all.
    fn sensible(&self) -> Vec<Candidate> {
        let near = self.near_points();
        let mut all: Vec<Candidate> = points(&near).map(|point| self.candidate(point)).collect();
        let own = all.iter().map(|candidate| candidate.own).max();
        let enemy = all.iter().map(|candidate| candidate.enemy).max();
        if own == Some(Shape::Five) {
            all.retain(|candidate| candidate.own == Shape::Five);
        } else if enemy == Some(Shape::Five) {
            all.retain(|candidate| candidate.enemy == Shape::Five);
        } else if own == Some(Shape::OpenFour) && self.rule == Rule::Freestyle {
            all.retain(|candidate| candidate.own == Shape::OpenFour);
        } else if enemy == Some(Shape::OpenFour) {
            all.retain(|candidate| candidate.own >= Shape::Four || candidate.enemy >= Shape::Four);
        }
        all
    }
}

impl Candidate {
    fn ranked(self) -> RankedMove<Point> {
        RankedMove {
            mv: self.point,
            rank: self.rank,
            is_tactical: self.own >= Shape::OpenThree || self.enemy >= Shape::Four,
        }
    }
}

impl Game for Gobang {
    type Move = Point;

    /// Three fours and their answers. In the main search answers cost no depth, so that longer
    /// series of fours are found there.
    const QUIESCENCE_PLIES: usize = 6;

    fn result(&self) -> Option<Outcome> {
        self.is_won.then_some(Outcome::Lost)
    }

    /// The board is full.
    fn result_without_moves(&self) -> Outcome {
        Outcome::Drawn
    }

    fn moves(&self, moves: &mut Vec<RankedMove<Point>>) {
        moves.extend(self.sensible().into_iter().map(Candidate::ranked));
    }

    /// Fours, each of which has one answer: the search becomes one for a *victory by continuous
    /// fours*.
    fn forcing_moves(&self, moves: &mut Vec<RankedMove<Point>>) {
        if self.tally.has_three(self.turn as usize) {
            let near = self.empty_near(&self.stones[self.turn as usize]);
            let candidates = points(&near).map(|point| self.candidate(point));
            let fours = candidates.filter(|candidate| candidate.own >= Shape::Four);
            moves.extend(fours.map(Candidate::ranked));
        }
    }

    /// Whether somebody can make five now.
    fn must_answer(&self) -> bool {
        self.can_make_five(self.turn) || self.can_make_five(self.turn.other())
    }

    fn make(&mut self, point: Point) -> bool {
        self.put(point);
        true
    }

    fn unmake(&mut self) {
        self.take_back();
    }

    fn pass(&mut self) -> bool {
        self.put_nothing();
        true
    }

    fn evaluate(&self) -> Score {
        self.score().clamp(1 - LONGEST_WIN, LONGEST_WIN - 1)
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn history_slot(&self, point: Point) -> usize {
        self.turn as usize * SIZE * SIZE + usize::from(point)
    }
}

impl Learnable for Gobang {
    type Tables = Scores;

    fn tables(weights: &[Score]) -> Scores {
        Scores::of_shared(weights)
    }

    fn start(scores: &'static Scores) -> Gobang {
        Gobang::new(Rule::Freestyle, scores)
    }

    fn features(&self) -> Vec<(usize, f32)> {
        self.window_features()
    }
}
