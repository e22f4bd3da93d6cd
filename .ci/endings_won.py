"""Plays won endings of three and four men without tablebases, and checks that the engine mates in all of them.

Random legal positions are drawn that the tablebases call won for the stronger side. The engine plays that side against
another program, both without tablebases, and must mate before a repetition, a stalemate or the fifty-move rule.

    .venv/bin/python .ci/endings_won.py --engine target/release/squarewise --tables DIRECTORY
    .venv/bin/python .ci/endings_won.py --engine target/release/squarewise --tables DIRECTORY --movetime 100
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import chess
import chess.engine
import chess.syzygy

from referee import ending

ENDINGS = "KRvK KBBvK KBNvK KQvKR KQvKB KQvKN KQvKP KRvKP KPvK KBPvK KNPvK KRPvK"


def random_position(material: str, generator: random.Random) -> chess.Board:
    """A legal position with this material, the first side's men White's, and either side to move."""
    while True:
        board = chess.Board(None)
        for color, men in zip((chess.WHITE, chess.BLACK), material.split("v"), strict=True):
            for man in men:
                empty = chess.SquareSet(~board.occupied)
                board.set_piece_at(generator.choice(list(empty)), chess.Piece(chess.Piece.from_symbol(man).piece_type, color))
        board.turn = generator.choice(chess.COLORS)
        if board.is_valid():
            return board


def won_positions(material: str, count: int, seed: int, tables: chess.syzygy.Tablebase) -> list[chess.Board]:
    """Random positions that White wins under the fifty-move rule; the same for the same seed."""
    generator = random.Random(f"{material} {seed}")
    won: list[chess.Board] = []
    while len(won) < count:
        board = random_position(material, generator)
        if tables.probe_wdl(board) == (2 if board.turn == chess.WHITE else -2):
            won.append(board)
    return won


def play(start: chess.Board, arguments: argparse.Namespace) -> tuple[str, chess.Board]:
    """Plays a position to its end; returns how it ended, and the game."""
    board = start.copy()
    limit = chess.engine.Limit(nodes=arguments.nodes)
    if arguments.movetime:
        limit = chess.engine.Limit(time=arguments.movetime / 1000)
    with (
        chess.engine.SimpleEngine.popen_uci(arguments.engine) as engine,
        chess.engine.SimpleEngine.popen_uci(arguments.opponent) as opponent,
    ):
        players = {chess.WHITE: engine, chess.BLACK: opponent}
        for name, value in (option.split("=", 1) for option in arguments.option):
            engine.configure({name: value})
        while not (end := ending(board) or ("too few men" if board.is_insufficient_material() else None)):
            board.push(players[board.turn].play(board, limit).move)
    if end == "checkmate" and board.turn == chess.WHITE:
        end = "mated"
    return end, board


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--opponent", default="stockfish")
    parser.add_argument("--tables", required=True, help="Syzygy tables, which choose the positions and aren't played with")
    parser.add_argument("--endings", nargs="+", default=ENDINGS.split(), help=f"(default {ENDINGS})")
    parser.add_argument("--positions", type=int, default=20, help="positions of each ending (default 20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=60_000, help="nodes for each move of both (default 60000)")
    parser.add_argument("--movetime", type=int, help="milliseconds for each move of both, instead of nodes")
    parser.add_argument("--option", nargs="+", default=[], metavar="NAME=VALUE", help="options of the engine")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time (default 1)")
    arguments = parser.parse_args()
    faults = 0
    with chess.syzygy.open_tablebase(arguments.tables) as tables, ThreadPoolExecutor(arguments.jobs) as pool:
        for material in arguments.endings:
            starts = won_positions(material, arguments.positions, arguments.seed, tables)
            games = list(pool.map(lambda start: play(start, arguments), starts))
            ends = Counter(end for end, _ in games)
            won = [len(board.move_stack) for end, board in games if end == "checkmate"]
            mean = f", {sum(won) / len(won):.1f} plies on average" if won else ""
            others = "".join(f", {count} {end}" for end, count in sorted(ends.items()) if end != "checkmate")
            print(f"{material}: {len(won)} of {len(games)} won{mean}{others}", flush=True)
            faults += len(games) - len(won)
            for end, board in games:
                if end != "checkmate":
                    print(f"  {end}: {board.root().fen()}")
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
