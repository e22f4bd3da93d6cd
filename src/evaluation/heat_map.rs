//! Heat maps of the tables: the value of a white piece on every square, given the squares of both kings, what some
//! pawns add to it there, or what a pawn is worth more for being passed.
//!
//! A map shows both phases. It is written as an SVG picture or as comma-separated values; the terminal has a drawing
//! of its own.

use shakmaty::{Color, File, Rank, Role, Square};

use super::king_buckets::Perspective;
use super::pairs::{PAWN_SQUARES, PlacedPiece};
use super::tables::Tables;
use super::tapered_score::TaperedScore;

/// The squares of the kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kings {
    /// The square of White's king.
    pub white: Square,
    /// The square of Black's king.
    pub black: Square,
}

/// What a map shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The value of a piece.
    Piece,
    /// What these pawns add to it.
    Pawns(Vec<PlacedPiece>),
    /// What a pawn is worth more for being passed.
    Passed,
}

/// The values of one white piece.
#[derive(Clone, Debug)]
pub struct HeatMap {
    /// The role of the piece.
    pub role: Role,
    /// What the map shows of it.
    pub subject: Subject,
    /// The value in centipawns of each square, a1 first.
    pub values: [TaperedScore; 64],
}

impl Kings {
    /// The perspective of a side from behind its king.
    fn perspective(self, tables: &Tables, side: Color) -> Perspective {
        let king = side.fold_wb(self.white, self.black);
        tables.layout().king_buckets().perspective(side, king)
    }
}

/// White's score minus Black's on each square, given the index of the score that a side has there, if any.
fn values(tables: &Tables, index: impl Fn(Color, Square) -> Option<usize>) -> [TaperedScore; 64] {
    let score = |side, square| {
        let index = index(side, square);
        index.map_or(TaperedScore::default(), |index| tables.score(index))
    };
    Square::ALL.map(|square| {
        let mut value = score(Color::White, square);
        value -= score(Color::Black, square);
        value
    })
}

/// Pawns as in a FEN, each with its square, such as `Pd4 pe6`.
fn in_words(pawns: &[PlacedPiece]) -> String {
    let pawn = |(pawn, square): &PlacedPiece| format!("{}{square}", pawn.char());
    let pawns: Vec<String> = pawns.iter().map(pawn).collect();
    pawns.join(" ")
}

impl HeatMap {
    /// The map of a role: White's score of the white piece minus Black's score of it.
    pub fn of(tables: &Tables, role: Role, kings: Kings) -> HeatMap {
        let layout = tables.layout();
        let piece = role.of(Color::White);
        let index = |side, square| {
            let perspective = kings.perspective(tables, side);
            Some(layout.piece_square(side, perspective, piece, square))
        };
        HeatMap {
            role,
            subject: Subject::Piece,
            values: values(tables, index),
        }
    }

    /// The map of what a white pawn is worth more for being passed: White's score of it minus Black's.
    pub fn of_passed_pawn(tables: &Tables, kings: Kings) -> HeatMap {
        let layout = tables.layout();
        let pawn = Role::Pawn.of(Color::White);
        let index = |side, square| {
            let perspective = kings.perspective(tables, side);
            let can_stand = PAWN_SQUARES.contains(square);
            can_stand.then(|| layout.passed_pawn(side, perspective, (pawn, square)))
        };
        HeatMap {
            role: Role::Pawn,
            subject: Subject::Passed,
            values: values(tables, index),
        }
    }

    /// The map of what pawns add to a piece of this role: White's score of the pairs minus Black's. If it is a pawn
    /// itself, half of each pair counts as its own.
    pub fn of_pawns(tables: &Tables, role: Role, kings: Kings, pawns: &[PlacedPiece]) -> HeatMap {
        let perspectives = Color::ALL.map(|side| (side, kings.perspective(tables, side)));
        let mut values = [TaperedScore::default(); 64];
        for square in Square::ALL {
            let piece = (role.of(Color::White), square);
            for pawn in pawns.iter().filter(|(_, place)| *place != square) {
                for (side, perspective) in perspectives {
                    let index = tables.layout().pair(side, perspective, piece, *pawn);
                    let score = index.map_or(TaperedScore::default(), |i| tables.score(i));
                    match side {
                        Color::White => values[usize::from(square)] += score,
                        Color::Black => values[usize::from(square)] -= score,
                    }
                }
            }
        }
        if role == Role::Pawn {
            for value in &mut values {
                value.middle_game /= 2;
                value.end_game /= 2;
            }
        }
        HeatMap {
            role,
            subject: Subject::Pawns(pawns.to_vec()),
            values,
        }
    }

    /// Whether the piece can stand on a square: pawns can't on the first and last rank.
    pub fn can_stand_on(&self, square: Square) -> bool {
        self.role != Role::Pawn || !matches!(square.rank(), Rank::First | Rank::Eighth)
    }

