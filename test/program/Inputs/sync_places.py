# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# sync_places.py LIB COUNTS REPORT: what the harness of Debian packages makes of
# a counted run.
import json
import sys

sys.path.insert(0, sys.argv[1])
import sync_places  # noqa: E402

if sys.argv[2] == "build":
    sync_places.build(sys.argv[3])
    sys.exit()
found = sync_places.places(sys.argv[2])
with open(sys.argv[3]) as f:
    report = json.load(f)
sync_places.explain(found, report["findings"], report["refused"])
print("passed %d, hooked %d, libraries %d" % sync_places.syncs(found))
for p in sorted(found, key=lambda p: (p.at, p.kind)):
    print(p.kind, p.at.rsplit("/", 1)[-1], p.times, p.good,
          "compiler" if p.compiler else p.reason or "hooked")
