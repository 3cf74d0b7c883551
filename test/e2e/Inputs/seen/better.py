# better.py - whether one run brings a plan nearer to the truth
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# better.py BEFORE AFTER JUDGED-BEFORE JUDGED-AFTER: plan --json and simulate
# --json, without and with what a run left.
import json
import sys

before, after, judged_before, judged_after = (json.load(open(f, encoding="utf-8")) for f in sys.argv[1:5])


def error(judged):
    (row,) = [r for r in judged["prediction"] if r["policy"] == "balanced-static"]
    return row["mean_error_by_time"]


print(error(judged_before), error(judged_after))
assert error(judged_after) < 0.25 * error(judged_before)
# Every object has the size that it has.
sizes = sorted(o["bytes"] for o in after["objects"])
assert 60000 * 11 * 4 in sizes and 60000 * 8 in sizes and 60000 * 8 not in [o["bytes"] for o in before["objects"]], sizes
