"""The rows: what is measured, and beside what."""

import json
import os
import queue
import shutil
import sqlite3
import statistics
import subprocess
import threading
import time
import urllib.request
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from benchmarks import copies
from benchmarks.machine import CONNECTIONS, Server, pgbench, wrk

BOTH = ("sqlite", "postgresql")
HEAD = f"{'what':<52}{'database':<12}{'measured':>12}{'baseline':>12}{'ratio':>8}{'spread':>14}{'goal':>9}"
# The networks that the burst goes to, an account each.
NETWORKS = ["bluesky", "mastodon", "telegram", "discord", "linkedin", "threads", "tumblr"]
# A row of the size that a small post has in the database.
PAYLOAD = "x" * 1_000


@dataclass
class Figure:
    """One line of the table: the medians of both sides, and of their ratios."""

    what: str
    database: str
    unit: str
    measured: float
    baseline: float | None
    ratio: float | None
    spread: tuple[float, float]
    goal: str

    def line(self):
        def cell(value):
            return "" if value is None else f"{value:.3g}" if value < 100 else spaced(round(value))

        spread = "–".join(cell(value) for value in self.spread)
        return (f"{self.what:<52}{self.database:<12}{cell(self.measured) + ' ' + self.unit:>12}"
                f"{cell(self.baseline):>12}{cell(self.ratio):>8}{spread:>14}{self.goal:>9}")


def alone(what, database, unit, values, goal):
    """A figure without a baseline, with what was measured each time."""
    return Figure(what, database, unit, statistics.median(values), None, None,
                  (min(values), max(values)), goal)


def paired(what, database, unit, pairs, goal):
    """A figure beside its baseline, from alternating pairs."""
    ratios = [measured / baseline for measured, baseline in pairs]
    measured, baseline = (statistics.median(side) for side in zip(*pairs))
    return Figure(what, database, unit, measured, baseline, statistics.median(ratios),
                  (min(ratios), max(ratios)), goal)


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def spaced(number):
    """A number as people read it."""
    return f"{number:,}".replace(",", " ")


def post(network, text, **when):
    return {"content": text, "targets": [{"platform": network}], **when}


def later():
    """An instant at which nothing is due while this runs."""
    return f"{datetime.now(UTC) + timedelta(days=300):%Y-%m-%dT%H:%M:%SZ}"


def one_post(machine, database):
    """`GET /v1/posts/{id}` beside `/healthz`."""
    with Server(machine, database) as server:
        made = server.call("/posts", post("bluesky", "Read again and again", scheduledAt=later()))
        pairs = []
        for _ in range(machine.pairs):
            measured, _ = wrk(server, f"/v1/posts/{made['id']}", machine.seconds)
            pairs.append((measured, wrk(server, "/healthz", machine.seconds)[0]))
    goal = {"sqlite": "0.5", "postgresql": "0.35"}[database]
    return [paired("GET /v1/posts/{id} ÷ /healthz", database, "/s", pairs, goal)]


def filled(machine, database, posts, ahead=None):
    """A server over a database of so many posts; 1 000 of them are its own, the others copies. The
    first is due in 2031, or so far `ahead` of now."""
    with Server(machine, database) as server:
        copies.seed(f"{server.url}/v1", server.key)
    # Its sandbox would go on with what it has seen.
    shutil.rmtree(server.folder / "sandbox", ignore_errors=True)
    address = server.database.removeprefix("sqlite:")
    copies.multiply(address, posts)
    if ahead:
        copies.bring_forward(address, datetime.now(UTC) + ahead)
    return Server(machine, database, folder=server.folder, address=server.database)


def a_list(machine, database):
    """`GET /v1/posts?limit=50` of 100 000 posts."""
    rates, slowest = [], []
    posts = min(machine.posts, 100_000)
    with filled(machine, database, posts) as server:
        for _ in range(machine.pairs):
            rate, p99 = wrk(server, "/v1/posts?limit=50", machine.seconds)
            rates.append(rate)
            slowest.append(p99)
    return [alone(f"GET /v1/posts?limit=50 of {spaced(posts)} posts", database, "/s", rates, "5 000"),
            alone("the same, p99", database, "ms", slowest, "10")]


# What people and programs ask lists for.
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


def kinds_of_lists(machine, database):
    """Each kind of list of very many posts, beside the same of ten thousand."""
    rounds, few = 1 if machine.short else 41, min(machine.posts, 10_000)
    figures = []
    with filled(machine, database, few) as small, filled(machine, database, machine.posts) as large:
        for name, query in LISTS.items():
            path = f"/posts?{query}"
            pairs = [(timed(large, path, 1), timed(small, path, 1)) for _ in range(rounds)]
            what = f"list, {name}: {spaced(machine.posts)} posts ÷ {spaced(few)}"
            figures.append(paired(what, database, "ms", pairs, "1.3"))
    return figures


