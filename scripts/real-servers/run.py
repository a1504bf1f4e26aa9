#!/usr/bin/env python3
"""Publishes to real servers while the built one is killed, and counts at the real ones.

Started by scripts/real-servers.sh within a network of its own. Everything that it starts ends with
that process namespace.
"""
import glob
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(__file__), os.pardir))
sys.path.insert(0, os.path.dirname(__file__))
import person
from samples import picture

FOLDER, BINARY, CACHE, PDS_FOLDER = sys.argv[1:5]
POSTS, KILLS = int(sys.argv[5]), int(sys.argv[6])
SERVERS = sys.argv[7:]
API = "http://127.0.0.1:8080/v1"
PASSWORD = "a password of nobody"
PATIENCE = 240
running = []


def start(name, command, **variables):
    log = open(f"{FOLDER}/{name}.log", "ab")
    process = subprocess.Popen(
        command, env={**os.environ, **variables}, stdin=subprocess.DEVNULL, stdout=log, stderr=log
    )
    running.append(process)
    return process


def log(name):
    with open(f"{FOLDER}/{name}.log", encoding="utf-8", errors="replace") as file:
        return file.read()


def wait_for(what, ask, patience=60):
    begun = time.monotonic()
    while time.monotonic() - begun < patience:
        found = ask()
        if found:
            return found
        time.sleep(0.1)
    sys.exit(f"waited in vain for {what}")


def call(method, url, body=None, form=None, headers=None, patience=30):
    """The status and the answer; status 0 when there is none."""
    data = None
    headers = dict(headers or {})
    if isinstance(body, bytes):
        data = body
        headers["content-type"] = "application/octet-stream"
    elif body is not None:
        data = json.dumps(body).encode()
        headers["content-type"] = "application/json"
    if form is not None:
        data = urllib.parse.urlencode(form).encode()
    request = urllib.request.Request(url, data=data, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=patience) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    except OSError:
        return 0, None
    try:
        return status, json.loads(text)
    except ValueError:
        return status, text.decode(errors="replace")


# The real servers


PDS = "http://127.0.0.1:2583/xrpc"


def start_pds():
    data = f"{FOLDER}/pds"
    os.makedirs(f"{data}/blobs")
    server = start(
        "pds",
        ["node", f"{PDS_FOLDER}/scheduler-pds.mjs"],
        PDS_HOSTNAME="pds.example.net",
        PDS_PORT="2583",
        PDS_DATA_DIRECTORY=data,
        PDS_BLOBSTORE_DISK_LOCATION=f"{data}/blobs",
        PDS_JWT_SECRET=os.urandom(16).hex(),
        PDS_ADMIN_PASSWORD=os.urandom(16).hex(),
        PDS_PLC_ROTATION_KEY_K256_PRIVATE_KEY_HEX=os.urandom(32).hex(),
        PDS_DID_PLC_URL="http://127.0.0.1:2582",
        PDS_INVITE_REQUIRED="false",
        LOG_ENABLED="false",
        NODE_EXTRA_CA_CERTS=f"{FOLDER}/ca.pem",
    )
    wait_for("the PDS", lambda: "ready" in log("pds"))
    named = ["bluesky", "--pds", "https://pds.example.net", "--identifier"]

    def on_page():
        handle = "alice.pds.example.net"
        link = connected(*named, handle, "--in-browser", "--no-wait", "--public-url", PUBLIC)
        person.connect(link.split()[-1], {"way": "page", "identifier": handle}, PASSWORD)
        # Its token ends before the first post, and the next one does not.
        server.send_signal(signal.SIGUSR2)
        time.sleep(6)

    def by_password():
        connected(*named, "bob.pds.example.net", "--app-password", PASSWORD)

    return [
        ("the PDS, on its page", "bluesky", on_page, pds_account("alice")),
        ("the PDS, by app password", "bluesky", by_password, pds_account("bob")),
    ]


