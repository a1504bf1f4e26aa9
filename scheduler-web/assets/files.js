// The files of the composer: sent from here, piece by piece and through a lost network; put in
// order by dragging, by buttons and by keys. Their tiles are drawn by the server.
import { nodes, say as toast } from './frame.js';
import { ask } from './live.js';

const form = document.getElementById('composer');
const words = document.getElementById('words').dataset;
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const choose = document.getElementById('choose');
const told = document.getElementById('uploads');
const address = document.getElementById('address');
const list = () => document.getElementById('files');
const tiles = () => [...list().querySelectorAll('.file[data-id]')];
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

/** Tells the composer that something of the post has changed. */
const changed = () => form.dispatchEvent(new Event('input', { bubbles: true }));

// ---- tiles ----------------------------------------------------------------------------------

let asking = 0;

/** Has the server draw the tiles anew; those that somebody writes in keep what is written. */
async function redraw() {
  const turn = (asking += 1);
  clearTimeout(later);
  const body = new URLSearchParams(new FormData(form));
  const answer = await ask(form.dataset.check, { method: 'POST', body, headers: { 'X-Fragment': 'files' } });
  if (!answer.ok) throw new Error(await answer.text());
  const drawn = nodes(await answer.text());
  if (turn !== asking) return;
  const wasBusy = new Set(tiles().filter((tile) => 'busy' in tile.dataset).map((tile) => tile.dataset.id));
  const known = new Map(tiles().map((tile) => [tile.dataset.id, tile]));
  for (const tile of drawn.querySelectorAll('#files .file')) {
    const former = known.get(tile.dataset.id);
    known.delete(tile.dataset.id);
    if (!former) list().append(tile);
    else if (former.classList.contains('sending')) former.replaceWith(tile);
    else if ('busy' in former.dataset || !former.querySelector('.cover') !== !tile.querySelector('.cover')) replace(former, tile);
  }
  for (const gone of known.values()) if (!gone.classList.contains('sending')) gone.remove();
  standAlone();
  const [old, fresh] = [document.getElementById('library'), drawn.getElementById('library')];
  if (fresh && old) {
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    fresh.open = old.open;
    old.replaceWith(fresh);
    // A file that was just chosen is in the library no more.
    if (focused) (fresh.querySelector(`input[value="${CSS.escape(focused.value)}"]`) ?? fresh.querySelector('summary')).focus();
  } else if (fresh) list().after(fresh); else old?.remove();
  settle();
  // What has become ready since shows in the previews.
  if (tiles().some((tile) => wasBusy.has(tile.dataset.id) && !('busy' in tile.dataset))) changed();
  if (tiles().some((tile) => 'busy' in tile.dataset)) look();
}

let later = 0;

/** Asks again until every file is examined. */
function look() {
  clearTimeout(later);
  later = setTimeout(() => { if (document.hidden) look(); else redraw().catch(look); }, 1_000);
}

/** Puts a tile in the place of the former; each of its fields stays, with what is written in it since and what was found of it. */
function replace(former, tile) {
  const focused = former.contains(document.activeElement) ? document.activeElement : null;
  const kept = [...former.querySelectorAll('textarea, input, .slot')];
  for (const drawn of tile.querySelectorAll('textarea, input, .slot')) {
    const one = kept.find(({ id, name }) => id === drawn.id && name === drawn.name);
    if (one) drawn.replaceWith(one);
  }
  former.replaceWith(tile);
  if (focused && tile.contains(focused)) focused.focus();
}

// Fields of options, in milliseconds, that a cover beside a video replaces, by id.
const replaced = new Map();

/** Removes the field of an option whose cover stands beside the video; it is back, with what was written last, once the cover is gone. A page that was drawn with the cover has the field when it is loaded again. */
function standAlone() {
  const covers = [...list().querySelectorAll('.cover input')];
  for (const cover of covers) {
    const field = [...form.querySelectorAll(`#${CSS.escape(cover.id)}`)].find((other) => other !== cover);
    if (field) {
      const part = field.parentElement;
      const [place, label] = [new Comment(), part.previousElementSibling];
      label.replaceWith(place);
      part.remove();
      replaced.set(cover.id, { place, label, part, field });
    }
    if (replaced.has(cover.id)) replaced.get(cover.id).cover = cover;
  }
  for (const [id, { place, label, part, field, cover }] of replaced) {
    if (covers.includes(cover)) continue;
    field.value = cover.value && Math.round(cover.value * 1_000);
    place.replaceWith(label, part);
    replaced.delete(id);
  }
}

