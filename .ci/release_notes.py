"""Prints the chapter of a version in CHANGELOG.md, if it is the version of Cargo.toml: python3 .ci/release_notes.py 1.0.0"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    wanted = sys.argv[1]
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.*)"$', manifest, re.M)
    if version is None or version[1] != wanted:
        print(f"error: this is to be version {wanted}, and Cargo.toml says {version and version[1]}", file=sys.stderr)
        return 1
    chapters = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.M)
    found = [chapter for chapter in chapters if chapter.startswith(f"[{wanted}] - ")]
    if len(found) != 1:
        print(f"error: CHANGELOG.md has {len(found)} chapters on version {wanted}", file=sys.stderr)
        return 1
    print(found[0].split("\n", maxsplit=1)[1].strip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
