"""Calls every operation of the API once, with the client that openapi-python-client has generated.

    python every_operation.py ADDRESS KEY PICTURE FILM

The server runs on the sandbox networks, with two accounts of LinkedIn, and refuses to publish on
Bluesky what holds the word "refused". Ends with 1 when an answer is not as expected, or when an operation
was left out.
"""

import importlib
import pkgutil
import sys
import time
from pathlib import Path

import httpx
from scheduler_client import AuthenticatedClient, api, models

ADDRESS, KEY, PICTURE, FILM = sys.argv[1:5]
CLIENT = AuthenticatedClient(base_url=f"{ADDRESS}/v1", token=KEY, raise_on_unexpected_status=True)
OPERATIONS = {
    operation.name: importlib.import_module(f"{api.__name__}.{group.name}.{operation.name}")
    for group in pkgutil.iter_modules(api.__path__)
    for operation in pkgutil.iter_modules(importlib.import_module(f"{api.__name__}.{group.name}").__path__)
}
called = set()


def answer(operation, *path, **more):
    """The whole answer of an operation."""
    called.add(operation)
    return OPERATIONS[operation].sync_detailed(*path, client=CLIENT, **more)


def ok(operation, *path, **more):
    """What an operation answers; an error ends the program."""
    response = answer(operation, *path, **more)
    if response.status_code >= 300:
        raise SystemExit(f"{operation}: {response.status_code} {response.content.decode()}")
    return response.parsed


def wait(ask):
    """Asks until the answer is there."""
    for _ in range(600):
        found = ask()
        if found is not None:
            return found
        time.sleep(0.1)
    raise SystemExit("waited in vain")


def send(url, content, headers=None):
    response = httpx.put(url, content=content, headers=headers, timeout=60)
    response.raise_for_status()
    return response.headers.get("etag", "")


def deliver(media, upload, content):
    """Sends the bytes of a file as the server has asked for them."""
    match upload:
        case models.UploadSingle():
            send(upload.upload_url, content, upload.headers.to_dict())
            ok("confirm_upload", media.id)
        case models.UploadMultipart():
            parts = []
            for part in upload.parts:
                begin = (part.part_number - 1) * upload.part_size
                etag = send(part.url, content[begin:begin + upload.part_size])
                parts.append({"partNumber": part.part_number, "etag": etag})
            ok("complete_upload", media.id, body=models.UploadedParts.from_dict({"parts": parts}))
        case _:
            raise SystemExit("nothing is to be fetched")


def ready(id):
    def ask():
        media = ok("show_media", id)
        assert media.status != models.MediaStatus.FAILED, media.error
        return media if media.status == models.MediaStatus.READY else None
    return wait(ask)


def upload(kind, path):
    content = Path(path).read_bytes()
    body = models.MediaInput(kind=models.MediaKind(kind), size_bytes=len(content))
    declared = ok("declare_media", body=body)
    deliver(declared.media, declared.upload, content)
    return str(ready(declared.media.id).id)


def create(**body):
    return ok("create_post", body=models.PostInput.from_dict(body))


def ended(id):
    """A post, when all of it has ended."""

    def ask():
        post = ok("show_post", id)
        return post if post.status == models.PostStatus.DONE else None
    return wait(ask)


def published(**body):
    return ended(create(**body, publishNow=True).id)


accounts = ok("list_accounts").data


def account(platform, which=0):
    return [one.id for one in accounts if one.platform == platform][which]


assert len(ok("list_platforms").data.additional_keys) == 13
ok("list_boards", account("pinterest"))
ok("list_mentions", account("bluesky"), q="sandbox")
ok("show_creator", account("tiktok"))
ok("list_playlists", account("youtube"))
ok("create_playlist", account("youtube"), body=models.NewPlaylist(title="Cakes"))
ok("show_audience", days=7)

