#!/usr/bin/env bash
# Has the libraries of Standard Webhooks, in Python and JavaScript, verify what the built server
# sends: every delivery has to be accepted, and every change to one refused.
#
#   scripts/standard-webhooks.sh [deliveries]        1000 for each library
#
# The libraries are installed into a cache folder (STANDARD_WEBHOOKS_CACHE, else one of the user's);
# one that cannot be had is left out, with a message. STANDARD_WEBHOOKS_BINARY names a built
# scheduler; without it one is built. Exits 1 when a library judges otherwise than it should.
set -euo pipefail
cd "$(dirname "$0")/.."
deliveries=${1:-1000}
cache=${STANDARD_WEBHOOKS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/scheduler-standard-webhooks}
mkdir -p "$cache/node"
. scripts/packages.sh
program=$(realpath "$(program "${STANDARD_WEBHOOKS_BINARY:-}")")

folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$folder"' EXIT

receivers=()
# Starts a receiver, and waits until it says where it listens.
receive() { # name, command …
  local name=$1
  shift
  mkfifo "$folder/$name"
  "$@" >"$folder/$name" &
  local line
  read -r line <"$folder/$name"
  receivers+=("$name=$line")
}
if has_python && pip_install standardwebhooks==1.1.0; then
  receive python "$cache/python/bin/python" scripts/standard-webhooks/receiver.py
else
  leave_out "Python: PyPI cannot be reached, see $cache/pip.log"
fi
if command -v npm >/dev/null 2>&1 && npm_install standardwebhooks@1.0.0; then
  cp scripts/standard-webhooks/receiver.mjs "$cache/node/"
  receive javascript node "$cache/node/receiver.mjs"
else
  leave_out_npm "JavaScript: npm cannot be reached, see $cache/npm.log"
fi
[ "${#receivers[@]}" = 0 ] && exit 0

export SCHEDULER_DATA=$folder/data SCHEDULER_WEBHOOKS_ALLOW_PRIVATE=true
export SCHEDULER_RATE_LIMIT_PER_MINUTE=1000000 SCHEDULER_RATE_LIMIT_BURST=100000
mkfifo "$folder/server"
(cd "$folder" && exec "$program" serve --sandbox --listen 127.0.0.1:0 --json) \
  >"$folder/server" 2>"$folder/log" &
exec 3<"$folder/server"
while read -r line <&3; do
  case $line in *'"listening"'*) break ;; esac
done
python3 scripts/standard-webhooks/drive.py "$line" "$(cat "$SCHEDULER_DATA/first-key")" \
  "$deliveries" "${receivers[@]}"
