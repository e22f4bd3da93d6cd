//! The sum on the board and in a table: what each piece adds to the evaluation, and which tables it
//! comes from.

use shakmaty::{Color, File, Rank, Square};

use super::attack_words::largest_attacks;
use super::ending_words::ending_parts;
use super::words::{side_name, signed};
use crate::terminal::board::unicode_piece;
use crate::terminal::{Rgb, Style};
use squarewise_engine::evaluation::breakdown::{Breakdown, PieceTerms, Table};

/// The columns of a square.
const CELL: usize = 7;

/// The columns of the name of a piece in the table.
const NAME: usize = 4;

/// The columns of a sum in the table.
const SUM: usize = 6;

/// The most attacks that are named.
const MAX_ATTACKS: usize = 12;

/// A bonus of this many centipawns has the full color.
const FULL_COLOR: i32 = 60;

/// The board: each piece with what its square adds, positive if it is good for White. With colors
/// the squares of White's gains are red and those of Black's blue, as in the heat maps of the
/// tables.
pub(super) fn board(breakdown: &Breakdown, style: Style) -> Vec<String> {
    let square = |square: Square| match breakdown.piece_on(square) {
        Some(share) => piece(share, style),
        None => {
            let empty = if style.has_colors { ' ' } else { '.' };
            style.on_color(&format!("{empty:^CELL$}"), shade(0, square))
        }
    };
    let mut lines: Vec<String> = Rank::ALL
        .into_iter()
        .rev()
        .map(|rank| {
            let squares = File::ALL.map(|file| square(Square::from_coords(file, rank)));
            format!(
                "{} {}",
                style.dim(&rank.char().to_string()),
                squares.concat()
            )
        })
        .collect();
    let files = File::ALL.map(|file| format!("{:^CELL$}", file.char()));
    lines.push(style.dim(format!("  {}", files.concat()).trim_end()));
    lines
}

/// A piece with what its square adds.
fn piece(share: &PieceTerms, style: Style) -> String {
    let value = share.bonus();
    let letter = if style.has_unicode {
        unicode_piece(share.piece)
    } else {
        share.piece.char()
    };
    let text = format!("{:^CELL$}", format!("{letter} {}", signed(value)));
    style.on_color(&text, shade(value, share.square))
}

/// The background of a square on which a piece has this bonus.
fn shade(value: i32, square: Square) -> Rgb {
    let base: i32 = if square.is_light() { 215 } else { 180 };
    let strength = value.abs().min(FULL_COLOR);
    let faded = (base - base * strength / (FULL_COLOR + 20)) as u8;
    let full = (base + (255 - base) * strength / FULL_COLOR) as u8;
    if value >= 0 {
        Rgb(full, faded, faded)
    } else {
        Rgb(faded, faded, full)
    }
}

/// The table: a row for each piece, White's on the left, with what each table adds, and the sums of
/// both sides.
pub(super) fn table(breakdown: &Breakdown, style: Style) -> Vec<String> {
    let is_used = |table: &Table| {
        let terms = breakdown.pieces.iter().flat_map(|share| &share.terms);
        terms.into_iter().any(|term| term.table == *table)
    };
    let tables: Vec<Table> = Table::ALL.into_iter().filter(is_used).collect();
    let names: String = tables.iter().map(|table| heading(*table)).collect();
    let header = format!("{:<NAME$}{names}{:>SUM$}", "", "sum");
    let rows_of = |side: Color| -> Vec<String> {
        let pieces = breakdown.pieces.iter();
        let pieces = pieces.filter(|share| share.piece.color == side);
        let mut pieces: Vec<&PieceTerms> = pieces.collect();
        // The pieces of most value first.
        pieces.sort_by_key(|share| (-share.term(Table::Material).abs(), share.square));
        let mut rows: Vec<String> = pieces.iter().map(|share| row(share, &tables)).collect();
        rows.push(style.bold(&sums(&pieces, &tables)));
        rows
    };
    let [white, black] = [Color::White, Color::Black].map(rows_of);
    let width = header.len();
    let mut lines = vec![
        style.bold(&format!("{:<width$}  Black", "White")),
        format!("{header}  {header}"),
    ];
    let [white, black] = aligned(white, black, width);
    lines.extend(white.iter().zip(&black).map(|(left, right)| {
        let line = format!("{left}  {right}");
        line.trim_end().to_owned()
    }));
    lines.extend(beyond_pieces(breakdown, style));
    lines
}

/// Two columns with the same number of lines and their sums in the last one.
fn aligned(white: Vec<String>, black: Vec<String>, width: usize) -> [Vec<String>; 2] {
    let length = white.len().max(black.len());
    [white, black].map(|mut column| {
        let blank = " ".repeat(width);
        let last = column.len().saturating_sub(1);
        let missing = length - column.len();
        column.splice(last..last, vec![blank; missing]);
        column
    })
}

