"""Uses the board in a headless Chromium as a person does, at two window sizes.

It plays to mate by drag and by tap, castles, promotes, takes back, analyses, reviews, solves a puzzle and asks why, and
compares every position with python-chess. A hostile page on another port can't do or read anything, a program that is
killed and started again has lost nothing that was kept, and the console stays silent.

    .venv/bin/python .ci/board.py --engine target/release/squarewise [--screenshots DIR]
"""

import argparse
import http.server
import io
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import chess
import chess.pgn
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from board_features import features
from board_page import PATIENCE, Page, Program

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}

# Names, comments and tags that try to break out of the page; a variation within a variation;
# arrows.
HOSTILE = r"""
[Event "</script><script>document.title='owned'</script>"]
[White "<img src=x onerror=document.title='owned'> ‮evil‬"]
[Black "O'Neill & Sons \"The Rook\""]
[Result "0-1"]

{<svg onload=alert(1)>} 1. e4 {[%cal Ge2e4,Rd1h5] good} e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Ke2 $4 {</script>} Qh4 3. Nf3 Qxe4# 0-1

[White "Second"]
[Black "Game"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0
"""


def play_to_mate(page: Page) -> None:
    for name, do in (("drag", page.drag), ("tap", page.tap)):
        board = page.position(chess.STARTING_FEN)
        for uci in ("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"):
            do(uci[:2], uci[2:4])
            board.push_uci(uci)
            page.expect_board(board, f"{uci} by {name}")
        page.wait("details()?.over?.startsWith('checkmate')", "mate is mate")
        said = page.text("#said")
        page.expect("queen takes f7, checkmate" in said, said)
        page.press(Keys.HOME)
        page.expect_board(chess.Board(), "Home")
        page.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        stepped = chess.Board()
        stepped.push_san("e4")
        stepped.push_san("e5")
        page.expect_board(stepped, "two steps")
        page.press(Keys.END)
        page.expect_board(board, "End")


def play_by_keys(page: Page) -> None:
    """A game with the keyboard alone, read from the accessibility tree: the board is a grid, Enter takes and puts."""
    board = page.position(chess.STARTING_FEN)
    page.ask("document.querySelector('#board [tabindex=\"0\"]').focus()")

    def press(key: str) -> None:
        ActionChains(page.driver).send_keys(key).perform()

    def go_to(square: int) -> None:
        at = chess.parse_square(page.ask("document.activeElement.dataset.square"))
        files, ranks = (chess.square_file(square) - chess.square_file(at), chess.square_rank(square) - chess.square_rank(at))
        for _ in range(abs(files)):
            press(Keys.ARROW_RIGHT if files > 0 else Keys.ARROW_LEFT)
        for _ in range(abs(ranks)):
            press(Keys.ARROW_UP if ranks > 0 else Keys.ARROW_DOWN)

    for uci in ("f2f3", "e7e5", "g2g4", "d8h4"):
        move = chess.Move.from_uci(uci)
        go_to(move.from_square)
        press(Keys.ENTER)
        go_to(move.to_square)
        label = page.ask("document.activeElement.getAttribute('aria-label')")
        page.expect(label == f"{uci[2:]}, empty, can go here", label)
        press(Keys.ENTER)
        board.push(move)
        page.expect_board(board, f"{uci} by keys")
    tree = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    names = {node["name"]["value"] for node in tree if node.get("role", {}).get("value") == "gridcell"}
    names = {", ".join(name.split(", ")[:2]) for name in names}
    colors = {True: "white", False: "black"}
    piece = lambda square: board.piece_at(square)
    word = lambda square: f"{colors[piece(square).color]} {chess.piece_name(piece(square).piece_type)}" if piece(square) else "empty"
    expected = {f"{chess.square_name(square)}, {word(square)}" for square in chess.SQUARES}
    page.expect(names == expected, f"the accessibility tree lacks {sorted(expected - names)}")
    said = page.text("#said")
    page.expect("queen to h4, checkmate" in said and "Black wins" in said, said)


def refuse(page: Page) -> None:
    """What is not possible is said, and changes nothing."""
    board = page.position(chess.STARTING_FEN)
    page.drag("e2", "e5")
    page.drag("e7", "e5")
    page.type_move("Bb5")
    page.wait("document.getElementById('message').textContent.includes('can’t pass')"
              " || document.getElementById('message').textContent.includes(\"can't pass\")", "the reason is said")
    page.expect_board(board, "after moves that are not possible")
    page.load("not a game")
    page.wait("document.getElementById('open-error').textContent", "a text that is no game is refused")
    page.click("#open-dialog [data-close]")
    page.expect_board(board, "after a text that is no game")


