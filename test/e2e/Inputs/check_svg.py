# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_svg.py DATA PICTURE...: each picture is one well-formed SVG that needs
# nothing but itself, is drawn within its borders, and shows the figures of DATA,
# which `report --json` printed.
import json
import re
import sys
import xml.etree.ElementTree as tree

NS = "{http://www.w3.org/2000/svg}"
data = json.load(open(sys.argv[1]))
time, size = data["meta"]["units"]["time"], data["meta"]["units"]["size"]


def three(x):
    """As the report writes numbers."""
    return f"{x:.0f}" if x >= 99.95 else f"{x:.1f}" if x >= 9.995 else f"{x:.2f}" if x >= 0.9995 else f"{x:.3f}"


def amount(x, unit):
    return three(x * unit["factor"]) + "\u00a0" + unit["name"] if x else "0\u00a0" + unit["name"]


def numbers(e, *names):
    return [float(e.get(n, 0)) for n in names]


for path in sys.argv[2:]:
    text = open(path, encoding="utf-8").read()
    root = tree.fromstring(text)
    left, top, width, height = (float(x) for x in root.get("viewBox").split())
    assert not list(root.iter(NS + "script")) and not list(root.iter(NS + "image")), path
    assert set(re.findall(r"https?://[^'\"\s)]+", text)) == {"http://www.w3.org/2000/svg"}, path
    assert "@import" not in text and "prefers-color-scheme:dark" in text, path
    title, says = (root.find(NS + n) for n in ("title", "desc"))
    assert root.get("aria-labelledby").split() == [title.get("id"), says.get("id")], path
    assert title.text and says.text and not re.search("nan|inf(?!o)", text), path
    for e in root.iter(NS + "rect"):
        x, y, w, h = numbers(e, "x", "y", "width", "height")
        assert x >= left and y >= top and x + w <= left + width + 0.1 and y + h <= top + height + 0.1, (path, e.attrib)
    for e in root.iter(NS + "text"):
        x, y = numbers(e, "x", "y")
        assert left <= x <= left + width and top < y < top + height, (path, e.attrib)
    shown = "\n".join(e.text for e in root.iter(NS + "text"))
    if path.endswith("-tasks.svg"):
        runs = ["first_touch"] + ([] if data["meta"]["keeps_first_touch"] else ["plan"])
        assert title.text == data["headlines"]["tasks"], path
        for run in runs:
            assert amount(data[run]["makespan"], time) in shown, (path, run)
            for n, g in enumerate(data[run]["groups"]):
                assert amount(g["s"], time) in says.text, (path, run, n)
        # One bar a lane, as long as the lane works.
        scale = (width - 24 - 56 - 16) / max(data[r]["makespan"] for r in runs)
        bars = sorted(float(e.get("width")) for e in root.iter(NS + "rect") if e.get("class") in ("touch", "fast", "hot"))
        busy = sorted(b * scale for r in runs for g in data[r]["groups"] if not g["bars"] for b in g["busy"])
        busy = [b for b in busy if b >= 0.005]
        if not any(g["bars"] for r in runs for g in data[r]["groups"]):
            assert abs(len(bars) - len(busy)) <= 2 and abs(sum(bars) - sum(busy)) < 0.01 * len(bars) + 0.5, (path, sum(bars), sum(busy))
    elif path.endswith("-occupancy.svg"):
        assert title.text == data["headlines"]["occupancy"], path
        for figures in data["occupancy"]:
            for x in figures[:2 if data["meta"]["keeps_first_touch"] else 3]:
                assert amount(x, size) in says.text, (path, x)
    else:
        assert path.endswith("-amounts.svg") and title.text == data["headlines"]["amount"], path
        points = [e for e in root.iter(NS + "circle") if e.get("class") in ("touch", "fast")]
        assert len(points) == 2 * len(data["amounts"]), path
        for x in data["amounts"]:
            assert f"With {amount(x[0], size)} of fast memory: first touch {amount(x[1], time)}, plan {amount(x[2], time)}" in says.text, (path, x)
