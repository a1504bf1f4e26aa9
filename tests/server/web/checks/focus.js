// What has the focus: a number of its own, and what is wrong with how it shows.
const element = document.activeElement;
if (!element || element === document.body || element === document.documentElement) return null;
window.focusOrder ??= new Map();
// A page that is shown anew in part has other elements that are the same to people.
window.focusSeen ??= new Set();
window.focusSeen.add(element.outerHTML);
if (!window.focusOrder.has(element)) window.focusOrder.set(element, window.focusOrder.size);
const number = window.focusOrder.get(element);
const words = `${element.localName}${element.id ? `#${element.id}` : ''} ${(element.textContent || element.name || '').trim().replace(/\s+/g, ' ').slice(0, 40)}`;
const ring = (each) => {
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(each);
  return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && !/, 0\)$/.test(outlineColor);
};
const wrong = [];
// The ring is on the element, or on what stands around a field or a box.
const around = [element, ...(element.labels ?? []), element.closest('.field, .paper')].filter(Boolean);
const shown = around.find((each) => ring(each));
if (!shown) wrong.push(`no ring: ${words}`);
const box = (shown ?? element).getBoundingClientRect();
if (box.width < 1 || box.height < 1) wrong.push(`without a size: ${words}`);
if (box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth) wrong.push(`not on the screen: ${words}`);
const inside = {
  left: Math.max(box.left, 0), right: Math.min(box.right, innerWidth),
  top: Math.max(box.top, 0), bottom: Math.min(box.bottom, innerHeight),
};
// Nothing lies over its middle and its corners.
const points = [[.5, .5], [.02, .1], [.98, .1], [.02, .9], [.98, .9]].map(([across, down]) => [
  inside.left + (inside.right - inside.left) * across, inside.top + (inside.bottom - inside.top) * down,
]);
const isOwn = (hit) => hit && around.some((each) => each.contains(hit) || hit.contains(each));
const covered = points.map(([x, y]) => document.elementFromPoint(x, y)).filter((hit) => !isOwn(hit));
if (covered.length > 0 && wrong.length === 0) {
  const over = covered[0];
  wrong.push(`covered by ${over ? `${over.localName}.${over.className}` : 'nothing'}: ${words}`);
}
return { number, wrong };
