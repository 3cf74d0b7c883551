#!/usr/bin/env python3
# extrae.py - a small trace in ecoHMEM's files
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# extrae.py [COUNT]
# Makes, in the current folder, loads.csv, stores.csv, sizes.csv, allocs.json and
# tiers.csv of COUNT (3) objects in two processes that run for a minute. The call
# stacks of the first three end in lines 4, 5 and 6 of solver.c.
import json
import sys

count = int(sys.argv[1]) if len(sys.argv) > 1 else 3
stacks = [f"solver.c:{k + 4} > start.c:{k}" for k in range(count)]
sizes = [[64 << 20, 128 << 20, 32 << 20][k % 3] for k in range(count)]
loads = [[90000, 40000, 60000][k % 3] for k in range(count)]
stores = [[1000, 50000, 10][k % 3] for k in range(count)]


def histogram(name, figures):
    with open(name, "w") as f:
        f.write("\t" + "".join(f"object [{s}]\t" for s in stacks) + "\nTotal\t"
                + "".join(f"{n}.00\t" for n in figures) + "\n")


histogram("loads.csv", loads)
histogram("stores.csv", stores)
histogram("sizes.csv", sizes)
with open("tiers.csv", "w") as f:
    f.write(f"DRAM,1,1,{sum(sizes) // 7 * 4},posix\nPMEM,5,10,{4 * sum(sizes)},memkind/pmem\n")
rows = [[1, process, 1, 10**9 * (k % 3), 60 * 10**9, sizes[k] // 2, k + 1]
        for k in range(count) for process in (1, 2)]
with open("allocs.json", "w") as f:
    json.dump({"version": 1, "objects": {str(k + 1): f"[{s}]" for k, s in enumerate(stacks)},
               "fields": ["app", "proc", "func", "alloc_time", "free_time", "bytes", "obj_id"],
               "allocs": rows}, f)
