// Requests with the types of openapi-typescript: what the API would refuse does not compile.
//
//   tsx typed-requests.ts ADDRESS KEY
import createClient from 'openapi-fetch';
import type { components, paths } from './generated/openapi-typescript';

const [address, key] = process.argv.slice(2);
const api = createClient<paths>({
  baseUrl: `${address}/v1`,
  headers: { authorization: `Bearer ${key}` },
});

// One time is enough; the others need not be named.
const { data, error } = await api.POST('/posts', {
  body: { content: 'Hello', publishNow: true, targets: [{ platform: 'bluesky' }] },
});
if (!data) throw new Error(error?.error.message);

const upload: components['schemas']['MediaInput'] = { kind: 'image', sizeBytes: 4 };
// @ts-expect-error: the kind is missing
const without: components['schemas']['MediaInput'] = { sizeBytes: 4 };

const declared = await api.POST('/media', { body: upload });
if (declared.data?.upload.mode !== 'single') throw new Error('not in one piece');
// The mode tells which fields there are.
console.log(`typed requests: ${data.targets.length} target, ${declared.data.upload.uploadUrl.length > 0}`);
void without;
