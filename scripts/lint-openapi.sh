#!/usr/bin/env bash
# Writes the OpenAPI documents and has the linters of Redocly and Spectral look at them, by the rules
# that each recommends; needs node and npm.
# OPENAPI_BINARY names a built example `openapi`; without it one is built.
set -euo pipefail
cd "$(dirname "$0")/.."
redocly='@redocly/cli@2.14.0'
spectral='@stoplight/spectral-cli@6.16.3'

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
  npx --yes "$redocly" lint --config redocly.yaml --max-problems 1000 openapi.json application.json 2>&1 |
  tee lint.log
# A warning is a fault as well.
if grep -q 'warning' lint.log; then
  echo 'Redocly warns.' >&2
  exit 1
fi
echo 'extends: ["spectral:oas"]' >.spectral.yaml
NO_COLOR=1 npx --yes "$spectral" lint --fail-severity=hint openapi.json application.json
