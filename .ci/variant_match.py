#!/usr/bin/env python3
"""Plays a match of a variant of chess against another UCI engine, game by game with `squarewise play` as the arbiter.

python3 .ci/variant_match.py PROGRAM --opponent "COMMAND" --variant NAME [--option NAME=VALUE ...] [--time 0.0333+0.02]
    [--games N] [--at-once N] [--seed N] [--pgn FILE]

Each opening of four random moves is played twice, with colors exchanged, at equal time: minutes, and seconds added for each
move. Both engines have one thread and a hash of 16 MiB. Prints the result with half of its 95 % interval, how games ended
otherwise than on the board, and the numbers of won, drawn and lost games with each color. Ends with exit code 1 if PROGRAM
lost a game on time, by an illegal move, or because it stopped answering. With --opponent self it plays itself.
"""
import argparse
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from points import share_with_error

OPENING_PLIES = 4

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program")
parser.add_argument("--opponent", required=True)
parser.add_argument("--variant", required=True)
parser.add_argument("--option", action="append", default=[], help="UCI option of the opponent")
parser.add_argument("--time", default="0.0333+0.02")
parser.add_argument("--games", type=int, default=100)
parser.add_argument("--at-once", type=int, default=2)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--pgn", type=Path, help="where the games are added")
arguments = parser.parse_args()


class Rules:
    """The program as the one that knows the rules: legal moves, and the FEN after some."""

    def __init__(self):
        self.process = subprocess.Popen([arguments.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send(f"setoption name UCI_Variant value {arguments.variant}")

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def lines_until(self, beginning):
        for line in iter(self.process.stdout.readline, ""):
            if line.startswith(beginning):
                return
            yield line.rstrip("\n")
        raise EOFError("the program has ended")

    def legal_moves(self, moves):
        self.send(f"position startpos moves {' '.join(moves)}" if moves else "position startpos", "go perft 1")
        listed = (re.fullmatch(r"(\w+): 1", line) for line in self.lines_until("Nodes searched"))
        return [found[1] for found in listed if found]

    def opening(self, chance):
        """The FEN after some random moves that don't end the game."""
        moves = []
        while legal := self.legal_moves(moves):
            if len(moves) == OPENING_PLIES:
                self.send("d")
                return next(line[5:] for line in list(self.lines_until("Key: ")) if line.startswith("Fen: "))
            moves.append(chance.choice(legal))
        return self.opening(chance)


def play(number, fen):
    """Plays a game. Returns the points of PROGRAM, its color, how the game ended, and its text."""
    ours, theirs = ("white", "black") if number % 2 == 0 else ("black", "white")
    with tempfile.TemporaryDirectory() as folder:
        pgn = Path(folder, "game.pgn")
        command = [arguments.program, "play", "--variant", arguments.variant, "--fen", fen, "--time", arguments.time]
        command += ["--hash", "16", "--threads", "1", "--color", "never", "--pgn", str(pgn), f"--{ours}", "engine"]
        if arguments.opponent == "self":
            command += [f"--{theirs}", "engine"]
        else:
            command += [f"--{theirs}", f"uci:{arguments.opponent}"]
            command += [word for option in arguments.option for word in (f"--option-{theirs}", option)]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        text = pgn.read_text(encoding="utf-8")
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.M))
    white = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}[tags["Result"]]
    return white if ours == "white" else 1 - white, ours, tags["Termination"], text


chance, rules = random.Random(arguments.seed), Rules()
openings = [rules.opening(chance) for _ in range((arguments.games + 1) // 2)]
numbers = range(arguments.games)
with ThreadPoolExecutor(arguments.at_once) as pool:
    games = list(pool.map(play, numbers, [openings[number // 2] for number in numbers]))
if arguments.pgn:
    with arguments.pgn.open("a", encoding="utf-8") as file:
        file.writelines(text + "\n" for *_, text in games)

points = [game[0] for game in games]
share, error = share_with_error(points)
counts = Counter(points)
print(
    f"{arguments.variant}: {counts[1.0]} won, {counts[0.5]} drawn, {counts[0.0]} lost, "
    f"{100 * share:.1f} +/- {100 * error:.1f} % of {len(points)} games"
)
for color in ("white", "black"):
    by_color = Counter(game[0] for game in games if game[1] == color)
    print(f"with {color}: {by_color[1.0]} won, {by_color[0.5]} drawn, {by_color[0.0]} lost")
outcomes = {1.0: "won", 0.5: "drawn", 0.0: "lost"}
odd = Counter((name, outcomes[point]) for point, _, name, _ in games if name != "normal")
for (name, outcome), count in odd.items():
    print(f"{count} {outcome} by {name}")
# Of a game against itself one side always loses.
is_ours = arguments.opponent == "self" or any(outcome != "won" for _, outcome in odd)
sys.exit(1 if odd and is_ours else 0)
