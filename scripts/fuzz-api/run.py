#!/usr/bin/env python3
"""The rounds of scripts/fuzz-api.sh: a server with something in it, Schemathesis, and the sums.

Everything that it starts ends with its process namespace.
"""

import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from samples import film, picture

FOLDER, BINARY, MINUTES = sys.argv[1], sys.argv[2], float(sys.argv[3])
SEED = int(os.environ.get("FUZZ_API_SEED", "1"))
DATABASES = os.environ.get("FUZZ_API_DATABASES", "sqlite,postgresql").split(",")
# A round of the long form; a fresh server is faster than one with many posts.
ROUND_SECONDS = 300
PATIENCE_SECONDS = 120
# Of each kind; some will be deleted.
FILES = 10
# In less, a slow machine may not come to everything.
ALL_SUCCEED_FROM_MINUTES = 5
VIDEO_NETWORKS = ("youtube", "tiktok", "instagram")
PICTURE_NETWORKS = ("pinterest",)
COMMENTED = ("youtube", "facebook", "linkedin")


def wait_for(what, ask):
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE_SECONDS:
        found = ask()
        if found:
            return found
        time.sleep(0.1)
    sys.exit(f"waited in vain for {what}")


def call(method, url, body=None, key=None):
    """The answer to a request that is good."""
    is_file = isinstance(body, bytes)
    data = body if is_file or body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, method=method)
    if data is not None:
        request.add_header("content-type", "application/octet-stream" if is_file else "application/json")
    if key:
        request.add_header("authorization", f"Bearer {key}")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {url}: {error.code} {error.read().decode()}")
    return json.loads(text) if text else None


