#!/usr/bin/env python3
"""Plays a match of gobang between two programs by Gomocup's protocol, and checks every move and its time.

python3 .ci/gomocup.py --first "PROGRAM" --second "PROGRAM" [--games N] [--seed N] [--turn MILLISECONDS] [--rule 0|1]
    [--second-info "KEY VALUE"]

Each opening of four random stones close to the middle is played twice, with the two programs in both roles. Rule 0 is freestyle,
where five or more in a row win, 1 is standard, where exactly five do. Exits with 1 if a move was illegal, came later than
the turn allows, or did not come.
"""
import argparse
import random
import shlex
import subprocess
import sys
import threading
import time

from points import share_with_error

SIZE = 15
GRACE = 0.05  # seconds for the way of an answer
PATIENCE = 60  # seconds after which a program that says nothing is ended
PAUSE = 0.01  # seconds that a program (Rapfi) needs after its answer to be ready for the next command
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Fault(Exception):
    """What a program did wrong."""


class Program:
    def __init__(self, command, turn, rule, info=None):
        self.command, self.turn = command, turn
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send("START 15")
        self.answer()
        self.send(f"INFO timeout_turn {turn}")
        self.send(f"INFO rule {rule}")
        if info:
            self.send(f"INFO {info}")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self):
        alarm = threading.Timer(PATIENCE, self.process.kill)
        alarm.start()
        try:
            for line in iter(self.process.stdout.readline, ""):
                if not line.startswith(("MESSAGE", "DEBUG")):
                    return line.strip()
        finally:
            alarm.cancel()
        raise Fault(f"{self.command} has ended")

    def new_game(self):
        self.send("RESTART")
        if (answer := self.answer()) != "OK":
            raise Fault(f"{self.command} answers RESTART with {answer}")

    def move(self, stones):
        """The point that the program chooses; `stones` are those on the board, in the order of play."""
        time.sleep(PAUSE)
        self.send("BOARD")
        for number, (x, y) in enumerate(stones):
            is_own = (len(stones) - number) % 2 == 0
            self.send(f"{x},{y},{1 if is_own else 2}")
        begin = time.monotonic()
        self.send("DONE")
        answer = self.answer()
        took = time.monotonic() - begin
        if took > self.turn / 1000 + GRACE:
            raise Fault(f"{self.command} took {took * 1000:.0f} ms")
        try:
            x, y = (int(number) for number in answer.split(","))
        except ValueError:
            raise Fault(f"{self.command} answers {answer}") from None
        if not (0 <= x < SIZE and 0 <= y < SIZE) or (x, y) in stones:
            raise Fault(f"{self.command} plays {x},{y} after {stones}")
        return x, y


def wins(stones, rule):
    """Whether the last stone makes a row that wins."""
    own = set(stones[-1::-2])
    for dx, dy in DIRECTIONS:
        row = 1
        for sign in (1, -1):
            x, y = stones[-1]
            while (x + sign * dx, y + sign * dy) in own:
                x, y, row = x + sign * dx, y + sign * dy, row + 1
        if row == 5 or (row > 5 and rule == 0):
            return True
    return False


def play(opening, players, rule):
    """The number of the player who wins, or None."""
    stones = list(opening)
    for player in players:
        player.new_game()
    while len(stones) < SIZE * SIZE:
        mover = len(stones) % 2
        stones.append(players[mover].move(stones))
        if wins(stones, rule):
            return mover
    return None


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--first", required=True)
parser.add_argument("--second", required=True)
parser.add_argument("--second-info", help='what the second program alone is told: "max_node 1000" limits Rapfi')
parser.add_argument("--games", type=int, default=200)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--turn", type=int, default=200)
parser.add_argument("--rule", type=int, choices=(0, 1), default=0)
arguments = parser.parse_args()

chance = random.Random(arguments.seed)
middle = [(x, y) for x in range(4, 11) for y in range(4, 11)]
scores, stones = [], None
try:
    programs = [
        Program(arguments.first, arguments.turn, arguments.rule),
        Program(arguments.second, arguments.turn, arguments.rule, arguments.second_info),
    ]
    for game in range(arguments.games):
        if game % 2 == 0:
            stones = chance.sample(middle, 4)
        winner = play(stones, programs if game % 2 == 0 else programs[::-1], arguments.rule)
        scores.append(0.5 if winner is None else float(winner == game % 2))
except Fault as fault:
    print(f"game {len(scores) + 1}: {fault}", file=sys.stderr)
    sys.exit(1)
share, error = share_with_error(scores)
won, drawn, lost = (scores.count(score) for score in (1.0, 0.5, 0.0))
print(f"{len(scores)} games: {won} won, {drawn} drawn, {lost} lost, {100 * share:.1f} +/- {100 * error:.1f} %, no fault")
