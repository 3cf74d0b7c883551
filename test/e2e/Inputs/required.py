# required.py - what holds for every replay on a required tier
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

s = json.load(open(sys.argv[1]))
for a in s["amounts"]:
    by = {p["name"]: p for p in a["policies"]}
    assert list(by) == ["vdnn", "superneurons", "dymem", "balanced"], by
    for p in by.values():
        assert "failure" not in p, p
        assert p["peak_fast_bytes"] <= a["fast_bytes"], p
        assert p["steps_s"] * 0.999999 <= p["makespan_s"] <= p["without_overlap_s"] * 1.000001, p
    assert by["balanced"]["makespan_s"] <= by["dymem"]["makespan_s"], a
    if a["fast"] == "100%":
        assert by["dymem"]["out_bytes"] == 0, a
    else:
        assert by["vdnn"]["out_bytes"] > 0, a
        assert by["balanced"]["makespan_s"] < by["vdnn"]["makespan_s"], a
