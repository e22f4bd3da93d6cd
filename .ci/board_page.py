"""A board in a headless Chromium, for `.ci/board.py`: the program, the page, and how a person uses it."""

import base64
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import chess
from selenium.common.exceptions import JavascriptException, TimeoutException, WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from report import CONTRAST, PIECES, chromium

# The longest wait, unless a check names its own.
PATIENCE = 20.0  # seconds that a page may take to do something, on a machine with other work

# The longest that a script runs in a page, and that one which waits for a condition does.
SCRIPT_TIME = 6 * PATIENCE  # seconds
LOOK_TIME = 2.0  # seconds


class Program:
    """`squarewise board`, started for a test. It keeps its files in a folder of the test."""

    def __init__(self, engine: str, folder: Path, *arguments: str) -> None:
        self.command = [engine, "board", "--no-open", "--data", str(folder), *arguments]
        self.start()

    def start(self, port: int = 0) -> None:
        """Also once more, after it was killed."""
        command = [*self.command, "--port", str(port)]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/#t=([0-9a-f]{32})", line)
        if not found:
            raise AssertionError(f"no address: {line!r}")
        self.address, self.port, self.token = found[0], int(found[1]), found[2]

    def end(self) -> int:
        """Ends the program by SIGTERM. Returns the exit code."""
        self.process.terminate()
        return self.process.wait(timeout=PATIENCE)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


