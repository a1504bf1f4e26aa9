// Calls to the API of a scheduler: sent again where that makes nothing twice, and refused with what
// can be done about it.

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
const CALL_TIMEOUT_MS = 60_000;

// Which input says what a field of the API is about.
const INPUT_OF_FIELD = {
  content: 'content',
  targets: 'accounts',
  mediaIds: 'media',
  altTexts: 'media',
  scheduledAt: 'when',
  scheduledLocal: 'when',
  queue: 'when',
  linkUrl: 'link-url',
  'Idempotency-Key': 'idempotency-key',
};

// What can be done about a refusal, by its code.
const NEXT = {
  unauthorized: 'set the input key to an API key of this scheduler ("scheduler keys create --preset publish")',
  forbidden: 'give the input key an API key with that scope ("scheduler keys create --preset publish")',
  not_found: 'see "scheduler accounts list" and "scheduler media list" for what there is',
  account_not_connected: 'connect the account again ("scheduler accounts connect")',
  media_unusable: 'give another file, or upload it again under another idempotency-key',
  validation_failed: 'change the text, the files or the accounts; "scheduler check" tries it without posting',
  rate_limited: 'run it again later',
  internal: 'run it again; the log of the server says more under the id of the request',
  unavailable: 'run it again; "scheduler doctor" finds what the server lacks',
  storage_full: 'make room where the server keeps its database and files',
};

// Why nothing was posted, for a person.
export class Failure extends Error {
  constructor({ message, input, next, details = [] }) {
    super(message);
    Object.assign(this, { input, next, details });
  }

  sentences() {
    return [
      this.input ? `${this.input}: ${this.message}` : this.message,
      ...this.details,
      this.next && `Next: ${this.next}.`,
    ].filter(Boolean).join('\n');
  }
}

// What a refusal of the API tells a person.
function refusal(status, error, requestId) {
  const field = error.field?.split(/[.[]/)[0];
  const found = (error.issues ?? []).filter(({ severity }) => severity === 'error');
  const plan = error.upgradeTo && `use the plan ${error.upgradeTo}, which allows it`;
  return new Failure({
    message: error.message,
    input: INPUT_OF_FIELD[field],
    next: plan ?? NEXT[error.code] ?? 'change the inputs of the step',
    details: [
      error.field && `Field: ${error.field}`,
      ...found.map(({ platform, message }) => (platform ? `${platform}: ${message}` : message)),
      status >= 500 && requestId && `Request: ${requestId}`,
    ].filter(Boolean),
  });
}

export class Api {
  constructor(url, key, timeoutSeconds) {
    this.url = url;
    this.key = key;
    this.until = Date.now() + timeoutSeconds * 1000;
    this.pauseMs = FIRST_PAUSE_MS;
  }

  // Waits a little, or as long as the server asks; false, without waiting, once that would take too
  // long.
  async pause(askedMs = 0) {
    const ms = Math.max(this.pauseMs, askedMs);
    if (Date.now() + ms > this.until) return false;
    this.pauseMs = Math.min(this.pauseMs * 1.5, LONGEST_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, ms));
    return true;
  }

  // The answer to a call. A POST with an idempotency key, and a GET, are sent again while no answer
  // comes; others only where the server has said that it did nothing.
  async call(method, path, { body, key, repeatable = method === 'GET' || Boolean(key) } = {}) {
    this.pauseMs = method === 'GET' ? this.pauseMs : FIRST_PAUSE_MS;
    for (;;) {
      const answer = await this.#once(method, path, body, key);
      if (answer.status >= 200 && answer.status < 300) return answer;
      const error = answer.body?.error;
      const code = error?.code;
      const isRefused = answer.status === 429 || (code === 'in_flight' && key);
      const isLost = answer.status === 0 || answer.status >= 500;
      const goesAgain = isRefused || (isLost && repeatable && code !== 'storage_full');
      const askedMs = 1000 * (Number(answer.headers?.get('retry-after')) || 0);
      if (goesAgain && (await this.pause(askedMs))) continue;
      if (typeof error?.message === 'string') {
        throw refusal(answer.status, error, answer.headers.get('x-request-id'));
      }
      throw new Failure({
        message: answer.status === 0
          ? `No answer from ${this.url}: ${answer.cause}.`
          : `${this.url} has answered ${answer.status}, but not as a scheduler does.`,
        input: 'url',
        next: 'see whether the address is right and the runner can reach it; the run may be repeated, and posts nothing twice',
      });
    }
  }

  async #once(method, path, body, key) {
    const headers = { authorization: `Bearer ${this.key}`, 'user-agent': 'scheduler-action' };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (key) headers['idempotency-key'] = key;
    try {
      const answer = await fetch(this.url + path, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: parsed(text) };
    } catch (error) {
      return { status: 0, cause: error.cause?.code ?? error.name };
    }
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
