// The grid of month, week and day: one tab stop, arrows, and moving posts by drag and by keys; the
// boxes of the list. The server decides about each move; what it refuses goes back, with its reason.
import { nodes, say } from './frame.js';
import { ask, renew } from './live.js';

const page = document.getElementById('live');
const { base } = document.body.dataset;
const one = (id) => document.getElementById(id);
const words = () => one('words').dataset;
const zone = () => {
  const asked = new URLSearchParams(location.search).get('zone');
  return asked ? `?${new URLSearchParams({ zone: asked })}` : '';
};
const cells = () => [...page.querySelectorAll('#grid [role=gridcell]')];
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const INNER = '.card, .more, .ghost';

// ---- focus ----------------------------------------------------------------------------------

// With a script the grid is one tab stop; without one, its links are in the order of tabs.
function prepare() {
  for (const inner of page.querySelectorAll('#grid :is(.card, .more, .ghost, .num, .add)')) inner.tabIndex = -1;
  for (const cell of cells()) cell.tabIndex = -1;
  const first = page.querySelector('#grid :is([aria-current=date], .today[role=gridcell])') ?? cells()[0];
  if (first) first.tabIndex = 0;
  if (picked.size > 0) showPicked();
  tell();
}

document.addEventListener('live:shown', () => {
  prepare();
  outlined = null;
  if (held) held.seen = null;
});

function enter(cell) {
  if (!cell) return;
  for (const other of cells()) other.tabIndex = -1;
  cell.tabIndex = 0;
  cell.focus();
}

/** The cell so many rows down and so many days along: in a month the next week follows a Sunday. */
function beside(cell, down, along) {
  const all = cells();
  const row = [...cell.parentElement.querySelectorAll('[role=gridcell]')];
  const at = all.indexOf(cell) + down * row.length + along;
  const isHour = 'hour' in cell.dataset;
  if (isHour && along !== 0) return row[row.indexOf(cell) + along] ?? null;
  return all[at] ?? null;
}

page.addEventListener('keydown', (event) => {
  const cell = event.target.closest('[role=gridcell]');
  if (!cell) return;
  const inner = event.target.closest(INNER);
  const arrow = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  const way = arrow && document.dir === 'rtl' ? [arrow[0], -arrow[1]] : arrow;
  const done = inner ? inCell(event, cell, inner, way) : inGrid(event, cell, way);
  if (done) event.preventDefault();
});

function inGrid(event, cell, way) {
  const row = cell.parentElement.querySelectorAll('[role=gridcell]');
  const { key, ctrlKey, altKey } = event;
  if (altKey) return false;
  if (way) { enter(beside(cell, ...way)); return true; }
  if (key === 'Home') { enter(ctrlKey ? cells()[0] : row[0]); return true; }
  if (key === 'End') { enter(ctrlKey ? cells().at(-1) : row[row.length - 1]); return true; }
  if (key === 'PageUp' || key === 'PageDown') { turn(key === 'PageUp' ? 'p' : 'n', true); return true; }
  if (key === 'Enter' && event.target === cell) {
    (cell.querySelector(INNER) ?? cell.querySelector('.add'))?.focus();
    return true;
  }
  if (key === ' ' && event.target === cell) {
    for (const other of cells()) other.setAttribute('aria-selected', String(other === cell));
    return true;
  }
  if (key === 'Escape' && event.target !== cell) { enter(cell); return true; }
  return false;
}

function inCell(event, cell, inner, way) {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  const card = inner.matches('.card') ? inner : null;
  if (altKey && way) {
    if (card) nudge(card, cell, ...way);
    return card !== null;
  }
  if (way) {
    const all = [...cell.querySelectorAll(INNER)];
    all[all.indexOf(inner) + (way[0] || way[1])]?.focus();
    return true;
  }
  if (key === 'Escape') { enter(cell); return true; }
  if (!card || ctrlKey || metaKey) return false;
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) { offer(card); return true; }
  const act = { m: 'move', d: 'duplicate', x: 'choose', Delete: 'cancel' }[key.length === 1 ? key.toLowerCase() : key];
  if (act) acts[act](card);
  return act !== undefined;
}

