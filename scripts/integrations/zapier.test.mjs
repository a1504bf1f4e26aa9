// Runs the step for Zapier over a real delivery, as Zapier does: with its input data.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import { api, signedAgo } from './server.mjs';

const code = readFileSync(new URL('../../integrations/zapier/verify.js', import.meta.url), 'utf8');
const step = new Function('require', 'inputData', code);

test('a delivery is verified, and a changed one stops the Zap', async () => {
  let taken;
  const delivered = new Promise((resolve) => { taken = resolve; });
  const receiver = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    response.writeHead(204).end();
    taken({ signature: request.headers['x-service-signature-v2'], body: Buffer.concat(pieces).toString() });
  });
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${receiver.address().port}/`;
  const { id, secret } = await api('POST', '/v1/workspace/webhooks', { url: address });
  await api('POST', `/v1/workspace/webhooks/${id}/test`);
  const given = { secret, ...(await delivered) };
  receiver.close();
  await api('DELETE', `/v1/workspace/webhooks/${id}`);
  const run = (inputData) => step(createRequire(import.meta.url), inputData);
  assert.equal(run(given).event, 'webhook.test');
  assert.equal(run({ ...given, signature: signedAgo(290, secret, given.body) }).event, 'webhook.test');
  for (const [name, changed] of [
    ['another body', { body: `${given.body} ` }],
    ['another secret', { secret: `${secret}x` }],
    ['no signature', { signature: undefined }],
    ['another time', { signature: given.signature.replace(/^t=\d+/, 't=1700000000') }],
    ['an old time', { signature: signedAgo(301, secret, given.body) }],
  ]) {
    assert.throws(() => run({ ...given, ...changed }), Error, name);
  }
});
