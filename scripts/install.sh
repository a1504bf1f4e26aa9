#!/usr/bin/env bash
# Installs the command with cargo into a temporary folder, as a person would, and asks it for its
# version. Builds everything for release: takes about ten minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cargo install --path scheduler-cli --locked --root "$root"
"$root/bin/scheduler" --version
"$root/bin/scheduler" config check
ls -l "$root/bin/scheduler"