    /// What the map shows, in words. `kings` are those for which it was made.
    pub fn title(&self, kings: Kings) -> String {
        let Kings { white, black } = kings;
        let what = match &self.subject {
            Subject::Piece => "value for White in centipawns".to_owned(),
            Subject::Pawns(pawns) => {
                let pawns = in_words(pawns);
                format!("what pawns add for White in centipawns: {pawns}")
            }
            Subject::Passed => "what being passed adds for White in centipawns".to_owned(),
        };
        format!("{:?}: {what}, kings on {white} and {black}", self.role)
    }

    /// The values of one phase, and their range over the squares that the piece can stand on.
    pub fn phase(&self, is_end_game: bool) -> Phase {
        let value = |score: TaperedScore| {
            if is_end_game {
                score.end_game
            } else {
                score.middle_game
            }
        };
        let values = self.values.map(value);
        let possible = || {
            let squares = Square::ALL.into_iter();
            let squares = squares.filter(|square| self.can_stand_on(*square));
            squares.map(|square| values[usize::from(square)])
        };
        Phase {
            values,
            min: possible().min().unwrap_or(0),
            max: possible().max().unwrap_or(0),
        }
    }
}

/// The values of one phase of one role.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// In centipawns, indexed by square.
    pub values: [i32; 64],
    /// The lowest value on a square that the piece can stand on.
    pub min: i32,
    /// The highest such value.
    pub max: i32,
}

impl Phase {
    /// The color of a square as red, green and blue: from blue for the lowest value through white to red for the
    /// highest.
    pub fn color(&self, square: Square) -> [u8; 3] {
        self.color_of(self.values[usize::from(square)])
    }

    /// The color of a value in centipawns.
    pub fn color_of(&self, value: i32) -> [u8; 3] {
        let value = value.clamp(self.min, self.max);
        let range = (self.max - self.min).max(1);
        let place = (value - self.min) * 510 / range - 255; // -255 to 255
        let faded = (255 - place.abs()) as u8;
        if place < 0 {
            [faded, faded, 255]
        } else {
            [255, faded, faded]
        }
    }
}

/// The side of a square in the picture, in pixels.
const SQUARE: usize = 28;
/// The side of a board.
const BOARD: usize = 8 * SQUARE;
/// The space beside and above the boards: the ranks and the titles stand in it.
const MARGIN: usize = 30;
/// The space below a board, for the files and the legend.
const FOOT: usize = 36;
/// The height of the title of the picture.
const HEAD: usize = 34;
/// The height of a row of the picture.
const ROW: usize = MARGIN + BOARD + FOOT;

/// All maps as one SVG picture with a title: a row for each role, the middle game on the left and the end game on the
/// right. `kings` are those for which the maps were made.
pub fn svg(maps: &[HeatMap], kings: Kings) -> String {
    let (width, height) = (2 * (MARGIN + BOARD) + MARGIN, HEAD + maps.len() * ROW);
    let Kings { white, black } = kings;
    let title = match maps.first().map(|map| &map.subject) {
        Some(Subject::Pawns(pawns)) => {
            let pawns = in_words(pawns);
            format!("What pawns add to a white piece, in centipawns: {pawns}")
        }
        Some(Subject::Passed) => "What being passed adds to a white pawn, in centipawns".to_owned(),
        Some(Subject::Piece) | None => {
            "Value of a white piece on each square, in centipawns".to_owned()
        }
    };
    let subtitle = format!("White's king stands on {white}, Black's on {black}");
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"sans-serif\" font-size=\"10\">\n\
         <title>{title}. {subtitle}.</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"20\" font-size=\"15\" font-weight=\"bold\">{title}</text>\n\
         <text x=\"{MARGIN}\" y=\"36\" font-size=\"12\">{subtitle}</text>\n"
    );
    for (row, map) in maps.iter().enumerate() {
        for (column, name) in ["middle game", "end game"].into_iter().enumerate() {
            let left = MARGIN + column * (BOARD + MARGIN);
            let top = HEAD + MARGIN + row * ROW;
            let (role, title_y) = (map.role, top - 7);
            svg += &format!(
                "<text x=\"{left}\" y=\"{title_y}\" font-size=\"13\">{role:?}, {name}</text>\n"
            );
            svg += &svg_board(map, &map.phase(column == 1), [left, top]);
        }
    }
    svg + "</svg>\n"
}

