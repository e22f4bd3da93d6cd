//! The dialogs: opening, saving, setting up, the choice of a promotion, help.

use maud::{Markup, html};

use squarewise_engine::position::rules::Variant;

/// All dialogs, closed.
pub(super) fn dialogs() -> Markup {
    html! {
        dialog #open-dialog aria-labelledby="open-title" {
            h2 #open-title { "Open games or a position" }
            p { "Paste PGN or a FEN, choose a file, or drop one on the page." }
            textarea #open-text rows="8" aria-label="PGN or FEN" spellcheck="false" {}
            p.error #open-error role="alert" {}
            div.buttons {
                button.main #open-do type="button" { "Open" }
                label.button for="open-file" { "Choose a file" }
                input #open-file type="file" accept=".pgn,.txt,.fen,.epd,text/plain";
                button #open-kept type="button" { "Games you played here" }
                span.gap {}
                button type="button" data-close="" { "Cancel" }
            }
        }
        dialog #save-dialog aria-labelledby="save-title" {
            h2 #save-title { "Save or copy" }
            label for="fen-text" { "Position (FEN)" }
            div.row { input #fen-text type="text" readonly; button #copy-fen type="button" { "Copy" } }
            label for="pgn-text" { "Game (PGN)" }
            textarea #pgn-text rows="10" readonly {}
            div.buttons {
                button.main #copy-pgn type="button" { "Copy the game" }
                button #download-pgn type="button" { "Save as a file" }
                span.gap {}
                button type="button" data-close="" { "Close" }
            }
        }
        dialog #setup-dialog aria-labelledby="setup-title" {
            h2 #setup-title { "Set up a position" }
            p { "Choose a piece, then click squares; click again to take it away. By keys: the arrows and Enter." }
            div #palette.palette role="group" aria-label="Pieces" {}
            div #setup-board role="grid" aria-label="Position" {}
            div.fields {
                label for="setup-turn" { "To move" } select #setup-turn { option value="w" { "White" } option value="b" { "Black" } }
                label for="setup-castling" { "Castling" } input #setup-castling type="text" maxlength="8" value="KQkq";
                label for="setup-960" { "Chess960" }
                div.row { input #setup-960 type="number" min="0" max="959" value="518"; button #setup-960-do type="button" { "Show this start" } }
                label for="setup-variant" { "Variant" }
                div.row {
                    select #setup-variant { @for variant in Variant::ALL { option value=(variant.name()) { (variant.description()) } } }
                    button #setup-variant-do type="button" { "Show its start" }
                }
                label for="setup-fen" { "FEN" } input #setup-fen type="text" spellcheck="false" maxlength="120";
            }
            p.error #setup-error role="alert" {}
            div.buttons {
                button #setup-start type="button" { "Start position" }
                button #setup-empty type="button" { "Empty" }
                span.gap {}
                button.main #setup-do type="button" { "Use it" }
                button type="button" data-close="" { "Cancel" }
            }
        }
        dialog #style-dialog aria-labelledby="style-title" {
            h2 #style-title {}
            div #style-words {}
            img #style-maps alt="";
            div.buttons { span.gap {} button.main type="button" data-close="" { "Close" } }
        }
        dialog #promotion aria-label="Promote to" {
            div.buttons #promotion-choices {}
        }
        dialog #boards-dialog aria-labelledby="boards-title" {
            h2 #boards-title { "Boards" }
            p.hint { "Each board keeps its moves and games until it is deleted. There can be eight." }
            ol #board-list {}
            p.error #boards-error role="alert" {}
            div.buttons {
                button.main #new-board type="button" { "New board" }
                button #close-board type="button" { "Delete this board" }
                span.gap {}
                button type="button" data-close="" { "Close" }
            }
        }
        dialog #help-dialog aria-labelledby="help-title" {
            h2 #help-title { "Keys and help" }
            dl.keys {
                @for (key, meaning) in KEYS { dt { kbd { (key) } } dd { (meaning) } }
            }
            p { "Move a piece by dragging it, by clicking it and then its square, with Enter on the board's squares, or by typing the move. While the engine thinks you can already play your next move. The right mouse button draws arrows and circles." }
            p { "Scores are in pawns, the numbers of Why in centipawns (hundredths of a pawn), all from White’s side. Moves are judged by the winning chances that they give away, as on Lichess." }
            p { "Your games are kept in " span #games-file {} ". Chess pieces by Colin M.L. Burnett (cburnett), GNU General Public License, version 2 or later." }
            div.row {
                label for="colors" { "Colors of the board" }
                select #colors { @for (value, name) in [("", "green"), ("brown", "brown"), ("blue", "blue"), ("gray", "gray")] { option value=(value) { (name) } } }
            }
            div.buttons {
                button #quit type="button" { "Quit the program" }
                span.gap {}
                button.main type="button" data-close="" { "Close" }
            }
        }
    }
}

/// The keys, for the help.
const KEYS: [(&str, &str); 16] = [
    ("← →", "one move back or forward"),
    ("↑ ↓", "the variation before or after"),
    ("Home End", "start and end of the game"),
    ("f", "flip the board"),
    ("l", "engine on or off"),
    ("Space", "play the best move of the engine"),
    ("a", "arrows on or off"),
    ("x", "what the other side threatens"),
    ("w", "why: explain the position"),
    (
        "0 to 4",
        "numbers on the squares: off, worth, square, last move, table",
    ),
    ("n p", "next or previous mistake of a review"),
    ("h", "a hint"),
    ("m", "type a move"),
    ("o b s", "open; boards; save"),
    ("Esc", "leave a line, or let a piece go"),
    (
        "Tab",
        "reach everything; on the board the arrows go from square to square",
    ),
];
