// Runs the compiled n8n nodes by n8n's own classes (its loader, its engine, its contexts), against
// a server on the sandbox networks. N8N_MODULES names the folder that n8n's packages and ours are
// installed in.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { api, key, picture, signedAgo, url } from './server.mjs';

const PACKAGE = 'n8n-nodes-scheduler';
const require = createRequire(join(process.env.N8N_MODULES, 'package.json'));
const core = require('n8n-core');
const { NodeConnectionTypes, NodeHelpers, Workflow } = require('n8n-workflow');

const loader = new core.PackageDirectoryLoader(join(process.env.N8N_MODULES, PACKAGE));
await loader.loadAll();

// A node that hands out the items of a test.
let items = [];
const start = {
  description: {
    name: 'start', displayName: 'Start', version: 1, group: ['trigger'], defaults: {}, properties: [],
    inputs: [], outputs: [NodeConnectionTypes.Main],
  },
  execute: async () => [items],
};
const typeOf = (name) => (name === 'start' ? start : loader.getNode(name.split('.')[1]).type);
const nodeTypes = {
  getByName: typeOf,
  getByNameAndVersion: (name) => NodeHelpers.getVersionedNodeType(typeOf(name)),
  getKnownTypes: () => loader.known.nodes,
};

// Credentials as n8n has them: decrypted, and put into requests by what their type says.
const credentialType = loader.getCredential('schedulerApi').type;
const credentials = { url: `${url}/`, apiKey: key };
const helper = {
  getParentTypes: () => [],
  isCredentialUsableByNode: () => true,
  getCredentialsProperties: () => credentialType.properties,
  getDecrypted: async () => ({ ...credentials }),
  preAuthentication: async () => undefined,
  runPreAuthentication: async () => undefined,
  authenticate: async ({ apiKey }, _, request) => {
    const { headers } = credentialType.authenticate.properties;
    const Authorization = headers.Authorization.replace(/^=/, '').replace('{{$credentials.apiKey}}', apiKey);
    return { ...request, headers: { ...request.headers, Authorization } };
  },
};

let executions = 0;
const additional = (more = {}) => ({
  credentialsHelper: helper,
  executionId: `run-${(executions += 1)}`,
  currentNodeExecutionIndex: 0,
  instanceBaseUrl: 'http://127.0.0.1/',
  restApiUrl: 'http://127.0.0.1/rest',
  formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
  webhookBaseUrl: 'http://127.0.0.1/webhook',
  webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
  webhookTestBaseUrl: 'http://127.0.0.1/webhook-test',
  variables: {},
  ...more,
});

function workflowOf(name, parameters, more = {}) {
  const node = {
    id: `node-${name}`, name: 'Under test', type: `${PACKAGE}.${name}`, typeVersion: 1,
    position: [0, 0], parameters, credentials: { schedulerApi: { id: '1', name: 'Own' } }, ...more,
  };
  const first = { id: 'start', name: 'Start', type: 'start', typeVersion: 1, position: [0, 0], parameters: {} };
  const connections = { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } };
  const workflow = new Workflow({
    id: 'workflow-1', name: 'Test', nodes: [first, node], connections, active: false, nodeTypes,
    settings: { timezone: 'Europe/Berlin' },
  });
  return { workflow, node: workflow.getNode(node.name) };
}

// Runs a workflow of a start and the node, as n8n does: the items that come out of the node.
async function run(parameters, given = [{ json: {} }], { more = {}, node = {} } = {}) {
  items = given;
  const { workflow } = workflowOf('scheduler', parameters, node);
  const data = additional(more);
  data.hooks = new core.ExecutionLifecycleHooks('manual', data.executionId, {});
  const engine = new core.WorkflowExecute(data, 'manual');
  const { data: { resultData } } = await engine.run({ workflow, startNode: workflow.getNode('Start') });
  if (resultData.error) throw resultData.error;
  const [{ data: out, error }] = resultData.runData['Under test'];
  if (error) throw error;
  return out.main[0];
}

const create = (parameters, additionalFields = {}) => ({
  resource: 'post', operation: 'create', accounts: ['mastodon'], when: 'draft', ...parameters, additionalFields,
});

test('the package is one that n8n loads', () => {
  assert.deepEqual(Object.keys(loader.known.nodes).sort(), ['scheduler', 'schedulerTrigger']);
  assert.deepEqual(Object.keys(loader.known.credentials), ['schedulerApi']);
  assert.deepEqual(loader.known.nodes.scheduler.className, 'Scheduler');
});