/// The heading of the numbers of a table, as wide as they are. Both sides fit into the 80 columns
/// of a terminal.
fn heading(table: Table) -> &'static str {
    match table {
        Table::Material => " material",
        Table::Square => " square",
        Table::OwnKing => " own K",
        Table::EnemyKing => " enemy K",
        Table::Pawns => " pawns",
    }
}

fn row(share: &PieceTerms, tables: &[Table]) -> String {
    let name = format!("{}{}", share.piece.char(), share.square);
    let term = |table: Table| share.term(table);
    format!(
        "{name:<NAME$}{}{:>SUM$}",
        numbers(tables, term),
        signed(share.total())
    )
}

/// The last row of a side: its sums.
fn sums(pieces: &[&PieceTerms], tables: &[Table]) -> String {
    let term = |table: Table| pieces.iter().map(|share| share.term(table)).sum();
    let total: i32 = pieces.iter().map(|share| share.total()).sum();
    format!(
        "{:<NAME$}{}{:>SUM$}",
        "sum",
        numbers(tables, term),
        signed(total)
    )
}

fn numbers(tables: &[Table], term: impl Fn(Table) -> i32) -> String {
    let numbers = tables.iter().map(|table| {
        let width = heading(*table).len();
        format!("{:>width$}", signed(term(*table)))
    });
    numbers.collect()
}

/// What belongs to no piece, and the evaluation.
fn beyond_pieces(breakdown: &Breakdown, style: Style) -> Vec<String> {
    let pieces: i32 = breakdown.pieces.iter().map(PieceTerms::total).sum();
    let mut lines = vec![String::new(), line("all pieces", pieces, "")];
    for term in breakdown.shown_beyond_pieces() {
        let [black, white] = term.sides;
        let sides = format!("White {}, Black {}", signed(white), signed(black));
        lines.push(line(term.source.name(), term.value(), &sides));
    }
    let turn = side_name(breakdown.turn);
    lines.push(line("side to move", breakdown.tempo, turn));
    lines.push(style.bold(&line("evaluation", breakdown.total, "")));
    for (heading, parts) in [
        ("What counts in this ending", ending_parts(breakdown)),
        (
            "What attacks add most",
            largest_attacks(breakdown, MAX_ATTACKS),
        ),
    ] {
        if !parts.is_empty() {
            let heading = style.bold(&format!("{heading} (+ is good for White)"));
            lines.extend([String::new(), heading]);
            let named = parts.iter();
            lines.extend(named.map(|(words, value)| format!("{:>5}  {words}", signed(*value))));
        }
    }
    lines
}

fn line(name: &str, value: i32, note: &str) -> String {
    let line = format!("{name:<29}{:>7}  {note}", signed(value));
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use squarewise_engine::evaluation::TableSet;
    use squarewise_engine::evaluation::breakdown::Breakdown;
    use squarewise_engine::position::from_fen;

    fn breakdown_of(fen: &str, set: TableSet) -> Breakdown {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        Breakdown::of(&position, &set.tables())
    }

    #[test]
    fn the_board_shows_what_each_square_adds() {
        let breakdown = breakdown_of("4k3/8/8/4N3/8/8/8/4K3 w - - 0 1", TableSet::Simplified);
        let lines = board(&breakdown, Style::PLAIN);
        assert_eq!(lines.len(), 9);
        assert_eq!(
            lines[3],
            format!(
                "5 {}{}{}",
                "   .   ".repeat(4),
                " N +20 ",
                "   .   ".repeat(3)
            )
        );
        assert_eq!(
            lines[8],
            "     a      b      c      d      e      f      g      h"
        );
    }

    #[test]
    fn the_table_has_a_row_for_each_piece_and_the_sums_below() {
        let breakdown = breakdown_of("4k3/8/8/4N3/8/8/4P3/4K3 b - - 0 1", TableSet::Simplified);
        let lines = table(&breakdown, Style::PLAIN);
        assert_eq!(
            lines[..6],
            [
                "White                       Black",
                "     material square   sum       material square   sum",
                "Ne5      +320    +20  +340  ke8         0      0     0",
                "Pe2      +100    -20   +80",
                "Ke1         0      0     0",
                "sum      +420      0  +420  sum         0      0     0",
            ]
        );
        assert_eq!(
            lines[lines.len() - 2..],
            [
                "side to move                       0  Black",
                "evaluation                      +420",
            ]
        );
        assert_eq!(lines.len(), 11);
    }
}
