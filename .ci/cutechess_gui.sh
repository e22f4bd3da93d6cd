#!/usr/bin/env bash
# Plays a whole game in the window of Cute Chess, the engine against itself with pondering, as a user would start it:
# Game > New, CPU on both sides, OK. Fails unless the game ends on the board and Cute Chess complains of nothing.
#
#     bash .ci/cutechess_gui.sh CUTECHESS [ENGINE [SCREENSHOT.png]]
#
# Not part of .ci/run: Debian has no package of Cute Chess, and to compile it takes minutes. With its source at hand:
#
#     apt-get install cmake g++ qt6-base-dev libqt6svg6-dev libgl-dev xvfb xdotool imagemagick
#     cmake -S cutechess -B build -DWITH_TESTS=OFF && make -C build gui     # the program is build/cutechess
set -euo pipefail

cutechess="$(realpath "${1:?usage: cutechess_gui.sh CUTECHESS [ENGINE [SCREENSHOT.png]]}")"
engine="$(realpath "${2:-$(dirname "${BASH_SOURCE[0]}")/../target/release/squarewise}")"
screenshot="${3:-}"
game_limit=300 # seconds

folder="$(mktemp -d)"
started=()
finish() {
    for process in "${started[@]}"; do kill "$process" 2>/dev/null || true; done
    rm -rf "$folder"
}
trap finish EXIT

# Cute Chess reads its engines and its settings from here, and writes each finished game to the PGN file.
export XDG_CONFIG_HOME="$folder" XDG_RUNTIME_DIR="$folder" QT_QPA_PLATFORM=xcb LC_ALL=C.UTF-8
chmod 700 "$folder"
mkdir "$folder/cutechess"
cat >"$folder/cutechess/engines.json" <<JSON
[{ "name": "Squarewise", "command": "$engine", "workingDirectory": "$folder", "protocol": "uci" }]
JSON
cat >"$folder/cutechess/cutechess.ini" <<INI
[games]
time_control\\moves_per_tc=0
time_control\\time_per_tc=5000
time_control\\increment=200
second_time_control\\time_control\\moves_per_tc=0
second_time_control\\time_control\\time_per_tc=5000
second_time_control\\time_control\\increment=200
pondering=true
default_pgn_output_file=$folder/game.pgn
INI

# Xvfb writes the number of the display that it has found free.
mkfifo "$folder/display"
Xvfb -displayfd 3 -screen 0 1280x900x24 3>"$folder/display" 2>/dev/null &
started+=($!)
DISPLAY=":$(head -n 1 "$folder/display")"
export DISPLAY

"$cutechess" >"$folder/messages" 2>&1 &
started+=($!)
# There is no window manager, so windows must be given the focus.
main="$(timeout 60 xdotool search --sync --onlyvisible --name ' vs ' | head -n 1)"
xdotool windowfocus --sync "$main" key ctrl+n
dialog="$(timeout 60 xdotool search --sync --onlyvisible --name '^New Game$' | head -n 1)"
# The focus is on White's "Human"; below it is "CPU". Three steps further are the same buttons for Black.
xdotool windowfocus --sync "$dialog" key --delay 200 Down Tab Tab Tab Down Return

for ((second = 0; second < game_limit; second++)); do
    if [[ -s "$folder/game.pgn" ]]; then break; fi
    sleep 1
done
if [[ -n "$screenshot" ]]; then import -window root "$screenshot"; fi
if ! [[ -s "$folder/game.pgn" ]]; then
    printf 'no game was finished within %d s\n' "$game_limit" >&2
    cat "$folder/messages" >&2
    exit 1
fi
cat "$folder/game.pgn"
# Cute Chess names a termination only if the game did not end on the board: time, illegal move, stalled, abandoned.
if grep '^\[Termination' "$folder/game.pgn" >&2 || grep -F '[Result "*"]' "$folder/game.pgn" >&2; then
    printf 'the game did not end on the board\n' >&2
    exit 1
fi
if grep . "$folder/messages" >&2; then
    printf 'Cute Chess complained\n' >&2
    exit 1
fi
printf 'a whole game was played in the window of Cute Chess\n'
