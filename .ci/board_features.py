"""What a person sees and sets on the board beside its moves: for `.ci/board.py`, each feature of docs/board.md by its number."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import chess
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from board_page import PATIENCE, Page

ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"


def marks(page: Page) -> None:
    """1, 16: the last move, a check, the coordinates, also on a board that is turned; where a piece can go."""
    page.load('[White "A"]\n\n1. e4 f6 2. Qh5+ *')
    page.press(Keys.END)
    page.wait("node().m === 'Qh5+' && details()?.ways", "the end of the game")
    marked = "[...document.querySelectorAll('#board .{}')].map((cell) => cell.dataset.square).sort()"
    coordinates = "['rank', 'file'].map((one) => [...document.querySelectorAll(`#board [data-${one}]`)].map((cell) => cell.dataset[one]).join(''))"
    for corner, expected in (("a8", ["87654321", "abcdefgh"]), ("h1", ["12345678", "hgfedcba"])):
        page.expect(page.ask(marked.format("last")) == ["d1", "h5"], "the squares of the last move")
        page.expect(page.ask(marked.format("check")) == ["e8"], "the king in check")
        page.expect(page.ask("document.querySelector('#board [role=gridcell]').dataset.square") == corner, f"{corner} is above on the left")
        page.expect(page.ask(coordinates) == expected, f"the coordinates are {page.ask(coordinates)}")
        page.press("f")
    page.expect(page.ask("board.flipped") is False, "turned back")
    # 1: the squares to which a piece can go.
    board = page.position("4k3/8/8/2p5/8/1N6/8/4K3 w - - 0 1")
    page.tap("b3")
    goals = {chess.square_name(move.to_square) for move in board.legal_moves if move.from_square == chess.B3}
    page.expect(set(page.ask(marked.format("goal"))) == goals, f"the goals of a knight: {page.ask(marked.format('goal'))}")
    page.expect(page.ask(marked.format("takes")) == ["c5"], "the goal on which it takes")
    page.press(Keys.ESCAPE)
    page.expect(page.ask(marked.format("goal")) == [], "no goals without a piece in hand")


def openings(page: Page) -> None:
    """25: the name of the opening, and the moves with which people go on."""
    page.position(chess.STARTING_FEN)
    page.view("analysis")
    page.wait("byId('known').querySelectorAll('button').length >= 4", "first moves that people play")
    page.click_until("#known button[aria-label='pawn to e4'], #known button", "state.at !== 0", "a known move is played")
    page.press(Keys.HOME)
    board = chess.Board()
    for san in ("e4", "c5", "Nf3", "d6"):
        page.type_move(san)
        board.push_san(san)
        page.expect_board(board, "the Sicilian")
    page.wait("byId('opening').textContent.includes('Sicilian')", "the name of the opening")
    known = page.ask("[...byId('known').querySelectorAll('button')].map((button) => button.textContent)")
    page.expect("d4" in known, f"after 2... d6 people play {known}")
    for san in known:
        board.parse_san(san)


def figures(page: Page) -> None:
    """5, 15, 31: depth, speed and chances; threads and memory within what the machine has."""
    board = page.position(ITALIAN)
    page.view("analysis")
    page.ask("byId('engine-settings').open = true")
    most = page.ask("[Number(byId('threads').max), Number(byId('hash').max)]")
    page.expect(min(most) >= 1, f"at most {most} threads and MiB")
    for name, limit in zip(("threads", "hash"), most):
        page.ask("(byId(arguments[0]).value = 999999, byId(arguments[0]).dispatchEvent(new Event('change')))", name)
        page.expect(page.ask("Number(byId(arguments[0]).value)", name) == limit, f"more {name} than there are")
    page.ask("(byId('hash').value = 16, byId('hash').dispatchEvent(new Event('change')))")
    page.expect(page.ask("[settings().threads, settings().hash, stored('squarewise-hash')]") == [most[0], 16, "16"], "the settings are kept")
    page.click_until("#engine", "engine.on", "the engine is on")
    page.wait("state.lines?.depth >= 5 && state.lines.nps", "lines by all threads")
    page.expect(re.fullmatch(r"depth \d+ · [\d.]+ ?[kM]?/s", page.text("#depth")) is not None, page.text("#depth"))
    page.expect(re.search(r"positions, up to \d+ deep", page.ask("byId('depth').title")) is not None, page.ask("byId('depth').title"))
    # Both at once: the engine goes on.
    said, widths = page.ask(
        "[byId('chances').getAttribute('aria-label'), [...byId('chances').children].map((box) => Number(box.style.flexGrow))]"
    )
    shares = [int(number) for number in re.findall(r"\d+", said)]
    page.expect(said.startswith("White wins") and 99 <= sum(shares) <= 101, f"the chances: {said}")
    page.expect(widths == [max(share, 1) for share in shares], f"{widths} are drawn for {shares}")
    # 7: the bar turns with the board.
    for is_flipped in (True, False):
        page.press("f")
        page.expect(page.ask("byId('bar').classList.contains('flipped')") is is_flipped, "the bar turns with the board")
    # 6: a move of a line is clicked. The engine rests, so that the line stays.
    page.rest()
    line = page.ask("state.lines.lines[1].l.slice(0, 2).map(([san]) => san)")
    page.click_until("#lines li:nth-child(2) .moves-of-line button:nth-of-type(2)", "node().parent !== null && node().id !== 0", "played")
    for san in line:
        board.push_san(san)
    page.expect_board(board, "two moves of the second line")
    page.click_until("#engine", "!engine.on", "the engine is off")


def hints(page: Page) -> None:
    """3, 23: a hint by piece, move and line; a draw that is offered too early, and one in time."""
    page.position(chess.STARTING_FEN)
    page.begin_game("a game", time="", start="standard")
    page.wait("state.game.turn === 'w' && details()?.ways", "the person's turn")
    drawn = "[document.querySelectorAll('#arrows .ring, #board .ring').length, document.querySelectorAll('.arrow.best').length]"
    for step, expected in ((1, [1, 0]), (2, [0, 1]), (3, [0, 1])):
        page.click("#hint")
        page.wait(f"state.hint?.step === {step}", f"step {step} of a hint")
        page.expect(page.ask(drawn) == expected, f"step {step} of a hint draws {page.ask(drawn)}")
    page.expect(len(page.text("#message").split()) >= 2, f"the line of a hint: {page.text('#message')}")
    page.click("#offer-draw")
    page.wait("byId('message').textContent === 'The engine plays on.'", "no draw in the opening")
    page.resign()
    page.type_move("e4")
    page.wait("node().m === 'e4'", "a move that is tried after the game")
    page.expect(page.ask("state.game.head") == 0, "the game hasn't gone on")
    page.click("#new-game")
    before = page.ask("byId('elo').value")
    page.position("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 60")
    # At full strength: a level errs in its score too.
    page.begin_game("a game that nobody can win", elo=9999, start="here")
    page.wait("state.game.turn === 'w' && details()?.ways", "the person's turn")
    page.tap("e1", "d2")
    page.wait("state.game.moves === 2 && state.at === state.game.head && details()?.ways", "the engine answers")
    page.press(Keys.ARROW_LEFT)
    page.press("h")
    page.wait("byId('message').textContent.startsWith('A hint is for the last position')", "no hint for an earlier position")
    page.press(Keys.END)
    page.click("#offer-draw")
    page.wait("state.game.outcome === '1/2-1/2'", "the engine agrees to a draw")
    page.click("#new-game")
    page.ask("(byId('elo').value = arguments[0], byId('elo').dispatchEvent(new Event('input')))", before)


def copying(page: Page) -> None:
    """12: the game and the position on the clipboard."""
    page.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    board = page.position(ITALIAN)
    page.press("s")
    page.wait("byId('save-dialog').open", "the dialog to save")
    page.click("#copy-fen")
    page.wait("byId('message').textContent === 'Copied.'", "copied")
    page.ask("(navigator.clipboard.readText().then((text) => { document.body.dataset.copied = text; }), true)")
    page.wait("document.body.dataset.copied", "the clipboard")
    page.expect(page.ask("document.body.dataset.copied") == board.fen(), "the position on the clipboard")
    page.click("#save-dialog [data-close]")


def colored_arrows(page: Page) -> None:
    """28: four colors of arrows by Shift and Alt."""
    if page.is_phone:
        return
    page.position(chess.STARTING_FEN)
    for modifiers, shape in ((0, "Ge2e4"), (8, "Rd2d4"), (1, "Bc2c4"), (9, "Yb1c3")):
        page.draw(shape[1:3], shape[3:], modifiers)
        page.wait(f"node().a?.includes('{shape}')", f"the arrow {shape}")
    page.draw("e2", "e4")
    page.wait("node().a?.length === 3", "drawn once more it goes")
    page.ask("(preview([['e4', 'e2-e4P']], 1), stay())")
    page.draw("e4", "e5")
    page.wait("!state.preview && byId('message').textContent.startsWith('Arrows belong')", "none is drawn in a line that is shown")
    page.expect(page.ask("node().a.length") == 3, "an arrow of a line has gone into the position before it")


def low_windows(page: Page) -> None:
    """17: in a low window, as of a phone that lies on its side, the whole board is seen at once, and isn't tiny."""
    if page.is_phone:
        return
    for width, height in ((844, 390), (640, 360), (932, 430)):
        page.resize(width, height)
        board = page.ask("byId('board').getBoundingClientRect().height")
        page.expect(250 < board <= height, f"a board of {board} pixels in a window of {width}x{height}")
        page.expect_no_overflow(f"a window of {width}x{height}")
    page.resize(*page.size)


