//! Tables as pictures: what a white piece is worth on every square, while the kings stand on given ones.

use shakmaty::{Color, File, Rank, Role, Square};

use super::Tables;
use super::tables::TaperedScore;

/// Where the kings stand in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kings {
    /// White's.
    pub white: Square,
    /// Black's.
    pub black: Square,
}

/// One role's values, White's.
#[derive(Clone, Debug)]
pub struct HeatMap {
    /// The piece.
    pub role: Role,
    /// Indexed by square, a1 first.
    pub values: [TaperedScore; 64],
}

impl HeatMap {
    /// The map of a role: what White sees in its piece, less what Black sees in it.
    pub fn of(tables: &Tables, role: Role, kings: Kings) -> HeatMap {
        let white = tables.shape().view(Color::White, kings.white);
        let black = tables.shape().view(Color::Black, kings.black);
        let values = std::array::from_fn(|index| {
            let square = Square::new(index as u32);
            let mut value = tables.weight(white, false, role, square);
            value -= tables.weight(black, true, role, square);
            value
        });
        HeatMap { role, values }
    }

    /// Whether the piece can stand on a square: pawns never do on the first rank and the last.
    fn can_stand_on(&self, square: Square) -> bool {
        self.role != Role::Pawn || !matches!(square.rank(), Rank::First | Rank::Eighth)
    }

    /// The values of one phase with their least and greatest, over the squares that the piece can stand on.
    pub fn phase(&self, is_end_game: bool) -> Phase {
        let value = |weight: TaperedScore| {
            if is_end_game {
                weight.end_game
            } else {
                weight.middle_game
            }
        };
        let values = self.values.map(value);
        let stood = || {
            let squares = Square::ALL.into_iter();
            let squares = squares.filter(|square| self.can_stand_on(*square));
            squares.map(|square| values[usize::from(square)])
        };
        let (least, greatest) = (stood().min().unwrap_or(0), stood().max().unwrap_or(0));
        Phase {
            values,
            least,
            greatest,
        }
    }
}

/// The values of one phase of one role.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// Indexed by square.
    pub values: [i32; 64],
    /// The least.
    pub least: i32,
    /// The greatest.
    pub greatest: i32,
}

impl Phase {
    /// The color of a square as red, green and blue: from blue for the least to red for the greatest, by way
    /// of white for what lies in the middle.
    pub fn color(&self, square: Square) -> [u8; 3] {
        let value = self.values[usize::from(square)].clamp(self.least, self.greatest);
        let range = (self.greatest - self.least).max(1);
        let place = (value - self.least) * 510 / range - 255; // -255 to 255
        let faded = (255 - place.abs()) as u8;
        if place < 0 {
            [faded, faded, 255]
        } else {
            [255, faded, faded]
        }
    }
}

/// All maps as one sheet: a row for each role, the middle game left and the end game right.
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
                let ink = if green < 110 { "white" } else { "black" };
                let x = left + square.file().to_usize() * SQUARE;
                let y = top + (7 - square.rank().to_usize()) * SQUARE;
                svg += &format!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" \
                     fill=\"rgb({red},{green},{blue})\" stroke=\"#ccc\"/>\
                     <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>\n",
                    x + SQUARE / 2,
                    y + SQUARE / 2 + 4,
                    phase.values[usize::from(square)]
                );
            }
        }
    }
    svg + "</svg>\n"
}

/// All maps as colored squares for a terminal.
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

/// All maps as numbers.
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
    fn the_published_knight_belongs_in_the_centre() {
        let phase = knight().phase(false);
        assert_eq!((phase.least, phase.greatest), (270, 340));
        assert_eq!(phase.color(Square::A1), [0, 0, 255]);
        assert_eq!(phase.color(Square::D4), [255, 0, 0]);
    }

    #[test]
    fn a_sheet_has_every_square_of_both_phases() {
        let sheet = svg(&[knight()]);
        assert_eq!(sheet.matches("<rect x=").count(), 128);
        assert!(sheet.starts_with("<svg ") && sheet.ends_with("</svg>\n"));
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
