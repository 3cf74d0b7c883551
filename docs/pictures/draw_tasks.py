#!/usr/bin/env python3
# draw_tasks.py - how long each task of a round takes, under several policies
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# draw_tasks.py --keep SIMULATION KEPT   takes what the picture needs out of
#                                        `evenkeel simulate --json --tasks`
# draw_tasks.py --draw KEPT [PICTURE]    the picture, as SVG
# draw_tasks.py --compare KEPT KEPT      exit status 1 where times differ by 3 %
#
# Knows: the phases of teams that repeat at the end of a run; a round is their
# average. Makes: a picture for light and dark pages, without scripts or fonts.
import json
import sys

PANELS = [("first-touch", "first touch"), ("hot-page", "hottest pages"),
          ("balanced", "the plan"), ("fast-only", "all data fast")]
WIDTH, PANEL, BAR, TOP = 820, 200, 13, 58


def keep(simulation):
    """Mean seconds of each task over the last half of the team phases."""
    kept = {"machine": simulation["machine"], "policies": {}}
    for policy in simulation["policies"]:
        if policy["name"] not in dict(PANELS):
            continue
        phases = {}
        for task in policy["tasks"]:
            phases.setdefault(task["phase"], {})[task["index"]] = task["seconds"]
        teams = [p for _, p in sorted(phases.items()) if len(p) > 1]
        last = teams[len(teams) // 2:]
        kept["policies"][policy["name"]] = {
            "makespan_s": float(f"{policy['makespan_s']:.4g}"),
            "task_ms": [round(1e3 * sum(p[k] for p in last) / len(last), 3)
                        for k in sorted(last[0])]}
    return kept


STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #24292f; }
  .big { font-size: 15px; font-weight: 600; }
  .soft { fill: #57606a; }
  .bar { fill: #7a9cc6; }
  .last { fill: #d9822b; }
  .edge { stroke: #24292f; stroke-dasharray: 3 3; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .soft { fill: #9198a1; }
    .bar { fill: #58779e; }
    .edge { stroke: #e6edf3; }
  }
"""


def draw(kept):
    policies = kept["policies"]
    first = policies["first-touch"]["makespan_s"]
    longest = max(max(p["task_ms"]) for p in policies.values())
    threads = len(policies["first-touch"]["task_ms"])
    height = TOP + threads * (BAR + 5) + 36
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
           f'width="{WIDTH}" height="{height}" role="img">',
           "<title>How long each thread takes in a round: first touch, hottest pages, "
           "the plan, all data fast</title>", f"<style>{STYLE}</style>"]
    for k, (name, title) in enumerate(PANELS):
        policy = policies[name]
        x, wide = 8 + k * (PANEL + 4), PANEL - 26
        against = 100 * policy["makespan_s"] / first
        out += [f'<text class="big" x="{x}" y="20">{title}</text>',
                f'<text class="soft" x="{x}" y="40">a round takes {max(policy["task_ms"]):.1f} ms</text>']
        end = max(policy["task_ms"])
        for t, ms in enumerate(policy["task_ms"]):
            y = TOP + t * (BAR + 5)
            kind = "last" if ms == end else "bar"
            out.append(f'<rect class="{kind}" x="{x}" y="{y}" width="{wide * ms / longest:.1f}" '
                       f'height="{BAR}"><title>thread {t}: {ms:.2f} ms</title></rect>')
        edge = x + wide * end / longest
        bottom = TOP + threads * (BAR + 5)
        out += [f'<line class="edge" x1="{edge:.1f}" y1="{TOP - 6}" x2="{edge:.1f}" y2="{bottom}"/>',
                f'<text class="soft" x="{x}" y="{bottom + 20}">whole run: '
                f'{against:.0f} %</text>']
    return "\n".join(out + ["</svg>", ""])


def compare(a, b):
    wrong = []
    for name, policy in a["policies"].items():
        for t, (x, y) in enumerate(zip(policy["task_ms"], b["policies"][name]["task_ms"])):
            if abs(x - y) > 0.03 * max(x, y):
                wrong.append(f"{name}, thread {t}: {x} ms and {y} ms")
    return wrong


def read(path):
    with open(path) as f:
        return json.load(f)


def main():
    what, *paths = sys.argv[1:]
    if what == "--keep":
        with open(paths[1], "w") as f:
            json.dump(keep(read(paths[0])), f, indent=1)
            f.write("\n")
    elif what == "--draw":
        picture = draw(read(paths[0]))
        if len(paths) > 1:
            with open(paths[1], "w") as f:
                f.write(picture)
        else:
            print(picture, end="")
    else:
        wrong = compare(read(paths[0]), read(paths[1]))
        print("\n".join(wrong) or "the same times")
        sys.exit(1 if wrong else 0)


main()
