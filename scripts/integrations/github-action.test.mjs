// Starts the GitHub Action as the runner does, against a server on the sandbox networks.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { api, key, picture, url } from './server.mjs';

const MAIN = fileURLToPath(new URL('../../integrations/github-action/main.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'action-'));
writeFileSync(join(folder, 'cover.png'), picture());
let runs = 0;

// Runs the step: what it printed, and what it tells the steps that follow.
function run(inputs, environment = {}) {
  const outputs = join(folder, `output-${(runs += 1)}`);
  writeFileSync(outputs, '');
  const given = { url, key, ...inputs };
  const variables = Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const env = {
    PATH: process.env.PATH,
    GITHUB_OUTPUT: outputs,
    GITHUB_REPOSITORY: 'me/bread',
    GITHUB_RUN_ID: `run-${runs}`,
    GITHUB_JOB: 'announce',
    GITHUB_ACTION: '__me_post',
    ...Object.fromEntries(variables),
    ...environment,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN], { env, cwd: folder }, (error, stdout, stderr) => {
      const told = readFileSync(outputs, 'utf8').matchAll(/^(.+)<<(.+)\n(.*)\n\2$/gm);
      const values = [...told].map(([, name, , value]) => [name, value]);
      resolve({ code: error?.code ?? 0, stdout, stderr, outputs: Object.fromEntries(values) });
    });
  });
}

const annotations = ({ stdout }) => stdout.split('\n').filter((line) => line.startsWith('::error'));

test('a text goes out, and its address is told', async () => {
  const ran = await run({ content: 'Hello from a run', accounts: 'mastodon, bluesky' });
  assert.equal(ran.code, 0, ran.stdout + ran.stderr);
  const post = await api('GET', `/v1/posts/${ran.outputs['post-id']}`);
  assert.equal(ran.outputs.status, 'done');
  assert.equal(ran.outputs['is-new'], 'true');
  assert.deepEqual(JSON.parse(ran.outputs.urls), post.targets.map(({ remoteUrl }) => remoteUrl));
  assert.ok(ran.stdout.includes(`::add-mask::${key}`));
  assert.equal(ran.stdout.split(key).length, 2, 'the key stands where it is masked, and nowhere else');
});

test('a run that is repeated posts nothing again', async () => {
  const inputs = { content: 'Once', accounts: 'mastodon', media: 'cover.png | A cover' };
  const first = await run(inputs, { GITHUB_RUN_ID: '77' });
  assert.equal(first.code, 0, first.stdout + first.stderr);
  const again = await run(inputs, { GITHUB_RUN_ID: '77', GITHUB_RUN_ATTEMPT: '2' });
  assert.equal(again.code, 0, again.stdout + again.stderr);
  assert.equal(again.outputs['post-id'], first.outputs['post-id']);
  assert.deepEqual([first.outputs['is-new'], again.outputs['is-new']], ['true', 'false']);
  const { data } = await api('GET', '/v1/posts?q=Once');
  assert.equal(data.length, 1);
  assert.deepEqual(data[0].altTexts, ['A cover']);
  assert.equal(data[0].mediaIds.length, 1);
});

test('the same step with another text is told of, and posts nothing', async () => {
  const same = { GITHUB_RUN_ID: '78' };
  await run({ content: 'First of a matrix', accounts: 'mastodon', when: 'draft' }, same);
  const other = await run({ content: 'Second of a matrix', accounts: 'mastodon', when: 'draft' }, same);
  assert.equal(other.code, 1);
  assert.match(annotations(other)[0], /^::error title=scheduler::idempotency-key: /);
  assert.equal((await api('GET', '/v1/posts?q=matrix')).data.length, 1);
});

test('a release says what is posted', async () => {
  const event = join(folder, 'event.json');
  const release = { id: 5, name: 'Bread 2.0', tag_name: 'v2.0', html_url: 'https://example.com/v2' };
  writeFileSync(event, JSON.stringify({ action: 'published', release }));
  const ran = await run({ accounts: 'mastodon', when: 'draft' }, { GITHUB_EVENT_PATH: event });
  const post = await api('GET', `/v1/posts/${ran.outputs['post-id']}`);
  assert.equal(post.content, 'Bread 2.0\n\nhttps://example.com/v2');
  assert.equal(ran.outputs.url, '');
});

test('when it goes out', async () => {
  for (const [when, kind, status] of [
    ['draft', 'draft', 'draft'],
    ['queue', 'queue', 'scheduled'],
    ['2031-01-01T09:00:00+01:00', 'instant', 'scheduled'],
    ['2031-01-01T09:00', 'local', 'scheduled'],
  ]) {
    const ran = await run({ content: `At ${when}`, accounts: 'mastodon', when });
    assert.equal(ran.code, 0, ran.stdout);
    const post = await api('GET', `/v1/posts/${ran.outputs['post-id']}`);
    assert.deepEqual([post.timing.kind, ran.outputs.status], [kind, status], when);
  }
});

