#!/usr/bin/env python3
# compare.py - ways to sum gradients, with stragglers: time to a loss, accuracy
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# compare.py PROGRAM DIGITS.csv LOSS RUNS [MPIRUN...]
#
# Runs PROGRAM (logistic or mlp, see digits.h) RUNS times with each kind of delays
# and each way to sum, and other batches each time. Times and accuracies are
# compared with those of MPI_Allreduce in the same batches. The accuracy is that of
# the mean weights of the last 16 iterations.
import os
import re
import statistics
import subprocess
import sys

WAYS = {  # the program's argument, variables
    "MPI_Allreduce": ("all", {}),
    "MPI_Iallreduce": ("next", {}),
    "majority": ("3", {"EVENKEEL_RELAXED_PROBES": "1"}),
    "relaxed": ("3", {}),
    "relaxed, groups": ("3", {"EVENKEEL_RELAXED_GROUPS": "1"}),
}
LINE = re.compile(r"loss ([\d.]+) after ([\d.]+) s and (\d+) iterations; "
                  r"accuracy ([\d.]+) %, of the mean ([\d.]+) %")


def once(program, digits, loss, mpirun, delays, way, seed):
    argument, variables = WAYS[way]
    result = subprocess.run(
        mpirun + [program, digits, argument, delays, loss, str(seed)],
        env=dict(os.environ, **variables), text=True, stdout=subprocess.PIPE)
    found = LINE.search(result.stdout)
    if not found:
        sys.exit(f"compare.py: {way}, {delays}, {seed}: no result")
    print(way, delays, seed, found[0], file=sys.stderr, flush=True)
    return float(found[2]), float(found[4]), float(found[5])


def spread(values, form):
    values = sorted(values)
    return (form + " (" + form + " to " + form + ")") % (
        statistics.median(values), values[0], values[-1])


def main():
    if len(sys.argv) < 5:
        sys.exit("usage: compare.py PROGRAM DIGITS.csv LOSS RUNS [MPIRUN...]")
    program, digits, loss, runs = sys.argv[1:5]
    mpirun = sys.argv[5:] or ["mpirun", "-n", "4"]
    kinds = os.environ.get("DELAYS", "none random two").split()
    got = {}
    for seed in range(1, int(runs) + 1):
        for delays in kinds:
            for way in WAYS:
                got.setdefault((delays, way), []).append(once(
                    os.path.abspath(program), digits, loss, mpirun, delays, way, seed))
    print("delays  way              seconds                 speedup               "
          "accuracy: points more    last weights")
    for (delays, way), its in got.items():
        full = got[delays, "MPI_Allreduce"]
        print("%-7s %-16s %-23s %-21s %-24s %s" % (
            delays, way, spread([x[0] for x in its], "%.1f"),
            spread([f[0] / x[0] for f, x in zip(full, its)], "%.2f"),
            spread([x[2] - f[2] for f, x in zip(full, its)], "%+.1f"),
            spread([x[1] - f[1] for f, x in zip(full, its)], "%+.1f")))


main()
