#!/usr/bin/env python3
# cut_anywhere.py - a command with every beginning of a file
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cut_anywhere.py FILE -- COMMAND...    the cut file is the last argument
# Knows: the command ends with status 0, or with status 2 and one line on
# standard error that begins "evenkeel: error: "; of some beginnings it has to
# refuse one at least.
import subprocess
import sys

file, command = sys.argv[1], sys.argv[3:]
data = open(file, "rb").read()
refused = 0
for length in range(len(data)):
    with open("cut-here", "wb") as f:
        f.write(data[:length])
    r = subprocess.run(command + ["cut-here"], capture_output=True, text=True)
    if r.returncode == 0 and not r.stderr:
        continue
    if r.returncode != 2 or r.stderr.count("\n") != 1 or not r.stderr.startswith("evenkeel: error: "):
        sys.exit(f"{file} cut at {length}: status {r.returncode}, {r.stderr!r}")
    refused += 1
if not refused:
    sys.exit(f"{file}: every beginning is taken")
