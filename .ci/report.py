"""Opens the report in a headless Chromium and uses it as a reader does, at two window sizes.

The engine analyzes a few games and writes the page. Every step, click and swipe must put the position on the board that
python-chess expects; the numbers on the squares must add up to the static evaluation; text must have enough contrast on
light and dark pages; nothing may reach beyond the window, write to the console or ask the network for anything. The page
opens on the overview of its games, whose rows, filter and totals are used with the keyboard; the material row is compared
with what was taken in the game; the calm view hides what nobody has asked for.

    .venv/bin/python .ci/report.py --engine target/release/squarewise [--screenshots DIR]
"""

import argparse
import base64
import functools
import io
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chess
import chess.pgn
from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

# Castling on both sides, en passant, a promotion with a capture, an underpromotion by Black, a null move, a mate, a game
# without moves, and names and comments that try to break out of the page.
GAMES = r"""
[Event "Third Rosenwald Trophy"]
[Site "New York"]
[Date "1956.10.17"]
[Round "8"]
[White "Byrne, Donald"]
[Black "Fischer, Robert James"]
[Result "0-1"]

1. Nf3 {[%clk 1:59:50]} Nf6 {[%clk 1:59:12] A quiet start.} 2. c4 g6 3. Nc3 Bg7 4. d4 O-O 5. Bf4 d5 6. Qb3 dxc4
7. Qxc4 c6 8. e4 Nbd7 9. Rd1 Nb6 10. Qc5 Bg4 11. Bg5 Na4 12. Qa3 Nxc3 13. bxc3 Nxe4 14. Bxe7 Qb6 15. Bc4 Nxc3
16. Bc5 Rfe8+ 17. Kf1 Be6 18. Bxb6 Bxc4+ 19. Kg1 Ne2+ 20. Kf1 Nxd4+ 21. Kg1 Ne2+ 22. Kf1 Nc3+ 23. Kg1 axb6
24. Qb4 Ra4 25. Qxb6 Nxd1 26. h3 Rxa2 27. Kh2 Nxf2 28. Re1 Rxe1 29. Qd8+ Bf8 30. Nxe1 Bd5 31. Nf3 Ne4 32. Qb8 b5
33. h4 h5 34. Ne5 Kg7 35. Kg1 Bc5+ 36. Kf1 Ng3+ 37. Ke1 Bb4+ 38. Kd1 Bb3+ 39. Kc1 Ne2+ 40. Kb1 Nc3+ 41. Kc1 Rc2#
0-1

[Event "</script><script>document.title='owned'</script>"]
[Site "https://example.org/?a=1&b=<b>2</b>"]
[Date "2024.02.??"]
[White "<img src=x onerror=document.title='owned'> ‮evil‬ שלום"]
[Black "O'Neill & Sons \"The Rook\", whose name is longer than any strip beside any board can be"]
[Result "1-0"]

{</script><!-- & <b>}
1. e4 d5 2. e5 f5 3. exf6 {<svg onload=alert(1)>} Qd6 4. fxg7 Nf6 5. gxh8=Q Bg4 6. Be2 Nc6 7. h3 O-O-O 8. hxg4 h5 9. Nf3 hxg4
10. O-O gxf3 11. Qxf8 Rxf8 12. Bxf3 Ne5 1-0

[Event "Black begins, and promotes to a knight"]
[White "?"]
[Black "?"]
[Result "*"]
[SetUp "1"]
[FEN "8/8/8/8/8/5K2/5p1k/8 b - - 3 60"]

60... f1=N 61. -- Kg1 62. Ke2 Kg2 63. Ke1 *

[Event "No moves"]
[White "Nobody"]
[Black "No one"]
[Result "*"]

*
"""

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
POINTS = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


# The pieces on the board by square, as the page shows them.
PIECES = (
    "Object.fromEntries([...document.querySelectorAll('#board [data-piece]')]"
    ".filter((cell) => cell.querySelector('svg.piece use')).map((cell) =>"
    " { const [side, piece] = cell.querySelector('use').getAttribute('href').slice(1);"
    "   return [cell.dataset.square, side === 'w' ? piece : piece.toLowerCase()]; }))"
)


