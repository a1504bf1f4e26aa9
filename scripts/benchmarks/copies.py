"""Databases of very many posts, made of a thousand that a server has created."""

import json
import random
import sqlite3
import subprocess
import urllib.request
from datetime import datetime, timedelta

SEED = 1_000
WORDS = """bread cake opening hours winter spring market recipe morning baker coffee rye wheat oven
sugar apple plum holiday team stall""".split()
NETWORKS = ["bluesky", "mastodon", "telegram", "discord", "linkedin", "threads"]
LABELS = ["spring", "bakery", "team", "news"]
# Between a post and its copy. A thousand posts are 37 minutes apart, so that copies fill the time
# between them.
APART = 60_000_000

# What is copied: the ids, which are new; the times, which move with each copy; and the order in
# which it is inserted, where that is not the order of copies.
TABLES = {
    "posts": (["id"], ["created_at", "updated_at", "moment", "due_at", "scheduled_at"], None),
    "targets": (["id", "post_id"], ["due_at"], None),
    "work": (["id", "subject"], ["due_at", "claimable_at"], None),
    "post_facets": (["post_id"], ["moment"], ["facet", "moment"]),
    "post_words": (["post_id"], ["moment"], None),
}


def call(url, key, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url + path, data, headers)) as answer:
        return json.load(answer)


def seed(url, key):
    """Creates the thousand posts, over HTTP."""
    chosen = random.Random(1)

    def post(number):
        at = datetime(2031, 1, 1) + timedelta(minutes=37 * number)
        text = " ".join(chosen.sample(WORDS, 6)) + f" word{number % 400}"
        when = {"saveAsDraft": True} if number % 10 == 0 else {"scheduledAt": f"{at.isoformat()}Z"}
        targets = [{"platform": network} for network in chosen.sample(NETWORKS, 2)]
        return {"content": text, "targets": targets, "labels": [chosen.choice(LABELS)], **when}

    for begin in range(0, SEED, 200):
        posts = [{"key": f"seed-{n:08}", "post": post(n)} for n in range(begin, begin + 200)]
        results = call(url, key, "/posts/batch", {"posts": posts})["results"]
        assert all(result["status"] == 201 for result in results), results


def multiply(database, posts):
    """Copies what is there until there are so many posts."""
    if database.startswith("postgres:"):
        multiply_postgres(database, posts)
    else:
        multiply_sqlite(database, posts)


def psql(database, *statements):
    """Has psql run statements, and returns the lines that it prints."""
    each = [word for statement in statements for word in ("-c", statement)]
    done = subprocess.run(
        ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", *each, database],
        check=True, capture_output=True, text=True,
    )
    return done.stdout.splitlines()


def multiply_postgres(database, posts):
    """The same in PostgreSQL. Constraints stay, since inserts come in the order of their ids."""
    of_tables = ", ".join(f"'{table}'" for table in TABLES)
    indexes = [
        line.split("\t", 1)
        for line in psql(
            database,
            "SELECT i.indexname || E'\\t' || i.indexdef FROM pg_indexes i "
            f"WHERE i.schemaname = 'public' AND i.tablename IN ({of_tables}) "
            "AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conname = i.indexname)",
        )
    ]
    psql(database, *(f"DROP INDEX {name}" for name, _ in indexes))
    for table, (ids, times, order) in TABLES.items():

        def copied(name):
            if name in ids:
                hexed = f"encode(uuid_send({name}), 'hex')"
                return f"overlay({hexed} placing lpad(to_hex(n), 8, '0') from 1 for 8)::uuid"
            if name in times:
                return f"{name} + n * interval '{APART} microseconds'"
            return "NULL" if name == "idempotency_key" else name

        columns = psql(
            database,
            "SELECT attname FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped "
            f"AND attrelid = '{table}'::regclass ORDER BY attnum",
        )
        values = ", ".join(f"{copied(name)} AS {name}" for name in columns)
        psql(
            database,
            "SET session_replication_role = replica",
            f"CREATE TEMP TABLE seed AS SELECT * FROM {table}",
            f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} "
            f"FROM generate_series(1, {posts // SEED - 1}) n CROSS JOIN seed "
            f"ORDER BY {', '.join(order or ['n'])}",
        )
    for name, sql in indexes:
        psql(database, sql)
    psql(database, "VACUUM ANALYZE")


def multiply_sqlite(path, posts):
    base = sqlite3.connect(path, isolation_level=None)
    base.create_function("unhex", 1, bytes.fromhex, deterministic=True)
    base.executescript(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4000000;"
        "PRAGMA foreign_keys = OFF;"
    )
    base.execute("BEGIN")
    # Made anew behind what is inserted, in one pass each.
    indexes = base.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL "
        f"AND tbl_name IN ({', '.join('?' * len(TABLES))})",
        list(TABLES),
    ).fetchall()
    for name, _ in indexes:
        base.execute(f"DROP INDEX {name}")
    base.execute(
        "CREATE TEMP TABLE copy AS WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL "
        f"SELECT n + 1 FROM n WHERE n < {posts // SEED - 1}) SELECT n FROM n"
    )
    for table, (ids, times, order) in TABLES.items():

        def copied(name):
            if name in ids:
                return f"unhex(printf('%08x', n) || substr(hex({name}), 9))"
            if name in times:
                return f"{name} + n * {APART}"
            return "NULL" if name == "idempotency_key" else name

        # The number of a row follows from its place.
        columns = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
        columns = [name for name in columns if (table, name) != ("post_words", "id")]
        values = ", ".join(f"{copied(name)} AS {name}" for name in columns)
        order = f" ORDER BY {', '.join(order)}" if order else ""
        base.execute(f"CREATE TEMP TABLE seed AS SELECT {', '.join(columns)} FROM {table}")
        base.execute(
            f"INSERT INTO {table} ({', '.join(columns)}) "
            f"SELECT {values} FROM copy CROSS JOIN seed{order}"
        )
        base.execute("DROP TABLE seed")
    for name, sql in indexes:
        base.execute(sql)
    base.execute("COMMIT")
    base.executescript("ANALYZE; PRAGMA journal_mode = WAL;")
    base.close()


def bring_forward(path, first):
    """Moves the calendar of a SQLite database so that the first post is due at an instant, and the
    others as long after it as they were: the times of posts and of targets. The work on them
    (`work`) stays, so nothing goes out earlier."""
    base = sqlite3.connect(path)
    (was,) = base.execute("SELECT min(scheduled_at) FROM posts").fetchone()
    back = was - int(first.timestamp() * 1_000_000)
    for name in ("moment", "due_at", "scheduled_at"):
        base.execute(f"UPDATE posts SET {name} = {name} - ? WHERE status <> 'draft'", [back])
    base.execute("UPDATE targets SET due_at = due_at - ? WHERE due_at IS NOT NULL", [back])
    base.commit()
    base.close()


def page(server, number):
    """The cursor of a page of the list."""
    cursor = ""
    for _ in range(number):
        after = call(*server, f"/posts?limit=200{cursor}").get("nextCursor")
        cursor = f"&before={after}" if after else cursor
    return cursor
