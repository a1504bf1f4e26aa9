// The editor of weekly slots. What is done by keys and by pointer is sent as the forms of the page
// are, and the server answers with the week as it is then; nothing is stored before it is saved.
import { nodes, say } from './frame.js';
import { ask } from './live.js';

const page = document.getElementById('live');
const form = () => document.getElementById('slots');
const pills = (within) => [...within.querySelectorAll('.pill')];
const cells = () => [...page.querySelectorAll('#slotgrid [role=gridcell]')];
/** Where the focus can be: the slots of an hour, or the hour where it has none. */
const stops = (cell) => (pills(cell).length > 0 ? pills(cell) : [cell]);
const find = (key) => page.querySelector(`#slotgrid [data-slot="${CSS.escape(key)}"]`);

/** The slot that is picked up, and the week as it was then. */
let held = null;
let last = Promise.resolve();

// With a script the grid is one tab stop.
function prepare() {
  const all = cells().flatMap((cell) => [cell, ...pills(cell)]);
  for (const each of all) each.tabIndex = -1;
  const first = page.querySelector('#slotgrid .pill') ?? cells()[9 * 7];
  if (first) first.tabIndex = 0;
  if (held) find(held.key)?.classList.add('held');
}

function enter(stop) {
  for (const each of page.querySelectorAll('#slotgrid [tabindex="0"]')) each.tabIndex = -1;
  stop.tabIndex = 0;
  stop.focus();
}

// ---- changing -------------------------------------------------------------------------------

/** One change after the other: each begins with the week that the one before it has left. */
function send(fields) {
  last = last.then(() => change(fields)).catch(() => {});
  return last;
}

async function change(fields) {
  const before = form().elements.week.value;
  const body = new URLSearchParams(new FormData(form()));
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const address = form().getAttribute('action');
  const answer = await ask(address, { method: 'POST', body, headers: { 'X-Fragment': 'page' } });
  const next = nodes(await answer.text()).getElementById('slots');
  if (!next) return;
  const { slot, cell } = document.activeElement.dataset;
  const open = [...form().querySelectorAll('details')].map((each) => each.open);
  form().replaceWith(next);
  next.querySelectorAll('details').forEach((each, index) => { each.open = open[index]; });
  const { at, said } = next.dataset;
  if (held && fields.move && at) held.key = at;
  prepare();
  const hour = cell ?? (slot ?? '').split(':')[0];
  const around = next.querySelector(`[data-cell="${CSS.escape(hour)}"]`);
  const goal = find(at || slot || '') ?? (around && stops(around)[0]);
  if (goal && (slot || cell || at)) enter(goal);
  const from = held ? held.week : before;
  const isChanged = answer.ok && !fields.look && next.elements.week.value !== from;
  say(said, isChanged ? () => send({ week: from, look: '1' }) : null);
}

/** Puts back what is picked up. */
async function back() {
  const { from, week } = held;
  held = null;
  await send({ week, look: '1' });
  const stop = find(from);
  if (stop) enter(stop);
  say(form().dataset.back);
}

// ---- by keys --------------------------------------------------------------------------------

const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function beside(cell, [down, along]) {
  const all = cells();
  const index = all.indexOf(cell);
  const column = (index % 7) + along;
  return column < 0 || column > 6 ? null : all[index + down * 7 + along] ?? null;
}

function go(stop, cell, way) {
  const here = stops(cell);
  const along = here[here.indexOf(stop) + way[0]];
  if (way[0] !== 0 && along && along !== stop) { enter(along); return; }
  const next = beside(cell, way);
  if (next) enter(way[0] < 0 ? stops(next).at(-1) : stops(next)[0]);
}

page.addEventListener('keydown', (event) => {
  const cell = event.target.closest('#slotgrid [role=gridcell]');
  if (!cell) return;
  const slot = event.target.closest('.pill')?.dataset.slot;
  const way = WAYS[event.key];
  if (held && event.key === 'Escape') back();
  else if (held && way) {
    const step = way[0] === 0 ? { days: way[1] } : { minutes: way[0] * (event.shiftKey ? 5 : 15) };
    // Of several presses each moves what the one before it has left.
    last = last.then(() => (held ? change({ move: held.key, ...step }) : null)).catch(() => {});
  } else if (slot && event.key === ' ') {
    if (held) {
      held = null;
      find(slot)?.classList.remove('held');
    } else {
      held = { key: slot, from: slot, week: form().elements.week.value };
      event.target.classList.add('held');
      say(form().dataset.held);
    }
  } else if (slot && (event.key === 'Delete' || event.key === 'Backspace')) send({ remove: slot });
  else if (event.key === 'Enter') send({ put: cell.dataset.cell });
  else if (way) go(event.target.closest('.pill') ?? cell, cell, way);
  else return;
  event.preventDefault();
});
// A button is pressed when the key is let go.
page.addEventListener('keyup', (event) => {
  if (event.key === ' ' && event.target.closest('#slotgrid .pill')) event.preventDefault();
});

// ---- by pointer -----------------------------------------------------------------------------

let dragged = null;
let droppedAt = -1_000;

page.addEventListener('pointerdown', (event) => {
  const pill = event.target.closest('#slotgrid .pill');
  if (pill && event.button === 0) dragged = { pill, x: event.clientX, y: event.clientY, to: null, over: null };
});

/** The time at which a pointer is within an hour, in steps of five minutes. */
function place(cell, y) {
  const box = cell.getBoundingClientRect();
  const twelfth = Math.min(11, Math.max(0, Math.floor(((y - box.top) / box.height) * 12)));
  return `${cell.dataset.cell}:${String(twelfth * 5).padStart(2, '0')}`;
}

document.addEventListener('pointermove', (event) => {
  if (!dragged) return;
  const { pill, x, y } = dragged;
  if (dragged.to === null && Math.hypot(event.clientX - x, event.clientY - y) < 5) return;
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const cell = under?.closest('#slotgrid [role=gridcell]') ?? null;
  dragged.over?.classList.remove('drop');
  cell?.classList.add('drop');
  pill.classList.add('held');
  dragged.over = cell;
  dragged.to = cell ? place(cell, event.clientY) : '';
  pill.firstChild.data = (dragged.to || pill.dataset.slot).slice(-5);
});

function drop(isDone) {
  if (!dragged) return;
  const { pill, to, over } = dragged;
  dragged = null;
  over?.classList.remove('drop');
  if (to === null) return;
  pill.classList.remove('held');
  pill.firstChild.data = pill.dataset.slot.slice(-5);
  droppedAt = performance.now();
  if (isDone && to && to !== pill.dataset.slot) send({ move: pill.dataset.slot, to });
}

document.addEventListener('pointerup', () => drop(true));
document.addEventListener('pointercancel', () => drop(false));
document.addEventListener('keydown', (event) => { if (event.key === 'Escape') drop(false); });

page.addEventListener('click', (event) => {
  const cell = event.target.closest('#slotgrid [role=gridcell]');
  if (!cell) return;
  const pill = event.target.closest('.pill');
  event.preventDefault();
  // The click that ends a drag is none.
  if (performance.now() - droppedAt < 50) return;
  if (pill) enter(pill);
  else send({ put: cell.dataset.cell });
});

page.addEventListener('submit', (event) => {
  const { name, value } = event.submitter ?? {};
  if (event.target !== form() || !['remove', 'add', 'copy'].includes(name)) return;
  event.preventDefault();
  send({ [name]: value });
});

prepare();
