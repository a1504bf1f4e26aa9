// What changes elsewhere shows on an open page, which is told ids and asks again for what it shows.
// What a page does while the server does not answer, and when its session has ended.
import { nodes } from './frame.js';

const { base, since, minute } = document.body.dataset;
const part = document.getElementById('live');
const [band, line, late, again] =
  ['offline', 'changes', 'waiting', 'again'].map((id) => document.getElementById(id));
const unattended = (fragment) => ({ 'X-Fragment': fragment, 'X-Unattended': '1' });

// ---- asking ---------------------------------------------------------------------------------

/** Asks the server. Whoever has to sign in again does, and then it is asked once more. */
export async function ask(address, options = {}) {
  let answer;
  try {
    answer = await fetch(address, options);
  } catch (error) {
    if (error.name !== 'AbortError') lost();
    throw error;
  }
  found();
  if (answer.status !== 401) {
    if (again.open) enter();
    return answer;
  }
  await signedIn();
  return ask(address, { ...options, signal: undefined });
}

/** Dims an element whose new content takes long, and lets a person ask for it once more. */
export async function patient(element, run) {
  const retry = late.querySelector('button');
  for (let done = patient; done === patient;) {
    const dim = setTimeout(() => element.setAttribute('aria-busy', 'true'), 400);
    const tell = setTimeout(() => { late.hidden = false; }, 5_000);
    const pressed = new Promise((press) => { retry.onclick = () => press(patient); });
    try {
      done = await Promise.race([run(), pressed]);
      if (done !== patient) return done;
    } finally {
      clearTimeout(dim);
      clearTimeout(tell);
      element.removeAttribute('aria-busy');
      late.hidden = true;
    }
  }
  return null;
}

// ---- without a server -----------------------------------------------------------------------

let clock = minute;

/** True while the server does not answer. */
export const isLost = () => !band.hidden;

function lost(isTold = true) {
  if (!band.hidden) return;
  band.textContent = band.dataset.word.replace('{time}', clock);
  band.hidden = false;
  if (isTold) send('lost', {});
}

function found(isTold = true) {
  if (band.hidden) return;
  band.hidden = true;
  if (isTold) send('found', {});
  document.dispatchEvent(new Event('live:back'));
  if (pending.size > 0) soon();
}

// ---- without a session ----------------------------------------------------------------------

const why = again.querySelector('[role=alert]');
let entering = [];

let writing = null;
// Esc must not close the dialog: what asks the server goes on only once somebody has signed in.
again.addEventListener('cancel', (event) => event.preventDefault());

function signedIn() {
  if (!again.open) {
    const { activeElement: field } = document;
    writing = typeof field?.selectionStart === 'number' ? [field, field.selectionStart, field.selectionEnd] : null;
    again.showModal();
  }
  return new Promise((enter) => { entering.push(enter); });
}

function enter() {
  again.close();
  if (writing) {
    // A field that gets the focus back from a dialog takes no keys until it gets it anew.
    const [field, from, to] = writing;
    field.blur();
    field.focus();
    field.setSelectionRange(from, to);
    writing = null;
  }
  const all = entering;
  entering = [];
  for (const one of all) one();
}

again.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  why.textContent = '';
  try {
    const answer = await fetch(form.getAttribute('action'), {
      method: 'POST', body: new URLSearchParams(new FormData(form)), redirect: 'manual',
      headers: { 'X-Fragment': 'signin' },
    });
    // The server sends whoever is in to another page.
    if (answer.type !== 'opaqueredirect') { why.textContent = await answer.text(); return; }
    form.reset();
    enter();
    send('entered', {});
  } catch {
    lost();
    why.textContent = band.textContent;
  }
});

// ---- being told -----------------------------------------------------------------------------

// Of the tabs of a browser that can be seen one holds the connection, and tells the others.
const channel = 'BroadcastChannel' in window ? new BroadcastChannel(`scheduler${base}`) : null;
const recent = [];
let place = since;
// Set while this tab wants the connection, and while it has it.
let asking = null;
let leading = null;
let stream = null;
let failures = 0;
let polls = 0;
let timer = 0;
let opening = 0;

function send(kind, data, id) {
  channel?.postMessage({ kind, data, id });
}

/** Takes in what the server has told, and tells the other tabs. */
function tell(kind, data, id) {
  send(kind, data, id);
  recent.push({ kind, data, id });
  if (recent.length > 50) recent.shift();
  hear(kind, data, id);
}

