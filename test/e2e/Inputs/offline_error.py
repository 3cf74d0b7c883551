# offline_error.py FEW MORE...: mean errors of task times predicted before the run, in
# documents of simulate --placements; FEW has less than half of each of the others.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys


def error(path):
    rows = [p for p in json.load(open(path))["placements"]
            if p["predicted"] == "offline" and p["model"] == "overlap"]
    assert rows and all(p["tasks"] for p in rows), path
    return sum(p["mean_error_by_time"] for p in rows) / len(rows)


few, *more = [error(path) for path in sys.argv[1:]]
assert all(few < x / 2 for x in more), (few, more)
