#!/usr/bin/env python3
"""contexts.py PROFILE FACTS - objects of a profile, by the calls that made them

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

A line for each object of its own: its place, the places of the calls of
wrappers, its number among those of the context, its bytes.
"""
import json
import sqlite3
import sys

facts = json.load(open(sys.argv[2]))
sites = {int(s["id"], 16): s for s in facts["sites"]}
calls = {int(c["id"], 16): c["calls"] for s in facts["sites"] for c in s.get("contexts", [])}
MASK = (1 << 64) - 1
lines = []
for site, context, number, nbytes in sqlite3.connect(sys.argv[1]).execute(
        "select site, context, in_context, bytes from inst where ordinal != 4294967295"):
    site, context = site & MASK, context & MASK
    chain = calls.get(context, ["unknown"]) if context else []
    lines.append("%s %s #%d %d" % (sites[site]["at"], " < ".join(chain) or "-",
                                   number & 0x7fffffff, nbytes))
print("\n".join(sorted(lines)))
