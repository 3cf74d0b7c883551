#!/usr/bin/env python3
# make_golden.py - asks the original advisor for the golden outputs anew
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# make_golden.py --advisor FOLDER [--count N] [--output FILE]
# Knows: FOLDER is the `bin` folder of a copy of ecoHMEM that the user has
# (repository accelcom-bsc/ecoHMEM); it needs numpy. Where Python no longer knows
# the mode "rU" of open(), it is read as "r". Nothing of the copy is changed.
# Makes: golden.json.gz, with what the original prints for the inputs of cases.py:
# {"cases": [{"seed", "digest", "status", "out"}]}. At most one case in ten is one
# that the original ends with an error.
import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile

import cases

# Runs the script argv[1] with the rest of argv.
SHIM = """
import argparse, builtins, runpy, sys
plain, FileType = builtins.open, argparse.FileType
builtins.open = lambda f, mode="r", *a, **k: plain(f, mode.replace("rU", "r"), *a, **k)
argparse.FileType = lambda mode="r", *a, **k: FileType(mode.replace("rU", "r"), *a, **k)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def words_of(case):
    words = list(case["options"])
    for option, name in (("--mem-config", "tiers.csv"), ("--loads", "loads.csv"),
                         ("--sizes", "sizes.csv"), ("--stores", "stores.csv"),
                         ("--allocs-info", "allocs.json")):
        if name in case["files"]:
            words += [option, name]
    return words


def ask(advisor, case, folder):
    for name, text in case["files"].items():
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as f:
            f.write(text)
    env = dict(os.environ, PYTHONPATH=os.path.join(advisor, "src"), PYTHONDONTWRITEBYTECODE="1")
    return subprocess.run(
        [sys.executable, "-c", SHIM, os.path.join(advisor, "hmem_advisor")] + words_of(case),
        cwd=folder, env=env, capture_output=True, text=True)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser()
    parser.add_argument("--advisor", required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--output", default=os.path.join(here, "golden.json.gz"))
    args = parser.parse_args()
    advisor = os.path.abspath(args.advisor)
    if not os.path.isfile(os.path.join(advisor, "hmem_advisor")):
        sys.exit(f"make_golden.py: no hmem_advisor in {args.advisor}")
    kept, errors, seed = [], 0, args.first
    while len(kept) < args.count:
        case = cases.case(seed)
        with tempfile.TemporaryDirectory() as folder:
            r = ask(advisor, case, folder)
        if "ModuleNotFoundError" in r.stderr:
            sys.exit("make_golden.py: the advisor does not start: " + r.stderr.splitlines()[-1])
        seed += 1
        failed = r.returncode != 0
        if failed and 10 * (errors + 1) > args.count:
            continue
        errors += failed
        kept.append({
            "seed": seed - 1, "digest": cases.digest(case), "status": int(failed),
            "out": "" if failed else r.stdout})
    text = json.dumps({"cases": kept}, indent=0, sort_keys=True)
    with open(args.output, "wb") as f:
        f.write(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{len(kept)} cases, {errors} of them errors, in {args.output}")


if __name__ == "__main__":
    main()
