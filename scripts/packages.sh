# Read by scripts that run programs of others: installs them into a cache folder, `$cache`, and says
# what cannot be had.

leave_out() { echo "LEFT OUT: $*"; }

# Says what needs Node.js or packages of npm that cannot be had. With SCHEDULER_REQUIRE_NPM=1 nothing
# may be left out for that: the script fails.
leave_out_npm() {
  leave_out "$@"
  if [ "${SCHEDULER_REQUIRE_NPM:-}" = 1 ]; then
    echo "SCHEDULER_REQUIRE_NPM is 1, so it may not be left out." >&2
    exit 1
  fi
}

# Installs packages of npm into $cache/node.
npm_install() { # package@version …
  [ -e "$cache/node/package.json" ] || echo '{"private":true}' >"$cache/node/package.json"
  (cd "$cache/node" && timeout 300 npm install --no-audit --no-fund --loglevel=error "$@") \
    >"$cache/npm.log" 2>&1
}

# Makes $cache/python, an environment of Python's own, unless it is there.
has_python() { [ -x "$cache/python/bin/python" ] || python3 -m venv "$cache/python" >"$cache/pip.log" 2>&1; }

# Installs a package of PyPI into it.
pip_install() { # package==version
  "$cache/python/bin/pip" install --quiet --disable-pip-version-check "$1" >"$cache/pip.log" 2>&1
}

# Prints the path of the program: the one that is named, else one that is built.
program() { # path or nothing
  if [ -n "$1" ]; then echo "$1"; return; fi
  cargo build --quiet --package scheduler-cli
  echo "${CARGO_TARGET_DIR:-target}/debug/scheduler"
}
