#!/usr/bin/env bash
# A speed guard that no other load on the machine disturbs: the instructions of a short bench by callgrind, against the
# figure that is stored here. The table is small, so that clearing it is no part of the figure. More than 3 % above it
# fails. A change that is worth its price, or saves some, stores the new figure (--store) in the same commit.
#
#   bash .ci/instructions.sh PROGRAM [--store]
#
# The program must be built for x86-64-v3, as .ci/run does: valgrind knows no AVX-512, and other processors count differently.
set -euo pipefail
shopt -s inherit_errexit

program="$1"
stored_in="$(dirname "${BASH_SOURCE[0]}")/instructions.txt"
report="$(mktemp)"
trap 'rm -f "$report"' EXIT

valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" bench --depth 7 --hash 1 >/dev/null 2>"$report" || {
    tail -n 20 "$report" >&2
    exit 1
}
counted="$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$report")"
if [[ -z "$counted" ]]; then
    printf 'callgrind counted nothing\n' >&2
    exit 1
fi
if [[ "${2:-}" == --store ]]; then
    printf '%s\n' "$counted" >"$stored_in"
fi
stored="$(<"$stored_in")"
per_mille=$((counted * 1000 / stored - 1000))
printf '%s instructions, stored are %s: %s per mille\n' "$counted" "$stored" "$per_mille"
if ((counted * 1000 > stored * 1030)); then
    printf 'the search has become more than 3 %% slower by instructions: find out why, or store the new figure\n' >&2
    exit 1
fi
