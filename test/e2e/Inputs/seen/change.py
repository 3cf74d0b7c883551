# change.py - damages what a run left
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# change.py NAME nodes|cut|remove: another number of nodes; half of the file; no
# file.
import glob
import json
import os
import sys

# Of the input that was asked for first, the one with two runs.
(path,) = [p for p in glob.glob(".evenkeel/smooth/inputs/*/seen/" + sys.argv[1])
           if os.path.exists(os.path.dirname(p) + "/0-1.json")]
with open(path, encoding="utf-8") as f:
    text = f.read()
if sys.argv[2] == "remove":
    os.remove(path)
    sys.exit()
if sys.argv[2] == "cut":
    text = text[: len(text) // 2]
else:
    run = json.loads(text)
    for value in run["values"]:
        value[2:] = [60001] * 3
    text = json.dumps(run)
with open(path, "w", encoding="utf-8") as f:
    f.write(text)
