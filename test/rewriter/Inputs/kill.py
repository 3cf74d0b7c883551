#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kill.py FOLDER - end --in-place at many moments; each file is old or new.

Every run is killed a little later than the one before, so that some die while
files are written and some while they get their names; the last one finishes.
"""
import os
import signal
import subprocess
import sys
import time

folder = sys.argv[1]
names = ["u%02d.c" % i for i in range(8)]
old = "#include <stdlib.h>\n" + "".join(
    "void *f%d(size_t n) { return malloc(n + %d); }\n" % (i, i)
    for i in range(150))


def reset():
    for name in os.listdir(folder):
        if name.startswith("u"):
            os.remove(os.path.join(folder, name))
    for name in names:
        with open(os.path.join(folder, name), "w") as f:
            f.write(old.replace("void *f", "void *%s_f" % name[:3]))


def texts():
    result = {}
    for name in names:
        with open(os.path.join(folder, name)) as f:
            result[name] = f.read()
    return result


tool = ["evenkeel-rewrite", "-p", folder, "--root", folder, "--in-place"]
reset()
before = texts()
start = time.monotonic()
subprocess.run(tool, check=True, stderr=subprocess.DEVNULL)
whole = time.monotonic() - start
after = texts()
assert all(before[n] != after[n] for n in names)
killed = mixed = 0


def left_over():
    return sorted(n for n in os.listdir(folder) if ".ek-" in n)


for step in range(8):
    reset()
    run = subprocess.Popen(tool, stderr=subprocess.DEVNULL)
    # The files are written in the last part of the run: wait for a first
    # sign of it, then a growing moment.
    limit = time.monotonic() + 10 * whole + 10
    while run.poll() is None and time.monotonic() < limit:
        if len(os.listdir(folder)) > len(names) + 1:
            break
        time.sleep(0.0005)
    time.sleep(step * 0.0004)
    run.send_signal(signal.SIGKILL)
    killed += run.wait() == -signal.SIGKILL
    now = texts()
    for name in names:
        if now[name] not in (before[name], after[name]):
            sys.exit("%s is neither old nor new after a kill" % name)
    mixed += now not in (before, after)
if not killed:
    sys.exit("no run was killed in time")
# What a killed run left does not disturb the next, and goes with it; what a
# process that lives may be writing, and files of other names, stay.
reset()
ended = subprocess.Popen(["true"])
ended.wait()
random = "0123456789abcdef"
living = "%s.ek-%d-%s" % (names[0], os.getpid(), random)
strange = "%s.ek-x%d-%s" % (names[0], ended.pid, random)
for name in living, strange, "%s.ek-%d-%s" % (names[0], ended.pid, random):
    with open(os.path.join(folder, name), "w") as f:
        f.write("half a fi")
subprocess.run(tool, check=True, stderr=subprocess.DEVNULL)
assert texts() == after
assert left_over() == sorted([living, strange]), left_over()
print("killed while writing; every file old or new")
