#!/usr/bin/env python3
# gcc_options.py TABLE EVENKEEL_CC CLANG - the table of dropped options, tried
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
import subprocess
import sys

table, wrapper, clang = sys.argv[1:]
# A name that each pattern stands for; gcc has it.
examples = {
    "fcse-": "fcse-follow-jumps", "fdump-": "fdump-passes", "femit-struct-debug-": "femit-struct-debug-reduced",
    "fharden-": "fharden-compares", "finline-limit-": "finline-limit-100", "fipa-": "fipa-pta",
    "fira-": "fira-hoist-pressure", "fisolate-erroneous-paths-": "fisolate-erroneous-paths-dereference",
    "floop-": "floop-block", "fmove-loop-": "fmove-loop-invariants", "freorder-": "freorder-functions",
    "frerun-": "frerun-cse-after-loop", "fsched-": "fsched-spec", "fsel-sched-": "fsel-sched-pipelining",
    "fssa-": "fssa-phiopt", "ftree-c": "ftree-ccp", "ftree-d": "ftree-dse", "ftree-f": "ftree-fre",
    "ftree-loop-": "ftree-loop-im", "ftree-p": "ftree-pre", "ftree-s": "ftree-sra",
}
options = []
for name in re.findall(r'EK_GCC_OPTION\("([^"]+)"\)', open(table).read()):
    if name.endswith("*"):
        name = name[:-1]
        name = examples.get(name, name + "1" if name.endswith("=") else name)
    options.append("-" + name)
assert options == sorted(set(options), key=options.index) and len(options) > 100
refused = subprocess.run([clang, "-fsyntax-only", "-xc", "/dev/null", *options], capture_output=True, text=True).stderr
taken = subprocess.run([wrapper, "-fsyntax-only", "-xc", "/dev/null", *options], capture_output=True, text=True)
wrong = [o for o in options if f"'{o}'" not in refused]
wrong += [o for o in options if f"unknown option '{o}' is dropped" not in taken.stderr]
if wrong or taken.returncode:
    sys.exit(f"wrong in the table: {' '.join(sorted(set(wrong)))}\n{taken.stderr if taken.returncode else ''}")
print(f"all {len(options)} options are refused by clang and dropped by evenkeel-cc")
