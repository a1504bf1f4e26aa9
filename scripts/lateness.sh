#!/usr/bin/env bash
# Measures how late posts go out, release build, on the sandbox networks: posts for Bluesky and
# Mastodon, scheduled a few seconds ahead, and the time from each one's instant to its
# publishedAt. Needs curl and jq. Goal: never early, p99 at most 20 ms on a quiet machine.
set -euo pipefail
cd "$(dirname "$0")/.."

posts=${1:-50}
cargo build --quiet --release --package scheduler-cli
binary=$(cargo metadata --format-version 1 --no-deps | jq -r .target_directory)/release/scheduler

folder=$(mktemp -d)
server=
cleanup() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap cleanup EXIT

"$binary" serve --sandbox --data "$folder/data" --listen 127.0.0.1:0 >"$folder/out" 2>"$folder/log" &
server=$!
until grep -q Listening "$folder/out"; do sleep 0.01; done
url=$(sed -n 's/^Listening on //p' "$folder/out")/v1
key=$(cat "$folder/data/first-key")
call() { curl -sS -H "Authorization: Bearer $key" -H 'Content-Type: application/json' "$@"; }

# Spread over the seconds that follow, a tenth of a second apart.
begun=$(date +%s%N)
for number in $(seq "$posts"); do
  at=$(( begun / 1000000 + 5000 + number * 100 ))
  when=$(date -u -d "@$(( at / 1000 ))" +%Y-%m-%dT%H:%M:%S).$(printf '%03d' $(( at % 1000 )))Z
  call "$url/posts" -o /dev/null -d "{\"content\": \"number $number\", \"scheduledAt\": \"$when\",
    \"targets\": [{\"platform\": \"bluesky\"}, {\"platform\": \"mastodon\"}]}"
done
until [ "$(call "$url/posts?limit=500" | jq '[.data[] | select(.status != "done")] | length')" = 0 ]; do
  sleep 0.2
done
call "$url/posts?limit=500" | jq -r '
  def ms: (sub("\\.[0-9]+Z$"; "Z") | fromdateiso8601) * 1000
    + ((capture("\\.(?<f>[0-9]+)Z$").f // "0") | "0.\(.)" | tonumber * 1000);
  [.data[] | (.scheduledAt | ms) as $due | .targets[] | (.publishedAt | ms) - $due] | sort
  | "targets: \(length), earliest \(.[0] | round) ms, median \(.[length / 2 | floor] | round) ms, p99 \(.[length * 99 / 100 | floor] | round) ms, latest \(.[-1] | round) ms"'
