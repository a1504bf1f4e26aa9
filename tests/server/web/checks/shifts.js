// By how much what a page shows has moved while it was loaded (cumulative layout shift).
const done = arguments[arguments.length - 1];
let sum = 0;
const add = (list) => { for (const shift of list) if (!shift.hadRecentInput) sum += shift.value; };
const observer = new PerformanceObserver((list) => add(list.getEntries()));
observer.observe({ type: 'layout-shift', buffered: true });
requestAnimationFrame(() => requestAnimationFrame(() => { add(observer.takeRecords()); done(sum); }));