test('what is wrong names the input and what to do, and posts nothing', async () => {
  const long = 'x'.repeat(400);
  for (const [name, inputs, input] of [
    ['no text', { accounts: 'mastodon' }, 'content'],
    ['no account', { content: 'a' }, 'accounts'],
    ['an unknown account', { content: 'a', accounts: 'mastodon:@nobody' }, 'accounts'],
    ['no time', { content: 'a', accounts: 'mastodon', when: 'soon' }, 'when'],
    ['the past', { content: 'a', accounts: 'mastodon', when: '2001-01-01T00:00:00Z' }, 'when'],
    ['no file', { content: 'a', accounts: 'mastodon', media: 'none.png' }, 'media'],
    ['no JSON', { content: 'a', accounts: 'mastodon', options: '{' }, 'options'],
    ['options for another', { content: 'a', accounts: 'mastodon', options: '{"x":{}}' }, 'options'],
    ['a short key', { content: 'a', accounts: 'mastodon', 'idempotency-key': 'abc' }, 'idempotency-key'],
    ['a key of two lines', { content: 'a', accounts: 'mastodon', key: 'sk_a\nb' }, 'key'],
    ['a key that no header takes', { content: 'a', accounts: 'mastodon', 'idempotency-key': 'Brötchen-\u0105' }, 'idempotency-key'],
    ['no address', { content: 'a', accounts: 'mastodon', url: 'here' }, 'url'],
    ['nobody there', { content: 'a', accounts: 'mastodon', url: 'http://127.0.0.1:1', 'timeout-seconds': '1' }, 'url'],
  ]) {
    const ran = await run(inputs);
    assert.equal(ran.code, 1, `${name}: ${ran.stdout}${ran.stderr}`);
    const [shown] = annotations(ran);
    assert.ok(shown.startsWith(`::error title=scheduler::${input}: `), `${name}: ${shown}`);
    assert.ok(shown.includes('%0ANext: '), `${name}: ${shown}`);
    assert.equal(ran.outputs['post-id'], undefined, name);
  }
  const refused = await run({ content: long, accounts: 'bluesky' });
  const [shown] = annotations(refused);
  assert.ok(shown.includes('%0Abluesky: '), shown);
  const foreign = await run({ content: 'a', accounts: 'mastodon', key: 'sk_none' });
  assert.ok(annotations(foreign)[0].includes('%0ANext: set the input key'), foreign.stdout);
});

// Passes requests on, and breaks the first answers to POST /v1/posts off after the server has
// made the post.
function torn(count) {
  let left = count;
  const server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const { method, headers } = request;
    const body = pieces.length ? Buffer.concat(pieces) : undefined;
    const sent = { authorization: headers.authorization };
    for (const name of ['content-type', 'idempotency-key']) if (headers[name]) sent[name] = headers[name];
    const answer = await fetch(url + request.url, { method, headers: sent, body });
    const text = await answer.text();
    if (method === 'POST' && request.url === '/v1/posts' && left > 0) {
      left -= 1;
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

test('an answer that is lost makes no second post', async () => {
  const server = await torn(2);
  const through = `http://127.0.0.1:${server.address().port}`;
  const ran = await run({ url: through, content: 'Torn twice', accounts: 'mastodon', when: 'draft' });
  server.close();
  assert.equal(ran.code, 0, ran.stdout + ran.stderr);
  assert.equal((await api('GET', '/v1/posts?q=Torn')).data.length, 1);
});

test('a post that waits for a person is not waited for, and warnings are shown', async () => {
  const account = { id: '01993b5c-2b7e-7000-8000-000000000001', platform: 'mastodon', username: 'me' };
  for (const [state, warnings] of [
    [{ status: 'scheduled', approvalState: 'pending' }, 2],
    [{ status: 'draft', approvalState: null }, 1],
  ]) {
    const asked = [];
    const issues = [{ platform: 'mastodon', severity: 'warning', message: 'A link is long.' }];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const isNew = request.method === 'POST';
      const body = isNew ? { id: account.id, targets: [], issues, ...state } : { data: [account] };
      request.resume();
      response.writeHead(isNew ? 201 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const through = `http://127.0.0.1:${server.address().port}`;
    const ran = await run({ url: through, content: 'To be looked at', accounts: 'mastodon' });
    server.close();
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    assert.deepEqual(asked, ['GET /v1/oauth/accounts', 'POST /v1/posts']);
    const shown = ran.stdout.split('\n').filter((line) => line.startsWith('::warning'));
    assert.equal(shown.length, warnings, ran.stdout);
    assert.ok(shown.some((line) => line.includes('A link is long.')), ran.stdout);
  }
});

test('a network that refuses fails the step', async () => {
  const ran = await run({ content: 'This is refused', accounts: 'bluesky' });
  assert.equal(ran.code, 1);
  assert.equal(ran.outputs.status, 'done');
  assert.match(annotations(ran)[0], /^::error title=scheduler::bluesky: .*%0ANext: /);
});