function hear(kind, data, id) {
  if (id) place = id;
  if (kind === 'now') { clock = data.minute; found(); }
  else if (kind === 'bye') { if (!leading) signedIn(); }
  else if (kind === 'entered') enter();
  else if (kind === 'lost') { lost(false); if (leading) look(); }
  else if (kind === 'found') found(false);
  else if (kind === 'hello') {
    // What has been told since that page was made.
    if (leading) for (const one of recent) if (Number(one.id) >= Number(data.since)) send(one.kind, one.data, one.id);
    if (again.open) look();
  } else if (concerns(kind, data)) {
    pending.set(`${kind} ${data.id}`, [kind, data]);
    soon();
  }
}

channel?.addEventListener('message', ({ data: { kind, data, id } }) => hear(kind, data, id));

function quiet() {
  stream?.close();
  stream = null;
  clearTimeout(timer);
  clearTimeout(opening);
}

/** A stream is broken, or silent: the server is asked whether it is there. */
function fail() {
  failures += 1;
  quiet();
  look();
}

function listen() {
  quiet();
  stream = new EventSource(`${base}/events?since=${place}`);
  stream.onerror = fail;
  opening = setTimeout(fail, 5_000);
  let beats = 0;
  for (const kind of ['post', 'account', 'file', 'inbox', 'all', 'now', 'bye']) {
    stream.addEventListener(kind, (event) => {
      clearTimeout(opening);
      opening = setTimeout(fail, 22_000);
      if (kind === 'now' && (beats += 1) > 1) failures = 0;
      tell(kind, JSON.parse(event.data), event.lastEventId);
      if (kind === 'bye') { quiet(); look(); }
    });
  }
}

/** Asks at once what has changed: where there is no stream, and whether the server is there. */
async function look() {
  clearTimeout(timer);
  let wait = 15_000;
  try {
    const answer = await ask(`${base}/events?since=${place}`, {
      headers: unattended('events'), signal: AbortSignal.timeout(3_000),
    });
    if (answer.ok) {
      const { until, minute: now, events } = await answer.json();
      for (const { event, data } of events) tell(event, data, until);
      tell('now', { minute: now }, until);
      polls += 1;
      // A stream that broke twice is tried again after a while.
      if ('EventSource' in window && (failures < 2 || polls % 8 === 0)) wait = 0;
    }
  } catch {
    wait = 2_000;
  }
  clearTimeout(timer);
  if (!leading || stream) return;
  if (wait === 0) listen(); else timer = setTimeout(look, wait);
}

function begin() {
  if (document.hidden || asking) return;
  const holding = new AbortController();
  const { signal } = holding;
  const hold = () => new Promise((done) => {
    if (signal.aborted) { done(); return; }
    signal.addEventListener('abort', done);
    leading = holding;
    if ('EventSource' in window) listen(); else look();
  });
  asking = holding;
  if (!navigator.locks) hold();
  else navigator.locks.request(`scheduler${base}`, { signal }, hold).catch(() => {});
}

function leave() {
  asking?.abort();
  asking = null;
  leading = null;
  quiet();
}

document.addEventListener('visibilitychange', () => { if (document.hidden) leave(); else begin(); });
addEventListener('pagehide', leave);
addEventListener('pageshow', begin);

// ---- showing --------------------------------------------------------------------------------

const pending = new Map();
let shown = part.innerHTML;
let asked = -1_000;
let refreshing = 0;
let isForced = false;
let isWaiting = false;
let focused = null;

/** True when something that has changed may be on this page, and is newer than what it shows. */
function concerns(kind, data) {
  const { live, liveId } = part.dataset;
  if (live === undefined) return false;
  if (kind === 'all' || kind === 'time') return true;
  if (!live.split(' ').includes(kind)) return false;
  if (liveId) return data.id === liveId;
  if (kind !== 'post') return true;
  const here = [...part.querySelectorAll(`[data-id="${CSS.escape(data.id)}"]`)];
  if (here.length > 0) return here.some((each) => !(Number(each.dataset.changed) >= data.changed));
  // One that is gone, and is not on this page.
  return data.revision !== null || !part.querySelector('#grid');
}

const isWritten = (field) => (field.type === 'checkbox' || field.type === 'radio'
  ? field.checked !== field.defaultChecked
  : field.matches('select')
    ? [...field.options].some((option) => option.selected !== option.defaultSelected)
    : field.value !== field.defaultValue);

