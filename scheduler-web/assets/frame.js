// What every page has: one-letter keys, the map of keys, the message at the foot.

const base = document.body.dataset.base;
const after = { c: 'calendar', a: 'approvals', i: 'inbox', m: 'media', f: 'figures', n: 'accounts', v: 'activity/now', s: 'settings' };
let going = false;

export function typing(target) {
  return target.closest('input, textarea, select, [contenteditable], dialog') !== null;
}

// What gets the focus by keys is seen whole, also in a row that scrolls sideways.
document.addEventListener('focusin', ({ target }) => {
  if (target.matches(':focus-visible')) target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
});

document.addEventListener('keydown', (event) => {
  if (!base || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  const key = event.key.toLowerCase();
  if (going) {
    going = false;
    if (after[key]) location.href = `${base}/${after[key]}`;
    return;
  }
  if (event.target.closest('[role=gridcell] .card')) return;
  const link = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (key === 'g') {
    going = true;
    setTimeout(() => { going = false; }, 1200);
  } else if (key === 'c') {
    location.href = `${base}/compose`;
  } else if (key === '/') {
    const search = document.querySelector('input[type=search]');
    if (search) { event.preventDefault(); search.focus(); }
  } else if (event.key === '?') {
    document.getElementById('keys')?.showModal();
  } else if (link && 'focus' in link.dataset) {
    event.preventDefault();
    link.focus();
  } else if (link) {
    link.click();
  }
});

let timer = 0;
let undo = null;

/** Says something to everybody: in the toast, and to screen readers. */
export function say(text, back) {
  const toast = document.getElementById('toast');
  const button = document.getElementById('undo');
  document.getElementById('toast-text').textContent = text;
  document.getElementById('said').textContent = text;
  // What was done before can still be taken back by its key.
  undo = back ?? undo;
  button.hidden = !back;
  toast.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(function hide() {
    if (toast.matches(':hover, :focus-within')) timer = setTimeout(hide, 1_000);
    else toast.hidden = true;
  }, 10_000);
}

/** Takes back the last thing that can be taken back. */
export function takeBack() {
  if (!undo) return;
  const back = undo;
  undo = null;
  back();
}

document.getElementById('undo')?.addEventListener('click', takeBack);
document.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 'z' && !typing(event.target) && undo) {
    event.preventDefault();
    takeBack();
  }
});

// Copies the field that stands before a button.
const copies = () => { for (const button of document.querySelectorAll('[data-copy]')) button.hidden = false; };
copies();
document.addEventListener('live:shown', copies);
document.addEventListener('click', async ({ target }) => {
  const button = target.closest('[data-copy]');
  if (!button) return;
  const field = button.parentElement.previousElementSibling.querySelector('input, textarea');
  field.select();
  // Only pages over https, or of this machine, may.
  if (!navigator.clipboard) return;
  await navigator.clipboard.writeText(field.value);
  say(button.dataset.copy);
});
// The seconds until a post leaves run down; then its page shows what becomes of it.
const leaving = () => document.getElementById('leaving');
const running = leaving() && setInterval(() => {
  const form = leaving();
  if (!form) {
    clearInterval(running);
    return;
  }
  const left = form.querySelector('[data-seconds]');
  const seconds = Number(left?.textContent) - 1;
  if (seconds > 0) {
    left.textContent = seconds;
  } else {
    clearInterval(running);
    form.querySelector('button').blur();
    form.textContent = form.dataset.word;
  }
}, 1_000);

// The code of a link to sign in stands behind # and never reaches the server by itself.
const once = document.getElementById('link');
if (once && location.hash.length > 1) {
  once.value = location.hash.slice(1);
  history.replaceState(null, '', location.pathname + location.search);
}

/** What the server answers as HTML, as nodes; every page may run no script of an answer. */
export function nodes(html) {
  const policy = window.trustedTypes?.createPolicy
    ? (nodes.policy ??= window.trustedTypes.createPolicy('scheduler', { createHTML: (text) => text }))
    : { createHTML: (text) => text };
  return new DOMParser().parseFromString(policy.createHTML(html), 'text/html');
}