def pds_account(name):
    """Makes an account; returns what finds the texts of its posts."""
    handle = f"{name}.pds.example.net"
    body = {"email": f"{name}@example.net", "handle": handle, "password": PASSWORD}
    status, account = call("POST", f"{PDS}/com.atproto.server.createAccount", body)
    if status != 200:
        sys.exit(f"the PDS makes no account: {account}")
    did = account["did"]

    def texts():
        found, cursor = [], ""
        while True:
            query = f"repo={did}&collection=app.bsky.feed.post&limit=100&cursor={cursor}"
            _, page = call("GET", f"{PDS}/com.atproto.repo.listRecords?{query}")
            found += [record["value"]["text"] for record in page["records"]]
            cursor = page.get("cursor")
            if not cursor:
                return found

    return texts


def start_snac():
    data, snac = f"{FOLDER}/snac", f"{CACHE}/snac"
    answers = "127.0.0.1\n8001\nsocial.example.net\n\n\n"
    subprocess.run([snac, "init", data], input=answers, text=True, check=True, capture_output=True)
    added = subprocess.run([snac, "adduser", data, "alice"], text=True, capture_output=True)
    password = re.search(r"password is (\S+)", added.stdout + added.stderr)
    if not password:
        sys.exit(f"snac adds no user: {added.stdout} {added.stderr}")
    start("snac", [snac, "httpd", data], SSL_CERT_FILE=f"{FOLDER}/ca.pem")
    form = {"login": "alice", "passwd": password[1]}
    url = "http://127.0.0.1:8001/oauth/x-snac-get-token"
    headers = {"host": "social.example.net"}

    def token():
        status, text = call("POST", url, form=form, headers=headers)
        return text if status == 200 and re.fullmatch(r"[0-9a-f]+", str(text)) else None

    def texts():
        found = []
        for path in glob.glob(f"{data}/user/alice/public/*.json"):
            with open(path, encoding="utf-8") as file:
                post = json.load(file)
            if "/alice/p/" in post.get("id", ""):
                found.append(re.sub("<[^>]*>", " ", post.get("content", "")))
        return found

    def by_token():
        given = wait_for("a token of snac", token)
        connected("mastodon", "--instance", "https://social.example.net", "--token", given)

    return [("snac", "mastodon", by_token, texts)]


# The built server


VARIABLES = {
    "SCHEDULER_DATA": f"{FOLDER}/data",
    "SCHEDULER_LISTEN": "127.0.0.1:8080",
    "SCHEDULER_PUBLISH_RETRY_SECONDS": "1,2,5,10,20",
    "SCHEDULER_RATE_LIMIT_PER_MINUTE": "100000",
    "SCHEDULER_LOG": "info",
    "SCHEDULER_PUBLIC_URL": "https://scheduler.nowhere.dev",
    "SSL_CERT_FILE": f"{FOLDER}/ca.pem",
}
# The person's browser trusts it as well.
os.environ["SSL_CERT_FILE"] = VARIABLES["SSL_CERT_FILE"]
KEY = {}
PUBLIC = "https://scheduler.nowhere.dev"


def accounts(*arguments):
    """What a command about accounts prints."""
    command = [BINARY, "accounts", *arguments]
    output = subprocess.run(command, env={**os.environ, **VARIABLES}, text=True, capture_output=True)
    if output.returncode != 0:
        sys.exit(f"accounts {arguments[:2]}: {output.stdout}{output.stderr}")
    return output.stdout.strip()


def connected(*options):
    """Connects an account, or prints the link for it."""
    return accounts("connect", *options)


def serve():
    process = start("scheduler", [BINARY, "serve"], **VARIABLES)
    if not KEY:
        file = f"{FOLDER}/data/first-key"
        wait_for("the API key", lambda: re.search(r"API key in ", log("scheduler")))
        KEY["authorization"] = "Bearer " + open(file).read().strip()
    wait_for("the built server", lambda: call("GET", f"{API}/posts", headers=KEY)[0] == 200)
    return process


def done(method, path, body=None, key=None):
    """Sends a request until it is done, as a caller who was told of a server that restarts."""
    headers = {**KEY, **({"idempotency-key": key} if key else {})}
    begun = time.monotonic()
    while time.monotonic() - begun < 60:
        status, answer = call(method, f"{API}{path}", body, headers=headers)
        if 200 <= status < 300:
            return answer
        if 400 <= status < 500:
            sys.exit(f"{method} {path}: {status} {answer}")
        time.sleep(0.2)
    sys.exit(f"{method} {path} is never done")