def motion_and_sound(page: Page) -> None:
    """30, 33: pieces slide unless the reader prefers less motion; a move is heard if sounds are on."""
    page.position(chess.STARTING_FEN)
    page.ask("""(() => {
      window.tones = 0;
      window.AudioContext = class { currentTime = 0; destination = {};
        createOscillator() { window.tones += 1; return { frequency: this.ramp(), connect: (to) => to, start() {}, stop() {} }; }
        createGain() { return { gain: this.ramp(), connect: (to) => to }; }
        ramp() { return { setValueAtTime() {}, exponentialRampToValueAtTime() {} }; } };
      state.audio = null;
      window.slides = 0;
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...all) { window.slides += 1; return animate.apply(this, all); };
    })()""")
    page.type_move("e4")
    page.wait("node().m === 'e4' && details()?.ways", "a move without sound or motion")
    page.expect(page.ask("[window.tones, window.slides]") == [0, 0], "silent and still")
    page.prefer("light", "no-preference")
    page.click("#sound")
    page.ask("window.tones = 0")
    page.type_move("e5")
    page.wait("node().m === 'e5' && details()?.ways", "a move with sound and motion")
    page.expect(page.ask("[window.tones, window.slides]") == [1, 1], f"one tone and one slide: {page.ask('[window.tones, window.slides]')}")
    page.click("#sound")
    page.drag("g1", "f3")
    page.wait("node().m === 'Nf3' && details()?.ways", "a move that is dragged")
    page.expect(page.ask("window.slides") == 1, "what was dragged slides once more")
    page.prefer("light")


