#!/usr/bin/env bash
# Measures lists of posts over HTTP, of ten thousand posts and of ten million: a thousand posts are
# made by the server, and copied in its database. Both servers are asked in turn, and ratios of
# medians are printed; the last row is a page far down against the first. Ten million posts need
# 25 GB of disk and half an hour. Needs Python, and PostgreSQL's own programs where it is measured.
#
#   scripts/lists.sh [POSTS [ROUNDS [sqlite | postgresql]]]
set -euo pipefail
cd "$(dirname "$0")/.."

posts=${1:-10000000}
rounds=${2:-41}
database=${3:-sqlite}
if [ -z "${LISTS_BINARY:-}" ]; then
  cargo build --quiet --release --package scheduler-cli
  LISTS_BINARY=${CARGO_TARGET_DIR:-target}/release/scheduler
fi

folder=$(mktemp -d)
servers=()
# PostgreSQL does not run as root.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then setpriv --reuid="$(id -u postgres)" --clear-groups -- "$@"; else "$@"; fi
}
cleanup() {
  for server in "${servers[@]}"; do kill "$server" 2>/dev/null || true; done
  wait || true
  [ "$database" = sqlite ] || as_postgres "$programs/pg_ctl" stop --silent --mode=immediate --pgdata="$folder/cluster" || true
  rm -rf "$folder"
}
trap cleanup EXIT

if [ "$database" = postgresql ]; then
  programs=$(dirname "$(command -v initdb || compgen -G '/usr/lib/postgresql/*/bin/initdb' | tail -n 1)")
  mkdir "$folder/cluster"
  [ "$(id -u)" != 0 ] || { chmod 711 "$folder" && chown postgres "$folder/cluster"; }
  as_postgres "$programs/initdb" --auth=trust --username=postgres --pgdata="$folder/cluster" >/dev/null
  # What is made is thrown away, so nothing has to outlive a failure of the machine.
  as_postgres "$programs/pg_ctl" start --silent --wait --pgdata="$folder/cluster" --log="$folder/cluster/log" \
    --options="-c listen_addresses='' -c unix_socket_directories=$folder/cluster -c fsync=off -c shared_buffers=2GB -c maintenance_work_mem=1GB -c max_wal_size=8GB"
fi

# The database of a server.
database_of() {
  case $database in
    sqlite) echo "$folder/$1/scheduler.db" ;;
    postgresql) echo "postgres:///$1?host=$folder/cluster&user=postgres" ;;
  esac
}

# Begins a server on a folder; its address and its key are in $folder/NAME.{url,key}.
serve() {
  local options=()
  rm -f "$folder/$1.out"
  [ "$database" = sqlite ] || options=(--database "$(database_of "$1")")
  SCHEDULER_RATE_LIMIT_PER_MINUTE=1000000 "$LISTS_BINARY" serve --sandbox --data "$folder/$1" \
    --listen 127.0.0.1:0 "${options[@]}" >"$folder/$1.out" 2>"$folder/$1.log" &
  servers+=($!)
  until grep -qs Listening "$folder/$1.out"; do
    kill -0 $! || { cat "$folder/$1.log"; exit 1; }
    sleep 0.1
  done
  echo "$(sed -n 's/^Listening on //p' "$folder/$1.out")/v1" >"$folder/$1.url"
  cp "$folder/$1/first-key" "$folder/$1.key"
}

[ "$database" = sqlite ] || psql -X -q -c "CREATE DATABASE small" "$(database_of postgres)"
serve small
python3 scripts/lists.py seed "$(cat "$folder/small.url")" "$(cat "$folder/small.key")"
kill "${servers[0]}"
wait "${servers[0]}" || true
servers=()

cp -r "$folder/small" "$folder/large"
# Its sandbox would listen where that of the other does.
rm -r "$folder/large/sandbox"
[ "$database" = sqlite ] || psql -X -q -c "CREATE DATABASE large TEMPLATE small" "$(database_of postgres)"
python3 scripts/lists.py multiply "$(database_of small)" 10000
python3 scripts/lists.py multiply "$(database_of large)" "$posts"
serve small
serve large
python3 scripts/lists.py measure "$(cat "$folder/small.url")" "$(cat "$folder/small.key")" \
  "$(cat "$folder/large.url")" "$(cat "$folder/large.key")" "$rounds"