def special_moves(page: Page) -> None:
    board = page.position("r3k2r/pppq1ppp/2n2n2/3pp3/3PP3/2N2N2/PPPQ1PPP/R3K2R w KQkq - 0 10")
    page.drag("e1", "g1")
    board.push_san("O-O")
    page.expect_board(board, "castling by drag")
    page.tap("e8", "a8")
    board.push_san("O-O-O")
    page.expect_board(board, "castling onto the rook")
    board = page.position("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1")
    page.drag("d2", "d4")
    board.push_san("d4")
    page.expect_board(board, "a pawn goes two squares")
    page.drag("e4", "d3")
    board.push_san("exd3")
    page.expect_board(board, "en passant")
    taken = "[...document.querySelectorAll('.strip .material')].map((row) => row.getAttribute('aria-label') ?? '')"
    said = page.ask(taken)
    page.expect(sorted(said) == ["", "has taken a pawn, 1 point of material ahead"], f"the material beside the board: {said}")
    for piece in "qrbn":
        board = page.position("8/P3k3/8/8/8/8/8/4K3 w - - 0 1")
        page.drag("a7", "a8")
        page.wait("document.querySelector('#promotion[open]')", "the choice of a piece")
        page.click_until(f"#promotion [data-piece={piece}]", "!document.querySelector('#promotion[open]')", "a choice")
        board.push_uci(f"a7a8{piece}")
        page.expect_board(board, f"promotion to {piece}")
    page.click("#set-up")
    page.type_into("#setup-960", "0")
    page.click("#setup-960-do")
    board = chess.Board.from_chess960_pos(0)
    page.wait("!document.querySelector('dialog[open]')", "Chess960")
    page.wait(f"node().f.startsWith('{board.board_fen()}')", "the start position 0 of Chess960")


def tree(page: Page) -> None:
    """Variations, comments, glyphs and arrows go into the PGN and come back."""
    for first in ("e4", "d4"):
        page.load(f"1. {first} *")
        page.wait(f"node(1)?.m === '{first}'", "a short game")
        page.expect(page.text("#moves .san") == first, "the list has the moves of the game on the board")
    page.load(HOSTILE)
    page.wait("node(0).k && state.games[1][0] === 'Second'", "two games")
    page.press(Keys.END)
    game = chess.pgn.read_game(io.StringIO(HOSTILE.lstrip()))
    page.expect_board(game.end().board(), "the end of a game that was opened")
    page.expect(page.driver.title == "Squarewise", "a name of a game was executed")
    page.expect(page.ask("document.querySelectorAll('#moves .variation').length") == 1, "a variation in the list")
    page.press(Keys.HOME)
    board = chess.Board()
    for san in ("d4", "d5"):
        page.type_move(san)
        board.push_san(san)
        page.expect_board(board, "a variation of one's own")
    page.click("#annotation [data-glyph='3']")
    page.wait("node().g?.includes(3)", "a glyph")
    here = page.ask("state.at")
    page.type_into("#comment", "a comment")
    page.ask("goTo(node().parent)")
    page.ask("goTo(arguments[0])", here)
    page.wait("node().k === 'a comment'", "a comment that was left by a move on the board")
    page.draw("d1", "d4")
    page.draw("e5", "e5")
    page.wait("node().a?.length === 2", "an arrow and a circle")
    page.click("#promote")
    page.wait("node(0).children[0] === node().parent", "the variation is the main line")
    text = page.ask("command({ do: 'text', at: 0 }).then((answer) => answer.pgn)")
    game = chess.pgn.read_game(io.StringIO(text))
    page.expect(not game.errors, f"python-chess finds errors in {text}")
    end = game.variations[0].variations[0]
    page.expect(end.san() == "d5" and 3 in end.nags and "a comment" in end.comment and len(end.arrows()) == 2, text)
    inner = game.variations[1].variations[1]
    page.expect(inner.san() == "c5" and len(inner.variations) == 2, "the variation within a variation")
    page.click("#delete")
    page.wait("node(0).children.length === 2 && node().m === 'd4'", "a deleted move")
    page.load('[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 1-0')
    page.wait("byId('circumstances').textContent.startsWith('1–0')", "the result of a game that was opened")
    page.ask("goTo(1)")
    page.click("#delete")
    page.wait("byId('delete').textContent === 'Delete 4 moves?'", "it is asked whether so many moves go")
    page.expect(page.ask("node(0).children.length") == 1, "nothing is deleted by one click")
    page.click("#delete")
    page.wait("node(0).children.length === 0", "they are deleted")


def open_in_every_way(page: Page, folder: Path) -> None:
    """A file that is chosen, one that is dropped, and a text that is pasted; what was saved is read back equal."""
    path = folder / "chosen.pgn"
    path.write_text('[White "Chosen"]\n\n1. d4 d5 2. c4 *\n', encoding="utf-8")
    page.find("#open-file").send_keys(str(path))
    page.wait("state.players[0][0] === 'Chosen'", "a file that was chosen")
    for encoding, name in (("windows-1252", "Hübner, Robert"), ("utf-16", "Šarić, Ivan")):
        path.write_text(f'[White "{name}"]\n\n1. c4 *\n', encoding=encoding)
        page.find("#open-file").send_keys(str(path))
        page.wait(f"state.players[0][0] === '{name}'", f"a file in {encoding}")
    page.ask("""(() => {
      const data = new DataTransfer();
      data.items.add(new File(['[White "Dropped"]\\n\\n1. e4 *'], "dropped.pgn"));
      document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    })()""")
    page.wait("state.players[0][0] === 'Dropped'", "a file that was dropped")
    page.ask("""(() => {
      const data = new DataTransfer();
      data.setData("text/plain", '[White "Pasted"]\\n\\n1. c4 e5 2. Nc3 (2. g3 c6) *');
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    })()""")
    page.wait("state.players[0][0] === 'Pasted'", "a text that was pasted")
    page.press("s")
    page.wait("byId('save-dialog').open", "the dialog to save")
    pgn = page.ask("byId('pgn-text').value")
    page.click("#save-dialog [data-close]")
    page.load(pgn)
    page.wait("!byId('open-dialog').open", "what was saved is opened")
    page.expect(page.ask("command({ do: 'text', at: 0 }).then((answer) => answer.pgn)") == pgn, "what was saved is read back equal")
    page.click("#sound")
    page.expect(page.ask("state.sound && stored('squarewise-sound') === 'on'"), "sounds are on")
    page.click("#sound")


