# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_stripped.py BEFORE AFTER: AFTER has all sections of BEFORE with the same
# contents, and nothing in those of Evenkeel; what is loaded is the same.
import re
import subprocess
import sys


def sections(path):
    text = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True, check=True)
    assert not text.stderr, text.stderr
    rows = re.findall(r"^ +\[ *(\d+)\] (\S+) +(\S+) +([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+) [0-9a-f]+ +(.*)$", text.stdout, re.M)
    data = open(path, "rb").read()
    return [(int(n), name, kind, address, rest,
             b"" if kind == "NOBITS" else data[int(offset, 16):int(offset, 16) + int(size, 16)])
            for n, name, kind, address, offset, size, rest in rows]


before, after = (sections(p) for p in sys.argv[1:])
assert len(before) == len(after) > 20
notes = 0
for x, y in zip(before, after):
    assert x[:5] == y[:5], (x[:5], y[:5])
    if x[1].startswith(".evenkeel."):
        assert x[5] and not y[5], x[1]
        notes += 1
    else:
        assert x[5] == y[5], x[1]
assert notes == 3, notes
segments = [subprocess.run(["readelf", "-lW", p], capture_output=True, text=True, check=True).stdout for p in sys.argv[1:]]
assert segments[0] == segments[1]
