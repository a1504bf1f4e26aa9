// The composer: the server is asked while somebody types, drafts are kept by keys, files are sent.
import { nodes, say } from './frame.js';
import { ask, isLost, patient } from './live.js';

const form = document.getElementById('composer');
const words = document.getElementById('words').dataset;
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const fields = () => new URLSearchParams(new FormData(form));

// ---- checking -------------------------------------------------------------------------------

let timer = 0;
let asking = null;
// What is chosen in a panel changes what can be chosen there.
let redraws = false;

async function check() {
  asking?.abort();
  asking = new AbortController();
  const answered = document.getElementById('answer');
  answered.classList.add('stale');
  try {
    const { signal } = asking;
    const answer = await patient(answered, () => ask(form.dataset.check, {
      method: 'POST', body: fields(), signal, headers: { 'X-Fragment': redraws ? 'panels' : 'check' },
    }));
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    const body = nodes(text).body;
    const focused = document.activeElement?.id;
    for (const drawn of body.querySelectorAll('[data-drawn]')) {
      const former = document.getElementById(drawn.id);
      if (former) former.replaceWith(drawn); else drawn.remove();
    }
    if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
    redraws = false;
    answered.replaceChildren(...body.childNodes);
    answered.classList.remove('stale');
  } catch (error) {
    if (error.name === 'AbortError') return;
    document.getElementById('will').textContent = error instanceof TypeError ? words.stale : error.message;
  }
}

form.addEventListener('input', (event) => {
  clearTimeout(timer);
  redraws ||= event.target.closest('[data-drawn]') !== null;
  // What has changed since is not drawn over.
  if (redraws) asking?.abort();
  timer = setTimeout(check, 250);
});

// ---- keeping --------------------------------------------------------------------------------

// What is typed is on the server two seconds after the last key, as a draft; what is scheduled
// changes only by its button.
const saved = document.getElementById('saved');
let keeping = null;
let keeper = 0;

async function keep() {
  const body = fields();
  if (!document.getElementById('save') || !body.get('content').trim()) return;
  body.set('do', 'save');
  saved.textContent = words.saving;
  try {
    const answer = await ask(form.getAttribute('action'), {
      method: 'POST', body, headers: { 'X-Fragment': 'save' },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    const kept = JSON.parse(text);
    form.setAttribute('action', kept.action);
    let revision = form.elements.revision;
    if (!revision) {
      revision = document.createElement('input');
      revision.type = 'hidden';
      revision.name = 'revision';
      form.append(revision);
    }
    revision.value = kept.revision;
    history.replaceState(null, '', kept.action);
    saved.textContent = `${words.saved} ${kept.at}`;
  } catch (error) {
    saved.textContent = error instanceof TypeError ? words.unsaved : error.message;
  }
}

function keepIn(wait) {
  clearTimeout(keeper);
  keeper = setTimeout(() => { keeping = keep().finally(() => { keeping = null; }); }, wait);
}

let isWritten = false;
form.addEventListener('input', () => { isWritten = true; keepIn(2_000); });
document.addEventListener('live:back', () => { if (isWritten) { keepIn(0); check(); } });

// A press waits for what is being kept, so that it knows the newest revision; and it leaves the
// page for no server that does not answer.
form.addEventListener('submit', async (event) => {
  clearTimeout(keeper);
  if (!keeping && !isLost()) return;
  event.preventDefault();
  await keeping;
  if (isLost()) say(words.offline); else form.requestSubmit(event.submitter);
});

// The options of an account are drawn by the server.
for (const box of form.querySelectorAll('input[name=account]')) {
  box.addEventListener('change', () => document.getElementById('look').click());
}

document.addEventListener('keydown', (event) => {
  if (!event.ctrlKey && !event.metaKey) return;
  const button = { Enter: 'go', s: 'save' }[event.key];
  const found = button && document.getElementById(button);
  if (found) { event.preventDefault(); found.click(); }
});

// A part of a thread is moved by its buttons.
form.addEventListener('keydown', (event) => {
  const act = event.altKey && event.target.name === 'part' && { ArrowUp: 'up', ArrowDown: 'down' }[event.key];
  const button = act && event.target.closest('section').querySelector(`[value^="${act}."]`);
  if (button) { event.preventDefault(); button.click(); }
});

document.getElementById('problem')?.focus();

// ---- files ----------------------------------------------------------------------------------

const drop = document.getElementById('drop');
const choose = document.getElementById('choose');
const told = document.getElementById('uploads');
if (document.getElementById('go')) drop.hidden = false;

async function asked(address, body) {
  const answer = await ask(address, { method: 'POST', body, headers: { 'X-Fragment': 'media' } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text);
}

async function put(url, headers, bytes) {
  const answer = await fetch(url, { method: 'PUT', body: bytes, headers });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.headers.get('ETag') ?? '';
}

async function upload(file) {
  const kind = ['image', 'video'].find((kind) => file.type.startsWith(`${kind}/`)) ?? 'document';
  const declared = new URLSearchParams({ kind, type: file.type, size: file.size, name: file.name });
  const { media: { id }, upload: to } = await asked(form.dataset.media, declared);
  const done = new URLSearchParams();
  if (to.parts) {
    const parts = [];
    for (const [index, part] of to.parts.entries()) {
      told.textContent = `${fill(words.sending, { name: file.name })} ${index + 1}/${to.parts.length}`;
      const bytes = file.slice(index * to.partSize, (index + 1) * to.partSize);
      parts.push({ partNumber: part.partNumber, etag: await put(part.url, {}, bytes) });
    }
    done.set('parts', JSON.stringify(parts));
  } else {
    await put(to.uploadUrl, to.headers, file);
  }
  await asked(`${form.dataset.media}/${id}/complete`, done);
  const kept = document.createElement('input');
  kept.type = 'hidden';
  kept.name = 'media';
  kept.value = id;
  form.append(kept);
}

async function send(files) {
  let sent = 0;
  for (const file of files) {
    told.textContent = fill(words.sending, { name: file.name });
    try {
      await upload(file);
      sent += 1;
      told.textContent = fill(words.ready, { name: file.name });
    } catch (error) {
      told.textContent = fill(words.failed, { name: file.name, why: error.message });
    }
  }
  // The tiles are drawn by the server.
  if (sent === files.length && sent > 0) document.getElementById('look').click();
}

choose?.addEventListener('change', () => send([...choose.files]));
form.addEventListener('dragover', (event) => { if (event.dataTransfer.types.includes('Files')) event.preventDefault(); });
form.addEventListener('drop', (event) => {
  if (event.dataTransfer.files.length === 0) return;
  event.preventDefault();
  send([...event.dataTransfer.files]);
});
document.addEventListener('paste', (event) => {
  const files = [...event.clipboardData.files];
  if (files.length > 0) { event.preventDefault(); send(files); }
});