// Of a post that goes out at several minutes, the other cards are outlined with one.
let outlined = null;

function outline({ target }) {
  const card = target.closest?.('.card[data-part]') ?? null;
  if (card === outlined) return;
  outlined = card;
  for (const other of page.querySelectorAll('.card[data-part]')) {
    other.classList.toggle('with', card !== null && other.dataset.id === card.dataset.id);
  }
}

page.addEventListener('pointerover', outline);
page.addEventListener('focusin', outline);

// ---- what is done with a card ---------------------------------------------------------------

const acts = {
  move: (card) => openMover(card),
  duplicate: (card) => {
    const form = one('duplicator');
    if (!form) return;
    form.action = `${card.href}/duplicate`;
    form.requestSubmit();
  },
  choose: (card) => {
    if (one('chosen')) choose(card);
  },
  cancel: (card) => {
    const dialog = one('canceler');
    if (!dialog) return;
    if (card.dataset.stuck) { say(card.dataset.stuck); return; }
    dialog.querySelector('form').action = `${card.href}/cancel`;
    dialog.showModal();
    dialog.onclose = () => again(card.dataset.id)?.focus();
  },
};

/** The card of a post, as the page shows it now. */
const again = (id) => page.querySelector(`.card[data-id="${CSS.escape(id)}"]`);

let offered = null;

function offer(card) {
  const menu = one('card-menu');
  if (!menu) return;
  offered = card;
  menu.querySelector('[data-do=open]').href = card.href;
  menu.showPopover();
  const { left, bottom } = card.getBoundingClientRect();
  menu.style.translate = `${Math.round(left)}px ${Math.round(bottom)}px`;
  menu.querySelector('a, button').focus();
}

page.addEventListener('click', (event) => {
  const close = event.target.closest('[data-close]');
  if (close) close.closest('dialog').close();
  const button = event.target.closest('#card-menu button');
  if (!button) return;
  one('card-menu').hidePopover();
  offered.focus();
  acts[button.dataset.do](offered);
});

page.addEventListener('contextmenu', (event) => {
  const card = event.target.closest('#grid .card');
  if (held?.isLifted || (card && held?.byTouch)) event.preventDefault();
});

// ---- several posts --------------------------------------------------------------------------

const boxes = () => [...page.querySelectorAll('input[name=post][form=chosen]')];

// The posts that are chosen on the grid: the form that has them is replaced with the page.
const picked = new Set();

function choose(card) {
  const { id } = card.dataset;
  if (!picked.delete(id)) picked.add(id);
  showPicked();
  tell();
}

/** Has the form and the cards show which posts are chosen on the grid. */
function showPicked() {
  const form = one('chosen');
  if (!form) return;
  for (const box of form.querySelectorAll('input[type=hidden][name=post]')) box.remove();
  for (const value of picked) form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'post', value }));
  for (const card of page.querySelectorAll('#grid .card')) card.classList.toggle('on', picked.has(card.dataset.id));
  form.elements.back.value = address();
  form.hidden = picked.size === 0;
}

let counted = '';

/** Says how many posts are chosen. */
function tell() {
  const said = one('chosen-said');
  if (!said) return;
  const count = boxes().filter((box) => box.checked).length + page.querySelectorAll('#chosen input[type=hidden][name=post]').length;
  const text = count === 0 ? words().none : count === 1 ? words().one : fill(words().many, { n: count });
  if (count > 0 || said.dataset.said) {
    said.dataset.said = '1';
    said.textContent = text;
    // What has been said is not said again when the page is replaced.
    if (text !== counted) one('said').textContent = text;
    counted = text;
  }
}

page.addEventListener('change', (event) => { if (event.target.matches('input[name=post]')) tell(); });

// ---- moving ---------------------------------------------------------------------------------

/** Whether a card can be moved; what cannot says why. */
function isMovable(card) {
  if (card.classList.contains('movable')) return true;
  if (card.dataset.stuck) say(card.dataset.stuck);
  return false;
}

