"""Checks the engine's output by the rules of chess: its lines, its best moves and its ponder moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import chess


def ending(board: chess.Board) -> str | None:
    """Why the game is over here, counting the draws a player can claim; `board` must have all moves of the game."""
    if board.is_checkmate():
        return "checkmate"
    if board.is_stalemate():
        return "stalemate"
    if board.is_repetition(3):
        return "threefold repetition"
    return "fifty-move rule" if board.is_fifty_moves() else None


def push_text(board: chess.Board, text: str) -> str | None:
    """Plays a move given as UCI text; returns what is wrong with it, if anything.

    python-chess also accepts the other spelling of castling. Other programs do not, so the text must be the one
    that this game requires: e1g1 in standard chess, king takes rook in Chess960.
    """
    try:
        move = board.parse_uci(text)
    except ValueError:
        return f"illegal move {text}"
    if not move:
        return f"null move {text}"
    expected = board.uci(move)
    board.push(move)
    return None if text == expected else f"move {text} that should be spelled {expected}"


@dataclass
class Line:
    """The parts of an info line that the rules of chess can check."""

    moves: list[str]
    mate: int | None
    exact: bool

    @classmethod
    def parse(cls, text: str) -> Line | None:
        """None for an info without moves: currmove, string and the like."""
        tokens = text.split()
        if "string" in tokens or "pv" not in tokens:
            return None
        head, moves = tokens[: tokens.index("pv")], tokens[tokens.index("pv") + 1 :]
        mate = int(head[head.index("mate") + 1]) if "mate" in head else None
        return cls(moves, mate, "lowerbound" not in head and "upperbound" not in head)

    def faults(self, game: chess.Board, allow_short_mates: bool) -> Iterator[str]:
        """Replays the line after the moves of the game, whose history decides what is a third repetition."""
        board = game.copy()
        for text in self.moves:
            if end := ending(board):
                yield f"line goes on with {text} after {end}"
                return
            if wrong := push_text(board, text):
                yield f"line contains {wrong}"
                return
        if self.mate is None or not self.exact:
            return
        plies = 2 * self.mate - 1 if self.mate > 0 else -2 * self.mate
        if len(self.moves) == plies and not board.is_checkmate():
            yield f"line of mate {self.mate} does not end in checkmate"
        elif len(self.moves) > plies or (len(self.moves) < plies and not allow_short_mates):
            yield f"mate {self.mate} takes {plies} plies, its line has {len(self.moves)}"


def answer_faults(game: chess.Board, answer: str, last: Line | None) -> Iterator[str]:
    """Checks the bestmove line: its form, the ponder move, and that the info line before it (`last`) announced it."""
    match answer.split():
        case ["bestmove", best]:
            ponder = None
        case ["bestmove", best, "ponder", ponder]:
            pass
        case _:
            yield "malformed answer"
            return
    board = game.copy()
    if wrong := push_text(board, best):
        yield f"best move: {wrong}"
    elif ponder is not None and (wrong := push_text(board, ponder)):
        yield f"ponder move: {wrong}"
    if last is None or not last.exact or last.moves[:1] != [best]:
        yield "the line before the answer is no exact info that begins with the best move"