test('the credentials are tried by a request of their own', async () => {
  const { test: { request } } = credentialType;
  const { workflow, node } = workflowOf('scheduler', {});
  const resolved = workflow.expression.resolveSimpleParameterValue(
    request.baseURL, {}, null, 0, 0, node.name, [], 'manual', { $credentials: credentials },
  );
  const answer = await fetch(resolved + request.url, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(answer.status, 200);
});

test('accounts are listed, and offered to choose from', async () => {
  const listed = await run({ resource: 'account', operation: 'getAll' });
  const networks = listed.map(({ json }) => json.platform);
  assert.ok(networks.includes('mastodon') && networks.includes('bluesky'), networks.join());
  const { workflow, node } = workflowOf('scheduler', {});
  const context = new core.LoadOptionsContext(workflow, node, additional(), '');
  const offered = await typeOf(`${PACKAGE}.scheduler`).methods.loadOptions.getAccounts.call(context);
  const mastodon = offered.find(({ value }) => value.startsWith('mastodon:'));
  const [made] = await run(create({ accounts: [mastodon.value], content: 'To the one that was chosen' }));
  assert.equal(`mastodon:${made.json.targets[0].accountId}`, mastodon.value);
});

test('posts are made, found and cancelled', async () => {
  const fields = { labels: 'n8n, spring', note: 'From a workflow', linkUrl: 'https://example.com/' };
  const [made] = await run(create({ content: 'Good morning from n8n', accounts: ['mastodon', 'bluesky'], when: 'queue' }, fields));
  assert.deepEqual([made.json.isNew, made.json.status, made.json.labels], [true, 'scheduled', ['n8n', 'spring']]);
  const [got] = await run({ resource: 'post', operation: 'get', postId: made.json.id });
  assert.equal(got.json.note, 'From a workflow');
  const listed = await run({ resource: 'post', operation: 'getAll', returnAll: true, filters: { label: 'n8n', q: 'morning' } });
  assert.deepEqual(listed.map(({ json }) => json.id), [made.json.id]);
  await run({ resource: 'post', operation: 'cancel', postId: made.json.id });
  await run({ resource: 'post', operation: 'cancel', postId: made.json.id });
  assert.equal((await api('GET', `/v1/posts/${made.json.id}`)).status, 'canceled', 'the record stays');
});

test('a limit holds over pages', async () => {
  for (const content of ['Page one', 'Page two', 'Page three']) await run(create({ content }));
  const list = { resource: 'post', operation: 'getAll', returnAll: false, filters: { q: 'Page' } };
  assert.equal((await run({ ...list, limit: 2 })).length, 2);
  assert.equal((await run({ ...list, limit: 10 })).length, 3);
});

test('times: of the zone of the workflow, and of each account', async () => {
  for (const [parameters, kind, at] of [
    [{ when: 'instant', scheduledAt: '2031-01-01T09:00:00' }, 'instant', '2031-01-01T08:00:00Z'],
    [{ when: 'instant', scheduledAt: '2031-07-01T09:00:00' }, 'instant', '2031-07-01T07:00:00Z'],
    [{ when: 'instant', scheduledAt: '2031-01-01T09:00:00Z' }, 'instant', '2031-01-01T09:00:00Z'],
    [{ when: 'local', scheduledLocal: '2031-01-01T09:00' }, 'local', undefined],
  ]) {
    const [{ json }] = await run(create({ content: `At ${JSON.stringify(parameters)}`, ...parameters }));
    assert.equal(json.timing.kind, kind);
    if (at) assert.equal(json.scheduledAt, at);
  }
});

test('each item makes a post, and the same execution makes none again', async () => {
  const given = [{ json: { text: 'First item' } }, { json: { text: 'Second item' } }];
  const parameters = create({ content: '={{ $json.text }}' });
  const more = { executionId: 'tried-again' };
  const first = await run(parameters, given, { more });
  const again = await run(parameters, given, { more });
  assert.deepEqual(again.map(({ json }) => json.id), first.map(({ json }) => json.id));
  assert.deepEqual(first.map(({ json }) => json.isNew), [true, true]);
  assert.deepEqual(again.map(({ json }) => json.isNew), [false, false]);
  assert.deepEqual(first.map(({ pairedItem }) => pairedItem.item), [0, 1]);
  assert.deepEqual(first.map(({ json }) => json.content), ['First item', 'Second item']);
});

test('a model that tries again makes no second post', async () => {
  const { defaultKey } = require(join(process.env.N8N_MODULES, PACKAGE, 'dist/nodes/api.js'));
  const keyOf = (type, $runIndex) => defaultKey({
    getNode: () => ({ id: 'node-1', type }),
    getWorkflowDataProxy: () => ({ $runIndex }),
    getInstanceId: () => 'instance-1',
    getWorkflow: () => ({ id: 'workflow-1' }),
    getExecutionId: () => '7',
  }, 0);
  assert.equal(keyOf(`${PACKAGE}.schedulerTool`, 0), keyOf(`${PACKAGE}.schedulerTool`, 1));
  assert.notEqual(keyOf(`${PACKAGE}.scheduler`, 0), keyOf(`${PACKAGE}.scheduler`, 1));
});

test('a key that has made another post is told of', async () => {
  const fields = { idempotencyKey: 'article-1042' };
  await run(create({ content: 'The article' }, fields));
  await assert.rejects(run(create({ content: 'Another article' }, fields)), (error) => {
    assert.equal(error.name, 'NodeOperationError');
    assert.ok(error.message.includes('article-1042'));
    return true;
  });
});

test('rules are asked, and nothing is made', async () => {
  const check = { resource: 'rules', operation: 'check', accounts: ['bluesky'], additionalFields: {} };
  const [good] = await run({ ...check, content: 'Short' });
  const [bad] = await run({ ...check, content: 'x'.repeat(400) });
  assert.deepEqual([good.json.ok, bad.json.ok], [true, false]);
  assert.equal(bad.json.issues[0].platform, 'bluesky');
});

test('a file is sent, and a post has it', async () => {
  const bytes = picture();
  const binary = { data: { data: bytes.toString('base64'), mimeType: 'image/png', fileName: 'cover.png' } };
  const upload = { resource: 'media', operation: 'upload', source: 'binary', binaryPropertyName: 'data', waitSeconds: 60 };
  const [{ json: media }] = await run(upload, [{ json: {}, binary }]);
  assert.deepEqual([media.status, media.sizeBytes, media.fileName], ['ready', bytes.length, 'cover.png']);
  const executionId = 'uploaded-again';
  const [first, again] = [await run(upload, [{ json: {}, binary }], { more: { executionId } }), await run(upload, [{ json: {}, binary }], { more: { executionId } })];
  assert.equal(again[0].json.id, first[0].json.id);
  const [{ json }] = await run(create({ content: 'With a picture' }, { mediaIds: media.id, altTexts: ['A cover'] }));
  assert.deepEqual([json.mediaIds, json.altTexts], [[media.id], ['A cover']]);
});

test('a refusal is an error of n8n with the field and what to do', async () => {
  for (const [name, parameters, code, expected] of [
    ['too long', create({ accounts: ['bluesky'], content: 'x'.repeat(400) }), '422', 'bluesky: '],
    ['the past', create({ content: 'a', when: 'instant', scheduledAt: '2001-01-01T00:00:00Z' }), '400', 'Field: scheduledAt'],
    ['an unknown post', { resource: 'post', operation: 'get', postId: '01993b5c-2b7e-7000-8000-000000000001' }, '404', 'Next: '],
    ['a short key', create({ content: 'a' }, { idempotencyKey: 'abc' }), '400', 'Field: Idempotency-Key'],
  ]) {
    await assert.rejects(run(parameters), (error) => {
      assert.equal(error.name, 'NodeApiError', `${name}: ${error.stack}`);
      assert.equal(error.httpCode, code, name);
      assert.ok(error.description.includes(expected), `${name}: ${error.description}`);
      assert.ok(error.description.includes('Next: '), `${name}: ${error.description}`);
      return true;
    });
  }
  await assert.rejects(run(create({ content: 'a' }, { idempotencyKey: 'Grüße-\u0105-1042' })), (error) => {
    assert.ok(error.description.includes('Field: Idempotency-Key'), error.stack);
    return true;
  });
  const [told] = await run(create({ accounts: ['bluesky'], content: 'x'.repeat(400) }), [{ json: {} }], { node: { onError: 'continueRegularOutput' } });
  assert.ok(told.json.description.includes('bluesky: '));
});

// A server before the server, which breaks the first answer to a new post off, or puts it off.
const faults = [];
const faulty = createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const fault = request.method === 'POST' ? faults.shift() : undefined;
  if (fault?.startsWith('put off')) {
    const after = fault === 'put off' ? '1' : new Date(Date.now() + 1_000).toUTCString();
    const body = { error: { code: 'rate_limited', message: 'Too many.' } };
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': after }).end(JSON.stringify(body));
    return;
  }
  const names = ['authorization', 'content-type', 'idempotency-key'].filter((name) => request.headers[name]);
  const headers = Object.fromEntries(names.map((name) => [name, request.headers[name]]));
  const body = pieces.length ? Buffer.concat(pieces) : undefined;
  const answer = await fetch(url + request.url, { method: request.method, headers, body });
  const text = await answer.text();
  if (fault === 'torn') return request.socket.destroy();
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
});
before(() => new Promise((resolve) => faulty.listen(0, '127.0.0.1', resolve)));
after(() => faulty.close());

