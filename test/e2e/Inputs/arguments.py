# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# arguments.py same A B: two plans or two results of simulate that predict the
# same.  arguments.py set PROFILE JSON: changes the arguments in a profile.
import json
import sqlite3
import sys

if sys.argv[1] == "set":
    db = sqlite3.connect(sys.argv[2])
    (line,) = db.execute("SELECT value FROM meta WHERE key='command_line'").fetchone()
    line = dict(json.loads(line), arguments=json.loads(sys.argv[3]))
    db.execute("UPDATE meta SET value=? WHERE key='command_line'", (json.dumps(line),))
    db.commit()
else:
    a, b = (json.load(open(path)) for path in sys.argv[2:])
    for of in (a, b):
        of.pop("replan", None)  # lists what was given, name by name
    if a != b:
        sys.exit(f"different: {[k for k in a if a[k] != b.get(k)]}")
    if not (a.get("predicted") or a.get("policies")):
        sys.exit("nothing to compare")
