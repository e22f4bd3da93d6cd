"""Builds the program for other machines than this one, and packs it with what belongs beside it.

A build on its own is for the processor at hand (`.cargo/config.toml`); a release is for every processor of its kind, or
for those of the last ten years (x86-64-v3: AVX2, BMI2). The program that comes out must search the tree that
`tests/signature.rs` records, or there is no archive.

    python3 .ci/release.py linux-x86-64-v3            # dist/squarewise-1.0.0-linux-x86-64-v3.tar.gz
    python3 .ci/release.py --list

For another system than this one, Rust's target and a linker must be installed, and something must run the program, since
it writes its own manual page and completions. The linker and the target can be others than those of a release:

    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \\
        python3 .ci/release.py linux-aarch64 --runner "qemu-aarch64-static -L /usr/aarch64-linux-gnu"
    python3 .ci/release.py windows-x86-64 --target x86_64-pc-windows-gnu --runner wine
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from datetime import datetime, timezone
from email.utils import format_datetime
from pathlib import Path

from licences import ROOT, LicenceError, linked_crates, output_of, standard_library_notices, third_party_text
from signature import RECORD, recorded_in

# What is released: Rust's target, and the processor that is the least that can run it. Those of Macs are the oldest that
# Rust's own target expects.
BUILDS = {
    "linux-x86-64": ("x86_64-unknown-linux-gnu", "x86-64"),
    "linux-x86-64-v3": ("x86_64-unknown-linux-gnu", "x86-64-v3"),
    "linux-aarch64": ("aarch64-unknown-linux-gnu", "generic"),
    "windows-x86-64": ("x86_64-pc-windows-msvc", "x86-64"),
    "windows-x86-64-v3": ("x86_64-pc-windows-msvc", "x86-64-v3"),
    "macos-x86-64": ("x86_64-apple-darwin", "penryn"),
    "macos-aarch64": ("aarch64-apple-darwin", "apple-m1"),
}
# The completions under the names that their shells look for.
COMPLETIONS = {
    "squarewise.bash": "bash",
    "_squarewise": "zsh",
    "squarewise.fish": "fish",
    "squarewise.elv": "elvish",
    "_squarewise.ps1": "powershell",
}
# The package, and the name of its program.
PROGRAM = "squarewise"
TEXTS = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"]
BENCH_SECONDS = 300


class ReleaseError(Exception):
    """Something without which there is no release."""


def metadata() -> dict:
    return json.loads(output_of("cargo", "metadata", "--locked", "--no-deps", "--format-version=1"))


def build(target: str, processor: str, target_folder: Path) -> Path:
    """Builds the program and returns its path. The processor is always named: flags that are set in the environment,
    even to nothing, count before those of `.cargo/config.toml`, but Windows can't set them to nothing."""
    flags = [f"-Ctarget-cpu={processor}"]
    if target.endswith("-msvc"):
        # The C runtime is linked in, so that nothing has to be installed before the program.
        flags.append("-Ctarget-feature=+crt-static")
    environment = os.environ | {"RUSTFLAGS": " ".join(flags), "CARGO_TARGET_DIR": str(target_folder)}
    command = ["cargo", "build", "--release", "--locked", "--package", PROGRAM, "--target", target]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    suffix = ".exe" if "windows" in target else ""
    return target_folder / target / "release" / f"{PROGRAM}{suffix}"


def check_signature(program: list[str]) -> None:
    """The program must search the same tree on every machine."""
    expected = recorded_in((ROOT / RECORD).read_text(encoding="utf-8"))
    bench = subprocess.run([*program, "bench"], check=True, stdout=subprocess.PIPE, text=True, timeout=BENCH_SECONDS)
    last = bench.stdout.rstrip().splitlines()[-1]
    searched = re.fullmatch(r"(\d+) nodes \d+ nps", last)
    if searched is None or int(searched[1]) != expected:
        raise ReleaseError(f"bench ends with {last!r}, and {RECORD} records {expected}")
    print(last)


