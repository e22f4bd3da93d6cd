#!/usr/bin/env bash
# Builds the Debian package, installs it, plays a game with it, removes it, and checks that nothing of it is left.
#
#     bash .ci/debian_package.sh [--clean-root FOLDER] [--keep]
#
# --clean-root FOLDER  installs it not on this machine but in a fresh Debian in that folder, which debootstrap makes; a
#                      folder that holds one already is used again. Every file of it is compared before and after.
# --keep               leaves the package installed: nothing is removed or compared
#
# Needs Rust, python3 and root, by sudo where it isn't root already; cargo-deb and what else is missing is installed. The
# package is built for every processor of its architecture; its name in dist/ is told at the end.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore

clean_root=""
keep=false
while (($#)); do
    case "$1" in
    --clean-root)
        clean_root="${2:?--clean-root needs a folder}"
        shift
        ;;
    --keep) keep=true ;;
    *)
        sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p}' "$0" >&2
        exit 2
        ;;
    esac
    shift
done

say() { printf '\n==> %s\n' "$*"; }

die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# Root is for installing and for the clean root alone, so that cargo stays that of the user.
as_root() {
    if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

apt_install() {
    as_root apt-get update -qq || echo "apt-get update failed; trying with the lists at hand" >&2
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# inside COMMAND...: runs it where the package is installed.
inside() {
    if [[ -n "$clean_root" ]]; then as_root chroot "$clean_root" "$@"; else "$@"; fi
}

build_package() {
    local build
    case "$(uname -m)" in
    x86_64) build=linux-x86-64 ;;
    aarch64) build=linux-aarch64 ;;
    *) die "there is no release for $(uname -m)" ;;
    esac
    cargo deb --version >/dev/null 2>&1 || cargo install --locked cargo-deb
    command -v dpkg-shlibdeps >/dev/null || apt_install dpkg-dev
    python3 .ci/release.py "$build"
    local target target_folder
    target="$(rustc --version --verbose | sed -n 's/^host: //p')"
    target_folder="$(cargo metadata --locked --no-deps --format-version=1 |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')/portable"
    # Built already, with the flags that make it portable.
    CARGO_TARGET_DIR="$target_folder" cargo deb --no-build --target "$target" --output dist/
    package="$(find dist -maxdepth 1 -name 'squarewise_*.deb' -newer Cargo.toml -printf '%T@ %p\n' |
        sort -n | sed -n '$s/^[^ ]* //p')"
    [[ -n "$package" ]] || die "cargo-deb has made no package"
}

prepare_clean_root() {
    command -v debootstrap >/dev/null || apt_install debootstrap
    [[ -e "$clean_root/etc/debian_version" ]] && return
    local codename
    codename="$(. /etc/os-release && echo "$VERSION_CODENAME")"
    as_root debootstrap --variant=minbase --include=man-db "$codename" "$clean_root" >/dev/null
}

# Every file of the clean root but those in which dpkg and man keep their books.
all_files() {
    as_root find "$clean_root" -xdev \( -path "$clean_root/proc" -o -path "$clean_root/sys" -o -path "$clean_root/dev" \
        -o -path "$clean_root/var/lib/dpkg" -o -path "$clean_root/var/log" -o -path "$clean_root/var/cache" \) -prune \
        -o -printf '%P %m %s\n' | sort
}

install_package() {
    if [[ -n "$clean_root" ]]; then
        as_root cp "$package" "$clean_root/tmp/squarewise.deb"
        inside dpkg --install /tmp/squarewise.deb
        as_root rm "$clean_root/tmp/squarewise.deb"
    else
        as_root dpkg --install "$package"
    fi
}

