#!/usr/bin/env python3
"""Draws what `scheduler demo` has printed, as an SVG.

    scheduler demo 2>&1 | scripts/demo-picture.py > docs/images/demo.svg

The lines are the command's own. Left out are its log, and the lines that say how each target goes
on but for the first and the last few; the column of links is cut, so that the picture fits a page.
"""

import re
import sys
from html import escape
from itertools import takewhile

COMMAND = "cargo run --release -- demo"
LOG = re.compile(r"\d{4}-\d\d-\d\dT\S+ +[A-Z]+ ")
LINK_WIDTH = 56
LINES_BEFORE, LINES_AFTER = 10, 3
SIZE, LINE_HEIGHT, CHARACTER, MARGIN, TOP = 13, 19, 7.83, 18, 44

COLOURS = [
    (re.compile(r"\b(published|verified)\b"), "good"),
    (re.compile(r"\b(failed|refused)\b"), "bad"),
    (re.compile(r"\b(pending|publishing)\b"), "wait"),
    (re.compile(r"https?://\S+"), "link"),
]


def cut_links(table):
    """Cuts the column LINK of a table to its width."""
    start, end = table[0].index("LINK"), table[0].index("FILE")
    if end - start <= LINK_WIDTH + 2:
        return table
    cut = []
    for line in table:
        link = line[start:end].rstrip()
        if len(link) > LINK_WIDTH:
            link = link[: LINK_WIDTH - 1] + "…"
        cut.append(line[:start] + link.ljust(LINK_WIDTH + 2) + line[end:])
    return cut


def pieces(line):
    """The pieces of a line: where each begins, its text, and its colour on a terminal."""
    marks = {0: "", len(line): ""}
    for match in re.finditer(r"(?<=  )\S", line):
        marks[match.start()] = ""
    for pattern, name in COLOURS:
        for match in pattern.finditer(line):
            marks[match.start()] = name
            marks.setdefault(match.end(), "")
    starts = sorted(marks)
    return [(start, line[start:end], marks[start]) for start, end in zip(starts, starts[1:])]


def coloured(line):
    """A line as SVG text; each piece has its place, since fonts are not equally wide."""
    spans = ""
    for start, text, name in pieces(line):
        kind = f' class="{name}"' if name else ""
        x = MARGIN + start * CHARACTER
        spans += f'<tspan x="{x:.1f}"{kind}>{escape(text, quote=False)}</tspan>'
    return spans


def draw(lines):
    columns = max(len(line) for line in lines)
    width = round(columns * CHARACTER + 2 * MARGIN)
    height = TOP + LINE_HEIGHT * len(lines) + MARGIN
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="title">'
    )
    yield '<title id="title">What scheduler demo prints: a published post and a verified event for each network</title>'
    yield (
        "<style>text{font:%dpx ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d6deeb;"
        "white-space:pre}.head{fill:#8b9bb4}.good{fill:#7fdb8a}.bad{fill:#ff7b72}.wait{fill:#e2c08d}"
        ".link{fill:#79b8ff}</style>" % SIZE
    )
    yield f'<rect width="{width}" height="{height}" rx="8" fill="#0f1726"/>'
    for number, colour in enumerate(["#ff5f57", "#febc2e", "#28c840"]):
        yield f'<circle cx="{MARGIN + 4 + 18 * number}" cy="18" r="5.5" fill="{colour}"/>'
    for number, line in enumerate(lines):
        y = TOP + LINE_HEIGHT * number + SIZE
        kind = ' class="head"' if line.lstrip().startswith(("NETWORK ", "$ ", "⋮")) else ""
        yield f'<text y="{y}"{kind} xml:space="preserve">{coloured(line)}</text>'
    yield "</svg>"


def main():
    lines = [line.rstrip() for line in sys.stdin.read().splitlines()]
    head = next((n for n, line in enumerate(lines) if line.lstrip().startswith("NETWORK ")), None)
    if head is None:
        sys.exit("what was read is not what `scheduler demo` prints: there is no table")
    begin = next((n for n, line in enumerate(lines) if line.startswith("server ")), 0)
    before = [line for line in lines[begin:head] if not LOG.match(line)]
    table = list(takewhile(bool, (line for line in lines[head:] if not LOG.match(line))))
    if len(before) > LINES_BEFORE + LINES_AFTER:
        before = before[:LINES_BEFORE] + [" ⋮"] + before[-LINES_AFTER:]
    print("\n".join(draw([f"$ {COMMAND}", *before, "", *cut_links(table)])))


if __name__ == "__main__":
    main()
