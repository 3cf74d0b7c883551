#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""plan.py INVENTORY PLAN [keep]: a plan for the sites of plan.c's inventory."""
import json
import sys

ids = {}
for line in open(sys.argv[1]):
    fields = line.split()
    ids[fields[2]] = fields[3]


def entry(site, creator, share, size):
    return {"site": site, "at": "plan.c:1:1", "creator": creator,
            "ordinal": None, "share": share, "ranges": [],
            "predicted_bytes": size, "gain_s": 0.0, "reason": "test"}


plan = {
    "schema": "evenkeel.plan/1", "program": "0" * 16, "planner": "balanced",
    "model": "overlap", "machine": "test", "fast_bytes": 100,
    "keeps_first_touch": "keep" in sys.argv, "base_input": "",
    # Two instances, weighted by size: (0.2*100 + 0.6*300) / 400 = 50 %.
    "objects": [entry(ids["hot"], 0, 0.2, 100), entry(ids["hot"], 1, 0.6, 300),
                entry(ids["cold"], None, 0.374, 50)],
    "predicted": {"makespan_s": 1.0, "phases": []},
    "replan": {}, "assumed": [],
}
if "other" in sys.argv:
    plan["objects"] = [entry("00000000000000aa", None, 0.5, 10)]
if "partly" in sys.argv:
    plan["objects"].append(entry("00000000000000aa", None, 0.5, 10))
json.dump(plan, open(sys.argv[2], "w"))
