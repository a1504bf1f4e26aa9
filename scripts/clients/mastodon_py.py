import asyncio

import mastodon

from common import GIVEN, PICTURE, refused, same, step

CLIENT = mastodon.Mastodon(
    access_token=GIVEN["account"]["accessToken"], api_base_url=GIVEN["base"], version_check_mode="none", ratelimit_method="throw"
)


def text():
    status = CLIENT.status_post("Hello from Mastodon.py", idempotency_key="k1", visibility="unlisted", language="en")
    same(CLIENT.status_post("Hello from Mastodon.py", idempotency_key="k1").id, status.id, "id of the repeat")
    return status


def picture():
    media = CLIENT.media_post(PICTURE, mime_type="image/png", description="Alt")
    status = CLIENT.status_post("A picture", media_ids=[media], sensitive=True, spoiler_text="CW")
    same(status.media_attachments[0].description, "Alt", "description")


def poll():
    made = CLIENT.make_poll(["Yes", "No"], 3600)
    same(len(CLIENT.status_post("Tea?", poll=made).poll.options), 2, "options")


def edit(status):
    CLIENT.status_update(status.id, "Hello again")
    same(CLIENT.status_source(status.id).text, "Hello again", "text")
    same(len(CLIENT.status_history(status.id)), 2, "versions in the history")


async def main():
    await step("who am I", lambda: same(str(CLIENT.me().id), GIVEN["account"]["accountId"], "id"))
    await step("instance", lambda: same(CLIENT.instance().configuration.statuses.max_characters, 500, "max_characters"))
    status = await step("text", text)
    await step("picture", picture)
    await step("poll", poll)
    await step("edit", lambda: edit(status))
    await step("read back", lambda: same(len(CLIENT.account_statuses(CLIENT.me().id)), 3, "statuses"))
    await step("delete", lambda: CLIENT.status_delete(status.id))

    async def refusal():
        await refused(mastodon.MastodonNotFoundError, lambda: CLIENT.status(status.id))
        error = await refused(mastodon.MastodonAPIError, lambda: CLIENT.status_post("a" * 501))
        same(error.args[1], 422, "status")

    await step("refused", refusal)


asyncio.run(main())
