#!/usr/bin/env python3
"""Plays random games of xiangqi and compares the legal moves of each position with pyffish's.

python3 .ci/xiangqi_rules.py PROGRAM [--games N] [--seed N]. Needs the Python package pyffish.
"""
import argparse
import random
import subprocess

import pyffish

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program")
parser.add_argument("--games", type=int, default=1000)
parser.add_argument("--seed", type=int, default=1)
arguments = parser.parse_args()

engine = subprocess.Popen([arguments.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
start = pyffish.start_fen("xiangqi")
chance = random.Random(arguments.seed)
positions = 0
for game in range(arguments.games):
    moves = []
    for _ in range(200):
        expected = sorted(pyffish.legal_moves("xiangqi", start, moves))
        line = " moves " + " ".join(moves) if moves else ""
        engine.stdin.write(f"position startpos{line}\ngo perft 1\n")
        engine.stdin.flush()
        found = []
        for answer in iter(engine.stdout.readline, ""):
            if answer.startswith("Nodes searched"):
                break
            if ": " in answer:
                found.append(answer.split(":")[0])
        assert sorted(found) == expected, f"game {game}: {' '.join(moves)}: {set(found) ^ set(expected)}"
        positions += 1
        if not expected:
            break
        moves.append(chance.choice(expected))
engine.stdin.write("quit\n")
engine.stdin.close()
print(f"{arguments.games} games, {positions} positions: all legal moves equal")
