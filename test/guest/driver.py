#!/usr/bin/env python3
# driver.py - when does boot.py start a guest again?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs boot.py with a QEMU that only prints what a guest would, each start the
# next of a list.
import os
import subprocess
import sys
import tempfile

boot, kernel = sys.argv[1:]

QEMU = """#!/bin/sh
n=$(cat {0}/n); echo $((n + 1)) > {0}/n
cat {0}/$n
"""
UP, OK, FAILS = "GUEST_UP\n", "GUEST_RC=0\n", "GUEST_RC=1\n"
FAULT = "[ 4.2] Oops: int3: 0000 [#1] PREEMPT SMP NOPTI\n"
PANIC = "[ 4.2] Oops: general protection fault\n"


def starts(*consoles):
    """(boot.py's exit status, how many guests it started)."""
    with tempfile.TemporaryDirectory(prefix="ek-driver-") as d:
        for i, text in enumerate(("0", *consoles)):
            with open(os.path.join(d, "n" if i == 0 else str(i - 1)), "w") as f:
                f.write(text)
        qemu = os.path.join(d, "qemu")
        with open(qemu, "w") as f:
            f.write(QEMU.format(d))
        os.chmod(qemu, 0o755)
        done = subprocess.run([sys.executable, boot, "--kernel", kernel, "--qemu", qemu,
                               "--pause", "0"], capture_output=True, text=True)
        return done.returncode, int(open(os.path.join(d, "n")).read())


for consoles, expected in (
        ((UP + OK,), (0, 1)),
        ((UP + FAILS,), (1, 1)),
        (("", UP + OK), (0, 2)),  # did not come up
        ((UP + FAULT, UP + OK), (0, 2)),
        ((UP + FAULT, UP + FAILS), (1, 2)),
        ((UP + FAULT + FAILS,), (1, 1)),  # went on to its last test
        ((UP + PANIC, UP + OK), (2, 1)),  # ours, perhaps
        ((UP + FAULT,) * 5, (2, 4))):
    got = starts(*consoles)
    if got != expected:
        sys.exit(f"{consoles}: (status, starts) {got}, not {expected}")
