#!/usr/bin/env bash
# Fuzzes the built server from outside, from its own OpenAPI document: Schemathesis makes requests
# good and bad, goes from one operation to the next with what was answered, and holds every answer
# against the document. Each round is a fresh server on the sandbox networks with posts, files,
# failures and comments in it, on SQLite and PostgreSQL in turn.
#
#   scripts/fuzz-api.sh [minutes]                     10 minutes; 60 for a release
#
# Prints the requests, the operations that were reached and the failures of each round, and exits
# 1 when an answer is a 5xx or is not documented, when the server has panicked or logged an error,
# or when within five minutes and more an operation was never answered with success.
#
#   FUZZ_API_SEED=1       another run (each round adds one); the same seed makes the same requests
#   FUZZ_API_BINARY=…     a scheduler that is built already; without it one is built
#   FUZZ_API_DATABASES=…  sqlite, postgresql or both with a comma between
#   FUZZ_API_OPTIONAL=1   leaves it out, with a message, where it cannot run
#
# Needs Python from 3.11 with venv, PostgreSQL's programs, unshare and ip. Schemathesis is installed into target/, in the
# versions of scripts/fuzz-api/requirements.txt. Server and Schemathesis run in a network of their
# own, which has nothing but a loopback: what is made up may be anybody's address.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:-10}
target=${CARGO_TARGET_DIR:-target}
python=$target/fuzz-api/bin/python
wanted=scripts/fuzz-api/requirements.txt

leave_out() {
  echo "$*" >&2
  if [ "${FUZZ_API_OPTIONAL:-}" != 1 ]; then exit 1; fi
  echo "LEFT OUT: fuzzing from outside"
  exit 0
}

if [ "$(id -u)" = 0 ]; then own=(); else own=(--user --map-root-user); fi
if ! unshare "${own[@]}" --net --pid --fork --mount-proc ip link set lo up 2>/dev/null; then
  leave_out "No network of its own can be made here: that takes unshare, ip and the right to it."
fi
if ! cmp -s "$wanted" "$target/fuzz-api/installed"; then
  rm -rf "$target/fuzz-api"
  if ! { python3 -m venv "$target/fuzz-api" &&
    "$python" -m pip install --quiet --disable-pip-version-check --require-hashes --requirement "$wanted" &&
    cp "$wanted" "$target/fuzz-api/installed"; }; then
    leave_out "Schemathesis cannot be installed: that takes Python's venv, and PyPI or a copy of it that pip knows."
  fi
fi
binary=${FUZZ_API_BINARY:-}
if [ -z "$binary" ]; then
  cargo build --quiet --package scheduler-cli
  binary=$target/debug/scheduler
fi

folder=$(mktemp -d)
export PYTHONDONTWRITEBYTECODE=1
# PostgreSQL does not run as root.
if [ "$(id -u)" = 0 ]; then
  user=postgres
  id -u "$user" >/dev/null 2>&1 || user=nobody
  chmod 711 "$folder"
  install -d -o "$user" "$folder/postgres"
  export FUZZ_API_POSTGRES_AS="setpriv --reuid=$(id -u "$user") --regid=$(id -g "$user") --clear-groups --"
else
  mkdir "$folder/postgres"
  export FUZZ_API_POSTGRES_AS="unshare --user --map-user=1000 --"
fi
status=0
unshare "${own[@]}" --net --pid --fork --kill-child --mount-proc sh -euc '
  ip link set lo up
  exec "$@"
' fuzz-api "$python" scripts/fuzz-api/run.py "$folder" "$(realpath "$binary")" "$minutes" || status=$?
if [ "$status" = 0 ]; then
  rm -rf "$folder"
else
  echo "The reports and logs are in $folder"
fi
exit "$status"
