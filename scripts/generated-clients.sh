#!/usr/bin/env bash
# Generates clients of the API from the document of the built server, as clients/README.md says, and
# has them call every operation on the sandbox networks: @hey-api/openapi-ts, openapi-typescript and
# orval, compiled by `tsc --strict`, and openapi-python-client, without a warning.
#
#   scripts/generated-clients.sh
#
# The generators are installed into a cache folder (CLIENTS_CACHE, else one of the user's); those of
# a language that cannot be had are left out, with a message. CLIENTS_BINARY names a built
# scheduler; without it one is built. Exits 1 when something does not compile, warns, or is answered
# otherwise than it should be.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=${CLIENTS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/scheduler-generated-clients}
mkdir -p "$cache/node"
. scripts/packages.sh
program=$(realpath "$(program "${CLIENTS_BINARY:-}")")

typescript=(@hey-api/openapi-ts@0.95.0 openapi-typescript@7.13.0 openapi-fetch@0.17.0 orval@7.13.2
  typescript@5.9.3 tsx@4.20.6 @types/node@20.19.25)
has_typescript=0 has_python_client=0
if command -v npm >/dev/null 2>&1 && npm_install "${typescript[@]}"; then
  has_typescript=1
else
  leave_out_npm "TypeScript: npm cannot be reached, see $cache/npm.log"
fi
if has_python && pip_install openapi-python-client==0.29.1; then
  has_python_client=1
else
  leave_out "Python: PyPI cannot be reached, see $cache/pip.log"
fi
if [ "$has_typescript$has_python_client" = 00 ]; then exit 0; fi

folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
export SCHEDULER_DATA=$folder/data SCHEDULER_METRICS_REFRESH_SECONDS=1
mkfifo "$folder/server"
(cd "$folder" && exec "$program" serve --sandbox --listen 127.0.0.1:0 --json) \
  >"$folder/server" 2>"$folder/log" &
exec 3<"$folder/server"
field() { python3 -c 'import json, sys; print(json.loads(sys.argv[1])[sys.argv[2]])' "$@"; }
while read -r line <&3; do
  case $line in
  *'"sandbox"'*) sandbox=$(field "$line" sandbox) ;;
  *'"listening"'*) break ;;
  esac
done
address=$(field "$line" listening)
key=$(cat "$SCHEDULER_DATA/first-key")
(cd "$folder" && SCHEDULER_SANDBOX_URL=$sandbox "$program" accounts connect linkedin --sandbox) >/dev/null
curl -fsS "$sandbox/_sandbox/faults" -H 'content-type: application/json' \
  -d '{"platform":"bluesky","operation":"publish","kind":"permanent","containing":"refused","times":1000}' >/dev/null
curl -fsS "$address/v1/openapi.json" -o "$folder/openapi.json"
curl -fsS "$address/app/openapi.json" -o "$folder/application.json"
python3 - "$folder" <<'PYTHON'
import sys
sys.path.insert(0, "scripts")
from samples import film, picture
for name, content in (("picture.png", picture()), ("film.mp4", film(20 << 20, seconds=20))):
    with open(f"{sys.argv[1]}/{name}", "wb") as file:
        file.write(content)
PYTHON
arguments=("$address" "$key" "$folder/picture.png" "$folder/film.mp4")

status=0
if [ "$has_typescript" = 1 ]; then
  # Beside the packages, where they are found.
  work=$cache/node/work
  rm -rf "$work"
  mkdir "$work"
  cp clients/typescript/* "$folder"/*.json "$work/"
  echo '{"private":true,"type":"module"}' >"$work/package.json"
  generate() {
    cd "$work" &&
      npx openapi-ts -i openapi.json -o generated/hey-api &&
      npx openapi-ts -i application.json -o generated/hey-api-application &&
      npx openapi-typescript openapi.json -o generated/openapi-typescript.ts &&
      npx openapi-typescript application.json -o generated/openapi-typescript-application.ts &&
      npx orval
  }
  (generate) >"$folder/typescript.log" 2>&1 || { cat "$folder/typescript.log"; exit 1; }
  (cd "$work" && npx tsc) || status=1
  (cd "$work" && npx tsx every-operation.ts "${arguments[@]}") || status=1
  (cd "$work" && npx tsx typed-requests.ts "${arguments[@]}") || status=1
fi
if [ "$has_python_client" = 1 ]; then
  for document in openapi application; do
    "$cache/python/bin/openapi-python-client" generate --path "$folder/$document.json" \
      --config clients/python/config.yaml --meta none --output-path "$folder/$document/scheduler_client" \
      --fail-on-warning >"$folder/python.log" 2>&1 || { cat "$folder/python.log"; status=1; }
  done
  PYTHONPATH=$folder/openapi "$cache/python/bin/python" clients/python/every_operation.py \
    "${arguments[@]}" || status=1
fi
exit "$status"
