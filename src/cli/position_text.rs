//! What `squarewise analyze` shows of a position: the board, the expected result, and the best
//! lines.

use std::io::{self, Write};

use shakmaty::{Color, Position};

use super::analysis_text::opening;
use squarewise_desk::analysis::annotate::shown_moves;
use squarewise_desk::analysis::{AnalyzedGame, AnalyzedPosition};
use squarewise_desk::pgn::{shown_score, writer};
use squarewise_desk::terminal::board::BoardPicture;
use squarewise_desk::terminal::{Style, bar};
use squarewise_engine::position::game::Game;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::wdl::WinDrawLoss;

/// The length of the evaluation bar, in columns.
const BAR_COLUMNS: usize = 26;

/// Writes a position: the board, the expected result, and the lines of play.
pub(super) fn write_position(
    out: &mut impl Write,
    game: &AnalyzedGame,
    style: Style,
) -> io::Result<()> {
    let (position, found) = (&game.record.start, &game.positions[0]);
    let board = BoardPicture {
        position,
        orientation: Color::White,
        last_move: None,
    };
    for line in board.lines(style) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "  {}", bar(found.white_points, BAR_COLUMNS, style))?;
    writeln!(out)?;
    if let Some(opening) = opening(game) {
        writeln!(out, "{opening}")?;
    }
    if found.lines.is_empty() {
        let end = Game::new(position.clone()).end_by_the_rules();
        let winner = end.and_then(|end| end.winner());
        let how = if position.is_check() {
            "checkmate"
        } else {
            "stalemate"
        };
        return match winner {
            Some(Color::White) => writeln!(out, "{how}, White has won"),
            Some(Color::Black) => writeln!(out, "{how}, Black has won"),
            None if position.is_stalemate() => writeln!(out, "stalemate"),
            None => writeln!(out, "a draw, neither side can mate"),
        };
    }
    let mover = position.turn().fold_wb("White", "Black");
    writeln!(out, "{mover} to move. {}", expected_result(found, position))?;
    writeln!(out)?;
    for line in &found.lines {
        let evaluation = shown_score(line.score);
        let moves = writer::line_of_play(position, shown_moves(line, position));
        let depth = style.dim(&format!("depth {:>2}", line.depth));
        writeln!(
            out,
            "{}  {depth}  {moves}",
            style.bold(&format!("{evaluation:>7}"))
        )?;
    }
    Ok(())
}

/// How a thousand games from this position would end.
fn expected_result(found: &AnalyzedPosition, position: &VariantPosition) -> String {
    let expected = WinDrawLoss::expected(found.score, Color::White, position);
    format!(
        "Of 1000 games White wins {}, draws {} and loses {}.",
        expected.win, expected.draw, expected.loss
    )
}
