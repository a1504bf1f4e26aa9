// Names that a text can mention, offered while somebody writes @ and how one begins.
import { nodes } from './frame.js';
import { ask } from './live.js';

const form = document.getElementById('composer');
const isText = (field) => field?.matches?.('textarea[name=content], textarea[name=part], textarea[name$=".caption"]');
let list = null;
let timer = 0;
let asking = null;

function close() {
  clearTimeout(timer);
  asking?.abort();
  if (!list) return;
  list.field.removeAttribute('aria-activedescendant');
  list.field.removeAttribute('aria-controls');
  list.ul.remove();
  list = null;
}

/** The beginning of a name right before the cursor. */
function begun(field) {
  return /(?:^|\s)@([^\s@]{2,60})$/u.exec(field.value.slice(0, field.selectionStart))?.[1];
}

function choose(place) {
  const { options } = list;
  list.at = (place + options.length) % options.length;
  for (const [index, option] of options.entries()) option.setAttribute('aria-selected', String(index === list.at));
  list.field.setAttribute('aria-activedescendant', options[list.at].id);
}

function take() {
  const { field, options, at } = list;
  const name = begun(field);
  const end = field.selectionStart;
  close();
  field.focus();
  if (name === undefined) return;
  field.setSelectionRange(end - name.length - 1, end);
  document.execCommand('insertText', false, `${options[at].dataset.handle} `);
}

async function offer(field, name) {
  asking?.abort();
  asking = new AbortController();
  const query = new URLSearchParams({ q: name });
  for (const box of form.querySelectorAll('input[name=account]:checked')) query.append('account', box.value);
  try {
    const answer = await ask(`${form.dataset.mentions}?${query}`, { signal: asking.signal, headers: { 'X-Fragment': 'mentions' } });
    const ul = answer.ok && nodes(await answer.text()).getElementById('mentions');
    const options = ul ? [...ul.children] : [];
    close();
    if (options.length === 0 || document.activeElement !== field || begun(field) !== name) return;
    list = { field, ul, options, at: 0 };
    field.after(ul);
    field.setAttribute('aria-controls', ul.id);
    ul.addEventListener('pointerdown', (event) => {
      const option = event.target.closest('[role=option]');
      if (!option) return;
      event.preventDefault();
      list.at = options.indexOf(option);
      take();
    });
    choose(0);
  } catch {
    // No names are offered then; the text can be written without them.
  }
}

form.addEventListener('input', ({ target }) => {
  if (!isText(target)) return;
  const name = begun(target);
  if (name === undefined) { close(); return; }
  clearTimeout(timer);
  timer = setTimeout(() => offer(target, name), 250);
});

form.addEventListener('keydown', (event) => {
  if (!list || event.target !== list.field || event.altKey || event.ctrlKey || event.metaKey) return;
  const act = { ArrowDown: () => choose(list.at + 1), ArrowUp: () => choose(list.at - 1), Enter: take, Tab: take, Escape: close }[event.key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}, true);

form.addEventListener('focusout', ({ target }) => { if (target === list?.field) close(); });
