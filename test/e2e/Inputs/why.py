# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# why.py [--first-touch] ANSWER: in what plan --json printed, the figures of each
# object's reason are those of its sentence, and the groups hold each phase of the
# plan once. With --first-touch, the plan keeps it, and no object has figures.
import json
import sys

answer = json.load(open(sys.argv[-1]))
told = 0
for o in answer["objects"]:
    why = o["why"]
    assert (why is None) == (" ms in phase " not in o["reason"]), o
    if why:
        told += 1
        assert 0 < why["saved_s"] <= o["gain_s"] * (1 + 1e-9), o
        assert f"saves {why['saved_s'] * 1e3:.3g} ms in phase {why['phase']} " in o["reason"], o
        if why["task"] is None:
            assert why["bound"] in o["reason"], o
        else:
            assert f"where task {why['task']} would" in o["reason"], o
if sys.argv[1] == "--first-touch":
    assert answer["keeps_first_touch"] and not told, "first touch is not kept"
else:
    assert told, "no object has a reason"

phases = sorted({t["phase"] for t in answer["predicted_task_seconds"]})
groups = answer["phase_groups"]
assert sorted(p for g in groups for p in g["phases"]) == phases, (groups, phases)
for g in groups:
    its = [t for t in answer["predicted_task_seconds"] if t["phase"] in g["phases"]]
    assert g["slowest_task"]["seconds"] == max(t["seconds"] for t in its), g