class Postgres:
    """A PostgreSQL that ends with this script."""

    def __init__(self):
        found = shutil.which("initdb") or next(iter(sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))), None)
        if not found:
            sys.exit("PostgreSQL is not installed: FUZZ_API_DATABASES=sqlite goes without")
        self.programs = os.path.dirname(os.path.realpath(found))
        self.folder = f"{FOLDER}/postgres"
        self.run("initdb", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync",
                 f"--pgdata={self.folder}/data")
        options = f"-p 5432 -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        self.run("pg_ctl", f"--pgdata={self.folder}/data", f"--log={self.folder}/log", "--wait",
                 f"--options={options}", "start")

    def run(self, program, *arguments):
        command = [*os.environ["FUZZ_API_POSTGRES_AS"].split(), f"{self.programs}/{program}", *arguments]
        subprocess.run(command, cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def database(self, name):
        self.run("createdb", "--host=127.0.0.1", "--username=postgres", name)
        return f"postgres://postgres@127.0.0.1:5432/{name}"


class Server:
    """A server on networks of its own."""

    def __init__(self, folder, database):
        os.makedirs(f"{folder}/data")
        self.folder = folder
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("SCHEDULER_")},
            "SCHEDULER_DATA": f"{folder}/data",
            "SCHEDULER_LISTEN": "127.0.0.1:0",
            "SCHEDULER_LOG": "warn",
            "SCHEDULER_PUBLISH_RETRY_SECONDS": "1,1,1,1,1",
            "SCHEDULER_DELIVERY_RETRY_SECONDS": "1,1,1,1,1",
            # What a key may ask in a minute is tested elsewhere; here it would be the only answer.
            "SCHEDULER_RATE_LIMIT_PER_MINUTE": "1000000",
            "SCHEDULER_RATE_LIMIT_BURST": "100000",
            "SCHEDULER_UPLOADS_PER_MINUTE": "1000000",
            "SCHEDULER_BATCHES_PER_MINUTE": "1000000",
            "SCHEDULER_METRICS_REFRESH_SECONDS": "1",
            "SCHEDULER_AI_MODEL": "sandbox-model",
            "SCHEDULER_AI_KEY": "sk-of-the-model",
        }
        if database:
            self.environment["SCHEDULER_DATABASE"] = database
        with open(f"{folder}/data/scheduler.toml", "w", encoding="utf-8") as file:
            file.write("[plans.studio]\nposts_a_month = 1000000000\nchannels = 1000\n"
                       "upload_bytes_a_month = 1000000000000000\n"
                       "captions_a_month = 1000000000\nreviews_a_month = 1000000000\n")
        self.sandbox = self.start("sandbox", "--listen", "127.0.0.1:0")["Sandbox on "]
        self.environment["SCHEDULER_SANDBOX_URL"] = self.sandbox
        self.environment["SCHEDULER_AI_URL"] = f"{self.sandbox}/assistant/v1"
        told = self.start("serve", "--sandbox", until="Listening on ")
        self.url = told["Listening on "]
        with open(told["API key in "], encoding="utf-8") as file:
            self.key = file.read().strip()

    def start(self, *arguments, until="Sandbox on "):
        """Starts a command, and returns what it says of itself."""
        log = open(f"{self.folder}/{arguments[0]}.log", "ab")
        process = subprocess.Popen([BINARY, *arguments], env=self.environment, cwd=f"{self.folder}/data",
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        self.processes = [*getattr(self, "processes", []), process]
        told = {}
        for line in process.stdout:
            for begin in ("Sandbox on ", "API key in ", "Listening on "):
                if line.startswith(begin):
                    told[begin] = line.removeprefix(begin).strip()
            if until in told:
                return told
        sys.exit(f"{arguments} has ended, see {log.name}")

    def run(self, *arguments):
        subprocess.run([BINARY, *arguments], env=self.environment, cwd=f"{self.folder}/data", check=True,
                       stdout=subprocess.DEVNULL)

    def api(self, method, path, body=None):
        return call(method, f"{self.url}/v1{path}", body, self.key)

    def faults(self):
        """What the log says that it should not."""
        with open(f"{self.folder}/serve.log", encoding="utf-8", errors="replace") as log:
            return [line.strip() for line in log if re.search(r"\bERROR\b|panicked", line)]

    def stop(self):
        """Ends it as an operator does; the server must still be there, and end well."""
        *_, server = self.processes
        is_there = server.poll() is None
        for process in reversed(self.processes):
            process.terminate()
        ended = [process.wait(timeout=PATIENCE_SECONDS) for process in self.processes]
        return is_there and ended[-1] == 0


def upload(server, kind, name, file):
    declared = server.api("POST", "/media", {"kind": kind, "sizeBytes": len(file), "fileName": name})
    media = declared["media"]["id"]
    call("PUT", declared["upload"]["uploadUrl"], file)
    server.api("POST", f"/media/{media}/uploaded", {})
    return wait_for(name, lambda: next(
        (found for found in [server.api("GET", f"/media/{media}")] if found["status"] == "ready"), None))


def options_of(server, account):
    """The options without which a network takes nothing."""
    platform, path = account["platform"], f"/oauth/accounts/{account['id']}"
    if platform == "tiktok":
        return {"privacy": server.api("GET", f"{path}/tiktok/creator")["privacyLevels"][0]}
    if platform == "pinterest":
        return {"boardId": server.api("GET", f"{path}/boards")["data"][0]["id"]}
    return {"firstComment": "First"} if platform in COMMENTED else {}


def fill(server):
    """A post in each state, files, webhooks and comments; what of it the hooks go by."""
    for platform in ("mastodon", "bluesky"):
        server.run("accounts", "connect", platform, "--sandbox")
    refused = {"platform": "bluesky", "operation": "publish", "kind": "permanent", "containing": "refused",
               "times": 1_000_000}
    call("POST", f"{server.sandbox}/_sandbox/faults", refused)
    accounts = server.api("GET", "/oauth/accounts")["data"]
    pictures = [upload(server, "image", "picture.png", picture()) for _ in range(FILES)]
    films = [upload(server, "video", "film.mp4", film(200_000, seconds=20)) for _ in range(FILES)]
    files = {"image": pictures[0], "video": films[0]}
    targets = []
    for account in accounts:
        platform = account["platform"]
        media = "video" if platform in VIDEO_NETWORKS else "image" if platform in PICTURE_NETWORKS else None
        targets.append({"platform": platform, "accountId": account["id"], "media": media,
                        "options": options_of(server, account)})
    made = []
    for target in targets:
        wanted = {name: target[name] for name in ("platform", "accountId", "options")}
        for when in ({"publishNow": True}, {"saveAsDraft": True}, {"queue": True}):
            body = {"content": f"Of {target['platform']}", "targets": [wanted], **when}
            if target["media"]:
                body["mediaIds"] = [files[target["media"]]["id"]]
            made.append(server.api("POST", "/posts", body)["id"])
    bluesky = [target["accountId"] for target in targets if target["platform"] == "bluesky"]
    for account in bluesky:
        body = {"content": "refused", "publishNow": True,
                "targets": [{"platform": "bluesky", "accountId": account}]}
        made.append(server.api("POST", "/posts", body)["id"])

    def ended():
        posts = [server.api("GET", f"/posts/{post}") for post in made]
        return None if any(post["status"] == "publishing" for post in posts) else posts

    posts = wait_for("the posts to go out", ended)
    states = collections.Counter(target["status"] for post in posts for target in post["targets"])
    if states["published"] < len(targets) or states["failed"] != len(bluesky):
        sys.exit(f"the first posts have not ended as they should: {states}")
    comments = []
    for post in posts:
        for target in post["targets"]:
            if target["status"] == "published" and target["platform"] in COMMENTED:
                path = f"/posts/{post['id']}/targets/{target['id']}/comments"
                told = wait_for("a first comment", lambda: server.api("GET", path)["data"])
                comments += [[post["id"], target["id"], comment["id"]] for comment in told]
    webhooks = [server.api("POST", "/workspace/webhooks", {"url": "https://a.example/events"})]
    return {"accounts": accounts, "targets": targets, "posts": posts, "comments": comments,
            "media": pictures + films, "webhooks": webhooks}


def fuzz(server, state, seconds, seed):
    """Runs Schemathesis; its exit code and its report."""
    paths = {name: f"{server.folder}/{name}.json" for name in ("state", "counts", "report")}
    with open(paths["state"], "w", encoding="utf-8") as file:
        json.dump(state, file)
    environment = {**os.environ, "FUZZ_API_KEY": server.key, "FUZZ_API_STATE": paths["state"],
                   "FUZZ_API_COUNTS": paths["counts"], "PYTHONPATH": HERE, "PYTHONFAULTHANDLER": "1"}
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", f"{HERE}/schemathesis.toml",
               "run", f"{server.url}/v1/openapi.json", "--seed", str(seed), "--max-time", str(seconds),
               "--no-color", "--report", "json,ndjson", "--report-json-path", paths["report"],
               "--report-ndjson-path", f"{server.folder}/events.ndjson"]
    with open(f"{server.folder}/schemathesis.log", "wb") as log:
        status = subprocess.run(command, env=environment, cwd=server.folder, stdin=subprocess.DEVNULL,
                                stdout=log, stderr=log).returncode
    found = {}
    for name in ("counts", "report"):
        # A process that has crashed leaves nothing in them.
        if os.path.exists(paths[name]) and os.path.getsize(paths[name]):
            with open(paths[name], encoding="utf-8") as file:
                found[name] = json.load(file)
    return status, found.get("counts", {}), found.get("report", {})


