// The inputs of the step, read and checked before anything is asked.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { Failure } from './api.mjs';

const KEY_CHARACTERS_MAX = 200;
const HEADER = /^[\x20-\x7e]*$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;
const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

const wrong = (input, message, next) => new Failure({ message, input, next });

// How the runner hands over the input of a name.
const variable = (name) => `INPUT_${name.replace(/ /g, '_').toUpperCase()}`;

export function readInputs(environment) {
  const input = (name) => (environment[variable(name)] ?? '').trim();
  const required = (name, next) => {
    const value = input(name);
    if (!value) throw wrong(name, 'it is missing or empty', next);
    return value;
  };
  const release = releaseOf(environment);
  const content = input('content') || releaseText(release);
  if (!content) {
    throw wrong('content', 'there is no text, and no release that has one', 'set content, or run the step on a release');
  }
  return {
    url: address(required('url', 'set it to the address of your scheduler')),
    key: forHeader('key', required('key', 'set it to a secret with an API key: key: ${{ secrets.SCHEDULER_KEY }}')),
    content,
    accounts: required('accounts', 'name a network or an account').split(/[,\n]/).map((name) => name.trim()).filter(Boolean),
    timing: timing(input('when') || 'now'),
    media: input('media').split('\n').map((line) => line.trim()).filter(Boolean).map(file),
    options: options(input('options')),
    linkUrl: input('link-url'),
    wait: boolean('wait', input('wait') || 'true'),
    timeoutSeconds: seconds(input('timeout-seconds') || '600'),
    idempotencyKey: forHeader('idempotency-key', input('idempotency-key') || defaultKey(environment, release)),
  };
}

// A value that goes into a header; what no header takes would look like a server that is not there.
function forHeader(name, value) {
  if (HEADER.test(value)) return value;
  throw wrong(name, 'it holds characters that no header takes', 'use letters, digits and signs of ASCII, in one line');
}

function releaseOf(environment) {
  if (!environment.GITHUB_EVENT_PATH) return undefined;
  try {
    return JSON.parse(readFileSync(environment.GITHUB_EVENT_PATH, 'utf8')).release;
  } catch {
    return undefined;
  }
}

const releaseText = (release) =>
  release && [release.name || release.tag_name, release.html_url].filter(Boolean).join('\n\n');

// The same for every attempt of a run, and another for each step.
export function defaultKey(environment, release) {
  const parts = ['GITHUB_REPOSITORY', 'GITHUB_RUN_ID', 'GITHUB_JOB', 'GITHUB_ACTION'];
  const key = ['github', ...parts.map((name) => environment[name] ?? ''), release?.id].filter(Boolean).join(':');
  if (key.length <= KEY_CHARACTERS_MAX) return key.padEnd(8, ':');
  return `github:${createHash('sha256').update(key).digest('hex')}`;
}

function address(text) {
  let url;
  try {
    url = new URL(text);
  } catch {
    url = undefined;
  }
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw wrong('url', 'it is not an address such as https://scheduler.example.com', 'set it to the address of your scheduler');
  }
  return url.href.replace(/\/+$/, '').replace(/\/v1$/, '');
}

function timing(when) {
  if (when === 'now') return { publishNow: true };
  if (when === 'queue') return { queue: true };
  if (when === 'draft') return { saveAsDraft: true };
  if (INSTANT.test(when)) return { scheduledAt: when };
  if (LOCAL.test(when)) return { scheduledLocal: when };
  throw wrong('when', `"${when}" says no time`, 'write now, queue, draft, an instant such as 2030-01-01T09:00:00Z, or a local time such as 2030-01-01T09:00');
}

function file(line) {
  const [place, ...rest] = line.split(' | ');
  return { place: place.trim(), altText: rest.join(' | ').trim() || undefined };
}

function options(text) {
  if (!text) return {};
  let read;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw wrong('options', `it is no JSON: ${error.message}`, 'write {"mastodon": {"visibility": "unlisted"}}');
  }
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject(read) && Object.values(read).every(isObject)) return read;
  throw wrong('options', 'it is not an object of objects', 'write {"mastodon": {"visibility": "unlisted"}}');
}

function boolean(name, text) {
  if (/^true$/i.test(text)) return true;
  if (/^false$/i.test(text)) return false;
  throw wrong(name, `"${text}" is neither true nor false`, 'write true or false');
}

function seconds(text) {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw wrong('timeout-seconds', `"${text}" is no number of seconds`, 'write a number above 0');
}
