"""Reads the requests that the adapters made out of what the imitations kept.

    collect.py FOLDER

Prints a JSON list, each different request once: network, method, path below the network's own,
query as pairs, type of the body, and the body as JSON, as pairs of a form, or as parts of a form
with files. Requests of the tests themselves are left out: adapters say who they are.
"""

import base64
import json
import pathlib
import sys
import urllib.parse


def part(found):
    """A part of a form: what it says, or what file it is."""
    head = base64.b64decode(found["head"])
    is_text = found["file_name"] is None and len(head) == found["length"]
    return {
        "name": found["name"],
        "file": found["file_name"],
        "type": found["content_type"],
        "text": head.decode(errors="replace") if is_text else None,
    }


def read(request):
    """One request, as the judges want it."""
    headers = {name.lower(): value for name, value in request["headers"]}
    agent = headers.get("user-agent", "")
    if not agent.startswith(("scheduler/", "DiscordBot (")):
        return None
    _, network, path = (request["path"] + "/").split("/", 2)
    kind = headers.get("content-type", "").split(";")[0].strip().lower()
    one = {
        "network": network,
        "method": request["method"],
        "path": "/" + path.removesuffix("/"),
        "query": urllib.parse.parse_qsl(request["query"] or "", keep_blank_values=True),
        "type": kind,
    }
    text, body = request.get("text"), request.get("body")
    if kind == "multipart/form-data":
        if body is None:
            return one | {"parts": parts_of_text(text, headers["content-type"])}
        return one | {"parts": [part(found) for found in body["parts"]]}
    if text and kind == "application/json":
        try:
            return one | {"json": json.loads(text)}
        except ValueError:
            return one | {"broken": True}
    if text and kind == "application/x-www-form-urlencoded":
        return one | {"form": urllib.parse.parse_qsl(text, keep_blank_values=True)}
    return one


def parts_of_text(text, kind):
    """The parts of a form that is text from its beginning to its end."""
    boundary = kind.split("boundary=")[1].split(";")[0].strip('"')
    found = []
    for piece in text.split("--" + boundary)[1:-1]:
        head, _, content = piece.strip("\r\n").partition("\r\n\r\n")
        lines = dict(line.split(": ", 1) for line in head.lower().split("\r\n") if ": " in line)
        says = dict(pair.strip().split("=", 1) for pair in lines["content-disposition"].split(";")[1:])
        file = says.get("filename", "").strip('"') or None
        found.append({"name": says["name"].strip('"'), "file": file, "type": lines.get("content-type"), "text": None if file else content})
    return found


def main():
    seen = {}
    for journal in sorted(pathlib.Path(sys.argv[1]).glob("*/*")):
        for line in journal.read_text().splitlines()[1:]:
            event = json.loads(line).get("event", {})
            request = event.get("request") if isinstance(event, dict) else None
            one = request and not request["path"].startswith("/_sandbox") and read(request)
            if one:
                seen.setdefault(json.dumps(one, sort_keys=True), one)
    json.dump(list(seen.values()), sys.stdout)


if __name__ == "__main__":
    main()
