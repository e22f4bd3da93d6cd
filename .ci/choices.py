"""Compares searches by the moves that they choose, without a game.

Every program looks for a move in the same positions, with the same number of nodes. Where two of them disagree, a
stronger program judges the moves that they chose. What counts is the difference in expected points: per thousand moves,
with its standard error, against the first program. Most positions say nothing, since everybody plays the same move; so
`--contested FILE` writes down those in which the programs disagree, for the next comparison.

    .venv/bin/python .ci/choices.py --positions FILE --nodes 60000 --judge stockfish --state FOLDER [--threads 2]
        [--judge-nodes 60000] [--contested FILE] NAME=PROGRAM[,Option=Value...] NAME=PROGRAM[,Option=Value...]...

The positions are a FEN in each line, of which what follows a semicolon is left out, or three of each game in a PGN file,
by chance but always the same. Moves and judgements are kept in the folder of the state, so that a run which was killed
goes on and a program that was asked before is not asked again: a name stands for one program with one set of options, a
folder for one judge. Nothing here depends on the clock.
"""

import argparse
import json
import math
import random
import shutil
import statistics
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import chess.pgn
from chess.engine import Limit, PovScore, SimpleEngine

HASH = 16  # MiB

# The judge's centipawns by which the odds of a point grow e times: 100 are 71 % of a point.
SCALE = 110.0

# How many positions of a game are taken, from its third ply on.
OF_A_GAME = 3
FIRST_PLY = 2


@dataclass(frozen=True)
class Program:
    name: str
    command: str
    options: dict[str, str]

    @classmethod
    def parse(cls, text: str) -> "Program":
        name, _, rest = text.partition("=")
        command, *options = rest.split(",")
        if not command:
            raise argparse.ArgumentTypeError(f"{text}: not NAME=PROGRAM[,Option=Value...]")
        return cls(name, command, dict(option.split("=", 1) for option in options))


def positions_in(path: Path) -> list[str]:
    if path.suffix != ".pgn":
        lines = (line.split(";")[0].strip() for line in path.read_text().splitlines())
        return list(dict.fromkeys(line for line in lines if line))
    positions: dict[str, None] = {}
    chance = random.Random(1)
    with path.open() as file:
        while game := chess.pgn.read_game(file):
            boards = [node.board() for node in game.mainline()][FIRST_PLY:-1]
            for board in chance.sample(boards, min(OF_A_GAME, len(boards))):
                positions[board.fen()] = None
    return list(positions)


class Records:
    """What is known of each key, a line of JSON each, in a file that grows."""

    def __init__(self, path: Path) -> None:
        self.path, self.lock = path, threading.Lock()
        text = path.read_text() if path.exists() else ""
        # A run that was killed can leave half a line.
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            path.write_text(whole)
        self.known: dict[str, str | int] = dict(json.loads(line) for line in whole.splitlines())

    def add(self, key: str, value: str | int) -> None:
        with self.lock, self.path.open("a") as file:
            self.known[key] = value
            file.write(json.dumps([key, value]) + "\n")


def ask(program: Program, tasks: list[str], threads: int, work: Callable[[SimpleEngine, str], None]) -> None:
    """Does the tasks in several processes of a program at once."""

    def run(share: Iterable[str]) -> None:
        with SimpleEngine.popen_uci(program.command) as engine:
            engine.configure({"Hash": HASH, **program.options})
            for task in share:
                work(engine, task)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, [tasks[start::threads] for start in range(threads)]))


def choose(program: Program, positions: list[str], nodes: int, state: Path, threads: int) -> dict[str, str]:
    """The move that a program chooses in each position."""
    records = Records(state / f"{program.name}-{nodes}.moves")

    def work(engine: SimpleEngine, fen: str) -> None:
        # Another game for each position: nothing is remembered from the one before.
        move = engine.play(chess.Board(fen), Limit(nodes=nodes), game=object()).move
        records.add(fen, str(move))

    ask(program, [fen for fen in positions if fen not in records.known], threads, work)
    return {fen: str(records.known[fen]) for fen in positions}


def judge(program: Program, tasks: set[tuple[str, str]], nodes: int, state: Path, threads: int) -> dict[str, str | int]:
    """The centipawns for the side to move after each move, by a search of that move alone."""
    records = Records(state / f"judge-{nodes}.scores")

    def work(engine: SimpleEngine, task: str) -> None:
        fen, move = task.split(";")
        board = chess.Board(fen)
        info = engine.analyse(board, Limit(nodes=nodes), game=object(), root_moves=[chess.Move.from_uci(move)])
        score: PovScore = info["score"]
        records.add(task, score.relative.score(mate_score=3000))

    tasks_left = [task for task in sorted(map(";".join, tasks)) if task not in records.known]
    ask(program, tasks_left, threads, work)
    return records.known


def expected_points(centipawns: int) -> float:
    return 1 / (1 + math.exp(-centipawns / SCALE))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", type=Program.parse, metavar="NAME=PROGRAM[,Option=Value...]")
    parser.add_argument("--positions", type=Path, required=True)
    parser.add_argument("--nodes", type=int, required=True)
    parser.add_argument("--judge", default="stockfish")
    parser.add_argument("--judge-nodes", type=int, default=60_000)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--contested", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()

    positions = positions_in(arguments.positions)
    programs: list[Program] = arguments.programs
    judge_program = Program("judge", arguments.judge, {})
    for program in (*programs, judge_program):
        if shutil.which(program.command) is None:
            parser.error(f"{program.command}: no such program")
    if len(programs) < 2 or len(positions) < 2:
        parser.error("takes two programs or more, and two positions or more")

    state, threads = arguments.state, arguments.threads
    state.mkdir(parents=True, exist_ok=True)
    chosen = [choose(program, positions, arguments.nodes, state, threads) for program in programs]
    contested = [fen for fen in positions if len({moves[fen] for moves in chosen}) > 1]
    if arguments.contested:
        arguments.contested.write_text("".join(f"{fen}\n" for fen in contested))

    tasks = {(fen, moves[fen]) for fen in contested for moves in chosen}
    scores = judge(judge_program, tasks, arguments.judge_nodes, state, threads)

    def points(fen: str, move: str) -> float:
        return 1000 * expected_points(int(scores[f"{fen};{move}"]))

    base, *others = zip(programs, chosen)
    print(f"{len(positions)} positions, {arguments.nodes} nodes; points per thousand moves more than {base[0].name}")
    for program, moves in others:
        differing = [fen for fen in contested if moves[fen] != base[1][fen]]
        gains = [points(fen, moves[fen]) - points(fen, base[1][fen]) for fen in differing]
        gains += [0.0] * (len(positions) - len(differing))
        error = statistics.stdev(gains) / math.sqrt(len(gains))
        share = 100 * len(differing) / len(positions)
        print(f"{program.name:20} {statistics.mean(gains):+7.2f} +/- {error:.2f}  {share:.1f} % of the moves differ")


if __name__ == "__main__":
    main()
