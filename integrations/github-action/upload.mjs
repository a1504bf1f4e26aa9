// Files of a post: those of the workspace are sent, others fetched by the server.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';

import { Failure } from './api.mjs';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PART_TIMEOUT_MS = 600_000;

// What the end of a name speaks of. The server finds out for itself what a file is.
const TYPES = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
  '.pdf': 'application/pdf',
};

const failure = (message, next) => new Failure({ message, input: 'media', next });

function described(name) {
  const mimeType = TYPES[extname(name).toLowerCase()];
  if (!mimeType) {
    throw failure(`${name} is no picture, film or document by its name`, `name a file that ends in ${Object.keys(TYPES).join(', ')}`);
  }
  const [kind] = mimeType.split('/');
  return { kind: kind === 'application' ? 'document' : kind, mimeType, fileName: basename(name) };
}

// The id of a file that the server is ready to post, the same in every attempt of a run.
export async function uploaded(api, { place }, runKey) {
  if (ID.test(place)) return ready(api, place, place);
  const isAddress = /^https?:\/\//i.test(place);
  const input = isAddress
    ? { kind: described(new URL(place).pathname).kind, sourceUrl: place }
    : await declared(place);
  // By its contents too: a file that was changed meanwhile is another.
  const hash = createHash('sha256').update(`${runKey}\n${place}\n`);
  if (!isAddress) for await (const piece of createReadStream(place)) hash.update(piece);
  const key = `github-file:${hash.digest('hex')}`;
  const declare = (key) => api.call('POST', '/v1/media', { body: input, key });
  let { body: { media, upload }, status } = await declare(key);
  // What an earlier attempt could not use is sent anew.
  if (status === 200 && ['failed', 'deleted'].includes(media.status)) {
    ({ media, upload } = (await declare(`${key}:${process.env.GITHUB_RUN_ATTEMPT ?? ''}`)).body);
  }
  if (media.status === 'awaiting_upload') await send(api, media.id, place, input.sizeBytes, upload);
  return ready(api, media.id, place);
}

async function declared(path) {
  const about = await stat(path).catch(() => undefined);
  if (!about?.isFile()) {
    throw failure(`there is no file ${path} in the workspace`, 'check out the repository before this step, or correct the path');
  }
  return { ...described(path), sizeBytes: about.size };
}

async function send(api, id, path, sizeBytes, upload) {
  if (upload.mode === 'single') {
    await put(api, path, 0, sizeBytes, upload.uploadUrl, upload.headers);
    return api.call('POST', `/v1/media/${id}/uploaded`, { repeatable: true });
  }
  const parts = [];
  for (const { partNumber, url } of upload.parts) {
    const begin = (partNumber - 1) * upload.partSize;
    const length = Math.min(upload.partSize, sizeBytes - begin);
    parts.push({ partNumber, etag: await put(api, path, begin, length, url, {}) });
  }
  return api.call('POST', `/v1/media/${id}/complete`, { body: { parts }, repeatable: true });
}

// Sends bytes of a file to a signed address, which is shown to nobody.
async function put(api, path, begin, length, url, headers) {
  for (;;) {
    const body = Buffer.alloc(length);
    const file = await open(path);
    try {
      await file.read(body, 0, length, begin);
    } finally {
      await file.close();
    }
    const signal = AbortSignal.timeout(PART_TIMEOUT_MS);
    const answer = await fetch(url, { method: 'PUT', headers, body, signal }).catch((error) => error);
    if (answer.ok) return answer.headers.get('etag') ?? '';
    const isLost = !answer.status || answer.status >= 500 || answer.status === 429;
    if (isLost && (await api.pause())) continue;
    const said = answer.status ? `was answered ${answer.status}` : `brought no answer (${answer.cause?.code ?? answer.name})`;
    throw failure(`sending ${path} to ${new URL(url).origin} ${said}`, 'see whether the runner can reach that address; the run may be repeated');
  }
}

async function ready(api, id, name) {
  for (;;) {
    const media = (await api.call('GET', `/v1/media/${id}`)).body;
    if (media.status === 'ready') return id;
    if (!['ingesting', 'processing'].includes(media.status)) {
      throw failure(`${name} cannot be used: ${media.error ?? media.status}`, 'give another file');
    }
    if (!(await api.pause())) {
      throw failure(`${name} is still ${media.status}`, 'set timeout-seconds higher, or give a smaller file');
    }
  }
}