def analyse(page: Page) -> None:
    fen = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3"
    board = page.position(fen)
    page.view("analysis")
    page.click("#engine")
    page.wait("state.lines?.lines.length === 3 && state.lines.depth >= 6", "three lines")
    expect_lines(page, board)
    if not page.is_phone:
        point_at_a_line(page, board)
    page.wait("state.lines?.lines.length === 3", "three lines")
    expect_lines(page, board)
    page.expect(page.ask("document.querySelectorAll('#arrows .arrow').length") == 3, "an arrow for each line")
    share, points = page.ask("[parseFloat(document.querySelector('#bar div').style.height), state.lines.q]")
    page.expect(abs(share - points / 10) < 0.1, f"the bar shows {share} instead of {points / 10}")
    page.ask("setEngine(false)")
    page.ask("setEngine(true)")
    page.wait("state.lines?.lines.length === 3", "lines once more")
    # The engine rests, so that the lines stay.
    page.rest()
    firsts = page.ask("state.lines.lines.map((one) => one.l[0][0])")
    page.press(" ")
    page.wait("node().parent === 0", "the best move by the space bar")
    first = page.ask("node().m")
    page.expect(first in firsts, f"{first} is none of {firsts}")
    board.push_san(first)
    page.expect_board(board, "the best move by the space bar")
    page.wait("state.lines?.at === state.at", "lines of the new position")
    expect_lines(page, board)
    # Quick steps: what is shown belongs to the position that is shown.
    for _ in range(10):
        page.press(Keys.ARROW_LEFT, Keys.ARROW_RIGHT)
    page.wait("state.lines?.at === state.at && state.lines.lines.length === 3", "lines after quick steps")
    expect_lines(page, board)
    page.press("x")
    page.wait("state.lines?.threat", "the threat")
    page.expect(page.ask("document.querySelectorAll('#arrows .threat').length") > 0, "the arrow of a threat")
    page.press("x")
    page.press("a")
    page.expect(page.ask("document.querySelectorAll('#arrows .best').length") == 0, "arrows that are switched off")
    page.press("a")
    page.wait("document.querySelectorAll('#arrows .best').length === 1", "arrows that are switched on")
    page.ask("byId('engine-settings').open = true")
    page.type_into("#only", "h3 a2-a3\n")
    page.wait("state.lines?.lines.length === 2", "only the moves that were chosen")
    firsts = page.ask("state.lines.lines.map((one) => one.l[0][0])")
    page.expect(sorted(firsts) == ["a3", "h3"], f"{firsts}")
    page.type_into("#only", "Ke8\n")
    page.wait("document.querySelector('#lines .hint')?.textContent", "a move that can't be played is told")
    page.type_into("#only", "\n")
    page.wait("state.lines?.lines.length === 3", "all moves again")
    page.ask("(byId('seconds').value = 1, byId('seconds').dispatchEvent(new Event('change')))")
    page.wait("!byId('deeper').hidden", "the search has ended")
    page.expect_no_overflow("the settings of the engine")
    page.click("#deeper")
    page.wait("byId('deeper').hidden && state.lines && !state.lines.over", "it goes on")
    page.ask("(byId('seconds').value = 20, byId('seconds').dispatchEvent(new Event('change')))")
    page.press("l")
    page.wait("!engine.on && !document.querySelector('#lines li')", "the engine is off")
    mate = page.position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    page.press("l")
    page.wait("state.lines?.lines[0].s === '#1'", "a mate is told as such")
    page.press("l")
    page.expect_board(mate, "the analysis changes nothing")


def point_at_a_line(page: Page, board: chess.Board) -> None:
    """A move of a line is on the board while the pointer is on it. The engine rests, so that the line stays."""
    page.rest()
    button = "#lines li:first-child .moves-of-line button:nth-of-type(2)"
    line = page.ask("state.lines.lines[0].l.slice(0, 2).map(([san]) => san)")
    at = board.copy()
    for san in line:
        at.push_san(san)
    ActionChains(page.driver).move_to_element(page.find(button)).perform()
    page.wait("state.preview?.count === 2", "a line that is pointed at")
    expected = {chess.square_name(square): piece.symbol() for square, piece in at.piece_map().items()}
    page.expect(page.pieces() == expected, "the position in the line")
    ActionChains(page.driver).move_to_element(page.find("h1")).perform()
    page.wait("!state.preview", "the pointer has left the line")
    page.ask("analyzeHere()")