/** Numbers the tiles, and lets each be moved by keys. */
function settle() {
  tiles().forEach((tile, index) => {
    tile.tabIndex = 0;
    const chip = tile.querySelector('.chip');
    if (chip) chip.textContent = index + 1;
    if (tile.dataset.name) tile.setAttribute('aria-label', fill(words.place, { name: tile.dataset.name, n: index + 1 }));
  });
}

function say(word, tile) {
  const all = tiles();
  told.textContent = fill(word, { name: tile.dataset.name, n: all.indexOf(tile) + 1, all: all.length });
}

/** Moves a tile by so many places; what is sent is in the order that is shown. */
function move(tile, by) {
  const all = tiles();
  const place = all.indexOf(tile) + by;
  if (place < 0 || place >= all.length) return;
  const focused = document.activeElement;
  if (by < 0) all[place].before(tile); else all[place].after(tile);
  if (tile.contains(focused)) focused.focus();
  settle();
  say(words.moved, tile);
  changed();
}

function remove(tile) {
  const next = tile.nextElementSibling ?? tile.previousElementSibling;
  say(words.removed, tile);
  tile.remove();
  standAlone();
  settle();
  changed();
  (next ?? choose).focus();
  redraw().catch(() => {});
}

form.addEventListener('click', (event) => {
  const button = event.target.closest('button[name=do]');
  const tile = button?.closest('.file[data-id]');
  const act = button?.value.split('.')[0];
  if (button?.value === 'fetch') { event.preventDefault(); fetchFrom(); }
  if (!tile) return;
  const acts = { earlier: () => move(tile, -1), later: () => move(tile, 1), remove: () => remove(tile) };
  if (acts[act]) { event.preventDefault(); acts[act](); }
});

// The frame at the second that is written.
form.addEventListener('input', ({ target }) => {
  const video = target.closest('.cover input') && target.closest('.cover').querySelector(`video:has(+ label[for="${target.id}"])`);
  if (video) video.currentTime = Number(target.value) || 0;
});

form.addEventListener('keydown', (event) => {
  const tile = event.target.closest?.('.file[data-id]');
  if (!tile || !event.altKey || event.target.matches('textarea')) return;
  const isMirrored = getComputedStyle(tile).direction === 'rtl';
  const by = { ArrowLeft: isMirrored ? 1 : -1, ArrowRight: isMirrored ? -1 : 1 }[event.key];
  // The keys of the history are taken only here.
  if (by) { event.preventDefault(); move(tile, by); }
});

document.addEventListener('keydown', (event) => {
  if (choose && event.altKey && event.key.toLowerCase() === 'u') { event.preventDefault(); choose.click(); }
});

form.addEventListener('change', (event) => {
  if (event.target.matches('#library input[name=media]')) redraw().then(changed, failed);
});

// ---- dragging -------------------------------------------------------------------------------

let drag = null;

form.addEventListener('pointerdown', (event) => {
  const tile = event.target.closest('.file[data-id] .pic')?.closest('.file');
  if (!tile || event.button !== 0 || event.pointerType === 'touch') return;
  event.preventDefault();
  drag = { tile, from: event.clientX + event.clientY, next: tile.nextElementSibling, isLifted: false };
});

document.addEventListener('pointermove', (event) => {
  if (!drag) return;
  if (!drag.isLifted && Math.abs(event.clientX + event.clientY - drag.from) < 6) return;
  drag.isLifted = true;
  drag.tile.classList.add('lifted');
  const over = document.elementFromPoint(event.clientX, event.clientY)?.closest('.file[data-id]');
  if (!over || over === drag.tile) return;
  const all = tiles();
  if (all.indexOf(over) < all.indexOf(drag.tile)) over.before(drag.tile); else over.after(drag.tile);
});

function drop(isTaken) {
  if (!drag) return;
  const { tile, next, isLifted } = drag;
  drag = null;
  tile.classList.remove('lifted');
  if (!isLifted) { tile.focus(); return; }
  if (!isTaken) { list().insertBefore(tile, next); return; }
  settle();
  say(words.moved, tile);
  changed();
}

document.addEventListener('pointerup', () => drop(true));
document.addEventListener('pointercancel', () => drop(false));
document.addEventListener('keydown', (event) => { if (event.key === 'Escape') drop(false); });

// ---- sending --------------------------------------------------------------------------------

class Cancelled extends Error {}
/** The network is away, or the server is busy: the same is sent again later. */
class Lost extends Error {}

async function asked(at, body) {
  let answer;
  try {
    answer = await ask(at, { method: body ? 'POST' : 'GET', body, headers: { 'X-Fragment': 'media' } });
  } catch (error) {
    throw new Lost(error.message);
  }
  const text = await answer.text();
  if (answer.status === 429 || answer.status >= 500) throw new Lost(text);
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text);
}