class Page:
    """The page in a browser."""

    def __init__(self, address: str, size: tuple[int, int]) -> None:
        self.width = size[0]
        self.size = size
        self.is_phone = size[0] < 500
        self.driver = chromium(*size)
        self.driver.set_script_timeout(SCRIPT_TIME)
        self.checks = 0
        self.prefer("light")
        self.go(address)

    def resize(self, width: int, height: int) -> None:
        """Another size of the window of a desktop computer."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.wait(f"innerWidth === {width} && innerHeight === {height}", "a window of another size")

    def go(self, address: str) -> None:
        self.driver.get("about:blank")
        self.driver.get(address)
        self.wait("document.body?.dataset.ready === 'yes'", "the page begins")

    # ---- Asking the page ----

    def ask(self, script: str, *arguments):
        return self.driver.execute_script(f"return {script}", *arguments)

    def find(self, selector: str):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        return self.ask("document.querySelector(arguments[0]).textContent", selector)

    def click(self, selector: str) -> None:
        """Clicks, and once more if the click doesn't arrive: what is clicked can move or be replaced meanwhile, a dialog can be
        closing above it, and a tap right behind a drag can be taken for a part of it."""
        deadline = time.monotonic() + PATIENCE
        failure = None
        while time.monotonic() < deadline:
            try:
                element = self.find(selector)
                self.ask("(arguments[0].scrollIntoView({block: 'center'}), window.arrived = false, arguments[0].addEventListener("
                         "'click', () => { window.arrived = true; }, {once: true, capture: true}))", element)
                element.click()
                for _ in range(100):
                    if self.ask("window.arrived !== false"):  # another page knows nothing of it
                        return
                    time.sleep(0.01)
            except WebDriverException as error:
                failure = error
            time.sleep(0.05)
        raise AssertionError(f"no click arrives at {selector}") from failure

    def click_until(self, selector: str, condition: str, what: str) -> None:
        """Clicks, unless the condition is true already, and waits for it."""
        if not self.ask(f"Boolean({condition})"):
            self.click(selector)
        self.wait(condition, what)

    def resign(self, ending: str = "state.game.ending") -> None:
        """By two clicks, as it has to be."""
        self.click_twice("#resign")
        self.wait(ending, "resigned")

    def click_twice(self, selector: str) -> None:
        """A button that asks whether one is sure."""
        deadline = time.monotonic() + PATIENCE
        agree = "((button) => button.textContent.includes('Really') && (button.click(), true))(document.querySelector(arguments[0]))"
        self.click(selector)
        # It takes its question back after three seconds, before which a busy browser may not come to the second click.
        while not self.ask(agree, selector):
            self.expect(time.monotonic() < deadline, f"{selector} asks: {self.text(selector)}")
            self.click(selector)

    def press(self, *keys: str) -> None:
        self.ask("document.activeElement.blur()")
        ActionChains(self.driver).send_keys(*keys).perform()

    def type_into(self, selector: str, text: str) -> None:
        field = self.find(selector)
        field.clear()
        field.send_keys(text)

    def prefer(self, colors: str, motion: str = "reduce") -> None:
        features = [{"name": "prefers-color-scheme", "value": colors}, {"name": "prefers-reduced-motion", "value": motion}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def wait(self, condition: str, what: str, patience: float = PATIENCE) -> None:
        """Waits until a condition of the page is true. The page itself looks at it again and again: to ask for it each time
        keeps a processor busy."""
        deadline = time.monotonic() + patience
        while not self.comes_true(condition, min(LOOK_TIME, deadline - time.monotonic())):
            if time.monotonic() > deadline:
                said = [self.text(selector) for selector in ("#message", "#warning")]
                raise AssertionError(f"waited in vain: {what}; {self.driver.current_url} says {said}")
        self.checks += 1

    def wait_for(self, condition: Callable[[], bool], what: str) -> None:
        """Waits for something that isn't in the page."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(f"waited in vain: {what}")
            time.sleep(0.02)
        self.checks += 1

    def comes_true(self, condition: str, patience: float) -> bool:
        """Whether a condition becomes true in so many seconds. A page that goes can take its answer with it."""
        script = (
            "const [milliseconds, done] = arguments, end = performance.now() + milliseconds;"
            f"const holds = () => Boolean({condition});"
            "const look = () => { try { if (holds()) done(true);"
            " else if (performance.now() > end) done(false); else setTimeout(look, 10); }"
            " catch (error) { done(String(error)); } }; look();"
        )
        self.driver.set_script_timeout(3 * LOOK_TIME)
        try:
            found = self.driver.execute_async_script(script, max(0.0, 1000 * patience))
        except (JavascriptException, TimeoutException):  # another page is loaded
            time.sleep(0.05)
            return False
        finally:
            self.driver.set_script_timeout(SCRIPT_TIME)
        if isinstance(found, str):
            raise AssertionError(f"{condition}: {found}")
        return found

    def expect(self, condition: bool, what: str) -> None:
        self.checks += 1
        if not condition:
            raise AssertionError(what)

    # ---- The board ----

    def pieces(self) -> dict[str, str]:
        return self.ask(PIECES)

    def expect_board(self, board: chess.Board, what: str) -> None:
        """The pieces, the FEN and the legal moves are those of python-chess."""
        fen = board.fen(en_passant="legal")
        self.wait(f"node()?.f === {fen!r} && details()?.ways && !state.preview", f"{what}: the position {fen}")
        expected = {chess.square_name(square): piece.symbol() for square, piece in board.piece_map().items()}
        found, moves = self.ask(f"[{PIECES}, details().d]")
        self.expect(found == expected, f"{what}: the page shows {found}, expected {fen}")
        named = set(moves.split())
        legal = {move.uci() for move in board.legal_moves}
        self.expect(legal <= named, f"{what}: {sorted(legal - named)} can't be played")
        for name in named - legal:
            self.expect(board.is_castling(chess.Move.from_uci(name)) or board.chess960, f"{what}: {name} is not legal")

    def squares(self, *names: str) -> list[list[float]]:
        """Scrolls to the board, and tells where the middles of squares are."""
        return self.ask(
            "(document.getElementById('board').scrollIntoView({block: 'center'}), [...arguments].map((name) => {"
            " const box = document.querySelector(`#board [data-square=${name}]`).getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; }))",
            *names,
        )

    def square(self, name: str) -> list[float]:
        return self.squares(name)[0]

    def touch(self, kind: str, point: tuple[float, float] | None) -> None:
        points = [] if point is None else [{"x": point[0], "y": point[1]}]
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def mouse(self, kind: str, point: tuple[float, float], button: str = "left", modifiers: int = 0) -> None:
        event = {"type": kind, "x": point[0], "y": point[1], "button": button, "clickCount": 1, "modifiers": modifiers}
        if kind != "mouseReleased":
            event["buttons"] = 1 if button == "left" else 2
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    def may_move(self) -> None:
        """Waits until the page knows the moves of the position that it shows: it asks for them once it is there, and a person
        is not that quick."""
        self.wait("details()?.ways", "the moves of the position")

    def drag(self, start: str, end: str) -> None:
        """With a finger on a phone, else with the mouse."""
        self.may_move()
        (x1, y1), (x2, y2) = self.squares(start, end)
        steps = [(x1 + (x2 - x1) * part / 4, y1 + (y2 - y1) * part / 4) for part in range(1, 5)]
        if self.is_phone:
            self.touch("touchStart", (x1, y1))
            for point in steps:
                self.touch("touchMove", point)
            self.touch("touchEnd", None)
        else:
            self.mouse("mousePressed", (x1, y1))
            for point in steps:
                self.mouse("mouseMoved", point)
            self.mouse("mouseReleased", (x2, y2))

    def tap(self, *names: str) -> None:
        self.may_move()
        for point in self.squares(*names):
            if self.is_phone:
                self.touch("touchStart", point)
                self.touch("touchEnd", None)
            else:
                self.mouse("mousePressed", point)
                self.mouse("mouseReleased", point)

    def draw(self, start: str, end: str, modifiers: int = 0) -> None:
        """An arrow or a circle: by the right button, or on a phone by the switch. Shift is 8 among the modifiers, Alt 1."""
        if self.is_phone:
            self.click_until("#draw", "state.drawing", "drawing")
            self.drag(start, end)
            self.click_until("#draw", "!state.drawing", "no drawing")
            return
        begin, finish = self.squares(start, end)
        self.mouse("mousePressed", begin, "right", modifiers)
        self.mouse("mouseMoved", finish, "right", modifiers)
        self.mouse("mouseReleased", finish, "right", modifiers)

    def type_move(self, text: str) -> None:
        self.type_into("#typed", text + "\n")

    def load(self, text: str) -> None:
        self.click_until("#open-games", "byId('open-dialog').open", "the dialog")
        self.ask("document.getElementById('open-text').value = arguments[0]", text)
        self.click_until("#open-do", "!byId('open-dialog').open || byId('open-error').textContent", "an answer")

    def view(self, name: str) -> None:
        self.click(f"[data-view={name}]")

    def begin_game(self, what: str, color: str = "white", **wishes: str | int) -> None:
        """Begins a game with wishes by the names of their fields; those that aren't named stay as they are."""
        self.view("play")
        if self.ask("!byId('game-panel').hidden"):
            self.click("#new-game")
        for field, value in wishes.items():
            self.ask("(byId(arguments[0]).value = arguments[1], ['input', 'change'].forEach((kind) =>"
                     " byId(arguments[0]).dispatchEvent(new Event(kind))))", field, value)
        self.click(f"[data-color={color}]")
        self.click("#begin-game")
        self.wait("isPlaying()", what)

    def position(self, fen: str) -> chess.Board:
        """Puts a position on the board."""
        board = chess.Board(fen)
        self.load(fen)
        self.wait("!document.querySelector('dialog[open]')", f"{fen} is opened")
        self.expect_board(board, "a position")
        return board

    def rest(self) -> None:
        """The engine rests and its lines stay: the page takes the end for that of a search which it has replaced."""
        self.ask("(engine.since = Infinity, command({ do: 'rest' }).then(Boolean))")

    # ---- Looks ----

    def expect_no_overflow(self, what: str) -> None:
        wide = self.ask("[document.documentElement.scrollWidth, innerWidth]")
        self.expect(wide[0] <= wide[1], f"{what}: {wide[0]} pixels wide in {wide[1]}")

    def expect_contrast(self, what: str) -> None:
        time.sleep(0.2)
        poor = self.ask(CONTRAST)
        self.expect(poor == [], f"{what}: contrast below 4.5: {poor}")

    def expect_silence(self) -> None:
        messages = [entry for entry in self.driver.get_log("browser") if "favicon" not in entry["message"]]
        self.expect(messages == [], f"the console says {messages}")

    def screenshot(self, path: Path) -> None:
        time.sleep(0.3)
        image = self.driver.execute_cdp_cmd("Page.captureScreenshot", {})
        path.write_bytes(base64.b64decode(image["data"]))
