"""A short match in which an independent program checks every line the engine sends.

The tests in tests/ come from the authors of the engine and share their misunderstandings. Here python-chess is the
client: its parser reads the protocol, its rules check every best move, ponder move and line. Stockfish at club strength
is the opponent, so that the games meet won and lost positions, mates and repetitions alike. The score hardly matters;
one wrong line is a fault, and any fault fails the match.

Lines are checked from the raw text, beside python-chess's own parsing: a client keeps only the newest info and forgives
much, and this match checks each line ever printed. A line must pass the checks of fastchess with
`-check-mate-pvs`.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import chess
from chess.engine import INFO_ALL, INFO_NONE, EngineError, EngineTerminatedError, Limit, Protocol, UciProtocol

from referee import Line, answer_faults, ending

OPENINGS: dict[str, str] = {
    "Italian Game": "e4 e5 Nf3 Nc6 Bc4 Bc5",
    "Ruy Lopez": "e4 e5 Nf3 Nc6 Bb5 a6",
    "Sicilian Defence": "e4 c5 Nf3 d6 d4 cxd4",
    "French Defence": "e4 e6 d4 d5 Nc3 Nf6",
    "Caro-Kann Defence": "e4 c6 d4 d5 exd5 cxd5",
    "Queen's Gambit": "d4 d5 c4 e6 Nc3 Nf6",
    "King's Indian Defence": "d4 Nf6 c4 g6 Nc3 Bg7",
    "English Opening": "c4 e5 Nc3 Nf6 Nf3 Nc6",
}
PATIENCE = 10.0  # seconds beyond its whole budget after which an engine is not late but hanging


class MatchAborted(Exception):
    """One of the engines is gone or hangs, so that no further game can be played."""


class WatchedEngine(UciProtocol):
    """python-chess's client, listening in on the raw lines and the time at which they arrive."""

    def __init__(self) -> None:
        super().__init__()
        self.complaints: list[str] = []
        self.lines: list[str] = []  # each `info` since the last `go`
        self.answer: str | None = None  # the `bestmove` line, with the seconds it took
        self.seconds = 0.0
        self.on_move = False  # from our question to the end of python-chess's work on the answer
        self.thinking = False  # between `go` and `bestmove`
        self.begin = self.arrival = 0.0
        self.pings = 0

    def send_line(self, line: str) -> None:
        if line == "isready":
            self.pings += 1
        elif line.startswith("go"):
            self.thinking, self.begin = True, time.perf_counter()
        super().send_line(line)

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        self.arrival = time.perf_counter()  # before any parsing: our slowness is not to be charged to the engine
        super().pipe_data_received(fd, data)

    def line_received(self, line: str) -> None:
        """Sorts a line in. python-chess silently drops what an idle engine says; we want to report it."""
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        if self.thinking and word == "info":
            self.lines.append(line)
        elif self.thinking and word == "bestmove":
            self.thinking, self.answer, self.seconds = False, line, self.arrival - self.begin
        elif word == "readyok" and self.pings > 0:
            self.pings -= 1
        elif self.initialized:
            self.complaints.append(f"unasked output while {'thinking' if self.thinking else 'idle'}: {line!r}")


class LogFaults(logging.Handler):
    """Turns each complaint python-chess logs about our engine into a fault; the opponent's are its own affair.

    Lines on stderr arrive here as well. In a normal game the engine has nothing to say there, so that a panic cannot
    pass unnoticed even if it was caught.
    """

    def __init__(self, engine: WatchedEngine) -> None:
        super().__init__(logging.WARNING)
        self.engine = engine

    def emit(self, record: logging.LogRecord) -> None:
        subject = record.args[0] if isinstance(record.args, tuple) and record.args else None
        if subject is self.engine or (self.engine.on_move and not isinstance(subject, Protocol)):
            cause = f" ({record.exc_info[1]})" if record.exc_info else ""
            self.engine.complaints.append(f"python-chess: {record.getMessage()}{cause}")


@dataclass
class Game:
    """One game to be played: where it starts and which side is ours."""

    number: int
    opening: str
    board: chess.Board
    color: chess.Color

    def position(self) -> str:
        """The UCI command that leads here, so that a fault can be reproduced by pasting it."""
        fen = self.board.root().fen(shredder=self.board.chess960)
        start = "startpos" if fen == chess.STARTING_FEN else f"fen {fen}"
        return " ".join([f"position {start} moves", *(move.uci() for move in self.board.move_stack)])


