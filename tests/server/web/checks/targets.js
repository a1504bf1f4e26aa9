// What is too small to be hit, and has not the room around it that would make up for that:
// a circle of `arguments[0]` pixels on its middle that touches no other target (WCAG 2.2, 2.5.8).
const least = arguments[0];
const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.vh:not(:focus)');
const targets = [];
for (const element of document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')) {
  if (!isSeen(element) || element.closest('.skip')) continue;
  const label = element.labels?.[0];
  const shown = label && (label.contains(element) || getComputedStyle(element).opacity === '0') ? label : element;
  // A link within a sentence is as high as its line.
  let line = element;
  while (getComputedStyle(line).display === 'inline') line = line.parentElement;
  const isInline = element.localName === 'a' && line.textContent.trim().length > element.textContent.trim().length;
  const { left, top, width, height } = shown.getBoundingClientRect();
  if (width < 1 || height < 1) continue;
  targets.push({ element, isInline, left, top, width, height });
}
const apart = (target, other) => {
  const x = target.left + target.width / 2;
  const y = target.top + target.height / 2;
  const nearest = (from, length, at) => Math.min(Math.max(at, from), from + length);
  const isSmall = other.width < least || other.height < least;
  if (isSmall) {
    const [ox, oy] = [other.left + other.width / 2, other.top + other.height / 2];
    if (Math.hypot(x - ox, y - oy) < least) return false;
  }
  return Math.hypot(x - nearest(other.left, other.width, x), y - nearest(other.top, other.height, y)) >= least / 2;
};
return targets
  .filter((target) => !target.isInline && (target.width < least - .5 || target.height < least - .5))
  .filter((target) => targets.some((other) => other !== target && !other.element.contains(target.element)
    && !target.element.contains(other.element) && !apart(target, other)))
  .map(({ element, width, height }) => `${Math.round(width)} × ${Math.round(height)}: ${element.outerHTML.slice(0, 120)}`);
