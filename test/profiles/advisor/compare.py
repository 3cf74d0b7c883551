#!/usr/bin/env python3
# compare.py - our advisor against what the original printed
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# compare.py EVENKEEL [GOLDEN]
# Knows: golden.json.gz (make_golden.py). Each output has to be equal byte for
# byte, on standard output and in a file. Where the original ends with an error,
# ours ends with status 2 and one line.
import gzip
import json
import os
import subprocess
import sys
import tempfile

import cases
from make_golden import words_of


def wrong_with(evenkeel, case, folder):
    for name, text in case["files"].items():
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as f:
            f.write(text)
    words = [evenkeel, "advise"] + words_of(case)
    r = subprocess.run(words, cwd=folder, capture_output=True)
    if case["status"]:
        said = r.stderr.decode()
        if r.returncode == 2 and said.count("\n") == 1 and not r.stdout:
            return None
        return f"status {r.returncode}, expected an error: {said}"
    if r.returncode:
        return f"status {r.returncode}: {r.stderr.decode()}"
    if r.stdout != case["out"].encode():
        return f"expected:\n{case['out']}got:\n{r.stdout.decode()}"
    r = subprocess.run(words + ["-o", "out"], cwd=folder, capture_output=True)
    with open(os.path.join(folder, "out"), "rb") as f:
        if r.stdout + f.read() != case["out"].encode():
            return "the file differs from standard output"
    return None


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    golden = sys.argv[2] if len(sys.argv) > 2 else os.path.join(here, "golden.json.gz")
    with gzip.open(golden, "rt", encoding="utf-8") as f:
        golden = json.load(f)["cases"]
    bad = 0
    for row in golden:
        case = cases.case(row["seed"])
        if cases.digest(case) != row["digest"]:
            sys.exit("cases.py makes other inputs than golden.json.gz has; run make_golden.py")
        case.update(row)
        with tempfile.TemporaryDirectory() as folder:
            wrong = wrong_with(os.path.abspath(sys.argv[1]), case, folder)
        if wrong:
            bad += 1
            print(f"case {case['seed']} {' '.join(case['options'])}: {wrong}")
    print(f"{len(golden) - bad} of {len(golden)} cases are equal")
    sys.exit(bad != 0 or len(golden) < 200)


if __name__ == "__main__":
    main()
