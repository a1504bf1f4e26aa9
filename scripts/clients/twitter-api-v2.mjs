import http from 'node:http';
import https from 'node:https';
import { given, refused, same, step } from './common.mjs';

// The client knows no host but X's own, and no protocol but TLS: its calls are led here.
const here = new URL(given.base);
https.request = (options, ...rest) => http.request(
  { method: options.method, headers: { ...options.headers, host: here.host }, path: options.path ?? options.pathname + (options.search ?? ''), hostname: here.hostname, port: here.port },
  ...rest,
);
const { ApiResponseError, TwitterApi } = await import('twitter-api-v2');
const client = new TwitterApi(given.account.accessToken);
await step('who am I', async () => {
  const me = await client.v2.me({ 'user.fields': ['username', 'profile_image_url'] });
  same([me.data.id, me.data.username], [given.account.account, given.account.username], 'user');
});
const post = await step('text', async () => {
  const { data } = await client.v2.tweet('Hello from twitter-api-v2');
  same(data.text, 'Hello from twitter-api-v2', 'text');
  return data;
});
await step('thread', async () => {
  const posts = await client.v2.tweetThread(['One', 'Two']);
  same(posts.length, 2, 'posts');
});
await step('read back', async () => {
  const { data } = await client.v2.singleTweet(post.id, { 'tweet.fields': ['created_at', 'public_metrics', 'author_id'] });
  same([data.text, data.author_id], [post.text, given.account.account], 'post');
  const timeline = await client.v2.userTimeline(given.account.account, { max_results: 5 });
  same(timeline.tweets.length, 3, 'posts');
});
await step('refused', async () => {
  const twice = await refused(() => client.v2.tweet('Hello from twitter-api-v2'));
  same([twice instanceof ApiResponseError, twice.code, twice.data.detail],
    [true, 403, 'You are not allowed to create a Tweet with duplicate content.'], 'error');
  const long = await refused(() => client.v2.tweet('a'.repeat(281)));
  same([long instanceof ApiResponseError, typeof long.data.detail], [true, 'string'], 'error');
});
await step('delete', async () => {
  same((await client.v2.deleteTweet(post.id)).data.deleted, true, 'deleted');
  const gone = await refused(() => client.v2.singleTweet(post.id));
  same(gone.data.title, 'Not Found Error', 'error');
});
