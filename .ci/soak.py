"""Plays the engine for hours, under every condition that it meets at a board, and counts what it does wrong.

A person starts it; an interruption (Ctrl-C, a reboot) loses at most the games of one match, and the same command goes on
from there. It ends with 0 if all games were played without a fault of ours, with 1 if there was a fault, with 2 if it
was interrupted or a row left out. What was said in a match with a fault is kept beside the state file.

    python3 .ci/soak.py --engine target/release/squarewise --fastchess FASTCHESS --cutechess CUTECHESS-CLI \\
        --opponent stockfish --opponent ethereal-chess --book noob_3moves.epd --chess960-book FRC_openings.epd

fastchess doesn't ponder: the games with pondering are played under cutechess-cli, or not at all without one. The books
are EPD files. `--games 6 --state trial.json` plays so few games of every row, for a trial of the script.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from arbiters import FAULTS, Conditions, Pairing, Verdict, cutechess_command, fastchess_command, judge, least

MATCH_GAMES = 100  # an interruption loses no more than these
MAX_GROWTH = 2048  # KiB of resident memory, from the first sample after the warm-up to the last
WARM_UP = 0.1  # the share of a match in which memory may grow: tables are touched for the first time


@dataclass(frozen=True)
class Row:
    """A condition, and how many games are played under it."""

    name: str
    games: int
    conditions: Conditions
    against_itself: bool = False  # only, in one match, with the memory watched


# 20,000 games, two at once on two cores unless a row says otherwise. Most are short: they find more faults in an hour.
PROGRAMME = [
    Row("0.2+0.002", 9_500, Conditions("0.2+0.002", at_once=2)),
    Row("0.5+0.005", 2_000, Conditions("0.5+0.005", at_once=2)),
    Row("1+0.01", 1_000, Conditions("1+0.01", at_once=2)),
    Row("memory", 1_000, Conditions("0.2+0.002", at_once=2), against_itself=True),
    Row("Chess960", 2_000, Conditions("0.2+0.002", at_once=2, chess960=True)),
    Row("pondering", 1_000, Conditions("0.2+0.002", ponder=True)),
    Row("2 threads", 500, Conditions("0.2+0.002", {"Threads": 2})),
    Row("4 threads", 500, Conditions("0.2+0.002", {"Threads": 4})),
    Row("movestogo", 1_000, Conditions("20/0.5", at_once=2)),
    Row("MultiPV 3", 500, Conditions("0.2+0.002", {"MultiPV": 3}, at_once=2)),
    Row("four games at once", 1_000, Conditions("0.5+0.005", at_once=4)),
]


@dataclass
class Tally:
    """What has been counted in a row. Matches are counted by the name of the opponent."""

    matches: dict[str, int] = field(default_factory=dict)
    games: int = 0
    faults: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FAULTS, 0))
    least_time_left: float | None = None
    memory: list[int] = field(default_factory=list)  # KiB: after the warm-up, at the end, at most

    def add(self, verdict: Verdict) -> None:
        self.games += verdict.games
        for fault, count in verdict.faults.items():
            self.faults[fault] += count
        self.least_time_left = least(self.least_time_left, verdict.least_time_left)

    def is_faultless(self) -> bool:
        # In fewer games the transposition table is still filling.
        grows = self.memory and self.games >= MATCH_GAMES and self.memory[1] - self.memory[0] > MAX_GROWTH
        return not any(self.faults.values()) and not grows


class State:
    """What was counted until now, in a file. It belongs to one program and one number of games, and is refused with
    others."""

    def __init__(self, path: Path, engine: Path, games: int | None) -> None:
        self.path = path
        self.program = hashlib.sha256(engine.read_bytes()).hexdigest()
        self.games = games
        self.tallies = {row.name: Tally() for row in PROGRAMME}
        if path.exists():
            kept = json.loads(path.read_text())
            if kept["program"] != self.program:
                sys.exit(f"{path} counts the games of another program; remove it to begin again")
            if kept["games"] != games:
                sys.exit(f"{path} counts a run with --games {kept['games']}; remove it to begin again")
            self.tallies |= {name: Tally(**tally) for name, tally in kept["rows"].items()}

    def save(self) -> None:
        rows = {name: vars(tally) for name, tally in self.tallies.items()}
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps({"program": self.program, "games": self.games, "rows": rows}, indent=1) + "\n")
        new.replace(self.path)


class MemoryWatch(threading.Thread):
    """Samples the resident memory of all processes that run the engine, while a match is played."""

    def __init__(self, engine: Path) -> None:
        super().__init__(daemon=True)
        self.engine = engine.resolve()
        self.samples: list[int] = []  # the largest of the processes, in KiB
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.5):
            sizes = [size for process in Path("/proc").glob("[0-9]*") if (size := self.size_of(process))]
            if sizes:
                self.samples.append(max(sizes))

    def size_of(self, process: Path) -> int | None:
        try:
            if (process / "exe").resolve(strict=True) != self.engine:
                return None
            status = (process / "status").read_text()
        except OSError:  # it has ended, or belongs to somebody else
            return None
        line = next((line for line in status.splitlines() if line.startswith("VmRSS:")), None)
        return int(line.split()[1]) if line else None

    def result(self) -> list[int]:
        self.over.set()
        self.join()
        settled = self.samples[int(len(self.samples) * WARM_UP) :]
        return [settled[0], settled[-1], max(settled)] if settled else []


class Soak:
    """The run: it plays the matches that are missing."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.engine = arguments.engine.resolve()
        self.opponents = [self.engine, *(found(opponent) for opponent in arguments.opponent)]
        self.state = State(arguments.state, self.engine, arguments.games)
        self.interrupted = False
        self.skipped = False

    def play(self) -> None:
        for row in PROGRAMME:
            if row.conditions.ponder and not self.arguments.cutechess:
                print(f"{row.name}: skipped, since fastchess doesn't ponder: name a cutechess-cli", file=sys.stderr)
                self.skipped = True
                continue
            for opponent, games in self.missing(row):
                self.play_match(row, opponent, games)
                if self.interrupted:
                    return

    def missing(self, row: Row) -> Iterator[tuple[Path, int]]:
        """The matches of a row that have not been played, with their games."""
        all_games = min(row.games, self.arguments.games or row.games)
        opponents = self.opponents[:1] if row.against_itself else self.opponents
        at_once = all_games if row.against_itself else MATCH_GAMES
        for index, opponent in enumerate(opponents):
            share = all_games * (index + 1) // len(opponents) - all_games * index // len(opponents)
            share += share % 2  # every opening is played with both colors
            for match in range(self.matches(row, opponent), -(-share // at_once)):
                yield opponent, min(at_once, share - match * at_once)

    def matches(self, row: Row, opponent: Path) -> int:
        return self.state.tallies[row.name].matches.get(str(opponent), 0)

    def play_match(self, row: Row, opponent: Path, games: int) -> None:
        tally, number = self.state.tallies[row.name], self.matches(row, opponent)
        seed = 1 + 1000 * PROGRAMME.index(row) + number
        book = self.arguments.chess960_book if row.conditions.chess960 else self.arguments.book
        pairing = Pairing(self.engine, opponent, book.resolve(), seed, games)
        watch = MemoryWatch(self.engine) if row.against_itself else None
        if watch:
            watch.start()
        with tempfile.TemporaryDirectory(prefix="soak-") as folder:
            pgn = Path(folder) / "games.pgn"
            if row.conditions.ponder:
                command = cutechess_command(found(self.arguments.cutechess), pairing, row.conditions, pgn)
            else:
                command = fastchess_command(found(self.arguments.fastchess), pairing, row.conditions, pgn)
            said = self.run(command, Path(folder))
            played = pgn.read_text(errors="replace") if pgn.exists() else ""
        verdict = judge(played, said)
        memory = watch.result() if watch else []
        if watch and not memory and not self.interrupted:
            sys.exit(f"no process was seen to run {self.engine}: is it a script that starts another program?")
        is_whole, faults = verdict.games >= games, sum(verdict.faults.values())
        if faults or not (is_whole or self.interrupted):
            self.keep_evidence(f"{row.name}-{opponent.name}-{number}", played, said)
        # What was interrupted is played again, whatever it has shown so far.
        if is_whole or (faults and not self.interrupted):
            tally.add(verdict)
            tally.memory = memory
            tally.matches[str(opponent)] = number + 1
            self.state.save()
        elif not self.interrupted:
            sys.exit(f"the arbiter has ended early, and said:\n{said[-2000:]}")
        print(f"{row.name} against {pairing.opponent_name}: {verdict.games} games, {faults} faults", file=sys.stderr)

    def run(self, command: list[str], folder: Path) -> str:
        """Plays a match. An interruption shuts it down cleanly."""
        with subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            start_new_session=True,
        ) as match:  # fmt: skip
            while True:
                try:
                    return match.communicate()[0]
                except KeyboardInterrupt:
                    self.interrupted = True
                    match.send_signal(signal.SIGINT)  # the arbiter ends its engines itself

    def keep_evidence(self, match: str, played: str, said: str) -> None:
        folder = self.state.path.with_suffix(".faults")
        folder.mkdir(exist_ok=True)
        name = match.replace(" ", "-")
        (folder / f"{name}.pgn").write_text(played)
        (folder / f"{name}.txt").write_text(said)

    def table(self) -> str:
        """What was counted, in Markdown."""
        columns = ["conditions", "games", *FAULTS, "least time left", "memory: settled, end, peak"]
        lines = [columns, ["---", *["---:"] * (len(columns) - 1)]]
        total = Tally()
        for row in PROGRAMME:
            tally = self.state.tallies[row.name]
            total.add(Verdict(tally.games, tally.faults, tally.least_time_left))
            lines.append(cells(row.name, tally))
        lines.append(cells("in all", total))
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)

    def is_faultless(self) -> bool:
        return all(tally.is_faultless() for tally in self.state.tallies.values())


