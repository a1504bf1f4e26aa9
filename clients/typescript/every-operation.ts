// Calls every operation of the API once, with the client that @hey-api/openapi-ts has generated.
//
//   tsx every-operation.ts ADDRESS KEY PICTURE FILM
//
// The server runs on the sandbox networks, with two accounts of LinkedIn, and refuses to publish
// on Bluesky what holds the word "refused". Ends with 1 when an answer is not as expected, or when an
// operation was left out.
import { readFileSync } from 'node:fs';
import { client } from './generated/hey-api/client.gen';
import * as sdk from './generated/hey-api/sdk.gen';
import type { Media, Platform, Post, PostInput, Upload } from './generated/hey-api';

const [address, key, picturePath, filmPath] = process.argv.slice(2);
client.setConfig({ baseUrl: `${address}/v1`, auth: key });

const called = new Set<string>();
const api = new Proxy(sdk, {
  get(operations, name: keyof typeof sdk) {
    called.add(name);
    return operations[name];
  },
});

type Answer<T> = { data?: T; error?: unknown };

/** What an operation answers; an error ends the program. */
async function ok<T>(answer: Promise<Answer<T>>): Promise<NonNullable<T>> {
  const { data, error } = await answer;
  if (error || data === undefined || data === null) throw new Error(JSON.stringify(error));
  return data;
}

/** Asks until the answer is there. */
async function wait<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const found = await ask();
    if (found !== undefined) return found;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('waited in vain');
}

async function send(url: string, bytes: Uint8Array, headers = {}): Promise<string> {
  const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers });
  if (!answer.ok) throw new Error(`PUT ${answer.status}: ${await answer.text()}`);
  return answer.headers.get('etag') ?? '';
}

/** Sends the bytes of a file as the server has asked for them. */
async function deliver(media: Media, upload: Upload, bytes: Uint8Array): Promise<void> {
  switch (upload.mode) {
    case 'single':
      await send(upload.uploadUrl, bytes, upload.headers);
      await ok(api.confirmUpload({ path: { id: media.id } }));
      break;
    case 'multipart': {
      const parts = [];
      for (const { partNumber, url } of upload.parts) {
        const begin = (partNumber - 1) * upload.partSize;
        const etag = await send(url, bytes.subarray(begin, begin + upload.partSize));
        parts.push({ partNumber, etag });
      }
      await ok(api.completeUpload({ path: { id: media.id }, body: { parts } }));
      break;
    }
    case 'ingest':
      throw new Error('nothing is to be fetched');
  }
}

const ready = (id: string) =>
  wait(async () => {
    const media = await ok(api.showMedia({ path: { id } }));
    if (media.status === 'failed') throw new Error(media.error ?? 'failed');
    return media.status === 'ready' ? media : undefined;
  });

async function upload(kind: 'image' | 'video', path: string): Promise<string> {
  const bytes = readFileSync(path);
  const declared = await ok(api.declareMedia({ body: { kind, sizeBytes: bytes.length } }));
  await deliver(declared.media, declared.upload, bytes);
  return (await ready(declared.media.id)).id;
}

const create = (body: PostInput) => ok(api.createPost({ body }));

/** A post, when all of it has ended. */
const ended = (id: string): Promise<Post> =>
  wait(async () => {
    const post = await ok(api.showPost({ path: { id } }));
    return post.status === 'done' ? post : undefined;
  });

const published = async (body: PostInput) => ended((await create({ ...body, publishNow: true })).id);

const accounts = (await ok(api.listAccounts())).data;
function account(platform: Platform, which = 0): string {
  const found = accounts.filter((one) => one.platform === platform)[which];
  if (!found) throw new Error(`no account of ${platform}`);
  return found.id;
}

const sheets = (await ok(api.listPlatforms())).data;
if (Object.keys(sheets).length !== 13) throw new Error('not thirteen networks');
await ok(api.listBoards({ path: { id: account('pinterest') } }));
await ok(api.listMentions({ path: { id: account('bluesky') }, query: { q: 'sandbox' } }));
await ok(api.showCreator({ path: { id: account('tiktok') } }));
await ok(api.listPlaylists({ path: { id: account('youtube') } }));
await ok(api.createPlaylist({ path: { id: account('youtube') }, body: { title: 'Cakes' } }));
await ok(api.showAudience({ query: { days: 7 } }));

const picture = await upload('image', picturePath!);
const film = await upload('video', filmPath!);
await ok(api.showThumb({ path: { id: picture } }));
const version = await ok(
  api.createVersion({ path: { id: picture }, body: { crop: { ratio: '4:5' }, format: 'jpeg' } }),
);
await ready(version.id);
await ok(api.deleteMedia({ path: { id: version.id } }));
await ok(
  api.updateMedia({ path: { id: picture }, body: { labels: ['cakes'], altText: 'A cake' } }),
);
const labelled = await ok(api.listMedia({ query: { limit: 10, label: ['Cakes'], used: false } }));
if (labelled.data[0]?.id !== picture) throw new Error(JSON.stringify(labelled));

