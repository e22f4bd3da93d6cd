"""Plays endgames that the tablebases know, and checks that the engine gets out of each what the tables promise.

Each position of the suite is an EPD with the tables' result in the operation `wdl`, for the side to move. The engine has
the tables, the opponent has not. In a won position the engine has the winning side and must mate under the fifty-move
rule; in a drawn one it has each side in turn and must not lose. Besides, the score that it shows must be the result.

    .venv/bin/python .ci/endgames.py --engine target/release/squarewise --tables DIRECTORY --suite tests/data/endgames.epd
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import chess
import chess.engine
import chess.syzygy

from referee import ending

WON_SCORE = 19_000  # centipawns: tablebase wins are 20000 less the plies


def shown_score(engine: chess.engine.SimpleEngine, board: chess.Board) -> int:
    """The result that the engine's score says: 2 won, 0 drawn, -2 lost."""
    info = engine.analyse(board, chess.engine.Limit(depth=1), game=object())
    score = info["score"].pov(board.turn).score(mate_score=32_000)
    return 2 if score > WON_SCORE else -2 if score < -WON_SCORE else 0


def play(board: chess.Board, players: dict[chess.Color, chess.engine.SimpleEngine], nodes: int) -> chess.Color | None:
    """Plays to the end; returns the winner, if there is one."""
    game = object()
    board = board.copy()
    while not (ending(board) or board.is_insufficient_material()):
        limit = chess.engine.Limit(nodes=nodes)
        board.push(players[board.turn].play(board, limit, game=game).move)
    return (not board.turn) if board.is_checkmate() else None


def latest_won(board: chess.Board, tables: chess.syzygy.Tablebase) -> chess.Board:
    """The same position with as much on the fifty-move clock as a certain win allows."""
    late = board.copy()
    late.halfmove_clock = max(0, 99 - abs(tables.probe_dtz(board)))
    return late


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--opponent", default="stockfish")
    parser.add_argument("--tables", required=True)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--nodes", type=int, default=5_000, help="nodes for each move of both (default 5000)")
    arguments = parser.parse_args()
    tables = chess.syzygy.open_tablebase(arguments.tables)
    counts: Counter[str] = Counter()
    faults = 0
    with (
        chess.engine.SimpleEngine.popen_uci(arguments.engine) as engine,
        chess.engine.SimpleEngine.popen_uci(arguments.opponent) as opponent,
    ):
        engine.configure({"SyzygyPath": arguments.tables})
        for line in arguments.suite.read_text().splitlines():
            board = chess.Board()
            operations = board.set_epd(line)
            try:
                tables.probe_dtz(board)
            except (KeyError, chess.syzygy.MissingTableError):
                counts["not in the tables"] += 1
                continue
            wdl = operations["wdl"]
            if (shown := shown_score(engine, board)) != wdl:
                faults += 1
                print(f"shown as {shown}, is {wdl}: {board.fen()}")
            if wdl == 0:
                games = [(board, side, None) for side in chess.COLORS]
            else:
                winner = board.turn if wdl > 0 else not board.turn
                games = [(start, winner, winner) for start in (board, latest_won(board, tables))]
            for start, side, expected in games:
                winner = play(start, {side: engine, not side: opponent}, arguments.nodes)
                # In a drawn position the opponent may lose.
                if winner == expected or (expected is None and winner == side):
                    counts["as the tables promise"] += 1
                    continue
                faults += 1
                print(f"fault: winner {winner}, expected {expected}, engine plays {side}: {start.fen()}")
    print(", ".join(f"{count} {what}" for what, count in counts.items()), f"{faults} faults", sep=", ")
    # A folder without the tables of the suite would check nothing.
    return 1 if faults or not counts["as the tables promise"] else 0


if __name__ == "__main__":
    sys.exit(main())
