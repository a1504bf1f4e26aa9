"""A server on a sandbox, for what measures and shows its pages."""

import http.client
import json
import os
import re
import subprocess
import tempfile
import time
import urllib.parse
from datetime import datetime, timedelta

KIB = 1024


class Server:
    """A server on a sandbox, in a folder that is removed at the end unless it is named."""

    def __init__(self, binary, folder=None, more=None):
        self.binary = binary
        self.own = None if folder else tempfile.TemporaryDirectory()
        self.folder = folder or self.own.name
        self.settings = {
            **os.environ,
            "SCHEDULER_DATA": self.folder,
            "SCHEDULER_LISTEN": "127.0.0.1:0",
            "SCHEDULER_RATE_LIMIT_PER_MINUTE": "1000000",
            "SCHEDULER_LOG": "error",
            **(more or {}),
        }
        self.process = subprocess.Popen(
            [self.binary, "serve", "--sandbox"],
            env=self.settings,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.key = ""
        for line in self.process.stdout:
            if line.startswith("API key in "):
                self.key = open(line.split(" in ", 1)[1].strip()).read().strip()
            if line.startswith("Sandbox on "):
                self.sandbox = line.split()[2]
            if line.startswith("Listening on "):
                self.host = urllib.parse.urlparse(line.split()[-1]).netloc
                break
        self.connection = http.client.HTTPConnection(self.host)

    def run(self, *arguments):
        output = subprocess.run(
            [self.binary, *arguments], env=self.settings, cwd=self.folder, capture_output=True, check=True
        )
        return json.loads(output.stdout)

    def ask(self, method, path, body=None, **headers):
        for is_last in (False, True):
            try:
                self.connection.request(method, path, body, headers)
                answer = self.connection.getresponse()
                return answer, answer.read()
            except http.client.RemoteDisconnected:
                # The server ends connections that nobody uses.
                if is_last:
                    raise

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
        if self.own:
            self.own.cleanup()
