#!/usr/bin/env bash
# Measures an idle server, by default of a release build (`scripts/idle.sh dist` for the profile
# that is shipped): the time from its start to its first answered request,
# and the memory that it holds when it rests. Goals: 100 ms and 15 MiB.
set -euo pipefail
cd "$(dirname "$0")/.."

profile=${1:-release}
starts=7
cargo build --quiet --profile "$profile" --package scheduler-cli
binary=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/$profile/scheduler

folder=$(mktemp -d)
server=
cleanup() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap cleanup EXIT

# A port that is free now; known beforehand, so that nothing but the first answer is waited for.
port=$(( 20000 + RANDOM % 20000 ))
while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$(( port + 1 )); done

start_server() {
  "$binary" serve --data "$folder/data" --listen "127.0.0.1:$port" >"$folder/out" 2>"$folder/log" &
  server=$!
}
stop_server() { kill "$server"; wait "$server" || true; server=; }

# The first start makes the database; what counts is every later one.
start_server
until grep -q Listening "$folder/out"; do sleep 0.01; done
stop_server

for _ in $(seq "$starts"); do
  begun=$(date +%s%N)
  start_server
  until { exec 3<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null; do :; done
  printf 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n' >&3
  read -r _ status _ <&3
  ended=$(date +%s%N)
  exec 3>&-
  [ "$status" = 200 ] || { echo "answered $status" >&2; exit 1; }
  echo $(( (ended - begun) / 1000000 )) >>"$folder/times"
  stop_server
done
first=$(sort -n "$folder/times" | sed -n "$(( (starts + 1) / 2 ))p")

start_server
until grep -q Listening "$folder/out"; do sleep 0.01; done
sleep 3
kib=$(awk '/^VmRSS:/ { print $2 }' "/proc/$server/status")
printf 'start to first answer: %s ms (goal 100 ms, median of %s)\n' "$first" "$starts"
printf 'resident memory, idle: %s.%s MiB (goal 15 MiB)\n' "$(( kib / 1024 ))" "$(( kib % 1024 * 10 / 1024 ))"
