import { AtpAgent, RichText, XRPCError } from '@atproto/api';
import { given, picture, refused, same, step, there } from './common.mjs';

const agent = new AtpAgent({ service: given.base });
await step('who am I', async () => {
  await agent.login({ identifier: given.account.identifier, password: given.account.appPassword });
  same(agent.did, given.account.did, 'did');
  const profile = await agent.getProfile({ actor: agent.did });
  same(profile.data.handle, given.account.handle, 'handle');
});
const post = await step('text', async () => {
  const text = new RichText({ text: `Hello #tag https://example.com @${given.account.handle}` });
  await text.detectFacets(agent);
  same(text.facets.length, 3, 'facets');
  return await agent.post({ text: text.text, facets: text.facets, langs: ['en'] });
});
const withPicture = await step('picture', async () => {
  const blob = await agent.uploadBlob(picture, { encoding: 'image/png' });
  same(blob.data.blob.mimeType, 'image/png', 'mimeType');
  const embed = { $type: 'app.bsky.embed.images', images: [{ image: blob.data.blob, alt: 'Alt' }] };
  return await agent.post({ text: 'A picture', embed });
});
await step('picture without a type', async () => {
  const blob = await agent.uploadBlob(picture, { encoding: '*/*' });
  same(blob.data.blob.mimeType, 'image/png', 'mimeType');
  const embed = { $type: 'app.bsky.embed.images', images: [{ image: blob.data.blob, alt: '' }] };
  await agent.post({ text: 'Another picture', embed });
});
await step('reply', async () => {
  const reference = { uri: post.uri, cid: post.cid };
  await agent.post({ text: 'More', reply: { root: reference, parent: reference } });
  const thread = await agent.getPostThread({ uri: post.uri });
  same(thread.data.thread.replies.length, 1, 'replies');
});
await step('read back', async () => {
  const posts = await agent.getPosts({ uris: [withPicture.uri] });
  same(posts.data.posts[0].record.text, 'A picture', 'text');
  there(posts.data.posts[0].embed.images[0].thumb, 'thumb');
  const records = await agent.com.atproto.repo.listRecords({ repo: agent.did, collection: 'app.bsky.feed.post' });
  same(records.data.records.length, 4, 'records');
  const feed = await agent.getAuthorFeed({ actor: agent.did });
  same(feed.data.feed.length, 4, 'posts of the feed');
});
await step('like', async () => {
  const like = await agent.like(post.uri, post.cid);
  await agent.deleteLike(like.uri);
});
await step('refresh', async () => {
  await agent.com.atproto.server.getSession();
  await agent.sessionManager.refreshSession();
});
await step('delete', async () => {
  await agent.deletePost(post.uri);
  const posts = await agent.getPosts({ uris: [post.uri] });
  same(posts.data.posts.length, 0, 'posts');
});
await step('refused', async () => {
  const error = await refused(() => agent.com.atproto.repo.createRecord({
    repo: agent.did, collection: 'app.bsky.feed.post',
    record: { $type: 'app.bsky.feed.post', text: 'a'.repeat(3001), createdAt: new Date().toISOString() },
  }));
  same([error instanceof XRPCError, error.status, error.error], [true, 400, 'InvalidRequest'], 'error');
  const other = new AtpAgent({ service: given.base });
  const denied = await refused(() => other.login({ identifier: given.account.identifier, password: 'no' }));
  same([denied.status, denied.error], [401, 'AuthenticationRequired'], 'error');
});