def calendar(machine, database):
    """The calendar feed of 10 000 posts that go out from tomorrow on."""
    posts = min(machine.posts, 10_000)
    with filled(machine, database, posts, ahead=timedelta(days=1)) as server:
        feed = server.run("calendar", "feed", "make").strip().rsplit("/", 1)[1]
        times = []
        for _ in range(1 if machine.short else 21):
            begun = time.perf_counter()
            with urllib.request.urlopen(f"{server.url}/feeds/{feed}") as answer:
                body = answer.read()
            times.append((time.perf_counter() - begun) * 1_000)
    if body.count(b"BEGIN:VEVENT") < posts * 9 // 10 * 2:
        raise RuntimeError("the feed lacks posts")
    return [alone(f"calendar feed of {spaced(posts)} posts", database, "ms", times, "200")]


def rehearsal(machine, database):
    """The rehearsal of 30 days with 10 000 posts, of which a tenth are drafts, by the command."""
    posts = min(machine.posts, 10_000)
    with filled(machine, database, posts, ahead=timedelta(days=1)) as server:
        times = []
        for _ in range(1 if machine.short else machine.pairs):
            begun = time.perf_counter()
            found = json.loads(server.run("rehearse", "--days", "30", "--json"))
            times.append(time.perf_counter() - begun)
    if found["posts"] < posts * 9 // 10:
        raise RuntimeError("the rehearsal lacks posts")
    return [alone(f"rehearsal of 30 days, {spaced(posts)} posts", database, "s", times, "10")]


# Each connection of each thread says another text, so that no two requests are the same.
CREATE = """
local number = 0
local thread = 0
function setup(new) thread = thread + 1; new:set("id", thread) end
function request()
  number = number + 1
  local body = string.format('{"content": "Post %%d of %%d", "scheduledAt": "%s", "targets": [{"platform": "bluesky"}]}', number, id)
  return wrk.format("POST", nil, {["Content-Type"] = "application/json", ["Authorization"] = wrk.headers["Authorization"]}, body)
end
"""


def create(machine, database):
    """`POST /v1/posts` beside bare inserts that are as durable."""
    pairs = []
    with Server(machine, database) as server:
        for _ in range(machine.pairs):
            measured, _ = wrk(server, "/v1/posts", machine.seconds, CREATE % later())
            pairs.append((measured, inserts(machine, database)))
    goal = {"sqlite": "0.6", "postgresql": "0.5"}[database]
    return [paired("POST /v1/posts ÷ bare durable inserts", database, "/s", pairs, goal)]


def sqlite_loop(machine, statement):
    """Transactions a second of one statement, each committed as durably as the store does."""
    base = sqlite3.connect(machine.folder / f"{machine.new_name('bare')}.db", isolation_level=None)
    base.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                       "CREATE TABLE bare (id INTEGER PRIMARY KEY, number INTEGER, payload TEXT);")
    base.executemany("INSERT INTO bare VALUES (?, 0, '')", ((number,) for number in range(1, 1_001)))
    count, end = 0, time.perf_counter() + machine.seconds
    while time.perf_counter() < end:
        base.execute(statement, {"payload": PAYLOAD, "id": count % 1_000 + 1})
        count += 1
    base.close()
    return count / machine.seconds


def bare_table(machine):
    """The address of a PostgreSQL database with a table of a thousand rows."""
    address = machine.new_database("postgresql")
    copies.psql(address, "CREATE TABLE bare (id bigserial PRIMARY KEY, number bigint, payload text)",
               "INSERT INTO bare (number, payload) SELECT 0, '' FROM generate_series(1, 1000)")
    return address


def inserts(machine, database):
    if database == "sqlite":
        return sqlite_loop(machine, "INSERT INTO bare (number, payload) VALUES (0, :payload)")
    statement = f"INSERT INTO bare (number, payload) VALUES (0, '{PAYLOAD}');"
    return pgbench(machine, bare_table(machine), machine.seconds, CONNECTIONS, statement)


def updates(machine, database):
    if database == "sqlite":
        return sqlite_loop(machine, "UPDATE bare SET number = number + 1 WHERE id = :id")
    statement = "\\set id random(1, 1000)\nUPDATE bare SET number = number + 1 WHERE id = :id;"
    return pgbench(machine, bare_table(machine), machine.seconds, 8, statement)


