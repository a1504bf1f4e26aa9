#!/usr/bin/env python3
"""Makes the pictures of the pages in docs/images: a pottery that plans its October on the sandbox
networks, at an hour that is always the same.

    scripts/screenshots.py BINARY

Needs Chromium with its driver, ffmpeg and faketime. What is shown depends on the fonts of the machine;
the rest is the same each time, but for ids."""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "scripts/web"))
from browser import Browser
from server import Server

IMAGES = ROOT / "docs/images"
# So many colours keep a picture small and its letters sharp.
COLOURS = 96
BYTES = 150_000
# When the pictures are taken, and when what is live by then went out.
NOW = "2026-10-14 09:12:00"
BEFORE = [
    ("2026-10-01 09:00:00", "The kiln is warm again: autumn glazes come out on Saturday", ["bluesky", "mastodon"], "e0a96d:8c5a3c"),
    ("2026-10-03 11:00:00", "Forty bowls, one glaze, and not two alike", ["bluesky", "facebook", "threads"], "9db5b2:3f5e5a"),
    ("2026-10-06 09:00:00", "Courses for beginners: six evenings, six places", ["mastodon", "linkedin"], None),
    ("2026-10-08 18:00:00", "What a foot ring is for, and why ours has a notch", ["bluesky", "mastodon", "threads"], "d8c3a5:8e8d8a"),
    ("2026-10-10 10:00:00", "Open house on Sunday: coffee, cake and the wheel", ["facebook", "telegram"], "c38d9e:5d3a4a"),
    ("2026-10-12 09:00:00", "Thank you for coming. The raku took its time", ["bluesky", "mastodon", "facebook"], "e8a87c:b04a2f"),
    ("2026-10-13 09:00:00", "Three seconds left in the shop, at half the price", ["bluesky", "threads"], None),
]
TO_COME = [
    ("15T09:00", "Glaze of the week: iron and ash", ["bluesky", "mastodon"], "7a6c5d:2f2a25"),
    ("15T18:00", "The second course has two places left", ["facebook", "linkedin"], None),
    ("16T09:00", "The autumn shop opens: 62 pieces, each one photographed", ["bluesky", "mastodon", "threads", "facebook"], "cfa27e:7b4b2a"),
    ("16T13:00", "Behind the wheel with Ana", ["telegram", "discord"], None),
    ("17T10:00", "How we pack a vase so that it arrives", ["mastodon", "tumblr"], "b8c4bb:5c6f68"),
    ("19T09:00", "Monday is for clay: 300 kilograms have arrived", ["bluesky", "threads"], None),
    ("20T09:00", "A tile for each month, and October is red", ["mastodon", "facebook"], "a63d2f:4d1a14"),
    ("21T12:00", "Questions about glazes? We answer at noon", ["bluesky", "linkedin"], None),
    ("22T09:00", "Seen on your tables: thank you for the pictures", ["facebook", "threads"], "d9b08c:116466"),
    ("23T09:00", "Last firing of the month", ["bluesky", "mastodon", "telegram"], None),
    ("26T09:00", "New in the shop: espresso cups", ["bluesky", "facebook"], "5e503f:c6ac8f"),
    ("28T17:00", "The calendar of courses for winter", ["mastodon", "linkedin", "facebook"], None),
    ("30T09:00", "What the kiln log says of October", ["bluesky", "mastodon"], None),
]


class Pottery(Server):
    """The server of the pottery, at an instant from which its clock goes on."""

    def __init__(self, binary, at, folder):
        more = {
            "TZ": "UTC", "SCHEDULER_PUBLISH_RETRY_SECONDS": "1,1,1,1,1",
            "LD_PRELOAD": str(next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))),
            "FAKETIME": f"@{at}", "DONT_FAKE_MONOTONIC": "1",
        }
        super().__init__(binary, folder=folder, more=more)
        # The first start alone makes a key.
        file = Path(folder, "key-of-pictures")
        self.key = self.key or file.read_text()
        file.write_text(self.key)

    def api(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        answer, text = self.ask(method, f"/v1{path}", json.dumps(body) if body is not None else None, **headers)
        assert answer.status < 300, (path, answer.status, text)
        return json.loads(text) if text else None

    def picture(self, colours):
        """The id of a picture of two colours, which is drawn here."""
        first, second = colours.split(":")
        drawn = subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i",
             f"gradients=s=1200x900:c0=0x{first}:c1=0x{second}:n=2:seed=7:d=1", "-frames:v", "1", "-f", "mjpeg", "-"],
            capture_output=True, check=True,
        ).stdout
        made = self.api("POST", "/media", {"kind": "image", "sizeBytes": len(drawn), "fileName": f"glaze-{first}.jpg"})
        request = urllib.request.Request(made["upload"]["uploadUrl"], drawn, method="PUT", headers=made["upload"].get("headers") or {})
        urllib.request.urlopen(request)
        file = made["media"]["id"]
        self.api("POST", f"/media/{file}/uploaded", {})
        while self.api("GET", f"/media/{file}")["status"] != "ready":
            time.sleep(0.1)
        self.api("PATCH", f"/media/{file}", {"altText": "A glaze, close up"})
        return file

    def post(self, text, networks, colours=None, **more):
        body = {"content": text, "targets": [{"platform": each} for each in networks], **more}
        if colours:
            body["mediaIds"] = [self.picture(colours)]
        return self.api("POST", "/posts", body)["id"]

    def ended(self, post):
        """Waits until nothing of a post is under way."""
        for _ in range(300):
            targets = self.api("GET", f"/posts/{post}")["targets"]
            if all(target["status"] in ("published", "failed") for target in targets):
                return targets
            time.sleep(0.1)
        raise RuntimeError(f"{post} does not end")

    def sandbox_call(self, path, body):
        request = urllib.request.Request(self.sandbox + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        return json.loads(urllib.request.urlopen(request).read() or "null")

    def fault(self, network, kind, times=1):
        fault = {"platform": network, "operation": "publish", "kind": kind, "times": times, "retryAfterSeconds": 2}
        self.sandbox_call("/_sandbox/faults", fault)


def small(png, name):
    """Writes a picture of few colours."""
    path = IMAGES / f"web-{name}.png"
    few = f"split[a][b];[a]palettegen=max_colors={COLOURS}:stats_mode=full[p];[b][p]paletteuse=dither=none"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "png_pipe", "-i", "-", "-vf", few, "-frames:v", "1", "-compression_level", "100",
         "-pred", "none", str(path)],
        input=png, check=True,
    )
    size = path.stat().st_size
    print(f"{path.relative_to(ROOT)}: {size / 1_000:.0f} KB")
    assert size <= BYTES, f"{path} is larger than {BYTES} bytes"


