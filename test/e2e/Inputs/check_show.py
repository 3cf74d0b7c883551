# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_show.py TEXT DATA WIDTH [ascii]: what `evenkeel show` draws is no wider
# than WIDTH and has the figures of DATA, which `show --json` prints.
import json
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
data, width = json.load(open(sys.argv[2])), int(sys.argv[3])
works, waits = ("#", ".") if sys.argv[4:] else ("█", "·")
if sys.argv[4:]:
    assert text.isascii()
body, commands = text.split("\nnext: ")
for line in body.splitlines():
    assert len(line) <= width and line == line.rstrip() and "\x1b" not in line, (len(line), line)


def plain(text):
    for a, b in (("\u00a0", " "), ("\u2212", "-"), ("\u00b5", "u")):
        text = text.replace(a, b)
    return " ".join(text.split())


assert plain(data["headlines"]["gain"]) in plain(body)

factor = data["meta"]["units"]["time"]["factor"]


def three(x):
    return f"{x:.0f}" if x >= 99.95 else f"{x:.1f}" if x >= 9.995 else f"{x:.2f}" if x >= 0.9995 else f"{x:.3f}" if x else "0"


runs = ["first_touch"] if data["meta"]["keeps_first_touch"] else ["first_touch", "plan"]
groups = data["groups"]
slowest = sorted(range(len(groups)), key=lambda g: (-data["first_touch"]["groups"][g]["s"], g))[:5]
slowest = [g for g in slowest if data["first_touch"]["groups"][g]["s"] > 0.01 * data["first_touch"]["makespan"]]
kinds = re.split(r"^(?=\d+  )", body, flags=re.M)[1:]
assert [int(k.split()[0]) - 1 for k in kinds] == slowest, (slowest, [k.split("\n")[0] for k in kinds])
for g, kind in zip(slowest, kinds):
    lines = kind.splitlines()
    assert groups[g]["name"][:width - 4] in lines[0], lines[0]
    spans = [data[r]["groups"][g]["s"] * factor for r in runs]
    assert all(three(s) in lines[1] for s in spans), (spans, lines[1])
    rows = [l for l in lines[2:] if re.match(r"   (task|worker|rank)", l)]
    assert rows, kind
    for row, busy in zip(rows, zip(*(data[r]["groups"][g]["busy"] for r in runs))):
        figures = [float(x) for x in re.findall(r"(?<= )\d+(?:\.\d+)?(?=\*?(?: |$))", row[14:])]
        assert figures == [float(three(b * factor)) for b in busy], (figures, busy)
        # The first bar is as long as the first touch works and waits.
        bar = re.search(f"[{works}{waits}]+", row[11:]).group(0)
        share = busy[0] / data["first_touch"]["groups"][g]["s"]
        if not data["first_touch"]["groups"][g]["bars"]:
            assert abs(bar.count(works) / len(bar) - share) <= 1.01 / len(bar), (bar, share)

if data["objects"]:
    table = body[body.index("\nobject "):].splitlines()[2:]
    for o in data["objects"]:
        line = next(l for l in table if l.startswith((o["name"] or o["at"])[:7]))
        assert f"{o['share'] * 100:.0f} %" in line and (o["at"].rpartition(":")[2] + " ") in line, line
    assert "shade: how often each line moves" in body