/** A file on its way. */
class Sending {
  constructor(file) {
    this.file = file;
    this.sent = 0;
    this.begun = performance.now();
    this.tile = document.getElementById('sending').content.firstElementChild.cloneNode(true);
    this.tile.querySelector('.clip').textContent = file.name;
    this.tile.dataset.name = file.name;
    this.bar = this.tile.querySelector('progress');
    this.bar.setAttribute('aria-label', file.name);
    this.bar.max = Math.max(file.size, 1);
    this.buttons = Object.fromEntries([...this.tile.querySelectorAll('[data-act]')].map((button) => [button.dataset.act, button]));
    this.buttons.pause.addEventListener('click', () => this.pause(true));
    this.buttons.resume.addEventListener('click', () => this.pause(false));
    this.buttons.cancel.addEventListener('click', () => { this.isCancelled = true; this.stop(); this.tile.remove(); });
    list().append(this.tile);
    this.show(words.sending);
  }

  show(word, values = {}) {
    this.bar.value = this.sent;
    const figures = { name: this.file.name, sent: megabytes(this.sent), all: megabytes(this.file.size), ...values };
    this.tile.querySelector('.state').textContent = fill(word, figures);
  }

  came(bytes) {
    const seconds = (performance.now() - this.begun) / 1_000;
    const left = Math.ceil((this.file.size - bytes) / (bytes / seconds));
    this.sent = bytes;
    this.show(seconds > 3 && Number.isFinite(left) ? words.left : words.sending, { n: left });
  }

  pause(isPaused) {
    this.isPaused = isPaused;
    this.buttons.pause.hidden = isPaused;
    this.buttons.resume.hidden = !isPaused;
    this.stop();
  }

  stop() {
    this.request?.abort();
    this.wake?.();
  }

  /** Waits for the network, for a person, or for so long. */
  async rest(milliseconds) {
    this.show(this.isPaused ? words.paused : words.waiting);
    await new Promise((done) => {
      this.wake = done;
      if (!this.isPaused) setTimeout(done, milliseconds);
      addEventListener('online', done, { once: true });
      document.addEventListener('live:back', done, { once: true });
    });
    if (this.isCancelled) throw new Cancelled();
    if (this.isPaused) await this.rest(0);
  }

  /** Does something until it is done, however often the network is lost. */
  async surely(act) {
    for (let wait = 500; ; wait = Math.min(wait * 2, 4_000)) {
      if (this.isCancelled) throw new Cancelled();
      try {
        return await act();
      } catch (error) {
        if (this.isCancelled) throw new Cancelled();
        if (!(error instanceof Lost)) throw error;
        await this.rest(wait);
      }
    }
  }

  /** Sends some bytes to an address, and returns what is answered. */
  put(method, url, headers, bytes, before) {
    return new Promise((done, fail) => {
      const request = new XMLHttpRequest();
      this.request = request;
      request.open(method, url);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = (event) => this.came(before + event.loaded);
      request.onload = () => {
        if (request.status < 300) done(request);
        else if (request.status === 403) fail(new Error('403'));
        else fail(request.status === 429 || request.status >= 500 ? new Lost() : new Error(request.responseText || request.status));
      };
      request.onerror = request.onabort = request.ontimeout = () => fail(new Lost());
      request.send(bytes);
    });
  }

  /** Sends the file, in parts where the server wants it so, and returns its id. */
  async run() {
    const { file } = this;
    const kind = ['image', 'video'].find((each) => file.type.startsWith(`${each}/`)) ?? 'document';
    const declared = new URLSearchParams({ kind, type: file.type, size: file.size, name: file.name });
    let { media: { id }, upload: to } = await this.surely(() => asked(form.dataset.media, declared));
    const at = `${form.dataset.media}/${id}`;
    const done = new URLSearchParams();
    // Addresses end after a while; a file that takes longer asks for others.
    const again = async (error) => {
      if (error.message !== '403') throw error;
      ({ upload: to } = await this.surely(() => asked(`${at}/links`)));
    };
    const piece = async (address, headers, bytes, before) => {
      const put = () => this.surely(() => this.put('PUT', own(address()), headers(), bytes, before));
      const request = await put().catch(async (error) => { await again(error); return put(); });
      return request.getResponseHeader('ETag') ?? '';
    };
    if (!own(to.uploadUrl ?? to.parts[0].url)) {
      // The page may send nothing to where the bytes are kept: they go through the server.
      const body = new FormData();
      body.set('files', file);
      const request = await this.surely(() => this.put('POST', form.dataset.media, { 'X-Fragment': 'media' }, body, 0));
      return JSON.parse(request.responseText).media.id;
    }
    if (to.parts) {
      const parts = [];
      for (let index = 0; index < to.parts.length; index += 1) {
        const before = index * to.partSize;
        const bytes = file.slice(before, before + to.partSize);
        const etag = await piece(() => to.parts[index].url, () => ({}), bytes, before);
        parts.push({ partNumber: to.parts[index].partNumber, etag });
      }
      done.set('parts', JSON.stringify(parts));
    } else {
      await piece(() => to.uploadUrl, () => to.headers, file, 0);
    }
    await this.surely(() => asked(`${at}/complete`, done));
    return id;
  }
}

