#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""twice_as_long.py BASE.ekdb SEEN.json: adds to the file of a run that the
second thread of each team took twice as long as predicted, the others as
long."""
import json
import sqlite3
import sys

base = sqlite3.connect(sys.argv[1])
(given,) = base.execute("select value from meta where key = 'input'").fetchone()
teams = base.execute(
    'select distinct t.region, p.sync, t."index", t.core_cycles from task t '
    "join phase p on p.row = t.phase where p.kind = 1 and t.flags = 0 order by 1, 2, 3, 4"
)
rows = [
    ["%016x" % (region % 2**64), "%016x" % (sync % 2**64), False, 0, index, cycles * 1e-9,
     1000.0, 2e-3 if index == 1 else 1e-3, 1e-3]
    for region, sync, index, cycles in teams
]
assert rows
with open(sys.argv[2], encoding="utf-8") as f:
    run = json.load(f)
run["types"] = {"base": given, "rows": rows}
with open(sys.argv[2], "w", encoding="utf-8") as f:
    json.dump(run, f)
