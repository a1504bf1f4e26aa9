// The part of a picture that stays: chosen by dragging it or its corners, and by keys. The fields
// of the form hold it, and the server judges it.

const form = document.getElementById('crop');
const area = document.getElementById('area');
const svg = area.querySelector('svg');
const [shown, outside] = ['.part', '.outside'].map((css) => svg.querySelector(css));
const corners = [...svg.querySelectorAll('.corner')];
const [whole, least] = [[form.dataset.width, form.dataset.height], [form.dataset.leastWidth, form.dataset.leastHeight]]
  .map(([width, height]) => ({ width: Number(width), height: Number(height) }));
const fields = ['x', 'y', 'width', 'height'];
const buttons = [...form.querySelectorAll('button[name=ratio]')];
// Width divided by height, where a shape is kept.
let ratio = null;

const between = (value, low, high) => Math.max(low, Math.min(value, Math.max(low, high)));
const read = () => Object.fromEntries(fields.map((name) => [name, Number(form.elements[name].value) || 0]));

/** Shows a part, with its inside kept in the picture. */
function show(part, isWritten = false) {
  const width = between(Math.round(part.width), 1, whole.width);
  const height = between(Math.round(part.height), 1, whole.height);
  const x = between(Math.round(part.x), 0, whole.width - width);
  const y = between(Math.round(part.y), 0, whole.height - height);
  const values = { x, y, width, height };
  for (const name of fields) {
    if (!isWritten) form.elements[name].value = values[name];
    shown.setAttribute(name, values[name]);
  }
  outside.setAttribute('d', `M0 0H${whole.width}V${whole.height}H0zM${x} ${y}h${width}v${height}h${-width}z`);
  const size = 14 / scale();
  for (const corner of corners) {
    const [down, right] = [corner.dataset.corner[0] === 's', corner.dataset.corner[1] === 'e'];
    corner.setAttribute('x', x + (right ? width : 0) - size / 2);
    corner.setAttribute('y', y + (down ? height : 0) - size / 2);
    corner.setAttribute('width', size);
    corner.setAttribute('height', size);
  }
}

/** Width divided by height of a shape such as 4:5; null where there is none. */
function ratioOf(shape) {
  if (!shape) return null;
  const [wide, high] = shape.split(':').map(Number);
  return wide / high;
}

/** How many pixels of the screen one of the picture takes. */
const scale = () => svg.getBoundingClientRect().width / whole.width || 1;

/** A size within the picture and the least size, in the shape that is kept. */
function sized(width, height) {
  if (ratio === null) {
    return [between(width, least.width, whole.width), between(height, least.height, whole.height)];
  }
  const low = Math.max(least.width, least.height * ratio);
  const high = Math.min(whole.width, whole.height * ratio);
  const wide = between(width, low, high);
  return [wide, wide / ratio];
}

function grow(by) {
  const part = read();
  const [width, height] = sized(part.width + by, part.height + (ratio === null ? by * (part.height / part.width) : 0));
  show({ x: part.x - (width - part.width) / 2, y: part.y - (height - part.height) / 2, width, height });
}

area.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = event.shiftKey ? 10 : 1;
  const part = read();
  const ways = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
  if (ways[event.key]) show({ ...part, x: part.x + ways[event.key][0], y: part.y + ways[event.key][1] });
  else if (event.key === '+' || event.key === '=') grow(10);
  else if (event.key === '-') grow(-10);
  else if (event.key === 'Enter') form.requestSubmit(document.getElementById('take'));
  else return;
  event.preventDefault();
});

for (const button of buttons) {
  button.addEventListener('click', (event) => {
    event.preventDefault();
    const { x, y, width, height } = button.dataset;
    ratio = ratioOf(button.value);
    show({ x: Number(x), y: Number(y), width: Number(width), height: Number(height) });
    for (const each of buttons) each.setAttribute('aria-pressed', each === button);
    area.focus();
  });
}

// ---- dragging -------------------------------------------------------------------------------

/** Where a pointer is, in pixels of the picture. */
function place(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return { x: point.x, y: point.y };
}

let drag = null;

svg.addEventListener('pointerdown', (event) => {
  if (event.button !== 0) return;
  event.preventDefault();
  area.focus();
  svg.setPointerCapture(event.pointerId);
  drag = { from: place(event), part: read(), corner: event.target.dataset?.corner ?? null };
});

svg.addEventListener('pointermove', (event) => {
  if (!drag) return;
  const [at, { from, part, corner }] = [place(event), drag];
  if (!corner) {
    show({ ...part, x: part.x + at.x - from.x, y: part.y + at.y - from.y });
    return;
  }
  const [isDown, isRight] = [corner[0] === 's', corner[1] === 'e'];
  // The corner that lies across stays.
  const across = { x: part.x + (isRight ? 0 : part.width), y: part.y + (isDown ? 0 : part.height) };
  const room = {
    width: isRight ? whole.width - across.x : across.x, height: isDown ? whole.height - across.y : across.y,
  };
  const wanted = [(at.x - across.x) * (isRight ? 1 : -1), (at.y - across.y) * (isDown ? 1 : -1)];
  let [width, height] = sized(Math.min(wanted[0], room.width), Math.min(wanted[1], room.height));
  if (height > room.height && ratio !== null) [width, height] = [room.height * ratio, room.height];
  show({ x: isRight ? across.x : across.x - width, y: isDown ? across.y : across.y - height, width, height });
});

for (const end of ['pointerup', 'pointercancel']) svg.addEventListener(end, () => { drag = null; });

// ---- the fields -----------------------------------------------------------------------------

form.addEventListener('input', () => show(read(), true));
addEventListener('resize', () => show(read(), true));

area.tabIndex = 0;
area.classList.add('live-crop');
document.getElementById('area-keys').hidden = false;
ratio = ratioOf(buttons.find((button) => button.getAttribute('aria-pressed') === 'true')?.value);
show(read());
document.getElementById('problem')?.focus();
