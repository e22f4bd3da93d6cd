"""fastchess and cutechess-cli as arbiters of a match: how they are called, and what they say about one of the players.

Both write the games as PGN, with the reason of each end in the tag Termination; whatever else they find wrong they print
as a line that begins with "Warning". Both go on after a fault.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

OURS = "Squarewise"  # and, when it plays itself, also its twin
TWIN = OURS + " twin"

# The words for a game that its loser has not lost on the board. fastchess writes them all; cutechess-cli has a word of
# its own for an engine that does not answer.
TERMINATIONS = {
    "time forfeit": "time losses",
    "illegal move": "illegal moves",
    "abandoned": "crashes",
    "stalled connection": "crashes",
}
FAULTS = ["time losses", "crashes", "illegal moves", "warnings"]


@dataclass(frozen=True)
class Conditions:
    """How the games of a row are played."""

    tc: str  # moves/seconds+increment
    options: dict[str, int] = field(default_factory=dict)  # of our engine
    at_once: int = 1  # games at the same time
    chess960: bool = False
    ponder: bool = False


@dataclass
class Pairing:
    """Two engines and the openings that they play from."""

    engine: Path
    opponent: Path  # may be the engine itself
    book: Path
    seed: int
    games: int

    @property
    def opponent_name(self) -> str:
        return TWIN if self.opponent == self.engine else self.opponent.name


def fastchess_command(arbiter: Path, pairing: Pairing, conditions: Conditions, pgn: Path) -> list[str]:
    """The match under fastchess, which checks every line of play."""
    options = [f"option.{name}={value}" for name, value in conditions.options.items()]
    opponent_options = options if pairing.opponent == pairing.engine else []
    variant = "fischerandom" if conditions.chess960 else "standard"
    return [
        str(arbiter),
        *("-engine", f"cmd={pairing.engine}", f"name={OURS}", *options),
        *("-engine", f"cmd={pairing.opponent}", f"name={pairing.opponent_name}", *opponent_options),
        *("-each", f"tc={conditions.tc}", "option.Hash=16", "-variant", variant),
        *("-openings", f"file={pairing.book}", "format=epd", "order=random", "-srand", str(pairing.seed)),
        *("-rounds", str((pairing.games + 1) // 2), "-repeat"),
        *("-concurrency", str(conditions.at_once), "-force-concurrency"),
        *("-check-mate-pvs", "-recover", "-ratinginterval", "0", "-autosaveinterval", "0"),
        *("-pgnout", f"file={pgn}", "timeleft=true", "append=false"),
    ]


def cutechess_command(arbiter: Path, pairing: Pairing, conditions: Conditions, pgn: Path) -> list[str]:
    """The match under cutechess-cli, for what fastchess can't do: pondering."""
    options = [f"option.{name}={value}" for name, value in conditions.options.items()]
    opponent_options = options if pairing.opponent == pairing.engine else []
    ponder = ["ponder"] if conditions.ponder else []
    variant = "fischerandom" if conditions.chess960 else "standard"
    return [
        str(arbiter),
        *("-engine", f"cmd={pairing.engine}", f"name={OURS}", *options),
        *("-engine", f"cmd={pairing.opponent}", f"name={pairing.opponent_name}", *opponent_options),
        *("-each", "proto=uci", f"tc={conditions.tc}", "option.Hash=16", *ponder, "-variant", variant),
        *("-openings", f"file={pairing.book}", "format=epd", "order=random", "-srand", str(pairing.seed)),
        *("-rounds", str((pairing.games + 1) // 2), "-games", "2", "-repeat"),
        *("-concurrency", str(conditions.at_once), "-recover", "-ratinginterval", "0"),
        *("-pgnout", str(pgn)),
    ]


@dataclass
class Verdict:
    """What is counted in a match, for our side alone."""

    games: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    least_time_left: float | None = None  # seconds; only fastchess tells it


def is_ours(name: str) -> bool:
    return name in (OURS, TWIN)


def judge(pgn: str, said: str) -> Verdict:
    """Counts the games of a match and our faults in it, from its PGN and from what the arbiter printed.

    A warning about both sides, such as mate scores that can't both be right, counts as ours: somebody has to look.
    """
    verdict = Verdict()
    for game in re.split(r"(?m)^(?=\[Event )", pgn):
        tags = dict(re.findall(r'(?m)^\[(\w+) "([^"]*)"\]', game))
        result, termination = tags.get("Result", "*"), tags.get("Termination", "normal")
        if result == "*" and termination not in TERMINATIONS:
            continue  # not played to its end
        verdict.games += 1
        loser = {"1-0": "Black", "0-1": "White"}.get(result)
        if termination in TERMINATIONS and (loser is None or is_ours(tags[loser])):
            verdict.faults[TERMINATIONS[termination]] += 1
        verdict.least_time_left = least(verdict.least_time_left, least_time_left(tags, game))
    warnings = [line for line in said.splitlines() if re.match(r"Warning[;:]", line) and OURS in line]
    verdict.faults["warnings"] += len(warnings)
    return verdict


def least(*times: float | None) -> float | None:
    """The least of those that are known."""
    return min((time for time in times if time is not None), default=None)


def least_time_left(tags: dict[str, str], game: str) -> float | None:
    """The least time, in seconds, that was left on the clock of one of ours after a move."""
    white_begins = tags.get("FEN", "x w").split()[1] == "w"
    players = [tags.get("White", ""), tags.get("Black", "")]
    if not white_begins:
        players.reverse()
    left = [float(seconds) for seconds in re.findall(r"\btl=(-?[\d.]+)s", game)]
    ours = [seconds for ply, seconds in enumerate(left) if is_ours(players[ply % 2])]
    return min(ours, default=None)