def publish(machine, database):
    """Claim, publish to a network that answers at once, and record, beside single-row updates."""
    address, targets = machine.new_database(database), 200 if machine.short else 3_000
    pairs = []
    for _ in range(machine.pairs):
        measured = targets / machine.run_engine("publish", address, targets)
        pairs.append((measured, updates(machine, database)))
    goal = {"sqlite": "1.5", "postgresql": "1.0"}[database]
    return [paired("claim, publish, record ÷ single-row updates", database, "/s", pairs, goal)]


def instant(text):
    return datetime.fromisoformat(text)


def lateness(server, posts):
    """Creates posts, waits until all are live, and says by how many milliseconds each was late."""
    due = {}
    for begin in range(0, len(posts), 500):
        batch = [{"key": f"late-{begin + n:08}", "post": one} for n, one in enumerate(posts[begin:begin + 500])]
        for result in server.call("/posts/batch", {"posts": batch})["results"]:
            if result["status"] != 201:
                raise RuntimeError(json.dumps(result))
            due[result["post"]["id"]] = instant(result["post"]["scheduledAt"])
    late, cursor = {}, ""
    while len(late) < len(due):
        page = server.call(f"/posts?limit=200&status=done{cursor}")
        for one in page["data"]:
            late[one["id"]] = (instant(one["targets"][0]["publishedAt"]) - due[one["id"]]).total_seconds() * 1_000
        cursor = f"&before={page['nextCursor']}" if page.get("nextCursor") else ""
        if not cursor and len(late) < len(due):
            time.sleep(0.5)
    return list(late.values())


def burst(machine, database):
    """450 targets that are due at one instant, over 7 accounts."""
    half, most = [], []
    for _ in range(1 if machine.short else 3):
        with Server(machine, database) as server:
            at = f"{datetime.now(UTC) + timedelta(seconds=10):%Y-%m-%dT%H:%M:%SZ}"
            late = lateness(server, [post(NETWORKS[number % 7], f"Number {number}", scheduledAt=at)
                                     for number in range(450)])
            half.append(percentile(late, 0.5))
            most.append(percentile(late, 0.99))
    return [alone("450 targets due at one instant, p50 late", database, "ms", half, "100"),
            alone("the same, p99 late", database, "ms", most, "400")]


def minute(machine, database):
    """Targets that are due over a minute, evenly."""
    targets, seconds = (100, 5) if machine.short else (10_000, 60)
    with Server(machine, database) as server:
        # As long as it takes to create them.
        begin = datetime.now(UTC) + timedelta(seconds=5 if machine.short else 90)
        posts = []
        for number in range(targets):
            at = begin + timedelta(seconds=seconds * number / targets)
            posts.append(post(NETWORKS[number % 7], f"Number {number}",
                              scheduledAt=at.isoformat(timespec="milliseconds").replace("+00:00", "Z")))
        late = lateness(server, posts)
    what = f"{spaced(targets)} targets over {seconds} s"
    return [alone(f"{what}, p99 late", database, "ms", [percentile(late, 0.99)], "20"),
            alone(f"{what}, earliest", database, "ms", [min(late)], "≥ 0")]


def many(machine, database):
    """A claim, a page far down, and a start, with very many posts."""
    rounds = 5 if machine.short else 31
    few, all_of = 1_000, machine.posts
    small, large = filled(machine, database, few), filled(machine, database, all_of)
    starts = []
    for server in (small, large):
        server.stop()
    for _ in range(machine.pairs):
        with Server(machine, database, folder=large.folder, address=large.database) as server:
            starts.append(server.started_in * 1_000)
    with Server(machine, database, folder=large.folder, address=large.database) as server:
        cursor = copies.page((f"{server.url}/v1", server.key), 1_000 if all_of >= 200_000 else 5)
        pages = []
        for _ in range(machine.pairs):
            pages.append((timed(server, f"/posts?limit=50{cursor}", rounds), timed(server, "/posts?limit=50", rounds)))
    # Last, since the engine adds networks that the server does not know.
    claims = []
    for _ in range(machine.pairs):
        claims.append(tuple(
            machine.run_engine("claim", server.database, rounds, server.folder / "secret.key") * 1_000
            for server in (large, small)
        ))
    return [paired(f"claim with {spaced(all_of)} posts ÷ with {spaced(few)}", database, "ms", claims, "1.1"),
            paired("page 1 000 of them ÷ the first", database, "ms", pages, "1.2"),
            alone(f"start with {spaced(all_of)} posts", database, "ms", starts, "100")]


