import asyncio
import base64
import io
import json

import google.oauth2.credentials
from googleapiclient import discovery, discovery_cache, errors, http

from common import GIVEN, PICTURE, refused, same, step

CREDENTIALS = google.oauth2.credentials.Credentials(GIVEN["account"]["accessToken"])
DESCRIPTION = json.loads(discovery_cache.get_static_doc("youtube", "v3"))
DESCRIPTION["rootUrl"] = f"{GIVEN['base']}/"
YOUTUBE = discovery.build_from_document(DESCRIPTION, credentials=CREDENTIALS)
FILM = base64.b64decode(GIVEN["film"])
BODY = {"snippet": {"title": "Title", "categoryId": "22"}, "status": {"privacyStatus": "private"}}


def who_am_i():
    found = YOUTUBE.channels().list(part="snippet", mine=True).execute()
    same(found["items"][0]["id"], GIVEN["account"]["account"], "id")


def whole():
    media = http.MediaIoBaseUpload(io.BytesIO(FILM), "video/mp4", resumable=False)
    video = YOUTUBE.videos().insert(part="snippet,status", body=BODY, media_body=media).execute()
    same(video["snippet"]["title"], "Title", "title")
    return video


def in_pieces():
    media = http.MediaIoBaseUpload(io.BytesIO(FILM), "video/mp4", chunksize=256 * 1024, resumable=True)
    call = YOUTUBE.videos().insert(part="snippet,status", body=BODY, media_body=media)
    video = None
    while video is None:
        _, video = call.next_chunk()
    same(video["status"]["privacyStatus"], "private", "privacyStatus")


def captions(video):
    media = http.MediaIoBaseUpload(io.BytesIO(b"1\n00:00:00,000 --> 00:00:01,000\nHello\n"), "text/plain")
    body = {"snippet": {"videoId": video["id"], "language": "en", "name": ""}}
    found = YOUTUBE.captions().insert(part="snippet", body=body, media_body=media).execute()
    same(found["snippet"]["language"], "en", "language")


def thumbnail(video):
    media = http.MediaIoBaseUpload(io.BytesIO(PICTURE), "image/png")
    YOUTUBE.thumbnails().set(videoId=video["id"], media_body=media).execute()


def read_back(video):
    found = YOUTUBE.videos().list(part="snippet,status", id=video["id"]).execute()
    same(found["items"][0]["snippet"]["title"], "Title", "title")


async def main():
    await step("who am I", who_am_i)
    video = await step("video, whole", whole)
    await step("video, in pieces", in_pieces)
    await step("captions", lambda: captions(video))
    await step("thumbnail", lambda: thumbnail(video))
    await step("read back", lambda: read_back(video))
    await step("delete", lambda: YOUTUBE.videos().delete(id=video["id"]).execute())

    async def refusal():
        error = await refused(errors.HttpError, lambda: YOUTUBE.videos().delete(id=video["id"]).execute())
        same((error.status_code, error.error_details[0]["reason"]), (404, "videoNotFound"), "error")

    await step("refused", refusal)


asyncio.run(main())
