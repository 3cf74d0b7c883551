# phased.py FILE - a record of touched pages that is known in advance
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Ten passes, one each second. `table` (8 MiB, a.c:10) is touched as a whole in
# each, `grid` (16 MiB, a.c:20) in the first five and then never, a quarter of
# `list` (4 MiB, b.c:5) in every second one, and the stack's first page always.
import json
import sys

MIB = 256  # pages
objects, rows = [], []
for name, kind, mib, stack in (("a.c:10", "block", 8, ["make (a.c:10)", "main (a.c:90)"]),
                               ("a.c:20", "block", 16, ["make (a.c:20)", "main (a.c:91)"]),
                               ("b.c:5", "mapping", 4, ["load (b.c:5)", "main (a.c:92)"]),
                               ("stack of the first thread", "stack", 0, [])):
    objects.append({"process": 0, "kind": kind, "name": name, "stack": stack, "ordinal": 0,
                    "address": (1 + len(objects)) << 28, "bytes": mib << 20 or 8192, "born_ns": 0})
for t in range(10):
    for o, touched in ((0, 8 * MIB), (1, 16 * MIB if t < 5 else 0), (2, 0 if t % 2 else MIB), (3, 1)):
        pages = objects[o]["bytes"] // 4096
        for first in range(0, pages, MIB):
            n = min(MIB, pages - first)
            rows.append([t, o, first, n, n, max(0, min(n, touched - first)), None])
json.dump({"schema": "evenkeel.touches/1", "command": "phased 10", "mechanism": "accessed-bits", "page_bytes": 4096,
           "overhead_limit": 0.01,
           "processes": [{"program": "phased", "rank": None, "program_ns": 10 ** 10, "spent_ns": 10 ** 7,
                          "ended": True, "notes": {}}],
           "objects": objects,
           "passes": [{"process": 0, "time_ns": t * 10 ** 9, "window_ns": 10 ** 7, "resident_pages": 28 * MIB + 2,
                       "chunk_bytes": 1 << 20} for t in range(10)],
           "rows": rows}, open(sys.argv[1], "w"))
