#!/usr/bin/env bash
# Runs the conformance tests of the adapters, and sums up for each network what became of its
# posts when the process died or an answer was lost, before and after every request and every pair
# of requests:
#   kinds     kinds of posts that were tried
#   steps     requests of these posts, each of which was cut in turn
#   runs      publishes that were disturbed so
#   doubled   runs after which something was live twice; must be 0
#   lost      runs after which something was missing and nobody was told; must be 0
#   in doubt  runs after which a person was asked, where the network offers no way to find out
#   sandbox   tests of the adapter over HTTP against its imitation: passed / failed
# Exits 0 only when every test has passed, and nothing was doubled or lost.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TERM_COLOR=never

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
# The adapters' own tests with what they print; then the tests against the sandbox.
cargo test --quiet --package scheduler-networks --lib --no-run
cargo test --quiet --package scheduler-networks --lib -- --nocapture >"$log" 2>&1 || status=1
cargo test --package scheduler-networks --test sandbox >>"$log" 2>&1 || status=1
grep -E '^(error|warning: unused)|panicked at|^test result|FAILED' "$log" >&2 || true

# Other output may stand before a line of counts, since tests run beside each other.
grep -oE 'conformance [a-z]+ kinds=.*|^test [a-z_]+::.* \.\.\. (ok|FAILED)' "$log" | awk '
  /^conformance / {
    seen[$2] = 1
    for (field = 3; field <= NF; field++) {
      split($field, pair, "=")
      sum[$2, pair[1]] += pair[2]
    }
    next
  }
  # A test of the sandbox belongs to the network whose name its module begins with.
  { split($2, path, "::"); tests[path[1], $NF == "ok"]++; modules[path[1]] = 1 }
  END {
    for (module in modules) {
      split(module, part, "_")
      passed[part[1]] += tests[module, 1]; failed[part[1]] += tests[module, 0]
    }
    row = "%-10s %6s %6s %8s %8s %6s %9s %9s\n"
    printf row, "network", "kinds", "steps", "runs", "doubled", "lost", "in doubt", "sandbox"
    command = "sort"
    for (network in seen) {
      printf row, network, sum[network, "kinds"], sum[network, "steps"], sum[network, "runs"],
        sum[network, "doubled"], sum[network, "lost"], sum[network, "in_doubt"],
        (passed[network] + 0) "/" (failed[network] + 0) | command
      bad += sum[network, "doubled"] + sum[network, "lost"]
      networks++
    }
    close(command)
    printf "%d networks\n", networks
    exit (networks == 0 || bad > 0)
  }' || status=1
exit "$status"
