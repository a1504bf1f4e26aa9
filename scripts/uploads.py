"""The measuring half of uploads.sh: sends the files, copies them, and prints what it took."""

import base64
import hashlib
import hmac
import http.client
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time
import urllib.parse
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor

FOLDER = pathlib.Path(os.environ["FOLDER"])
SERVER, URL, KEY = os.environ["SERVER"], os.environ["URL"], os.environ["KEY"]
PAIRS = int(os.environ["PAIRS"])
PARTS_AT_ONCE = 4
MIB = 1 << 20
MEMORY_GOAL_BYTES, RATE_GOAL = 32 * MIB, 0.6


def api(path, body):
    request = urllib.request.Request(f"{URL}/v1{path}", json.dumps(body).encode())
    request.add_header("Authorization", f"Bearer {KEY}")
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def put(link, path, offset, size):
    """Sends a piece of a file, past this program's memory, and returns its ETag."""
    link = urllib.parse.urlsplit(link)
    connection = http.client.HTTPConnection(link.netloc)
    connection.putrequest("PUT", f"{link.path}?{link.query}")
    connection.putheader("Content-Length", str(size))
    connection.endheaders()
    with open(path, "rb") as file:
        connection.sock.sendfile(file, offset, size)
    answer = connection.getresponse()
    text = answer.read()
    assert answer.status == 200, text
    connection.close()
    return answer.headers["etag"]


def send_parts(path):
    size = path.stat().st_size
    declared = api("/media", {"kind": "video", "sizeBytes": size, "fileName": "a.mp4"})
    upload = declared["upload"]

    def send(part):
        offset = (part["partNumber"] - 1) * upload["partSize"]
        length = min(upload["partSize"], size - offset)
        return {"partNumber": part["partNumber"], "etag": put(part["url"], path, offset, length)}

    with ThreadPoolExecutor(PARTS_AT_ONCE) as pool:
        parts = list(pool.map(send, upload["parts"]))
    done = api(f"/media/{declared['media']['id']}/complete", {"parts": parts})
    assert done["status"] == "processing", done


def single_link(size):
    """A link to send a whole file of any size, which the API gives for small files alone."""
    text = (FOLDER / "data/secret.key").read_text().strip()
    key = bytes.fromhex(text) if len(text) == 64 else base64.b64decode(text)
    secret = hmac.digest(key, b"scheduler: file links", hashlib.sha256)
    name = f"{uuid.UUID(int=0)}/{uuid.uuid4()}/original"
    fields = {"expires": str(int(time.time()) + 3600), "size": str(size)}
    signed = b""
    for text in ["PUT", name, *(text for pair in fields.items() for text in pair)]:
        signed += len(text).to_bytes(8, "big") + text.encode()
    fields["signature"] = hmac.digest(secret, signed, hashlib.sha256).hex()
    return f"{URL}/files/{name}?{urllib.parse.urlencode(fields)}"


def send_single(path):
    size = path.stat().st_size
    put(single_link(size), path, 0, size)


def copy(path):
    begun = time.monotonic()
    subprocess.run(["cp", path, FOLDER / "copy"], check=True)
    subprocess.run(["sync", FOLDER / "copy"], check=True)
    taken = time.monotonic() - begun
    (FOLDER / "copy").unlink()
    return taken


def memory_bytes(field):
    for line in pathlib.Path(f"/proc/{SERVER}/status").read_text().splitlines():
        name, value = line.split(":")
        if name == field:
            return int(value.split()[0]) * 1024
    raise LookupError(field)


def run(name, path, send):
    """Sends and copies a file by turns; returns whether both goals are met."""
    size, ratios, growths, speeds = path.stat().st_size, [], [], []
    for _ in range(PAIRS):
        copied = copy(path)
        # The peak starts again from here.
        pathlib.Path(f"/proc/{SERVER}/clear_refs").write_text("5")
        before, begun = memory_bytes("VmRSS"), time.monotonic()
        send(path)
        sent = time.monotonic() - begun
        growths.append(memory_bytes("VmHWM") - before)
        ratios.append(copied / sent)
        speeds.append((size / MIB / sent, size / MIB / copied))
        [kept] = [file for file in (FOLDER / "data/files/kept").rglob("*") if file.is_file()]
        assert subprocess.run(["cmp", path, kept]).returncode == 0, "other bytes are kept"
        shutil.rmtree(FOLDER / "data/files/kept")
        (FOLDER / "data/files/kept").mkdir()
    growth, ratio = max(growths), statistics.median(ratios)
    sent, copied = (statistics.median(speed) for speed in zip(*speeds))
    print(f"{name}, {size // MIB} MiB, {PAIRS} times: memory grew by {growth / MIB:.1f} MiB at most "
          f"(goal: below 32); {sent:.0f} MiB/s against {copied:.0f} MiB/s of cp and sync, "
          f"ratio {ratio:.2f} of {', '.join(f'{ratio:.2f}' for ratio in ratios)} (goal: 0.6)",
          flush=True)
    return growth < MEMORY_GOAL_BYTES and ratio >= RATE_GOAL


# One request first, so that what every request needs is there.
api("/media", {"kind": "image", "sizeBytes": 1, "fileName": "a.png"})
met = [run("in parts", FOLDER / "parts", send_parts),
       run("as one stream", FOLDER / "single", send_single)]
sys.exit(0 if all(met) else 1)
