#!/usr/bin/env python3
"""database.py 'FILE|COMMAND'... - compile_commands.json of the folder it runs in

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import sys

with open("compile_commands.json", "w") as f:
    json.dump([dict(zip(("file", "command"), a.split("|")), directory=".")
               for a in sys.argv[1:]], f)
