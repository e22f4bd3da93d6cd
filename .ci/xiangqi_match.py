#!/usr/bin/env python3
"""Plays a match of xiangqi between two programs, with pyffish as the arbiter of rules and results.

python3 .ci/xiangqi_match.py --first "PROGRAM" --second "PROGRAM" [--first-go "nodes 20000"] [--second-go "nodes 2000"]
    [--games N] [--seed N] [--second-ucci | --second-xboard]

Each opening of four random moves is played twice, the first program having Red and then Black. A program that plays an
illegal move, answers nothing for a minute, or ends, breaks the match off with exit code 1. Needs the Python package pyffish.

To a program that speaks XBoard's protocol, what stands after `--second-go` is sent before each `go`: "time 400" sets its
clock to four seconds, of forty moves.
"""
import argparse
import random
import re
import shlex
import subprocess
import threading
import time

import pyffish

from points import share_with_error

VARIANT = "xiangqi"
OPENING_PLIES = 4
PATIENCE = 60  # seconds after which a program that says nothing is ended
LONGEST_GAME = 400  # plies; a longer game is drawn


def shifted(move, by):
    """The same move with ranks that begin elsewhere."""
    return re.sub(r"\d+", lambda rank: str(int(rank[0]) + by), move)


class Program:
    """A program that speaks UCI, or UCCI, whose ranks count from 0."""

    seconds, answers = 0.0, 0  # that it took for its moves so far

    def __init__(self, command, go, is_ucci=False):
        self.go, self.is_ucci = go, is_ucci
        self.start(command)
        if is_ucci:
            self.ask("ucci", "ucciok")
        else:
            self.ask("uci", "uciok")
            self.send(f"setoption name UCI_Variant value {VARIANT}")
            self.ask("isready", "readyok")

    def start(self, command):
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, answer):
        self.send(line)
        alarm = threading.Timer(PATIENCE, self.process.kill)
        alarm.start()
        try:
            for heard in iter(self.process.stdout.readline, ""):
                if heard.split()[:1] == [answer]:
                    return heard.split()
                if heard.startswith("nobestmove"):
                    raise EOFError("the program has no move")
        finally:
            alarm.cancel()
        raise EOFError("the program has ended")

    def new_game(self):
        if not self.is_ucci:
            self.send("ucinewgame")
            self.ask("isready", "readyok")

    def move(self, start, moves):
        if self.is_ucci:
            written = [shifted(move, -1) for move in moves]
            self.send(f"position fen {start} moves {' '.join(written)}")
            return shifted(self.ask(f"go {self.go}", "bestmove")[1], 1)
        self.send(f"position fen {start} moves {' '.join(moves)}")
        return self.ask(f"go {self.go}", "bestmove")[1]


class XBoardProgram(Program):
    """A program that speaks XBoard's protocol: it is told each move, and plays from the usual start only."""

    def __init__(self, command, go):
        self.go, self.played = go, []
        self.start(command)
        self.send("xboard")
        self.send("protover 2")

    def new_game(self):
        for line in ("new", f"variant {VARIANT}", "level 40 0:04 0", "force"):
            self.send(line)
        self.played = []

    def move(self, start, moves):
        # In force mode it takes moves of both sides and answers none.
        for line in ["force"] + [shifted(move, -1) for move in moves[len(self.played) :]]:
            self.send(line)
        self.send(self.go)
        move = shifted(self.ask("go", "move")[1], 1)
        self.played = [*moves, move]
        return move


def ended(start, moves):
    """The result for the side to move, 1, 0 or -1, if the game is over; else None."""
    if not pyffish.legal_moves(VARIANT, start, moves):
        return sign(pyffish.game_result(VARIANT, start, moves))
    for end in (pyffish.is_immediate_game_end, pyffish.is_optional_game_end):
        over, result = end(VARIANT, start, moves)
        if over:
            return sign(result)
    return 0 if len(moves) >= LONGEST_GAME else None


def sign(number):
    return (number > 0) - (number < 0)


def opening(chance, start):
    moves = []
    while len(moves) < OPENING_PLIES:
        moves.append(chance.choice(pyffish.legal_moves(VARIANT, start, moves)))
    return moves if ended(start, moves) is None else opening(chance, start)


def play(start, moves, red, black):
    """The result for Red."""
    moves = list(moves)
    red.new_game()
    black.new_game()
    while (result := ended(start, moves)) is None:
        mover = (red, black)[len(moves) % 2]
        begin = time.monotonic()
        move = mover.move(start, moves)
        mover.seconds += time.monotonic() - begin
        mover.answers += 1
        if move not in pyffish.legal_moves(VARIANT, start, moves):
            raise ValueError(f"{move} is illegal after {' '.join(moves)}")
        moves.append(move)
    return result if len(moves) % 2 == 0 else -result


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--first", required=True)
parser.add_argument("--second", required=True)
parser.add_argument("--first-go", default="nodes 20000")
parser.add_argument("--second-go", default="nodes 20000")
protocol = parser.add_mutually_exclusive_group()
protocol.add_argument("--second-ucci", action="store_true")
protocol.add_argument("--second-xboard", action="store_true")
parser.add_argument("--games", type=int, default=100)
parser.add_argument("--seed", type=int, default=1)
arguments = parser.parse_args()

first = Program(arguments.first, arguments.first_go)
if arguments.second_xboard:
    second = XBoardProgram(arguments.second, arguments.second_go)
else:
    second = Program(arguments.second, arguments.second_go, arguments.second_ucci)
chance = random.Random(arguments.seed)
start = pyffish.start_fen(VARIANT)
results = []
for game in range(arguments.games):
    if game % 2 == 0:
        moves = opening(chance, start)
        results.append(play(start, moves, first, second))
    else:
        results.append(-play(start, moves, second, first))
won, drawn, lost = (results.count(result) for result in (1, 0, -1))
games = len(results)
share, error = share_with_error([(result + 1) / 2 for result in results])
print(f"{games} games: {won} won, {drawn} drawn, {lost} lost, {100 * share:.1f} +/- {100 * error:.1f} %")
taken = (f"{1000 * program.seconds / program.answers:.0f}" for program in (first, second))
print("milliseconds a move: " + ", ".join(taken))
