#!/usr/bin/env python3
"""Names the images of the Dockerfile and the compose file by digest.

    scripts/pin-images.py             asks each registry what a tag stands for, and writes it
    scripts/pin-images.py --check     says which images have no digest; exits 1 where one has none

An image is written as NAME:TAG or NAME:TAG@sha256:…; the tag says what to ask for, the digest
what is used. PIN_REGISTRY names another registry to ask, such as a mirror.
"""

import json
import os
import pathlib
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = ("Dockerfile", "deploy/compose.yaml")
# `scheduler` is built here.
IMAGE = re.compile(
    r"^(?P<start>(?:ARG [A-Z]+_IMAGE=|\s+image: ))"
    r"(?P<name>[a-z0-9./-]+):(?P<tag>[A-Za-z0-9._-]+)(?P<digest>@sha256:[0-9a-f]{64})?$",
    re.MULTILINE,
)
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
KINDS = ", ".join(
    (
        "application/vnd.oci.image.index.v1+json",
        "application/vnd.docker.distribution.manifest.list.v2+json",
    )
)


def registry_of(name):
    """The registry and the repository that a name stands for."""
    first, _, rest = name.partition("/")
    if rest and ("." in first or ":" in first):
        return os.environ.get("PIN_REGISTRY", f"https://{first}"), rest
    repository = name if rest else f"library/{name}"
    return os.environ.get("PIN_REGISTRY", "https://registry-1.docker.io"), repository


def ask(address, headers):
    request = urllib.request.Request(address, headers=headers, method="HEAD")
    return urllib.request.urlopen(request, timeout=30)


def token(challenge):
    """What a registry that refuses asks for: a token for reading, given to anybody."""
    fields = dict(re.findall(r'(\w+)="([^"]*)"', challenge))
    asked = {key: fields[key] for key in ("service", "scope") if key in fields}
    query = urllib.parse.urlencode(asked)
    with urllib.request.urlopen(f"{fields['realm']}?{query}", timeout=30) as answer:
        given = json.load(answer)
    return given.get("token") or given["access_token"]


def digest_of(name, tag):
    registry, repository = registry_of(name)
    address = f"{registry}/v2/{repository}/manifests/{tag}"
    headers = {"Accept": KINDS}
    try:
        answer = ask(address, headers)
    except urllib.error.HTTPError as refused:
        challenge = refused.headers.get("WWW-Authenticate", "")
        if refused.code != 401 or not challenge.startswith("Bearer "):
            raise
        answer = ask(address, {**headers, "Authorization": f"Bearer {token(challenge)}"})
    digest = answer.headers.get("Docker-Content-Digest", "")
    if not DIGEST.fullmatch(digest):
        raise ValueError(f"{address} tells no digest")
    return digest


def main():
    root = pathlib.Path(os.environ.get("PIN_ROOT", ROOT))
    texts = {path: (root / path).read_text() for path in FILES}
    if sys.argv[1:] == ["--check"]:
        found = [image for text in texts.values() for image in IMAGE.finditer(text)]
        loose = [f"{image['name']}:{image['tag']}" for image in found if not image["digest"]]
        if loose:
            print("not named by digest: " + ", ".join(loose), file=sys.stderr)
            next_step = "run scripts/pin-images.py where their registries can be reached"
            print(f"next: {next_step}", file=sys.stderr)
            return 1
        return 0
    if sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        return 2

    digests = {}

    def pinned(image):
        key = (image["name"], image["tag"])
        if key not in digests:
            digests[key] = digest_of(*key)
            print(f"{key[0]}:{key[1]}@{digests[key]}")
        return f"{image['start']}{key[0]}:{key[1]}@{digests[key]}"

    # All are known before anything is written.
    try:
        written = {path: IMAGE.sub(pinned, text) for path, text in texts.items()}
    except (OSError, ValueError, KeyError) as error:
        print(f"a registry cannot be asked, and nothing was written: {error}", file=sys.stderr)
        return 1
    for path, text in written.items():
        (root / path).write_text(text)
    return 0


sys.exit(main())
