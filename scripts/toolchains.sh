#!/usr/bin/env bash
# Checks what the manifests promise of compilers: that the workspace compiles with the oldest Rust
# that Cargo.toml names, and that scheduler-core without its default feature compiles for
# wasm32-unknown-unknown.
#
#   scripts/toolchains.sh              both
#   scripts/toolchains.sh oldest       the oldest Rust alone
#   scripts/toolchains.sh wasm32       wasm32 alone
#
# The compilers are Debian's, unpacked into a folder of the cache; nothing is installed. Where the
# archive does not answer, or has them no more, a line says that a check was left out.
set -euo pipefail
cd "$(dirname "$0")/.."

archive=http://deb.debian.org/debian
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
cache=${SCHEDULER_TOOLCHAINS:-${XDG_CACHE_HOME:-$HOME/.cache}/scheduler-toolchains}
mkdir -p "$cache"

# The oldest Rust, by its packages: no index lists them any more, so each is named by its sum.
oldest=1.94.1
oldest_packages='
62dc2e161113ced9665e71201e1f4126b4bbaac9903b816d913647c725512df3 rustc_1.94.1+dfsg1-1~bpo13+3_amd64.deb
458ec7a1c58b704853cf7560d03a9963ca7863d132751e3646f5fdee49c3e897 libstd-rust-1.94_1.94.1+dfsg1-1~bpo13+3_amd64.deb
240e2e896bc5ea56816a5306cfafda591f5cc741c6a01befa0a7bbea72e16120 libstd-rust-dev_1.94.1+dfsg1-1~bpo13+3_amd64.deb
56fc3b5f9b5f0b269d5a937fafa641f0a436c03df3a61281e499be00cdd5d86c libstd-rust-dev-wasm32_1.94.1+dfsg1-1~bpo13+3_all.deb
'
# What a compiler loads besides its own libraries.
runtime='^(libc6|libgcc-s1|libstdc\+\+6|libllvm[0-9]+|libxml2(-[0-9]+)?|libicu[0-9]+|libz3-4|libedit2|libffi[0-9]+|libzstd1|zlib1g|libtinfo6|libbsd0|libmd0|liblzma5)$'

# All downloads together may take five minutes.
deadline=$((SECONDS + 300))
remaining() { echo $((deadline > SECONDS ? deadline - SECONDS : 1)); }

left_out() { printf 'left out: %s\n' "$*"; }

# Downloads packages by name, and the libraries that they need, from suites of the archive.
packages_of() { # folder "suite …" name …
  local folder=$1 suites=$2 names; shift 2
  mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/debs"
  for suite in $suites; do
    echo "deb [signed-by=$keyring] $archive $suite main"
  done >"$folder/apt/sources"
  : >"$folder/apt/status"
  local options=(
    -o "Dir::State=$folder/apt" -o "Dir::State::lists=lists" -o "Dir::State::status=$folder/apt/status"
    -o "Dir::Cache=$folder/apt/cache" -o "Dir::Etc::SourceList=$folder/apt/sources"
    -o Dir::Etc::SourceParts=/dev/null -o Acquire::Languages=none -o Acquire::Retries=1
    -o Acquire::http::Timeout=20 -o APT::Update::Error-Mode=any
  )
  [ "$(id -u)" = 0 ] && options+=(-o APT::Sandbox::User=root)
  timeout "$(remaining)" apt-get "${options[@]}" -qq update >/dev/null 2>&1 || return 1
  names=$(apt-cache "${options[@]}" depends --recurse --no-recommends --no-suggests --no-conflicts \
    --no-breaks --no-replaces --no-enhances "$@" | grep -E '^[a-z]' | sort -u |
    grep -E "$runtime|^(rustc|libstd-rust-[0-9a-z.-]+)\$") || return 1
  # shellcheck disable=SC2086  # a list of names
  (cd "$folder/debs" && timeout "$(remaining)" apt-get "${options[@]}" -qq download $names >/dev/null 2>&1) || return 1
}

