#!/usr/bin/env bash
# What a build from nothing costs: the CPU time of all compilers together, the time that passes,
# the size of the program, and the ten crates that take longest. For comparing profiles, features
# and dependencies.
#
#   scripts/build-cost.sh [profile] [argument of cargo …]
#
#   scripts/build-cost.sh                          the release build of the program
#   scripts/build-cost.sh dist                     what is shipped
#   scripts/build-cost.sh release --no-default-features
#
# A profile's settings are tried by the environment, such as CARGO_PROFILE_RELEASE_LTO=thin or
# CARGO_PROFILE_RELEASE_OPT_LEVEL=2. The figures of one machine compare with each other alone, and
# only where nothing else keeps it busy: the CPU time then hardly moves, the time that passes does.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=${1:-release}
[ $# = 0 ] || shift

# What is not in the registry's folder yet is no part of the cost.
cargo fetch --quiet
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
begun=$(date +%s%N)
CARGO_TARGET_DIR=$folder CARGO_TERM_COLOR=never cargo build --quiet --locked --timings \
  --package scheduler-cli --profile "$profile" "$@"
ended=$(date +%s%N)
# User and system time of everything that this shell has waited for.
times >"$folder/times"
cpu=$(sed -n '2{s/[ms]/ /g;p}' "$folder/times" | awk '{ printf "%d", 60 * $1 + $2 + 60 * $3 + $4 }')
binary=$folder/$profile/scheduler
[ "$profile" = dev ] && binary=$folder/debug/scheduler
printf '%s %s\n' "$profile" "$*"
printf 'CPU time:    %d:%02d min\n' "$((cpu / 60))" "$((cpu % 60))"
seconds=$(((ended - begun) / 1000000000))
printf 'time passed: %d:%02d min on %s cores\n' "$((seconds / 60))" "$((seconds % 60))" "$(nproc)"
printf 'program:     %s MiB\n' "$(($(stat -c %s "$binary") / 1048576))"
printf 'the ten crates that took longest, in seconds that passed:\n'
python3 - "$folder"/cargo-timings/cargo-timing.html <<'PYTHON'
import json, re, sys

page = open(sys.argv[1]).read()
units = json.loads(re.search(r"const UNIT_DATA = (\[.*?\]);", page, re.S).group(1))
took = {}
for unit in units:
    took[unit["name"]] = took.get(unit["name"], 0) + unit["duration"]
for name, seconds in sorted(took.items(), key=lambda one: -one[1])[:10]:
    print(f"  {seconds:6.1f}  {name}")
print(f"  {sum(took.values()):6.1f}  all {len(units)} units of {len(took)} crates")
PYTHON
