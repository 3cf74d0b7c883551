#!/usr/bin/env python3
# same_calls.py HEADER LIBRARY PLAIN - symbols of libevenkeel and of its static stand-in
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
import sys

header = set(re.findall(r"\bek_\w+", open(sys.argv[1]).read()))


def calls(path):
    names = {line.split()[-1] for line in open(path) if line.split()}
    return {n for n in names if n in header or "N2ek4siteE" in n}


library, plain = calls(sys.argv[2]), calls(sys.argv[3])
missing = sorted(library - plain)
if missing or not library:
    sys.exit(f"libevenkeel-plain.a lacks {' '.join(missing)}: add them to runtime/calls/plain/plain.c or plain_new.cpp")
print(f"{len(library & plain)} calls in both")
