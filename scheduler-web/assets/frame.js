// What every page has: one-letter keys, the map of keys, the message at the foot.

const base = document.body.dataset.base;
const after = { c: 'calendar', a: 'approvals', i: 'inbox', m: 'media', f: 'figures', n: 'accounts', v: 'activity/now', s: 'settings' };
let going = false;

export function typing(target) {
  return target.closest('input, textarea, select, [contenteditable], dialog') !== null;
}

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
  } else if (link) {
    location.href = link.href;
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
  undo = back ?? null;
  button.hidden = undo === null;
  toast.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => { toast.hidden = true; }, 10_000);
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