@dataclass
class Match:
    """The two engines, the terms, and what has been counted so far."""

    engine: WatchedEngine
    opponent: UciProtocol
    terms: argparse.Namespace
    faults: list[str] = field(default_factory=list)
    points: list[float] = field(default_factory=list)
    moves: int = 0
    lines: int = 0

    async def play(self, game: Game) -> None:
        """Plays a game to its end and prints its one line."""
        board, clocks = game.board, {color: self.terms.clock[0] for color in chess.COLORS}
        while True:
            if outcome := board.outcome():
                points = 0.5 if outcome.winner is None else float(outcome.winner == game.color)
                reason = outcome.termination.name.lower().replace("_", " ")
                break
            if claim := ending(board):  # mate and stalemate were outcomes: what is left are the draws to be claimed
                points, reason = 0.5, claim
                break
            if board.turn != game.color:
                await self.opponent_move(game, clocks)
            elif forfeit := await self.our_move(game, clocks):
                points, reason = 0.0, forfeit
                break
        self.points.append(points)
        word = {1.0: "win", 0.5: "draw", 0.0: "loss"}[points]
        color = chess.COLOR_NAMES[game.color]
        print(f"{game.number:3}  {game.opening:22} {color:5}  {word:4}  {reason}, {board.ply()} plies", flush=True)

    async def ask(self, engine: UciProtocol, game: Game, clocks: dict[chess.Color, float]) -> chess.Move | None:
        """One `go`, under the clocks or the fixed time per move, given up when the engine seems to hang."""
        white, black, (_, increment) = clocks[chess.WHITE], clocks[chess.BLACK], self.terms.clock
        limit = Limit(white_clock=white, black_clock=black, white_inc=increment, black_inc=increment)
        if self.terms.movetime is not None:
            limit = Limit(time=self.terms.movetime)
        info = INFO_ALL if engine is self.engine else INFO_NONE  # python-chess parses ours only
        patience = PATIENCE + (self.terms.movetime or clocks[game.board.turn])
        return (await asyncio.wait_for(engine.play(game.board, limit, game=game.number, info=info), patience)).move

    async def our_move(self, game: Game, clocks: dict[chess.Color, float]) -> str | None:
        """Lets our engine move and checks everything it said; returns the reason if it forfeits the game."""
        engine, budget = self.engine, self.terms.movetime or clocks[game.color]
        engine.lines, engine.answer, engine.on_move, move = [], None, True, None
        try:
            move = await self.ask(engine, game, clocks)
        except asyncio.TimeoutError:
            raise MatchAborted(f"no bestmove {PATIENCE:.0f} s after the end of its time") from None
        except EngineTerminatedError as error:
            raise MatchAborted(str(error)) from None
        except EngineError as error:
            engine.complaints.append(f"python-chess rejects the answer: {error}")
        finally:
            engine.on_move = False
            self.check_output(game)
        clocks[game.color] = max(0.0, clocks[game.color] - engine.seconds) + self.terms.clock[1]
        if engine.seconds > budget + self.terms.margin:
            self.fault(game, f"lost on time: used {engine.seconds:.3f} s of {budget:.3f} s")
            return "lost on time"
        if not move:
            self.fault(game, f"no legal move: {engine.answer}")
            return "no legal move"
        self.moves += 1
        game.board.push(move)
        return None

    async def opponent_move(self, game: Game, clocks: dict[chess.Color, float]) -> None:
        """Lets the opponent move. It is not on trial: it never loses on time, and what it prints is not read."""
        begin = time.perf_counter()
        try:
            move = await self.ask(self.opponent, game, clocks)
        except (asyncio.TimeoutError, EngineError) as error:
            raise MatchAborted(f"the opponent failed, which says nothing about our engine: {error!r}") from None
        if not move:
            raise MatchAborted("the opponent sent no move, which says nothing about our engine")
        seconds = time.perf_counter() - begin
        clocks[not game.color] = max(0.0, clocks[not game.color] - seconds) + self.terms.clock[1]
        game.board.push(move)

    def check_output(self, game: Game) -> None:
        """Checks the raw text of the last search. No clock runs meanwhile."""
        for complaint in self.engine.complaints:
            self.fault(game, complaint)
        self.engine.complaints.clear()
        line: Line | None = None
        for text in self.engine.lines:
            try:
                line = Line.parse(text)
            except (ValueError, IndexError):
                self.fault(game, f"unreadable: {text}")
                continue
            if line is not None:
                self.lines += 1
                for wrong in line.faults(game.board, self.terms.allow_short_mates):
                    self.fault(game, f"{wrong}: {text}")
        if self.engine.answer is not None:
            for wrong in answer_faults(game.board, self.engine.answer, line):
                self.fault(game, f"{wrong}: {self.engine.answer}")

    def fault(self, game: Game, what: str) -> None:
        self.faults.append(f"game {game.number}: {what}\n    {game.position()}")


