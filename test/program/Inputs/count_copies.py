#!/usr/bin/env python3
"""count_copies.py - formulas of a program of several units, task by task.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Arguments: the folder of utils/lib, facts, a profile. Prints per site what its
formulas say, all of which must be exact, and any task that did something else.
"""
import json
import sys

sys.path.insert(0, sys.argv[1])
import count_formulas  # noqa: E402
import kernel_counts  # noqa: E402

facts = json.load(open(sys.argv[2]))
profile = json.loads(json.dumps(kernel_counts.read_profile(sys.argv[3])))
program = count_formulas.Formulas(facts)
groups = [{s["id"]} for s in facts["sites"]]
for row in facts["accesses"]:  # sites that a row names together
    mine = [g for g in groups if g & set(row["sites"])]
    if mine:
        groups = [g for g in groups if g not in mine] + [set().union(*mine)]
for group in sorted(groups, key=lambda g: sorted(
        s["at"] for s in facts["sites"] if s["id"] in g)):
    rows = [r for r in facts["accesses"] if group & set(r["sites"])]
    assert all(r["exact"] for r in rows), rows
    said = program.of_tasks(rows, profile)
    seen = dict.fromkeys(said, 0)
    for site in group:
        for task, n in profile["counts"].get(site, {}).items():
            region = profile["tasks"].get(task, [None])[0]
            kind = program.regions.get(region, {"kind": "serial"})["kind"]
            task = count_formulas.NO_TASK if kind == "serial" else int(task)
            seen[task] = seen.get(task, 0) + n
    print(", ".join(sorted(s["at"] for s in facts["sites"]
                           if s["id"] in group)) + ":",
          sum(said.values()), "accesses in", len(said), "tasks")
    for task in sorted(seen):
        if seen[task] != said.get(task, 0):
            print(f"  task {task}: {said.get(task, 0)} by formula, "
                  f"{seen[task]} recorded")
