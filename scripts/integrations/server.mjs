// The server that scripts/integrations.sh has started, for the tests of the integrations.

import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

const { SCHEDULER_TEST_URL, SCHEDULER_TEST_KEY, SCHEDULER_TEST_PICTURE } = process.env;

export const url = SCHEDULER_TEST_URL;
export const key = SCHEDULER_TEST_KEY;
export const picture = () => readFileSync(SCHEDULER_TEST_PICTURE);

// What the API answers to a call, which is no refusal.
export async function api(method, path, body) {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

// The signature of a body as the server makes it, with the time that it was `seconds` ago.
export function signedAgo(seconds, secret, body) {
  const at = Math.floor(Date.now() / 1000) - seconds;
  const signature = createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex');
  return `t=${at},v2=${signature}`;
}
