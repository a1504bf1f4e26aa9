// What can be used and has not had the focus.
const seen = window.focusOrder ?? new Map();
const left = [];
const groups = new Set([...seen.keys()].filter((each) => each.type === 'radio').map((each) => each.name));
for (const each of document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]')) {
  if (each.disabled || each.tabIndex < 0 || seen.has(each) || window.focusSeen?.has(each.outerHTML)) continue;
  if (!each.checkVisibility({ visibilityProperty: true })) continue;
  if (each.type === 'radio' && groups.has(each.name)) continue;
  left.push(each.outerHTML.slice(0, 120));
}
return left;