def main():
    ends = time.monotonic() + MINUTES * 60
    postgres = Postgres() if "postgresql" in DATABASES else None
    answered, failures, number = collections.Counter(), 0, 0
    operations = set()
    while (left := ends - time.monotonic()) > 30 or number == 0:
        # The last round takes what would be too little for another.
        seconds = int(left if left < ROUND_SECONDS * 1.5 else ROUND_SECONDS)
        database = DATABASES[number % len(DATABASES)]
        folder = f"{FOLDER}/round-{number}"
        server = Server(folder, postgres.database(f"round{number}") if database == "postgresql" else None)
        state = fill(server)
        seconds = max(seconds, 30)
        status, counts, report = fuzz(server, state, seconds, SEED + number)
        document = call("GET", f"{server.url}/v1/openapi.json")
        for path, item in document["paths"].items():
            operations |= {f"{method.upper()} {path}" for method in item if method != "parameters"}
        wrong = server.faults()
        if not server.stop():
            wrong.append("the server has ended by itself, or not well")
        if status != 0:
            wrong.append(f"Schemathesis has ended with {status}: see {folder}/schemathesis.log")
            for failure in report.get("failures", []):
                wrong.append(f"{failure['title']}, {failure['count']} times: {', '.join(failure['operations'])}")
        answered.update(counts)
        by_kind = collections.Counter()
        for label, count in counts.items():
            by_kind[f"{label.rsplit(' ', 1)[1][0]}xx"] += count
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(by_kind.items()))
        print(f"round {number}, {database}, seed {SEED + number}: {sum(counts.values())} requests ({kinds}), "
              f"{len(wrong)} failures", flush=True)
        for line in wrong:
            print(f"  WRONG: {line}", flush=True)
        failures += len(wrong)
        number += 1
    reached = {label.rsplit(" ", 1)[0] for label, count in answered.items()}
    good = {label.rsplit(" ", 1)[0] for label in answered if label.rsplit(" ", 1)[1][0] in "23"}
    for operation in sorted(operations - good):
        print(f"{operation} was never answered with success")
    if MINUTES >= ALL_SUCCEED_FROM_MINUTES:
        failures += len(operations - good)
    statuses = {tuple(label.rsplit(" ", 1)) for label in answered}
    server_errors = sum(count for label, count in answered.items() if label.rsplit(" ", 1)[1][0] == "5")
    print(f"{sum(answered.values())} requests in {number} rounds, {len(reached & operations)} of "
          f"{len(operations)} operations reached, {len(operations & good)} with success, "
          f"{len(statuses)} statuses of operations seen, {server_errors} x 5xx, {failures} failures")
    return 1 if failures else 0


sys.exit(main())
