//! The chess board as text.
//!
//! With colors the squares are painted and the pieces are those of Unicode, both sides in the
//! filled form, told apart by their color. Without colors the pieces are letters, capitals for
//! White; the squares of the last move stand in brackets and a king in check between plus signs.

use shakmaty::{Color, File, Move, Piece, Position, Rank, Role, Square};
use squarewise_engine::position::played_move::moved_squares;
use squarewise_engine::position::variant_position::VariantPosition;

use super::Style;
use super::ink::Rgb;

const LIGHT: Rgb = Rgb(205, 170, 125);
const DARK: Rgb = Rgb(140, 96, 62);
const LIGHT_OF_LAST_MOVE: Rgb = Rgb(178, 178, 78);
const DARK_OF_LAST_MOVE: Rgb = Rgb(134, 134, 40);
const CHECK: Rgb = Rgb(205, 55, 50);
const WHITE_PIECE: Rgb = Rgb(255, 255, 255);
const BLACK_PIECE: Rgb = Rgb(0, 0, 0);

/// A board to draw.
#[derive(Clone, Copy, Debug)]
pub struct BoardPicture<'a> {
    /// The position.
    pub position: &'a VariantPosition,
    /// The side that sits at the bottom.
    pub orientation: Color,
    /// The move that led here, whose squares are marked.
    pub last_move: Option<Move>,
}

/// What is to be said about a square besides the piece on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    None,
    LastMove,
    Check,
}

impl BoardPicture<'_> {
    /// The lines of the picture, without line breaks: the ranks from the top down with their
    /// numbers, then the files. A king in check is marked. All lines have the same width on the
    /// screen: two columns for the numbers, and three for each file.
    pub fn lines(&self, style: Style) -> Vec<String> {
        let (mut ranks, mut files) = (Rank::ALL, File::ALL);
        match self.orientation {
            Color::White => ranks.reverse(),
            Color::Black => files.reverse(),
        }
        let mut lines: Vec<String> = ranks
            .into_iter()
            .map(|rank| {
                let square = |file| self.square(Square::from_coords(file, rank), style);
                let squares = files.map(square);
                let number = style.dim(&format!("{} ", rank.char()));
                format!("{number}{}", squares.concat())
            })
            .collect();
        let names = files.map(|file| format!(" {} ", file.char()));
        lines.push(style.dim(&format!("  {}", names.concat())));
        lines
    }

    /// A square, three columns wide.
    fn square(&self, square: Square, style: Style) -> String {
        let piece = self.position.board().piece_at(square);
        let mark = self.mark(square);
        if style.has_colors {
            let background = match (mark, square.is_light()) {
                (Mark::Check, _) => CHECK,
                (Mark::LastMove, true) => LIGHT_OF_LAST_MOVE,
                (Mark::LastMove, false) => DARK_OF_LAST_MOVE,
                (Mark::None, true) => LIGHT,
                (Mark::None, false) => DARK,
            };
            let color = match piece.map(|piece| piece.color) {
                Some(Color::White) => WHITE_PIECE,
                _ => BLACK_PIECE,
            };
            let drawn = piece.map_or(' ', |piece| {
                if style.has_unicode {
                    filled_piece(piece.role)
                } else {
                    piece.char()
                }
            });
            return style.on(&format!(" {drawn} "), color, background);
        }
        let drawn = match piece {
            Some(piece) if style.has_unicode => unicode_piece(piece),
            Some(piece) => piece.char(),
            None => '.',
        };
        match mark {
            Mark::None => format!(" {drawn} "),
            Mark::LastMove => format!("[{drawn}]"),
            Mark::Check => format!("+{drawn}+"),
        }
    }

    fn mark(&self, square: Square) -> Mark {
        let position = self.position;
        let king = position.board().king_of(position.turn());
        if position.is_check() && king == Some(square) {
            return Mark::Check;
        }
        // Of castling the first pair is the king's.
        let moved = (self.last_move).and_then(|m| moved_squares(m, !position.turn())[0]);
        if moved.is_some_and(|(from, to)| from == square || to == square) {
            return Mark::LastMove;
        }
        Mark::None
    }
}

/// The piece as a filled figure, whose color is that of its side.
pub(crate) fn filled_piece(role: Role) -> char {
    match role {
        Role::Pawn => '♟',
        Role::Knight => '♞',
        Role::Bishop => '♝',
        Role::Rook => '♜',
        Role::Queen => '♛',
        Role::King => '♚',
    }
}

