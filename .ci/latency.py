"""Measures how long the engine takes from `stop` to `bestmove`, and by how much it exceeds a limit of time at worst.

Positions of games are searched with `go infinite`, and stopped after a random while. Then they are searched with
`movetime` and with a short clock. The times are those at which the lines arrive here, so they hold the delays of the
pipes and of this program, too. With `--load 4` four processes that compute all the time compete for the processor.

    python3 .ci/latency.py --engine target/release/squarewise [--stops 500] [--threads 1] [--load 0] [--max-p99 20]

With `--max-p99` it fails if the 99th percentile of the times from `stop` to `bestmove` is above that, in milliseconds.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

# From the opening to an endgame, quiet and sharp; the last has a mate that ends the search early.
POSITIONS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r5k1/1pq2p1p/p1p1rnp1/2b1pN2/P3P3/5Q2/1PP2PPP/R1B2RK1 w - - 0 16",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
]
CLOCK = 300  # milliseconds on the clock of the searches with a clock


class Engine:
    """The engine as a child process, spoken to line by line."""

    def __init__(self, command: str, threads: int) -> None:
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.send("uci")
        self.until("uciok")
        self.send(f"setoption name Threads value {threads}")

    def send(self, line: str) -> None:
        self.process.stdin.write(line + "\n")

    def until(self, word: str) -> None:
        """Reads up to the line that begins with the word."""
        for line in self.process.stdout:
            if line.startswith(word):
                return
        sys.exit(f"the engine has ended before its {word}")

    def set_up(self, fen: str) -> None:
        self.send(f"position fen {fen}")
        self.send("isready")
        self.until("readyok")

    def milliseconds_for(self, command: str) -> float:
        """The time from a command to the `bestmove`."""
        begin = time.perf_counter()
        self.send(command)
        self.until("bestmove")
        return 1000 * (time.perf_counter() - begin)


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keeps the processor busy."""
    workers = [multiprocessing.Process(target=compute, daemon=True) for _ in range(processes)]
    for worker in workers:
        worker.start()
    yield
    for worker in workers:
        worker.terminate()


def compute() -> None:
    while True:
        pass


def times_to_stop(engine: Engine, stops: int, chance: random.Random) -> list[float]:
    times = []
    for number in range(stops):
        engine.set_up(POSITIONS[number % len(POSITIONS)])
        engine.send("go infinite")
        time.sleep(chance.uniform(0.001, 0.2))
        times.append(engine.milliseconds_for("stop"))
    return sorted(times)


def worst_excess(engine: Engine, searches: int, command: str, limit: float) -> float:
    """By how much the longest of these searches exceeds the limit, in milliseconds; negative if none does."""
    excesses = []
    for number in range(searches):
        engine.set_up(POSITIONS[number % len(POSITIONS)])
        excesses.append(engine.milliseconds_for(command) - limit)
    return max(excesses)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--stops", type=int, default=500)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--load", type=int, default=0, help="processes that compute at the same time")
    parser.add_argument("--max-p99", type=float, help="milliseconds")
    arguments = parser.parse_args()
    with busy(arguments.load):
        engine = Engine(arguments.engine, arguments.threads)
        times = times_to_stop(engine, arguments.stops, random.Random(1))
        few = max(1, arguments.stops // 5)
        by_move = max(worst_excess(engine, few, f"go movetime {limit}", limit) for limit in (5, 20, 100))
        by_clock = worst_excess(engine, few, f"go wtime {CLOCK} btime {CLOCK}", CLOCK)
        engine.send("quit")
    p50, p99 = (times[min(len(times) - 1, len(times) * percent // 100)] for percent in (50, 99))
    print("| threads | load | stops | p50 | p99 | max | worst beyond `movetime` | worst beyond the clock |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    figures = (p50, p99, times[-1], by_move, by_clock)
    shown = " | ".join(f"{figure:.1f} ms" for figure in figures)
    print(f"| {arguments.threads} | {arguments.load} | {len(times)} | {shown} |")
    return int(arguments.max_p99 is not None and p99 > arguments.max_p99)


if __name__ == "__main__":
    sys.exit(main())
