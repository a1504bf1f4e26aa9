#!/usr/bin/env bash
# Has clients that others wrote speak with the imitations of the networks: who am I, a text, a
# picture, reading back, editing, deleting, and calls that are refused, whose errors they must read.
#
#   scripts/clients.sh [client …]
#
# They are installed into a cache folder (CLIENTS_CACHE, else one of the user's); what cannot be
# installed is left out, with a message. CLIENTS_BINARY names a built scheduler; without it one is
# built. Prints a line for each client, and below it what came out otherwise than the client wants.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=${CLIENTS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/scheduler-clients}
mkdir -p "$cache/node/trials"

. scripts/packages.sh

# Versions that Node.js 20 and Python 3.11 run, and later ones.
node_clients=(masto@7.12.0 @atproto/api@0.19.19 grammy@1.46.0 discord.js@14.28.1
  googleapis@178.0.0 twitter-api-v2@1.29.1 tumblr.js@5.0.1)
python_clients=(discord.py==2.7.1 python-telegram-bot==22.8 google-api-python-client==2.202.0
  Mastodon.py==2.3.3)

names=()
wanted() { [ "${#only[@]}" = 0 ] || printf '%s\n' "${only[@]}" | grep -qxF -- "$1"; }
only=("$@")

if ! command -v python3 >/dev/null 2>&1; then
  leave_out "all clients: python3 is not installed"
  exit 0
fi
if command -v npm >/dev/null 2>&1; then
  for client in "${node_clients[@]}"; do
    name=${client%@*} version=${client##*@}
    wanted "$name" || continue
    installed=$(node -p "require('$cache/node/node_modules/$name/package.json').version" 2>/dev/null || true)
    if [ "$installed" = "$version" ] || npm_install "$client"; then
      names+=("$name")
    else
      leave_out_npm "$name: npm cannot install it, see $cache/npm.log"
    fi
  done
  cp scripts/clients/*.mjs "$cache/node/trials/"
else
  leave_out_npm "clients for Node.js: npm is not installed"
fi
if has_python; then
  for client in "${python_clients[@]}"; do
    name=${client%==*}
    wanted "$name" || continue
    if pip_install "$client"; then
      names+=("$name")
    else
      leave_out "$name: pip cannot install it, see $cache/pip.log"
    fi
  done
else
  leave_out "clients for Python: no virtual environment can be made, see $cache/pip.log"
fi
if [ "${#names[@]}" = 0 ]; then exit 0; fi

binary=$(program "${CLIENTS_BINARY:-}")
exec python3 scripts/clients/run.py "$binary" "$cache" "${names[@]}"