/** Why a card cannot go to a cell. */
function refusal(card, cell) {
  const { name, gap } = cell.dataset;
  if (gap) return fill(words().gap, { day: name, gap });
  if (cell.classList.contains('past')) return fill(words().past, { day: name, time: timeIn(card, cell) });
  return null;
}

/** The wall-clock time that a card has in a cell: in a week the hour follows the row. */
function timeIn(card, cell) {
  const { at } = card.dataset;
  return cell.dataset.hour ? `${cell.dataset.hour}:${at.slice(14)}` : at.slice(11);
}

function cellOf(at, isAgain) {
  const [date, hour] = [at.slice(0, 10), at.slice(11, 13)];
  const of = cells().filter((cell) => cell.dataset.date === date && (cell.dataset.hour ?? hour) === hour);
  return of.find((cell) => ('again' in cell.dataset) === isAgain) ?? of.find((cell) => !('hour' in cell.dataset)) ?? null;
}

function put(card, cell, at, isAgain) {
  let list = cell.querySelector('.cards');
  if (!list) {
    list = document.createElement('ul');
    list.className = 'cards';
    const head = cell.querySelector('.dayhead');
    if (head) head.after(list); else cell.prepend(list);
  }
  const item = card.parentElement;
  card.dataset.at = at;
  if (isAgain) card.dataset.again = ''; else delete card.dataset.again;
  card.querySelector('time').textContent = at.slice(11);
  const later = [...list.children].find((each) => each !== item && (each.firstElementChild?.dataset.at ?? '') > at);
  list.insertBefore(item, later ?? null);
}

/** Shows a card where the server says that it is; on another page, it is gone from this one. */
async function land(card, { at, again: isAgain }) {
  const cell = cellOf(at, isAgain);
  if (cell && card.isConnected && !('part' in card.dataset)) {
    if (card.dataset.at !== at || card.closest('[role=gridcell]') !== cell) put(card, cell, at, isAgain);
    card.focus();
    return;
  }
  const { id } = card.dataset;
  await renew();
  again(id)?.focus();
}

async function send(card, action, fields) {
  const body = new URLSearchParams({ revision: card.dataset.revision, ...fields });
  const answer = await ask(`${base}/posts/${card.dataset.id}/${action}${zone()}`, {
    method: 'POST', body, headers: { 'X-Fragment': action },
  });
  if (!answer.ok) throw new Error(await answer.text());
  return known(card, await answer.json());
}

/** What a card is now, as the server tells it. */
function known(card, now) {
  for (const each of [card, again(card.dataset.id)]) {
    if (each) Object.assign(each.dataset, { revision: now.revision, changed: now.changed });
  }
  return now;
}

const from = (card) => ({ from: card.dataset.at, ...('again' in card.dataset && { 'from-again': '1' }) });

function told(card, now) {
  const { id } = card.dataset;
  say(now.said, async () => {
    try {
      // The revision that the move has made: what somebody else has changed since stays.
      const back = await send(again(id) ?? card, 'undo', { revision: now.revision });
      await land(again(id) ?? card, back);
      say(back.said);
    } catch (error) {
      refuse(again(id) ?? card, error instanceof TypeError ? words().failed : error.message);
    }
  });
}

/** Says why a card stays where it is, in the card too. */
function refuse(card, text) {
  let why = card.querySelector('.why.now-said');
  if (!why) {
    why = Object.assign(document.createElement('span'), { className: 'why now-said' });
    card.append(why);
  }
  why.textContent = text;
  say(text);
}

/** Sends a move, with the card in its new place meanwhile. */
async function attempt(card, fields, cell, at) {
  const [home, old, wasAgain] = [card.closest('[role=gridcell]'), card.dataset.at, 'again' in card.dataset];
  const place = from(card);
  if (cell) put(card, cell, at, 'again' in cell.dataset);
  card.querySelector('.now-said')?.remove();
  card.focus();
  card.setAttribute('aria-busy', 'true');
  try {
    const now = await send(card, 'move', { ...place, ...fields });
    card.removeAttribute('aria-busy');
    await land(card, now);
    told(card, now);
  } catch (error) {
    card.removeAttribute('aria-busy');
    if (home?.isConnected) { put(card, home, old, wasAgain); card.focus(); } else await renew();
    refuse(again(card.dataset.id) ?? card, error instanceof TypeError ? words().failed : error.message);
  }
}

