#!/usr/bin/env python3
"""Makes a database of many posts out of a thousand that a server has made, and measures lists of
both. Called by scripts/lists.sh, which says what is measured and needs nothing but Python."""

import json
import random
import sqlite3
import statistics
import sys
import time
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

# The time columns of what is copied, which move with each copy, and the ids, which are new.
TABLES = {
    "posts": (["id"], ["created_at", "updated_at", "moment", "due_at", "scheduled_at"], "id"),
    "targets": (["id", "post_id"], ["due_at"], "post_id, position"),
    "work": (["id", "subject"], ["due_at", "claimable_at"], "id"),
    "post_facets": (["post_id"], ["moment"], "workspace_id, facet, moment"),
    "post_words": (["post_id"], [], "post_id"),
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


def multiply(path, posts):
    """Copies what is there until there are so many posts."""
    base = sqlite3.connect(path, isolation_level=None)
    base.executescript(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4000000;"
        "PRAGMA foreign_keys = OFF; PRAGMA temp_store = FILE;"
    )
    base.execute("BEGIN")
    copies = posts // SEED - 1
    names = ", ".join(f"'{name}'" for name in TABLES)
    indexes = base.execute(
        f"SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name IN ({names}) "
        "AND sql IS NOT NULL"
    ).fetchall()
    for name, _ in indexes:
        base.execute(f"DROP INDEX {name}")
    base.execute(
        "CREATE TEMP TABLE copy AS WITH RECURSIVE n (n) AS "
        f"(SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {copies}) SELECT n FROM n"
    )
    for table, (ids, times, order) in TABLES.items():
        columns = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
        columns = [name for name in columns if (table, name) != ("post_words", "id")]

        def copied(name):
            if name == "idempotency_key":
                return "NULL"
            if name in ids:
                return f"unhex(printf('%08x', n) || substr(hex({name}), 9))"
            return f"{name} + n * {APART}" if name in times else name

        # Each copy by itself is in the order of its table where the ids lead; facets are not.
        by_copy = "" if table == "post_facets" else "n, "
        values = [f"{copied(name)} AS c{place}" for place, name in enumerate(columns)]
        order = ", ".join(
            f"c{columns.index(name)}" for name in order.split(", ")
        )
        begun = time.monotonic()
        base.create_function("unhex", 1, bytes.fromhex, deterministic=True)
        base.execute(
            f"INSERT INTO {table} ({', '.join(columns)}) SELECT "
            f"{', '.join(f'c{place}' for place in range(len(columns)))} FROM "
            f"(SELECT n, {', '.join(values)} FROM copy, (SELECT * FROM {table})) "
            f"ORDER BY {by_copy}{order}"
        )
        print(f"{table}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    for name, sql in indexes:
        base.execute(sql)
        print(name, file=sys.stderr, flush=True)
    base.execute("COMMIT")
    base.executescript("ANALYZE; PRAGMA journal_mode = WAL;")
    base.close()


LISTS = {
    "the newest": "limit=50",
    "soonest first": "limit=50&order=due",
    "one network": "limit=50&platform=bluesky",
    "network and label": "limit=50&platform=discord&label=news",
    "a common word": "limit=50&q=bread",
    "a rare word": "limit=50&q=word7",
    "two words": "limit=50&q=bread+rye",
    "drafts": "limit=50&status=draft",
    "one day": "limit=50&from=2031-01-10T00:00:00Z&to=2031-01-11T00:00:00Z",
}


def page(url, key, query, number):
    """The cursor of a page of the list."""
    cursor = ""
    for _ in range(number):
        after = call(url, key, f"/posts?limit=200&{query}{cursor}").get("nextCursor")
        if after is None:
            break
        cursor = f"&before={after}"
    return cursor


def measure(small, large, rounds):
    """Median times of both in alternating pairs, in milliseconds, and their ratio."""
    print(f"{'list':<20}{'small':>9}{'large':>9}{'ratio':>8}")
    rows = dict(LISTS)
    for label, query in rows.items():
        times = ([], [])
        for _ in range(rounds):
            for of, (url, key) in zip(times, (small, large)):
                begun = time.perf_counter()
                call(url, key, f"/posts?{query}")
                of.append((time.perf_counter() - begun) * 1_000)
        one, other = (statistics.median(of) for of in times)
        print(f"{label:<20}{one:>9.2f}{other:>9.2f}{other / one:>8.2f}")
    # A page far down, against the first.
    url, key = large
    cursor = page(url, key, "", 40)
    times = ([], [])
    for _ in range(rounds):
        for of, query in zip(times, ("limit=50", f"limit=50{cursor}")):
            begun = time.perf_counter()
            call(url, key, f"/posts?{query}")
            of.append((time.perf_counter() - begun) * 1_000)
    one, other = (statistics.median(of) for of in times)
    print(f"{'after 8 000 posts':<20}{one:>9.2f}{other:>9.2f}{other / one:>8.2f}")


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    if command == "seed":
        seed(*rest)
    elif command == "multiply":
        multiply(rest[0], int(rest[1]))
    else:
        measure(rest[0:2], rest[2:4], int(rest[4]))
