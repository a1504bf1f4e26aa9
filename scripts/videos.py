"""The measuring half of videos.sh: the video, the two processes, and what becomes of the post."""

import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import time
import urllib.error
import urllib.request

from samples import film_header

BINARY, FOLDER = os.environ["BINARY"], pathlib.Path(os.environ["FOLDER"])
WANTED = os.environ.get("NETWORKS", "youtube facebook linkedin tiktok").split()
# What LinkedIn takes at most is the least of the four.
VIDEO_BYTES = int(os.environ.get("VIDEO_BYTES", 500_000_000))
LINE_BYTES_PER_SECOND = int(os.environ.get("LINE_BYTES_PER_SECOND", 60_000_000))
KILLED_AT = 0.4
MEMORY_GOAL_BYTES = 100 << 20
PATIENCE_SECONDS = 300


def make_video(path):
    begin = film_header()
    begin += struct.pack(">I", VIDEO_BYTES - len(begin)) + b"mdat"
    with open(path, "wb") as file:
        file.write(begin)
        left = VIDEO_BYTES - len(begin)
        while left > 0:
            file.write(os.urandom(min(left, 1 << 20)))
            left -= 1 << 20


def call(url, body=None, key=None):
    request = urllib.request.Request(url, None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if key:
        request.add_header("Authorization", f"Bearer {key}")
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{url}: {error.code} {error.read().decode()}") from error


def wait_for(what, ask):
    begun = time.monotonic()
    while time.monotonic() - begun < PATIENCE_SECONDS:
        found = ask()
        if found:
            return found
        time.sleep(0.05)
    raise SystemExit(f"waited in vain for {what}")


class Process:
    """A process of the command; `told` is what it has printed, by the words before it."""

    def __init__(self, name, *arguments, **variables):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("SCHEDULER_")}
        self.log = open(FOLDER / f"{name}.log", "ab")
        self.child = subprocess.Popen([BINARY, *arguments], stdout=subprocess.PIPE, text=True,
                                      stderr=self.log, cwd=FOLDER, env=environment | variables)
        self.told = {}
        last = "Listening on" if name == "server" else "Sandbox on"
        for line in self.child.stdout:
            for words in ["Sandbox on", "Listening on"]:
                if line.startswith(words):
                    self.told[words] = line[len(words):].strip()
            if last in self.told:
                return
        raise SystemExit((FOLDER / f"{name}.log").read_text())

    def memory_bytes(self):
        for line in pathlib.Path(f"/proc/{self.child.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
        raise LookupError("VmHWM")

    def forget_memory(self):
        pathlib.Path(f"/proc/{self.child.pid}/clear_refs").write_text("5")

    def end(self, how):
        self.child.send_signal(how)
        self.child.wait()
        self.log.close()


class Run:
    def __init__(self, sandbox):
        self.sandbox = sandbox.told["Sandbox on"]
        self.server = self.start()
        self.key = (FOLDER / "data/first-key").read_text().strip()

    def start(self):
        return Process("server", "serve", "--sandbox", "--data", str(FOLDER / "data"), "--listen",
                       "127.0.0.1:0", SCHEDULER_SANDBOX_URL=self.sandbox,
                       SCHEDULER_PUBLISH_RETRY_SECONDS="1,1,1,1,1", SCHEDULER_LOG="warn",
                       SCHEDULER_RATE_LIMIT_PER_MINUTE="1000000")

    def api(self, path, body=None):
        return call(f"{self.server.told['Listening on']}/v1{path}", body, self.key)

    def received(self, network):
        return call(f"{self.sandbox}/_sandbox/received")["data"][network]

    def upload(self, path):
        """Sends the video with the command, which sends it in parts."""
        environment = os.environ | {"SCHEDULER_URL": self.server.told["Listening on"],
                                    "SCHEDULER_API_KEY": self.key,
                                    "SCHEDULER_STATE": str(FOLDER / "state")}
        done = subprocess.run([BINARY, "media", "upload", str(path), "--json"], check=True,
                              stdout=subprocess.PIPE, env=environment, cwd=FOLDER)
        return json.loads(done.stdout)["id"]

    def target(self, account):
        options = {}
        if account["platform"] == "tiktok":
            options["privacy"] = "SELF_ONLY"
        return {"platform": account["platform"], "accountId": account["id"], "options": options}

    def publish(self, account, video):
        """Publishes to one network through a kill; returns whether all goals are met."""
        network = account["platform"]
        before = self.received(network)
        self.server.forget_memory()
        begun = time.monotonic()
        post = self.api("/posts", {"content": "A large video", "mediaIds": [video],
                                   "publishNow": True, "targets": [self.target(account)]})
        wait_for(f"{network} to get a part",
                 lambda: self.received(network) - before >= KILLED_AT * VIDEO_BYTES)
        memory = [self.server.memory_bytes()]
        self.server.end(signal.SIGKILL)
        killed_at = self.received(network) - before
        self.server = self.start()
        self.server.forget_memory()

        def ended():
            shown = self.api(f"/posts/{post['id']}")
            return shown if shown["status"] == "done" else None

        [target] = wait_for(f"{network} to end", ended)["targets"]
        taken = time.monotonic() - begun
        memory.append(self.server.memory_bytes())
        received = self.received(network) - before
        # Nothing else is sent to this network.
        live = call(f"{self.sandbox}/_sandbox/posts?platform={network}&deleted=false")["data"]
        sizes = [file["bytes"] for one in live for file in one["media"]]
        once = target["status"] == "published" and len(live) == 1 and sizes == [VIDEO_BYTES]
        peak = max(memory)
        print(f"{network}: {target['status']} in {taken:.0f} s; live {len(live)} times with "
              f"{sizes} bytes; killed after {killed_at / 1e6:.0f} MB, received "
              f"{received / 1e6:.1f} MB in all, {received / VIDEO_BYTES:.2f} of the file; memory "
              f"{peak / (1 << 20):.1f} MiB at most (goal: below 100)"
              + (f"; {target['error']}" if target["error"] else ""), flush=True)
        # Less than all again: what is sent twice is what was under way.
        has_resumed = received < VIDEO_BYTES + killed_at * 0.75
        return once and has_resumed and peak < MEMORY_GOAL_BYTES


def main():
    path = FOLDER / "video.mp4"
    make_video(path)
    sandbox = Process("sandbox", "sandbox", "--listen", "127.0.0.1:0",
                      "--receive-bytes-per-second", str(LINE_BYTES_PER_SECOND))
    run = None
    try:
        run = Run(sandbox)
        accounts = {one["platform"]: one for one in run.api("/oauth/accounts")["data"]}
        missing = [name for name in WANTED if name not in accounts]
        if missing:
            print(f"not built in: {', '.join(missing)}", flush=True)
        video = run.upload(path)
        met = [run.publish(accounts[name], video) for name in WANTED if name in accounts]
    finally:
        if run:
            run.server.end(signal.SIGTERM)
        sandbox.end(signal.SIGTERM)
    return 0 if met and all(met) else 1


sys.exit(main())
