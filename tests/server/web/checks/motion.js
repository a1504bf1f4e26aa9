// What would move: animations and transitions that take longer than the eye sees.
const seconds = (text) => Math.max(...text.split(',').map((each) => parseFloat(each) * (each.trim().endsWith('ms') ? .001 : 1)));
const moving = [];
for (const element of document.querySelectorAll('*')) {
  for (const part of ['', '::before', '::after']) {
    const style = getComputedStyle(element, part);
    const animates = style.animationName !== 'none' && seconds(style.animationDuration) > .002;
    const changes = style.transitionProperty !== 'none' && seconds(style.transitionDuration) > .002;
    if (animates || changes || style.scrollBehavior === 'smooth') moving.push(`${element.outerHTML.slice(0, 80)}${part}`);
  }
}
return moving;
