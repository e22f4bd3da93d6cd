"""The node count of `bench` that `tests/signature.rs` records. As a program it prints the one of this checkout."""

from __future__ import annotations

import re
from pathlib import Path

RECORD = "tests/signature.rs"


def recorded_in(text: str) -> int:
    """The node count in the text of that file."""
    found = re.search(r"const SIGNATURE: u64 = ([\d_]+);", text)
    if found is None:
        raise ValueError(f"{RECORD} records no node count")
    return int(found[1].replace("_", ""))


if __name__ == "__main__":
    print(recorded_in((Path(__file__).resolve().parent.parent / RECORD).read_text(encoding="utf-8")))
