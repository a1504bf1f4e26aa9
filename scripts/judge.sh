#!/usr/bin/env bash
# Holds every request that the adapters make in their tests against the imitations to what the
# networks' own machine-readable descriptions say: method, path, parameters, body.
#
#   scripts/judge.sh
#
# The descriptions are not kept here. They are fetched into a cache folder (JUDGE_CACHE, else one of
# the user's) with the packages that carry them: Bluesky's lexicons (@atproto/api), Discord's
# OpenAPI document as types (discord-api-spec), the page of Telegram's Bot API as types
# (@gramio/types), Google's discovery documents (google-api-python-client), Pinterest's and X's
# OpenAPI documents as clients (pinterestsdk, xdk). Mastodon publishes none; the types of its client
# masto stand in. What cannot be had is left out, with a message; Facebook, Instagram, LinkedIn,
# Threads, TikTok and Tumblr publish none. JUDGE_TEST names the built test binary `sandbox` of
# scheduler-networks; without it one is built.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=${JUDGE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/scheduler-judge}
mkdir -p "$cache/node"

. scripts/packages.sh

networks=()
if command -v npm >/dev/null 2>&1; then
  cp scripts/judge/judge.mjs "$cache/node/"
  fetch() { # network, packages
    local network=$1
    shift
    if npm_install "$@"; then
      networks+=("$network")
    else
      leave_out_npm "$network: npm cannot install $*, see $cache/npm.log"
    fi
  }
  fetch bluesky @atproto/api@0.19.19
  fetch discord typescript@5.9.3 discord-api-spec@10.0.266135
  fetch telegram typescript@5.9.3 @gramio/types@10.3.1
  fetch mastodon typescript@5.9.3 masto@7.12.0
else
  leave_out_npm "bluesky, discord, telegram, mastodon: npm is not installed"
fi
if has_python; then
  for pair in youtube:google-api-python-client==2.202.0 pinterest:pinterestsdk==2.1.0 twitter:xdk==0.10.6; do
    if pip_install "${pair#*:}"; then
      networks+=("${pair%%:*}")
    else
      leave_out "${pair%%:*}: pip cannot install ${pair#*:}, see $cache/pip.log"
    fi
  done
else
  leave_out "youtube, pinterest, twitter: no virtual environment can be made, see $cache/pip.log"
fi
if [ "${#networks[@]}" = 0 ]; then exit 0; fi

test=${JUDGE_TEST:-}
if [ -z "$test" ]; then
  test=$(cargo test --workspace --test sandbox --no-run --message-format=json 2>"$cache/build.log" |
    sed -n 's/.*"executable":"\([^"]*\/sandbox-[^"]*\)".*/\1/p' | tail -1)
fi
test=$(realpath "$test")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/kept"
if ! (cd scheduler-networks && JUDGE_RECORD=$folder/kept "$test") >"$folder/tests.log" 2>&1; then
  tail -40 "$folder/tests.log"
  echo "The adapters' tests do not pass, so nothing was judged."
  exit 1
fi
python3 scripts/judge/collect.py "$folder/kept" >"$folder/requests.json"
python3 scripts/judge/run.py "$cache" "$folder/requests.json" "${networks[@]}"
