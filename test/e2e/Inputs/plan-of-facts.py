# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""plan-of-facts.py FACTS PLAN [KIND]: a plan that puts half of every site (of
that kind) into fast memory."""
import json
import sys

objects = [
    {"site": site["id"], "at": site["at"], "creator": None, "ordinal": None,
     "share": 0.5, "ranges": [], "predicted_bytes": 1000, "gain_s": 0.0,
     "reason": "test"}
    for site in json.load(open(sys.argv[1]))["sites"]
    if len(sys.argv) < 4 or site["kind"] == sys.argv[3]
]
json.dump({"schema": "evenkeel.plan/1", "program": "0" * 16,
           "planner": "balanced", "model": "overlap", "machine": "test",
           "fast_bytes": 100, "keeps_first_touch": False, "base_input": "",
           "objects": objects, "predicted": {"makespan_s": 1.0, "phases": []},
           "replan": {}, "assumed": []}, open(sys.argv[2], "w"))
