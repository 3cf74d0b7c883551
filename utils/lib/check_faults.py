#!/usr/bin/env python3
# check_faults.py - every test named in test/faults.md exists
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: GoogleTests, the guest's checks, lit files and ctest's fuzz-replay-*.
# Makes: a line for each other name, and status 1.
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def text(pattern):
    return "\n".join(open(f).read() for f in glob.glob(os.path.join(ROOT, pattern), recursive=True))


def main():
    tests = {f"{a}.{b}" for a, b in re.findall(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", text("test/**/*.cpp"), re.M)}
    tests |= set(re.findall(r"^check (\S+)", text("test/guest/checks"), re.M))
    tests |= {os.path.basename(f) for f in glob.glob(os.path.join(ROOT, "test/**/*.test"), recursive=True)}
    targets = re.findall(r"set\(targets ([^)]*)\)|list\(APPEND targets ([^)]*)\)", text("test/fuzz/CMakeLists.txt"))
    tests |= {"fuzz-replay-" + name for pair in targets for name in " ".join(pair).split()}
    rows = [line for line in text("test/faults.md").splitlines() if line.startswith("| ")][1:]
    missing = 0
    for row in rows:
        named = re.findall(r"`([^`]+)`", row.split("|")[3])
        for name in [n for n in named if n not in tests and n != "mpirun"] or ([] if named else ["no test"]):
            print(f"test/faults.md: {row.split('|')[1].strip()}: {name} is not there")
            missing += 1
    print(f"{len(rows)} faults, {missing} without their test")
    sys.exit(1 if missing or not rows else 0)


main()