/** Moves a card to a cell: the wall-clock time stays; in a week the hour follows the row. */
function move(card, cell, slot) {
  const why = refusal(card, cell);
  if (why) { refuse(card, why); return; }
  const at = `${cell.dataset.date}T${timeIn(card, cell)}`;
  const isAgain = 'again' in cell.dataset;
  if (slot) attempt(card, { slot }, null, at);
  else if (at !== card.dataset.at || isAgain !== ('again' in card.dataset)) {
    attempt(card, { to: at, ...(isAgain && { 'to-again': '1' }) }, cell, at);
  } else if (!card.isConnected) renew();
}

/** Moves a card by a day or a week, in a week by an hour or a day. */
function nudge(card, cell, down, along) {
  if (!isMovable(card)) return;
  if ('hour' in cell.dataset && down) attempt(card, { hours: down }, null);
  else attempt(card, { days: along || down * 7 }, null);
}

// ---- by a form ------------------------------------------------------------------------------

async function openMover(card) {
  const dialog = one('mover');
  if (!isMovable(card) || !dialog) return;
  const answer = await ask(`${card.href}/move${zone()}`, { headers: { 'X-Fragment': 'form' } });
  const form = nodes(await answer.text()).querySelector('form');
  if (!form) { location.href = `${card.href}/move${zone()}`; return; }
  dialog.querySelector('.body').replaceChildren(form);
  dialog.showModal();
  dialog.onclose = () => again(card.dataset.id)?.focus();
  form.querySelector('.btn.plain').addEventListener('click', (event) => { event.preventDefault(); dialog.close(); });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(form, event.submitter));
    try {
      const now = await send(card, 'move', fields);
      dialog.close();
      await land(card, now);
      told(card, now);
    } catch (error) {
      let why = form.querySelector('[role=alert]');
      if (!why) {
        why = Object.assign(document.createElement('p'), { className: 'alert' });
        why.setAttribute('role', 'alert');
        form.prepend(why);
      }
      why.textContent = error instanceof TypeError ? words().failed : error.message;
    }
  });
}

// ---- by pointer -----------------------------------------------------------------------------

const LONG = 350;
const TURN = 800;
const EDGE = 48;
const STEP = 12;
let held = null;

page.addEventListener('pointerdown', (event) => {
  const card = event.target.closest('#grid .card');
  if (!card || event.button !== 0 || !event.isPrimary) return;
  const byTouch = event.pointerType === 'touch';
  held = { card, x: event.clientX, y: event.clientY, isLifted: false, cell: null, byTouch };
  if (byTouch) held.timer = setTimeout(() => { if (held) lift(); }, LONG);
});

page.addEventListener('dragstart', (event) => { if (event.target.closest('#grid')) event.preventDefault(); });
page.addEventListener('touchmove', (event) => { if (held?.isLifted) event.preventDefault(); }, { passive: false });

function lift() {
  const { card } = held;
  if (!isMovable(card)) {
    held = null;
    document.addEventListener('pointerup', swallow(), { once: true });
    return;
  }
  held.isLifted = true;
  card.classList.add('lifted');
  held.frame = requestAnimationFrame(follow);
}

/** A drag ends with a click on what it began with, which is none. */
function swallow() {
  const stop = (event) => event.preventDefault();
  document.addEventListener('click', stop, true);
  return () => setTimeout(() => document.removeEventListener('click', stop, true));
}

document.addEventListener('pointermove', (event) => {
  if (!held) return;
  if (!held.isLifted) {
    const far = Math.hypot(event.clientX - held.x, event.clientY - held.y);
    if (held.byTouch ? far > 10 : far >= 5) {
      if (held.byTouch) { clearTimeout(held.timer); held = null; } else lift();
    }
    if (!held?.isLifted) return;
  }
  [held.x, held.y] = [event.clientX, event.clientY];
});