/** A link to this server, whatever name that is published under; null for one that leads elsewhere. */
function own(url) {
  const { pathname, search } = new URL(url, location.href);
  return pathname.startsWith('/files/') ? pathname + search : null;
}

function failed(error, name = '') {
  told.textContent = fill(words.failed, { name, why: error.message });
}

/** Puts a file of the server at the end of the post. */
async function add(id, tile) {
  const kept = document.createElement('input');
  kept.type = 'hidden';
  kept.name = 'media';
  kept.value = id;
  tile.dataset.id = id;
  tile.append(kept);
  // The server has the file, whether or not its tile can be drawn now.
  await redraw().catch(look);
  changed();
}

let underWay = 0;
let pressed = null;
// What was said of the last file that could not be sent, while others are under way.
let missing = '';

async function send(files) {
  underWay += 1;
  try {
    missing = await sendAll(files) || missing;
  } finally {
    underWay -= 1;
  }
  if (underWay > 0) return;
  const [button, why] = [pressed, missing];
  [pressed, missing] = [null, ''];
  if (why) told.textContent = why;
  if (!button) return;
  // A button that was pressed meanwhile takes the files along; nothing goes out without one of them.
  if (why) toast(why); else submit(button);
}

/** Sends files, and returns what was said of the last one that could not be sent. */
async function sendAll(files) {
  let why = '';
  const waiting = [...files].map((file) => new Sending(file));
  for (const one of waiting) {
    try {
      await add(await one.run(), one.tile);
      told.textContent = fill(words.ready, { name: one.file.name });
    } catch (error) {
      one.tile.remove();
      if (error instanceof Cancelled) continue;
      failed(error, one.file.name);
      why = told.textContent;
    }
  }
  return why;
}

/** Submits the form by a button, which may have been drawn anew since it was pressed. */
export function submit(button) {
  if (!button || button.form === form) { form.requestSubmit(button); return; }
  const isAlike = ({ type, name, value }) => type === 'submit' && name === button.name && value === button.value;
  let alike = [...form.elements].find(isAlike);
  if (!alike) {
    alike = button.cloneNode();
    alike.hidden = true;
    form.append(alike);
  }
  form.requestSubmit(alike);
}

async function fetchFrom() {
  const tile = document.createElement('li');
  tile.className = 'file sending';
  try {
    const { media } = await asked(form.dataset.media, new URLSearchParams({ address: address.value }));
    list().append(tile);
    address.value = '';
    await add(media.id, tile);
  } catch (error) {
    tile.remove();
    failed(error, address.value);
    address.focus();
  }
}

form.addEventListener('submit', (event) => {
  if (underWay === 0) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  pressed = event.submitter;
  told.textContent = words.underWay;
});

if (document.getElementById('go')) {
  // What is chosen is sent at once, and not once more with the form.
  choose.removeAttribute('name');
  form.enctype = 'application/x-www-form-urlencoded';
  document.getElementById('drop').hidden = false;
  list().classList.add('sortable');
  choose.addEventListener('change', () => { send([...choose.files]); choose.value = ''; });
  form.addEventListener('dragover', (event) => { if (event.dataTransfer.types.includes('Files')) event.preventDefault(); });
  form.addEventListener('drop', (event) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    send([...event.dataTransfer.files]);
  });
  document.addEventListener('paste', (event) => {
    const { types } = event.clipboardData;
    const files = [...event.clipboardData.files];
    // A text that is copied from a table or a slide comes with a picture of it.
    const isField = event.target.matches?.('textarea, input:not([type=checkbox], [type=radio])');
    if (isField && types.includes('text/plain')) return;
    if (files.length > 0) { event.preventDefault(); send(files); }
  });
  settle();
  if (tiles().some((tile) => 'busy' in tile.dataset)) look();
}
