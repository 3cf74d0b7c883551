#!/usr/bin/env python3
"""context_ids.py FACTS REPORT - contexts of facts.json have the run time's ids

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

REPORT is the rewriter's, whose ids of wrapper calls the run time chains.
"""
import json
import sys

MASK = (1 << 64) - 1


def mix(h, i):
    """splitmix64, chained (Steele, Lea and Flood, 2014), as the run time does"""
    h = ((h ^ i) + 0x9E3779B97F4A7C15) & MASK
    h = ((h ^ (h >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    h = ((h ^ (h >> 27)) * 0x94D049BB133111EB) & MASK
    return h ^ (h >> 31)


calls = {f["at"]: int(f["id"], 16) for f in json.load(open(sys.argv[2]))["findings"]
         if f["kind"] == "wrapper-call"}
equal = 0
for site in json.load(open(sys.argv[1]))["sites"]:
    for context in site.get("contexts", []):
        h = int(site["id"], 16)
        for call in context["calls"]:
            h = mix(h, calls[call])
        if "%016x" % h != context["id"]:
            sys.exit("%s: %s, not %016x" % (context["calls"], context["id"], h))
        equal += 1
print("%d contexts with equal ids" % equal)
