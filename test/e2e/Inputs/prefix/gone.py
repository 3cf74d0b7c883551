# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gone.py PROGRAM: no process runs it.
import glob
import os
import sys


def program(link):
    try:
        return os.readlink(link)
    except OSError:
        return ""


path = os.path.realpath(sys.argv[1])
assert not [p for p in glob.glob("/proc/[0-9]*/exe") if program(p) == path]
