# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# strip_broken.py EVENKEEL PROGRAM: with bytes of its headers changed, or cut
# short, the program is stripped or refused in one line, and soon.
import random
import struct
import subprocess
import sys

evenkeel, program = sys.argv[1:]
whole = open(program, "rb").read()
sections, = struct.unpack_from("<Q", whole, 0x28)
segments, = struct.unpack_from("<Q", whole, 0x20)
chance = random.Random(1)
ends = {0: 0, 2: 0}
for trial in range(300):
    text = bytearray(whole)
    for _ in range(chance.choice([1, 1, 2, 5])):
        at = chance.choice([chance.randrange(64), chance.randrange(sections, len(text)),
                            segments + chance.randrange(56 * 10)])
        text[at] = chance.choice([0, 1, 128, 255, chance.randrange(256)])
    if trial % 10 == 0:
        del text[chance.randrange(len(text)):]
    open("broken", "wb").write(text)
    r = subprocess.run([evenkeel, "strip", "broken"], capture_output=True, text=True, timeout=60)
    ends[r.returncode] += 1
    if r.returncode == 2:
        assert r.stderr.startswith("evenkeel: error: ") and r.stderr.count("\n") == 1, r.stderr
        assert open("broken", "rb").read() == text, trial
assert ends[0] and ends[2], ends
