import { Bot, GrammyError, InputFile } from 'grammy';
import { given, picture, refused, same, step, there } from './common.mjs';

const chat = given.account.chatId;
const bot = new Bot(given.account.botToken, { client: { apiRoot: given.base } });
await step('who am I', async () => {
  await bot.init();
  same([bot.botInfo.is_bot, bot.botInfo.username], [true, given.account.botUsername], 'bot');
  const found = await bot.api.getChat(chat);
  there(found.accepted_gift_types, 'accepted_gift_types');
  same(String(found.id), chat, 'id');
  const member = await bot.api.getChatMember(chat, bot.botInfo.id);
  same([member.status, typeof member.can_post_stories], ['administrator', 'boolean'], 'member');
});
const text = await step('text', async () => {
  const message = await bot.api.sendMessage(chat, 'Hello from grammy', { link_preview_options: { is_disabled: true } });
  same(message.text, 'Hello from grammy', 'text');
  return message;
});
// Markup (parse_mode) is not imitated, and refused with these words: we send entities.
await step('entities', async () => {
  const entities = [{ type: 'bold', offset: 6, length: 3 }];
  const message = await bot.api.sendMessage(chat, 'Hello you & all', { entities });
  const [{ type, offset, length }] = message.entities;
  same([message.text, { type, offset, length }], ['Hello you & all', entities[0]], 'message');
});
await step('picture', async () => {
  const message = await bot.api.sendPhoto(chat, new InputFile(picture, 'a.png'), { caption: 'A picture' });
  same(message.caption, 'A picture', 'caption');
  there(message.photo.at(-1).file_unique_id, 'file_unique_id');
  const again = await bot.api.editMessageCaption(chat, message.message_id, { caption: 'The picture' });
  same(again.caption, 'The picture', 'caption');
});
await step('album', async () => {
  const file = (name) => ({ type: 'photo', media: new InputFile(picture, name) });
  const messages = await bot.api.sendMediaGroup(chat, [file('a.png'), file('b.png')]);
  same(new Set(messages.map((message) => message.media_group_id)).size, 1, 'groups');
});
await step('poll', async () => {
  const message = await bot.api.sendPoll(chat, 'Tea?', [{ text: 'Yes' }, { text: 'No' }]);
  same(message.poll.options.length, 2, 'options');
});
await step('edit', async () => {
  const message = await bot.api.editMessageText(chat, text.message_id, 'Hello again');
  same(message.text, 'Hello again', 'text');
  there(message.edit_date, 'edit_date');
});
await step('delete', async () => {
  same(await bot.api.deleteMessage(chat, text.message_id), true, 'answer');
});
await step('refused', async () => {
  const error = await refused(() => bot.api.sendMessage(chat, ''));
  same([error instanceof GrammyError, error.error_code, error.description],
    [true, 400, 'Bad Request: message text is empty'], 'error');
  const missing = await refused(() => bot.api.editMessageText(chat, text.message_id, 'x'));
  same(missing.description, 'Bad Request: message to edit not found', 'error');
});
