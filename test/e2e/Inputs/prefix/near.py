# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# near.py SIMULATION.json SHARE: the plan of a beginning foresaw the whole run's
# makespan within SHARE, and is not above first touch.
import json
import sys

with open(sys.argv[1]) as f:
    found = json.load(f)
took = {p["name"]: p["makespan_s"] for p in found["policies"]}
said = [p for p in found["prediction"] if p["policy"] == "balanced-static"][0]
off = said["predicted_makespan_s"] / said["replayed_of_predicted_s"] - 1
assert said["replayed_of_predicted_s"] >= 0.9 * took["balanced-static"]
print(f"{100 * off:+.1f} %, {took}")
assert abs(off) <= float(sys.argv[2])
assert took["balanced-static"] <= 1.01 * took["first-touch"]