check_files() {
    [[ "$(inside /usr/games/squarewise --version)" == "squarewise $version" ]] || die "another version is installed"
    inside man -w 6 squarewise
    # The page can be read, and each page that it names is there.
    local page path subcommands
    page="$(inside env MANWIDTH=100 LC_ALL=C.UTF-8 man 6 squarewise)"
    subcommands="$(grep -o 'squarewise-[a-z]*(6)' <<<"$page" | sed 's/(6)//')"
    [[ "$subcommands" == *squarewise-play* ]] || die "the manual page does not name the page of play"
    for page in $subcommands; do
        inside man -w 6 "$page" >/dev/null
    done
    for path in /usr/games/squarewise /usr/share/bash-completion/completions/squarewise \
        /usr/share/zsh/vendor-completions/_squarewise /usr/share/fish/vendor_completions.d/squarewise.fish \
        /usr/share/doc/squarewise/{copyright,changelog.gz,changelog.Debian.gz,README.md,docs/board.md} \
        /usr/share/doc/squarewise/licences/{third-party.txt,rust-standard-library.html}; do
        [[ -s "$clean_root$path" ]] || die "$path is missing"
        inside dpkg -S "$path" >/dev/null
    done
    bash -n "$clean_root/usr/share/bash-completion/completions/squarewise"
    # The shells that are there read their completions.
    if command -v zsh >/dev/null; then zsh -n "$clean_root/usr/share/zsh/vendor-completions/_squarewise"; fi
    if command -v fish >/dev/null; then
        fish --no-execute "$clean_root/usr/share/fish/vendor_completions.d/squarewise.fish"
    fi
}

# The installed program plays both sides of one game, and python-chess checks every move and line.
play_game() {
    local venv=.venv engine=/usr/games/squarewise
    if ! "$venv/bin/python" -c 'import chess' 2>/dev/null; then
        python3 -m venv --clear "$venv" 2>/dev/null || {
            apt_install python3-venv
            python3 -m venv --clear "$venv"
        }
        # This package alone: others of the list need a newer Python than the oldest Ubuntu that is supported.
        "$venv/bin/python" -m pip install --quiet "$(grep '^chess==' .ci/requirements.txt)"
    fi
    if [[ -n "$clean_root" ]]; then
        engine="$(mktemp --tmpdir squarewise-in-root.XXXXXX)"
        local chroot=(chroot)
        if ((EUID != 0)); then chroot=(sudo chroot); fi
        printf '#!/bin/sh\nexec %s %q /usr/games/squarewise "$@"\n' "${chroot[*]}" "$clean_root" >"$engine"
        chmod +x "$engine"
    fi
    local status=0
    timeout 120 "$venv/bin/python" .ci/match.py --engine "$engine" --opponent "$engine" --games 1 --chess960 0 ||
        status=$?
    if [[ -n "$clean_root" ]]; then rm "$engine"; fi
    return "$status"
}

remove_package() {
    local files path
    files="$(inside dpkg -L squarewise)"
    if [[ -n "$clean_root" ]]; then inside dpkg --purge squarewise; else as_root dpkg --purge squarewise; fi
    if inside dpkg-query --show squarewise 2>/dev/null; then die "dpkg still knows the package"; fi
    while read -r path; do
        # Folders of other packages stay.
        if [[ -f "$clean_root$path" || "$path" == *squarewise* && -e "$clean_root$path" ]]; then
            die "$path is left"
        fi
    done <<<"$files"
    if inside man -w 6 squarewise 2>/dev/null; then die "man still finds a page"; fi
}

package=""
version="$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)"

say "building the package"
build_package
dpkg-deb --info "$package"
dpkg-deb --contents "$package"
if [[ -n "$clean_root" ]]; then
    say "a fresh Debian in $clean_root"
    prepare_clean_root
    before="$(all_files)"
else
    command -v man >/dev/null || apt_install man-db
fi
say "installing it"
install_package
say "its files"
check_files
say "a game"
play_game
if ! $keep; then
    say "removing it"
    remove_package
    if [[ -n "$clean_root" ]]; then
        diff <(printf '%s\n' "$before") <(all_files) || die "the root is not as it was"
    fi
fi
printf '\n%s: everything passed\n' "$package"
