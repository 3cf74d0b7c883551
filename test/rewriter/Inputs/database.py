#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""database.py DIR COMPILER SOURCE... [-- FLAGS...]: writes DIR/compile_commands.json."""
import json
import sys

arguments = sys.argv[1:]
flags = arguments[arguments.index("--") + 1:] if "--" in arguments else []
directory, compiler, *sources = arguments[: len(arguments) - len(flags)]
with open(directory + "/compile_commands.json", "w") as out:
    json.dump(
        [
            {
                "directory": directory,
                "file": source,
                "arguments": [compiler] + flags + ["-c", source],
            }
            for source in sources
            if source != "--"
        ],
        out,
    )
