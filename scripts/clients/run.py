"""Runs clients that others wrote against the imitations. scripts/clients.sh installs them.

    run.py BINARY CACHE CLIENT…

Starts `BINARY sandbox` on the loopback, and for each network that a client wants an address of its
own, since most clients know nothing of a path before their own. For each client one line is
printed, and below it each step that came out otherwise; the exit code tells whether any did.
"""

import base64
import http.client
import http.server
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading
import urllib.request
import zlib

HERE = pathlib.Path(__file__).parent
# What each client is called, the network that it speaks with, and its trial.
CLIENTS = {
    "masto": ("mastodon", "masto.mjs"),
    "@atproto/api": ("bluesky", "atproto.mjs"),
    "grammy": ("telegram", "grammy.mjs"),
    "discord.js": ("discord", "discord-js.mjs"),
    "googleapis": ("youtube", "googleapis.mjs"),
    "twitter-api-v2": ("twitter", "twitter-api-v2.mjs"),
    "tumblr.js": ("tumblr", "tumblr-js.mjs"),
    "discord.py": ("discord", "discord_py.py"),
    "python-telegram-bot": ("telegram", "telegram_bot.py"),
    "google-api-python-client": ("youtube", "googleapis_py.py"),
    "Mastodon.py": ("mastodon", "mastodon_py.py"),
}
# Seconds that a client may take.
PATIENCE = 120


def picture():
    """A PNG of two by two pixels."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"\0\xff\0\0\0\0\xff" * 2
    head = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


# Longer than a piece of 256 KiB, and no video but for its first bytes.
FILM = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + bytes(300 * 1024)


def sandbox(binary):
    """Starts the imitations and returns the process and where they listen."""
    process = subprocess.Popen([binary, "sandbox", "--listen", "127.0.0.1:0", "--json"], stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        at = line.find("http://127.0.0.1:")
        if at >= 0:
            url = line[at:].split('"')[0].split()[0].rstrip("/.,")
            threading.Thread(target=process.stdout.read, daemon=True).start()
            return process, url
    sys.exit("the imitations did not start")


def account(url, platform):
    """Makes an account of a network."""
    body = json.dumps({"platform": platform}).encode()
    request = urllib.request.Request(f"{url}/_sandbox/accounts", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


class Front(http.server.BaseHTTPRequestHandler):
    """Passes every request on, below the path of one network."""

    protocol_version = "HTTP/1.1"
    target, prefix, bearer = "", "", None

    def pass_on(self):
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            body = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("transfer-encoding", "content-length", "connection")}
        if self.bearer:
            headers = {name: value for name, value in headers.items() if name.lower() != "authorization"}
            headers["authorization"] = f"Bearer {self.bearer}"
        headers["content-length"] = str(len(body))
        connection = http.client.HTTPConnection(self.target, timeout=PATIENCE)
        connection.request(self.command, self.prefix + self.path, body, headers)
        answer = connection.getresponse()
        # What an answer names by its own address is asked for by this one.
        content = answer.read()
        own = f"http://{self.headers['host']}"
        inner = f"http://{self.target}{self.prefix}"
        if "json" in answer.getheader("content-type", ""):
            content = content.replace(inner.encode(), own.encode())
        self.send_response_only(answer.status, answer.reason)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                self.send_header(name, value.replace(inner, own))
        if answer.status != 204:
            self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        connection.close()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = pass_on

    def log_message(self, *_):
        """Says nothing."""


def front(url, platform, bearer=None):
    """Gives a network an address without a path; with a token it stands in for what the client signs by."""
    target = url.removeprefix("http://")
    kind = type("Front", (Front,), {"target": target, "prefix": f"/{platform}", "bearer": bearer})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def main():
    binary, cache, *names = sys.argv[1:]
    process, url = sandbox(binary)
    differ = 0
    try:
        for name in names:
            platform, trial = CLIENTS[name]
            made = account(url, platform)
            bearer = made["accessToken"] if platform == "tumblr" else None
            given = {
                "account": made,
                "base": front(url, platform, bearer),
                "picture": base64.b64encode(picture()).decode(),
                "film": base64.b64encode(FILM).decode(),
            }
            # A file, for it is longer than an environment takes.
            with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
                json.dump(given, file)
            environment = os.environ | {"CLIENTS_GIVEN": file.name, "NO_PROXY": "*", "no_proxy": "*"}
            if trial.endswith(".mjs"):
                # Modules are looked for beside the file that wants them.
                command = ["node", f"{cache}/node/trials/{trial}"]
            else:
                command = [f"{cache}/python/bin/python", str(HERE / trial)]
            try:
                ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
                lines = ran.stdout.splitlines()
                if os.environ.get("CLIENTS_TRACE"):
                    sys.stderr.write(ran.stderr)
                if ran.returncode != 0:
                    last = (ran.stderr.strip().splitlines() or [f"exit code {ran.returncode}"])[-1]
                    lines.append(f"DIFFERS the trial ended: {last}")
            except subprocess.TimeoutExpired:
                lines = [f"DIFFERS the trial took more than {PATIENCE} s"]
            finally:
                os.unlink(file.name)
            wrong = [line for line in lines if line.startswith("DIFFERS")]
            right = sum(line.startswith("ok ") for line in lines)
            differ += bool(wrong)
            print(f"{'DIFFERS' if wrong else 'ok':8}{name:26}{platform:10}{right} of {right + len(wrong)} steps", flush=True)
            for line in wrong:
                print(f"          {line.removeprefix('DIFFERS ')}", flush=True)
    finally:
        process.terminate()
        process.wait()
    print(f"clients: {len(names)} tried, {differ} differ")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
