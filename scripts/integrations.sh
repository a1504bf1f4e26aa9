#!/usr/bin/env bash
# Runs the programs of integrations/ against the built server on the sandbox networks: the GitHub
# Action as its runner starts it, the step for Zapier, and the n8n nodes by n8n's own classes, after
# they were compiled and linted as n8n asks of community nodes; and the example of the Rust client.
#
#   scripts/integrations.sh
#
# The packages of npm are installed into a cache folder (INTEGRATIONS_CACHE, else one of the
# user's); what needs them is left out, with a message, where they cannot be had; where
# SCHEDULER_REQUIRE_NPM is 1, it fails.
# INTEGRATIONS_BINARY names a built scheduler; without it one is built. Exits 1 when something does
# not compile, is not as n8n asks, or does otherwise than it should.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=${INTEGRATIONS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/scheduler-integrations}
mkdir -p "$cache/node"
. scripts/packages.sh
if ! command -v node >/dev/null 2>&1; then
  leave_out_npm "integrations: Node.js is not installed"
  exit 0
fi
program=$(realpath "$(program "${INTEGRATIONS_BINARY:-}")")

folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
export SCHEDULER_DATA=$folder/data SCHEDULER_WEBHOOKS_ALLOW_PRIVATE=true
# n8n's classes keep the id of an installation in a folder.
export N8N_USER_FOLDER=$folder
mkfifo "$folder/server"
(cd "$folder" && exec "$program" serve --sandbox --listen 127.0.0.1:0 --json) \
  >"$folder/server" 2>"$folder/log" &
exec 3<"$folder/server"
field() { node -e 'console.log(JSON.parse(process.argv[1])[process.argv[2]])' "$@"; }
listening=
while read -r line <&3; do
  case $line in
  *'"sandbox"'*) sandbox=$(field "$line" sandbox) ;;
  *'"listening"'*) listening=$(field "$line" listening); break ;;
  esac
done
if [ -z "$listening" ]; then
  cat "$folder/log" >&2
  echo "The server does not start; its log is above." >&2
  exit 1
fi
SCHEDULER_TEST_URL=$listening
SCHEDULER_TEST_KEY=$(cat "$SCHEDULER_DATA/first-key")
SCHEDULER_TEST_PICTURE=$folder/picture.png
export SCHEDULER_TEST_URL SCHEDULER_TEST_KEY SCHEDULER_TEST_PICTURE
python3 - "$SCHEDULER_TEST_PICTURE" <<'PYTHON'
import sys
sys.path.insert(0, "scripts")
from samples import picture
with open(sys.argv[1], "wb") as file:
    file.write(picture())
PYTHON
curl -fsS "$sandbox/_sandbox/faults" -H 'content-type: application/json' \
  -d '{"platform":"bluesky","operation":"publish","kind":"permanent","containing":"refused","times":1000}' >/dev/null

status=0
# Stands beside the program.
example=$(dirname "$program")/examples/client
[ -x "$example" ] || cargo build --quiet --example client
SCHEDULER_API_KEY=$SCHEDULER_TEST_KEY "$example" "$SCHEDULER_TEST_URL" mastodon "Hello from a program" ||
  status=1

# Node.js alone.
node --test --test-timeout=60000 scripts/integrations/github-action.test.mjs scripts/integrations/zapier.test.mjs || status=1

# What n8n's packages would compile for other uses of theirs is not needed.
n8n=(n8n-core@2.41.1 n8n-workflow@2.41.0 @n8n/node-cli@0.48.3 typescript@5.9.3 @types/node@20.19.25)
if ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'; then
  leave_out_npm "n8n: it needs Node.js 20.19 or later"
elif command -v npm >/dev/null 2>&1 && npm_install --ignore-scripts "${n8n[@]}"; then
  # Beside the packages, where they are found.
  rm -rf "$cache/node/n8n-nodes-scheduler"
  cp -r integrations/n8n-nodes-scheduler "$cache/node/"
  for step in build lint; do
    (cd "$cache/node/n8n-nodes-scheduler" && npx n8n-node "$step") >"$folder/$step.log" 2>&1 ||
      { cat "$folder/$step.log"; status=1; }
  done
  N8N_MODULES=$cache/node node --test --test-timeout=60000 scripts/integrations/n8n.test.mjs || status=1
else
  leave_out_npm "n8n: npm cannot be reached, see $cache/npm.log"
fi
exit "$status"
