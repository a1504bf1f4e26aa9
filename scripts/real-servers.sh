#!/usr/bin/env bash
# Publishes through the built server to real ones: Bluesky's own PDS (npm), for an account that is
# connected on its page and one that is by app password, and snac, a server of the fediverse
# (Debian). Kills the built server in the middle, and counts at the real ones.
#
#   scripts/real-servers.sh [posts] [kills]
#
# Both are installed into a cache folder (REAL_SERVERS_CACHE, else one of the user's) and run in a
# network namespace of its own, in which the networks' names lead to an address of its loopback;
# so the scheduler is run as it is shipped, with TLS and its guard against private addresses.
# What cannot be installed is left out, with a message. REAL_SERVERS_BINARY names a built
# scheduler; without it one is built.
set -euo pipefail
cd "$(dirname "$0")/.."
posts=${1:-24}
kills=${2:-4}
cache=${REAL_SERVERS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/scheduler-real-servers}
mkdir -p "$cache"

. scripts/packages.sh

for program in node npm; do
  if ! command -v "$program" >/dev/null 2>&1; then
    leave_out_npm "real servers: $program is not installed"
    exit 0
  fi
done
for program in python3 openssl unshare ip; do
  if ! command -v "$program" >/dev/null 2>&1; then
    leave_out "real servers: $program is not installed"
    exit 0
  fi
done
if [ "$(id -u)" != 0 ] || ! unshare --net --mount true 2>/dev/null; then
  leave_out "real servers: no network namespace can be made here, which takes root"
  exit 0
fi

# The PDS: the newest whose Node.js is here.
major=$(node -p 'process.versions.node.split(".")[0]')
pds=0.4.217
if [ "$major" -ge 22 ]; then pds=0.5.35; fi
has_pds() { (cd "$cache/pds-$pds" && node -e 'require("better-sqlite3"); require("@did-plc/server")') >/dev/null 2>&1; }
if ! has_pds; then
  mkdir -p "$cache/pds-$pds"
  echo '{"private":true}' >"$cache/pds-$pds/package.json"
  # A part of it is compiled; Node.js brings its headers.
  home=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
  if [ -e "$home/include/node/node.h" ]; then export npm_config_nodedir=$home; fi
  (cd "$cache/pds-$pds" && timeout 420 npm install --no-audit --no-fund --loglevel=error \
    "@atproto/pds@$pds" @did-plc/server@0.0.1) >"$cache/npm.log" 2>&1 || true
fi
servers=
if has_pds; then
  servers="pds"
else
  leave_out_npm "the PDS: npm cannot install it, see $cache/npm.log"
fi

# snac: what Debian has for this release, else the source of the next one.
install_snac() {
  if command -v snac >/dev/null 2>&1; then cp "$(command -v snac)" "$cache/snac"; return; fi
  apt-get update -qq
  export DEBIAN_FRONTEND=noninteractive
  if apt-cache show snac2 >/dev/null 2>&1; then
    apt-get install -y -qq --no-install-recommends snac2
    cp "$(command -v snac)" "$cache/snac"
    return
  fi
  apt-get install -y -qq --no-install-recommends gcc libc6-dev make libcurl4-openssl-dev libssl-dev
  local folder=$cache/apt here next=trixie
  here=$(. /etc/os-release && echo "$VERSION_CODENAME")
  rm -rf "$folder"
  mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/source"
  # The sources of this machine, for the next release.
  if [ -e /etc/apt/sources.list.d/debian.sources ]; then
    awk -v here="$here" -v next_="$next" 'BEGIN { RS = ""; ORS = "\n\n" }
      $0 ~ "Suites: " here "( |\n|$)" {
        sub("Suites: [^\n]*", "Suites: " next_); sub("Types: [^\n]*", "Types: deb-src"); print
      }' /etc/apt/sources.list.d/debian.sources >"$folder/next.sources"
  else
    sed -n "s/^deb \(.*\) $here main.*/deb-src \1 $next main/p" /etc/apt/sources.list \
      >"$folder/next.list"
  fi
  cat >"$folder/apt.conf" <<CONF
Dir::Etc::SourceList "$(ls "$folder"/next.*)";
Dir::Etc::SourceParts "-";
Dir::State::Lists "$folder/lists";
Dir::Cache "$folder/cache";
APT::Sandbox::User "root";
CONF
  (
    export APT_CONFIG=$folder/apt.conf
    cd "$folder/source"
    apt-get update -qq
    apt-get source --download-only -qq snac2
    tar xf snac2_*.orig.tar.*
    make -s -C snac2-*/
    cp snac2-*/snac "$cache/snac"
  )
}
if [ ! -x "$cache/snac" ]; then
  # Each of its steps stops at what fails, which `||` would not let it.
  export -f install_snac
  export cache
  timeout 300 bash -euc install_snac >"$cache/apt.log" 2>&1 || true
fi
if [ -x "$cache/snac" ]; then
  servers="$servers snac"
else
  leave_out "snac: apt cannot install it, see $cache/apt.log"
fi
if [ -z "$servers" ]; then exit 0; fi

binary=$(program "${REAL_SERVERS_BINARY:-}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp scripts/real-servers/pds.mjs "$cache/pds-$pds/scheduler-pds.mjs"
cp scripts/real-servers/front.mjs "$folder/front.mjs"

# A certificate for all names, by an authority that nobody else knows.
names=DNS:plc.directory,DNS:pds.example.net,DNS:alice.pds.example.net,DNS:social.example.net,DNS:scheduler.nowhere.dev
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=Real servers" \
  -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign \
  -keyout "$folder/ca.key" -out "$folder/ca.pem" 2>/dev/null
openssl req -newkey rsa:2048 -nodes -subj "/CN=pds.example.net" \
  -keyout "$folder/front.key" -out "$folder/front.csr" 2>/dev/null
printf 'subjectAltName=%s\nbasicConstraints=CA:FALSE\n' "$names" >"$folder/extensions"
openssl x509 -req -in "$folder/front.csr" -CA "$folder/ca.pem" -CAkey "$folder/ca.key" \
  -CAcreateserial -days 2 -extfile "$folder/extensions" -out "$folder/front.pem" 2>/dev/null

# Its own network: nothing but a loopback, with one more address, which is nobody's there.
status=0
env -u http_proxy -u https_proxy -u all_proxy -u HTTP_PROXY -u HTTPS_PROXY -u ALL_PROXY \
  unshare --net --mount --pid --fork --kill-child --mount-proc sh -euc '
    ip link set lo up
    ip address add 5.5.5.5/32 dev lo
    printf "127.0.0.1 localhost\n5.5.5.5 plc.directory pds.example.net alice.pds.example.net social.example.net scheduler.nowhere.dev\n" >"$1/hosts"
    mount --bind "$1/hosts" /etc/hosts
    exec python3 scripts/real-servers/run.py "$@"
  ' real-servers "$folder" "$binary" "$cache" "$cache/pds-$pds" "$posts" "$kills" $servers || status=$?
if [ "$status" != 0 ]; then
  trap - EXIT
  echo "The logs are in $folder"
fi
exit "$status"
