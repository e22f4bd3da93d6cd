"""Checks .github/workflows by their published schema, and runs here what they run on Linux.

    .venv/bin/python .ci/workflows.py                            # the schema, and the commands that would run
    .venv/bin/python .ci/workflows.py --run source archives      # runs those of these jobs, or of all without a name

Jobs for other systems and processors are listed and not run; nor are steps that only exist at GitHub: actions, and what
needs a tag or a token. A job with a matrix runs once for each row that fits this machine.
"""

from __future__ import annotations

import argparse
import itertools
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
ARM = platform.machine() == "aarch64"


@dataclass(frozen=True)
class Run:
    """One row of a job's matrix, with its commands and the environment of each."""

    job: str
    machine: str
    condition: str
    commands: list[tuple[str, dict[str, str]]]

    def fits_here(self) -> bool:
        return self.machine.startswith("ubuntu") and self.machine.endswith("-arm") == ARM


def rows_of(job: dict) -> Iterator[dict[str, str]]:
    matrix = dict(job.get("strategy", {}).get("matrix", {}))
    included = matrix.pop("include", [])
    if matrix or not included:
        yield from (dict(zip(matrix, values)) for values in itertools.product(*matrix.values()))
    yield from included


def runs_of(path: Path) -> Iterator[Run]:
    workflow = YAML(typ="safe").load(path)
    for name, job in workflow["jobs"].items():
        for row in rows_of(job):

            def filled(text: object) -> str:
                return re.sub(r"\$\{\{ matrix\.(\w+) \}\}", lambda found: row[found[1]], str(text))

            environment = {**workflow.get("env", {}), **job.get("env", {})}
            commands = [
                (filled(step["run"]), {key: filled(value) for key, value in {**environment, **step.get("env", {})}.items()})
                for step in job["steps"]
                if "run" in step
            ]
            yield Run(f"{path.stem}/{name}", filled(job["runs-on"]), str(job.get("if", "")), commands)


def needs_github(job: Run, command: str, environment: dict[str, str]) -> bool:
    return "GITHUB_" in command or any("github." in text for text in [job.condition, *environment.values()])


def run(job: Run, show_only: bool) -> bool:
    print(f"\n{job.job} on {job.machine}{'' if job.fits_here() else ': another system'}")
    for command, environment in job.commands:
        is_run = job.fits_here() and not needs_github(job, command, environment) and not show_only
        print(f"  {'$' if is_run else '-'} {command}", flush=True)
        if not is_run:
            continue
        begin = time.monotonic()
        # As GitHub calls bash.
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command]
        status = subprocess.run(shell, cwd=ROOT, env=os.environ | environment, stdin=subprocess.DEVNULL).returncode
        print(f"  {'ok' if status == 0 else f'FAILED with exit code {status}'}, {time.monotonic() - begin:.0f} s", flush=True)
        if status != 0:
            return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--run", nargs="*", metavar="JOB", help="run the commands, of these jobs or of all")
    arguments = parser.parse_args()
    checker = Path(sys.executable).with_name("check-jsonschema")
    schema = [str(checker), "--builtin-schema", "vendor.github-workflows", *map(str, WORKFLOWS)]
    if subprocess.run(schema, stdin=subprocess.DEVNULL).returncode != 0:
        return 1
    jobs = [job for path in WORKFLOWS for job in runs_of(path)]
    names = {job.job.split("/")[1] for job in jobs}
    if unknown := set(arguments.run or []) - names:
        parser.error(f"no job is called {', '.join(sorted(unknown))}; there are {', '.join(sorted(names))}")
    wanted = [job for job in jobs if not arguments.run or job.job.split("/")[1] in arguments.run]
    return 0 if all([run(job, show_only=arguments.run is None) for job in wanted]) else 1


if __name__ == "__main__":
    sys.exit(main())
