# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: overlap.py FULL.ekdb SAMPLED.ekdb MOST

Which part of a latency lines from memory wait for, by region and site: the
sampled profile's differs from the full one's by MOST at most, weighted by what
is waited for; where it has more than a hundredth of that, by three times MOST.
Prints the mean difference in per cent."""
import os
import sqlite3
import sys
from collections import defaultdict

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../utils/lib"))
from profile_rows import rows_of  # noqa: E402


def waits(path):
    db = sqlite3.connect(path)
    task = dict(db.execute("select row, region from task"))  # phases alike share theirs
    inst = [site for site, in rows_of(db, "inst", "site")]
    sums = defaultdict(lambda: [0, 0.0])
    for t, i, reads, weight in rows_of(db, "miss", "task, inst, reads, weight"):
        row = sums[task[t], inst[i]]
        row[0] += reads
        row[1] += weight
    return sums


full, sampled, most = waits(sys.argv[1]), waits(sys.argv[2]), float(sys.argv[3])
all_waits = sum(weight for _, weight in full.values())
mean = 0
for key, (reads, weight) in sorted(full.items()):
    part = weight / all_waits
    if not reads or not sampled[key][0]:
        continue
    off = sampled[key][1] / sampled[key][0] / (weight / reads) - 1
    mean += part * abs(off)
    print(f"{key[0] & 0xffffff:06x} {key[1] & 0xffffff:06x} {100 * part:5.1f} % "
          f"of waits, {weight / reads:.3f} each, sampled {100 * off:+.1f} %")
    assert part < 0.01 or abs(off) <= 3 * most, key
print(f"mean {100 * mean:.1f}")
assert mean <= most
