"""What a browser measures of the pages, on a slow machine and a slow line."""

import json
import time

from browser import Browser

# The slow machine and line of the budgets: four times slower, 1.6 Mbit/s.
SLOWER, BYTES_A_SECOND = 4, 200_000
TYPED = 5_000
KEYS = 60
CHANGES = 120
PAGES = """calendar/2031-05 calendar/2031-W20 calendar/2031-05-14 calendar/list compose approvals inbox
media accounts accounts/connect figures figures/posts figures/times activity/now activity/deliveries
activity/webhooks activity/keys activity/log settings settings/server start more""".split()

OBSERVE = """
window.seen = { shift: 0, paint: 0, took: [], gap: 0 };
const on = (type, take, more) => new PerformanceObserver((list) => list.getEntries().forEach(take))
  .observe({ type, buffered: true, ...more });
on('layout-shift', (each) => { if (!each.hadRecentInput) seen.shift += each.value; });
on('largest-contentful-paint', (each) => { seen.paint = each.startTime; });
on('event', (each) => { if (each.interactionId) seen.took.push(each.duration); }, { durationThreshold: 16 });
let last = 0;
const frame = (now) => { if (last) seen.gap = Math.max(seen.gap, now - last); last = now; requestAnimationFrame(frame); };
window.watch = () => { last = 0; seen.gap = 0; seen.took = []; requestAnimationFrame(frame); };
"""


class Traces:
    """A browser in which the owner of a server is signed in."""

    def __init__(self, server):
        self.server, self.base = server, f"http://{server.host}"
        self.browser = Browser()
        self.browser.tools("Page.addScriptToEvaluateOnNewDocument", source=OBSERVE)
        self.browser.sign_in(server)

    def at(self, path):
        return f"{self.base}/w/default/{path}"

    def slow(self, times, speed):
        self.browser.tools("Emulation.setCPUThrottlingRate", rate=times)
        self.browser.tools("Network.enable")
        self.browser.tools(
            "Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=speed, uploadThroughput=speed
        )

    def seen(self, name):
        """What the page has observed, once it has been painted."""
        self.browser.run_until_done("const done = arguments[0]; requestAnimationFrame(() => setTimeout(done, 300))")
        return self.browser.run(f"return seen.{name}")

    def paints(self, path):
        """Milliseconds until the largest thing of a page is painted, first and from the cache."""
        self.slow(SLOWER, BYTES_A_SECOND)
        self.browser.tools("Network.clearBrowserCache")
        times = []
        for _ in range(2):
            self.browser.open("about:blank")
            self.browser.open(self.at(path))
            times.append(self.seen("paint"))
        self.slow(1, -1)
        return times

    def shifts_and_requests(self):
        """Of every page by how much it moves, and how many requests it takes without pictures. Its modules
        stand in its head, so that they come at once: they count as one."""
        self.browser.events()
        for path in PAGES:
            self.browser.tools("Network.clearBrowserCache")
            self.browser.open(self.at(path))
            shift = self.seen("shift")
            asked = [event["params"] for event in self.browser.events("Network.requestWillBeSent")]
            urls = {each["request"]["url"].split("?")[0] for each in asked if each.get("type") != "Image"}
            kept = [url for url in urls if url.startswith(self.base) and "/events" not in url and "/logo-" not in url]
            modules = [url for url in kept if url.endswith(".js")]
            yield path, shift, len(kept) - max(len(modules) - 1, 0)

    def late(self):
        """The time below which 95 of 100 interactions stay, which the browser counts from 16 ms on, and the
        longest time between two pictures of the screen."""
        took, gap = self.seen("took"), self.browser.run("return seen.gap")
        return sorted(took)[int(len(took) * 0.95)] if took else 16, gap

    def typing(self):
        self.browser.open(self.at("compose"))
        self.browser.run(
            "const field = document.getElementById('content'); field.value = arguments[0]; field.focus();",
            "Bread, cake and the morning. " * (TYPED // 29),
        )
        self.browser.tools("Emulation.setCPUThrottlingRate", rate=SLOWER)
        self.browser.run("watch()")
        for number in range(KEYS):
            letter = "bakery "[number % 7]
            self.browser.tools("Input.dispatchKeyEvent", type="keyDown", key=letter, text=letter)
            self.browser.tools("Input.dispatchKeyEvent", type="keyUp", key=letter)
            time.sleep(0.05)
        late = self.late()
        self.browser.tools("Emulation.setCPUThrottlingRate", rate=1)
        return late

    def dragging(self, path):
        self.browser.open(self.at(path))
        card = self.browser.run(
            "const box = document.querySelector('.card.movable').getBoundingClientRect(); return [box.x + 20, box.y + 8];"
        )
        self.browser.tools("Emulation.setCPUThrottlingRate", rate=SLOWER)
        self.browser.run("watch()")

        def mouse(kind, x, y, buttons):
            self.browser.tools(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=buttons, clickCount=1
            )

        for _ in range(10):
            mouse("mousePressed", *card, 1)
            for step in range(30):
                mouse("mouseMoved", card[0] + 25 * step, card[1] + 15 * step, 1)
            # Back to where it was: nothing is moved.
            mouse("mouseMoved", *card, 1)
            mouse("mouseReleased", *card, 0)
        late = self.late()
        self.browser.tools("Emulation.setCPUThrottlingRate", rate=1)
        return late

    def heap(self):
        """MB of what scripts hold, after what nobody holds is gone."""
        self.browser.tools("HeapProfiler.collectGarbage")
        self.browser.tools("Performance.enable")
        metrics = self.browser.tools("Performance.getMetrics")["metrics"]
        return next(each["value"] for each in metrics if each["name"] == "JSHeapUsedSize") / 1e6

    def growth(self, path, ids):
        """By how many MB a page grows while it is told of so many changes and shows each."""
        self.browser.open(self.at(path))
        self.browser.wait("the cards", f"return document.querySelector('.card[data-id=\"{ids[0]}\"]') !== null")
        before = self.heap()
        headers = {"Authorization": f"Bearer {self.server.key}", "Content-Type": "application/json"}
        for number in range(CHANGES):
            text = f"Changed for the time {number}"
            body = json.dumps({"content": text})
            self.server.ask("PATCH", f"/v1/posts/{ids[number % len(ids)]}", body, **headers)
            self.browser.wait(text, f"return document.getElementById('grid').textContent.includes('{text}')")
        return self.heap() - before

    def stop(self):
        self.browser.stop()
