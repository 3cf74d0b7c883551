#!/usr/bin/env python3
# return_addresses.py - offsets in a log of call stacks
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# return_addresses.py LOG PROGRAM
# Knows: x86 and its call instruction, 5 bytes with the opcode e8 or 2 to 7 bytes
# with ff. Before each offset of PROGRAM, in the file, such a call ends.
import os
import re
import sys

code = open(sys.argv[2], "rb").read()
offsets = re.findall(rf"{re.escape(os.path.realpath(sys.argv[2]))}!([0-9a-f]+)", open(sys.argv[1]).read())
for text in set(offsets):
    at = int(text, 16)
    if code[at - 5] != 0xE8 and not any(code[at - n] == 0xFF for n in range(2, 8)):
        sys.exit(f"no call ends at {text}")
if len(set(offsets)) < 5:
    sys.exit("too few frames")
