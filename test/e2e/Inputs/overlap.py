# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: overlap.py FULL.ekdb SAMPLED.ekdb MOST

Which part of a latency lines from memory wait for, by region and site: the
sampled profile's differs from the full one's by MOST at most, weighted by what
is waited for; where it has more than a hundredth of that, by three times MOST.
Prints the mean difference in per cent."""
import sqlite3
import sys
from collections import defaultdict


def waits(path):
    db = sqlite3.connect(path)
    task = dict(db.execute("select row, region from task"))  # phases alike share theirs
    inst = [r[0] for r in db.execute("select site from inst order by rowid")]
    sums = defaultdict(lambda: [0, 0.0])
    for t, i, reads, weight in db.execute("select task, inst, reads, weight from miss"):
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