def reviewed(page: Page) -> None:
    """14, 40: figures and graph of a review, a click on the graph, and the report."""
    page.load('[White "A"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1')
    page.view("review")
    page.ask("byId('effort').value = '30000'")
    page.click("#review-start")
    page.wait("state.review?.summary && !byId('review-table').hidden", "the review", 40)
    rows = page.ask("[...document.querySelectorAll('#review-table tr')].map((row) => [...row.children].map((cell) => cell.textContent))")
    page.expect([row[0] for row in rows] == ["", "Accuracy", "Centipawns lost", "?!  ?  ??"], f"{rows}")
    page.expect(all(re.fullmatch(r"\d+\.\d %", cell) for cell in rows[1][1:]), f"the accuracy: {rows[1]}")
    graph = page.find("#review-graph .slider")
    page.ask("arguments[0].scrollIntoView({block: 'center'})", graph)
    box = page.ask("arguments[0].getBoundingClientRect().toJSON()", graph)
    margin = box["width"] / 100
    place = margin + (box["width"] - 2 * margin) * 7 / 14 - box["width"] / 2
    ActionChains(page.driver).move_to_element_with_offset(graph, place, 0).click().perform()
    page.wait("node().m === 'Nxe5'", "a click on the graph leads to the seventh move")
    page.ask("""(() => {
      const create = URL.createObjectURL;
      URL.createObjectURL = (blob) => { blob.text().then((text) => { window.reported = text; }); return create.call(URL, blob); };
    })()""")
    page.click("#report")
    page.wait("window.reported", "the report")
    page.expect(page.ask("window.reported.startsWith('<!DOCTYPE html>') && window.reported.includes('Nxe5')"), "the report is a page of its own")


