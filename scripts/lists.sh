#!/usr/bin/env bash
# Measures lists of posts over HTTP, of ten thousand posts and of ten million, on SQLite: a thousand
# posts are made by the server, and copied in its database. Both servers are asked in turn, and
# ratios of medians are printed; the last row is a page far down against the first. Ten million
# posts need 25 GB of disk and half an hour. Needs Python.
#
#   scripts/lists.sh [POSTS [ROUNDS]]
set -euo pipefail
cd "$(dirname "$0")/.."

posts=${1:-10000000}
rounds=${2:-41}
if [ -z "${LISTS_BINARY:-}" ]; then
  cargo build --quiet --release --package scheduler-cli
  LISTS_BINARY=${CARGO_TARGET_DIR:-target}/release/scheduler
fi

folder=$(mktemp -d)
servers=()
cleanup() {
  for server in "${servers[@]}"; do kill "$server" 2>/dev/null || true; done
  wait || true
  rm -rf "$folder"
}
trap cleanup EXIT

# Begins a server on a folder; its address and its key are in $folder/NAME.{url,key}.
serve() {
  SCHEDULER_RATE_LIMIT_PER_MINUTE=1000000 "$LISTS_BINARY" serve --sandbox --data "$folder/$1" \
    --listen 127.0.0.1:0 >"$folder/$1.out" 2>"$folder/$1.log" &
  servers+=($!)
  until grep -qs Listening "$folder/$1.out"; do
    kill -0 $! || { cat "$folder/$1.log"; exit 1; }
    sleep 0.1
  done
  echo "$(sed -n 's/^Listening on //p' "$folder/$1.out")/v1" >"$folder/$1.url"
  cp "$folder/$1/first-key" "$folder/$1.key"
}

serve small
python3 scripts/lists.py seed "$(cat "$folder/small.url")" "$(cat "$folder/small.key")"
kill "${servers[0]}"
wait "${servers[0]}" || true
servers=()

cp -r "$folder/small" "$folder/large"
# Its sandbox would listen where that of the other does.
rm -r "$folder/large/sandbox"
python3 scripts/lists.py multiply "$folder/small/scheduler.db" 10000
python3 scripts/lists.py multiply "$folder/large/scheduler.db" "$posts"
serve small
serve large
python3 scripts/lists.py measure "$(cat "$folder/small.url")" "$(cat "$folder/small.key")" \
  "$(cat "$folder/large.url")" "$(cat "$folder/large.key")" "$rounds"
