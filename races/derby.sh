#!/bin/sh
# One whole race with plain `uma` calls: eight runners, a gate, two corners and the finish.
# Run it from anywhere; `uma` must be on PATH. It leaves nothing behind.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"

# The runners and their skills come from another race; the seed makes every call throw the same dice.
uma new race.toml --title "Derby by the script" --course "Turf, 2400 m" --from "$here/derby.toml" --seed "derby.sh"

# The gate. Kiai may rise by 5 before it; a skill makes Midnight Ferry a runaway.
# The places are asked for from the second lowest score upward, and --auto answers what is left.
uma gate race.toml --kiai "1=2,2=1,4=1" --skill "Midnight Ferry=Lights Out"
uma gate race.toml --place "1=front" --auto

# A corner: two go forward, one drops back, all others stay. The skills are left to --auto.
uma corner race.toml --scene corner-2 --move "1=forward,4=forward,6=back,rest=stay" --auto

# The next one: the game master rules, and somebody speaks.
uma corner race.toml --scene corner-3 --auto \
    --ruling "Copper Lark=kiai -1" --why "a bird flew up before her" \
    --note "@dana=I saw it coming!"

# The finish: Midnight Ferry plays her last card, and the strategy plays for the rest.
uma finish race.toml --skill "2=Last Crossing" --auto

# How it went.
echo
uma show race.toml
