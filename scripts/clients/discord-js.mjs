import { DiscordAPIError, REST, Routes, WebhookClient } from 'discord.js';
import { given, picture, refused, same, step } from './common.mjs';

const { bot, webhookUrl } = given.account;
const rest = new REST({ api: `${given.base}/api` }).setToken(bot.botToken);
const channel = bot.textChannelId;
await step('who am I', async () => {
  const me = await rest.get(Routes.user('@me'));
  same([typeof me.id, me.bot], ['string', true], 'user');
  const found = await rest.get(Routes.channel(channel));
  same(found.guild_id, bot.guildId, 'guild_id');
});
const text = await step('text', async () => {
  const message = await rest.post(Routes.channelMessages(channel), { body: { content: 'Hello', allowed_mentions: { parse: [] } } });
  same(message.content, 'Hello', 'content');
  return message;
});
await step('picture', async () => {
  const message = await rest.post(Routes.channelMessages(channel), {
    body: { content: 'A picture', attachments: [{ id: 0, filename: 'a.png', description: 'Alt' }] },
    files: [{ data: picture, name: 'a.png' }],
  });
  same([message.attachments[0].filename, message.attachments[0].description], ['a.png', 'Alt'], 'file');
});
await step('embed alone', async () => {
  const message = await rest.post(Routes.channelMessages(channel), { body: { embeds: [{ title: 'Title', description: 'Text' }] } });
  same(message.embeds[0].title, 'Title', 'title');
});
await step('announcement', async () => {
  const message = await rest.post(Routes.channelMessages(bot.announcementChannelId), { body: { content: 'News' } });
  const sent = await rest.post(Routes.channelMessageCrosspost(bot.announcementChannelId, message.id));
  same(sent.flags & 1, 1, 'flag of a message sent on');
});
await step('forum', async () => {
  const thread = await rest.post(Routes.threads(bot.forumChannelId), { body: { name: 'Title', message: { content: 'Text' } } });
  same(thread.name, 'Title', 'name');
});
await step('edit and read back', async () => {
  await rest.patch(Routes.channelMessage(channel, text.id), { body: { content: 'Hello again' } });
  const message = await rest.get(Routes.channelMessage(channel, text.id));
  same(message.content, 'Hello again', 'content');
  const all = await rest.get(Routes.channelMessages(channel), { query: new URLSearchParams({ limit: '10' }) });
  same(all.length, 3, 'messages');
});
await step('delete', async () => {
  await rest.delete(Routes.channelMessage(channel, text.id));
});
await step('refused', async () => {
  const gone = await refused(() => rest.get(Routes.channelMessage(channel, text.id)));
  same([gone instanceof DiscordAPIError, gone.status, gone.code], [true, 404, 10008], 'error');
  const long = await refused(() => rest.post(Routes.channelMessages(channel), { body: { content: 'a'.repeat(2001) } }));
  same([long.code, long.message.includes('BASE_TYPE_MAX_LENGTH')], [50035, true], 'error');
});
await step('webhook', async () => {
  const [id, token] = new URL(webhookUrl).pathname.split('/').slice(-2);
  const webhook = new WebhookClient({ id, token }, { rest: { api: `${given.base}/api` } });
  const message = await webhook.send({ content: 'By webhook', files: [{ attachment: picture, name: 'b.png' }] });
  same(message.content, 'By webhook', 'content');
  await webhook.editMessage(message.id, { content: 'By webhook again' });
  const read = await webhook.fetchMessage(message.id);
  same(read.content, 'By webhook again', 'content');
  await webhook.deleteMessage(message.id);
});