test('an answer that is lost or put off makes no second post', async () => {
  const direct = credentials.url;
  credentials.url = `http://127.0.0.1:${faulty.address().port}`;
  faults.push('torn', 'put off', 'put off until a date', 'torn');
  const [{ json }] = await run(create({ content: 'Lost twice' })).finally(() => { credentials.url = direct; });
  assert.equal(faults.length, 0);
  assert.deepEqual((await api('GET', '/v1/posts?q=Lost')).data.map(({ id }) => id), [json.id]);
});

// The trigger: subscribed by n8n's hooks, and given real deliveries as n8n's server gives them.
test('events start a workflow when they are signed, and only then', async () => {
  let arrived;
  const first = new Promise((resolve) => { arrived = resolve; });
  const receiver = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    arrived({ headers: request.headers, rawBody: Buffer.concat(pieces) });
    response.writeHead(204).end();
  });
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  try {
    const { workflow, node } = workflowOf('schedulerTrigger', { events: ['post.published'] }, { webhookId: 'hook-1' });
    const trigger = typeOf(node.type);
    const data = (more) => additional({ webhookBaseUrl: `http://127.0.0.1:${receiver.address().port}`, ...more });
    const hook = (name) => trigger.webhookMethods.default[name].call(new core.HookContext(workflow, node, data(), 'trigger', 'activate'));
    assert.equal(await hook('checkExists'), false);
    assert.equal(await hook('create'), true);
    assert.equal(await hook('checkExists'), true);
    // As after an answer that was lost: n8n knows of no subscription, the server does.
    Object.keys(workflow.getStaticData('node', node)).forEach((name) => delete workflow.getStaticData('node', node)[name]);
    assert.equal(await hook('checkExists'), false);
    assert.equal(await hook('create'), true);
    const { data: webhooks } = await api('GET', '/v1/workspace/webhooks');
    assert.deepEqual(webhooks.map(({ events }) => events), [['post.published']]);

    await run(create({ content: 'An event', when: 'now' }));
    const real = await first;
    const { secret } = workflow.getStaticData('node', node);
    const signedBefore = (seconds) => {
      const signature = signedAgo(seconds, secret, real.rawBody);
      return { ...real, headers: { ...real.headers, 'x-service-signature-v2': signature } };
    };
    const given = async ({ headers, rawBody }) => {
      let status = 200;
      const httpResponse = { status: (code) => { status = code; return httpResponse; }, json: () => httpResponse, end: () => httpResponse };
      const httpRequest = { headers, rawBody, body: JSON.parse(rawBody.toString()), params: {}, query: {} };
      const context = new core.WebhookContext(workflow, node, data({ httpRequest, httpResponse }), 'trigger', {}, [], null);
      const answer = await trigger.webhook.call(context);
      return { status, ...answer };
    };
    const taken = await given(real);
    assert.equal(taken.workflowData[0][0].json.event, 'post.published');
    assert.ok((await given(signedBefore(290))).workflowData);
    const other = Buffer.from(real.rawBody.toString().replace('mastodon', 'facebook'));
    for (const [name, delivery] of [
      ['another body', { ...real, rawBody: other }],
      ['no signature', { ...real, headers: { ...real.headers, 'x-service-signature-v2': undefined } }],
      ['an old signature', signedBefore(301)],
    ]) {
      const refused = await given(delivery);
      assert.deepEqual([refused.workflowData, refused.noWebhookResponse, refused.status], [undefined, true, 400], name);
    }
    assert.equal(await hook('delete'), true);
    assert.deepEqual((await api('GET', '/v1/workspace/webhooks')).data, []);
    assert.equal(await hook('checkExists'), false);
    assert.equal(await hook('delete'), true, 'what is gone is no error');
  } finally {
    receiver.close();
  }
});
