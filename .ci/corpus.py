"""Compares our reading of PGN and EPD files with python-chess's, game by game and position by position.

Each PGN file is analyzed with one node a move and written again; python-chess reads the original and what we wrote. The
main line must be the same, and nothing of the original may be lost: tags, comments, variations, glyphs beside those that
judge moves (we replace these), clocks. Of an EPD file the suite must have at least as many positions with bm, am or dm as
python-chess understands. With --fuzz, damaged copies of the files are read instead, in bounded memory: the program may refuse them, and must
neither crash nor hang.

    .venv/bin/python .ci/corpus.py DIR --engine target/release/squarewise [--known FILE] [--fuzz N --seed S]

Prints what differs, and fails if a difference isn't in the file of known ones: a line for each, the file's path in the
folder and after a tab the reason. It fails, too, if a known one is gone.
"""

from __future__ import annotations

import argparse
import logging
import random
import re
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

import chess
import chess.pgn

MEMORY = 512 << 20  # bytes of address space for a damaged file
TIME_LIMIT = 600  # seconds for a file
# What the engine writes itself: its evaluations and marks replace older ones.
OURS = re.compile(r"\[%(eval|evp)[^\]]*\]|(\([^()]* → [^()]*\) )?(\b(Blunder|Mistake|Inaccuracy)|Checkmate is now "
                  r"unavoidable|Lost forced checkmate sequence|Not the best checkmate sequence)\."
                  r"( \S+ was best\.| The best move was \S+\.)?")
JUDGEMENTS = range(1, 10)
# Tags that say how the game began, which is compared itself, and who wrote the comments.
COMPARED_OTHERWISE = ("annotator", "fen", "setup", "variant")
SUITE_OPERATIONS = ("bm", "am", "dm")


@dataclass
class Outcome:
    counts: Counter = field(default_factory=Counter)
    differences: dict[str, list[str]] = field(default_factory=dict)

    def differs(self, name: str, what: str) -> None:
        self.differences.setdefault(name, []).append(what)


