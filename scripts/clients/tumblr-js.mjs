import http from 'node:http';
import https from 'node:https';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tumblr from 'tumblr.js';
import { given, picture, refused, same, step, there } from './common.mjs';

// The client speaks TLS to any host; the imitation does not.
https.request = http.request;
// It signs by OAuth 1; run.py puts the bearer token of OAuth 2 in its place.
const client = tumblr.createClient({
  baseUrl: given.base, consumer_key: 'k', consumer_secret: 's', token: 't', token_secret: 'u',
});
const blog = given.account.blog;
// It takes a file on the disk for a picture, and nothing else.
const folder = mkdtempSync(join(tmpdir(), 'tumblr-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const file = join(folder, 'a.png');
writeFileSync(file, picture);
await step('who am I', async () => {
  const { user } = await client.userInfo();
  same(user.blogs.some((one) => one.name === blog), true, 'blog listed');
  there((await client.blogInfo(blog)).blog.uuid, 'uuid');
});
const text = await step('text', async () => {
  const made = await client.createPost(blog, { content: [{ type: 'text', text: 'Hello from tumblr.js' }], tags: ['one', 'two'] });
  there(made.id, 'id');
  return made;
});
const withPicture = await step('picture', async () => await client.createPost(blog, {
  content: [{ type: 'image', media: createReadStream(file), alt_text: 'Alt' }],
}));
await step('read back', async () => {
  const { posts } = await client.blogPosts(blog, { npf: true });
  const found = posts.find((post) => post.id_string === text.id || String(post.id) === text.id);
  same([found.content[0].text, found.tags], ['Hello from tumblr.js', ['one', 'two']], 'post');
  const shown = posts.find((post) => post.id_string === withPicture.id);
  same(shown.content[0].alt_text, 'Alt', 'alt_text');
});
await step('edit', async () => {
  await client.editPost(blog, text.id, { content: [{ type: 'text', text: 'Hello again' }] });
  const { posts } = await client.blogPosts(blog, { id: text.id, npf: true });
  same(posts[0].content[0].text, 'Hello again', 'text');
});
await step('delete', async () => {
  await client.deletePost(blog, text.id);
});
await step('refused', async () => {
  const gone = await refused(() => client.deletePost(blog, text.id));
  same(/404/.test(gone.message), true, 'message names 404');
  const empty = await refused(() => client.createPost(blog, { content: [] }));
  same(/400/.test(empty.message), true, 'message names 400');
});
