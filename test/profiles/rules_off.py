#!/usr/bin/env python3
# rules_off.py - a test notices each rule of the prediction that is off
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# rules_off.py TREE TEST...
# Knows: the rules of profiles/tuning.def that have a source of their name in a
# stage's folder, and how EVENKEEL_TUNING switches one off (Scenario.h).
# Fails by name for each rule without which all of the test programs pass: its
# switch does nothing, or nobody tests what it does.
import os
import re
import subprocess
import sys

STAGES = ("base", "demands", "symbols", "sizes", "counts", "traffic", "core")


def stage_rules(tree):
    with open(os.path.join(tree, "profiles", "tuning.def"), encoding="utf-8") as f:
        names = re.findall(r"^EK_(?:STAGE_)?RULE\((\w+),", f.read(), re.M)
    folder = os.path.join(tree, "profiles", "predict")
    return [n for n in names
            if any(os.path.exists(os.path.join(folder, s, n + ".cpp")) for s in STAGES)]


def passes(test, rule):
    env = dict(os.environ, EVENKEEL_TUNING=f"{rule}=off" if rule else "")
    return subprocess.run([test, "--gtest_brief=1"], env=env, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def main():
    tree, tests = sys.argv[1], sys.argv[2:]
    wrong = [f"{os.path.basename(t)} fails with all rules on" for t in tests if not passes(t, "")]
    rules = stage_rules(tree)
    if len(rules) < 2:
        wrong.append("no rules found in profiles/tuning.def")
    for rule in rules:
        if all(passes(t, rule) for t in tests):
            wrong.append(f"{rule}: all tests pass without it")
    print("\n".join(wrong) or f"{len(rules)} rules, each missed by a test")
    sys.exit(1 if wrong else 0)


main()
