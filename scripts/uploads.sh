#!/usr/bin/env bash
# Sends 3 GiB and 1 GiB in parts, and 16 MiB, the most that one link takes, in one piece through a
# release build (`scripts/uploads.sh dev` for another profile), and prints by how much the server's
# resident memory grew at most while the bytes came. Goal: less than 32 MiB. The bytes are zeros.
set -euo pipefail
cd "$(dirname "$0")/.."

profile=${1:-release}
parts_bytes=${PARTS_BYTES:-$(( 3 << 30 ))}
second_bytes=${SECOND_BYTES:-$(( 1 << 30 ))}
single_bytes=${SINGLE_BYTES:-$(( 16 << 20 ))}
cargo build --quiet --profile "$profile" --package scheduler-cli
target=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
binary=$target/$([ "$profile" = dev ] && echo debug || echo "$profile")/scheduler

folder=$(mktemp -d)
server=
cleanup() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap cleanup EXIT

# Only the API: what the worker makes of files has its own bounds.
"$binary" serve --data "$folder/data" --listen 127.0.0.1:0 --role api >"$folder/out" 2>"$folder/log" &
server=$!
until grep -q Listening "$folder/out"; do
  kill -0 "$server" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
  sleep 0.05
done
key=$(sed -n 's/^API key: //p' "$folder/out")
url=$(sed -n 's/^Listening on //p' "$folder/out")/v1
api() { curl -sS --fail-with-body -H "Authorization: Bearer $key" -H 'Content-Type: application/json' "$@"; }
memory() { awk -v field="$1:" '$1 == field { print $2 }' "/proc/$server/status"; }

# One request first, so that what every request needs is there.
api "$url/posts" >/dev/null
run() { # name, bytes
  local name=$1 bytes=$2 declared begun ended before peak
  echo 5 >"/proc/$server/clear_refs"  # the peak starts again from here
  before=$(memory VmRSS)
  declared=$(api "$url/media" -d "{\"kind\":\"video\",\"sizeBytes\":$bytes,\"fileName\":\"a.mp4\"}")
  id=$(python3 -c 'import json,sys; print(json.loads(sys.argv[1])["media"]["id"])' "$declared")
  begun=$(date +%s%N)
  python3 - "$declared" "$bytes" >"$folder/complete" <<'PYTHON'
import http.client, json, sys, urllib.parse

declared, left = json.loads(sys.argv[1]), int(sys.argv[2])
upload = declared["upload"]
single = upload["mode"] == "single"
links = [upload["uploadUrl"]] if single else [part["url"] for part in upload["parts"]]
part_bytes = left if single else upload["partSize"]
piece, done = bytes(1 << 20), []
for number, link in enumerate(links, 1):
    link = urllib.parse.urlsplit(link)
    size = min(left, part_bytes)
    left -= size
    connection = http.client.HTTPConnection(link.netloc)
    connection.putrequest("PUT", f"{link.path}?{link.query}")
    connection.putheader("Content-Length", str(size))
    connection.endheaders()
    while size:
        connection.send(piece[: min(size, len(piece))])
        size -= min(size, len(piece))
    answer = connection.getresponse()
    text = answer.read()
    assert answer.status == 200, text
    done.append({"partNumber": number, "etag": answer.headers["etag"]})
    connection.close()
assert left == 0
print(json.dumps({} if single else {"parts": done}))
PYTHON
  if grep -q parts "$folder/complete"; then verb=complete; else verb=uploaded; fi
  api "$url/media/$id/$verb" -d "@$folder/complete" >"$folder/answer"
  ended=$(date +%s%N)
  grep -q '"status":"processing"' "$folder/answer" || { cat "$folder/answer" >&2; exit 1; }
  peak=$(memory VmHWM)
  printf '%s: %s MiB in %s ms; resident memory grew by %s KiB, from %s KiB (goal: below 32768 KiB)\n' \
    "$name" "$(( bytes >> 20 ))" "$(( (ended - begun) / 1000000 ))" "$(( peak - before ))" "$before"
  [ "$(( peak - before ))" -lt 32768 ] || failed=1
}
failed=0
run 'in parts' "$parts_bytes"
run 'in parts' "$second_bytes"
run 'in one piece' "$single_bytes"
exit "$failed"