def chromium(width: int, height: int, log: tuple[str, ...] = ("browser",)) -> webdriver.Chrome:
    """A browser without a window. Its sandbox is off, since in a container everything runs as root."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("chromium-browser") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", dict.fromkeys(log, "ALL"))
    if width < 500:
        metrics = {"width": width, "height": height, "pixelRatio": 2.0, "touch": True}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
    driver_path = shutil.which("chromedriver")
    if not driver_path or not options.binary_location:
        sys.exit("chromium and chromedriver must be installed")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver_path))
    if width >= 500:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    return driver


class Report:
    """The page in a browser, and the games that it should show."""

    def __init__(self, page: Path, games: list[chess.pgn.Game], size: tuple[int, int]) -> None:
        self.games = games
        self.width = size[0]
        self.driver = chromium(*size, log=("browser", "performance"))
        self.address = page.resolve().as_uri()
        self.prefer("light")
        self.driver.get(self.address)
        self.checks = 0

    # ---- Asking the page ----

    def ask(self, script: str, *arguments):
        return self.driver.execute_script(f"return {script}", *arguments)

    def find(self, selector: str):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector: str):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def click(self, selector: str) -> None:
        self.find(selector).click()

    def press(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def wait_for_overview(self, is_shown: bool) -> None:
        """Waits until the page has followed its address, which a browser tells it only after a click or a key."""
        shown = "document.documentElement.classList.contains('all')"
        try:
            WebDriverWait(self.driver, 10, poll_frequency=0.02).until(lambda _: self.ask(shown) == is_shown)
        except TimeoutException:
            pass  # The check behind it says what is wrong.

    def prefer(self, colors: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": colors}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def board(self) -> dict[str, str]:
        return self.ask(PIECES)

    # ---- Checks ----

    def expect(self, condition: bool, what: str) -> None:
        self.checks += 1
        if not condition:
            raise AssertionError(what)

    def expect_position(self, board: chess.Board, what: str) -> None:
        self.expect_pieces(self.board(), board, what)

    def expect_pieces(self, found: dict[str, str], board: chess.Board, what: str) -> None:
        expected = {chess.square_name(square): piece.symbol() for square, piece in board.piece_map().items()}
        self.expect(found == expected, f"{what}: the page shows {found}, expected {board.fen()}")

    def expect_ply(self, game: int, ply: int, what: str) -> None:
        found, current, cursor = self.ask(
            f"[{PIECES}, document.querySelector('#moves [aria-current]')?.dataset.ply ?? '0',"
            " document.querySelector('.current .slider').getAttribute('aria-valuenow')]"
        )
        self.expect_pieces(found, positions(self.games[game])[ply], f"{what}, game {game + 1}, ply {ply}")
        self.expect(current == str(ply), f"{what}: the list of moves marks {current} instead of {ply}")
        self.expect(cursor == str(ply), f"{what}: the graph marks {cursor} instead of {ply}")

    def expect_material(self, game: int, ply: int) -> None:
        """Beside each player stands what that side has taken, and how far it is ahead; in words too."""
        boards = positions(self.games[game])
        taken: dict[bool, list[str]] = {chess.WHITE: [], chess.BLACK: []}
        for board, move in zip(boards, boards[ply].move_stack):
            if board.is_capture(move):
                square = move.to_square
                is_pawn = board.is_en_passant(move) or chess.BB_SQUARES[square] & board.promoted
                piece = chess.PAWN if is_pawn else board.piece_type_at(square)
                taken[board.turn].append(chess.piece_symbol(piece))
        board = boards[ply]
        points = lambda side: sum(len(board.pieces(piece, side)) * worth for piece, worth in POINTS.items())
        rows = self.ask(
            "[false, true].map((isBlack) => { const row = [...document.querySelectorAll('.strip')].find((strip) =>"
            " strip.classList.contains('black') === isBlack).querySelector('.material');"
            " return [[...row.querySelectorAll('use')].map((use) => use.getAttribute('href')),"
            " row.querySelector('.ahead')?.textContent ?? '', row.getAttribute('aria-label') ?? '', row.hidden]; })"
        )
        for side, (shown, ahead, words, is_hidden) in zip((chess.WHITE, chess.BLACK), rows):
            what = f"material of game {game + 1}, ply {ply}, {chess.COLOR_NAMES[side]}: {shown} {ahead} {words}"
            enemy = "b" if side == chess.WHITE else "w"
            expected = sorted(taken[side], key="qrbnp".index)
            lead = points(side) - points(not side)
            self.expect(is_hidden == (not expected and lead <= 0), what)
            if is_hidden:
                continue
            self.expect(shown == [f"#{enemy}{piece.upper()}" for piece in expected], f"{what}, expected {expected}")
            self.expect(ahead == (f"+{lead}" if lead > 0 else ""), f"{what}, expected a lead of {lead}")
            for piece in set(expected):
                name, count = chess.piece_name(chess.Piece.from_symbol(piece).piece_type), expected.count(piece)
                self.expect((f"{count} {name}s" if count > 1 else f"a {name}") in words, what)
            self.expect((f"{lead} point" in words) == (lead > 0), what)

    def look_over_the_games(self) -> None:
        """The page opens on the overview. By keyboard to a game, back, and to the games of one player."""
        self.expect(not self.find("#board").is_displayed(), "the overview comes before the board")
        rows = self.ask("[...document.querySelectorAll('#all-games tbody tr')].map((row) =>"
                        " [...row.children].map((cell) => cell.textContent.trim()))")
        self.expect(len(rows) == len(self.games), f"{len(rows)} rows")
        results = {"1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½", "*": "unfinished"}
        for number, (game, row) in enumerate(zip(self.games, rows)):
            self.expect(row[0].startswith(f"{number + 1}. "), f"row {row}")
            self.expect(row[1] == results[game.headers["Result"]], f"row {row}")
            summary = self.ask("[...document.querySelectorAll(arguments[0])].map((cell) => cell.textContent)",
                               f"#game-{number + 1} .summary tbody td")
            accuracy, marks = summary[0:2], summary[6:10]
            whole = ["–" if text == "–" else round(float(text.split()[0])) for text in accuracy]
            told = ["–" if text == "–" else int(text.split()[0]) for text in row[4:6]]
            near = all(a == b or abs(a - b) <= 1 for a, b in zip(whole, told))
            self.expect(near and row[6:] == marks, f"row {row}, but the game has {accuracy} {marks}")
        self.expect(rows[0][0] == "1. Byrne, Donald – Fischer, Robert James" and "English" in rows[0][2], f"{rows[0]}")
        self.expect(self.find("#totals").is_displayed(), "totals by player")
        self.expect_no_overflow("overview")
        for colors in ("dark", "light"):
            self.prefer(colors)
            self.expect(self.ask(CONTRAST) == [], f"contrast of the overview, {colors}: {self.ask(CONTRAST)}")
        self.sort_the_games()
        self.press("f", "n", Keys.ARROW_RIGHT)  # keys of the board do nothing here
        self.ask("document.getElementById('player').focus()")
        self.press(*"fisch")
        shown = "[...document.querySelectorAll('#all-games tbody tr')].filter((row) => row.checkVisibility()).length"
        self.expect(self.ask(shown) == 1 and self.find("#found").text == "1 of 4 games", "the games of Fischer")
        self.ask("document.querySelector('#all-games tbody tr:not([hidden]) a').focus()")
        self.press(Keys.ENTER)
        self.wait_for_overview(False)
        self.expect(self.find("#board").is_displayed() and not self.find("#overview").is_displayed(), "a row opens its game")
        self.expect_ply(0, 0, "a row of the overview")
        self.press(Keys.ARROW_RIGHT)
        self.expect_ply(0, 1, "right arrow in a game from the overview")
        self.driver.back()
        self.wait_for_overview(True)
        self.expect(self.find("#overview").is_displayed() and not self.find("#board").is_displayed(), "back to the overview")
        focused = self.ask("document.activeElement.closest('tr')?.dataset.number")
        self.expect(focused == "1", f"the row of the last game has the focus, not {focused}")
        self.click("#totals tr:nth-child(4) button")
        self.expect(self.ask(shown) == 1, "the games of a player from the totals")
        self.ask("document.getElementById('player').select()")
        self.press(Keys.DELETE)
        self.expect(self.ask(shown) == len(self.games), "all games again")
        self.click("#all-games tr:nth-child(2) a")
        self.wait_for_overview(False)
        self.expect_ply(1, 0, "a click in the overview")
        self.click("#all")
        self.wait_for_overview(True)
        self.expect(self.find("#overview").is_displayed(), "the link to all games")

    def sort_the_games(self) -> None:
        """By accuracy from the highest and from the lowest, by opening, and by number as they came."""
        column = lambda number: self.ask("[...document.querySelectorAll('#all-games tbody tr')].map((row) =>"
                                         " row.cells[arguments[0]].textContent.trim())", number)
        click = lambda row, cell: self.ask("document.querySelector('#all-games thead').rows[arguments[0]].cells[arguments[1]]"
                                           ".querySelector('button').click()", row, cell)
        came = column(0)
        for is_reversed in (True, False):
            click(1, 0)
            values = [float(text.split()[0]) for text in column(4) if text != "–"]
            self.expect(values == sorted(values, reverse=is_reversed), f"sorted by accuracy: {column(4)}")
        click(0, 2)
        self.expect(column(2) == sorted(column(2)), f"sorted by opening: {column(2)}")
        self.ask("document.querySelector('#totals th:nth-child(2) button').click()")
        counts = self.ask("[...document.querySelectorAll('#totals tbody tr')].map((row) => Number(row.cells[1].textContent))")
        self.expect(counts == sorted(counts, reverse=True), f"players by games: {counts}")
        self.ask("document.querySelector('#totals th button').click()")
        click(0, 0)
        self.expect(column(0) == came, f"in their own order again: {column(0)}")

    def be_calm(self) -> None:
        """Without tables and numbers until the reader asks why; the next and the previous mistake by button and key."""
        seen = lambda selector: self.find(selector).is_displayed()
        self.expect(not seen("#why") and not seen(".overlays"), "the calm view")
        numbers = "[...document.querySelectorAll('#board .value')].filter((value) => value.textContent).length"
        self.expect(self.ask(numbers) == 0, "numbers in the calm view")
        self.click("#board [data-square=g1]")
        self.expect(self.ask("document.querySelectorAll('#board .selected').length") == 0, "a click on the calm board")
        self.press("w")
        self.expect(seen("#why") and seen(".overlays"), "the key that asks why")
        self.click("#why-switch")
        self.expect(not seen("#why"), "the button that asks no more")
        self.press("1")
        self.expect(seen("#why") and self.ask(numbers) == 32, "numbers ask why too")
        self.press("w")
        self.expect(not seen("#why") and self.ask(numbers) == 0, "calm again")
        marks = self.ask("[...document.querySelectorAll('#moves .mark')].map((mark) => [mark.textContent,"
                         " Number(mark.closest('.move').dataset.ply)]).filter(([mark]) => mark)")
        self.expect(len(marks) > 2, f"marks: {marks}")
        glyph = "[...document.querySelectorAll('#board [data-glyph]')].map((cell) => [cell.dataset.glyph, cell.dataset.square])"
        boards = positions(self.games[0])
        for step, (mark, ply) in enumerate(marks):
            if step % 2:
                self.press("n")
            else:
                self.click("#mark-after")
            self.expect_ply(0, ply, "the next mistake")
            square = chess.square_name(boards[ply].peek().to_square)
            self.expect(self.ask(glyph) == [[mark, square]], f"the mark on its square: {self.ask(glyph)}, not {mark} {square}")
            self.expect_told_at_once(mark, ply)
        self.press("n")
        self.expect_ply(0, marks[-1][1], "no mistake after the last")
        self.expect(self.find("#mark-after").get_attribute("aria-disabled") == "true", "the button knows it")
        self.press("p")
        self.expect_ply(0, marks[-2][1], "the previous mistake")
        self.click("#mark-before")
        self.expect_ply(0, marks[-3][1], "the previous mistake by button")

    def expect_told_at_once(self, mark: str, ply: int) -> None:
        """The move and its judgement are in sight without scrolling; on a phone below the board."""
        self.ask("scrollTo(0, 0)")
        self.expect("NaN" not in self.find("#line").text and "undefined" not in self.find("#line").text, "the line")
        part = "#now" if self.width < 500 else "#line"
        box = self.ask("arguments[0].getBoundingClientRect().toJSON()", self.find(part))
        height = self.ask("innerHeight")
        text = self.find(part).text
        move = self.ask("document.querySelector(arguments[0]).firstChild.firstChild.data", f"#moves [data-ply='{ply}']")
        self.expect(0 < box["bottom"] <= height, f"{part} at {box['bottom']} of {height}")
        self.expect(mark in text and move in text, f"{part} says {text} of {move}{mark}")
        if self.width < 500:
            board, controls = [self.ask("arguments[0].getBoundingClientRect().toJSON()", self.find(one)) for one in ("#board", ".controls")]
            self.expect(board["top"] > 0 and controls["bottom"] <= height, "the board and its buttons on the first screen")

    def expect_no_overflow(self, what: str) -> None:
        wide = self.ask("[document.documentElement.scrollWidth, innerWidth]")
        self.expect(wide[0] <= self.width and wide[1] == self.width, f"{what}: {wide[0]} pixels wide in {wide[1]}")
        clipped = self.ask("[...document.querySelectorAll('#why table, #moves, #line')].filter((part) =>"
                           " part.getBoundingClientRect().right > part.closest('section').getBoundingClientRect().right + 0.5)"
                           ".map((part) => part.id)")
        self.expect(clipped == [], f"{what}: wider than their panels: {clipped}")

    def choose(self, game: int) -> None:
        self.ask(
            "(() => { const pick = document.getElementById('pick'); pick.selectedIndex = arguments[0];"
            " pick.dispatchEvent(new Event('change')); })()",
            game,
        )
        self.ask("document.activeElement.blur()")

    def step_with_keys(self, game: int) -> None:
        """Through the game forward and back, and to both ends."""
        last = len(positions(self.games[game])) - 1
        self.press(Keys.HOME)
        for ply in range(last + 1):
            self.expect_ply(game, ply, "right arrow")
            self.expect_material(game, ply)
            self.press(Keys.ARROW_RIGHT)
        self.expect_ply(game, last, "right arrow at the end")
        self.press(Keys.ARROW_LEFT)
        self.expect_ply(game, max(0, last - 1), "left arrow")
        self.press(Keys.END)
        self.expect_ply(game, last, "End")
        self.press(Keys.HOME, Keys.ARROW_LEFT)
        self.expect_ply(game, 0, "left arrow at the start")
        self.expect_no_overflow(f"game {game + 1}")

    def step_with_clicks(self, game: int) -> None:
        """By buttons, by the list of moves and by the graph."""
        last = len(positions(self.games[game])) - 1
        self.click("#next")
        self.expect_ply(game, 1, "button")
        self.click("#last")
        self.expect_ply(game, last, "button")
        self.click("#back")
        self.expect_ply(game, last - 1, "button")
        self.click("#first")
        self.expect_ply(game, 0, "button")
        for ply in range(1, last + 1, 7):
            self.ask("arguments[0].scrollIntoView({block: 'center'})", self.find(f"#moves [data-ply='{ply}']"))
            self.click(f"#moves [data-ply='{ply}']")
            self.expect_ply(game, ply, "click in the list of moves")
        slider = self.find(".current .slider")
        self.ask("arguments[0].scrollIntoView({block: 'center'})", slider)
        box = slider.rect
        for share in (0.0, 0.25, 0.7, 1.0):
            offset = (share - 0.5) * (box["width"] - 4)
            ActionChains(self.driver).move_to_element_with_offset(slider, offset, 0).click().perform()
            found = int(slider.get_attribute("aria-valuenow"))
            self.expect(abs(found - share * last) <= 1.5, f"graph: {found} at {share} of {last}")
            self.expect_ply(game, found, "click on the graph")
        self.ask("arguments[0].focus()", slider)
        self.press(Keys.HOME)
        for key, ply in ((Keys.ARROW_UP, 1), (Keys.PAGE_UP, 11), (Keys.PAGE_DOWN, 1), (Keys.ARROW_DOWN, 0)):
            self.press(key)
            self.expect_ply(game, ply, "key on the graph")

    def swipe(self, game: int) -> None:
        """A finger that goes over the board from right to left steps forward."""
        self.press(Keys.HOME)
        board = self.find("#board")
        self.ask("arguments[0].scrollIntoView({block: 'center'})", board)
        box = self.ask("arguments[0].getBoundingClientRect().toJSON()", board)
        for ply, (start, end) in enumerate([(0.8, 0.2), (0.8, 0.2), (0.2, 0.8)]):
            y = box["top"] + box["height"] / 2
            touch = lambda kind, share: self.driver.execute_cdp_cmd(
                "Input.dispatchTouchEvent",
                {"type": kind, "touchPoints": [] if share is None else [{"x": box["left"] + share * box["width"], "y": y}]},
            )
            touch("touchStart", start)
            for moment in range(1, 5):
                touch("touchMove", start + (end - start) * moment / 4)
            touch("touchEnd", None)
            self.expect_ply(game, [1, 2, 1][ply], "swipe")

    def numbers_add_up(self, game: int, ply: int) -> None:
        """The numbers on the squares and in the tables, in all three modes."""
        self.ask("location.assign(arguments[0])", f"#{game + 1}.{ply}")
        self.expect_ply(game, ply, "address")
        self.driver.refresh()
        self.expect_ply(game, ply, "address of a page that is loaded again")
        value = lambda text: int(text.replace("−", "-").replace("·", "0").replace("+", "") or 0)
        on_squares = "[...document.querySelectorAll('#board .value')].map((value) => value.textContent).filter(Boolean)"
        table = "[...document.querySelectorAll('#sum tr')].map((row) => [...row.children].map((cell) => cell.textContent))"
        rows = [row for row in self.ask(table) if row[0]]
        *parts, (_, total, change) = rows
        self.press("1")
        pieces = [value(text) for text in self.ask(on_squares)]
        self.expect(len(pieces) == len(positions(self.games[game])[ply].piece_map()), "a number on every piece")
        beyond = [value(row[1]) for row in parts[2:]]
        self.expect(sum(pieces) + sum(beyond) == value(total), f"{pieces} and {beyond} are not {total}")
        self.expect(sum(value(row[2]) for row in parts) == value(change), f"the changes {parts} are not {change}")
        self.press("3")
        changes = [value(text) for text in self.ask(on_squares)]
        rest = sum(value(row[2]) for row in parts[2:])
        taken = self.ask("document.querySelector('#pieces span[title]')?.closest('tr').lastChild.textContent ?? '0'")
        self.expect(sum(changes) + rest + value(taken) == value(change), f"{changes}, {rest}, {taken}: not {change}")
        columns = self.ask("[...document.querySelectorAll('#pieces tr[data-square]')].map((row) => "
                           "[...row.querySelectorAll('td')].map((cell) => cell.textContent))")
        for *terms, worth, _ in columns:
            self.expect(sum(map(value, terms)) == value(worth), f"{terms} are not {worth}")
        self.press("4")
        shown = len(self.ask(on_squares))
        # An ending that a table of its own evaluates has at most four pieces, which add nothing.
        is_known = len(pieces) <= 4 and not any(pieces)
        self.expect(shown == (0 if is_known else self.table_size(game, ply)), f"the table has {shown} squares")
        self.press("0")
        self.expect(self.ask(on_squares) == [], "numbers while they are switched off")
        self.press("1")

    def table_size(self, game: int, ply: int) -> int:
        """The number of squares on which the piece that moved last can stand; none if there is none or it is a king."""
        boards = positions(self.games[game])
        if ply == 0 or boards[ply - 1].piece_type_at(boards[ply].peek().from_square) == chess.KING:
            return 0
        board = boards[ply]
        is_pawn = board.piece_type_at(board.peek().to_square) == chess.PAWN
        squares = chess.SquareSet(~board.kings & ~(chess.BB_BACKRANKS if is_pawn else chess.BB_EMPTY))
        return len(squares)

    def look_at_a_piece(self, game: int) -> None:
        """A click on a piece explains it, and the arrow keys go on stepping; from the keyboard the same."""
        self.press(Keys.HOME)
        self.click("#board [data-square=g1]")
        self.expect(self.find("#piece h3").text == "White knight on g1", self.find("#piece h3").text)
        self.press(Keys.ARROW_RIGHT)
        self.expect_ply(game, 1, "right arrow after a click on the board")
        self.expect(self.find("#piece h3").text == "White knight on f3", "the selection follows the piece")
        self.ask("document.querySelector('#board [tabindex=\"0\"]').focus()")
        self.press(Keys.ARROW_UP, Keys.ARROW_RIGHT, Keys.ENTER)
        self.expect(self.find("#piece h3").text == "White pawn on b2", "a square chosen with the keyboard")
        self.expect_ply(game, 1, "arrows on the board")
        said = self.find("#said").get_attribute("textContent")
        self.expect(said.startswith("white pawn on b2: worth +"), said)
        self.press(Keys.ESCAPE, Keys.ARROW_RIGHT)
        self.expect_ply(game, 2, "right arrow after the board was left")
        said = self.find("#said").get_attribute("textContent")
        self.expect("knight to f6" in said and "White: king e1, queen d1" in said, said)

    def follow_pieces(self) -> None:
        """In the second game: a selection goes with the rook that castles, and ends with the pawn that is taken."""
        self.choose(1)
        go_to = lambda ply: self.ask(f"document.querySelector(\"#moves [data-ply='{ply}']\").click()")
        go_to(13)
        self.click("#board [data-square=a8]")
        self.press(Keys.ARROW_RIGHT)
        self.expect(self.find("#piece h3").text == "Black rook on d8", "the selected rook castles")
        self.press(Keys.ARROW_LEFT)
        self.expect(self.find("#piece h3").text == "Black rook on a8", "the selected rook goes back")
        go_to(4)
        self.click("#board [data-square=f5]")
        self.press(Keys.ARROW_RIGHT)
        self.expect(self.find("#piece h3").text == "White pawn on f6", "a pawn taken en passant is selected no more")
        self.choose(0)
        go_to(16)
        said = self.find("#said").get_attribute("textContent")
        self.expect("knight on the b-file to d7" in said, said)

    def keep_focus(self) -> None:
        """What has the focus keeps it when its part of the page is built anew."""
        focused = "document.activeElement.dataset.square || document.activeElement.dataset.key"
        self.ask("document.querySelector('#board [tabindex=\"0\"]').focus()")
        square = self.ask(focused)
        self.press("f")
        self.expect(self.ask(focused) == square, "the focus on a square of a board that is turned")
        self.press("f")
        for button in ("#pieces button[data-key=e1]", "#line button[data-key='0']"):
            self.ask("document.querySelector(arguments[0]).focus()", button)
            key = self.ask(focused)
            self.press(Keys.ENTER)
            self.expect(self.ask(focused) == key, f"the focus on {button}")
        self.press(Keys.ESCAPE)

    def follow_a_line(self, game: int, ply: int) -> None:
        """The best line, move by move on the board, and back to the game."""
        self.ask("document.querySelector(arguments[0]).click()", f"#moves [data-ply='{ply}']")
        board = positions(self.games[game])[ply].copy()
        moves = self.find_all("#line .moves-of-line button")
        self.expect(len(moves) > 0, "no best line")
        for index in range(len(moves)):
            button = self.find_all("#line .moves-of-line button")[index]
            board.push_san(button.text.split()[-1])
            button.click()
            self.expect_position(board, f"move {index + 1} of the best line")
        self.press(Keys.ARROW_LEFT)
        board.pop()
        if len(moves) > 1:
            self.expect_position(board, "left arrow in the line")
            self.press(Keys.ESCAPE)
        self.expect_ply(game, ply, "back in the game")

    def flip(self) -> None:
        first = "document.querySelector('#board [role=gridcell]').dataset.square"
        self.expect(self.ask(first) == "a8", "White below")
        self.press("f")
        self.expect(self.ask(first) == "h1", "Black below")
        self.click("#flip")
        self.expect(self.ask(first) == "a8", "White below again")
        shown = "getComputedStyle(document.getElementById('arrows')).visibility"
        self.expect(self.ask(shown) == "visible", "an arrow for the best move")
        self.press("b")
        self.expect(self.ask(shown) == "hidden", "no arrow")
        self.press("b")

    def colors(self) -> None:
        """Light and dark, by preference and by the button, with enough contrast for all text."""
        page_color = "getComputedStyle(document.body).backgroundColor"
        light = self.ask(page_color)
        self.expect_contrast("light")
        self.click("#theme")
        dark = self.ask(page_color)
        self.expect(light != dark, "the button changes the colors")
        self.expect_contrast("dark by the button")
        self.click("#theme")
        self.expect(self.ask(page_color) == light, "the button changes them back")
        self.ask("delete document.documentElement.dataset.theme")
        self.prefer("dark")
        self.expect(self.ask(page_color) == dark, "the preference for dark")
        self.ask("localStorage.removeItem('squarewise-theme')")
        self.driver.refresh()
        self.expect(self.find("#theme").get_attribute("aria-pressed") == "true", "the button knows that the page is dark")
        self.expect_contrast("dark by preference")
        self.prefer("light")

    def expect_contrast(self, what: str) -> None:
        for mode in ("0", "1", "3", "4"):
            self.press(mode)
            time.sleep(0.2)
            poor = self.ask(CONTRAST)
            self.expect(poor == [], f"{what}, numbers {mode}: contrast below 4.5: {poor}")
        self.press("1")

    def expect_silence(self) -> None:
        """No message on the console, and no request but for the page itself."""
        messages = self.driver.get_log("browser")
        self.expect(messages == [], f"the console says {messages}")
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        requests = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
        strange = [url for url in requests if url.split("#")[0] != self.address]
        self.expect(len(requests) > 0 and strange == [], f"requests for {strange}")
        self.expect(self.driver.title != "owned", "a name of a game was executed")

    def screenshot(self, path: Path) -> None:
        time.sleep(0.4)
        image = self.driver.execute_cdp_cmd("Page.captureScreenshot", {})
        path.write_bytes(base64.b64decode(image["data"]))


# Elements with text of their own whose color contrasts too little with what lies below them: WCAG 2.2, 1.4.3. Colors
# are painted on a canvas to read them, whatever notation the style uses.
CONTRAST = """(() => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const read = (color) => {
    context.clearRect(0, 0, 1, 1); context.fillStyle = color; context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (color) => color.slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const below = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = read(getComputedStyle(at).backgroundColor);
      if (color[3] === 255) return color;
    }
    return [255, 255, 255, 255];
  };
  const poor = new Set();
  for (const element of document.body.querySelectorAll("*")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!hasText || !element.checkVisibility() || element.closest(".visually-hidden, script, noscript")) continue;
    const [one, two] = [luminance(read(getComputedStyle(element).color)), luminance(below(element))];
    const contrast = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (contrast < 4.5) poor.add(`${element.tagName}.${element.className} "${element.textContent.slice(0, 20)}" ${contrast.toFixed(2)}`);
  }
  return [...poor];
})()"""


@functools.cache
def positions(game: chess.pgn.Game) -> list[chess.Board]:
    return [node.board() for node in [game, *game.mainline()]]


def write_page(engine: str, folder: Path) -> Path:
    games, page = folder / "games.pgn", folder / "report.html"
    games.write_text(GAMES.lstrip(), encoding="utf-8")
    command = [engine, "analyze", str(games), "--nodes", "4000", "--html", str(page)]
    subprocess.run(command, check=True, timeout=120, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return page


def use(report: Report, screenshots: Path | None, name: str) -> None:
    if screenshots:
        report.screenshot(screenshots / f"{name}-games.png")
    report.look_over_the_games()
    report.choose(0)
    report.be_calm()
    if screenshots:
        report.ask("scrollTo(0, 0)")
        report.screenshot(screenshots / f"{name}-calm.png")
    report.press("w")
    for game in range(len(report.games)):
        report.choose(game)
        report.step_with_keys(game)
    report.choose(0)
    report.step_with_clicks(0)
    report.look_at_a_piece(0)
    report.follow_a_line(0, 30)
    report.flip()
    report.follow_pieces()
    report.keep_focus()
    if report.width < 500:
        report.swipe(0)
    for game, ply in ((0, 0), (0, 8), (0, 35), (0, 82), (1, 5), (1, 9), (1, 14), (1, 24), (2, 1)):
        report.numbers_add_up(game, ply)
    report.choose(0)
    report.ask("document.querySelector(\"#moves [data-ply='35']\").click()")
    report.colors()
    report.expect_no_overflow("after all")
    report.expect_silence()
    report.ask("document.activeElement.blur()")
    for colors in ("light", "dark") if screenshots else ():
        report.prefer(colors)
        report.ask("scrollTo(0, 0)")
        report.screenshot(screenshots / f"{name}-{colors}.png")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="target/release/squarewise")
    parser.add_argument("--page", type=Path, help="a page of the games in this file that is there already")
    parser.add_argument("--screenshots", type=Path, metavar="DIR", help="keep pictures of both sizes, light and dark")
    arguments = parser.parse_args()
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    text = io.StringIO(GAMES.lstrip())
    games = list(iter(lambda: chess.pgn.read_game(text), None))
    with tempfile.TemporaryDirectory() as folder:
        page = arguments.page or write_page(arguments.engine, Path(folder))
        for name, size in SIZES.items():
            begin = time.monotonic()
            report = Report(page, games, size)
            try:
                use(report, arguments.screenshots, name)
            finally:
                report.driver.quit()
            print(f"{name} {size[0]}x{size[1]}: {report.checks} checks in {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
