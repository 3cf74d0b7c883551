# symbol_ids.py - are the symbols of facts measured where a program is recorded?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   symbol_ids.py FACTS RECORDED.ll...
#
# Prints the names of symbols that formulas use and instrumented code does not
# tell. What it could tell is listed in @ek.rec.symbols.
import json
import re
import sys

with open(sys.argv[1]) as f:
    facts = json.load(f)
told = set()
for path in sys.argv[2:]:
    with open(path) as f:
        for rows in re.findall(r"@ek\.rec\.symbols = .*\[(i64 [^\]]*)\]", f.read()):
            for number in re.findall(r"i64 (-?\d+)", rows):
                told.add(f"{int(number) % 2**64:016x}")


def used(tree):
    if isinstance(tree, dict):
        if "sym" in tree:
            yield tree["sym"]
        for part in tree.values():
            yield from used(part)
    elif isinstance(tree, list):
        for part in tree:
            yield from used(part)


wanted = {s for a in facts["accesses"] for s in used(a)}
lost = [s["name"] for s in facts["symbols"] if s["id"] in wanted - told]
print("symbols:", len(wanted), "lost:", " ".join(lost) or "none")
