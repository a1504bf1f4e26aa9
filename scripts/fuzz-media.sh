#!/usr/bin/env bash
# Fuzzes the reading of headers and of pictures on the stable toolchain:
# `scripts/fuzz-media.sh [seconds]`, each of the two targets half of the time (default 240 in all).
# Seeds are the files of the tests; a finding is kept in scheduler-media/fuzz/artifacts, and
# `scripts/fuzz-media.sh replay FILE` runs it again. Needs a C++ compiler, for libFuzzer.
set -euo pipefail
cd "$(dirname "$0")/.."

fuzz=scheduler-media/fuzz
targets=(headers pictures)
target_folder=${CARGO_TARGET_DIR:-$PWD/target}/fuzz
triple=$(rustc -vV | sed -n 's/^host: //p')

# What cargo-fuzz passes too, without a sanitizer.
flags="--cfg fuzzing -C passes=sancov-module -C codegen-units=1
  -C llvm-args=-sanitizer-coverage-level=4 -C llvm-args=-sanitizer-coverage-inline-8bit-counters
  -C llvm-args=-sanitizer-coverage-pc-table -C llvm-args=-sanitizer-coverage-trace-compares"
# With a --target, build scripts and macros are not instrumented.
RUSTFLAGS=$(echo $flags) CARGO_TARGET_DIR=$target_folder \
  cargo build --release --quiet --manifest-path "$fuzz/Cargo.toml" --target "$triple" --bins
run() { "$target_folder/$triple/release/$1" "${@:2}"; }

if [ "${1:-}" = replay ]; then
  for target in "${targets[@]}"; do
    case $2 in */$target/*) run "$target" "$2" ;; esac
  done
  exit
fi

seconds=${1:-240}
seeds=$PWD/$fuzz/corpus/seeds
mkdir -p "$seeds"
SCHEDULER_SEEDS=$seeds \
  cargo test --quiet --package scheduler-media --lib -- seeds_are_files_of_every_kind
for target in "${targets[@]}"; do
  mkdir -p "$fuzz/corpus/$target" "$fuzz/artifacts/$target"
  printf '\n== %s\n' "$target"
  # Inputs of 64 KiB hold every structure; one may take 10 seconds and 512 MB.
  run "$target" -artifact_prefix="$fuzz/artifacts/$target/" -max_len=65536 -timeout=10 \
    -rss_limit_mb=512 -max_total_time=$(( (seconds + 1) / ${#targets[@]} )) \
    -print_final_stats=1 "$fuzz/corpus/$target" "$seeds"
done