def upload():
    file = picture()
    declared = done("POST", "/media", {"kind": "image", "sizeBytes": len(file), "fileName": "a.png"})
    media = declared["media"]["id"]
    call("PUT", declared["upload"]["uploadUrl"], file)
    done("POST", f"/media/{media}/uploaded", {})
    wait_for("the picture", lambda: done("GET", f"/media/{media}")["status"] == "ready")
    return media


def mark(number, part):
    return f"real{number:04}p{part}"


def post(number, made, media):
    """A text, a text with a link, one with a picture, or a thread; and how many parts it has."""
    kind = number % 4
    text = f"{mark(number, 0)} to real servers #scheduler"
    targets = [{"platform": platform, "accountId": account} for account, platform in made]
    body = {"content": text, "publishNow": True, "targets": targets}
    parts = 1
    if kind == 1:
        body["content"] += f"\n\nhttps://example.com/{number}?a=1&b=2"
    if kind == 2:
        body["mediaIds"], body["altTexts"] = [media], ["Bands"]
    if kind == 3:
        parts = 3
        for target in targets:
            target["options"] = {"thread": [f"{mark(number, 1)} second", f"{mark(number, 2)} third"]}
    return body, parts


def main():
    random.seed(1)
    start("front", ["node", f"{FOLDER}/front.mjs", FOLDER])
    wait_for("the front", lambda: "ready" in log("front"))
    begin = {"pds": start_pds, "snac": start_snac}
    begun = [account for server in SERVERS for account in begin[server]()]
    process = serve()
    made = []
    for name, platform, connect, _ in begun:
        connect()
        known = json.loads(accounts("list", "--json"))["data"]
        new = next(one for one in known if one["id"] not in [account for account, _ in made])
        made.append((new["id"], platform))
        print(f"{name}: {new['username']} is connected")
    media = upload()
    wanted, ids = {}, []
    kills = sorted(random.sample(range(2, POSTS), min(KILLS, POSTS - 2)))
    for number in range(POSTS):
        body, parts = post(number, made, media)
        ids.append(done("POST", "/posts", body, f"real-{uuid.uuid4()}")["id"])
        wanted[number] = parts
        if number in kills:
            # In the middle of what the last posts began.
            time.sleep(random.uniform(0, 0.4))
            process.kill()
            process.wait()
            process = serve()

    def ended():
        posts = [done("GET", f"/posts/{post}") for post in ids]
        return posts if all(post["status"] == "done" for post in posts) else None

    posts = wait_for("all posts to end", ended, PATIENCE)
    wrong = []
    for (name, _, _, texts), (account, _) in zip(begun, made):
        found = texts()
        times = {}
        for text in found:
            match = re.search(r"real\d{4}p\d", text)
            key = match[0] if match else text
            times[key] = times.get(key, 0) + 1
        table = {"published": 0, "in doubt": 0, "failed": 0, "doubled": 0, "lost": 0}
        for number, post_ in enumerate(posts):
            target = next(one for one in post_["targets"] if one["accountId"] == account)
            live = [times.get(mark(number, part), 0) for part in range(wanted[number])]
            line = f"{name}, post {number}: live {live}, {target['status']} {target['error']}"
            if max(live) > 1:
                table["doubled"] += 1
                wrong.append(f"DOUBLED: {line}")
            if target["status"] == "published":
                table["published"] += 1
                if min(live) == 0:
                    table["lost"] += 1
                    wrong.append(f"LOST: {line}")
            elif target["errorCode"] == "in_doubt":
                # A person is asked to look; right only where there is nothing to be found.
                table["in doubt"] += 1
                print(f"In doubt: {line}")
                if max(live) > 0:
                    wrong.append(f"LIVE, said to be in doubt: {line}")
            else:
                table["failed"] += 1
                wrong.append(f"FAILED: {line}")
        standing = ", ".join(f"{name} {count}" for name, count in table.items())
        print(f"{name}: {POSTS} posts, {len(kills)} kills; {len(found)} stand there; {standing}")
    for line in wrong:
        print(f"WRONG: {line}")
    return 1 if wrong else 0


try:
    sys.exit(main())
finally:
    for one in running:
        one.kill()
