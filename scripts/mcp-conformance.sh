#!/usr/bin/env bash
# Runs the conformance suite of the Model Context Protocol, in the revision with a handshake and in the
# one without, against two servers: `POST /mcp` of the built scheduler, and the example `conformance`
# of scheduler-mcp, which offers the tools, prompts and resources of the suite's own through the same
# code. Then the protocol's inspector over the lists of the scheduler.
#
# Every scenario of the suite passes, or is named below with the reason why it does not apply.
#
#   scripts/mcp-conformance.sh
#
# The packages of npm are installed into a cache folder (MCP_CONFORMANCE_CACHE, else one of the
# user's), with the Node.js that they need; where they cannot be had nothing is run, with a message,
# or it fails where SCHEDULER_REQUIRE_NPM is 1.
# MCP_CONFORMANCE_BINARY names a built scheduler and MCP_CONFORMANCE_EXAMPLE the built example; without
# them they are built. Exits 1 when a check fails.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=${MCP_CONFORMANCE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/scheduler-mcp-conformance}
mkdir -p "$cache/node"
. scripts/packages.sh
program=$(realpath "$(program "${MCP_CONFORMANCE_BINARY:-}")")
example=${MCP_CONFORMANCE_EXAMPLE:-}
if [ -z "$example" ]; then
  cargo build --quiet --package scheduler-mcp --example conformance
  example=${CARGO_TARGET_DIR:-target}/debug/examples/conformance
fi
example=$(realpath "$example")
packages=(@modelcontextprotocol/conformance@0.2.0-alpha.12 @modelcontextprotocol/inspector@2.12.0 node@22.21.1)
if ! command -v npm >/dev/null 2>&1 || ! npm_install "${packages[@]}"; then
  leave_out_npm "MCP: npm cannot be reached, see $cache/npm.log"
  exit 0
fi
node=$cache/node/node_modules/node/bin/node
[ -x "$node" ] || { leave_out_npm "MCP: npm has no Node.js 22 for this machine"; exit 0; }

folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
export SCHEDULER_DATA=$folder/data
export SCHEDULER_RATE_LIMIT_PER_MINUTE=100000 SCHEDULER_RATE_LIMIT_BURST=10000
mkfifo "$folder/server"
(cd "$folder" && exec "$program" serve --sandbox --listen 127.0.0.1:0 --json) \
  >"$folder/server" 2>"$folder/log" &
exec 3<"$folder/server"
while read -r line <&3; do
  case $line in *'"listening"'*) break ;; esac
done
server=$("$node" -e 'console.log(JSON.parse(process.argv[1]).listening)' "$line")

# Has requests to a server sent with a key, for the suite has no place for one; where, is in `proxy`.
with_key() { # address, key
  rm -f "$folder/proxy"
  mkfifo "$folder/proxy"
  "$node" scripts/mcp-conformance/key-proxy.mjs "$1" "$2" >"$folder/proxy" &
  read -r proxy <"$folder/proxy"
}
with_key "$server" "$(cat "$SCHEDULER_DATA/first-key")"
product=$proxy
mkfifo "$folder/example"
"$example" >"$folder/example" 2>"$folder/example.log" &
exec 4<"$folder/example"
read -r line <&4
with_key "$("$node" -e 'console.log(JSON.parse(process.argv[1]).listening)' "$line")" \
  "$("$node" -e 'console.log(JSON.parse(process.argv[1]).key)' "$line")"
own=$proxy

conformance() { "$node" "$cache/node/node_modules/.bin/conformance" "$@"; }
conformance list >"$folder/list"
# The scenarios of a revision, or those of extensions.
scenarios() { # revision or "extension"
  sed -n '/^Server scenarios/,/^Client scenarios/s/^  - \([^ ]*\) \[\(.*\)\]$/\1 \2/p' "$folder/list" |
    awk -v want="$1" '{ n = split($2, all, ","); for (i = 1; i <= n; i++) if (all[i] == want) print $1 }'
}

# Why a scenario does not apply to either server; nothing where it does.
reason() { # revision, scenario
  case $1/$2 in
    2025-11-25/server-session-lifecycle) echo "no sessions are kept" ;;
    2025-11-25/server-sse-polling | 2025-11-25/server-sse-multiple-streams)
      echo "streams that go on belong to a session, and none are kept" ;;
    2025-11-25/tools-call-sampling | 2025-11-25/tools-call-elicitation | 2025-11-25/elicitation-sep*)
      echo "a server asks its client within a session in this revision, and none are kept" ;;
    extension/tasks-*) echo "the extension of tasks is not offered" ;;
    extension/sep-2640-skills-*) echo "the extension of skills is not offered" ;;
  esac
}

# Why a scenario does not apply to the scheduler, beyond that.
reason_of_product() { # scenario
  case $1 in
    tools-call-* | json-schema-2020-12 | http-custom-header-server-validation | \
      input-required-result-basic-* | input-required-result-request-state | \
      input-required-result-multi* | input-required-result-result-type | \
      input-required-result-tampered-state | input-required-result-capability-check | \
      server-stateless) echo "calls tools of the suite's own" ;;
    prompts-get-* | input-required-result-non-tool-request) echo "fills prompts of the suite's own" ;;
    resources-read-* | resources-templates-read) echo "reads resources of the suite's own" ;;
    resources-subscribe | resources-unsubscribe) echo "no resource can be subscribed to" ;;
    logging-set-level) echo "no log is sent to clients" ;;
  esac
}

status=0
# Runs a revision of the suite against a server.
suite() { # name, address, revision
  local log=$folder/suite.log name why passed
  conformance server --url "$2/mcp" --suite all --spec-version "$3" >"$log" 2>&1 || true
  for name in $(scenarios "$3"); do
    why=$(reason "$3" "$name")
    if [ "$1" = scheduler ] && [ -z "$why" ]; then why=$(reason_of_product "$name"); fi
    passed=$(sed -n "s/^✓ $name: \([1-9][0-9]*\) passed, 0 failed.*/\1/p" "$log")
    if [ -n "$why" ]; then
      echo "--   $1 $3 $name: $why"
    elif [ -n "$passed" ]; then
      echo "ok   $1 $3 $name ($passed)"
    else
      echo "FAIL $1 $3 $name"
      sed -n "/Running scenario: $name ===/,/=== Running/p; /^[^✓]* $name: /p" "$log"
      status=1
    fi
  done
}
for revision in 2025-11-25 2026-07-28; do
  suite scheduler "$product" "$revision"
  suite example "$own" "$revision"
done
for name in $(scenarios extension); do
  why=$(reason extension "$name")
  if [ -n "$why" ]; then echo "--   $name: $why"; else echo "FAIL $name is not known"; status=1; fi
done

for method in tools/list prompts/list resources/list resources/templates/list; do
  if "$node" "$cache/node/node_modules/.bin/mcp-inspector" --cli "$product/mcp" --transport http \
    --method "$method" --format json >"$folder/list.json" 2>"$folder/inspector.log"; then
    echo "ok   inspector $method"
  else
    echo "FAIL inspector $method"
    cat "$folder/inspector.log"
    status=1
  fi
done
exit "$status"
