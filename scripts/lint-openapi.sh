#!/usr/bin/env bash
# Writes the OpenAPI documents and has Redocly's linter look at them; needs node and npm.
# OPENAPI_BINARY names a built example `openapi`; without it one is built.
set -euo pipefail
cd "$(dirname "$0")/.."
linter='@redocly/cli@2.14.0'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
document() {
  if [ -n "${OPENAPI_BINARY:-}" ]; then
    "$OPENAPI_BINARY" "$@"
  else
    cargo run --quiet --example openapi -- "$@"
  fi
}
document >"$folder/openapi.json"
document application >"$folder/application.json"
cp redocly.yaml "$folder/"
cd "$folder"
REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true NO_COLOR=1 \
  npx --yes "$linter" lint --config redocly.yaml --max-problems 1000 openapi.json application.json 2>&1 |
  tee lint.log
# A warning is a fault as well.
if grep -q 'warning' lint.log; then
  echo 'The linter warns.' >&2
  exit 1
fi
