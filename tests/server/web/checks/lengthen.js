// Turns the page round and makes each word longer by two fifths, as other languages do.
document.documentElement.dir = 'rtl';
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const isWords = (node) => !node.parentElement.closest('script, style, textarea, template, code, pre, .mono, kbd, .net, .cmd');
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  if (isWords(node)) node.data = node.data.replace(/\p{L}{2,}/gu, (word) => word + word.slice(0, Math.ceil(word.length * .4)));
}