def expect_lines(page: Page, board: chess.Board) -> None:
    """Every move of every line is legal, and written as python-chess writes it."""
    lines = page.ask("state.lines.lines.map((one) => one.l.map(([san]) => san))")
    for line in lines:
        at = board.copy()
        for san in line:
            move = at.parse_san(san)
            page.expect(at.san(move) == san, f"{san} is {at.san(move)}")
            at.push(move)
    page.expect(len({line[0] for line in lines}) == len(lines), "each line begins with another move")


def play_the_engine(page: Page) -> None:
    """A game from a position with a mate, with take back, hint and clock; and one that is resigned."""
    fen = "7k/8/4K3/6Q1/8/8/8/8 w - - 0 1"
    board = page.position(fen)
    page.ask("byId('feedback').checked = true")
    page.begin_game("a game with a clock", elo=500, time="5+3", start="here")
    page.wait("state.game.clock", "its clock")
    page.expect_board(board, "the position of the game")
    page.press("h")
    page.wait("state.hint?.step === 1", "a hint")
    page.drag("e6", "f7")
    page.wait("state.game.moves === 2 && state.at === state.game.head && details()?.ways", "the engine answers")
    board.push_san("Kf7")
    board.push_san("Kh7")
    page.expect_board(board, "after the engine's only move")
    page.wait("feedback.size === 1", "the move is judged")
    page.driver.refresh()
    page.wait("isPlaying() && feedback.size === 1 && details()?.ways", "the judgement is there after a reload")
    page.click("#take-back")
    page.wait("state.game.moves === 0", "taken back")
    board = chess.Board(fen)
    page.expect_board(board, "after taking back")
    page.drag("e6", "f7")
    page.wait("state.game.moves === 2 && state.at === state.game.head", "the engine answers again")
    page.tap("g5", "g7")
    page.wait("state.game.ending === 'checkmate, White wins'", "mate against the engine")
    for san in ("Kf7", "Kh7", "Qg7#"):
        board.push_san(san)
    page.expect_board(board, "the mate")
    page.wait("feedback.has(state.at)", "the mate is judged")
    page.expect(page.ask("mainLine().slice(1).every((id) => node(id).c)"), "after the end each move has its clock")
    page.click("#rematch")
    page.wait("isPlaying() && state.game.person === 'b'", "a rematch with the other color")
    page.expect(page.ask("feedback.size") == 0, "the judgements of the old game are gone")
    page.expect(page.ask("board.flipped") is True, "Black is below")
    page.wait("state.game.turn === 'b' || state.game.ending", "the engine moves first")
    page.ask("setEngine(true)")
    page.expect(page.ask("engine.on") is False and "during a game" in page.text("#message"), "no lines during a game")
    page.resign("state.game.ending?.startsWith('Black resigns')")
    page.expect("Black resigns" in page.text("#message"), page.text("#message"))
    page.wait("byId('circumstances').textContent.startsWith('1–0')", "the result below the moves")
    page.press("o")
    page.click("#open-kept")
    page.wait("!byId('open-dialog').open && state.own === 'b'", "the newest of the games that were played here")
    opened = page.ask("state.games[state.open]")
    page.expect(opened[1] == "You" and opened[2] == "1-0", f"the game that was resigned: {opened}")
    page.expect(page.ask("board.flipped") is True, "the person's side is below")


def watch(page: Page) -> None:
    """The engine against itself."""
    page.begin_game("a game to watch", color="none")
    page.expect("resigns" not in page.text("#message"), "nothing is said of the game before")
    page.wait("state.game.moves >= 3 && state.at === state.game.head", "both sides move")
    page.expect("The engine plays itself" in page.text("#game-title"), page.text("#game-title"))
    page.expect(page.ask("byId('hint').hidden && byId('take-back').hidden"), "nothing for a person to do")
    page.resign()
    ended = page.ask("[state.game.outcome, state.game.ending]")
    page.expect(ended == ["*", "the game was interrupted"], f"the watched game ended: {ended}")
    page.click("#new-game")


def play_a_style(page: Page) -> None:
    """A game against the engine in the style of a player, and what that player is like."""
    page.position(chess.STARTING_FEN)
    page.view("play")
    if page.ask("!byId('game-panel').hidden"):
        page.click("#new-game")
    page.expect(page.ask("byId('like-show').hidden"), "nothing to tell of the engine's own way")
    page.ask("(byId('like').value = 'Tal, Mihail', byId('like').dispatchEvent(new Event('change')), byId('start').value = 'standard')")
    page.click("#like-show")
    page.wait("byId('style-dialog').open && byId('style-maps').naturalWidth > 0", "what Tal is like, with maps")
    told = page.text("#style-dialog")
    for part in ("The style of Tal, Mihail", "against 1. e4: c5", "How often a move is none of the eight best"):
        page.expect(part in told, told)
    page.click("#style-dialog [data-close]")
    page.click("[data-color=white]")
    page.click("#begin-game")
    page.wait("isPlaying() && state.game.style === 'Tal, Mihail' && details()?.ways", "a game against Tal")
    page.expect("in the style of Tal, Mihail" in page.text("#game-title"), page.text("#game-title"))
    page.drag("e2", "e5")
    page.wait("byId('message').textContent.startsWith('e2e5 is not possible')", "why the pawn can't go there")
    page.drag("e2", "e4")
    page.wait("state.game.moves === 2", "Tal answers from the book")
    page.resign()
    page.click("#new-game")
    page.ask("(byId('like').value = '', byId('like').dispatchEvent(new Event('change')))")


