#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kept_ids.py HEADER INVENTORY - are the header's ids those of the inventory?

INVENTORY is what the pass print<ek-inventory> prints for the sources that
include HEADER, the generated header of sources that are kept.
"""
import re
import sys

header = {}
for line in open(sys.argv[1]):
    found = re.match(r"#define EK_(SITE|SYNC|REGION)_(\w+) 0x(\w+)ULL", line)
    if found:
        header.setdefault(found[1], {})[found[2]] = found[3]
inventory = {"SITE": set(), "SYNC": set(), "REGION": set()}
for line in open(sys.argv[2]):
    found = re.match(r"(\S+) .* id=([0-9a-f]{16})", line)
    if found:
        group = (
            "SYNC" if found[1].startswith("sync")
            else "REGION" if found[1] == "region" else "SITE"
        )
        inventory[group].add(found[2])
wrong = [
    "%s(%s)" % (group, name)
    for group, names in sorted(header.items())
    for name, id_ in sorted(names.items())
    if id_ not in inventory[group]
]
print("%d sites, %d sync points, %d region, %s" % (
    len(header.get("SITE", {})), len(header.get("SYNC", {})),
    len(header.get("REGION", {})),
    "differ: " + ", ".join(wrong) if wrong else "no number differs"))
