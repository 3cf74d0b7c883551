#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""contexts.py REPORT PLAN: a plan for what the one allocation of contexts.*
makes through inner, called by outer, called by quick; and for nothing else."""
import json
import sys

MASK = (1 << 64) - 1


def mix(h, i):
    """splitmix64, chained (Steele, Lea and Flood, 2014), as the runtime does"""
    h = ((h ^ i) + 0x9E3779B97F4A7C15) & MASK
    h = ((h ^ (h >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    h = ((h ^ (h >> 27)) * 0x94D049BB133111EB) & MASK
    return h ^ (h >> 31)


ids = {}
for f in json.load(open(sys.argv[1]))["findings"]:
    if "id" in f and f["kind"] in ("site", "wrapper-call"):
        ids[f["kind"], f["function"]] = int(f["id"], 16)
site = ids["site", "inner"]
context = mix(mix(site, ids["wrapper-call", "outer"]),
              ids["wrapper-call", "quick"])
json.dump({
    "schema": "evenkeel.plan/1", "program": "0" * 16, "planner": "balanced",
    "model": "overlap", "machine": "test", "fast_bytes": 1 << 30,
    "keeps_first_touch": False, "base_input": "",
    "objects": [{"site": "%016x" % site, "at": "contexts:1:1",
                 "context": "%016x" % context, "share": 1.0, "ranges": [],
                 "predicted_bytes": 70000, "gain_s": 0.0, "reason": "test"}],
    "predicted": {"makespan_s": 1.0, "phases": []},
    "replan": {}, "assumed": [],
}, open(sys.argv[2], "w"))
