"""The licences of the crates that are linked into the program, gathered into one text for those who get the program.

MIT, Apache-2.0 and the BSD licences ask that their notices go with every copy, so a release holds this text. It is made
from the sources that cargo has at hand, for exactly the crates that a build for one target links. A licence that doesn't
go together with GPL-3.0-or-later, or that nobody has looked at yet, is an error.

    python3 .ci/licences.py [--target TRIPLE] [--out FILE]
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Compatible with GPL-3.0-or-later. The list is cargo-deny's, which says why; it is read without a parser of TOML, because the
# oldest Python that releases are made with has none.
COMPATIBLE = set(re.findall('"(.*)"', re.search(r"^allow = \[(.*?)^\]", (ROOT / "deny.toml").read_text(), re.M | re.S)[1]))
# In the words of each crate's own file, where there is one.
NOTICES = ("LICEN", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE")
HEADING = """\
Squarewise is free software under the GNU General Public License, version 3 or later (the file LICENSE). These crates are
linked into the program, each under its own licence, all of them compatible with that one. The source of each is
published by the package registry of Rust, under the name and version that stand here; `cargo vendor` in the source of
Squarewise gets them all.
"""
MIT = """\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


class LicenceError(Exception):
    """A crate whose licence can't be taken, or whose text is missing."""


@dataclass(frozen=True)
class Crate:
    name: str
    version: str
    licence: str
    authors: tuple[str, ...]
    folder: Path

    def alternatives(self) -> list[set[str]]:
        """The licences among which we may choose; of some crates several hold at once (`MIT AND BSD-3-Clause`).
        `MIT/Apache-2.0` is the old way to write `MIT OR Apache-2.0`."""
        # AND outside of parentheses parts what holds at once; each part can offer a choice.
        parts = re.split(r" AND (?![^(]*\))", self.licence.replace("/", " OR "))
        choices = [[name.strip(" ()") for name in part.split(" OR ")] for part in parts]
        return [set(choice) for choice in itertools.product(*choices)]

    def notice(self) -> str:
        """The text that has to go with the program."""
        possible = [choice for choice in self.alternatives() if choice <= COMPATIBLE]
        if not possible:
            raise LicenceError(f"{self.name} {self.version}: {self.licence} is not known to go with GPL-3.0-or-later")
        taken = set.union(*possible)
        hold_together = min(map(len, possible)) > 1
        named = [path for path in sorted(self.folder.iterdir()) if path.name.upper().startswith(NOTICES) and path.is_file()]
        of_mit = [path for path in named if "MIT" in path.name.upper()]
        if named:
            # Where we may choose, the shortest is taken.
            chosen = named if hold_together else of_mit or named
            return "\n".join(path.read_text(encoding="utf-8").strip() + "\n" for path in chosen)
        if "MIT" in taken:
            authors = ", ".join(self.authors) or f"the authors of {self.name}"
            return f"Copyright (c) {authors}\n(The crate has no file of its licence; its description names it.)\n\n{MIT}"
        if "GPL-3.0-or-later" in taken:
            return "The text of this licence is the file LICENSE.\n"
        if "BSL-1.0" in taken:
            return "This licence asks for no notice beside a program in machine code.\n"
        raise LicenceError(f"{self.name} {self.version}: no text of {self.licence}")


def output_of(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8").stdout


def host() -> str:
    lines = output_of("rustc", "--version", "--verbose").splitlines()
    return next(line.removeprefix("host: ") for line in lines if line.startswith("host: "))


def linked_crates(target: str) -> list[Crate]:
    """The crates that the program for `target` holds: not those that only build or test it."""
    shown = output_of(
        *("cargo", "tree", "--locked", "--package=squarewise", "--edges=normal,no-proc-macro", "--prefix=none", "--format={p}"),
        *("--target", target),
    )
    linked = {(words[0], words[1].removeprefix("v")) for words in map(str.split, shown.splitlines()) if words}
    packages = json.loads(output_of("cargo", "metadata", "--locked", "--format-version=1"))["packages"]
    crates = [
        Crate(
            name=package["name"],
            version=package["version"],
            licence=package["license"] or "none",
            authors=tuple(package["authors"]),
            folder=Path(package["manifest_path"]).parent,
        )
        for package in packages
        if (package["name"], package["version"]) in linked and package["source"] is not None
    ]
    return sorted(crates, key=lambda crate: (crate.name, crate.version))


def third_party_text(crates: list[Crate]) -> str:
    """All notices, each text once, below the names of the crates to which it belongs."""
    owners: dict[str, list[Crate]] = {}
    for crate in crates:
        owners.setdefault(crate.notice(), []).append(crate)
    parts = [HEADING]
    for notice, of_notice in owners.items():
        names = "\n".join(f"{crate.name} {crate.version} ({crate.licence})" for crate in of_notice)
        parts.append(f"{'=' * 80}\n{names}\n{'-' * 80}\n{notice}")
    return "\n".join(parts)


def standard_library_notices() -> Path:
    """The notices of Rust's standard library, which is linked into every program, as the compiler brings them."""
    path = Path(output_of("rustc", "--print=sysroot").strip()) / "share/doc/rust/COPYRIGHT-library.html"
    if not path.is_file():
        raise LicenceError(f"{path}: the compiler came without the notices of its standard library")
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", help="the target triple of the program; that of this machine by default")
    parser.add_argument("--out", type=Path, help="the file to write; without it the crates are only counted and checked")
    arguments = parser.parse_args()
    target = arguments.target or host()
    try:
        crates = linked_crates(target)
        text = third_party_text(crates)
    except LicenceError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if arguments.out:
        arguments.out.write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(crates)} crates are linked for {target}; all may be distributed under GPL-3.0-or-later")
    return 0


if __name__ == "__main__":
    sys.exit(main())
