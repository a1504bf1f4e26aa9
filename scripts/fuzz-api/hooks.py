"""Leads Schemathesis to what is there, and counts what it was answered.

What Schemathesis makes up keeps to the schemas, but hardly ever names an account, a file or a
single time. So in most requests that are good otherwise, ids are replaced by those of things that
there are, and bodies of posts by ones that can go out. The rest stays as it was made up.
"""

import atexit
import collections
import json
import os
import random
import threading

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.core.parameters import ParameterLocation

with open(os.environ["FUZZ_API_STATE"], encoding="utf-8") as file:
    STATE = json.load(file)

TIMES = ("scheduledAt", "scheduledLocal", "queue", "publishNow", "saveAsDraft")
WHEN = (
    {"saveAsDraft": True},
    {"publishNow": True},
    {"queue": True},
    {"scheduledAt": "2035-03-01T09:30:00+01:00"},
    {"scheduledLocal": "2035-03-01T09:30"},
)
# So many of each kind are remembered; the newest go first.
REMEMBERED = 200

lock = threading.Lock()
posts = collections.OrderedDict()
media = collections.OrderedDict()
webhooks = collections.OrderedDict()
comments = {}
answered = collections.Counter()


def chance(value):
    """Luck that is the same whenever the same was made up."""
    return random.Random(repr(value))


def remember(kind, key, value):
    kind[key] = value
    kind.move_to_end(key)
    if len(kind) > REMEMBERED:
        kind.popitem(last=False)


def look(answer):
    """Remembers what an answer speaks of."""
    if isinstance(answer, list):
        for one in answer:
            look(one)
    elif isinstance(answer, dict):
        if "targets" in answer and "status" in answer:
            remember(posts, answer["id"], answer["targets"])
        elif "previewUrl" in answer:
            remember(media, answer["id"], (answer["kind"], answer["status"]))
        elif "events" in answer:
            remember(webhooks, answer["id"], None)
        for name in ("data", "media"):
            look(answer.get(name))


def pick(luck, things, otherwise):
    things = list(things)
    return luck.choice(things) if things else otherwise


def post_with(luck, wanted, otherwise):
    """A post and its target of such a state, if there is one."""
    found = [(post, target) for post, targets in posts.items() for target in targets
             if wanted is None or target["status"] == wanted]
    return pick(luck, found, otherwise)


def ready(kind):
    return [id for id, (its_kind, status) in media.items() if its_kind == kind and status == "ready"]


def account_for(path, luck, otherwise):
    wanted = {"boards": "pinterest", "playlists": "youtube", "creator": "tiktok"}
    platform = next((name for part, name in wanted.items() if part in path), None)
    fits = [account["id"] for account in STATE["accounts"]
            if platform is None or luck.random() < 0.1 or account["platform"] == platform]
    return pick(luck, fits, otherwise)


def place(label, made_up, luck):
    """The parameters of a path, of things that there are."""
    path, there = label.split(" ")[1], dict(made_up)
    if path.endswith("/account"):
        found = post_with(luck, luck.choice(["pending", "pending", "failed"]), None)
        if found:
            there["id"], there["targetId"] = found[0], found[1]["id"]
    elif "/targets/" in path:
        wanted = luck.choice([None, "published", "published", "published", "failed", "pending"])
        found = post_with(luck, wanted, None)
        if found:
            there["id"], there["targetId"] = found[0], found[1]["id"]
        if "commentId" in there and comments:
            there["id"], there["targetId"], there["commentId"] = luck.choice(list(comments))
    elif path.startswith("/ai/review/"):
        found = post_with(luck, luck.choice([None, "published"]), None)
        if found:
            there["targetId"] = found[1]["id"]
    elif path.startswith("/posts/"):
        found = post_with(luck, "failed" if path.endswith("/retry") else None, None)
        if found:
            there["id"] = found[0]
    elif path.startswith("/media/"):
        # What is ready takes bytes, which are sent outside of the API; few are deleted.
        spared = label.startswith("DELETE ") and luck.random() < 0.9
        files = [id for id, (_, status) in media.items() if not (spared and status == "ready")]
        there["id"] = pick(luck, files, there["id"])
    elif path.startswith("/oauth/accounts/"):
        there["id"] = account_for(path, luck, there["id"])
    elif path.startswith("/workspace/webhooks/"):
        there["id"] = pick(luck, webhooks, there["id"])
    return there


