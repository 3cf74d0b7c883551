# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_trace.py DATA PERFETTO SPEEDSCOPE: both traces have the runs of a report,
# from their beginning to their makespan, with slices that follow each other.
import collections
import json
import sys

data, perfetto, speedscope = (json.load(open(f)) for f in sys.argv[1:])
makespans = [data["first_touch"]["makespan"], data["plan"]["makespan"]]
names = ["first touch", "plan"]

assert perfetto["otherData"]["schema"] == "evenkeel.trace/1"
lanes, tasks = collections.defaultdict(list), collections.Counter()
for e in perfetto["traceEvents"]:
    if e["ph"] == "X":
        lanes[e["pid"], e["tid"]].append((e["ts"], e["ts"] + e["dur"]))
        tasks[e["pid"]] += "task" in e["args"]
        assert ("task" in e["args"]) == (e["name"] != "waits"), e
for (run, _), slices in lanes.items():
    for (_, end), (begin, _) in zip(slices, slices[1:]):
        assert begin >= end - 1e-4 * end, (end, begin)
for run, makespan in enumerate(makespans):
    end = max(s[-1][1] for (r, _), s in lanes.items() if r == run + 1)
    assert abs(end / 1e6 / makespan - 1) < 1e-4, (names[run], end, makespan)
assert tasks[1] == tasks[2] > 4, tasks

assert speedscope["exporter"] == "evenkeel.trace/1"
frames = speedscope["shared"]["frames"]
assert len({f["name"] for f in frames}) == len(frames) > 1
for run, makespan in enumerate(makespans):
    its = [p for p in speedscope["profiles"] if p["name"].startswith(names[run])]
    assert abs(max(p["endValue"] for p in its) / makespan - 1) < 1e-4
for p in speedscope["profiles"]:
    now, opened = 0, None
    for e in p["events"]:
        assert e["at"] >= now and (e["type"] == "O") == (opened is None), e
        now, opened = e["at"], e["frame"] if e["type"] == "O" else None
    assert opened is None and now == p["endValue"]
