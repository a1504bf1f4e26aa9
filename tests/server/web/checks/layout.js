// What of a page is lost: text that is cut off, lies over other text, spills out of its control or
// is beyond the edge; controls that something covers. `arguments[0]` is the width of the screen.
const width = arguments[0];
const found = new Set();
const root = document.documentElement;
const style = (element) => getComputedStyle(element);
const named = (element) => {
  const { className, id } = element;
  const words = element.textContent.trim().replace(/\s+/g, ' ').slice(0, 40);
  return `<${element.localName}${id ? `#${id}` : ''}${typeof className === 'string' && className
    ? `.${className.trim().replace(/\s+/g, '.')}` : ''}> ${words}`;
};
const isHiddenForEyes = (element) => element.closest('.vh:not(:focus)') !== null
  || style(element).clipPath === 'inset(50%)';
const isSeen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  && !isHiddenForEyes(element);

// The elements that may clip an element: those that its position does not take it out of.
function* clippers(element) {
  let takenOut = style(element).position;
  for (let each = element.parentElement; each && each !== document.body; each = each.parentElement) {
    if (takenOut === 'fixed') return;
    const { position, overflowX, overflowY } = style(each);
    if (takenOut === 'absolute' && position === 'static') continue;
    if (overflowX !== 'visible' || overflowY !== 'visible') yield each;
    takenOut = position;
  }
}

const isFloating = (element) => {
  for (let each = element; each; each = each.parentElement) {
    if (['fixed', 'sticky'].includes(style(each).position)) return true;
  }
  return false;
};

if (root.scrollWidth > width) found.add(`the page scrolls sideways by ${root.scrollWidth - width}`);

// ---- text -----------------------------------------------------------------------------------

const texts = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const element = node.parentElement;
  if (!node.data.trim() || element.closest('script, style, option, textarea, template, noscript')) continue;
  if (!isSeen(element)) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  const all = [...clippers(element)];
  if (style(element).overflowX !== 'visible') all.unshift(element);
  let isEllipsis = false;
  let scrolls = false;
  for (const clipper of all) {
    const { textOverflow, webkitLineClamp, overflowX } = style(clipper);
    isEllipsis ||= textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
    scrolls ||= ['auto', 'scroll'].includes(overflowX);
  }
  for (const rect of range.getClientRects()) {
    if (rect.width < 1 || rect.height < 1) continue;
    const box = { left: rect.left, right: rect.right, top: rect.top, bottom: rect.bottom };
    for (const clipper of all) {
      const edge = clipper.getBoundingClientRect();
      const { overflowX, overflowY } = style(clipper);
      const isFixed = ['hidden', 'clip'];
      const beside = Math.max(edge.left - box.left, box.right - edge.right);
      const below = Math.max(edge.top - box.top, box.bottom - edge.bottom);
      if (!isEllipsis && ((isFixed.includes(overflowX) && beside > 1) || (isFixed.includes(overflowY) && below > 2))) {
        found.add(`cut off in ${named(clipper)}: ${named(element)}`);
      }
      box.left = Math.max(box.left, edge.left);
      box.right = Math.min(box.right, edge.right);
      box.top = Math.max(box.top, edge.top);
      box.bottom = Math.min(box.bottom, edge.bottom);
    }
    if (box.right - box.left < 1 || box.bottom - box.top < 1) continue;
    if (!scrolls && (box.left < -1 || box.right > width + 1)) found.add(`beyond the edge: ${named(element)}`);
    if (!isFloating(element)) texts.push({ node, element, box });
    const control = element.closest('button, .btn, .badge, .seg a, .seg label, .tabs button, .pick, .card, .ghost, .tabbar a, .nav a, kbd');
    if (control && !isEllipsis) {
      const edge = control.getBoundingClientRect();
      if (edge.left - rect.left > 1 || rect.right - edge.right > 1 || edge.top - rect.top > 3 || rect.bottom - edge.bottom > 3) {
        found.add(`spills out of ${named(control)}`);
      }
    }
  }
}

texts.sort((one, other) => one.box.top - other.box.top);
texts.forEach((one, index) => {
  for (let next = index + 1; next < texts.length && texts[next].box.top < one.box.bottom; next += 1) {
    const other = texts[next];
    if (other.node === one.node) continue;
    const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
    const down = Math.min(one.box.bottom, other.box.bottom) - other.box.top;
    const height = Math.min(one.box.bottom - one.box.top, other.box.bottom - other.box.top);
    if (across > 2 && down > height * .35) found.add(`one over the other: ${named(one.element)} and ${named(other.element)}`);
  }
});

// ---- controls -------------------------------------------------------------------------------

const { scrollX, scrollY } = window;
for (const control of document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')) {
  if (!isSeen(control) || control.closest('.skip')) continue;
  // A box that only scripts and readers see is pressed by its label.
  const shown = control.labels?.length && style(control).opacity === '0' ? control.labels[0] : control;
  shown.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  // A link that is broken over lines has a middle on each.
  const boxes = [...shown.getClientRects()].filter(({ width, height }) => width >= 2 && height >= 2);
  const hits = boxes.map((box) => document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2));
  const isOwn = (hit) => hit && (shown.contains(hit) || hit.contains(shown)
    || [...(control.labels ?? [])].some((label) => label.contains(hit)));
  if (hits.length > 0 && !hits.some(isOwn)) {
    const over = hits.find((hit) => hit !== null);
    found.add(over ? `${named(over)} covers ${named(control)}` : `not on the screen: ${named(control)}`);
  }
}
scrollTo(scrollX, scrollY);
return [...found];