const draft = await create({
  content: 'Our first cake.',
  saveAsDraft: true,
  mediaIds: [film],
  targets: [{ platform: 'linkedin', accountId: account('linkedin') }],
});
const held = await ok(api.listMediaPosts({ path: { id: film } }));
if (held.data[0]?.id !== draft.id) throw new Error('the film is not in the draft');
const changed = await ok(
  api.updatePost({
    path: { id: draft.id },
    headers: { 'If-Match': `"${draft.revision}"` },
    body: { content: 'Our second cake.' },
  }),
);
if (changed.content !== 'Our second cake.') throw new Error('the text has not changed');
await ok(
  api.moveTarget({
    path: { id: draft.id, targetId: draft.targets[0]!.id },
    body: { accountId: account('linkedin', 1) },
  }),
);
const gone = await api.deletePost({ path: { id: draft.id } });
if (gone.response?.status !== 204) throw new Error('the draft was not deleted');

const checked = await ok(
  api.checkPost({ body: { content: 'a'.repeat(301), targets: [{ platform: 'bluesky' }] } }),
);
if (checked.issues[0]?.rule !== 'bluesky.text.too_long') throw new Error(JSON.stringify(checked));
const refused = await api.createPost({
  body: { content: 'a'.repeat(301), queue: true, targets: [{ platform: 'bluesky' }] },
});
if (refused.error?.error.code !== 'validation_failed') throw new Error(JSON.stringify(refused));
const many = await ok(
  api.createPosts({
    body: {
      posts: [
        { key: 'cakes-of-a-week-1', post: { content: 'One.', queue: true, targets: [{ platform: 'mastodon' }] } },
        { key: 'cakes-of-a-week-2', post: { content: 'Two.', queue: true, targets: [{ platform: 'mastodon' }] } },
      ],
    },
  }),
);
if (many.results.some((result) => result.status !== 201)) throw new Error(JSON.stringify(many));
const due = await ok(api.listPosts({ query: { order: 'due', platform: ['mastodon'] } }));
if (due.data.length !== 2) throw new Error('two posts are due');

const live = await published({
  content: 'We have opened.',
  mediaIds: [picture],
  targets: [
    { platform: 'facebook', options: { firstComment: 'Come in.' } },
    { platform: 'mastodon' },
  ],
});
if (live.targets.some((one) => one.status !== 'published')) throw new Error(JSON.stringify(live));
const target = (platform: Platform) => ({
  id: live.id,
  targetId: live.targets.find((one) => one.platform === platform)!.id,
});
await ok(api.refreshMetrics());
await ok(api.readMetrics({ path: target('facebook') }));
await ok(api.listReadings({ path: target('facebook') }));
await ok(api.showInsights({ path: target('facebook') }));
const comment = await wait(async () => {
  const comments = await ok(api.listComments({ path: target('facebook') }));
  return comments.data[0];
});
await ok(
  api.actOnComment({
    path: { ...target('facebook'), commentId: comment.id },
    body: { action: 'reply', text: 'We are here until six.' },
  }),
);
await ok(api.editLivePost({ path: target('mastodon'), body: { content: 'We have opened!' } }));
await ok(api.takeDown({ path: target('mastodon') }));

const failed = await published({ content: 'refused', targets: [{ platform: 'bluesky' }] });
if (failed.targets[0]?.status !== 'failed') throw new Error(JSON.stringify(failed));
await ok(api.retryPost({ path: { id: failed.id } }));
await ended(failed.id);
await ok(api.retryPosts({ body: { ids: [failed.id] } }));

const captions = await ok(
  api.writeCaptions({ body: { content: 'We have opened.', platforms: ['bluesky', 'mastodon'] } }),
);
if (!captions.captions.bluesky) throw new Error(JSON.stringify(captions));
await ok(api.reviewTarget({ body: { targetId: target('facebook').targetId } }));
await ok(api.showReview({ path: { targetId: target('facebook').targetId } }));
const down = await ok(api.takeDownPost({ path: { id: live.id } }));
const ofFacebook = down.results.find((one) => one.platform === 'facebook');
if (ofFacebook?.outcome !== 'taken_down') throw new Error(JSON.stringify(down));

await ok(api.saveSnippet({ path: { name: 'tags' }, body: { text: '#bread' } }));
await ok(api.listSnippets());
await api.deleteSnippet({ path: { name: 'tags' } });
const webhook = await ok(api.createWebhook({ body: { url: 'https://a.example/events' } }));
await ok(api.listWebhooks());
await ok(api.testWebhook({ path: { id: webhook.id } }));
await api.deleteWebhook({ path: { id: webhook.id } });

const left = Object.keys(sdk).filter((operation) => !called.has(operation));
if (left.length > 0) throw new Error(`left out: ${left.join(', ')}`);
console.log(`typescript: ${called.size} operations`);