def premove(page: Page) -> None:
    page.position(chess.STARTING_FEN)
    page.begin_game("a game from the start", elo=500, time="", start="standard")
    page.wait("state.game.moves === 0 && details()?.ways", "its first position")
    page.drag("e2", "e4")
    page.wait("state.game.moves >= 1 && state.at !== 0", "the first move")
    page.drag("d2", "d3")
    page.wait("state.game.moves >= 3", "the move that was played ahead")
    sans = page.ask("pathTo(state.at).slice(1).map((id) => node(id).m)")
    page.expect(sans[0] == "e4" and sans[2] == "d3", f"{sans}")
    page.resign()
    page.click("#new-game")


def review(page: Page) -> None:
    page.load("[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1")
    page.wait("state.nodes.size === 5", "a game to review")
    page.view("review")
    page.ask("byId('effort').value = '30000'")
    page.click("#review-start")
    page.wait("state.review?.summary", "the review", 30)
    page.wait("node(mainLine()[3]).g?.includes(4)", "the blunder has its mark")
    page.press(Keys.HOME)
    for _ in range(3):
        if page.ask("node().m !== 'g4'"):
            page.press("n")
    page.wait("node().m === 'g4'", "the next mistake by its key")
    page.expect(page.ask("document.querySelector('#board [data-glyph]').dataset.square") == "g4", "the mark on the square")
    page.expect("gives away" in page.text("#review-note"), page.text("#review-note"))
    # The mark of the reader comes first, then that of the review, then what the coach has said.
    mark = "document.querySelector('#board [data-glyph]').dataset.glyph"
    page.ask("(feedback.set(state.at, { j: 1 }), show())")
    page.click("#annotation [data-glyph='5']")
    page.wait("node().g?.includes(5)", "a mark of the reader's own")
    page.expect(page.ask(mark) == "!?", f"the reader's mark on the square: {page.ask(mark)}")
    page.click("#annotation [data-glyph='5']")
    page.wait("!node().g", "no mark in the game")
    page.expect(page.ask(mark) == "??", f"the mark of the review on the square: {page.ask(mark)}")
    page.ask("(feedback.clear(), show())")
    page.press("w")
    page.wait("document.querySelectorAll('#sentences .said').length === 3", "three sentences on the mistake")
    page.expect("2. g4" in page.text("#sentences"), page.text("#sentences"))
    page.press("w")
    # White is below: its mistakes are to be learned from.
    page.ask("board.flip(false)")
    page.click("#learn")
    page.wait("puzzle.kind === 'learn' && node().id === puzzle.at && details()?.ways", "a position before a mistake")
    page.press("w")
    page.drag("g2", "g4")
    page.wait("document.getElementById('puzzle-text').textContent.includes('what was played')", "the same mistake once more")
    page.expect("this rests" in page.text("#sentences"), f"a try that is wrong gives nothing away: {page.text('#sentences')}")
    page.press("w")
    page.type_into("#typed", "e4" + Keys.ENTER)
    page.wait("document.getElementById('puzzle-text').textContent.includes('is right')", "a better move, typed")
    page.expect(page.ask("state.nodes.size") == 5, "a try is no move of the game")
    page.click_until("#puzzle-end", "puzzle.kind === null", "the puzzle has ended")
    page.ask("learn()")
    page.wait("puzzle.kind === 'learn'", "the mistake once more")
    page.ask("startReview()")
    page.wait("puzzle.kind === null && state.review?.summary", "another review ends what was to be learnt from the one before", 30)
    page.ask("goTo(0)")
    page.wait("state.at === 0 && details()?.ways", "the start of the game")
    page.ask("play('e2e4')")
    page.wait("state.nodes.size === 6 && state.review?.summary", "a variation leaves the review of the game")
    page.view("puzzles")
    page.click_until("#puzzle-next", "puzzle.kind === 'puzzle'", "a puzzle begins")
    page.wait("puzzle.kind === 'puzzle' && details()?.ways", "a puzzle from the games")
    best = page.ask("puzzle.best")
    page.ask("play(arguments[0])", best)
    page.wait("document.getElementById('puzzle-text').textContent.includes('is right')", "the puzzle is solved")
    page.click_until("#puzzle-end", "puzzle.kind === null", "the puzzle has ended")