picture = upload("image", PICTURE)
film = upload("video", FILM)
thumb = answer("show_thumb", picture)
assert thumb.content[:4] == b"RIFF", thumb
crop = models.VersionInput.from_dict({"crop": {"ratio": "4:5"}, "format": "jpeg"})
version = ready(ok("create_version", picture, body=crop).id)
ok("delete_media", version.id)
ok("update_media", picture,
   body=models.MediaChange.from_dict({"labels": ["tarts"], "altText": "A tart"}))
labelled = ok("list_media", limit=10, label=["Tarts"], used=False)
assert str(labelled.data[0].id) == picture, labelled

draft = create(content="Our first cake.", saveAsDraft=True, mediaIds=[film],
               targets=[{"platform": "linkedin", "accountId": str(account("linkedin"))}])
assert ok("list_media_posts", film).data[0].id == draft.id
changed = ok("update_post", draft.id, if_match=f'"{draft.revision}"',
             body=models.PostChange.from_dict({"content": "Our second cake."}))
assert changed.content == "Our second cake.", changed
ok("move_target", draft.id, draft.targets[0].id,
   body=models.AccountChoice(account_id=account("linkedin", 1)))
assert answer("delete_post", draft.id).status_code == 204

long = {"content": "a" * 301, "targets": [{"platform": "bluesky"}]}
checked = ok("check_post", body=models.PostToCheck.from_dict(long))
assert checked.issues[0].rule == "bluesky.text.too_long", checked
refused = answer("create_post", body=models.PostInput.from_dict({**long, "queue": True}))
assert refused.parsed.error.code == models.ErrorCode.VALIDATION_FAILED, refused
many = ok("create_posts", body=models.BatchInput.from_dict({"posts": [
    {"key": f"cakes-of-another-week-{number}",
     "post": {"content": f"Number {number}.", "queue": True, "targets": [{"platform": "threads"}]}}
    for number in range(2)
]}))
assert [result.status for result in many.results] == [201, 201], many
due = ok("list_posts", order=models.ListPostsOrder.DUE, platform=[models.Platform.THREADS])
assert len(due.data) == 2, due

live = published(content="We have opened.", mediaIds=[picture], targets=[
    {"platform": "facebook", "options": {"firstComment": "Come in."}},
    {"platform": "mastodon"},
])
assert {target.status for target in live.targets} == {models.TargetStatus.PUBLISHED}, live
of = {target.platform: (live.id, target.id) for target in live.targets}
ok("refresh_metrics")
ok("read_metrics", *of["facebook"])
ok("list_readings", *of["facebook"])
ok("show_insights", *of["facebook"])
comment = wait(lambda: next(iter(ok("list_comments", *of["facebook"]).data), None))
ok("act_on_comment", *of["facebook"], comment.id,
   body=models.CommentAction.from_dict({"action": "reply", "text": "We are here until six."}))
ok("edit_live_post", *of["mastodon"], body=models.RemoteEdit(content="We have opened!"))
ok("take_down", *of["mastodon"])

failed = published(content="refused", targets=[{"platform": "bluesky"}])
assert failed.targets[0].status == models.TargetStatus.FAILED, failed
ok("retry_post", failed.id)
ended(failed.id)
ok("retry_posts", body=models.RetryInput(ids=[failed.id]))

captions = ok("write_captions", body=models.CaptionsInput.from_dict(
    {"content": "We have opened.", "platforms": ["bluesky", "mastodon"]}))
assert captions.captions["bluesky"], captions
ok("review_target", body=models.ReviewInput(target_id=of["facebook"][1]))
ok("show_review", of["facebook"][1])
down = {one.platform: one.outcome for one in ok("take_down_post", live.id).results}
assert down["facebook"] == "taken_down", down

ok("save_snippet", "tags", body=models.SnippetInput(text="#bread"))
ok("list_snippets")
assert answer("delete_snippet", "tags").status_code == 204
webhook = ok("create_webhook", body=models.WebhookInput(url="https://a.example/events"))
ok("list_webhooks")
ok("test_webhook", webhook.id)
assert answer("delete_webhook", webhook.id).status_code == 204

left = sorted(set(OPERATIONS) - called)
if left:
    raise SystemExit(f"left out: {', '.join(left)}")
print(f"python: {len(called)} operations")
