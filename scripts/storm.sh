#!/usr/bin/env bash
# A storm over the built server: two nodes on a PostgreSQL with a synchronous standby publish to 13
# imitated networks while database, nodes, clocks, receiver and networks fail at random; then the
# same on SQLite while its disk fills up. At the end it counts at the networks: nothing lost,
# nothing doubled, one event for each end. Exits non-zero when anything is wrong, and names the
# posts, the seed, and where the logs are.
#
#   scripts/storm.sh [minutes] [targets] [seed]       10 minutes, 2000 targets, a new seed
#
# STORM_FAULTS chooses some faults, with commas between, or none; tests/storm/plan.rs lists them.
# STORM_LOG is the level of the nodes' logs, and STORM_KEEP=1 leaves them there in any case.
# The test command runs the short form of one minute. Needs PostgreSQL's programs and cc; the part
# with the full disk needs root.
set -euo pipefail
cd "$(dirname "$0")/.."
export STORM_MINUTES=${1:-10} STORM_TARGETS=${2:-2000} STORM_SEED=${3:-}
export SCHEDULER_REQUIRE_POSTGRES=1
exec cargo test --test storm -- --nocapture --test-threads=1
