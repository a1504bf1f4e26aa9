#!/usr/bin/env bash
# One trial on one network: publishes a post on a test account, looks at its figures and comments,
# edits it, takes it down, and prints what differed from the same on the imitation.
#
#   scripts/live.sh NETWORK              on the network itself; asks first
#   scripts/live.sh NETWORK --imitation  the same plan on the imitation alone
#
# What stands in the environment says as whom. Bluesky: LIVE_IDENTIFIER and
# SCHEDULER_BLUESKY_APP_PASSWORD. Mastodon: LIVE_INSTANCE and SCHEDULER_MASTODON_TOKEN. Telegram:
# LIVE_CHAT and SCHEDULER_TELEGRAM_BOT_TOKEN. Discord: SCHEDULER_DISCORD_WEBHOOK_URL. The others are
# connected in a browser: LIVE_DATA names a data folder of a server in which nothing but the test
# account of that network is connected, and LIVE_API_KEY a key of it; it is copied, and the copy is
# removed again. LIVE_VIDEO names a video (TikTok, YouTube), LIVE_PICTURE another picture than ours,
# LIVE_BOARD a board of Pinterest. Settings of the networks' applications are those of the server.
# LIVE_BINARY names a built scheduler; without it one is built. LIVE_YES=NETWORK answers the question.
set -euo pipefail
cd "$(dirname "$0")/.."
network=${1:?usage: scripts/live.sh NETWORK [--imitation]}
. scripts/packages.sh
binary=$(program "${LIVE_BINARY:-}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -m 700 "$folder/imitation" "$folder/live"
imitation() { env -u LIVE_API_KEY -u LIVE_BOARD -u SCHEDULER_SANDBOX_URL python3 scripts/live/run.py "$binary" "$folder/imitation" "$network" imitation; }
if [ "${2:-}" = --imitation ]; then
  imitation
  exit
fi

answer=${LIVE_YES:-}
if [ -z "$answer" ] && [ -t 0 ]; then
  echo "This publishes a post on $network, where others may see it, and takes it down again."
  read -r -p "Type the name of the network to go on: " answer
fi
if [ "$answer" != "$network" ]; then
  echo "Nothing was done." >&2
  exit 2
fi

# LIVE_SANDBOX is for trying this script out: the account is one of the sandbox of that address.
connect() {
  "$binary" workspace create trial --data "$folder/live" >/dev/null
  LIVE_API_KEY=$("$binary" keys create --json --name trial --preset full --expires 30d \
    --data "$folder/live" | python3 -c 'import json, sys; print(json.load(sys.stdin)["key"])')
  export LIVE_API_KEY
  "$binary" accounts connect "$network" --data "$folder/live" "$@" >/dev/null
}
if [ -n "${LIVE_SANDBOX:-}" ]; then
  export SCHEDULER_SANDBOX_URL=$LIVE_SANDBOX
  connect --sandbox
elif [ -n "${LIVE_DATA:-}" ]; then
  cp -a "$LIVE_DATA/." "$folder/live"
  : "${LIVE_API_KEY:?a key of the server of LIVE_DATA}"
else
  case $network in
    bluesky) : "${SCHEDULER_BLUESKY_APP_PASSWORD:?}"; connect --identifier "${LIVE_IDENTIFIER:?}" ;;
    mastodon) : "${SCHEDULER_MASTODON_TOKEN:?}"; connect --instance "${LIVE_INSTANCE:?}" ;;
    telegram) : "${SCHEDULER_TELEGRAM_BOT_TOKEN:?}"; connect --chat "${LIVE_CHAT:?}" ;;
    discord) : "${SCHEDULER_DISCORD_WEBHOOK_URL:?}"; connect ;;
    *) echo "$network is connected in a browser: LIVE_DATA has to name a data folder." >&2; exit 2 ;;
  esac
fi
imitation >"$folder/expected" || { cat "$folder/expected"; echo "The plan fails on the imitation, so it was not tried." >&2; exit 1; }
python3 scripts/live/run.py "$binary" "$folder/live" "$network" live "$folder/expected"
