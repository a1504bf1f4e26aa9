#!/usr/bin/env bash
# Makes what a release consists of, in dist/: the program, the files to run it as a service, the
# list of what it is built of, and the sums of all.
#   scripts/release.sh [TARGET]
# Refuses while a dependency is not what deny.toml asks for, or an image is not named by digest.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${1:-$(rustc -vV | sed -n 's/^host: //p')}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
name=scheduler-$version-$target

scripts/supply-chain.sh
scripts/pin-images.py --check
cargo build --locked --profile dist --package scheduler-cli --target "$target"
built=$(cargo metadata --locked --format-version 1 --no-deps |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')

rm -rf dist
mkdir -p "dist/$name"
install -m 0755 "$built/$target/dist/scheduler" "dist/$name/scheduler"
cp -R LICENSE README.md CHANGELOG.md scheduler.example.toml "dist/$name/"
git archive HEAD deploy docs | tar -xf - -C "dist/$name"
tar -C dist -czf "dist/$name.tar.gz" "$name"
rm -rf "dist/$name"
scripts/sbom.sh "dist/$name.cdx.json" "$target"
(cd dist && sha256sum "$name.tar.gz" "$name.cdx.json" >SHA256SUMS)
ls -l dist