def read(engine: Path, file: Path, out: Path, memory: int | None = None) -> subprocess.CompletedProcess | str:
    """The program's reading of a file, games to be written to `out`, or how it failed: it read the file or said why
    not if it exits with 0 or 1 in time."""

    def limit() -> None:
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    arguments = ["suite", str(file), "--nodes", "1", "--at-least", "0"]
    if file.suffix == ".pgn":
        arguments = ["analyze", str(file), "--nodes", "1", "--pgn", str(out)]
    try:
        finished = subprocess.run([str(engine), *arguments], capture_output=True, text=True, errors="replace",
                                  timeout=TIME_LIMIT, stdin=subprocess.DEVNULL, preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return f"no end after {TIME_LIMIT} s"
    if finished.returncode not in (0, 1):
        return f"exit code {finished.returncode}: {finished.stderr[-200:]}"
    return finished


def decoded(file: Path) -> str:
    data = file.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def games_of(text: str) -> list[chess.pgn.Game]:
    """The games as python-chess reads them; their `errors` say what it doubts."""
    handle = StringIO(text)
    games = []
    while (game := chess.pgn.read_game(handle)) is not None:
        games.append(game)
    return games


def words(comment: str) -> list[str]:
    return re.findall(r"\w+", OURS.sub(" ", re.sub(r"\[%(?!clk|emt)[^\]]*\]", " ", comment)))


def is_within(wanted: list[str], given: list[str]) -> bool:
    missing = Counter(wanted) - Counter(given)
    return not missing


def lost_in(original: chess.pgn.GameNode, written: chess.pgn.GameNode) -> str | None:
    """The first thing of a tree of moves that the other one lacks."""
    pairs = [(original, written)]
    while pairs:
        old, new = pairs.pop()
        where = f"at ply {old.ply()}"
        if not is_within(words(old.comment + " " + getattr(old, "starting_comment", "")),
                         words(new.comment + " " + getattr(new, "starting_comment", ""))):
            texts = [getattr(node, "starting_comment", "") + node.comment for node in (old, new)]
            return f"{where} the comment {texts[0]!r} became {texts[1]!r}"
        if not {nag for nag in old.nags if nag not in JUDGEMENTS} <= new.nags:
            return f"{where} of the glyphs {sorted(old.nags)} are left {sorted(new.nags)}"
        if old.clock() is not None and old.clock() != new.clock():
            return f"{where} the clock {old.clock()} became {new.clock()}"
        if old.variations and (not new.variations or old.variations[0].move != new.variations[0].move):
            return f"{where} {old.variations[0].move} is missing"
        unpaired = list(new.variations)  # several variations can begin alike, and as the game went on
        for child in old.variations:
            twin = next((twin for twin in unpaired if twin.move == child.move), None)
            if twin is None:
                return f"{where} the variation {child.move} is missing"
            unpaired.remove(twin)
            pairs.append((child, twin))
    return None


def unescaped(value: str) -> str:
    """The value of a tag. python-chess leaves the backslashes of the standard where they stand."""
    return re.sub(r'\\(["\\])', r"\1", value)


def is_chess(game: chess.pgn.Game) -> bool:
    """Whether it is a game of no other kind that python-chess knows."""
    try:
        return game.headers.variant().uci_variant == "chess"
    except ValueError:
        return True


def compare_pgn(file: Path, name: str, finished: subprocess.CompletedProcess, out: Path, outcome: Outcome) -> None:
    written = games_of(out.read_text(encoding="utf-8")) if out.exists() else []
    outcome.counts["PGN files"] += 1
    try:
        originals = games_of(decoded(file))
    except IndexError as error:  # a variation that is closed twice
        outcome.differs(name, f"python-chess itself fails with {error!r}")
        return
    outcome.counts["games"] += len(originals)
    ours = [game for game in originals if is_chess(game)]
    outcome.counts["games of other variants"] += len(originals) - len(ours)
    sound = [game for game in ours if not game.errors and game.next() is not None]
    outcome.counts["games that python-chess doubts or that have no moves"] += len(ours) - len(sound)
    # Games are told apart by their moves, since either reader may leave some out.
    by_moves: dict[tuple, list[chess.pgn.Game]] = {}
    for game in written:
        by_moves.setdefault((game.board().fen(), *game.mainline_moves()), []).append(game)
    for number, game in enumerate(sound, 1):
        twins = by_moves.get((game.board().fen(), *game.mainline_moves()))
        if not twins:
            said = [line for line in finished.stderr.splitlines() if "game" in line][:2]
            outcome.differs(name, f"game {number} isn't among those written; the program said {said}")
            continue
        twin = twins.pop(0)
        for tag, value in game.headers.items():
            is_compared = tag.lower() not in COMPARED_OTHERWISE and value not in ("", "?", "????.??.??")
            if tag == "Result":
                # The others are told by the moves, or in our spelling.
                is_compared = value in ("1-0", "0-1", "1/2-1/2")
            written_value = twin.headers.get(tag, "")
            if is_compared and unescaped(written_value) != unescaped(value):
                outcome.differs(name, f"game {number}: the tag {tag} {value!r} became {written_value!r}")
        if (lost := lost_in(game, twin)) is not None:
            outcome.differs(name, f"game {number}: {lost}")


def compare_epd(file: Path, name: str, finished: subprocess.CompletedProcess, outcome: Outcome) -> None:
    outcome.counts["EPD files"] += 1
    solvable = 0
    for line in decoded(file).splitlines():
        try:
            operations = chess.Board().set_epd(line)
        except (ValueError, AssertionError):
            continue
        solvable += any(name in operations for name in SUITE_OPERATIONS)
    counted = re.search(r"^\d+ of (\d+) solved", finished.stdout, re.MULTILINE)
    found = int(counted[1]) if counted else 0
    outcome.counts["EPD positions"] += solvable
    if found < solvable:
        said = (finished.stderr or finished.stdout).strip().splitlines()[-2:]
        outcome.differs(name, f"{found} of {solvable} positions were read; the program said {said}")


def compare(engine: Path, file: Path, name: str, outcome: Outcome) -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.pgn"
        match read(engine, file, out):
            case str(failure):
                outcome.differs(name, failure)
            case finished if file.suffix == ".pgn":
                compare_pgn(file, name, finished, out, outcome)
            case finished:
                compare_epd(file, name, finished, outcome)


def damaged(data: bytes, dice: random.Random) -> bytes:
    """A copy with a few bytes changed, cut, doubled or put in."""
    data = bytearray(data[: 1 << 16])
    for _ in range(dice.randint(1, 20)):
        at = dice.randrange(len(data) + 1)
        match dice.randrange(4):
            case 0:
                data[at:at + 1] = bytes([dice.randrange(256)])
            case 1:
                del data[at:at + dice.randint(1, 40)]
            case 2:
                data[at:at] = data[at:at + dice.randint(1, 200)]
            case _:
                data[at:at] = dice.choice([b"(", b")", b"{", b"}", b"[", b'"', b";", b"%", b"\n\n", b"--", b"$999", b"\x00"])
    return bytes(data)


def fuzz(engine: Path, files: list[Path], number: int, seed: int, outcome: Outcome) -> None:
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        for index in range(number):
            file = dice.choice(files)
            copy = Path(folder) / f"{index}{file.suffix}"
            copy.write_bytes(damaged(file.read_bytes(), dice))
            outcome.counts["damaged files"] += 1
            match read(engine, copy, Path(folder) / f"{index}.out", MEMORY):
                case str(failure):
                    outcome.differs(f"copy {index} of {file.name}, seed {seed}", failure)
                case finished:
                    outcome.counts[f"of them with exit code {finished.returncode}"] += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--engine", type=Path, required=True)
    parser.add_argument("--known", type=Path, metavar="FILE", help="differences that are explained")
    parser.add_argument("--fuzz", type=int, metavar="N", help="read N damaged copies instead")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)  # it tells of faults in games in other ways, too
    files = sorted(path for path in arguments.folder.rglob("*") if path.suffix in (".pgn", ".epd") and path.is_file())
    if not files:
        sys.exit(f"no .pgn or .epd file in {arguments.folder}")
    known = {}
    if arguments.known:
        known = dict(line.split("\t", 1) for line in arguments.known.read_text().splitlines() if "\t" in line)
    outcome = Outcome()
    if arguments.fuzz:
        fuzz(arguments.engine, files, arguments.fuzz, arguments.seed, outcome)
    else:
        for file in files:
            compare(arguments.engine, file, file.relative_to(arguments.folder).as_posix(), outcome)
    for name, differences in outcome.differences.items():
        reason = f" (known: {known[name]})" if name in known else ""
        print(f"{name}{reason}")
        for what in differences[:10]:
            print(f"    {what}")
        if len(differences) > 10:
            print(f"    and {len(differences) - 10} more")
    print(", ".join(f"{count} {what}" for what, count in outcome.counts.items()))
    if not arguments.fuzz and (settled := [name for name in known if name not in outcome.differences]):
        sys.exit(f"no longer different, and still in the file of known ones: {', '.join(settled)}")
    if unexplained := [name for name in outcome.differences if name not in known]:
        sys.exit(f"{len(unexplained)} files differ")


if __name__ == "__main__":
    main()
