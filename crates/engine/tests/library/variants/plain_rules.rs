//! A plain move generator for all variants, as slow as it is simple: a board of 64 letters, every
//! move tried on a copy, and the king looked for attacks on it. It shares no code with the engine.

use squarewise_engine::position::rules::Variant;

/// A square as file and rank, both from 0.
type Place = (i8, i8);

const KNIGHT: [Place; 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];
const STRAIGHT: [Place; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const DIAGONAL: [Place; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

#[derive(Clone)]
pub struct PlainPosition {
    variant: Variant,
    /// Letters as in a FEN, `.` for an empty square; a1 is first.
    board: [char; 64],
    is_white: bool,
    /// The castling rights that are left, of `KQkq`.
    rights: Vec<char>,
    crossed: Option<Place>,
    halfmoves: u32,
    fullmoves: u32,
}

fn exists((file, rank): Place) -> bool {
    (0..8).contains(&file) && (0..8).contains(&rank)
}

fn name((file, rank): Place) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

fn place(name: &str) -> Place {
    let bytes = name.as_bytes();
    ((bytes[0] - b'a') as i8, (bytes[1] - b'1') as i8)
}

fn plus(at: Place, step: Place, times: i8) -> Place {
    (at.0 + step.0 * times, at.1 + step.1 * times)
}

impl PlainPosition {
    pub fn start_of(variant: Variant) -> PlainPosition {
        let rows = ["RNBQKBNR", "PPPPPPPP", "........", "........"];
        let white: String = rows.concat();
        let black = rows
            .iter()
            .rev()
            .map(|row| row.to_lowercase())
            .collect::<String>();
        let board: Vec<char> = white.chars().chain(black.chars()).collect();
        let rights = if variant == Variant::NoCastle {
            ""
        } else {
            "KQkq"
        };
        PlainPosition {
            variant,
            board: board.try_into().expect("64 squares"),
            is_white: true,
            rights: rights.chars().collect(),
            crossed: None,
            halfmoves: 0,
            fullmoves: 1,
        }
    }

    fn at(&self, (file, rank): Place) -> char {
        self.board[(rank * 8 + file) as usize]
    }

    fn put(&mut self, (file, rank): Place, letter: char) {
        self.board[(rank * 8 + file) as usize] = letter;
    }

    fn is_empty(&self, at: Place) -> bool {
        self.at(at) == '.'
    }

    fn is_own(&self, at: Place) -> bool {
        !self.is_empty(at) && self.at(at).is_uppercase() == self.is_white
    }

    fn places() -> impl Iterator<Item = Place> {
        (0..64).map(|number| (number % 8, number / 8))
    }

    /// Whether a piece that doesn't go through others attacks a place.
    fn is_attacked(&self, target: Place, by_white: bool) -> bool {
        PlainPosition::places().any(|from| {
            let letter = self.at(from);
            letter != '.'
                && letter.is_uppercase() == by_white
                && self.attacks(from).contains(&target)
        })
    }

    /// The places that the piece on a square attacks.
    fn attacks(&self, from: Place) -> Vec<Place> {
        let letter = self.at(from);
        let up = if letter.is_uppercase() { 1 } else { -1 };
        let (steps, reach): (Vec<Place>, i8) = match letter.to_ascii_lowercase() {
            'p' => (vec![(-1, up), (1, up)], 1),
            'n' => (KNIGHT.to_vec(), 1),
            'b' => (DIAGONAL.to_vec(), 7),
            'r' => (STRAIGHT.to_vec(), 7),
            'q' => ([STRAIGHT, DIAGONAL].concat(), 7),
            _ => ([STRAIGHT, DIAGONAL].concat(), 1),
        };
        let mut attacked = Vec::new();
        for step in steps {
            for times in 1..=reach {
                let to = plus(from, step, times);
                if !exists(to) {
                    break;
                }
                attacked.push(to);
                if !self.is_empty(to) {
                    break;
                }
            }
        }
        attacked
    }

    fn may_capture(&self, at: Place) -> bool {
        if self.is_own(at) {
            self.variant == Variant::SelfCapture && !self.at(at).eq_ignore_ascii_case(&'k')
        } else {
            !self.is_empty(at)
        }
    }

    fn pawn_targets(&self, from: Place) -> Vec<Place> {
        let up = if self.is_white { 1 } else { -1 };
        let rank_from_home = if self.is_white { from.1 } else { 7 - from.1 };
        let mut targets = self.attacks(from);
        targets.retain(|to| self.may_capture(*to) || self.crossed == Some(*to));
        let may_double = match self.variant {
            Variant::PawnOne => false,
            Variant::Torpedo => true,
            Variant::SemiTorpedo => rank_from_home <= 2,
            _ => rank_from_home == 1,
        };
        let one = (from.0, from.1 + up);
        let two = (from.0, from.1 + 2 * up);
        if self.is_empty(one) {
            targets.push(one);
            if may_double && exists(two) && self.is_empty(two) {
                targets.push(two);
            }
        }
        let back = (from.0, from.1 - up);
        if self.variant == Variant::PawnBack && rank_from_home > 1 && self.is_empty(back) {
            targets.push(back);
        }
        if self.variant == Variant::PawnSideways {
            let sides = [(from.0 - 1, from.1), (from.0 + 1, from.1)];
            targets.extend(
                sides
                    .into_iter()
                    .filter(|to| exists(*to) && self.is_empty(*to)),
            );
        }
        targets
    }

    fn may_castle(&self, letter: char) -> bool {
        let rank = if self.is_white { 0 } else { 7 };
        let between: &[i8] = if letter.eq_ignore_ascii_case(&'k') {
            &[5, 6]
        } else {
            &[1, 2, 3]
        };
        let walked = if letter.eq_ignore_ascii_case(&'k') {
            [4, 5, 6]
        } else {
            [4, 3, 2]
        };
        self.rights.contains(&letter)
            && (self.variant != Variant::NoCastle10 || self.fullmoves > 10)
            && between.iter().all(|file| self.is_empty((*file, rank)))
            && walked
                .iter()
                .all(|file| !self.is_attacked((*file, rank), !self.is_white))
    }

    pub fn legal_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for from in PlainPosition::places().filter(|from| self.is_own(*from)) {
            let is_pawn = self.at(from).eq_ignore_ascii_case(&'p');
            let mut targets = if is_pawn {
                self.pawn_targets(from)
            } else {
                self.attacks(from)
            };
            targets.retain(|to| self.is_empty(*to) || self.may_capture(*to));
            for to in targets {
                let text = name(from) + &name(to);
                if is_pawn && (to.1 == 0 || to.1 == 7) {
                    moves.extend(["q", "r", "b", "n"].map(|role| text.clone() + role));
                } else {
                    moves.push(text);
                }
            }
        }
        let castling = if self.is_white {
            [('K', "e1g1"), ('Q', "e1c1")]
        } else {
            [('k', "e8g8"), ('q', "e8c8")]
        };
        let castling = castling
            .into_iter()
            .filter(|(letter, _)| self.may_castle(*letter));
        moves.extend(castling.map(|(_, text)| text.to_owned()));
        moves.retain(|text| {
            let mut after = self.clone();
            after.play(text);
            let king = if self.is_white { 'K' } else { 'k' };
            let at = PlainPosition::places().find(|place| after.at(*place) == king);
            !after.is_attacked(at.expect("a king"), !self.is_white)
        });
        moves.sort();
        moves
    }

    pub fn play(&mut self, text: &str) {
        let (from, to) = (place(&text[..2]), place(&text[2..4]));
        let mut letter = self.at(from);
        let is_pawn = letter.eq_ignore_ascii_case(&'p');
        let is_capture = !self.is_empty(to) || (is_pawn && from.0 != to.0 && from.1 != to.1);
        if is_pawn && from.0 != to.0 && from.1 != to.1 && self.is_empty(to) {
            self.put((to.0, from.1), '.');
        }
        if letter.eq_ignore_ascii_case(&'k') && (from.0 - to.0).abs() == 2 {
            let (corner, beside) = if to.0 == 6 { (7, 5) } else { (0, 3) };
            let rook = self.at((corner, from.1));
            self.put((corner, from.1), '.');
            self.put((beside, from.1), rook);
        }
        let homes = [
            ("e1", "KQ"),
            ("h1", "K"),
            ("a1", "Q"),
            ("e8", "kq"),
            ("h8", "k"),
            ("a8", "q"),
        ];
        for (home, lost) in homes {
            if place(home) == from || place(home) == to {
                self.rights.retain(|right| !lost.contains(*right));
            }
        }
        let promotion = text[4..].chars().next();
        if let Some(role) = promotion {
            letter = if self.is_white {
                role.to_ascii_uppercase()
            } else {
                role
            };
        }
        self.put(from, '.');
        self.put(to, letter);
        let is_double = is_pawn && promotion.is_none() && (from.1 - to.1).abs() == 2;
        self.crossed = is_double.then_some((from.0, (from.1 + to.1) / 2));
        let is_undoable = match self.variant {
            Variant::PawnBack => true,
            Variant::PawnSideways => from.1 == to.1,
            _ => false,
        };
        let resets = is_capture || promotion.is_some() || (is_pawn && !is_undoable);
        self.halfmoves = if resets { 0 } else { self.halfmoves + 1 };
        self.fullmoves += u32::from(!self.is_white);
        self.is_white = !self.is_white;
    }

    /// The FEN, with an en passant square only if a pawn may capture there.
    pub fn fen(&self) -> String {
        let row = |rank: i8| {
            let mut text = String::new();
            let mut empty = 0;
            for file in 0..8 {
                if self.is_empty((file, rank)) {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &std::mem::take(&mut empty).to_string();
                }
                text.push(self.at((file, rank)));
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text
        };
        let rows: Vec<String> = (0..8).rev().map(row).collect();
        let turn = if self.is_white { 'w' } else { 'b' };
        let rights: String = self.rights.iter().collect();
        let rights = if rights.is_empty() {
            "-".to_owned()
        } else {
            rights
        };
        let is_pawn_capture = |text: &String, crossed: Place| {
            self.at(place(text)).eq_ignore_ascii_case(&'p')
                && place(&text[2..4]) == crossed
                && !text.starts_with(&name(crossed)[..1])
                && place(text).1 != crossed.1
        };
        let crossed = self.crossed.filter(|crossed| {
            let moves = self.legal_moves();
            moves.iter().any(|text| is_pawn_capture(text, *crossed))
        });
        let crossed = crossed.map_or("-".to_owned(), name);
        let (halfmoves, fullmoves) = (self.halfmoves, self.fullmoves);
        format!(
            "{} {turn} {rights} {crossed} {halfmoves} {fullmoves}",
            rows.join("/")
        )
    }
}
