"""Plays commits against commits, one test after the other, until each is decided.

The list is a text file with a test in each line: a commit, the commit that it is to beat, and a name.

    # candidate  base  what is tried
    a1b2c3d  main  reverse futility pruning without a limit
    topic    main  singular extensions from depth 5

Every test is an SPRT on pairs of games, in which both sides play each opening with both colors (pentanomial). One that
passes with the first time control is played again with the second. What was played is kept in the folder of the state,
so that a run which was killed goes on with the next batch; what was decided stands in the table.

    python3 .ci/sprt.py --list FILE --fastchess PROGRAM --openings UHO_4060_v4.epd --state FOLDER
        [--table docs/lab/sprt.md] [--time 1+0.01 --time 5+0.05] [--elo 0 4] [--most 20000] [--concurrency 2]

Nothing else may run on the machine meanwhile: a clock decides.
"""

import argparse
import json
import math
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The probability of passing a change that is worth no more than the lower bound, and of failing one that is worth the
# upper one.
ALPHA = BETA = 0.05
BOUND = math.log((1 - BETA) / ALPHA)

# Pairs of games after which the result is looked at and kept.
BATCH = 50

# Points of a pair for the candidate, as a share of two.
POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)

HEAD = """# Tests of changes by games

Each row is an SPRT of `.ci/sprt.py`: pairs of games with the same opening, both colors each. *LLR* is the logarithm of
the likelihood ratio of the two bounds in Elo; beyond {bound:.2f} the change has passed, below -{bound:.2f} it has failed.

| change | candidate | base | time | bounds | games | Elo | LLR | result |
|---|---|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Test:
    candidate: str
    base: str
    name: str


def expected_points(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def moments(pairs: list[int]) -> tuple[float, float, float]:
    """The number of pairs, and mean and variance of their points. An outcome that was never seen is not impossible."""
    counts = [max(count, 1e-3) for count in pairs]
    number = sum(counts)
    mean = sum(count * points for count, points in zip(counts, POINTS)) / number
    variance = sum(count * (points - mean) ** 2 for count, points in zip(counts, POINTS)) / number
    return number, mean, variance


def log_likelihood_ratio(pairs: list[int], bounds: tuple[float, float]) -> float:
    """The generalized SPRT in its normal approximation (Michel Van den Bergh, "The generalized SPRT")."""
    number, mean, variance = moments(pairs)
    low, high = (expected_points(elo) for elo in bounds)
    return number * (high - low) * (2 * mean - low - high) / (2 * variance)


def elo_with_error(pairs: list[int]) -> tuple[float, float]:
    """Elo and half of its 95 % interval."""
    number, mean, variance = moments(pairs)
    mean = min(max(mean, 1e-4), 1 - 1e-4)
    slope = 400 / math.log(10) / (mean * (1 - mean))
    return 400 * math.log10(mean / (1 - mean)), 1.96 * slope * math.sqrt(variance / number)


def read_tests(file: Path) -> list[Test]:
    tests = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        words = line.split("#")[0].split(maxsplit=2)
        if not words:
            continue
        if len(words) < 3:
            sys.exit(f"{file}, line {number}: a candidate, a base and a name are needed")
        tests.append(Test(*words))
    return tests


def commit_of(name: str) -> str:
    found = subprocess.run(["git", "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"], cwd=ROOT, text=True,
                           stdout=subprocess.PIPE, check=False)
    if found.returncode != 0:
        sys.exit(f"there is no commit {name}")
    return found.stdout.strip()


def build(commit: str, state: Path) -> Path:
    """The program of a commit, built once."""
    program = state / "programs" / commit[:12]
    if program.exists():
        return program
    tree = state / "tree"
    print(f"building {commit[:12]}", flush=True)
    subprocess.run(["git", "worktree", "prune"], cwd=ROOT, check=True)
    if not tree.exists():
        subprocess.run(["git", "worktree", "add", "--detach", "--force", tree, commit], cwd=ROOT, check=True)
    subprocess.run(["git", "checkout", "--quiet", "--force", "--detach", commit], cwd=tree, check=True)
    target = state / "target"
    subprocess.run(["cargo", "build", "--release", "--quiet", "--bin", "squarewise", "--target-dir", target], cwd=tree, check=True)
    program.parent.mkdir(parents=True, exist_ok=True)
    unfinished = program.with_suffix(".part")
    unfinished.write_bytes((target / "release" / "squarewise").read_bytes())
    unfinished.chmod(0o755)
    unfinished.rename(program)
    return program


def play_batch(programs: tuple[Path, Path], time: str, seed: int, arguments: argparse.Namespace) -> list[int]:
    """Plays a batch of pairs; returns how many gave the candidate 0, 1/2, 1, 3/2 and 2 points."""
    command = [
        str(arguments.fastchess),
        "-engine", f"cmd={programs[0]}", "name=candidate",
        "-engine", f"cmd={programs[1]}", "name=base",
        "-each", f"tc={time}", "proto=uci", "option.Hash=16", "option.Threads=1",
        "-openings", f"file={arguments.openings}", "format=epd", "order=random",
        "-rounds", str(BATCH), "-games", "2", "-repeat", "-srand", str(seed),
        "-concurrency", str(arguments.concurrency), "-autosaveinterval", "0",
        "-draw", "movenumber=40", "movecount=8", "score=10",
        "-resign", "movecount=4", "score=800", "twosided=true",
        "-report", "penta=true",
    ]
    # It writes its own state where it runs.
    run = subprocess.run(command, cwd=arguments.state, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    found = re.findall(r"Ptnml\(0-2\): \[(\d+), (\d+), (\d+), (\d+), (\d+)\]", run.stdout)
    if run.returncode != 0 or not found:
        sys.exit(f"{run.stdout[-2000:]}\nfastchess has failed, exit code {run.returncode}")
    for word in ("loses on time", "illegal move", "disconnects", "stalls"):
        if word in run.stdout:
            print(f"warning: a game of this batch ended with '{word}'", flush=True)
    return [int(count) for count in found[-1]]


def verdict(ratio: float, games: int, most: int) -> str | None:
    if ratio >= BOUND:
        return "passed"
    if ratio <= -BOUND:
        return "failed"
    return "undecided" if games >= most else None


def decide(test: Test, time: str, arguments: argparse.Namespace) -> str:
    """Plays a test to its end, or reads how it ended."""
    candidate, base = commit_of(test.candidate), commit_of(test.base)
    low, high = arguments.elo
    key = f"{candidate[:12]}-{base[:12]}-{time}-{low:g}-{high:g}".replace("+", "_")
    file = arguments.state / f"{key}.json"
    kept = json.loads(file.read_text()) if file.exists() else {"pairs": [0] * 5, "batches": 0, "result": None}
    programs = None
    while True:
        pairs = kept["pairs"]
        games = 2 * sum(pairs)
        ratio = log_likelihood_ratio(pairs, (low, high)) if games else 0.0
        elo, error = elo_with_error(pairs) if games else (0.0, math.inf)
        result = verdict(ratio, games, arguments.most)
        print(f"{test.name}, {time}: {games} games, {elo:+.1f} +/- {error:.1f}, LLR {ratio:+.2f} {result or ''}", flush=True)
        if result is not None:
            break
        programs = programs or (build(candidate, arguments.state), build(base, arguments.state))
        batch = play_batch(programs, time, 1_000 + kept["batches"], arguments)
        kept = {"pairs": [sum(two) for two in zip(pairs, batch)], "batches": kept["batches"] + 1, "result": None}
        keep(file, kept)
    if kept["result"] is None:
        row = (f"| {test.name} | {candidate[:9]} | {base[:9]} | {time} | {low:g} to {high:g} | {games} "
               f"| {elo:+.1f} +/- {error:.1f} | {ratio:+.2f} | {result} |\n")
        table = arguments.table
        if not table.exists():
            table.write_text(HEAD.format(bound=BOUND), encoding="utf-8")
        with table.open("a", encoding="utf-8") as rows:
            rows.write(row)
        # Last: a run killed before this point writes its row twice rather than never.
        keep(file, kept | {"result": result})
    return result


def keep(file: Path, state: dict) -> None:
    """Writes a state whole or not at all."""
    unfinished = file.with_suffix(".part")
    unfinished.write_text(json.dumps(state))
    unfinished.rename(file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", type=Path, required=True, help="the tests, one in each line")
    parser.add_argument("--fastchess", type=Path, required=True, help="the program that plays the games")
    parser.add_argument("--openings", type=Path, required=True, help="openings in EPD")
    parser.add_argument("--state", type=Path, required=True, help="where programs and results are kept")
    parser.add_argument("--table", type=Path, default=ROOT / "docs/lab/sprt.md", help="where decided tests are added")
    parser.add_argument("--time", action="append", help="seconds and increment; each is played if the one before passed")
    parser.add_argument("--elo", type=float, nargs=2, default=(0.0, 4.0), metavar=("LOW", "HIGH"))
    parser.add_argument("--most", type=int, default=20_000, help="games after which a test is left undecided")
    parser.add_argument("--concurrency", type=int, default=2, help="games at once")
    arguments = parser.parse_args()
    if arguments.elo[0] >= arguments.elo[1]:
        parser.error("the lower bound must lie below the upper one")
    for name in ("fastchess", "openings"):
        path = getattr(arguments, name).resolve()
        if not path.is_file():
            parser.error(f"--{name}: there is no file {path}")
        setattr(arguments, name, path)
    arguments.state.mkdir(parents=True, exist_ok=True)
    arguments.state = arguments.state.resolve()
    for test in read_tests(arguments.list):
        for time in arguments.time or ["1+0.01", "5+0.05"]:
            if decide(test, time, arguments) != "passed":
                break


if __name__ == "__main__":
    main()
