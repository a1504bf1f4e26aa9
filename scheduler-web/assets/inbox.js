// The keys of the inbox: from one comment to the next, and what can be done with the one that has
// the focus. Each key presses a button or follows a link that is there.
import { typing } from './frame.js';

const page = document.getElementById('live');
const rows = () => [...page.querySelectorAll('[data-row]')];

function act(button) {
  if (!button.matches('summary')) { button.click(); return; }
  button.parentElement.open = true;
  button.parentElement.querySelector('textarea')?.focus();
}

document.addEventListener('keydown', (event) => {
  const { target } = event;
  if (event.key === 'Enter' && event.ctrlKey && target.matches('textarea')) {
    event.preventDefault();
    target.form.requestSubmit(target.form.querySelector('button'));
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || typing(target)) return;
  const all = rows();
  const here = all.findIndex((row) => row.contains(document.activeElement));
  const key = event.key.toLowerCase();
  if (key === 'j' || key === 'k') {
    const next = all[key === 'j' ? here + 1 : here - 1] ?? (here < 0 ? all[0] : null);
    next?.focus();
  } else {
    const button = all[here]?.querySelector(`[data-act="${CSS.escape(key)}"]`);
    if (!button) return;
    act(button);
  }
  event.preventDefault();
});

// Back at the comment with which something was done.
rows().find((row) => `#${row.id}` === location.hash)?.focus();
