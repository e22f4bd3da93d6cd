//! What a player sees: the board, and beside it the names, the clocks, the captured pieces, the
//! opening, the last moves and the evaluation.
//!
//! Everything is composed as lines of text. They fit into 80 columns and 24 lines; if there are
//! fewer columns, the panel stands above and below the board, and in a low window the board stands
//! alone.

use std::time::{Duration, Instant};

use shakmaty::{ByRole, Color, Position, Role};

use super::arbiter::{Arbiter, PlayedMove, Thought};
use super::clock;
use super::scene::Scene;
use crate::pgn::{shown_clock, shown_score};
use crate::terminal::board::{BoardPicture, filled_piece};
use crate::terminal::{Style, fitted, push_word, vertical_bar, visible_width};
use squarewise_engine::position::played_move::captures_own;
use squarewise_engine::wdl::{WinDrawLoss, points};

/// The columns between board, bar and panel.
const GAP: &str = "   ";

/// The fewest columns of a panel beside the board.
const MIN_PANEL_COLUMNS: usize = 34;

/// The most columns of a panel; in a wider one the eye loses the clock.
const MAX_PANEL_COLUMNS: usize = 52;

const CLOCK_COLUMNS: usize = 8;

/// The lines of the moves beside the board.
const MOVE_LINES: usize = 2;

/// The time from which on a clock is shown in red.
const SHORT_TIME: Duration = Duration::from_secs(10);

/// The smallest window in which the board is shown with a message and the prompt, in columns and
/// rows.
pub const MIN_SIZE: (usize, usize) = (29, 10);

impl Scene {
    /// The pictures for a screen of this many columns, the most complete first. Where there is
    /// room, the panel stands beside the board, with and without the letters of the files. On a
    /// narrower screen it stands above and below; then come the board with the players, the board
    /// alone, and the board without the letters. A screen that is too narrow has none.
    pub fn pictures(&self, style: Style, columns: usize) -> Vec<Vec<String>> {
        let board = BoardPicture {
            position: self.arbiter.position(),
            orientation: self.orientation,
            last_move: self.arbiter.moves().last().map(|played| played.m),
        };
        let mut board = board.lines(style);
        if self.shows_evaluation {
            let points = self.evaluation().map_or(500, |thought| {
                WinDrawLoss::white_points(thought.score, self.arbiter.position())
            });
            let bar = vertical_bar(points, 8, self.orientation, style);
            for (line, cell) in board.iter_mut().zip(bar) {
                line.push(' ');
                line.push_str(&cell);
            }
        }
        if columns < MIN_SIZE.0 {
            return Vec::new();
        }
        let ranks = &board[..8];
        let width = visible_width(&board[0]) + GAP.len();
        if columns >= width + MIN_PANEL_COLUMNS {
            let panel = (columns - width - 1).min(MAX_PANEL_COLUMNS);
            return vec![
                self.beside(&board, width, panel, style),
                self.beside(ranks, width, panel, style),
            ];
        }
        let [top, bottom] = [!self.orientation, self.orientation];
        let name = |side| vec![self.player_line(side, columns - 1, style)];
        let with_names = [name(top), board.clone(), name(bottom)].concat();
        let all = self.above_and_below(&board, columns - 1, style);
        vec![all, with_names, board.clone(), ranks.to_vec()]
    }

    /// The panel beside the board.
    fn beside(&self, board: &[String], column: usize, width: usize, style: Style) -> Vec<String> {
        let (top, bottom) = (!self.orientation, self.orientation);
        let mut panel = vec![
            self.player_line(top, width, style),
            self.captured_line(top, style),
            self.opening_line(width, style),
        ];
        panel.extend(self.move_lines(width, MOVE_LINES));
        panel.resize(3 + MOVE_LINES, String::new());
        panel.push(self.evaluation_line(style));
        panel.push(self.captured_line(bottom, style));
        panel.push(self.player_line(bottom, width, style));
        panel.resize(board.len(), String::new());
        let beside = |(left, right): (&String, String)| {
            let gap = " ".repeat(column.saturating_sub(visible_width(left)));
            format!("{left}{gap}{right}").trim_end().to_owned()
        };
        board.iter().zip(panel).map(beside).collect()
    }

    /// The panel above and below the board.
    fn above_and_below(&self, board: &[String], width: usize, style: Style) -> Vec<String> {
        let (top, bottom) = (!self.orientation, self.orientation);
        let mut lines = vec![
            self.player_line(top, width, style),
            self.captured_line(top, style),
        ];
        lines.extend_from_slice(board);
        lines.push(self.captured_line(bottom, style));
        lines.push(self.player_line(bottom, width, style));
        lines.push(self.opening_line(width, style));
        lines.extend(self.move_lines(width, 1));
        lines.push(self.evaluation_line(style));
        lines
    }

