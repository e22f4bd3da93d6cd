"""Runs the commands of README.md, docs/terminal.md and docs/rule-sets.md as they stand there, but those of NOT_RUN, and
compares what they show where that is the same every time.

Commands are the lines of its code blocks: those behind `$ ` with the output below them, and those of blocks that begin
with a program's name. They must succeed. The output of a search to a depth or of some nodes is the same on every machine,
so each line that the page shows must come, in that order; `...` stands for lines left out, and lines with a speed aren't
compared. What a person types is sent as it
is: lines behind `> `, and UCI commands.

    python3 .ci/readme.py --engine target/release/squarewise
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "docs/terminal.md", ROOT / "docs/rule-sets.md"]
# On stderr, and only to a person at a terminal.
GREETING = ("Squarewise speaks UCI.", "To play, start it as")
TIME_LIMIT = 180  # seconds for one command
# Why some commands are not run here. Everything else is.
NOT_RUN = {
    r"bash \.ci/run$": "this script is part of it",
    r"python3 -m venv": "a step of .ci/run of its own",
    r"cargo (test|bench|build|run)\b": "a step of .ci/run of its own",
    r"bash \.ci/debian_package\.sh": "installs a package on this machine",
    r"python3 \.ci/release\.py linux": "builds all dependencies once more",
    r"cargo install": "builds all dependencies once more",
    r"(RUSTFLAGS=\S* )?cargo build": "builds all dependencies once more",
    r"squarewise-lab\b": "learns from games for hours",
    r"python3 \.ci/piece_values\.py": "reads these games",
    r"cutechess-cli\b|bash \.ci/cutechess_gui\.sh": "Debian has no package of Cute Chess",
}
PROGRAMS = ("cargo", "bash", "python", "python3", "make", "squarewise", "cutechess-cli", "fastchess", "RUSTFLAGS=")
UCI_WORDS = ("position", "go", "eval", "d", "uci", "isready", "setoption", "quit", "perft", "bench", "help")


@dataclass
class Command:
    text: str
    shown: list[str] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)

    def is_the_same_every_time(self) -> bool:
        return any(re.search(r"(--|^go )(depth|nodes)\b", text) for text in [self.text, *self.typed])

    def reason_not_to_run(self) -> str | None:
        return next((reason for pattern, reason in NOT_RUN.items() if re.match(pattern, self.text)), None)


def blocks(text: str) -> Iterator[list[str]]:
    """The lines of each code block."""
    for block in re.findall(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        # A command can go on in the next line.
        yield re.sub(r"\\\n\s*", "", block).splitlines()


def commands(text: str) -> Iterator[Command]:
    for lines in blocks(text):
        if lines and lines[0].startswith("$ "):
            current = None
            for line in lines:
                if line.startswith("$ "):
                    if current:
                        yield current
                    current = Command(line[2:])
                elif line.startswith("> ") or (current.text == "squarewise" and line.split(" ")[0] in UCI_WORDS):
                    current.typed.append(line.removeprefix("> "))
                else:
                    current.shown.append(line)
            yield current
        elif lines and lines[0].startswith(PROGRAMS):
            for line in lines:
                yield Command(re.sub(r"\s+# .*", "", line))


def all_commands(pages: list[Path]) -> Iterator[Command]:
    """The commands of all pages. One that stands on two of them is run once, unless there is something else to compare."""
    seen = []
    for page in pages:
        for command in commands(page.read_text()):
            compared = command.shown if command.is_the_same_every_time() else []
            if (command.text, command.typed, compared) not in seen:
                seen.append((command.text, command.typed, compared))
                yield command


def missing_line(command: Command, output: str) -> str | None:
    """The first line of the page that the output lacks, in its order."""
    lines = iter([line.rstrip() for line in output.splitlines()])
    shown = (line.rstrip() for line in command.shown if " nps " not in line and not line.startswith(GREETING))
    wanted = (line for line in shown if line.strip() not in ("", "..."))
    return next((line for line in wanted if line not in lines), None)


def fault_of(command: Command, folder: Path, environment: dict[str, str]) -> str | None:
    typed = list(command.typed)
    if typed and typed[-1] != "quit":
        typed.append("quit")
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", command.text], cwd=folder, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, start_new_session=True,
        ) as process,
    ):  # fmt: skip
        too_long = threading.Event()
        alarm = threading.Timer(TIME_LIMIT, lambda: (too_long.set(), os.killpg(process.pid, signal.SIGKILL)))
        alarm.start()
        output = conversation(process, typed)
        process.wait()
        alarm.cancel()
        errors.seek(0)
        if too_long.is_set():
            return f"did not end within {TIME_LIMIT} s"
        if process.returncode != 0:
            return f"exit code {process.returncode}\n{output[-1000:]}{errors.read()[-1000:]}"
    if command.is_the_same_every_time() and (line := missing_line(command, output)) is not None:
        return f"its output lacks this line, or has it elsewhere:\n{line}"
    return None


def conversation(process: subprocess.Popen[str], typed: list[str]) -> str:
    """Types the lines as a person does, who waits for the move of a search; returns what the program has said."""
    said: list[str] = []
    with contextlib.suppress(BrokenPipeError):  # it has ended; its exit code says why
        for line in typed:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            if line.startswith("go "):
                for answer in process.stdout:
                    said.append(answer)
                    if answer.startswith("bestmove"):
                        break
        process.stdin.close()
    return "".join([*said, *process.stdout])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", type=Path, required=True)
    parser.add_argument("--page", type=Path, action="append", help="another page; can be given several times")
    arguments = parser.parse_args()
    faults = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # The commands write files; the checkout stays as it is.
        for entry in ROOT.iterdir():
            if entry.name in ("docs", "tests"):
                shutil.copytree(entry, folder / entry.name)
            elif entry.name != ".git":
                (folder / entry.name).symlink_to(entry)
        (folder / "bin").mkdir()
        (folder / "bin" / "squarewise").symlink_to(arguments.engine.resolve())
        # The python that runs this has the packages that the scripts need.
        paths = [str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"], "/usr/games"]
        # A reader's window is this wide.
        environment = os.environ | {"PATH": os.pathsep.join(paths), "COLUMNS": "100", "HOME": str(folder)}
        for command in all_commands(arguments.page or PAGES):
            if reason := command.reason_not_to_run():
                print(f"- {command.text}  ({reason})", flush=True)
                continue
            print(f"$ {command.text}", flush=True)
            if fault := fault_of(command, folder, environment):
                faults += 1
                print(f"FAULT: {fault}", file=sys.stderr, flush=True)
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
