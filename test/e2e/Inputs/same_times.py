# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# same_times.py DATA SIMULATION: a report's times are those that simulate --json
# prints, to six digits.
import json
import sys

data, sim = (json.load(open(f)) for f in sys.argv[1:])
of = {p["name"]: p["makespan_s"] for p in sim["policies"]}
answer = data["answer"]
for name, policy in (("all_slow", "slow-only"), ("first_touch", "first-touch"),
                     ("plan", "balanced-static"), ("all_fast", "fast-only"),
                     ("best_found", "oracle")):
    assert abs(answer[name] / of[policy] - 1) < 1e-5, (name, answer[name], of[policy])
assert abs(answer["limit"] / sim["oracle"]["static_lower_bound_s"] - 1) < 1e-5
asked = [a for a in data["amounts"] if abs(a[0] - sim["fast_bytes"]) < 1]
assert len(asked) == 1 and abs(asked[0][2] / answer["plan"] - 1) < 1e-5, data["amounts"]
