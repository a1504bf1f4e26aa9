#!/usr/bin/env bash
# Fuzzes the rules, the counting and the finding of links on the stable toolchain:
# `scripts/fuzz.sh [seconds]`, each of the two targets half of the time (default 120 in all).
# Seeds are the texts of the snapshot's corpus; a finding is kept in scheduler-core/fuzz/artifacts,
# and `scripts/fuzz.sh replay FILE` runs it again. Needs a C++ compiler, for libFuzzer.
set -euo pipefail
cd "$(dirname "$0")/.."

fuzz=scheduler-core/fuzz
targets=(text check)
target_folder=${CARGO_TARGET_DIR:-$PWD/target}/fuzz
triple=$(rustc -vV | sed -n 's/^host: //p')

# What cargo-fuzz passes too, without a sanitizer, and a call before each load: work is counted.
flags="--cfg fuzzing -C passes=sancov-module -C codegen-units=1
  -C llvm-args=-sanitizer-coverage-level=4 -C llvm-args=-sanitizer-coverage-inline-8bit-counters
  -C llvm-args=-sanitizer-coverage-pc-table -C llvm-args=-sanitizer-coverage-trace-compares
  -C llvm-args=-sanitizer-coverage-trace-loads"
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

seconds=${1:-120}
seeds=$fuzz/corpus/seeds
SCHEDULER_SEEDS=$PWD/$seeds \
  cargo test --quiet --package scheduler-core --test snapshot -- seeds_are_many
for target in "${targets[@]}"; do
  mkdir -p "$fuzz/corpus/$target" "$fuzz/artifacts/$target"
  printf '\n== %s\n' "$target"
  # 64 000 characters of four bytes; an input may take 10 seconds before it counts as hanging.
  run "$target" -dict="$fuzz/dictionary.txt" -artifact_prefix="$fuzz/artifacts/$target/" \
    -max_len=256000 -timeout=10 -max_total_time=$(( (seconds + 1) / ${#targets[@]} )) \
    -print_final_stats=1 "$fuzz/corpus/$target" "$seeds"
done
