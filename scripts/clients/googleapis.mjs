import { Readable } from 'node:stream';
import { google } from 'googleapis';
import { given, refused, same, step, there } from './common.mjs';

const auth = new google.auth.OAuth2();
auth.setCredentials({ access_token: given.account.accessToken });
const rootUrl = `${given.base}/`;
const youtube = google.youtube({ version: 'v3', auth, rootUrl });
const film = Buffer.from(given.film, 'base64');
await step('who am I', async () => {
  const { data } = await youtube.channels.list({ part: ['snippet', 'contentDetails', 'status'], mine: true });
  same(data.items[0].id, given.account.account, 'id');
});
const video = await step('video', async () => {
  const { data } = await youtube.videos.insert({
    part: ['snippet', 'status'],
    requestBody: { snippet: { title: 'Title', description: 'Text', categoryId: '22' }, status: { privacyStatus: 'unlisted' } },
    media: { mimeType: 'video/mp4', body: Readable.from([film]) },
  }, { rootUrl });
  same([data.snippet.title, data.status.uploadStatus], ['Title', 'uploaded'], 'video');
  return data;
});
await step('captions', async () => {
  const { data } = await youtube.captions.insert({
    part: ['snippet'],
    requestBody: { snippet: { videoId: video.id, language: 'en', name: '' } },
    media: { mimeType: 'text/plain', body: '1\n00:00:00,000 --> 00:00:01,000\nHello\n' },
  }, { rootUrl });
  same(data.snippet.language, 'en', 'language');
});
await step('thumbnail', async () => {
  const { data } = await youtube.thumbnails.set({
    videoId: video.id, media: { mimeType: 'image/png', body: Readable.from([Buffer.from(given.picture, 'base64')]) },
  }, { rootUrl });
  there(data.items[0].default.url, 'url');
});
await step('read back', async () => {
  const { data } = await youtube.videos.list({ part: ['snippet', 'status', 'processingDetails', 'statistics'], id: [video.id] });
  same(data.items[0].snippet.title, 'Title', 'title');
});
await step('edit', async () => {
  const { data } = await youtube.videos.update({
    part: ['snippet'], requestBody: { id: video.id, snippet: { title: 'Another', categoryId: '22' } },
  });
  same(data.snippet.title, 'Another', 'title');
});
await step('comment', async () => {
  const { data } = await youtube.commentThreads.insert({
    part: ['snippet'], requestBody: { snippet: { videoId: video.id, topLevelComment: { snippet: { textOriginal: 'First' } } } },
  });
  same(data.snippet.topLevelComment.snippet.textOriginal, 'First', 'text');
});
await step('delete', async () => {
  same((await youtube.videos.delete({ id: video.id })).status, 204, 'status');
});
await step('refused', async () => {
  const error = await refused(() => youtube.videos.delete({ id: video.id }));
  same([error.status, error.response?.data?.error?.errors?.[0]?.reason], [404, 'videoNotFound'], 'error');
  auth.setCredentials({ access_token: 'nonsense' });
  const denied = await refused(() => youtube.channels.list({ part: ['id'], mine: true }));
  same(denied.status, 401, 'status');
});