def good_post(body, luck, has_time):
    """A post of what was made up that its networks may take."""
    good = {name: value for name, value in body.items() if name not in (*TIMES, "targets")}
    targets = luck.sample(STATE["targets"], luck.choice([1, 1, 1, 2, 3]))
    options = {}
    for target in body.get("targets") or []:
        if isinstance(target, dict) and isinstance(target.get("options"), dict):
            options = target["options"]
    good["targets"] = [
        {**{name: target[name] for name in ("platform", "accountId")},
         "options": {**(options if luck.random() < 0.3 else {}), **target["options"]}}
        for target in targets
    ]
    kinds = {target["media"] for target in targets} - {None}
    found = ready(kinds.pop()) if len(kinds) == 1 else []
    for name in ("mediaIds", "altTexts", "mediaItems"):
        good.pop(name, None)
    if found:
        good["mediaIds"] = [luck.choice(found)]
    if luck.random() < 0.5:
        good.pop("linkUrl", None)
    if luck.random() < 0.7:
        text = luck.choice(["plain", "refused"])
        good["content"] = f"{text} {luck.randrange(1 << 30)}"
    if has_time:
        good.update(luck.choice(WHEN))
    return good


def same_network(post, target, luck):
    """An account of the network of a target; any where the target is not known."""
    platforms = {one["platform"] for one in posts.get(post, []) if one["id"] == target}
    fits = [account["id"] for account in STATE["accounts"]
            if not platforms or account["platform"] in platforms]
    return luck.choice(fits)


def good_body(label, path, body, luck):
    """A body that names things that there are, and one time."""
    if label in ("POST /posts", "POST /platforms/validate"):
        return good_post(body, luck, label == "POST /posts")
    if label == "PATCH /posts/{id}":
        kept = {name: value for name, value in body.items() if name not in TIMES}
        if luck.random() < 0.5:
            for name in ("targets", "mediaIds", "altTexts"):
                kept.pop(name, None)
        elif "targets" in kept:
            kept = good_post(kept, luck, False)
        return {**kept, **luck.choice([{}, *WHEN])}
    if label == "PATCH /posts/{id}/targets/{targetId}/account":
        return {"accountId": same_network(path.get("id"), path.get("targetId"), luck)}
    if label == "POST /ai/review":
        found = post_with(luck, "published", None)
        return {**body, "targetId": found[1]["id"]} if found else body
    return body


@schemathesis.hook
def map_case(context, case):
    """What is wrong on purpose stays as it is."""
    negative = case.meta.is_negative_at if case.meta else lambda place: False
    made_up, luck = case.path_parameters, chance((case.path_parameters, case.body))
    if luck.random() < 0.2:
        return case
    with lock:
        if made_up and not negative(ParameterLocation.PATH):
            case.path_parameters = place(case.operation.label, made_up, luck)
        if isinstance(case.body, dict) and not negative(ParameterLocation.BODY):
            case.body = good_body(case.operation.label, case.path_parameters or {}, case.body, luck)
    return case


@schemathesis.hook
def after_call(context, case, response):
    path = case.path_parameters or {}
    with lock:
        answered[f"{case.operation.label} {response.status_code}"] += 1
        if response.status_code == 404:
            for kind in (posts, media, webhooks):
                kind.pop(path.get("id"), None)
        try:
            told = response.json()
        except ValueError:
            return
        if not 200 <= response.status_code < 300:
            return
        if case.operation.path.endswith("/comments") and isinstance(told.get("data"), list):
            for comment in told["data"]:
                comments[path.get("id"), path.get("targetId"), comment["id"]] = None
        look(told)


def refuses_one_of_many(case, response):
    """True when an answer about many posts refuses at least one of them."""
    return case.operation.label == "POST /posts/batch" and any(
        result["status"] >= 400 for result in response.json().get("results", []))


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """By the contract, what was made before is answered to its key whatever the body, and a post of
    many is refused in its own result."""
    if not isinstance(failure, AcceptedNegativeData):
        return True
    is_repeat = response.headers.get("idempotent-replayed")
    return not (is_repeat or refuses_one_of_many(case, response))


@atexit.register
def write():
    with open(os.environ["FUZZ_API_COUNTS"], "w", encoding="utf-8") as file:
        json.dump(answered, file)


look(STATE["posts"])
look(STATE["media"])
look(STATE["webhooks"])
for one in STATE["comments"]:
    comments[tuple(one)] = None