    /// The name of a player, and at the right end the clock.
    fn player_line(&self, side: Color, width: usize, style: Style) -> String {
        let is_to_move = self.arbiter.turn() == side && self.arbiter.ending().is_none();
        let mark = match (is_to_move, style.has_unicode) {
            (true, true) => "\u{25b6} ",
            (true, false) => "> ",
            (false, _) => "  ",
        };
        let name = format!(
            "{} ({})",
            self.players.get(side).name(),
            side.fold_wb("White", "Black")
        );
        let room = width.saturating_sub(CLOCK_COLUMNS + 1);
        let name = fitted(&format!("{mark}{name}"), room);
        // Some emoji are wider beside others than alone.
        let padding = (width - CLOCK_COLUMNS).saturating_sub(visible_width(&name));
        let padding = " ".repeat(padding);
        let name = if is_to_move { style.bold(&name) } else { name };
        format!("{name}{padding}{}", self.clock(side, style))
    }

    /// The clock of a side: the time left or, without one, the time spent. Always of the same
    /// width.
    fn clock(&self, side: Color, style: Style) -> String {
        let (clock, now) = (self.arbiter.clock(), Instant::now());
        match clock.remaining(side, now) {
            Some(time) => {
                let text = format!("{:>CLOCK_COLUMNS$}", clock::shown(time));
                if time < SHORT_TIME {
                    style.bad(&text)
                } else {
                    style.bold(&text)
                }
            }
            None => {
                let spent = shown_clock(clock.spent(side, now));
                style.dim(&format!("{spent:>CLOCK_COLUMNS$}"))
            }
        }
    }

    /// The pieces that a side has captured, and by how much it has more material.
    fn captured_line(&self, side: Color, style: Style) -> String {
        let captured = self.captured(side);
        let mut text = "  ".to_owned();
        for role in Role::ALL.into_iter().rev() {
            let piece = if style.has_unicode {
                filled_piece(role)
            } else {
                role.of(!side).char()
            };
            text.extend(std::iter::repeat_n(piece, *captured.get(role)));
        }
        let material = |color: Color| {
            let pieces = self.arbiter.position().board().material_side(color);
            let values = pieces.zip_role().into_iter();
            let values = values.map(|(role, count)| points(role) * u32::from(count));
            values.sum::<u32>()
        };
        let more = material(side).saturating_sub(material(!side));
        if more > 0 {
            text.push_str(&format!(" +{more}"));
        }
        style.dim(text.trim_end())
    }

    /// The number of pieces of each kind that the other side has lost.
    fn captured(&self, side: Color) -> ByRole<usize> {
        let mut captured = ByRole::new_with(|_| 0);
        let mut position = self.arbiter.start().clone();
        for PlayedMove { m, .. } in self.arbiter.moves() {
            let is_by_enemy = (position.turn() == side) != captures_own(&position, *m);
            if let Some(role) = m.capture().filter(|_| is_by_enemy) {
                *captured.get_mut(role) += 1;
            }
            position.play_unchecked(*m);
        }
        captured
    }

    fn opening_line(&self, width: usize, style: Style) -> String {
        let text = self.opening.map_or_else(String::new, |opening| {
            format!("  {} {}", opening.eco, opening.name)
        });
        style.dim(&fitted(&text, width))
    }

    /// The last moves, as many as fit into this many lines.
    fn move_lines(&self, width: usize, count: usize) -> Vec<String> {
        let mut lines = lines_of_moves(&self.arbiter, width.saturating_sub(2));
        let lines = lines.split_off(lines.len().saturating_sub(count));
        lines.into_iter().map(|line| format!("  {line}")).collect()
    }

    fn evaluation_line(&self, style: Style) -> String {
        let Some(Thought { score, depth }) = self.evaluation() else {
            return String::new();
        };
        // A mate is exact, and a move from a book has no depth.
        let depth = if depth == 0 || score.is_mate() {
            String::new()
        } else {
            style.dim(&format!("  depth {depth}"))
        };
        format!("  {}{depth}", style.bold(&shown_score(score)))
    }
}