/** Finds what is under the pointer, and has the card say what would happen there. What is under one
    that has not moved over a page that has not moved is known: to find it, all of the page is laid out. */
function look() {
  const { card, x, y } = held;
  const at = [x, y, scrollX, scrollY, wide()?.scrollLeft ?? 0].join();
  if (at === held.seen) return held.under;
  held.seen = at;
  const fly = one('fly');
  const under = document.elementFromPoint(x, y);
  const cell = under?.closest('[role=gridcell]') ?? null;
  const ghost = under?.closest('.ghost') ?? null;
  const slot = ghost?.dataset.slot ?? null;
  if (cell !== held.cell || slot !== held.slot) {
    held.cell?.classList.remove('drop', 'nodrop');
    const why = cell ? refusal(card, cell) : null;
    cell?.classList.add(why ? 'nodrop' : 'drop');
    const time = ghost?.querySelector('time').textContent ?? (cell && timeIn(card, cell));
    fly.firstElementChild.textContent = why ?? (cell ? `${cell.dataset.name}, ${time}` : card.querySelector('.what').textContent);
    fly.classList.toggle('no', why !== null);
    held.cell = cell;
    held.slot = slot;
  }
  fly.hidden = false;
  fly.style.translate = `${x}px ${y}px`;
  held.under = under;
  return under;
}

/** The part of the page that scrolls sideways, where there is one. */
const wide = () => page.querySelector('.week-wrap');

/** Once a frame: the page moves at its edges, and ‹ and › turn it. */
function follow() {
  if (!held?.isLifted) return;
  const arrow = look()?.closest('[data-key=p], [data-key=n]')?.dataset.key ?? null;
  if (arrow !== held.arrow) {
    clearTimeout(held.turning);
    held.arrow = arrow;
    if (arrow) held.turning = setTimeout(() => { if (held) turn(arrow); }, TURN);
  }
  const { x, y } = held;
  const by = y < EDGE ? -STEP : y > innerHeight - EDGE ? STEP : 0;
  if (by) scrollBy(0, by);
  const part = wide();
  const box = part?.getBoundingClientRect();
  if (box && x < box.left + EDGE) part.scrollLeft -= STEP;
  else if (box && x > box.right - EDGE) part.scrollLeft += STEP;
  held.frame = requestAnimationFrame(follow);
}

// One turn after another: the links of a period are those of the one that is shown.
let turned = Promise.resolve();
const turn = (...how) => { turned = turned.then(() => turnNow(...how)).catch(() => {}); };

const address = () => location.pathname + location.search;
let opened = address();

/** Shows the period before or after, with what is held still held. */
async function turnNow(key, isFocused) {
  const link = page.querySelector(`[data-key=${key}]`);
  if (!link) return;
  history.pushState(null, '', link.href);
  opened = address();
  await renew();
  document.title = [page.querySelector('h1').textContent, ...document.title.split(' · ').slice(1)].join(' · ');
  if (held) { held.cell = null; held.slot = null; held.seen = null; }
  if (isFocused) enter(page.querySelector('#grid [role=gridcell][tabindex="0"]'));
}

// Links within the page change what follows the # alone.
addEventListener('popstate', () => { if (address() !== opened) location.reload(); });

/** Puts down what is held; `isPressed` says that the button of the mouse is down still. */
function drop(done, isPressed = false) {
  if (!held) return;
  clearTimeout(held.timer);
  clearTimeout(held.turning);
  cancelAnimationFrame(held.frame);
  if (done && held.isLifted) look();
  const { card, cell, slot, isLifted } = held;
  held = null;
  cell?.classList.remove('drop', 'nodrop');
  card.classList.remove('lifted');
  one('fly').hidden = true;
  if (!isLifted) return;
  const release = swallow();
  if (isPressed) document.addEventListener('pointerup', release, { once: true }); else release();
  if (done && cell) move(card, cell, slot);
  else if (!card.isConnected) renew();
}

document.addEventListener('pointerup', () => drop(true));
document.addEventListener('pointercancel', () => drop(false));
document.addEventListener('keydown', (event) => { if (event.key === 'Escape') drop(false, true); });

prepare();
