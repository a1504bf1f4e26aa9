import { createRestAPIClient, MastoHttpError } from 'masto';
import { given, picture, refused, same, step, there } from './common.mjs';

const client = createRestAPIClient({ url: given.base, accessToken: given.account.accessToken });
await step('instance', async () => {
  const instance = await client.v2.instance.fetch();
  same(instance.configuration.statuses.maxCharacters, 500, 'maxCharacters');
});
await step('who am I', async () => {
  const me = await client.v1.accounts.verifyCredentials();
  same(me.id, given.account.accountId, 'id');
});
const text = await step('text', async () => {
  const status = await client.v1.statuses.create({ status: 'Hello from masto', visibility: 'public' });
  same(status.content, '<p>Hello from masto</p>', 'content');
  return status;
});
const withPicture = await step('picture', async () => {
  const media = await client.v2.media.create({ file: new Blob([picture], { type: 'image/png' }), description: 'Alt' });
  const status = await client.v1.statuses.create({ status: 'A picture', mediaIds: [media.id] });
  same(status.mediaAttachments[0].description, 'Alt', 'description');
  return status;
});
await step('poll', async () => {
  const status = await client.v1.statuses.create({ status: 'Tea?', poll: { options: ['Yes', 'No'], expiresIn: 3600 } });
  same(status.poll.options.map((option) => option.title), ['Yes', 'No'], 'options');
});
await step('reply', async () => {
  const status = await client.v1.statuses.create({ status: 'More', inReplyToId: text.id });
  same(status.inReplyToId, text.id, 'inReplyToId');
  const context = await client.v1.statuses.$select(text.id).context.fetch();
  same(context.descendants.length, 1, 'descendants');
});
await step('edit', async () => {
  const status = await client.v1.statuses.$select(text.id).update({ status: 'Hello again' });
  there(status.editedAt, 'editedAt');
  const source = await client.v1.statuses.$select(text.id).source.fetch();
  same(source.text, 'Hello again', 'source');
  const history = await client.v1.statuses.$select(text.id).history.list();
  same(history.length, 2, 'versions in the history');
});
await step('read back', async () => {
  const status = await client.v1.statuses.$select(withPicture.id).fetch();
  same(status.mediaAttachments.length, 1, 'files');
  const all = await client.v1.accounts.$select(given.account.accountId).statuses.list({ limit: 5 });
  same(all.some((one) => one.id === withPicture.id), true, 'listed');
});
await step('delete', async () => {
  const removed = await client.v1.statuses.$select(text.id).remove();
  same(removed.id, text.id, 'id');
});
await step('refused', async () => {
  const gone = await refused(() => client.v1.statuses.$select(text.id).fetch());
  same([gone instanceof MastoHttpError, gone.statusCode, gone.message], [true, 404, 'Record not found'], 'error');
  const empty = await refused(() => client.v1.statuses.create({ status: '' }));
  same([empty.statusCode, empty.message], [422, "Validation failed: Text can't be blank"], 'error');
});