// A dialog gives the focus back to what it was opened from, which has to be there still.
const hasDialog = () => document.querySelector('dialog[open]') !== null;

/** True while somebody works with what is shown. */
function isHeld() {
  return part.contains(document.activeElement) || hasDialog()
    || part.querySelector('.lifted, [aria-busy=true]') !== null
    || [...part.querySelectorAll('input:not([type=hidden]), textarea, select')].some(isWritten);
}

function soon() {
  if (refreshing) return;
  refreshing = setTimeout(refresh, Math.max(250, asked + 500 - performance.now()));
}

async function refresh() {
  // What this page has done itself by now is no news.
  for (const [key, [kind, data]] of pending) if (!concerns(kind, data)) pending.delete(key);
  const isAll = isForced;
  isForced = false;
  asked = performance.now();
  const told = new Map(pending);
  try {
    if (told.size === 0 && !isAll) return;
    const text = await patient(part, async () => {
      const answer = await ask(location.href, { headers: unattended('page') });
      if (!answer.ok) throw new Error(`${answer.status}`);
      return answer.text();
    });
    const page = nodes(text);
    const [menu, next] = ['menu', 'live'].map((id) => page.getElementById(id));
    const old = document.getElementById('menu');
    if (!old.contains(document.activeElement) && !hasDialog()) old.replaceWith(menu);
    const isSame = next.innerHTML === shown;
    isWaiting = !isSame && !isAll && isHeld();
    if (!isWaiting) {
      for (const [key, change] of told) if (pending.get(key) === change) pending.delete(key);
      if (!isSame) show(next);
    }
  } catch {
    // What waits is asked for when the server is there again.
  } finally {
    refreshing = 0;
    say();
    if ([...pending].some(([key, change]) => told.get(key) !== change)) soon();
  }
}

/** Says how much waits. */
function say() {
  line.hidden = !isWaiting || pending.size === 0;
  const words = line.querySelector('span');
  const { one, many } = words.dataset;
  const text = pending.size === 1 ? one : many.replace('{n}', pending.size);
  if (words.textContent !== text) words.textContent = text;
}

function show(next) {
  const texts = (all) => [...all].map((summary) => summary.textContent);
  const open = texts(part.querySelectorAll('details[open] > summary'));
  const scrolled = [...part.querySelectorAll('[role=region]')].map((each) => [each.scrollLeft, each.scrollTop]);
  shown = next.innerHTML;
  part.dataset.liveIn = next.dataset.liveIn ?? '';
  part.replaceChildren(...next.childNodes);
  for (const summary of part.querySelectorAll('details > summary')) {
    if (open.includes(summary.textContent)) summary.parentElement.open = true;
  }
  part.querySelectorAll('[role=region]').forEach((each, index) => {
    [each.scrollLeft, each.scrollTop] = scrolled[index] ?? [0, 0];
  });
  document.dispatchEvent(new Event('live:shown'));
  const { activeElement } = document;
  if (focused && (activeElement === document.body || line.contains(activeElement))) part.querySelector(focused)?.focus();
  later();
}

// What had the focus, which gets it back once the button that shows the changes is pressed.
part.addEventListener('focusin', ({ target }) => {
  const { id, dataset } = target;
  focused = id ? `#${CSS.escape(id)}`
    : dataset.id ? `[data-id="${dataset.id}"]`
      : dataset.date ? `[data-date="${dataset.date}"]${dataset.hour ? `[data-hour="${dataset.hour}"]` : ''}` : null;
});

const released = () => { if (pending.size > 0) soon(); };
part.addEventListener('focusout', ({ relatedTarget }) => {
  if (!line.contains(relatedTarget)) focused = null;
  released();
});
document.addEventListener('pointerup', released);

/** Shows what the page shows now, whatever is under way on it. */
export async function renew() {
  clearTimeout(refreshing);
  line.hidden = true;
  isForced = true;
  await refresh();
}

line.querySelector('button').addEventListener('click', renew);

let due = 0;

/** What becomes late by itself is shown when it does. */
function later() {
  const wait = Number(part.dataset.liveIn || 0);
  clearTimeout(due);
  if (wait > 0) due = setTimeout(() => { pending.set('time', ['time', {}]); soon(); }, Math.min(wait, 86_400_000));
}

later();
begin();
send('hello', { since });