/// One phase of a map, with its top left corner at this place: squares, files, ranks and legend.
fn svg_board(map: &HeatMap, phase: &Phase, [left, top]: [usize; 2]) -> String {
    let mut svg = String::new();
    let squares = Square::ALL.into_iter();
    for square in squares.filter(|square| map.can_stand_on(*square)) {
        let (file, rank) = (square.file().to_usize(), square.rank().to_usize());
        let corner = [left + file * SQUARE, top + (7 - rank) * SQUARE];
        let value = phase.values[usize::from(square)];
        svg += &svg_square(corner, phase.color(square), value);
    }
    for (place, (file, rank)) in File::ALL.into_iter().zip(Rank::ALL).enumerate() {
        let x = left + place * SQUARE + SQUARE / 2;
        let y = top + BOARD + 12;
        let text = svg_text([x, y], "middle", "#555", &file.char().to_string());
        svg += &text;
        let y = top + (7 - place) * SQUARE + SQUARE / 2 + 4;
        svg += &svg_text([left - 5, y], "end", "#555", &rank.char().to_string());
    }
    svg + &svg_legend(phase, left, top + BOARD + 18)
}

/// The colors from the lowest to the highest value, with both values.
fn svg_legend(phase: &Phase, left: usize, top: usize) -> String {
    const STEPS: i32 = 24;
    const WIDTH: usize = 4;
    let start = left + BOARD / 2 - STEPS as usize * WIDTH / 2;
    let mut svg = String::new();
    for step in 0..STEPS {
        let value = phase.min + (phase.max - phase.min) * step / (STEPS - 1);
        let [red, green, blue] = phase.color_of(value);
        let x = start + step as usize * WIDTH;
        svg += &format!(
            "<path d=\"M{x} {top}h{WIDTH}v8h-{WIDTH}z\" fill=\"rgb({red},{green},{blue})\"/>"
        );
    }
    let y = top + 8;
    let end = start + STEPS as usize * WIDTH;
    let min = format!("lowest {}", phase.min);
    let max = format!("highest {}", phase.max);
    svg + &svg_text([start - 5, y], "end", "black", &min)
        + &svg_text([end + 5, y], "start", "black", &max)
        + "\n"
}

/// A square with its value.
fn svg_square([x, y]: [usize; 2], [red, green, blue]: [u8; 3], value: i32) -> String {
    let color = if green < 110 { "white" } else { "black" };
    let center = [x + SQUARE / 2, y + SQUARE / 2 + 4];
    format!(
        "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" \
         fill=\"rgb({red},{green},{blue})\" stroke=\"#ccc\"/>{}\n",
        svg_text(center, "middle", color, &value.to_string())
    )
}

fn svg_text([x, y]: [usize; 2], anchor: &str, color: &str, text: &str) -> String {
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{color}\">{text}</text>")
}

/// All maps as comma-separated values.
pub fn csv(maps: &[HeatMap]) -> String {
    let mut text = "role,square,middle_game,end_game\n".to_owned();
    for map in maps {
        for square in Square::ALL {
            let value = map.values[usize::from(square)];
            let (middle, end) = (value.middle_game, value.end_game);
            text += &format!("{:?},{square},{middle},{end}\n", map.role).to_lowercase();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::TableSet;

    const KINGS: Kings = Kings {
        white: Square::E1,
        black: Square::E8,
    };

    fn knight() -> HeatMap {
        HeatMap::of(&TableSet::Simplified.tables(), Role::Knight, KINGS)
    }

    #[test]
    fn the_published_knight_is_best_in_the_center() {
        let phase = knight().phase(false);
        assert_eq!((phase.min, phase.max), (270, 340));
        assert_eq!(phase.color(Square::A1), [0, 0, 255]);
        assert_eq!(phase.color(Square::D4), [255, 0, 0]);
    }

    #[test]
    fn every_form_shows_every_square_of_both_phases() {
        let picture = svg(&[knight()], KINGS);
        assert_eq!(picture.matches("<rect x=").count(), 128);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        assert_eq!(csv(&[knight()]).lines().count(), 65);
        assert!(csv(&[knight()]).contains("knight,d4,340,340"));
    }

    #[test]
    fn the_picture_names_what_it_shows() {
        let picture = svg(&[knight()], KINGS);
        for text in ["Knight, middle game", "Knight, end game", "on e1", "on e8"] {
            assert!(picture.contains(text), "{text}");
        }
        for name in "abcdefgh12345678".chars() {
            assert_eq!(picture.matches(&format!(">{name}</text>")).count(), 2);
        }
        assert_eq!(picture.matches(">lowest 270</text>").count(), 2);
        assert_eq!(picture.matches(">highest 340</text>").count(), 2);
    }

    #[test]
    fn a_flat_map_has_a_color_too() {
        let map = HeatMap {
            role: Role::Queen,
            subject: Subject::Piece,
            values: [TaperedScore::flat(900); 64],
        };
        assert_eq!(map.phase(true).color(Square::C3), [0, 0, 255]);
    }
}
