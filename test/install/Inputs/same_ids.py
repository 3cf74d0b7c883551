#!/usr/bin/env python3
# same_ids.py FACTS REPORT - sites of analyze and of the compiled program
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys

facts = json.load(open(sys.argv[1]))
report = json.load(open(sys.argv[2]))
analysed = {s["id"] for s in facts["sites"]}
compiled = {f["id"] for f in report["findings"] if f["kind"] == "site" and "id" in f}
if analysed != compiled:
    sys.exit(f"only analysed: {sorted(analysed - compiled)}, only compiled: {sorted(compiled - analysed)}")
print(f"{len(compiled)} sites with equal ids")
