#!/usr/bin/env python3
"""Fits piece values to games of `squarewise-lab selfplay`, as the study of the variants does (arXiv:2009.04374).

python3 .ci/piece_values.py FILE... tells for each file how many games White has won, drawn and lost, and the values of
pieces in pawns: those whose weighted material difference, through tanh, comes closest to the results by mean square
error. All but the first position of a game say the same result, so errors are found by leaving out a twentieth of the
games at a time (jackknife): half of a 95 % interval.
"""
import argparse
import math
import struct
from collections import Counter
from pathlib import Path

BLOCKS = 20
ROLES = "PNBRQ"
# Number of the role in a position: 0 is a pawn that can be captured en passant, 7 a rook that can castle.
NUMBERS = {0: 0, 1: 0, 2: 1, 3: 2, 4: 3, 5: 4, 7: 3}


def games(content):
    """The results of the games of a file, each with the material differences of its positions."""
    assert content[:8] == b"SQWTGAME", "this is not a file of games"
    assert content[8:10] == b"\x03\x00", "this is a file of another version"
    at = 14 + int.from_bytes(content[10:14], "little") + 8
    while at < len(content):
        count = int.from_bytes(content[at + 4 : at + 6], "little")
        positions = [content[at + 6 + 28 * n : at + 34 + 28 * n] for n in range(count)]
        at += 6 + 28 * count + 8
        if positions:
            yield positions[0][26] - 1, [difference(position) for position in positions]


def difference(position):
    """How many more pawns, knights, bishops, rooks and queens White has."""
    men = bin(struct.unpack("<Q", position[:8])[0]).count("1")
    found = [0] * 5
    for place in range(men):
        number = position[8 + place // 2] >> (place % 2 * 4) & 15
        if number & 7 in NUMBERS:
            found[NUMBERS[number & 7]] += -1 if number & 8 else 1
    return tuple(found)


def solved(matrix, right):
    """The solution of a system of linear equations, by Gauss and Jordan."""
    rows = [row + [value] for row, value in zip(matrix, right)]
    for column in range(len(rows)):
        pivot = max(range(column, len(rows)), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(len(rows)):
            if row != column:
                factor = rows[row][column] / rows[column][column]
                rows[row] = [one - factor * other for one, other in zip(rows[row], rows[column])]
    return [row[-1] / row[column] for column, row in enumerate(rows)]


def fitted(results):
    """The weights with the least square error, by Gauss and Newton. `results` counts pairs of difference and result."""
    weights = [0.1, 0.3, 0.3, 0.5, 0.9]
    for _ in range(30):
        matrix = [[1e-9 * (row == column) for column in range(5)] for row in range(5)]
        right = [0.0] * 5
        for (men, result), count in results.items():
            expected = math.tanh(sum(weight * one for weight, one in zip(weights, men)))
            slope = 1 - expected**2
            for row in range(5):
                right[row] += count * slope * men[row] * (result - expected)
                for column in range(5):
                    matrix[row][column] += count * slope**2 * men[row] * men[column]
        steps = solved(matrix, right)
        weights = [weight + step for weight, step in zip(weights, steps)]
        if max(map(abs, steps)) < 1e-7:
            break
    return [weight / weights[0] for weight in weights]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    for path in parser.parse_args().files:
        blocks = [Counter() for _ in range(BLOCKS)]
        ends = Counter()
        for number, (result, differences) in enumerate(games(path.read_bytes())):
            ends[result] += 1
            blocks[number % BLOCKS].update((men, result) for men in differences)
        whole = sum(blocks, Counter())
        values = fitted(whole)
        parts = [fitted(whole - block) for block in blocks]
        print(f"{path}: White won {ends[1]}, drew {ends[0]}, lost {ends[-1]}")
        for role, value, *others in zip(ROLES, values, *parts):
            spread = sum((other - value) ** 2 for other in others)
            print(f"  {role} {value:.2f} +/- {1.96 * math.sqrt((BLOCKS - 1) / BLOCKS * spread):.2f}")


main()
