#!/usr/bin/env bash
# Sends a file of 3 GiB in parts, four at once, and one of 1 GiB as a single stream through the
# folder store of a release build (`scripts/uploads.sh dev` for another profile). Each upload is
# paired with `cp` and `sync` of the same file on the same disk. Prints the medians:
#   by how much the server's resident memory grew at most while the bytes came; goal: < 32 MiB;
#   how fast the upload was against the copy; goal: at least 0.6.
# BINARY names a server that is built already. Needs 8 GiB below TMPDIR, and gives them back.
set -euo pipefail
cd "$(dirname "$0")/.."

profile=${1:-release}
parts_bytes=${PARTS_BYTES:-$(( 3 << 30 ))}
single_bytes=${SINGLE_BYTES:-$(( 1 << 30 ))}
pairs=${PAIRS:-3}
if [ -z "${BINARY:-}" ]; then
  cargo build --quiet --profile "$profile" --package scheduler-cli
  target=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
  BINARY=$target/$([ "$profile" = dev ] && echo debug || echo "$profile")/scheduler
fi

folder=$(mktemp -d)
server=
cleanup() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap cleanup EXIT

# Bytes that no disk makes smaller.
head -c "$parts_bytes" /dev/urandom >"$folder/parts"
head -c "$single_bytes" "$folder/parts" >"$folder/single"
sync "$folder/parts" "$folder/single"

: >"$folder/out"
# Only the API: what the worker makes of files has its own bounds.
"$BINARY" serve --data "$folder/data" --listen 127.0.0.1:0 --role api >"$folder/out" 2>"$folder/log" &
server=$!
until grep -q Listening "$folder/out"; do
  kill -0 "$server" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
  sleep 0.05
done

FOLDER=$folder SERVER=$server PAIRS=$pairs \
  KEY=$(cat "$folder/data/first-key") URL=$(sed -n 's/^Listening on //p' "$folder/out") \
  python3 scripts/uploads.py
