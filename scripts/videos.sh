#!/usr/bin/env bash
# Publishes a video of 500 MB to each network that takes one so large through a release build
# (`scripts/videos.sh dev` for another profile), one network after the other, at a sandbox that is
# a process of its own and takes each request over a slow line. In the middle of the upload the
# server is killed with -9 and started again. Prints for each network:
#   how much memory the server held at most while it sent; goal: less than 100 MiB;
#   how many bytes the sandbox received, in all, for the bytes of the file: one that went on where
#   it was has sent little more than the file;
#   how often the post is live: once, with a file of that size.
# NETWORKS names others than youtube, facebook, linkedin and tiktok; those that are not built in
# are left out. BINARY names a server that is built already. Needs 2 GB below TMPDIR, and gives
# them back.
set -euo pipefail
cd "$(dirname "$0")/.."

profile=${1:-release}
if [ -z "${BINARY:-}" ]; then
  cargo build --quiet --profile "$profile" --package scheduler-cli
  target=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
  BINARY=$target/$([ "$profile" = dev ] && echo debug || echo "$profile")/scheduler
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
BINARY=$BINARY FOLDER=$folder python3 scripts/videos.py
