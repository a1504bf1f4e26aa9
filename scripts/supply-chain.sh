#!/usr/bin/env bash
# Holds every dependency against deny.toml: known faults, licences, what is shut out, and where it
# comes from. Installs cargo-deny where it is missing. The database of known faults lies in
# $CARGO_HOME/advisory-dbs: it is brought up to date where it can be reached, else the copy that is
# there is used. What cannot be had is left out and said, and does not fail.
set -euo pipefail
cd "$(dirname "$0")/.."
version=0.20.2
home=${CARGO_HOME:-$HOME/.cargo}
export PATH=$home/bin:$PATH

left_out() { printf '\n!! LEFT OUT: %s\n\n' "$*" >&2; }

# The program that the project releases, compared with the sum that is published beside it.
take_prebuilt() {
  command -v curl >/dev/null 2>&1 || return 1
  local name folder address
  name=cargo-deny-$version-$(uname -m)-unknown-linux-musl
  address=https://github.com/EmbarkStudios/cargo-deny/releases/download/$version/$name.tar.gz
  folder=$(mktemp -d)
  (
    cd "$folder"
    curl --fail --silent --location --proto '=https' --connect-timeout 10 --max-time 120 \
      --remote-name "$address" --remote-name "$address.sha256" || exit 1
    # The published file may hold the sum alone, or the name as well.
    read -r sum _ <"$name.tar.gz.sha256"
    printf '%s  %s\n' "$sum" "$name.tar.gz" | sha256sum --check --quiet - || exit 1
    tar -xzf "$name.tar.gz"
    install -D -m 0755 "$name/cargo-deny" "$home/bin/cargo-deny"
  )
  local status=$?
  rm -rf "$folder"
  return "$status"
}

if ! cargo deny --version >/dev/null 2>&1; then
  echo "cargo-deny $version is installed"
  take_prebuilt || cargo install --locked --quiet --debug cargo-deny --version "$version" || {
    left_out "cargo-deny can be had neither from its releases nor from crates.io;" \
      "no dependency was checked"
    exit 0
  }
fi

cargo deny --all-features check licenses bans sources

if cargo deny fetch db >/dev/null 2>&1; then
  cargo deny --all-features check --disable-fetch advisories
elif compgen -G "$home/advisory-dbs/*/.git" >/dev/null; then
  echo "The database of known faults cannot be reached; the copy in $home/advisory-dbs is used." >&2
  cargo deny --all-features check --disable-fetch advisories
else
  left_out "the database of known faults (https://github.com/RustSec/advisory-db) cannot be" \
    "reached, and there is no copy in $home/advisory-dbs; dependencies were not checked for" \
    "known faults. Clone it there where it can be reached: cargo deny fetch db"
fi