/// All moves of a game in lines of at most this many columns.
pub fn lines_of_moves(arbiter: &Arbiter, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut pair = String::new();
    let moves = arbiter.moves();
    for (ply, played) in moves.iter().enumerate() {
        let number = arbiter.move_number(ply);
        if ply == 0 || !number.ends_with("...") {
            pair = format!("{number} {}", played.san);
        } else {
            pair.push(' ');
            pair.push_str(&played.san);
        }
        let is_whole = number.ends_with("...") || ply + 1 == moves.len();
        if is_whole {
            push_word(&mut lines, &pair, width);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::clock::TimeControl;
    use crate::play::player::Player;
    use crate::play::scene::tests::scene;
    use shakmaty::{Move, Square};
    use squarewise_engine::position::rules::Variant;
    use squarewise_engine::position::variant_position::VariantPosition;
    use squarewise_engine::score::Score;

    fn evaluated(moves: &str) -> Scene {
        let thought = Thought {
            score: Score::centipawns(31),
            depth: 12,
        };
        Scene {
            glance: Some(thought),
            ..scene(moves)
        }
    }

    fn picture(scene: &Scene, columns: usize) -> Vec<String> {
        scene.pictures(Style::PLAIN, columns).swap_remove(0)
    }

    #[test]
    fn the_panel_stands_beside_the_board_and_the_lines_fit() {
        let picture = picture(&evaluated("e4 d5 exd5 Qxd5 Nc3"), 80);
        let text = picture.join("\n");
        assert!(picture.len() <= 10, "{text}");
        assert!(picture.iter().all(|line| line.len() < 80), "{text}");
        for part in [
            "> Squarewise (Black)",
            "  Anna (White)",
            "5:0",
            "1. e4 d5 2. exd5 Qxd5 3. Nc3",
            "+0.31  depth 12",
            "\n7  p  p  p  .  p  p  p  p",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
    }

    #[test]
    fn a_name_of_any_characters_fits() {
        for name in [
            "\u{2764}\u{fe0f}".repeat(15),
            "\u{1f468}\u{200d}".repeat(30),
        ] {
            let mut scene = evaluated("e4");
            scene.players.white = Player::Person(name);
            for columns in [29, 40, 80] {
                assert!(!picture(&scene, columns).is_empty());
            }
        }
    }

    #[test]
    fn the_evaluation_can_be_hidden() {
        let hidden = Scene {
            shows_evaluation: false,
            ..evaluated("e4")
        };
        for columns in [40, 80] {
            let shown = picture(&evaluated("e4"), columns).join("\n");
            assert!(shown.contains("+0.31") && shown.contains('#'), "{shown}");
            let hidden = picture(&hidden, columns).join("\n");
            assert!(
                !hidden.contains("+0.31") && !hidden.contains('#'),
                "{hidden}"
            );
        }
    }

    #[test]
    fn a_narrow_screen_has_the_panel_above_and_below() {
        let pictures = evaluated("e4").pictures(Style::PLAIN, 40);
        let heights: Vec<usize> = pictures.iter().map(Vec::len).collect();
        assert_eq!(heights, [16, 11, 9, 8]);
        assert!(pictures.concat().iter().all(|line| line.len() < 40));
        assert!(pictures[0][0].contains("Squarewise"));
    }

    #[test]
    fn captured_pieces_are_shown_with_the_difference() {
        let text = picture(&scene("e4 d5 exd5 Nf6 c4 Nxd5 cxd5 Qxd5"), 80).join("\n");
        assert!(text.contains("  np +2"), "{text}");
        assert!(text.contains("  PP\n") || text.contains("  PP "), "{text}");
    }

    #[test]
    fn own_pieces_that_are_captured_are_lost_to_the_other_side() {
        let start = VariantPosition::start_of(Variant::SelfCapture);
        let rook_takes_pawn = |m: &Move| m.from() == Some(Square::A1) && m.to() == Square::A2;
        let m = start.legal_moves().into_iter().find(rook_takes_pawn);
        let mut scene = scene("");
        scene.arbiter = Arbiter::new(start, TimeControl::Depth(1));
        let m = m.expect("a capture of an own pawn");
        scene.arbiter.play(m, None, Instant::now());
        assert_eq!(scene.captured_line(Color::White, Style::PLAIN), "");
        assert_eq!(scene.captured_line(Color::Black, Style::PLAIN), "  P +1");
    }

    #[test]
    fn only_the_last_moves_are_shown_and_pairs_stay_together() {
        let scene = scene("Nf3 Nf6 Ng1 Ng8 e4 e5 d4 d5 Nc3 Nc6");
        let lines = lines_of_moves(&scene.arbiter, 24);
        assert_eq!(
            lines,
            ["1. Nf3 Nf6 2. Ng1 Ng8", "3. e4 e5 4. d4 d5", "5. Nc3 Nc6"]
        );
        let picture = picture(&scene, 66).join("\n");
        assert!(picture.contains("5. Nc3 Nc6"), "{picture}");
    }
}