def cells(name: str, tally: Tally) -> list[str]:
    left = "" if tally.least_time_left is None else f"{1000 * tally.least_time_left:.0f} ms"
    memory = ", ".join(f"{size / 1024:.1f} MiB" for size in tally.memory)
    return [name, f"{tally.games:,}", *(str(tally.faults[fault]) for fault in FAULTS), left, memory]


def found(program: Path) -> Path:
    path = shutil.which(str(program))
    if path is None:
        sys.exit(f"there is no program {program}")
    return Path(path).resolve()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", type=Path, required=True)
    parser.add_argument("--fastchess", type=Path, required=True)
    parser.add_argument("--cutechess", type=Path, help="cutechess-cli, for the games with pondering")
    parser.add_argument("--opponent", type=Path, action="append", default=[], help="another engine; two of them, best")
    parser.add_argument("--book", type=Path, required=True, help="openings in EPD")
    parser.add_argument("--chess960-book", type=Path, required=True, help="start positions of Chess960 in EPD")
    parser.add_argument("--state", type=Path, default=Path("soak.json"), help="where it counts (default soak.json)")
    parser.add_argument("--games", type=int, help="at most this many games in each row, for a trial")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    soak = Soak(parser.parse_args())
    soak.play()
    print(soak.table())
    if not soak.is_faultless():
        return 1
    return 2 if soak.interrupted or soak.skipped else 0


if __name__ == "__main__":
    sys.exit(main())
