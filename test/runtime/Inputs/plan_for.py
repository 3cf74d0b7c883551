#!/usr/bin/env python3
# plan_for.py FACTS STACKS OUT SITE=SHARE...: a plan by coordinates
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# SITE is file:line, or file:line<file:line for the blocks from that call of a
# wrapper. All other sites of the facts lie in the slow tier.
import json
import sys

facts, stacks, out, *wishes = sys.argv[1:]
sites = json.load(open(facts))["sites"]


def line(at):
    return at.rsplit(":", 1)[0]


objects = []
for wish in wishes:
    where, share = wish.split("=")
    where, _, call = where.partition("<")
    (site,) = [s for s in sites if line(s["at"]) == where]
    entry = {"site": site["id"], "at": site["at"], "creator": None, "ordinal": None,
             "share": float(share), "ranges": [], "gain_s": 1, "reason": "asked for"}
    if call:
        (entry["context"],) = [c["id"] for c in site["contexts"]
                               if [line(x) for x in c["calls"]] == [call]]
    objects.append(entry)
json.dump({"schema": "evenkeel.plan/1", "program": json.load(open(stacks))["program"],
           "planner": "p", "model": "m", "machine": "x", "fast_bytes": 0, "base_input": "",
           "objects": objects, "predicted": {"makespan_s": 0, "phases": []}}, open(out, "w"))
