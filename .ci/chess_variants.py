#!/usr/bin/env python3
"""Plays random games of the variants of chess and compares the legal moves of each position with pyffish's.

python3 .ci/chess_variants.py PROGRAM [--games N] [--seed N] [--variants NAME ...]. Needs the Python package pyffish,
which knows all variants but selfcapture; for nocastle10 the castling moves of chess before move 11 are left out here.
"""
import argparse
import random
import subprocess

import pyffish

# What pyffish doesn't know by itself.
DEFINITIONS = """
[pawnone:chess]
doubleStep = false

[stalematewin:chess]
stalemateValue = loss

[semitorpedo:chess]
doubleStepRegionWhite = *2 *3
doubleStepRegionBlack = *7 *6
"""
VARIANTS = ["nocastle", "nocastle10", "pawnone", "stalematewin", "torpedo", "semitorpedo", "pawnback", "pawnsideways"]
CASTLING = {"e1g1", "e1c1", "e8g8", "e8c8"}
FORBIDDEN_PLIES = 20
MAX_PLIES = 200

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program")
parser.add_argument("--games", type=int, default=1000, help="games of each variant")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=VARIANTS)
arguments = parser.parse_args()
pyffish.load_variant_config(DEFINITIONS)
engine = subprocess.Popen([arguments.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def expected_moves(variant, moves):
    """The legal moves after these by pyffish."""
    rules = "chess" if variant == "nocastle10" else variant
    legal = pyffish.legal_moves(rules, pyffish.start_fen(rules), moves)
    if variant == "nocastle10" and len(moves) < FORBIDDEN_PLIES:
        position = pyffish.get_fen(rules, pyffish.start_fen(rules), moves)
        kings = {square for square, letter in (("e1", "K"), ("e8", "k")) if stands_on(position, square, letter)}
        legal = [m for m in legal if m not in CASTLING or m[:2] not in kings]
    return sorted(legal)


def stands_on(fen, square, letter):
    """Whether a piece stands on a square of a FEN."""
    row = fen.split()[0].split("/")[8 - int(square[1])]
    for digit in "12345678":
        row = row.replace(digit, " " * int(digit))
    return row[ord(square[0]) - ord("a")] == letter


def found_moves(moves):
    """The same by the program."""
    line = " moves " + " ".join(moves) if moves else ""
    engine.stdin.write(f"position startpos{line}\ngo perft 1\n")
    engine.stdin.flush()
    found = []
    for answer in iter(engine.stdout.readline, ""):
        if answer.startswith("Nodes searched"):
            break
        if ": " in answer and not answer.startswith("info"):
            found.append(answer.split(":")[0])
    return sorted(found)


for variant in arguments.variants:
    engine.stdin.write(f"setoption name UCI_Variant value {variant}\n")
    chance = random.Random(arguments.seed)
    positions = 0
    for game in range(arguments.games):
        moves = []
        while len(moves) < MAX_PLIES:
            expected, found = expected_moves(variant, moves), found_moves(moves)
            assert found == expected, f"{variant}, game {game}: {' '.join(moves)}: {set(found) ^ set(expected)}"
            positions += 1
            if not expected:
                break
            moves.append(chance.choice(expected))
    print(f"{variant}: {arguments.games} games, {positions} positions: all legal moves equal", flush=True)
engine.stdin.write("quit\n")
engine.stdin.close()
