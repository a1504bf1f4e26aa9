#!/usr/bin/env python3
"""Receives the events of a scheduler on 127.0.0.1 and verifies them.

    SCHEDULER_WEBHOOK_SECRET=whsec_... python3 receiver.py 9000

Needs nothing but Python 3.8 or later.
"""

import hashlib
import hmac
import json
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 5 * 60
BODY_BYTES_MAX = 1 << 20
IDS_KEPT = 100_000
SIGNATURE = re.compile(r"t=([0-9]{1,15}),v2=([0-9a-f]{64})")


class Refused(Exception):
    """The delivery is not to be trusted."""


def verify(secret, header, body, now):
    """Checks the header x-service-signature-v2 against the bytes as they came."""
    match = SIGNATURE.fullmatch(header or "")
    if match is None:
        raise Refused("the signature is missing or malformed")
    seconds, signature = match.groups()
    signed = seconds.encode() + b"." + body
    expected = hmac.new(secret, signed, hashlib.sha256).hexdigest()
    # Takes the same time wherever the two differ.
    if not hmac.compare_digest(expected, signature):
        raise Refused("the signature does not match")
    if abs(now - int(seconds)) > TOLERANCE_SECONDS:
        raise Refused("the signature is more than five minutes from now")


def handle(event):
    """Does what the event is for. Put your own work here."""
    data = event["data"]
    outcome = data.get("remoteUrl") if event["event"] == "post.published" else data.get("error")
    print("verified", event["event"], event["id"], data["platform"], outcome, flush=True)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10  # A sender that stops in the middle is not waited for longer.
    secret = b""
    # The oldest first. A receiver of several processes keeps them in its database.
    handled = {}
    lock = threading.Lock()

    def do_POST(self):
        try:
            self.receive(self.read_body())
        except Refused as refusal:
            print("refused", refusal, flush=True)
            self.answer(400)

    def read_body(self):
        length = self.headers.get("content-length", "")
        if not length.isascii() or not length.isdigit() or int(length) > BODY_BYTES_MAX:
            self.close_connection = True
            raise Refused("the body has no length or is too long")
        return self.rfile.read(int(length))

    def receive(self, body):
        verify(self.secret, self.headers.get("x-service-signature-v2"), body, time.time())
        try:
            event = json.loads(body)
            # The id of the body: that of the header is not signed.
            event_id, _ = str(event["id"]), event["data"]["platform"]
        except (ValueError, KeyError, TypeError):
            raise Refused("the body is no event") from None
        # A fault of our own work below is not answered, and the event is sent again.
        with self.lock:
            if event_id in self.handled:
                print("repeat", event_id, flush=True)
            else:
                handle(event)
                self.handled[event_id] = True
                if len(self.handled) > IDS_KEPT:
                    del self.handled[next(iter(self.handled))]
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def main():
    if len(sys.argv) != 2 or not os.environ.get("SCHEDULER_WEBHOOK_SECRET"):
        sys.exit("usage: SCHEDULER_WEBHOOK_SECRET=whsec_... receiver.py PORT")
    Receiver.secret = os.environ["SCHEDULER_WEBHOOK_SECRET"].encode()
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
    print(f"Receiving on http://127.0.0.1:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
