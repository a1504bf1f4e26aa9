#!/usr/bin/env bash
# Writes the list of what the command is built of, for one target, in the form of CycloneDX 1.5:
#   scripts/sbom.sh FILE [TARGET]
# Installs cargo-cyclonedx where it is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
version=0.5.9
file=$(realpath -m "${1:?name the file to write}")
target=${2:-$(rustc -vV | sed -n 's/^host: //p')}
cargo cyclonedx --version >/dev/null 2>&1 ||
  cargo install --locked --quiet cargo-cyclonedx --version "$version"

# The tool writes beside each manifest, also those of the other crates; all of them are removed.
name=sbom-$$
trap 'rm -f ./"$name".json ./*/"$name".json' EXIT
cargo cyclonedx --quiet --format json --spec-version 1.5 --target "$target" \
  --no-build-deps --override-filename "$name" --manifest-path scheduler-cli/Cargo.toml
mkdir -p "$(dirname "$file")"
# Paths of the machine that builds say nothing to a reader.
sed "s|path+file://$PWD|path+file://.|g" "scheduler-cli/$name.json" >"$file"
echo "$file"
