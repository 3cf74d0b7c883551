#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""other_threads.py EVENKEEL NAME=VALUE (RECORD THREADS)...: how far predicted task times
are from replayed ones, with a base profile of another number of threads; and
that every thread of a team is predicted."""
import json
import subprocess
import sys

MOST = 0.06  # mean error; without --threads it is more than 0.2
evenkeel, given = sys.argv[1:3]
failed = False
for record, threads in zip(sys.argv[3::2], sys.argv[4::2]):
    words = [evenkeel, "simulate", "--json", "--tasks", "--record", record]
    words += ["--facts", "facts.json", "--base", "base.ekdb", "--for", given]
    words += ["--machine", "optane-6252n", "--fast", "25%", "--policy", ""]
    words += ["--placements", "0%,100%", "--threads", threads]
    placements = json.loads(subprocess.check_output(words))["placements"]
    errors, seen = [], set()
    for p in placements:
        if p["model"] == "overlap" and p["predicted"] == "hook":
            for t in p["task_seconds"]:
                seen.add(t["index"])
                if t["replayed"] >= 1e-4:
                    errors.append(abs(t["predicted"] / t["replayed"] - 1))
    mean = sum(errors) / max(1, len(errors))
    print(f"{threads} threads: {len(errors)} tasks, mean error {mean:.1%}")
    failed |= not errors or mean > MOST or seen != set(range(int(threads)))
sys.exit(failed)
