// The composer: the server is asked while somebody types, drafts are kept by keys, files are sent.
import { submit } from './files.js';
import { nodes, say } from './frame.js';
import { ask, isLost, patient } from './live.js';

const form = document.getElementById('composer');
const words = document.getElementById('words').dataset;
const fields = () => new URLSearchParams(new FormData(form));

// ---- checking -------------------------------------------------------------------------------

let timer = 0;
let asking = null;
// What is chosen in a panel changes what can be chosen there.
let redraws = false;

/** Marks a field with which something is wrong. */
function mark(slot) {
  const field = document.getElementById(slot.dataset.for);
  if (!field?.matches('input, textarea, select')) return;
  if (slot.querySelector('.issue:not(.w)')) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

async function check() {
  asking?.abort();
  asking = new AbortController();
  const answered = document.getElementById('answer');
  form.classList.add('unchecked');
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
    for (const slot of form.querySelectorAll('.slot')) {
      const told = body.querySelector(`#${CSS.escape(slot.id)}`);
      slot.replaceChildren(...(told?.childNodes ?? []));
      told?.remove();
      mark(slot);
    }
    redraws = false;
    // A video that is playing stays on the page, so that it plays on.
    for (const film of body.querySelectorAll('[data-kept]')) {
      const former = answered.querySelector(`[data-kept="${CSS.escape(film.dataset.kept)}"]`);
      if (former) film.replaceWith(former);
    }
    answered.replaceChildren(...body.childNodes);
    answered.classList.remove('stale');
    form.classList.remove('unchecked');
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

// What is typed is on the server soon after the last key, as a draft; what is scheduled changes only
// by its button.
const saved = document.getElementById('saved');
const meanwhile = document.getElementById('meanwhile');
let keeping = null;
let keeper = 0;
let keptAt = 0;
let isWritten = 'unsaved' in form.dataset;

const isEmpty = (body) => !body.has('revision') && !body.has('media')
  && [...form.querySelectorAll('textarea')].every((field) => !field.value.trim());

async function keep() {
  const body = fields();
  // While somebody is asked which text is to stay, neither takes the place of the other.
  if (!document.getElementById('save') || meanwhile.childElementCount > 0 || isEmpty(body)) return;
  body.set('do', 'save');
  saved.textContent = words.saving;
  isWritten = false;
  try {
    const answer = await ask(form.getAttribute('action'), {
      method: 'POST', body, headers: { 'X-Fragment': 'save' },
    });
    const text = await answer.text();
    if (answer.status === 412) {
      saved.textContent = '';
      meanwhile.replaceChildren(...nodes(text).body.childNodes);
      return;
    }
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
    const versions = document.getElementById('versions');
    versions.href = `${kept.action}/versions`;
    versions.hidden = false;
    saved.textContent = `${words.saved} ${kept.at}`;
  } catch (error) {
    isWritten = true;
    saved.textContent = error instanceof TypeError ? words.unsaved : error.message;
  } finally {
    keptAt = performance.now();
  }
}

function keepIn(wait) {
  clearTimeout(keeper);
  keeper = setTimeout(async () => {
    await keeping;
    keeping = keep().finally(() => { keeping = null; });
  }, wait);
}

// 0.8 seconds after the last key, and not more often than every two seconds.
const keepSoon = () => keepIn(Math.max(800, keptAt + 2_000 - performance.now()));
form.addEventListener('input', () => { isWritten = true; keepSoon(); });
form.addEventListener('focusout', () => { if (isWritten) keepSoon(); });
document.addEventListener('visibilitychange', () => { if (isWritten && document.hidden) keepIn(0); });
document.addEventListener('live:back', () => { if (isWritten) { keepIn(0); check(); } });
if (isWritten) keepSoon();

// Whoever changes the day or the time means them.
for (const name of ['day', 'time']) {
  form.elements[name].addEventListener('input', () => {
    const { when, clock } = form.elements;
    if (!['local', 'instant'].includes(when.value)) when.value = clock.value;
  });
}

// A press waits for what is being kept, so that it knows the newest revision; and it leaves the
// page for no server that does not answer.
form.addEventListener('submit', async (event) => {
  clearTimeout(keeper);
  if (!keeping && !isLost()) return;
  event.preventDefault();
  await keeping;
  if (isLost()) say(words.offline); else submit(event.submitter);
});

// The options of an account are drawn by the server.
const look = () => document.getElementById('look').click();
const boxes = [...form.querySelectorAll('input[name=account]')];
for (const box of boxes) {
  box.addEventListener('change', () => {
    const at = document.createElement('input');
    [at.type, at.name, at.value] = ['hidden', 'at', box.value];
    form.append(at);
    look();
  });
}

const finder = document.getElementById('finder');
if (finder) {
  const picks = boxes.map((box) => [box, box.closest('.pick')]);
  const find = document.getElementById('find-account');
  const pick = (isPicked) => {
    for (const [box, chip] of picks) if (!box.disabled && !chip.hidden) box.checked = isPicked;
    look();
  };
  finder.hidden = false;
  find.addEventListener('input', (event) => {
    event.stopPropagation();
    const sought = find.value.trim().toLowerCase();
    for (const [, chip] of picks) chip.hidden = !chip.textContent.toLowerCase().includes(sought);
  });
  find.addEventListener('keydown', (event) => { if (event.key === 'Enter') event.preventDefault(); });
  document.getElementById('pick-all').addEventListener('click', () => pick(true));
  document.getElementById('pick-none').addEventListener('click', () => pick(false));
}

// Names of sets are no part of the post.
const sets = document.getElementById('sets');
sets?.addEventListener('input', (event) => event.stopPropagation());
sets?.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !event.target.matches('input')) return;
  event.preventDefault();
  event.target.parentElement.querySelector('button').click();
});

// An own text is written and given up in place, so that the browser can take both back.
form.addEventListener('click', (event) => {
  const jump = event.target.closest('a.jump');
  if (jump) {
    const field = document.getElementById(jump.hash.slice(1));
    for (let fold = field?.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
  }
  const button = event.target.closest('.write-own, .back-to-all');
  if (!button) return;
  event.preventDefault();
  const own = button.closest('.own').querySelector('textarea');
  own.focus();
  own.select();
  if (button.matches('.back-to-all')) document.execCommand('delete');
  else document.execCommand('insertText', false, form.elements.content.value);
});

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

document.querySelector('#problem, #elsewhere')?.focus();
