// Judges requests to Bluesky, Discord, Telegram and Mastodon by what their descriptions say.
//
//   judge.mjs REQUESTS NETWORK FOLDER
//
// Bluesky: its lexicons, by its own validator. Discord: the types that are generated from its
// OpenAPI document (discord-api-spec). Telegram: the types that are generated from the page of its
// Bot API (@gramio/types). Mastodon: the types of its client masto, for it publishes no description
// of its own. Types are held against each request as literals, which the compiler of TypeScript
// lets have no member that is not described; FOLDER is where that file is written. Prints each
// violation once, then `NETWORK judged violations`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [file, network, folder] = process.argv.slice(2);
const requests = JSON.parse(readFileSync(file, 'utf8')).filter((one) => one.network === network);
const wrong = new Set();
let judged = 0;

const shown = (request) => request.path.replace(/[0-9]{6,}|[0-9a-f]{24,}/g, '{}').replace(/^\/bot[^/]*/, '');
const say = (request, what) => wrong.add(`${request.method} ${shown(request)}: ${what}`);
const pattern = (path) => new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]*\}/g, '[^/]+')}$`);

// A value of a query or a form, as JSON would have it.
function plain(text) {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^[[{]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}

async function bluesky() {
  const { lexicons } = await import('@atproto/api');
  for (const request of requests) {
    // OAuth, which lexicons do not describe; scripts/real-servers.sh holds it to a real server.
    if (/^\/(oauth|\.well-known)\//.test(request.path)) continue;
    const id = request.path.replace('/xrpc/', '');
    judged += 1;
    let definition;
    try {
      definition = lexicons.getDefOrThrow(id, ['query', 'procedure']);
    } catch {
      say(request, 'is not described');
      continue;
    }
    if ((definition.type === 'query') !== (request.method === 'GET')) say(request, 'has another method');
    const known = definition.parameters?.properties ?? {};
    const params = {};
    for (const [name, text] of request.query) {
      if (!known[name]) say(request, `parameter ${name} is not described`);
      else if (known[name].type === 'array') (params[name] ??= []).push(text);
      else params[name] = known[name].type === 'string' ? text : plain(text);
    }
    try {
      lexicons.assertValidXrpcParams(id, params);
    } catch (error) {
      say(request, error.message);
    }
    if (!request.json) continue;
    try {
      lexicons.assertValidXrpcInput(id, request.json);
      for (const name of Object.keys(request.json)) {
        if (!definition.input?.schema?.properties?.[name]) say(request, `member ${name} is not described`);
      }
      const { record, collection } = request.json;
      if (record) {
        const { jsonToLex } = await import('@atproto/api');
        lexicons.assertValidRecord(collection, jsonToLex(record));
        const properties = lexicons.getDefOrThrow(collection).record.properties;
        for (const name of Object.keys(record)) {
          if (name !== '$type' && !properties[name]) say(request, `member ${name} of the record is not described`);
        }
      }
    } catch (error) {
      say(request, error.message);
    }
  }
}

// Holds values against types: `checks` are a request, what it is of the request, its type, a value.
async function typed(head, checks) {
  const { default: ts } = await import('typescript');
  const lines = head.split('\n');
  const places = [];
  for (const [request, what, type, value] of checks) {
    places[lines.length] = [request, what];
    // The name of a file stands for the file.
    const literal = JSON.stringify(value).replaceAll('"\u0000file"', 'FILE');
    lines.push(`export const c${lines.length}: ${type} = ${literal};`);
  }
  const path = join(folder, `requests-${network}.ts`);
  writeFileSync(path, lines.join('\n'));
  const program = ts.createProgram([path], {
    strict: true, noEmit: true, skipLibCheck: true, target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], types: [],
  });
  const source = program.getSourceFile(path);
  const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  for (const diagnostic of found) {
    const { line } = source.getLineAndCharacterOfPosition(diagnostic.start);
    let text = diagnostic.messageText;
    while (typeof text !== 'string') text = text.next?.[0] ?? text.messageText;
    if (!places[line]) throw new Error(`line ${line + 1}: ${text}`);
    say(places[line][0], `${places[line][1]}: ${text.slice(0, 200)}`);
  }
}

async function discord() {
  const { pathsList } = await import('discord-api-spec');
  const head = "import type { Paths } from 'discord-api-spec';\n// A member of an enum is written as what it says.\ntype L<T> = T extends string ? `${T}` : T extends number | boolean | null | undefined ? T : T extends (infer U)[] ? L<U>[] : { [K in keyof T]: L<T[K]> };\ntype B<T> = T extends { requestBody?: infer R } ? L<NonNullable<R>> : never;\ntype Q<T> = T extends { parameters: { query?: infer R } } ? L<NonNullable<R>> : never;";
  const checks = [];
  for (const request of requests) {
    if (request.path === '/api/oauth2/token') continue; // OAuth, which the document does not describe
    judged += 1;
    const path = request.path.replace(/^\/api\/v10/, '');
    const verb = request.method.toLowerCase();
    // A path without places goes before one with them.
    const fits = pathsList[verb].filter((one) => pattern(one).test(path));
    const found = fits.sort((a, b) => a.split('{').length - b.split('{').length)[0];
    if (!found) {
      say(request, 'is not described');
      continue;
    }
    const type = `Paths[${JSON.stringify(found)}][${JSON.stringify(verb)}]`;
    if (request.query.length) {
      // Numbers of messages and times are numbers of 64 bits, and text.
      const query = Object.fromEntries(request.query.map(([name, text]) => [name, plain(text)]));
      checks.push([request, 'query', `Q<${type}>`, query]);
    }
    const payload = request.parts?.find((part) => part.name === 'payload_json')?.text;
    const body = request.json ?? (payload && JSON.parse(payload));
    if (body) checks.push([request, 'body', `B<${type}>`, body]);
    for (const part of request.parts ?? []) {
      if (part.name !== 'payload_json' && !/^files\[\d\]$/.test(part.name)) say(request, `part ${part.name} is not described`);
    }
  }
  await typed(head, checks);
}

async function telegram() {
  const head = "import type { APIMethods } from '@gramio/types/methods';\ntype P<M extends keyof APIMethods> = NonNullable<Parameters<APIMethods[M]>[0]>;\ndeclare const FILE: any;";
  const checks = [];
  for (const request of requests) {
    judged += 1;
    const method = request.path.split('/')[2];
    const texts = new Set(['text', 'caption', 'chat_id', 'question']);
    const value = request.json ?? {};
    const attached = new Set(JSON.stringify(request.parts ?? []).match(/attach:\/\/\w+/g)?.map((name) => name.slice(9)));
    for (const part of request.parts ?? []) {
      if (part.file && attached.has(part.name)) continue;
      value[part.name] = part.file ? '\u0000file' : texts.has(part.name) ? part.text : plain(part.text);
    }
    for (const [name, text] of request.query) value[name] = plain(text);
    if (!Object.keys(value).length) {
      checks.push([request, 'method', 'keyof APIMethods', method]);
      continue;
    }
    checks.push([request, 'parameters', `P<${JSON.stringify(method)}>`, value]);
  }
  await typed(head, checks);
}

async function mastodon() {
  const head = "import type { mastodon } from 'masto';\ntype V1 = mastodon.rest.v1.CreateStatusParams;";
  const v1 = (name) => `mastodon.rest.v1.${name}`;
  const described = [
    ['POST', '/api/v1/statuses', v1('CreateScheduledStatusParams')],
    ['GET', '/api/v1/statuses', v1('FetchStatusesParams')],
    ['PUT', '/api/v1/statuses/{id}', v1('UpdateStatusParams')],
    ['GET', '/api/v1/statuses/{id}'], ['DELETE', '/api/v1/statuses/{id}', '{ deleteMedia?: boolean }'],
    ['GET', '/api/v1/statuses/{id}/context'], ['GET', '/api/v1/statuses/{id}/source'],
    ['POST', '/api/v1/statuses/{id}/favourite'], ['POST', '/api/v1/statuses/{id}/unfavourite'],
    ['POST', '/api/v2/media', 'mastodon.rest.v2.CreateMediaAttachmentParams'],
    ['GET', '/api/v1/media/{id}'],
    ['GET', '/api/v1/accounts/{id}/statuses', v1('ListAccountStatusesParams')],
    ['GET', '/api/v1/accounts/search', v1('SearchAccountsParams')],
    ['GET', '/api/v1/accounts/verify_credentials'], ['GET', '/api/v1/apps/verify_credentials'],
    ['GET', '/api/v2/instance'], ['POST', '/api/v1/apps', v1('CreateAppParams')],
    ['GET', '/api/v2/search', 'mastodon.rest.v2.SearchParams'],
  ];
  const camel = (value) => Array.isArray(value) ? value.map(camel) : value && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()), camel(inner)])) : value;
  const checks = [];
  for (const request of requests) {
    if (request.path.startsWith('/oauth/')) continue; // OAuth, which the client does not have
    judged += 1;
    const found = described.find(([verb, path]) => verb === request.method && pattern(path).test(request.path));
    if (!found) {
      say(request, 'is not described');
      continue;
    }
    const value = { ...(request.json ?? {}) };
    for (const [name, text] of request.query) {
      if (name.endsWith('[]')) (value[name.slice(0, -2)] ??= []).push(text);
      else value[name] = /_id$|^q$/.test(name) ? text : plain(text);
    }
    for (const part of request.parts ?? []) value[part.name] = part.file ? '\u0000file' : part.text;
    if (!found[2]) {
      for (const name of Object.keys(value)) say(request, `${name} is not described`);
    } else {
      checks.push([request, 'parameters', found[2], camel(value)]);
    }
  }
  await typed(`${head}\ndeclare const FILE: any;`, checks);
}

await { bluesky, discord, telegram, mastodon }[network]();
for (const what of [...wrong].sort()) console.log(`  ${network} ${what}`);
console.log(`${network} ${judged} ${wrong.size}`);