def missed_puzzle(page: Page, folder: Path) -> None:
    """38: a puzzle that was missed comes back within minutes, one that is solved not before tomorrow."""
    page.view("puzzles")
    for solve, soonest, latest in ((False, 0, 120), (True, 80_000, 100_000)):
        page.click_until("#puzzle-next", "puzzle.kind === 'puzzle' && !puzzle.locked", "a puzzle")
        page.wait("node().id === 0 && details()?.ways", "its position")
        position = page.ask("node().f")
        if solve:
            page.view("analysis")
            page.ask("play(arguments[0])", page.ask("puzzle.best"))
            page.wait("byId('puzzle-text').textContent.includes('is right')", "it is solved")
            page.expect(page.ask("state.view") == "puzzles", "the verdict is seen, wherever the move was played")
        else:
            page.click("#puzzle-show")
            page.wait("byId('puzzle-text').textContent.includes('was the move')", "the answer is shown")
        kept = lambda: next(puzzle for puzzle in json.loads((folder / "puzzles.json").read_text()) if puzzle["fen"] == position)
        page.wait_for(lambda: kept()["due"], "when it comes back is kept")
        page.expect(soonest <= kept()["due"] - time.time() <= latest, f"{'solved' if solve else 'missed'}, it comes back at {kept()['due']}")
    any_move = "play(details().d.split(' ')[0])"
    page.ask(any_move)
    page.wait("byId('message').textContent.startsWith('This puzzle is over')", "beside its answer a puzzle takes no other move")
    page.expect(page.ask("state.at") == 0, "the puzzle stays on the board")
    page.view("analysis")
    page.ask(any_move)
    page.wait("node().parent === 0 && details()?.ways", "a solved puzzle is analyzed like any position")
    play_elsewhere(page, "a game after a puzzle that was solved")


def play_elsewhere(page: Page, what: str) -> None:
    """Begins a game while a puzzle is on the board, and plays a move in it."""
    page.expect(page.ask("puzzle.kind === 'puzzle'"), "the puzzle has not been left")
    page.begin_game(what, time="", start="standard")
    page.wait("puzzle.kind === null && node().id === 0 && details()?.ways", "the puzzle is left")
    page.drag("e2", "e4")
    page.wait("state.game.moves >= 1 && node(1)?.m === 'e4'", f"{what}: a move")
    page.resign()
    page.click("#new-game")


def left_puzzle(page: Page) -> None:
    """38: who opens or begins a game leaves the puzzle on the board."""
    page.view("puzzles")
    page.click_until("#puzzle-next", "puzzle.kind === 'puzzle'", "a puzzle")
    page.load("1. d4 *")
    page.wait("puzzle.kind === null && node(1)?.m === 'd4'", "a game is opened")
    page.press(Keys.HOME)
    page.type_move("e4")
    page.wait("node().m === 'e4'", "a move that is no try")
    page.view("puzzles")
    page.click_until("#puzzle-next", "puzzle.kind === 'puzzle'", "the puzzle once more")
    page.expect(page.ask("!byId('game-list').hidden"), "the way back to the game that was opened")
    page.ask("(byId('game-list').value = '0', byId('game-list').dispatchEvent(new Event('change')))")
    page.wait("puzzle.kind === null && node(1)?.m === 'd4' && state.open === 0", "the game is back")
    page.view("puzzles")
    page.click_until("#puzzle-next", "puzzle.kind === 'puzzle'", "the puzzle for the last time")
    play_elsewhere(page, "a game after a puzzle")


def tablebases(page: Page) -> None:
    """34: the verdict of tablebases."""
    page.position("8/8/8/8/8/4k3/8/R3K3 w - - 0 1")
    page.view("analysis")
    page.click_until("#engine", "engine.on", "the engine is on")
    page.wait("state.lines?.known", "the tablebases are asked")
    page.expect("tablebases" in page.text("#depth"), page.text("#depth"))
    page.click_until("#engine", "!engine.on", "the engine is off")


def features(page: Page, folder: Path) -> None:
    for check in (marks, openings, figures, hints, copying, colored_arrows, low_windows, motion_and_sound, reviewed, tablebases):
        check(page)
    left_puzzle(page)
    missed_puzzle(page, folder)