def why(page: Page) -> None:
    board = page.position("r5k1/1pq2p1p/p1p1rnp1/2b1pN2/P3P3/5Q2/1PP2PPP/R1B2RK1 w - - 0 16")
    page.press("w")
    page.wait("document.querySelectorAll('#sentences .said').length >= 2", "sentences")
    page.expect("Nh6+" in page.text("#sentences"), page.text("#sentences"))
    page.click("#tables-switch")
    page.wait("viewNow().worths && document.querySelectorAll('#pieces tr[data-square]').length", "the tables")
    numbers = "[...document.querySelectorAll('#board .value')].map((value) => value.textContent).filter(Boolean)"
    value = lambda text: int(text.replace("−", "-").replace("·", "0").replace("+", "") or 0)
    page.press("1")
    page.wait(f"{numbers}.length === {len(board.piece_map())}", "a number on each piece")
    rows = page.ask("[...document.querySelectorAll('#sum tr')].map((row) => [...row.children].map((cell) => cell.textContent))")
    *parts, (_, total, _) = [row for row in rows if row[0]]
    page.expect(sum(value(row[1]) for row in parts) == value(total), f"{parts} are not {total}")
    on_pieces = sum(map(value, page.ask(numbers)))
    page.expect(on_pieces == sum(value(row[1]) for row in parts[:2]), "the numbers on the board are those of the sum")
    page.press("0")
    page.expect(page.ask(numbers) == [], "numbers that are switched off")
    page.press("1", "w")
    page.wait("!state.why && !state.tables", "why is off")


def set_up(page: Page) -> None:
    page.position(chess.STARTING_FEN)
    page.click("#set-up")
    page.click("#setup-empty")
    page.wait("byId('setup-do').disabled", "an empty board is no position")
    for piece, square in (("K", "e1"), ("k", "e8"), ("R", "h1")):
        page.click(f"#palette [data-piece={piece}]")
        page.click(f"#setup-board [data-square={square}]")
    stops = "document.querySelectorAll('#setup-board [tabindex=\"0\"]').length"
    page.expect(page.ask(stops) == 1, "one square of the board is reached by Tab")
    page.find("#setup-board [data-square=h1]").send_keys(Keys.ARROW_UP, Keys.ARROW_LEFT, Keys.ENTER)
    page.wait("byId('setup-fen').value.startsWith('4k3/8/8/8/8/8/6R1/4K2R')", "a rook that was put on g2 by keys")
    page.find("#setup-board [data-square=g2]").send_keys(Keys.ENTER)
    if page.ask("innerWidth > 860"):
        overflow = page.ask("byId('setup-dialog').scrollHeight - byId('setup-dialog').clientHeight")
        page.expect(overflow <= 0, f"the buttons are seen in a window of a desktop, {overflow} pixels below it")
    page.type_into("#setup-castling", "K\t")
    page.wait("!byId('setup-do').disabled && byId('setup-fen').value.includes(' w K ')", "a position")
    page.click("#setup-do")
    page.wait("!document.querySelector('dialog[open]')", "it is used")
    page.expect_board(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "a position that was set up")
    # What no piece shows stays as long as nothing is changed; the rules are those that are chosen.
    board = page.position("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3")
    for before, rules in (("chess", "torpedo"), ("torpedo", "chess")):
        page.click("#set-up")
        page.expect(page.ask("byId('setup-variant').value") == before, f"the rules of the board are shown: {before}")
        page.click("#palette [data-piece=Q]")
        page.ask("(byId('setup-variant').value = arguments[0], byId('setup-variant').dispatchEvent(new Event('change')))", rules)
        page.click("#setup-do")
        page.wait(f"!document.querySelector('dialog[open]') && state.variant === '{rules}'", f"the same position by the rules of {rules}")
    page.expect_board(board, "en passant and the number of the move are kept")


def looks(page: Page, screenshots: Path | None, name: str) -> None:
    page.load(HOSTILE)
    page.wait("!document.querySelector('dialog[open]')", "a game")
    for view in ("play", "analysis", "review", "puzzles"):
        page.view(view)
        page.expect_no_overflow(view)
        for colors in ("light", "dark"):
            page.prefer(colors)
            page.expect_contrast(f"{view}, {colors}")
            if screenshots:
                page.ask("scrollTo(0, 0)")
                page.screenshot(screenshots / f"board-{name}-{view}-{colors}.png")
        page.prefer("light")
    page.press("?")
    page.wait("document.querySelector('#help-dialog[open]')", "help")
    page.expect_contrast("help")
    page.expect(page.ask("byId('help-dialog').scrollTop") == 0, "the help begins at its top")
    page.click("#help-dialog [data-close]")
    for colors in ("brown", "blue", "gray", ""):
        page.ask("(byId('colors').value = arguments[0], byId('colors').dispatchEvent(new Event('change')))", colors)
        page.expect_contrast(f"a {colors or 'green'} board")


def accessible(page: Page, axe: Path | None) -> None:
    if axe is None:
        return
    page.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
    page.driver.execute_script(axe.read_text(encoding="utf-8"))
    found = page.driver.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run().then((result) => done(result.violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))"
        ".map(({ id, nodes }) => `${id}: ${nodes.map((one) => one.html.slice(0, 90)).slice(0, 3)}`)))")
    page.expect(found == [], f"axe-core finds {found}")


