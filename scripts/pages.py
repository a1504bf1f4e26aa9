#!/usr/bin/env python3
"""Measures the pages against their budgets: the server's time for a month of a thousand posts on
thirteen networks and for one of sixty, the size of that page, of scripts and of styles, and the
memory of an idle server with the pages and, where there is such a build, without.

    scripts/pages.py [BINARY [BINARY_WITHOUT_PAGES]]

The binary is a release build, which is made when none is named. Times are of this machine: they are
printed beside their budgets, and fail nothing."""

import gzip
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
from datetime import datetime, timedelta

ROUNDS = 101
KIB = 1024
# The budgets of the design.
MONTH_MS, FEW_MS, MONTH_KB, SCRIPTS_KB, PAGE_SCRIPTS_KB, STYLES_KB, MEMORY_MIB = (
    100, 15, 150, 60, 30, 25, 2,
)


class Server:
    """A server on a sandbox, in a folder that is removed at the end."""

    def __init__(self, binary):
        self.binary = binary
        self.folder = tempfile.TemporaryDirectory()
        self.settings = {
            **os.environ,
            "SCHEDULER_DATA": self.folder.name,
            "SCHEDULER_LISTEN": "127.0.0.1:0",
            "SCHEDULER_RATE_LIMIT_PER_MINUTE": "1000000",
            "SCHEDULER_LOG": "error",
        }
        self.process = subprocess.Popen(
            [binary, "serve", "--sandbox"],
            env=self.settings,
            cwd=self.folder.name,
            stdout=subprocess.PIPE,
            text=True,
        )
        for line in self.process.stdout:
            if line.startswith("API key in "):
                self.key = open(line.split(" in ", 1)[1].strip()).read().strip()
            if line.startswith("Listening on "):
                self.host = urllib.parse.urlparse(line.split()[-1]).netloc
                break
        self.connection = http.client.HTTPConnection(self.host)

    def run(self, *arguments):
        output = subprocess.run(
            [self.binary, *arguments], env=self.settings, cwd=self.folder.name, capture_output=True, check=True
        )
        return json.loads(output.stdout)

    def ask(self, method, path, body=None, **headers):
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        return answer, answer.read()

    def sign_in(self):
        code = self.run("web", "open", "--json")["url"].split("#")[1]
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        answer, _ = self.ask("POST", "/signin/once", urllib.parse.urlencode({"link": code}), **form)
        self.cookie = answer.headers["Set-Cookie"].split(";")[0]

    def page(self, path, **headers):
        answer, body = self.ask("GET", path, None, Cookie=self.cookie, **headers)
        assert answer.status == 200, (path, answer.status, body[:300])
        return body

    def write(self, count, month):
        """Schedules so many posts over a month, each on two of the networks that need no file."""
        networks = ["bluesky", "mastodon", "telegram", "discord", "linkedin", "threads", "tumblr", "twitter"]

        def post(number):
            at = datetime.fromisoformat(f"{month}-01T06:00:00") + timedelta(minutes=40 * number)
            targets = [{"platform": networks[(number + place) % len(networks)]} for place in (0, 3)]
            text = f"Number {number}: what the bakery says of bread, cake and the morning"
            return {"content": text, "targets": targets, "scheduledAt": f"{at.isoformat()}Z"}

        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        for begin in range(0, count, 200):
            numbers = range(begin, min(begin + 200, count))
            posts = [{"key": f"{month}-{n:08}", "post": post(n)} for n in numbers]
            _, body = self.ask("POST", "/v1/posts/batch", json.dumps({"posts": posts}), **headers)
            results = json.loads(body)["results"]
            wrong = [result for result in results if result["status"] != 201]
            assert not wrong, wrong[:2]

    def resident(self):
        """Resident memory in MiB once the server has been idle for ten seconds."""
        time.sleep(10)
        status = open(f"/proc/{self.process.pid}/status").read()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / KIB

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def took(server, path):
    """Milliseconds of each request for a page, of which the first are not counted."""
    times = []
    for _ in range(ROUNDS + 5):
        begun = time.perf_counter()
        server.page(path)
        times.append((time.perf_counter() - begun) * 1_000)
    times = sorted(times[5:])
    return statistics.median(times), times[int(len(times) * 0.95)]


def row(what, measured, budget, unit):
    is_over = measured > budget
    print(f"{what:<58} {measured:>8.1f} {budget:>6} {unit:<4} {'OVER' if is_over else 'ok'}")
    return is_over


def loaded(server, html):
    """The scripts that a page loads, with those that they import, and the size of each."""
    scripts, seen = re.findall(r'src="(/assets/[^"]+\.js)"', html), {}
    while scripts:
        address = scripts.pop()
        if address in seen:
            continue
        text = server.page(address, **{"Accept-Encoding": "identity"})
        seen[address] = len(server.page(address, **{"Accept-Encoding": "gzip"}))
        base = address.rsplit("/", 1)[0]
        imported = re.findall(r"""from ['"]\./([^'"]+)""", text.decode())
        scripts += [f"{base}/{name}" for name in imported]
    return seen


def main():
    if len(sys.argv) > 1:
        binary = os.path.abspath(sys.argv[1])
    else:
        subprocess.run(["cargo", "build", "--quiet", "--release", "--package", "scheduler-cli"], check=True)
        binary = os.path.abspath(os.path.join(os.environ.get("CARGO_TARGET_DIR", "target"), "release/scheduler"))
    over = False
    server = Server(binary)
    print(f"{'':<58} {'measured':>8} {'budget':>6}")
    try:
        idle = server.resident()
        server.write(1_000, "2031-05")
        server.write(60, "2031-07")
        server.sign_in()
        for name, month, budget in [("1 000 posts", "2031-05", MONTH_MS), ("60 posts", "2031-07", FEW_MS)]:
            middle, late = took(server, f"/w/default/calendar/{month}")
            row(f"a month of {name}, p50", middle, budget, "ms")
            row(f"a month of {name}, p95", late, budget, "ms")
        month = server.page("/w/default/calendar/2031-05")
        over |= row("its HTML, gzip", len(gzip.compress(month)) / 1_000, MONTH_KB, "KB")
        every = {}
        for path in ["calendar/2031-05", "compose", "accounts", "activity/now", "inbox", "media", "settings"]:
            html = server.page(f"/w/default/{path}").decode()
            scripts = loaded(server, html)
            every |= scripts
            over |= row(f"scripts of {path}, gzip", sum(scripts.values()) / 1_000, PAGE_SCRIPTS_KB, "KB")
        over |= row("all scripts that were loaded, gzip", sum(every.values()) / 1_000, SCRIPTS_KB, "KB")
        styles = re.search(r'href="(/assets/[^"]+\.css)"', month.decode())[1]
        size = len(server.page(styles, **{"Accept-Encoding": "gzip"}))
        over |= row("styles, gzip", size / 1_000, STYLES_KB, "KB")
    finally:
        server.stop()
    if len(sys.argv) > 2:
        bare = Server(os.path.abspath(sys.argv[2]))
        try:
            grown = idle - bare.resident()
        finally:
            bare.stop()
        row("idle memory that the pages add", grown, MEMORY_MIB, "MiB")
    print(f"idle memory of the server: {idle:.1f} MiB")
    sys.exit(1 if over else 0)


main()
