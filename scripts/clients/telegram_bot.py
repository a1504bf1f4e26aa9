import asyncio

import telegram

from common import GIVEN, PICTURE, refused, same, step

ACCOUNT = GIVEN["account"]
CHAT = int(ACCOUNT["chatId"])


async def main():
    bot = telegram.Bot(ACCOUNT["botToken"], base_url=f"{GIVEN['base']}/bot", base_file_url=f"{GIVEN['base']}/file/bot")

    async def who_am_i():
        await bot.initialize()
        same(bot.username, ACCOUNT["botUsername"], "username")
        same((await bot.get_chat(CHAT)).id, CHAT, "id")
        member = await bot.get_chat_member(CHAT, bot.id)
        same(member.status, "administrator", "status")
        same(await bot.get_chat_member_count(CHAT) > 0, True, "members")

    async def text():
        entity = telegram.MessageEntity("italic", 6, 5)
        message = await bot.send_message(CHAT, "Hello there", entities=[entity], disable_notification=True)
        same((message.text, message.entities[0].type), ("Hello there", "italic"), "message")
        return message

    async def picture():
        message = await bot.send_photo(CHAT, PICTURE, filename="a.png", caption="A picture", has_spoiler=True)
        same((message.caption, message.photo[-1].width), ("A picture", 2), "message")

    async def album():
        files = [telegram.InputMediaPhoto(PICTURE, filename=name) for name in ("a.png", "b.png")]
        same(len(await bot.send_media_group(CHAT, files, caption="Two")), 2, "messages")

    async def edit(message):
        same((await bot.edit_message_text("Hello again", CHAT, message.message_id)).text, "Hello again", "text")
        same(await bot.delete_message(CHAT, message.message_id), True, "answer")

    async def refusal():
        error = await refused(telegram.error.BadRequest, lambda: bot.send_message(CHAT, "a" * 4097))
        same(error.message, "Message is too long", "message")
        other = telegram.Bot("1:nonsense", base_url=f"{GIVEN['base']}/bot")
        await refused(telegram.error.InvalidToken, other.initialize)

    await step("who am I", who_am_i)
    message = await step("text", text)
    await step("picture", picture)
    await step("album", album)
    await step("edit and delete", lambda: edit(message))
    await step("refused", refusal)


asyncio.run(main())
