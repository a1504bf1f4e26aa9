"""Verifies deliveries with the library of Standard Webhooks, as they are and with changes.

Prints its address, and then answers each request: 204 when the library accepts the delivery and
refuses every change to it, else 400 with what it judged otherwise. The secret comes first, by
`PUT /`.
"""

import http.server
import sys

from standardwebhooks.webhooks import Webhook

OTHER_SECRET = "whsec_" + "A" * 43 + "="
webhooks = {}


def changes(headers, body):
    """Each change to a delivery, by name."""
    moved = str(int(headers["webhook-timestamp"]) + 1)
    late = str(int(headers["webhook-timestamp"]) - 301)
    version, signature = headers["webhook-signature"].split(",")
    flipped = ("B" if signature[0] == "A" else "A") + signature[1:]
    yield "another body", headers, body.replace(b"webhook", b"wEbhook", 1)
    yield "a byte more", headers, body + b" "
    yield "a byte less", headers, body[:-1]
    yield "another id", {**headers, "webhook-id": headers["webhook-id"][::-1]}, body
    yield "another time", {**headers, "webhook-timestamp": moved}, body
    yield "a time long ago", {**headers, "webhook-timestamp": late}, body
    yield "another signature", {**headers, "webhook-signature": f"{version},{flipped}"}, body
    yield "another version", {**headers, "webhook-signature": f"v2,{signature}"}, body
    for name in headers:
        yield f"no {name}", {key: value for key, value in headers.items() if key != name}, body


def judged(webhook, headers, body):
    try:
        webhook.verify(body, headers)
    except Exception:
        return False
    return True


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_PUT(self):
        webhooks["own"] = Webhook(self.body().decode())
        self.answer(204, "")

    def do_POST(self):
        body = self.body()
        names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
        headers = {name: self.headers[name] for name in names if name in self.headers}
        faults = []
        if not judged(webhooks["own"], headers, body):
            faults.append("the delivery is refused")
        if len(headers) == len(names):
            for name, changed, bytes_ in changes(headers, body):
                if judged(webhooks["own"], changed, bytes_):
                    faults.append(f"{name} is accepted")
        if judged(Webhook(OTHER_SECRET), headers, body):
            faults.append("another secret is accepted")
        self.answer(400 if faults else 204, "; ".join(faults))

    def body(self):
        return self.rfile.read(int(self.headers["content-length"]))

    def answer(self, status, text):
        self.send_response(status)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
sys.stdout.close()
server.serve_forever()