/// The piece as a figure that is an outline for White and filled for Black.
pub(crate) fn unicode_piece(piece: Piece) -> char {
    match (piece.color, piece.role) {
        (Color::Black, role) => filled_piece(role),
        (Color::White, Role::Pawn) => '♙',
        (Color::White, Role::Knight) => '♘',
        (Color::White, Role::Bishop) => '♗',
        (Color::White, Role::Rook) => '♖',
        (Color::White, Role::Queen) => '♕',
        (Color::White, Role::King) => '♔',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::visible_width;
    use shakmaty::CastlingMode;
    use squarewise_engine::position::from_fen;

    const COLORS: Style = Style {
        has_colors: true,
        has_unicode: true,
        has_true_color: true,
    };

    fn position(fen: &str) -> VariantPosition {
        let position = from_fen(fen, CastlingMode::Standard);
        position.expect("a legal position").into()
    }

    fn lines(
        position: &VariantPosition,
        side: Color,
        last_move: Option<Move>,
        style: Style,
    ) -> Vec<String> {
        let picture = BoardPicture {
            position,
            orientation: side,
            last_move,
        };
        picture.lines(style)
    }

    /// The position after a queen's check, and the check.
    fn checked() -> (VariantPosition, Move) {
        let mut position = position("rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
        let m = Move::Normal {
            role: Role::Queen,
            from: Square::D1,
            capture: None,
            to: Square::H5,
            promotion: None,
        };
        position.play_unchecked(m);
        (position, m)
    }

    #[test]
    fn the_plain_board_marks_the_last_move_and_the_check() {
        let (position, m) = checked();
        assert_eq!(
            lines(&position, Color::White, Some(m), Style::PLAIN),
            [
                "8  r  n  b  q +k+ b  n  r ",
                "7  p  p  p  p  p  .  p  p ",
                "6  .  .  .  .  .  .  .  . ",
                "5  .  .  .  .  .  p  . [Q]",
                "4  .  .  .  .  P  .  .  . ",
                "3  .  .  .  .  .  .  .  . ",
                "2  P  P  P  P  .  P  P  P ",
                "1  R  N  B [.] K  B  N  R ",
                "   a  b  c  d  e  f  g  h ",
            ]
        );
        let flipped = lines(&position, Color::Black, None, Style::PLAIN);
        assert_eq!(flipped[0], "1  R  N  B  K  .  B  N  R ");
        assert_eq!(flipped[8], "   h  g  f  e  d  c  b  a ");
    }

    #[test]
    fn all_lines_have_the_same_width_in_every_style() {
        let (position, m) = checked();
        for bits in 0..8 {
            let style = Style {
                has_colors: bits & 1 != 0,
                has_unicode: bits & 2 != 0,
                has_true_color: bits & 4 != 0,
            };
            for side in Color::ALL {
                for line in lines(&position, side, Some(m), style) {
                    assert_eq!(visible_width(&line), 26, "{style:?}: {line}");
                }
            }
        }
    }

    #[test]
    fn the_colored_board_marks_the_same_squares_by_their_background() {
        let (position, m) = checked();
        let picture = lines(&position, Color::White, Some(m), COLORS);
        let square = |text, color, background| COLORS.on(text, color, background);
        assert!(picture[0].contains(&square(" ♚ ", BLACK_PIECE, CHECK)));
        assert!(picture[3].contains(&square(" ♛ ", WHITE_PIECE, LIGHT_OF_LAST_MOVE)));
        assert!(picture[7].contains(&square("   ", BLACK_PIECE, LIGHT_OF_LAST_MOVE)));
    }

    #[test]
    fn castling_marks_where_the_king_went() {
        let mut position = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        let m = Move::Castle {
            king: Square::E1,
            rook: Square::H1,
        };
        position.play_unchecked(m);
        let picture = lines(&position, Color::White, Some(m), Style::PLAIN);
        assert_eq!(picture[7], "1  .  .  .  . [.] R [K] . ");
    }

    #[test]
    fn unicode_without_colors_tells_the_sides_apart_by_the_figure() {
        let style = Style {
            has_unicode: true,
            ..Style::PLAIN
        };
        let picture = lines(&VariantPosition::default(), Color::White, None, style);
        assert_eq!(picture[0], "8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜ ");
        assert_eq!(picture[7], "1  ♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖ ");
    }
}