def timed(server, path, rounds):
    """The median time of a call, in milliseconds."""
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        server.call(path)
        times.append((time.perf_counter() - begun) * 1_000)
    return statistics.median(times)


class Receiver(ThreadingHTTPServer):
    """Receives events; one that hangs answers nothing until it is closed."""

    daemon_threads = True

    def __init__(self, hangs):
        self.hangs, self.received, self.closed = hangs, queue.Queue(), threading.Event()
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"

    def close(self):
        self.closed.set()
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        at = datetime.now(UTC)
        event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.server.hangs:
            self.server.closed.wait()
            return
        self.server.received.put((event, at))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def importing(machine, database):
    """An import of 10 000 posts by the command, under the limits of a server as it comes."""
    lines = 300 if machine.short else 10_000
    file = machine.folder / f"{machine.new_name('posts')}.csv"
    rows = (f"Number {number},bluesky,2031-{1 + number % 12:02}-{1 + number % 28:02}T09:{number % 60:02}:00Z"
            for number in range(lines))
    file.write_text("\n".join(["content,to,at", *rows]) + "\n")
    with Server(machine, database, limited=True) as server:
        environment = {**os.environ, "SCHEDULER_URL": server.url, "SCHEDULER_API_KEY": server.key}
        begun = time.perf_counter()
        subprocess.run([machine.binary, "import", str(file)], check=True, capture_output=True, env=environment)
        took = time.perf_counter() - begun
    return [alone(f"import of {spaced(lines)} posts", database, "s", [took], "60")]


def event(machine, database):
    """From the commit of an event until it is received, beside a receiver that hangs."""
    count = 20 if machine.short else 500
    taking, hanging = Receiver(hangs=False), Receiver(hangs=True)
    try:
        with Server(machine, database, webhooks_allow_private="true") as server:
            for receiver in (taking, hanging):
                server.call("/workspace/webhooks", {"url": receiver.url, "events": ["post.published"]})
            for number in range(count):
                server.call("/posts", post(NETWORKS[number % 7], f"Number {number}", publishNow=True))
                time.sleep(0.02)
            waited = []
            for _ in range(count):
                told, at = taking.received.get(timeout=60)
                waited.append((at - instant(told["createdAt"])).total_seconds() * 1_000)
    finally:
        taking.close()
        hanging.close()
    return [alone("event committed → received, p99", database, "ms", [percentile(waited, 0.99)], "25")]


def memory(machine, database):
    """A server without posts: its start, and its memory at rest."""
    values, starts = [], []
    with Server(machine, database, sandbox=False) as first:
        pass
    for _ in range(machine.pairs):
        with Server(machine, database, first.folder, first.database, sandbox=False) as server:
            starts.append(server.started_in * 1_000)
            time.sleep(1 if machine.short else 5)
            values.append(server.resident())
    return [alone("resident memory, idle, all roles", database, "MiB", values, "15"),
            alone("start without posts", database, "ms", starts, "100")]


def snapshot(machine, database):
    """How fast targets go out at the end of half an hour beside an open snapshot, and at its begin."""
    address, targets = machine.new_database(database), 200 if machine.short else 3_000
    machine.run_engine("publish", address, targets)
    reader = subprocess.Popen(["psql", "-X", "-q", address], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        reader.stdin.write("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM work;\n")
        reader.stdin.flush()
        reader.stdout.readline()
        rates, end = [], time.perf_counter() + (2 if machine.short else 1_800)
        while time.perf_counter() < end or len(rates) < 2:
            rates.append(targets / machine.run_engine("publish", address, targets))
    finally:
        reader.kill()
        reader.wait()
    part = max(1, len(rates) // 10)
    pair = (statistics.median(rates[-part:]), statistics.median(rates[:part]))
    return [paired("rate after 30 min beside an old snapshot ÷ at first", database, "/s", [pair], "0.9")]


# In the order in which they run.
ROWS = {
    "post": (one_post, BOTH),
    "list": (a_list, BOTH),
    "lists": (kinds_of_lists, BOTH),
    "calendar": (calendar, ("sqlite",)),
    "rehearsal": (rehearsal, ("sqlite",)),
    "create": (create, BOTH),
    "publish": (publish, BOTH),
    "burst": (burst, BOTH),
    "minute": (minute, BOTH),
    "import": (importing, BOTH),
    "event": (event, BOTH),
    "memory": (memory, BOTH),
    "many": (many, BOTH),
    "snapshot": (snapshot, ("postgresql",)),
}