def latency(page: Page) -> list[float]:
    """Milliseconds from a move to its legal answers, and from a click to the first lines."""
    page.position(chess.STARTING_FEN)
    measure = """const done = arguments[arguments.length - 1];
      (async () => {
        const moves = [];
        for (const name of ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"]) {
          const begin = performance.now();
          await play(name);
          while (!details()?.ways) await new Promise((next) => setTimeout(next, 0));
          moves.push(performance.now() - begin);
        }
        const clicks = [];
        setEngine(true);
        for (let round = 0; round < 6; round += 1) {
          const begin = performance.now();
          goTo(node().parent);
          while (!document.querySelector("#lines .score") || state.lines?.at !== state.at) await new Promise((next) => setTimeout(next, 0));
          clicks.push(performance.now() - begin);
        }
        setEngine(false);
        done([moves, clicks]);
      })();"""
    moves, clicks = page.driver.execute_async_script(measure)
    middle = lambda numbers: sorted(numbers)[len(numbers) // 2]
    return [middle(moves), max(moves), middle(clicks), max(clicks)]


def hostile_page(page: Page, program: Program) -> None:
    """A page on another port tries to command and to read the board."""
    attack = f"""<!doctype html><title>waiting</title><iframe id=frame src="http://127.0.0.1:{program.port}/"></iframe>
      <form id=form method=post enctype=text/plain action="http://127.0.0.1:{program.port}/api/quit"></form><script>
      const target = "http://127.0.0.1:{program.port}";
      const tries = [
        () => fetch(target + "/").then((r) => r.text()),
        () => fetch(target + "/script.js").then((r) => r.text()),
        () => fetch(target + "/api/boards/1", {{ method: "POST", body: '{{"do":"resign"}}', headers: {{ "Content-Type": "application/json" }} }}).then((r) => r.text()),
        // Nobody can read the answer: what counts is that the program still runs, which is checked below.
        () => fetch(target + "/api/quit", {{ method: "POST", mode: "no-cors", body: "{{}}" }}).then(() => {{ throw 0; }}),
        () => new Promise((yes, no) => {{ const s = document.createElement("script"); s.src = target + "/script.js"; s.onload = yes; s.onerror = no; document.head.append(s); }}),
        () => new Promise((yes, no) => {{ const i = new Image(); i.onload = yes; i.onerror = no; i.src = target + "/icon.svg"; }}),
      ];
      Promise.all(tries.map((one) => one().then(() => 1, () => 0))).then((all) => {{ document.title = "open " + all.join(""); }});
      </script>""".encode()

    class Hostile(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(attack)

        def log_message(self, *_: object) -> None:
            pass

    # Threads: Chromium opens connections ahead that it may not use for minutes, and the page would wait behind them.
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = page.driver.current_url
    page.driver.get(f"http://127.0.0.1:{server.server_port}/")
    page.wait_for(lambda: page.driver.title.startswith("open"), "a hostile page has tried everything")
    page.expect(page.driver.title == "open 000000", f"a hostile page: {page.driver.title}")
    page.driver.switch_to.frame("frame")
    page.expect(page.ask("document.querySelector('#board') === null"), "the board in a frame of another page")
    page.driver.switch_to.default_content()
    page.driver.execute_script("document.getElementById('form').submit()")
    time.sleep(0.3)
    page.expect(program.process.poll() is None, "a form of another page ended the program")
    server.shutdown()
    page.driver.get_log("browser")
    page.go(home.split("#")[0] + f"#t={program.token}")


def many_tabs(page: Page, program: Program) -> None:
    """Only the tab that is seen holds a stream, so that twelve work."""
    first = page.driver.current_window_handle
    for _ in range(11):
        page.driver.switch_to.new_window("tab")
        page.driver.get(f"{program.address.split('#')[0]}?board=1#t={program.token}")
        page.wait("document.body?.dataset.ready === 'yes'", "another tab")
        page.expect(page.ask("command({ do: 'look', at: 0 }).then(Boolean)"), "a command in another tab")
    for handle in page.driver.window_handles:
        if handle != first:
            page.driver.switch_to.window(handle)
            page.driver.close()
    page.driver.switch_to.window(first)


def two_windows(page: Page, program: Program) -> None:
    """The engine works for one page of a board at a time, and says so in the other one; steps of one page don't switch it off."""
    page.load("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *")
    page.press(Keys.HOME)
    page.press("l")
    page.wait("state.lines?.at === 0", "lines")
    page.press(*8 * [Keys.ARROW_RIGHT])
    page.wait("node().m === 'Nf6' && state.lines?.at === state.at", "lines after quick steps")
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("window")
    page.driver.get(f"{program.address.split('#')[0]}?board=1#t={program.token}")
    page.wait("document.body?.dataset.ready === 'yes'", "another window")
    page.press(Keys.HOME)
    page.press("l")
    page.wait("state.lines?.at === 0", "lines in the other window")
    page.driver.switch_to.window(first)
    page.wait("!engine.on && byId('message').textContent.includes('Another page')", "the first window is told")
    page.press("l")
    page.wait("state.lines?.at === state.at", "lines in the first window again")
    page.driver.switch_to.window(next(handle for handle in page.driver.window_handles if handle != first))
    page.wait("!engine.on && byId('message').textContent.includes('Another page')", "the second window is told")
    page.driver.close()
    page.driver.switch_to.window(first)
    page.press("l")
    # What is typed when the page goes stays.
    page.type_into("#comment", "typed last")
    page.ask("(document.body.dataset.ready = '', location.reload())")
    page.wait("document.body?.dataset.ready === 'yes'", "the page anew")
    page.wait("[...state.nodes.values()].some((one) => one.k === 'typed last')", "the comment")


def delete_a_board(page: Page) -> None:
    """One that isn't needed any more makes room: there can be eight. The others are found in the list."""
    page.position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    page.press("b")
    page.wait("byId('board-list').children.length === 1", "the list of boards")
    page.expect(page.text("#board-list") == "A position (here)", page.text("#board-list"))
    first = page.driver.current_window_handle
    page.click("#new-board")
    page.wait("!byId('boards-dialog').open", "a new board")
    page.driver.switch_to.window(next(handle for handle in page.driver.window_handles if handle != first))
    page.wait("document.body?.dataset.ready === 'yes' && state.board === 2", "the second board")
    page.load('[White "Byrne"]\n[Black "Fischer"]\n\n1. Nf3 Nf6 2. c4 *')
    page.wait("state.nodes.size === 4", "a game on it")
    page.driver.close()
    page.driver.switch_to.window(first)
    page.press("b")
    page.wait("byId('board-list').children.length === 2", "both boards")
    page.expect(page.text("#board-list a") == "Byrne – Fischer, 2 moves", page.text("#board-list"))
    page.click("#board-list a")
    page.wait("document.body?.dataset.ready === 'yes' && state.board === 2 && state.nodes.size === 4", "the other board by the list")
    page.expect("#" not in page.driver.current_url, "the token stays in the address")
    page.press("b")
    page.click_twice("#close-board")
    page.wait("document.body?.dataset.ready === 'yes' && state.board === 1", "back on the first board")
    # The page that is about to go can show the same position.
    page.ask("window.isOld = true")
    page.press("b")
    page.click_twice("#close-board")
    page.wait(f"!window.isOld && document.body?.dataset.ready === 'yes' && node()?.f === {chess.STARTING_FEN!r}", "another board")
    page.drag("e2", "e4")
    board = chess.Board()
    board.push_san("e4")
    page.expect_board(board, "a move on the new board")


def survive(page: Page, program: Program, folder: Path) -> None:
    """The program is killed in the middle of a game, and goes on with it."""
    page.position(chess.STARTING_FEN)
    page.begin_game("a game", time="5+3", start="standard")
    page.wait("details()?.ways", "its first position")
    page.drag("e2", "e4")
    page.wait("state.game.moves === 2", "the engine answers")
    page.wait_for(lambda: '"moves":2' in (folder / "boards.json").read_text(), "the game is kept")
    sans = page.ask("pathTo(state.game.head).slice(1).map((id) => node(id).m)")
    program.kill()
    page.wait("!byId('warning').hidden", "the page says that the program has gone")
    program.start(program.port)
    page.go(program.address)
    page.wait("isPlaying() && state.game.moves === 2 && state.game.clock && details()?.ways", "the game goes on")
    page.expect(page.ask("pathTo(state.game.head).slice(1).map((id) => node(id).m)") == sans, "with the same moves")
    page.drag("d2", "d3")
    page.wait("state.game.moves >= 3", "and with another")
    page.resign()
    page.driver.get_log("browser")


def part(do: Callable, *arguments: object):
    """Does a part of the run. One that is ended from outside has told which part it was in."""
    begin = time.monotonic()
    print(f"{do.__name__} ... ", end="", flush=True)
    result = do(*arguments)
    print(f"{time.monotonic() - begin:.1f} s", flush=True)
    return result


def use(page: Page, folder: Path, screenshots: Path | None, name: str, axe: Path | None) -> None:
    page.expect("#" not in page.driver.current_url, "the token stays in the address")
    for do in (play_to_mate, play_by_keys, refuse, special_moves, tree):
        part(do, page)
    part(open_in_every_way, page, folder)
    for do in (analyse, play_the_engine, play_a_style, watch, premove, review, why, set_up):
        part(do, page)
    part(features, page, folder)
    part(looks, page, screenshots, name)
    part(accessible, page, axe)
    figures = latency(page)
    print("{}: a move to its answer squares {:.0f} ms (worst {:.0f}), a click to lines {:.0f} ms (worst {:.0f})".format(name, *figures))
    page.expect_silence()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="target/release/squarewise")
    parser.add_argument("--screenshots", type=Path, metavar="DIR", help="keep pictures of both sizes, light and dark")
    parser.add_argument("--axe", type=Path, metavar="FILE", help="axe.min.js of axe-core, which checks the accessibility")
    parser.add_argument("--only", choices=sorted(SIZES), help="one of the two sizes")
    arguments = parser.parse_args()
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    for name, size in SIZES.items():
        if arguments.only not in (None, name):
            continue
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            program = Program(arguments.engine, Path(folder), "--syzygy", "tests/data/syzygy")
            page = Page(program.address, size)
            try:
                use(page, Path(folder), arguments.screenshots, name, arguments.axe)
                if name == "desktop":
                    part(hostile_page, page, program)
                    part(many_tabs, page, program)
                    part(two_windows, page, program)
                    part(delete_a_board, page)
                    part(survive, page, program, Path(folder))
                code = program.end()
                page.expect(code == 0, f"the program ends with {code}")
            finally:
                page.driver.quit()
                if program.process.poll() is None:
                    program.kill()
        print(f"{name} {size[0]}x{size[1]}: {page.checks} checks in {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
