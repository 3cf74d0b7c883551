#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""library_plan.py INVENTORY PLAN [machine=NAME] [keep] [moves] SITE=SHARE...

A plan for sites of the inventory. SITE is a function, or `file` for variables,
or FUNCTION:N for its N-th site, or `all`.
"""
import collections
import json
import sys

ids, seen = {}, collections.Counter()
for line in open(sys.argv[1]):
    fields = line.split()
    if fields[0].startswith("region") or fields[0].startswith("sync"):
        continue
    seen[fields[2]] += 1
    ids.setdefault(fields[2], fields[3])
    ids[f"{fields[2]}:{seen[fields[2]]}"] = fields[3]


def entry(site, share):
    return {"site": ids[site], "at": "a.c:1:1", "share": share, "ranges": [],
            "predicted_bytes": 1 << 20, "gain_s": 0.0, "reason": "test"}


words = sys.argv[3:]
values = dict(word.split("=") for word in words if "=" in word)
machine = values.pop("machine", "hbm-ddr5")
if "all" in values:
    share = values.pop("all")
    values = {site: share for site in ids if ":" in site}
ROOM = 1 << 19  # that the plan leaves
objects = [entry(site, float(share)) for site, share in values.items()]
reserved = int(sum(o["share"] * o["predicted_bytes"] for o in objects))
json.dump({
    "schema": "evenkeel.plan/1", "program": "0" * 16, "planner": "balanced",
    "model": "overlap", "machine": machine,
    "fast_bytes": reserved + ROOM, "reserved_bytes": reserved,
    "keeps_first_touch": "keep" in words, "base_input": "", "objects": objects,
    "changes": [{"phase": 1, "objects": objects[:1]}] if "moves" in words else [],
    "predicted": {"makespan_s": 1.0, "phases": []}, "replan": {}, "assumed": [],
}, open(sys.argv[2], "w"))