# Unpacks what was downloaded, and writes a script that runs the compiler over its own libraries.
unpacked() { # folder
  local folder=$1 package
  for package in "$folder"/debs/*.deb; do dpkg -x "$package" "$folder/tree" || return 1; done
  cat >"$folder/rustc" <<EOF
#!/bin/sh
usr='$folder/tree/usr'
exec "\$usr/lib64/ld-linux-x86-64.so.2" --library-path "\$usr/lib/x86_64-linux-gnu" \\
  --argv0 "\$usr/bin/rustc" "\$usr/bin/rustc" --sysroot "\$usr" "\$@"
EOF
  chmod +x "$folder/rustc"
  rm -rf "$folder/apt" "$folder/debs"
  "$folder/rustc" --version >/dev/null || return 1
}

# The oldest compiler, for this machine and for wasm32.
fetch_oldest() {
  local folder=$cache/$oldest.part sum package
  [ -x "$cache/$oldest/rustc" ] && return
  # Once is enough for both checks.
  [ -z "${oldest_tried:-}" ] || return 1
  oldest_tried=1
  rm -rf "$folder"
  packages_of "$folder" 'trixie trixie-backports' libllvm21 || return 1
  while read -r sum package; do
    [ -n "$sum" ] || continue
    curl -fsS --max-time "$(remaining)" -o "$folder/debs/$package" "$archive/pool/main/r/rustc/$package" || return 1
    echo "$sum  $folder/debs/$package" | sha256sum --check --status || return 1
  done <<<"$oldest_packages"
  finish "$folder" "$cache/$oldest"
}

# The compiler of Debian's next release, where the oldest cannot be had for wasm32.
fetch_next() {
  local folder=$cache/next.part
  [ -x "$cache/next/rustc" ] && return
  rm -rf "$folder"
  packages_of "$folder" forky rustc libstd-rust-dev-wasm32 || return 1
  finish "$folder" "$cache/next"
}

finish() { # from to
  unpacked "$1" || return 1
  mv "$1" "$2"
  # It names its folder.
  sed -i "s|$1|$2|" "$2/rustc"
}

# Checks with a compiler of the cache. What is compiled for it is kept beside it.
check() { # compiler argument …
  local compiler=$1; shift
  RUSTC=$cache/$compiler/rustc CARGO_TARGET_DIR=$cache/$compiler/target CARGO_INCREMENTAL=0 \
    cargo check --quiet --locked "$@"
  printf 'checked with %s: cargo check %s\n' "$("$cache/$compiler/rustc" --version | cut -d' ' -f2)" "$*"
}

check_oldest() {
  local promised
  promised=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
  if [ "${oldest%.*}" != "$promised" ]; then
    echo "Cargo.toml promises $promised, and $oldest is what is checked" >&2
    return 1
  fi
  if fetch_oldest; then check "$oldest" --workspace; else left_out "Rust $oldest: Debian does not give it"; fi
}

check_wasm32() {
  local pure=(--package scheduler-core --no-default-features --target wasm32-unknown-unknown)
  if rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null | xargs -r test -d; then
    cargo check --quiet --locked "${pure[@]}"
    echo "checked with $(rustc --version | cut -d' ' -f2): cargo check ${pure[*]}"
  elif fetch_oldest; then
    check "$oldest" "${pure[@]}"
  elif fetch_next; then
    check next "${pure[@]}"
  else
    left_out 'wasm32: Debian gives no compiler for it'
  fi
}

if ! command -v dpkg >/dev/null || ! command -v apt-get >/dev/null || [ "$(uname -m)" != x86_64 ]; then
  left_out 'oldest Rust and wasm32: they are checked on Debian on x86_64'
  exit
fi
case ${1:-both} in
  oldest) check_oldest ;;
  wasm32) check_wasm32 ;;
  both) check_oldest; check_wasm32 ;;
  *) sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