def debian_changelog(package: dict) -> str:
    """The versions of CHANGELOG.md as Debian's tools read them. What has changed stands in the other file."""
    maintainer = package["metadata"]["deb"]["maintainer"]
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    entries = []
    for version, date in re.findall(r"^## \[([\d.]+)\] - (\d{4}-\d\d-\d\d)$", text, re.M):
        day = format_datetime(datetime.fromisoformat(date).replace(tzinfo=timezone.utc))
        entries.append(
            f"{package['name']} ({version}-1) unstable; urgency=medium\n\n"
            f"  * Version {version}. Its changes are listed in changelog.gz.\n\n -- {maintainer}  {day}\n"
        )
    if not entries:
        raise ReleaseError("CHANGELOG.md has no version with a date")
    return "\n".join(entries)


def stage(program: list[str], target: str, package: dict, folder: Path) -> None:
    """Writes what belongs beside the program: manual pages, completions, licences of what is linked in. The Debian package
    takes them from here (`[package.metadata.deb]` of Cargo.toml), and what only Debian wants from the folder `debian`."""
    shutil.rmtree(folder, ignore_errors=True)
    completions, licences, debian = folder / "completions", folder / "licences", folder / "debian"
    for made in (completions, licences, debian):
        made.mkdir(parents=True)
    subprocess.run([*program, "man", "--dir", str(folder / "man")], check=True)
    for name, shell in COMPLETIONS.items():
        script = subprocess.run([*program, "completions", shell], check=True, stdout=subprocess.PIPE).stdout
        (completions / name).write_bytes(script)
    third_party = third_party_text(linked_crates(target))
    (licences / "third-party.txt").write_text(third_party, encoding="utf-8", newline="\n")
    shutil.copyfile(standard_library_notices(), licences / "rust-standard-library.html")
    for page in (folder / "man").iterdir():
        (debian / f"{page.name}.gz").write_bytes(gzip.compress(page.read_bytes(), mtime=0))
    changelog = gzip.compress(debian_changelog(package).encode(), mtime=0)
    (debian / "changelog.Debian.gz").write_bytes(changelog)


def gather(binary: Path, staging: Path, folder: Path) -> None:
    """Puts the contents of an archive into a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy2(binary, folder)
    for name in TEXTS:
        shutil.copyfile(ROOT / name, folder / name)
    for name in ("man", "completions", "licences"):
        shutil.copytree(staging / name, folder / name)
    # README shows pictures of the one folder and refers to its pages; the program looks for the other beside itself.
    for name in ("docs", "styles"):
        shutil.copytree(ROOT / name, folder / name)


def pack(folder: Path, as_zip: bool) -> Path:
    """Packs a folder into an archive beside it: a zip file, which Windows opens by itself, or else tar.gz."""
    archive = folder.with_name(folder.name + (".zip" if as_zip else ".tar.gz"))
    if as_zip:
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
            for path in sorted(folder.rglob("*")):
                packed.write(path, path.relative_to(folder.parent))
    else:
        with tarfile.open(archive, "w:gz") as packed:
            packed.add(folder, folder.name, filter=without_owner)
    return archive


def without_owner(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """An archive says nothing of who has packed it."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return entry


def release(arguments: argparse.Namespace) -> Path:
    target, processor = BUILDS[arguments.build]
    target = arguments.target or target
    described = metadata()
    package = next(package for package in described["packages"] if package["name"] == PROGRAM)
    target_folder = Path(described["target_directory"]) / "portable"
    binary = build(target, processor, target_folder)
    program = [*shlex.split(arguments.runner), str(binary)]
    check_signature(program)
    staging = binary.parent / "staging"
    stage(program, target, package, staging)
    folder = arguments.out / f"{package['name']}-{package['version']}-{arguments.build}"
    gather(binary, staging, folder)
    return pack(folder, as_zip="windows" in target)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", choices=BUILDS, help="what to build")
    parser.add_argument("--list", action="store_true", help="show the builds, their targets and processors")
    parser.add_argument("--target", help="another target triple than that of the release")
    parser.add_argument("--runner", default="", help="a command that runs a program for that target here")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder for the archive")
    arguments = parser.parse_args()
    if arguments.list:
        for name, (target, processor) in BUILDS.items():
            print(f"{name:18} {target:26} {processor}")
        return 0
    if arguments.build is None:
        parser.error("what is to be built? --list shows the names")
    try:
        archive = release(arguments)
    except (ReleaseError, LicenceError, subprocess.SubprocessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{archive} ({archive.stat().st_size / 2**20:.1f} MiB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
