import asyncio
import io

import discord
from discord.http import Route

from common import GIVEN, PICTURE, refused, same, step

Route.BASE = f"{GIVEN['base']}/api/v10"
ACCOUNT = GIVEN["account"]
BOT = ACCOUNT["bot"]


def by_webhook():
    """A webhook, as most use the library."""
    number, token = ACCOUNT["webhookUrl"].rsplit("/", 2)[1:]
    webhook = discord.SyncWebhook.partial(int(number), token)
    message = webhook.send("By webhook", wait=True)
    same(message.content, "By webhook", "content")
    with_file = webhook.send("A picture", wait=True, file=discord.File(io.BytesIO(PICTURE), "a.png", description="Alt"))
    same((with_file.attachments[0].filename, with_file.attachments[0].description), ("a.png", "Alt"), "file")
    embed = webhook.send(wait=True, embed=discord.Embed(title="Title", description="Text"))
    same(embed.embeds[0].title, "Title", "title")
    same(webhook.edit_message(message.id, content="Again").content, "Again", "content")
    same(webhook.fetch_message(message.id).content, "Again", "content")
    webhook.delete_message(message.id)
    same(webhook.fetch().channel_id, int(ACCOUNT["webhookChannelId"]), "channel_id")


async def main():
    client = discord.Client(intents=discord.Intents.none())
    await client._async_setup_hook()

    async def who_am_i():
        await client.http.static_login(BOT["botToken"])
        return await client.fetch_channel(int(BOT["textChannelId"]))

    await step("webhook", by_webhook)
    channel = await step("who am I", who_am_i)

    async def text():
        message = await channel.send("Hello from discord.py", allowed_mentions=discord.AllowedMentions.none())
        same(message.content, "Hello from discord.py", "content")
        return message

    async def picture():
        file = discord.File(io.BytesIO(PICTURE), "a.png", description="Alt")
        message = await channel.send("A picture", file=file)
        same(message.attachments[0].description, "Alt", "description")

    message = await step("text", text)
    await step("picture", picture)

    async def embed_alone():
        same((await channel.send(embed=discord.Embed(title="Title"))).embeds[0].title, "Title", "title")

    async def read_back():
        await message.edit(content="Hello again")
        same((await channel.fetch_message(message.id)).content, "Hello again", "content")
        found = [one.id async for one in channel.history(limit=10)]
        same(message.id in found, True, "message among the last")

    async def refusal():
        error = await refused(discord.NotFound, lambda: channel.fetch_message(message.id))
        same((error.status, error.code), (404, 10008), "error")
        error = await refused(discord.HTTPException, lambda: channel.send("a" * 2001))
        same((error.status, error.code), (400, 50035), "error")

    await step("embed alone", embed_alone)
    await step("edit and read back", read_back)
    await step("delete", lambda: message.delete())
    await step("refused", refusal)
    await client.close()


asyncio.run(main())