def comments(server, post):
    """Others write under a live post of the imitated Mastodon."""
    target = next(each for each in server.api("GET", f"/posts/{post}")["targets"] if each["platform"] == "mastodon")
    for text in ["Is the ash from your own stove?", "The notch is genius. Mine never drain.", "Do you ship to Norway?"]:
        account = server.sandbox_call("/_sandbox/accounts", {"platform": "mastodon"})
        request = urllib.request.Request(
            f"{server.sandbox}/mastodon/api/v1/statuses",
            json.dumps({"status": text, "in_reply_to_id": target["remoteId"]}).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {account['accessToken']}"},
        )
        urllib.request.urlopen(request)
    return target["id"]


def written(binary, folder):
    """Writes what the pottery has sent and plans, and takes the pictures of it."""
    live = {}
    for at, text, networks, colours in BEFORE:
        server = Pottery(binary, at, folder)
        try:
            live[at] = server.post(text, networks, colours, publishNow=True)
            server.ended(live[at])
        finally:
            server.stop()
    server = Pottery(binary, NOW, folder)
    try:
        for at, text, networks, colours in TO_COME:
            server.post(text, networks, colours, scheduledAt=f"2026-10-{at}:00Z")
        server.post("Christmas market: which table?", ["bluesky"], saveAsDraft=True)
        waits = server.post("Our new mark, after forty years", ["bluesky", "mastodon", "facebook"], "22333b:c6ac8f", scheduledAt="2026-10-17T14:00:00Z")
        asked = server.run("approvals", "create", waits, "--client", "Jonas", "--note", "Is the red right?", "--json")["url"]
        server.fault("mastodon", "rate_limited", 2)
        server.fault("facebook", "permanent")
        failed = server.post("Shards: what we learn from what breaks", ["bluesky", "mastodon", "facebook"], "a98467:432818", publishNow=True)
        server.ended(failed)
        # Names and addresses of the pages begin with that of the workspace.
        server.sign_in()
        form = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": server.cookie}
        name = urllib.parse.urlencode({"name": "Kiln & Field", "zone": "Etc/UTC"})
        answer, _ = server.ask("POST", "/w/default/settings", name, **form)
        server.short = answer.headers["Location"].split("/")[2]
        talk = live[BEFORE[3][0]]
        target = comments(server, talk)
        pictures(server, failed, f"inbox/{talk}/{target}", asked)
    finally:
        server.stop()


def pictures(server, failed, talk, asked):
    base = f"http://{server.host}"
    for is_dark in (False, True):
        browser = Browser(*(["--blink-settings=preferredColorScheme=0"] if is_dark else []))
        try:
            browser.sign_in(server)

            def shoot(name, path, width=1280, height=800, scale=1, prepare=""):
                browser.size(width, height, scale)
                browser.open(path if path.startswith("http") else f"{base}/w/{server.short}/{path}")
                browser.run(prepare or "scrollTo(0, 0)")
                browser.run_until_done("const done = arguments[0]; requestAnimationFrame(() => setTimeout(done, 400))")
                small(browser.picture(), name)

            if is_dark:
                shoot("dark", "calendar/2026-W42")
                continue
            shoot("month", "calendar/2026-10")
            shoot("week", "calendar/2026-W42")
            shoot("day", "calendar/2026-10-16")
            shoot("list", "calendar/list")
            tick = """const pick = (name) => [...document.querySelectorAll('input[name=account]')]
                .find((box) => box.closest('label').textContent.includes(name));
                pick('Bluesky').checked = true; pick('Mastodon').checked = true;
                const text = document.getElementById('content');
                text.value = 'The notch in the foot ring lets the water run off when a bowl stands upside down in the machine. It takes a minute more for each piece, and nobody asks for it until they have had one.';
                text.dispatchEvent(new Event('input', { bubbles: true }));"""
            shoot("compose", "compose?at=2026-10-16T09:00", prepare=tick)
            shoot("post", f"posts/{failed}")
            shoot("inbox", talk)
            shoot("figures", "figures?days=28")
            shoot("accounts", "accounts", 1480, 925)
            shoot("client", asked.replace(asked.split("/approve/")[0], base))
            shoot("phone", "calendar/2026-10", 390, 844, 2)
        finally:
            browser.stop()


def main():
    binary = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        written(binary, folder)


if __name__ == "__main__":
    main()
