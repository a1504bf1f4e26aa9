"""Chromium, driven over the protocol of its driver; needs nothing but the two programs."""

import base64
import http.client
import json
import socket
import subprocess
import tempfile
import time

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
# The key by which the protocol names an element.
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """A browser without a window; it ends with `stop`."""

    def __init__(self, *arguments, width=1440, height=900):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.driver = subprocess.Popen([DRIVER, f"--port={port}"], stdout=subprocess.DEVNULL)
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        options = {
            "binary": CHROMIUM,
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-quic",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--hide-scrollbars", "--enable-precise-memory-info", f"--window-size={width},{height}",
                f"--user-data-dir={self.profile.name}", *arguments,
            ],
        }
        wanted = {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": {"performance": "ALL"}}}
        for _ in range(100):
            try:
                self.base = ""
                self.base = f"/session/{self.ask('POST', '/session', {'capabilities': wanted})['sessionId']}"
                return
            except ConnectionRefusedError:
                self.connection.close()
                time.sleep(0.1)
        raise RuntimeError("the driver does not answer")

    def ask(self, method, path, body=None):
        self.connection.request(method, self.base + path, json.dumps(body) if method == "POST" else None)
        answer = json.loads(self.connection.getresponse().read())["value"]
        if isinstance(answer, dict) and "error" in answer:
            raise RuntimeError(f"{path}: {answer['message'].splitlines()[0]}")
        return answer

    def tools(self, command, **parameters):
        """A command to Chromium itself."""
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, address):
        self.ask("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_until_done(self, script, *arguments):
        """Runs a script that calls its last argument with what it returns."""
        return self.ask("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def wait(self, what, script):
        end = time.monotonic() + 60
        while not self.run(script):
            if time.monotonic() > end:
                raise RuntimeError(f"waited in vain for {what}")
            time.sleep(0.05)

    def find(self, css):
        return self.ask("POST", "/element", {"using": "css selector", "value": css})[ELEMENT]

    def click(self, css):
        self.ask("POST", f"/element/{self.find(css)}/click", {})

    def write(self, css, text):
        self.ask("POST", f"/element/{self.find(css)}/value", {"text": text})

    def size(self, width, height, scale=1):
        is_small = width < 500
        self.tools(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=scale, mobile=is_small,
        )

    def picture(self):
        """What is on the screen, as PNG."""
        return base64.b64decode(self.tools("Page.captureScreenshot", format="png")["data"])

    def events(self, *methods):
        """What Chromium has told since the last call."""
        told = [json.loads(entry["message"])["message"] for entry in self.ask("POST", "/se/log", {"type": "performance"})]
        return [event for event in told if event["method"] in methods]

    def sign_in(self, server):
        """Has the owner of a server signed in, by a link that opens once."""
        code = server.run("web", "open", "--json")["url"].split("#")[1]
        self.open(f"http://{server.host}/signin/once#{code}")
        self.wait("the code", "return document.getElementById('link').value !== ''")
        self.click("button.go")
        # What is opened before the answer has come would cut it off.
        self.wait("the session", "return !location.pathname.startsWith('/signin')")

    def stop(self):
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.profile.cleanup()
