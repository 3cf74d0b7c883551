# analysis.py FACTS.. - what the analysis says of programs that flang compiled
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as f:
        facts = json.load(f)
    sites = facts["sites"]
    print(path, "allocated", sum(s["kind"] == "malloc" and s["size"] is not None for s in sites),
          "static", sum(s["kind"] in ("global", "static") for s in sites),
          "parallel", sum(r["kind"] == "parallel" for r in facts["regions"]),
          "accesses", len(facts["accesses"]),
          "unknown", sum(a["class"] == "unknown" or a["why"] is not None for a in facts["accesses"]),
          "mpi", sum(s["kind"].startswith("mpi") for s in facts["syncs"]),
          "given", ",".join(sorted(s["name"].split(":")[1] for s in facts["symbols"] if s["kind"] == "given")) or "none")
