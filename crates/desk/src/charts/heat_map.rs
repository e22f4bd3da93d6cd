//! Heat maps as one SVG picture, or as numbers.
//!
//! A board for each role and phase, each square in the color of its score and with the score in it.
//! The picture is plain text, so that it can be kept beside the tables and a change of them seen in
//! a diff.

use shakmaty::{File, Rank, Square};

use squarewise_engine::evaluation::heat_map::{HeatMap, Kings, Phase, Subject, pawns_in_words};

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

/// All maps as one SVG picture with a title: a row for each role, the middlegame on the left and
/// the endgame on the right. `kings` are those for which the maps were made.
pub fn svg(maps: &[HeatMap], kings: Kings) -> String {
    let (width, height) = (2 * (MARGIN + BOARD) + MARGIN, HEAD + maps.len() * ROW);
    let Kings { white, black } = kings;
    let title = match maps.first().map(|map| &map.subject) {
        Some(Subject::Pawns(pawns)) => {
            let pawns = pawns_in_words(pawns);
            format!("What pawns add to a white piece, in centipawns: {pawns}")
        }
        Some(Subject::Passed) => "What being passed adds to a white pawn, in centipawns".to_owned(),
        Some(Subject::Liking) => {
            "How much more a white piece is liked on each square, in centipawns".to_owned()
        }
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
        for (column, name) in ["middlegame", "endgame"].into_iter().enumerate() {
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
    let mut text = "role,square,middlegame,endgame\n".to_owned();
    for map in maps {
        for square in Square::ALL {
            let value = map.values[usize::from(square)];
            let [middle, end] = value.in_centipawns();
            text += &format!("{:?},{square},{middle},{end}\n", map.role).to_lowercase();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Role;
    use squarewise_engine::evaluation::TableSet;

    const KINGS: Kings = Kings {
        white: Square::E1,
        black: Square::E8,
    };

    fn knight() -> HeatMap {
        HeatMap::of(&TableSet::Simplified.tables(), Role::Knight, KINGS)
    }

    #[test]
    fn the_list_has_both_phases_of_every_square() {
        assert_eq!(csv(&[knight()]).lines().count(), 65);
        assert!(csv(&[knight()]).contains("knight,d4,340,340"));
    }

    #[test]
    fn the_picture_shows_every_square_of_both_phases_and_names_what_it_shows() {
        let picture = svg(&[knight()], KINGS);
        assert_eq!(picture.matches("<rect x=").count(), 128);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        for text in ["Knight, middlegame", "Knight, endgame", "on e1", "on e8"] {
            assert!(picture.contains(text), "{text}");
        }
        for name in "abcdefgh12345678".chars() {
            assert_eq!(picture.matches(&format!(">{name}</text>")).count(), 2);
        }
        assert_eq!(picture.matches(">lowest 270</text>").count(), 2);
        assert_eq!(picture.matches(">highest 340</text>").count(), 2);
    }
}
