// The grid of month, week and day: one tab stop, arrows, and moving posts by drag and by keys.
// The server decides about each move; what it refuses goes back, with its reason.
import { say } from './frame.js';
import { ask } from './live.js';

const page = document.getElementById('live');
const words = document.getElementById('words').dataset;
const base = document.body.dataset.base;
const cells = () => [...page.querySelectorAll('#grid [role=gridcell]')];
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

// ---- focus ----------------------------------------------------------------------------------

// With a script the grid is one tab stop; without one, its links are in the order of tabs.
function prepare() {
  for (const inner of page.querySelectorAll('#grid :is(.card, .more, .ghost, .num, .add)')) inner.tabIndex = -1;
  const first = page.querySelector('#grid :is([aria-current=date], .today[role=gridcell])') ?? cells()[0];
  if (first) first.tabIndex = 0;
}

prepare();
document.addEventListener('live:shown', prepare);

function enter(cell) {
  for (const other of cells()) other.tabIndex = -1;
  cell.tabIndex = 0;
  cell.focus();
}

function beside(cell, down, along) {
  const row = cell.parentElement;
  const column = [...row.children].filter((each) => each.matches('[role=gridcell]')).indexOf(cell);
  let next = row;
  for (let step = Math.abs(down); step > 0;) {
    next = down > 0 ? next.nextElementSibling : next.previousElementSibling;
    if (!next) return null;
    if (next.querySelector('[role=gridcell]')) step -= 1;
  }
  const column_cells = [...next.children].filter((each) => each.matches('[role=gridcell]'));
  return column_cells[column + along] ?? null;
}

page.addEventListener('keydown', (event) => {
  const card = event.target.closest('.card');
  const cell = event.target.closest('[role=gridcell]');
  if (!cell) return;
  const way = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  const mirrored = document.dir === 'rtl' && way ? [way[0], -way[1]] : way;
  if (card) {
    const cards = [...cell.querySelectorAll('.card')];
    if (event.altKey && way) {
      const to = beside(cell, ...mirrored);
      if (to) { event.preventDefault(); move(card, to); }
    } else if (way) {
      event.preventDefault();
      cards[cards.indexOf(card) + (way[0] || way[1])]?.focus();
    } else if (event.key === 'Escape') {
      enter(cell);
    } else if (event.key.toLowerCase() === 'm' && !event.ctrlKey) {
      event.preventDefault();
      if (card.classList.contains('movable')) location.href = `${card.href}/move`;
      else say(words.live);
    }
    return;
  }
  const row = cell.parentElement.querySelectorAll('[role=gridcell]');
  const goal = mirrored ? beside(cell, ...mirrored)
    : event.key === 'Home' ? (event.ctrlKey ? cells()[0] : row[0])
      : event.key === 'End' ? (event.ctrlKey ? cells().at(-1) : row[row.length - 1]) : null;
  if (goal) {
    event.preventDefault();
    enter(goal);
  } else if (event.key === 'Enter') {
    (cell.querySelector('.card') ?? cell.querySelector('.ghost'))?.focus();
  } else if (event.key === ' ') {
    event.preventDefault();
    for (const other of cells()) other.setAttribute('aria-selected', String(other === cell));
  }
});

// ---- moving ---------------------------------------------------------------------------------

function refusal(card, cell) {
  if (!card.classList.contains('movable')) return words.live;
  if (cell.classList.contains('past')) return fill(words.past, { day: cell.dataset.name });
  return null;
}

function put(card, cell, at) {
  let list = cell.querySelector('.cards');
  if (!list) {
    list = document.createElement('ul');
    list.className = 'cards';
    const head = cell.querySelector('.dayhead');
    if (head) head.after(list); else cell.prepend(list);
  }
  const item = card.parentElement;
  card.dataset.at = at;
  card.querySelector('time').textContent = at.slice(11);
  const later = [...list.children].find((each) => (each.firstElementChild?.dataset.at ?? '') > at);
  list.insertBefore(item, later ?? null);
}

async function send(card, action, fields) {
  const body = new URLSearchParams({ revision: card.dataset.revision, ...fields });
  const answer = await ask(`${base}/posts/${card.dataset.id}/${action}`, {
    method: 'POST', body, headers: { 'X-Fragment': action },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  [card.dataset.revision, card.dataset.changed] = text.split(' ');
}

/** Moves a card to another cell: the wall-clock time stays; in a week the hour follows the row. */
async function move(card, cell) {
  const why = refusal(card, cell);
  if (why) { say(why); return; }
  const from = card.closest('[role=gridcell]');
  const old = card.dataset.at;
  const time = cell.dataset.hour ? `${cell.dataset.hour}:${old.slice(14)}` : old.slice(11);
  const at = `${cell.dataset.date}T${time}`;
  if (at === old) return;
  put(card, cell, at);
  card.focus();
  card.setAttribute('aria-busy', 'true');
  try {
    await send(card, 'move', { day: cell.dataset.date, time });
    say(fill(words.moved, { day: cell.dataset.name, time }), async () => {
      try {
        await send(card, 'undo', {});
        put(card, from, old);
        card.focus();
        say(words.undone);
      } catch (error) {
        say(error.message);
      }
    });
  } catch (error) {
    put(card, from, old);
    card.focus();
    say(error instanceof TypeError ? words.failed : error.message);
  } finally {
    card.removeAttribute('aria-busy');
  }
}

// ---- by pointer -----------------------------------------------------------------------------

let held = null;

page.addEventListener('pointerdown', (event) => {
  const card = event.target.closest('.card');
  if (!card || event.button !== 0 || event.pointerType === 'touch') return;
  held = { card, x: event.clientX, y: event.clientY, isLifted: false, cell: null };
});

page.addEventListener('dragstart', (event) => { if (event.target.closest('#grid')) event.preventDefault(); });

document.addEventListener('pointermove', (event) => {
  if (!held) return;
  if (!held.isLifted) {
    if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < 5) return;
    held.isLifted = true;
    if (!held.card.classList.contains('movable')) { say(words.live); held = null; return; }
    held.card.classList.add('lifted');
  }
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const cell = under?.closest('[role=gridcell]') ?? null;
  if (cell === held.cell) return;
  held.cell?.classList.remove('drop', 'nodrop');
  held.cell = cell;
  cell?.classList.add(refusal(held.card, cell) ? 'nodrop' : 'drop');
});

function drop(done) {
  if (!held) return;
  const { card, cell, isLifted } = held;
  held = null;
  cell?.classList.remove('drop', 'nodrop');
  card.classList.remove('lifted');
  if (!isLifted) return;
  document.addEventListener('click', (event) => event.preventDefault(), { once: true, capture: true });
  if (done && cell) move(card, cell);
}

document.addEventListener('pointerup', () => drop(true));
document.addEventListener('pointercancel', () => drop(false));
document.addEventListener('keydown', (event) => { if (event.key === 'Escape') drop(false); });