def schedule(games: int, chess960: int, seed: int) -> Iterator[Game]:
    """Pairs of games from one start with colors changed; the last `chess960` games begin from Chess960 positions."""
    names = list(OPENINGS)
    random.Random(seed).shuffle(names)
    for index in range(games):
        pair = index // 2
        if index < games - chess960:
            opening, board = names[pair % len(names)], chess.Board()
            for san in OPENINGS[opening].split():
                board.push_san(san)
        else:
            start = random.Random(seed + pair).randrange(960)
            opening, board = f"Chess960 {start}", chess.Board.from_chess960_pos(start)
        yield Game(index + 1, opening, board, chess.WHITE if index % 2 == 0 else chess.BLACK)


async def weaken(opponent: UciProtocol, elo: int) -> str:
    """Sets the opponent to a strength near `elo`, as far as its options allow; returns the strength in words."""
    option = opponent.options.get("UCI_Elo")
    if option is None or "UCI_LimitStrength" not in opponent.options:
        return "full strength"
    elo = min(max(elo, option.min or elo), option.max or elo)
    await opponent.configure({"UCI_LimitStrength": True, "UCI_Elo": elo})
    return f"UCI_Elo {elo}"


async def leave(engine: WatchedEngine) -> str | None:
    """Sends `quit`; returns what is wrong with the way the engine goes."""
    try:
        await asyncio.wait_for(engine.quit(), PATIENCE)
    except asyncio.TimeoutError:
        return f"still running {PATIENCE:.0f} s after quit"
    code = engine.returncode.result()
    return f"exit code {code} after quit" if code != 0 else None


async def run(terms: argparse.Namespace) -> int:
    """Plays the match and returns the exit code of the program."""
    (our_transport, engine) = await WatchedEngine.popen(terms.engine)
    (their_transport, opponent) = await UciProtocol.popen(terms.opponent)
    logging.getLogger("chess.engine").addHandler(LogFaults(engine))
    # An exception in python-chess's callbacks was caused by a line that it could not parse.
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: engine.complaints.append(f"python-chess: {context.get('exception') or context['message']}")
    )
    match = Match(engine, opponent, terms)
    try:
        await asyncio.wait_for(opponent.initialize(), PATIENCE)
        await asyncio.wait_for(engine.initialize(), PATIENCE)
        strength = await weaken(opponent, terms.elo)
        print(f"{engine.id.get('name')} against {opponent.id.get('name')} ({strength})", flush=True)
        for game in schedule(terms.games, terms.chess960, terms.seed):
            try:
                await match.play(game)
            except MatchAborted as error:
                match.fault(game, f"match broken off: {error}")
                break
        if not any(match.points):
            match.faults.append("not one half point: an engine that plays chess takes some from this opponent")
    except (asyncio.TimeoutError, EngineError) as error:
        match.faults.append(f"no handshake: {error!r}")
    if not engine.returncode.done() and (wrong := await leave(engine)):
        match.faults.append(wrong)
    match.faults += engine.complaints
    for transport, program in ((our_transport, engine), (their_transport, opponent)):
        if not program.returncode.done():
            transport.kill()
            await program.returncode
    for fault in [f"\n{len(match.faults)} faults:", *match.faults] if match.faults else []:
        print(fault)
    wins, losses, draws = (match.points.count(points) for points in (1.0, 0.0, 0.5))
    print(
        f"{wins} wins, {losses} losses, {draws} draws in {len(match.points)} games; "
        f"{match.moves} moves and {match.lines} lines checked"
    )
    return 1 if match.faults else 0


def clock(text: str) -> tuple[float, float]:
    """BASE+INCREMENT in seconds."""
    base, _, increment = text.partition("+")
    return float(base), float(increment or 0.0)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--engine", required=True, help="the engine on trial")
    parser.add_argument("--opponent", required=True, help="the sparring partner")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--chess960", type=int, default=2, help="how many of the games are Chess960, the last ones")
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument("--clock", type=clock, default=(1.0, 0.01), help="BASE+INCREMENT in seconds for each side")
    pace.add_argument("--movetime", type=float, help="seconds for each move instead of clocks")
    parser.add_argument("--margin", type=float, default=0.25, help="seconds of lateness forgiven, for a busy machine")
    parser.add_argument("--elo", type=int, default=1700, help="strength of the opponent, where it can be limited")
    parser.add_argument("--seed", type=int, default=1, help="for the draw of openings and Chess960 positions")
    parser.add_argument("--allow-short-mates", action="store_true", help="forgive cut lines of mates")
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
