#!/usr/bin/env bash
# Attacks the built server as somebody would who wants the whole machine, with the smallest key or
# with none, on SQLite and on PostgreSQL, beside a hundred workspaces; prints a table of what it
# found. Exits 1 when a figure is beyond its bound, or a row of the table in docs/security.md is
# missing on a database. About an hour on 2 cores, which should have nothing else to do.
#
#   scripts/attack.sh              the sizes of the issue
#   scripts/attack.sh short        what the test command runs; times are told and not judged
#
# ATTACK_ONLY=fairness attacks with that file of tests/server/attack, and misses no other row. ATTACK_TESTS names
# a test binary (target/<profile>/deps/server-…) with a built scheduler beside its folder; without
# it both are built for release. Needs PostgreSQL's programs.
set -euo pipefail
cd "$(dirname "$0")/.."
form=${1:-long}
tests=${ATTACK_TESTS:-}
if [ -z "$tests" ]; then
  cargo build --release --quiet --package scheduler-cli
  tests=$(cargo test --release --quiet --test server --no-run --message-format=json |
    python3 -c 'import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told.get("executable") and told["target"]["name"] == "server":
        print(told["executable"])')
fi
export SCHEDULER_ATTACK=$form SCHEDULER_REQUIRE_POSTGRES=1
exec python3 scripts/attack.py "$tests" "$form" "${ATTACK_ONLY:-}"
