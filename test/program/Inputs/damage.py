# damage.py - bitcode with bytes changed is refused by one line, or analysed
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Usage: damage.py EVENKEEL UNIT OTHERS. LLVM's reader ends the process at some;
# with --keep-going the others are analysed all the same.
import json
import random
import re
import subprocess
import sys

evenkeel, unit, *others = sys.argv[1:]
SAYS = re.compile(r"evenkeel: error: (broken unit 'damaged.bc': .*; compile it "
                  r"again|unit 'damaged.bc' .*|'damaged.bc' is no program)")
with open(unit, "rb") as f:
    whole = f.read()
random.seed(5)
refused = 0
for number in range(30):
    code = bytearray(whole)
    for _ in range((1, 3, 20)[number % 3]):
        code[random.randrange(4, len(code) if number % 4 else 200)] = \
            random.randrange(256)
    with open("damaged.bc", "wb") as f:
        f.write(code)
    done = subprocess.run([evenkeel, "analyze", "damaged.bc", "-o", "of.json"],
                          capture_output=True, text=True, errors="replace")
    said = [line for line in done.stderr.splitlines() if "error" in line]
    if done.returncode == 0:
        continue
    refused += 1
    if done.returncode != 2 or len(said) != 1 or not SAYS.match(said[0]):
        sys.exit("%d: %d %s" % (number, done.returncode, done.stderr))
    if "LLVM cannot read it" in said[0]:
        subprocess.run([evenkeel, "analyze", "damaged.bc", *others,
                        "--keep-going", "-o", "of.json"], check=True,
                       stdout=subprocess.DEVNULL)
        with open("of.json") as f:
            assert json.load(f)["giveups"]["unit-broken"] == 1
print("refused" if refused > 10 else "hardly refused", "by one line each")
