#!/usr/bin/env python3
"""Measures the pages against their budgets: the server's time for a month of a thousand posts on
thirteen networks and for one of sixty; the size of that page, of scripts and of styles; in Chromium,
where it is installed, what a slow machine on a slow line sees of them, how soon they answer, what
moves, and what an hour of changes costs; and the memory of an idle server and the size of the program
with the pages and, where there is such a build, without.

    scripts/pages.py [BINARY [BINARY_WITHOUT_PAGES]]

The binary is a release build, which is made when none is named, on a path where Node.js is not found.
Times are of this machine: they are printed beside their budgets, and fail nothing."""

import gzip
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "web"))
from browser import CHROMIUM, DRIVER
from server import Server
from traces import Traces

ROUNDS = 101
# The budgets of the design.
MONTH_MS, FEW_MS, MONTH_KB, SCRIPTS_KB, PAGE_SCRIPTS_KB, STYLES_KB, MEMORY_MIB, PROGRAM_MB = (
    100, 15, 150, 60, 30, 25, 2, 1,
)
FIRST_MS, CACHED_MS, LATE_MS, REQUESTS, TAB_MB = 2_000, 1_000, 50, 4, 10


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


def without_node(hidden):
    """The environment, with a path that leads to all programs but those of Node.js by this folder."""
    for folder in os.environ["PATH"].split(os.pathsep):
        for program in sorted(Path(folder).glob("*")) if os.path.isdir(folder) else []:
            link = Path(hidden, program.name)
            if program.name not in ("node", "nodejs", "npm", "npx") and not link.exists():
                link.symlink_to(program)
    assert shutil.which("node", path=hidden) is None
    return {**os.environ, "PATH": hidden}


def traced(server):
    """What a browser measures; true where a budget that is no time is passed."""
    if not (os.path.exists(CHROMIUM) and os.path.exists(DRIVER)):
        print("not measured: Chromium and its driver are not installed")
        return False
    over = False
    traces = Traces(server)
    try:
        for path in ["calendar/2031-05", "compose"]:
            first, cached = traces.paints(path)
            row(f"largest paint of {path}, first", first, FIRST_MS, "ms")
            row(f"largest paint of {path}, cached", cached, CACHED_MS, "ms")
        for path, shift, requests in traces.shifts_and_requests():
            if shift > 0:
                over |= row(f"what moves while {path} is loaded", shift, 0, "")
            if requests > REQUESTS:
                over |= row(f"requests of {path} without pictures", requests, REQUESTS, "")
        late, gap = traces.typing()
        row("a key in 5 000 characters, p95", late, LATE_MS, "ms")
        print(f"{'':<4}the longest time between two pictures meanwhile: {gap:.0f} ms")
        late, gap = traces.dragging("calendar/2031-05")
        row("a press and a drop in a month of 1 000 posts, p95", late, LATE_MS, "ms")
        print(f"{'':<4}the longest time between two pictures meanwhile: {gap:.0f} ms")
        month = server.page("/w/default/calendar/2031-07").decode()
        ids = list(dict.fromkeys(re.findall(r'class="card[^"]*"[^>]*data-id="([^"]+)"', month)))
        over |= row("what a tab grows by in 120 changes", traces.growth("calendar/2031-07", ids), TAB_MB, "MB")
    finally:
        traces.stop()
    return over


def main():
    if len(sys.argv) > 1:
        binary = os.path.abspath(sys.argv[1])
    else:
        build = ["cargo", "build", "--quiet", "--release", "--package", "scheduler-cli"]
        with tempfile.TemporaryDirectory() as hidden:
            subprocess.run(build, check=True, env=without_node(hidden))
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
        over |= traced(server)
    finally:
        server.stop()
    if len(sys.argv) > 2:
        bare = Server(os.path.abspath(sys.argv[2]))
        try:
            grown = idle - bare.resident()
        finally:
            bare.stop()
        row("idle memory that the pages add", grown, MEMORY_MIB, "MiB")
        size = (os.path.getsize(binary) - os.path.getsize(sys.argv[2])) / 1e6
        over |= row("what the pages add to the program", size, PROGRAM_MB, "MB")
    print(f"idle memory of the server: {idle:.1f} MiB")
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
