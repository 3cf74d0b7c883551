#!/usr/bin/env python3
# draw_rooms.py - the rooms of the tree and which of them use which
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# draw_rooms.py [--check] [PICTURE]     PICTURE: docs/pictures/rooms.svg
# Knows: the rooms and their order (ROOMS of utils/lib/check_arrows.py), the
# includes and calls that are there, and what each room is for (the tables of
# docs/explanation/architecture.md).
# Makes: a picture for light and dark pages, without scripts or fonts. --check
# writes nothing and says with exit status 1 whether the picture is out of date
# or a room has no line in the tables.
import html
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "utils", "lib"))
import check_arrows  # noqa: E402

PAGE = os.path.join(ROOT, "docs", "explanation", "architecture.md")
COLUMNS = ["passes", "rewriter", "profiles", "runtime"]
WIDTH, GAP, BOX, STEP, GUTTER = 1000, 12, 38, 46, 30
COLUMN = (WIDTH - GAP * (len(COLUMNS) + 1)) // len(COLUMNS)
ROW = 6  # rooms of utils side by side, above the other folders

STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #24292f; }
  .top { font-size: 16px; font-weight: 600; }
  .room { font-size: 13px; font-weight: 600; }
  .soft { fill: #57606a; font-size: 11px; }
  .house { fill: none; stroke: #8c959f; }
  .box { fill: #eaf0f7; stroke: #7a9cc6; }
  .use { fill: none; stroke: #57606a; stroke-width: .8; opacity: .55; }
  .head { fill: #57606a; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .soft { fill: #9198a1; }
    .house { stroke: #6e7681; }
    .box { fill: #1c2733; stroke: #58779e; }
    .use { stroke: #9198a1; }
    .head { fill: #9198a1; }
  }
"""


def words_of_rooms():
    """What each room is for, by (top folder, room), from the page's tables."""
    words, top = {}, None
    with open(PAGE, encoding="utf-8") as f:
        for line in f:
            if m := re.match(r"#+ .*`(\w+)/`", line):
                top = m.group(1)
            elif top and (m := re.match(r"\| `([\w/.]+?)/?` \| ([^|]+) \|", line)):
                words[top, m.group(1)] = re.sub(r"[`*]", "", m.group(2)).strip()
    return words


def uses():
    """Of each room the rooms that it uses: {(top, room): {(top, room)}}."""
    files = check_arrows.read_tree(ROOT)
    found = {}
    for a in set(check_arrows.includes(files)) | set(check_arrows.calls(files)):
        one, two = check_arrows.split(a.source), check_arrows.split(a.target)
        if one[1] is not None and two[1] is not None and one != two:
            found.setdefault(one, set()).add(two)
    return found


def from_the_top(top):
    """The rooms of a top folder, each above all that it may use."""
    rooms = check_arrows.ROOMS[top]
    left, order = list(rooms), []
    while left:
        room = next(r for r in left if not any(r in rooms[o].split() for o in left if o != r))
        order.append(room)
        left.remove(room)
    return order


def text(x, y, style, words, width=None):
    fit = "" if width is None or len(words) * 6 <= width else f' textLength="{width}" lengthAdjust="spacingAndGlyphs"'
    return f'<text class="{style}" x="{x}" y="{y}"{fit}>{html.escape(words)}</text>'


def box(x, y, width, top, room, words):
    name = top + "/" if room == "." else room if room.endswith(".h") else room + "/"
    return [f'<rect class="box" x="{x}" y="{y}" width="{width}" height="{BOX}" rx="4">'
            f"<title>{html.escape(f'{top}/{room}: {words}')}</title></rect>",
            text(x + 8, y + 16, "room", name), text(x + 8, y + 31, "soft", words, width - 16)]


def arc(x, one, two, steps):
    """From the box at height one to the lower box at height two, past `steps` boxes."""
    out = x + min(GUTTER - 6, 6 + 3 * steps)
    return [f'<path class="use" d="M{x},{one} C{out},{one} {out},{two} {x + 5},{two}"/>',
            f'<path class="head" d="M{x},{two} l5,-2.5 v5 z"/>']


def others(top, found):
    """What the rooms of a top folder use of the other top folders, in words."""
    used = {}
    for (one, _), targets in found.items():
        for two, room in targets if one == top else ():
            if two != top:
                used.setdefault(two, set()).add("its top" if room == "." else room)
    return [f"{two}: {', '.join(sorted(used[two]))}" for two in sorted(used)]


def wrapped(line, columns):
    out = [""]
    for word in line.split():
        if len(out[-1]) + len(word) + 1 > columns and out[-1]:
            out.append("   ")
        out[-1] += (" " if out[-1].strip() else "") + word
    return out


def band():
    """Height of the band of utils."""
    return 44 + STEP * -(-len(check_arrows.ROOMS["utils"]) // ROW)


def column(k, top, words, found):
    x, y = GAP + k * (COLUMN + GAP), band() + 2 * GAP
    order = from_the_top(top)
    width = COLUMN - GUTTER - 16
    out = [text(x + 8, y + 22, "top", top + "/")]
    at = {room: y + 34 + n * STEP for n, room in enumerate(order)}
    for room in order:
        out += box(x + 8, at[room], width, top, room, words.get((top, room), ""))
    edge = x + 8 + width
    for room in order:
        for two, target in sorted(found.get((top, room), ())):
            if two == top and target in at:
                steps = order.index(target) - order.index(room)
                out += arc(edge, at[room] + BOX / 2 + 4, at[target] + BOX / 2 - 4, steps)
    down = y + 34 + len(order) * STEP + 8
    lines = others(top, found)
    if lines:
        out.append(text(x + 8, down + 4, "soft", "uses of other folders:"))
    for line in lines:
        for part in wrapped(line, 36):
            down += 15
            out.append(text(x + 8, down + 4, "soft", part))
    return out, down + 16


def draw():
    words, found = words_of_rooms(), uses()
    out, ends = [], []
    for k, top in enumerate(COLUMNS):
        drawn, end = column(k, top, words, found)
        out += drawn
        ends.append(end)
    low = max(ends)
    for k in range(len(COLUMNS)):
        x = GAP + k * (COLUMN + GAP)
        out.insert(0, f'<rect class="house" x="{x}" y="{band() + 2 * GAP}" width="{COLUMN}" '
                      f'height="{low - band() - 2 * GAP}" rx="6"/>')
    out += [f'<rect class="house" x="{GAP}" y="{GAP}" width="{WIDTH - 2 * GAP}" height="{band()}" rx="6"/>',
            text(GAP + 8, GAP + 22, "top", "utils/"),
            text(GAP + 70, GAP + 22, "soft", "may use all others; nothing uses it")]
    wide = (WIDTH - 2 * GAP - 16 - 8 * (ROW - 1)) // ROW
    for n, room in enumerate(from_the_top("utils")):
        out += box(GAP + 8 + n % ROW * (wide + 8), GAP + 36 + n // ROW * STEP, wide, "utils", room,
                   words.get(("utils", room), ""))
    height = low + GAP
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
                      f'width="{WIDTH}" height="{height}" role="img">',
                      "<title>The rooms of the tree: passes, rewriter, profiles and runtime side by side, "
                      "utils above them; in each folder upper rooms use lower ones</title>",
                      f"<style>{STYLE}</style>", *out, "</svg>", ""])


def main():
    args = [a for a in sys.argv[1:] if a != "--check"]
    path = args[0] if args else os.path.join(ROOT, "docs", "pictures", "rooms.svg")
    picture = draw()
    if "--check" not in sys.argv[1:]:
        with open(path, "w", encoding="utf-8") as f:
            f.write(picture)
        return
    wrong = []
    words = words_of_rooms()
    for top, rooms in check_arrows.ROOMS.items():
        wrong += [f"{top}/{room} has no line in docs/explanation/architecture.md"
                  for room in rooms if (top, room) not in words]
        wrong += [f"docs/explanation/architecture.md: {top}/{room} does not exist"
                  for one, room in words if one == top and not os.path.exists(os.path.join(ROOT, top, room))]
    with open(PAGE, encoding="utf-8") as f:
        named = re.findall(r"`((?:passes|profiles|rewriter|runtime|utils|docs)/[\w/.-]*)`", f.read())
    wrong += [f"docs/explanation/architecture.md: {name} does not exist"
              for name in named if not os.path.exists(os.path.join(ROOT, name))]
    with open(path, encoding="utf-8") as f:
        if f.read() != picture:
            wrong.append("docs/pictures/rooms.svg is out of date: run docs/pictures/draw_rooms.py")
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
