//! Heat maps of the tables: the value of a white piece on every square, given the squares of both kings.
//!
//! A map shows both phases. It is written as an SVG picture, as colored squares for a terminal, or as
//! comma-separated values.

use shakmaty::{Color, File, Piece, Rank, Role, Square};

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

/// The values of one white piece.
#[derive(Clone, Debug)]
pub struct HeatMap {
    /// The role of the piece.
    pub role: Role,
    /// The value in centipawns of each square, a1 first.
    pub values: [TaperedScore; 64],
}

impl HeatMap {
    /// The map of a role: White's score of the white piece minus Black's score of it.
    pub fn of(tables: &Tables, role: Role, kings: Kings) -> HeatMap {
        let layout = tables.layout();
        let piece = Piece {
            color: Color::White,
            role,
        };
        let seen_by = |side: Color, square| {
            let king = side.fold_wb(kings.white, kings.black);
            let perspective = layout.king_buckets().perspective(side, king);
            tables.score(layout.piece_square(side, perspective, piece, square))
        };
        let values = Square::ALL.map(|square| {
            let mut value = seen_by(Color::White, square);
            value -= seen_by(Color::Black, square);
            value
        });
        HeatMap { role, values }
    }

    /// Whether the piece can stand on a square: pawns can't on the first and last rank.
    fn can_stand_on(&self, square: Square) -> bool {
        self.role != Role::Pawn || !matches!(square.rank(), Rank::First | Rank::Eighth)
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
        let value = self.values[usize::from(square)].clamp(self.min, self.max);
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

/// All maps as one SVG picture: a row for each role, the middle game on the left and the end game on the right.
pub fn svg(maps: &[HeatMap]) -> String {
    const SQUARE: usize = 28;
    const BOARD: usize = 8 * SQUARE;
    const MARGIN: usize = 28;
    let (width, height) = (
        2 * (BOARD + MARGIN) + MARGIN,
        maps.len() * (BOARD + MARGIN) + MARGIN,
    );
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"10\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (row, map) in maps.iter().enumerate() {
        for (column, name) in ["middle game", "end game"].into_iter().enumerate() {
            let phase = map.phase(column == 1);
            let left = MARGIN + column * (BOARD + MARGIN);
            let top = MARGIN + row * (BOARD + MARGIN);
            svg += &format!(
                "<text x=\"{left}\" y=\"{}\" font-size=\"13\">{:?}, {name}</text>\n",
                top - 7,
                map.role
            );
            for square in Square::ALL
                .into_iter()
                .filter(|square| map.can_stand_on(*square))
            {
                let [red, green, blue] = phase.color(square);
                let text_color = if green < 110 { "white" } else { "black" };
                let x = left + square.file().to_usize() * SQUARE;
                let y = top + (7 - square.rank().to_usize()) * SQUARE;
                svg += &format!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" \
                     fill=\"rgb({red},{green},{blue})\" stroke=\"#ccc\"/>\
                     <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"{text_color}\">{}</text>\n",
                    x + SQUARE / 2,
                    y + SQUARE / 2 + 4,
                    phase.values[usize::from(square)]
                );
            }
        }
    }
    svg + "</svg>\n"
}

/// All maps as colored squares for a terminal (24-bit ANSI colors).
pub fn terminal(maps: &[HeatMap]) -> String {
    let mut text = String::new();
    for map in maps {
        let phases = [map.phase(false), map.phase(true)];
        text += &format!("{:?}: middle game, end game\n", map.role);
        for rank in Rank::ALL.into_iter().rev() {
            text.push(rank.char());
            for phase in &phases {
                text.push(' ');
                for file in File::ALL {
                    let square = Square::from_coords(file, rank);
                    let [red, green, blue] = phase.color(square);
                    let value = phase.values[usize::from(square)];
                    text += &format!("\u{1b}[30;48;2;{red};{green};{blue}m{value:5}\u{1b}[0m");
                }
            }
            text.push('\n');
        }
        text.push('\n');
    }
    text
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
        let picture = svg(&[knight()]);
        assert_eq!(picture.matches("<rect x=").count(), 128);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        assert_eq!(csv(&[knight()]).lines().count(), 65);
        assert!(csv(&[knight()]).contains("knight,d4,340,340"));
        assert_eq!(terminal(&[knight()]).lines().count(), 10);
    }

    #[test]
    fn a_flat_map_has_a_color_too() {
        let map = HeatMap {
            role: Role::Queen,
            values: [TaperedScore::flat(900); 64],
        };
        assert_eq!(map.phase(true).color(Square::C3), [0, 0, 255]);
    }
}
