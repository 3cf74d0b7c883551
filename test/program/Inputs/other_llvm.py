#!/usr/bin/env python3
"""other_llvm.py IN OUT - bitcode that says it was made by LLVM 20

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

The producer's name is a string of 6-bit or 8-bit characters at any bit of the
file; exactly one place is changed.
"""
import sys

SIX = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"


def bits(text, wide):
    """The characters' bits as the bitstream has them, lowest first."""
    number = 0
    for k, c in enumerate(text):
        number |= (ord(c) if wide else SIX.index(c)) << (k * (8 if wide else 6))
    return number, len(text) * (8 if wide else 6)


data = open(sys.argv[1], "rb").read()
head = int.from_bytes(data[:512], "little")
changed = 0
for wide in (False, True):
    old, length = bits("LLVM19", wide)
    new, _ = bits("LLVM20", wide)
    for at in range(512 * 8 - length):
        if head >> at & ((1 << length) - 1) == old:
            head ^= (old ^ new) << at
            changed += 1
if changed != 1:
    sys.exit("found the producer %d times" % changed)
open(sys.argv[2], "wb").write(head.to_bytes(512, "little") + data[512:])
