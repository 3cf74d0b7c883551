#!/usr/bin/env python3
# same_tiers.py - what FlexMalloc and our runtime put into slow memory
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# same_tiers.py SUMMARY.json FLEXMALLOC.txt
# Knows: objects by tier in the run's summary, calls by allocator in FlexMalloc's
# report. Both count the same objects in slow
# memory; FlexMalloc's have exactly the asked bytes, ours whole pages. What our
# run has in fast memory FlexMalloc took from posix, with all small blocks.
import json
import re
import sys

tiers = {t["name"]: t for t in json.load(open(sys.argv[1]))["tiers"]}
text = open(sys.argv[2]).read()


def of(allocator, what):
    found = re.findall(rf"^FLEXMALLOC\|{re.escape(allocator)}\S*\|{what}\D*(\d+)", text, re.M)
    return sum(map(int, found))


calls = ("Number of malloc calls", "Number of calloc calls", "Number of aligned malloc calls")
sizes = ("Malloc total allocated size", "Calloc total allocated size")
slow = sum(of("memkind/pmem", c) for c in calls)
slow_bytes = sum(of("memkind/pmem", s) for s in sizes)
fast_bytes = sum(of("posix", s) for s in sizes)
ours, fast = tiers["slow"], tiers["fast"]
print(f"slow: {ours['objects']} objects, {slow} in FlexMalloc with {slow_bytes} bytes; fast: "
      f"{fast['objects']} objects of {fast['bytes_in_all']} bytes, {fast_bytes} in FlexMalloc")
pages = 4096 * (ours["objects"] + 1)
good = slow == ours["objects"] > 0 and ours["bytes_in_all"] - pages <= slow_bytes <= ours["bytes_in_all"]
pages = 4096 * (fast["objects"] + 1)
good &= fast["objects"] > 0 and fast["bytes_in_all"] - pages <= fast_bytes <= fast["bytes_in_all"] + 65536
sys.exit(not good)
