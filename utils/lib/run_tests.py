#!/usr/bin/env python3
# run_tests.py - runs ctest in build trees and counts every single test
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: a lit suite and a GoogleTest binary are one ctest test each but contain
# many tests, which lit's XML and GoogleTest's output list. The ctest row itself
# counts only if it failed without a failing test inside (crash, time-out).
# Makes: failures as they happen (the end of their output), and again with their
# output at the end, skips with their reason, and the last line
# `N passed, N failed, N skipped`. A skip counts as a failure unless its reason is
# in ACCEPTED or the same test passed in another tree (for tests that sanitizers
# cannot run).
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ET

# Tests that only special machines can run, or that need what nobody packages;
# everything else can be installed
# (utils/packages.txt).
ACCEPTED = [
    re.compile(r"numa2\b"),  # two NUMA nodes
    re.compile(r"papi-counters\b"),  # hardware counters
    re.compile(r"flexmalloc\b"),  # in no distribution; the user names a build of it
    re.compile(r"damo\b"),  # from the Python package index, which cannot always be reached
    re.compile(r"flang\b"),  # 0.9 GB; most of what is for Fortran is tested with gfortran
    re.compile(r"chromium\b"),  # a browser of 290 MB; `evenkeel report` is also tested without one
    re.compile(r"^hardware:"),  # named by the test itself
    re.compile(r"^kernel:"),  # what few kernels are built with, named by the test itself
]


class Counts:
    def __init__(self):
        self.passed = 0
        self.ran = set()  # tests that passed, without the tree's name
        self.failed = []
        self.skipped = []


def junit_cases(path):
    try:
        return list(ET.parse(path).getroot().iter("testcase"))
    except (OSError, ET.ParseError):
        return []


def skip_reason(case):
    s = case.find("skipped")
    if s is None:
        return None
    return s.get("message") or (s.text or "").strip() or "no reason given"


def lit_cases(path):
    """(outcome, name, reason) of each test in lit's XML; nothing without an XML
    file."""
    for c in junit_cases(path):
        name = f"{c.get('classname', '')}.{c.get('name', '')}"
        if c.find("failure") is not None or c.find("error") is not None:
            yield "failed", name, ""
        elif skip_reason(c) is not None:
            yield "skipped", name, skip_reason(c)
        else:
            yield "passed", name, ""


def print_failures(path):
    """Prints the failures of a suite that has just ended, for readers who only see
    the beginning of a long log."""
    for c in junit_cases(path):
        failure = c.find("failure")
        if failure is not None:
            print(f"    {c.get('classname', '')}.{c.get('name', '')}")
            for line in (failure.text or "").strip().splitlines()[-20:]:
                print("      " + line[:200])


def gtest_cases(output):
    """The same from the output of a GoogleTest binary."""
    words = {"      OK": "passed", " FAILED ": "failed", " SKIPPED": "skipped"}
    before = ""
    for line in output.splitlines():
        m = re.match(r"\[ (      OK| FAILED | SKIPPED) \] (\S+).* \(\d+ ms\)$", line)
        if m:
            yield words[m.group(1)], m.group(2), before
        elif line.strip():
            before = line.strip()


def run_tree(tree, build, exclude, counts):
    tree, _, only = tree.partition(":")
    results = os.path.join(build, "test-results")
    shutil.rmtree(results, ignore_errors=True)
    os.makedirs(results)
    known = json.loads(subprocess.run(
        ["ctest", "--show-only=json-v1"], cwd=build, check=True,
        capture_output=True, text=True).stdout)
    if not known.get("tests"):
        counts.failed.append((f"{tree}: ctest", "no test is registered"))
        return
    env = dict(os.environ, # Vectors cross between our code and libraries without sanitizers.
               ASAN_OPTIONS="detect_leaks=1:detect_container_overflow=0",
               UBSAN_OPTIONS="print_stacktrace=1")
    junit = os.path.join(results, "ctest.xml")
    # At most two at a time: some tests run eight threads of their own.
    command = ["ctest", "--output-junit", junit, "--timeout", "1500", "-j2",
               "--test-output-size-passed", "4000000", "--test-output-size-failed", "4000000"]
    if exclude:
        command += ["-LE", exclude]
    if only:
        command += ["-L", only]
    log = open(os.path.join(results, "ctest.log"), "w")
    started = time.time()
    process = subprocess.Popen(command, cwd=build, env=env, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for line in process.stdout:
        log.write(line)
        if re.match(r"\s*\d+/\d+ Test", line):
            print(f"  {tree} {line.strip()}", flush=True)
            suite = re.search(r": (lit-\S+) .*\*\*\*", line)
            if suite:
                print_failures(os.path.join(results, suite.group(1) + ".xml"))
    process.wait()
    log.close()
    cases = junit_cases(junit)
    if not cases:
        counts.failed.append((f"{tree}: ctest", "wrote no results"))
    for c in cases:
        name = c.get("name")
        broken = c.find("failure") is not None or c.get("status") in ("fail", "disabled")
        output = c.findtext("system-out") or ""
        for line in re.findall(r"^soaked: .*$", output, re.M):
            print(f"  {tree} {line}", flush=True)
        inner = list(lit_cases(os.path.join(results, name + ".xml"))
                     if name.startswith("lit-") else gtest_cases(output))
        if inner:
            failures = []
            for outcome, test, reason in inner:
                if outcome == "passed":
                    counts.passed += 1
                    counts.ran.add(f"{name}: {test}")
                elif outcome == "skipped":
                    counts.skipped.append((f"{tree}: {name}: {test}", reason))
                else:
                    failures.append(f"{tree}: {name}: {test}")
            if broken and not failures:
                failures.append(f"{tree}: {name}")
            # The output belongs to all of them, and is shown once.
            counts.failed += [(f, output if f is failures[-1] else "") for f in failures]
        elif broken:
            counts.failed.append((f"{tree}: {name}", output))
        elif skip_reason(c) is not None or c.get("status") == "notrun":
            said = re.search(r"^SKIP: (.*)$", output, re.M)
            counts.skipped.append((f"{tree}: {name}",
                                   said.group(1) if said else skip_reason(c) or "not run"))
        else:
            counts.passed += 1
    print(f"  {tree} took {time.time() - started:.0f} s", flush=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--exclude-label", default="")
    p.add_argument("trees", nargs="+", help="NAME[:LABEL] BUILD ...; with LABEL only tests that have it")
    a = p.parse_args()
    counts = Counts()
    for name, build in zip(a.trees[::2], a.trees[1::2]):
        run_tree(name, build, a.exclude_label, counts)
    skipped = []
    for name, reason in counts.skipped:
        if any(pattern.search(reason) for pattern in ACCEPTED):
            skipped.append((name, reason))
        elif name.split(": ", 1)[1] in counts.ran:
            skipped.append((name, reason + "; it ran and passed in another tree"))
        else:
            counts.failed.append((name, f"skipped, but could have run: {reason}"))
    for name, output in counts.failed:
        print(f"\nFAILED {name}")
        lines = output.strip().splitlines()
        if len(lines) > 80:
            lines = lines[:20] + ["..."] + lines[-60:]
        print("\n".join("    " + line for line in lines))
    for name, reason in skipped:
        print(f"skipped {name}: {reason}")
    print(f"{counts.passed} passed, {len(counts.failed)} failed, {len(skipped)} skipped")
    sys.exit(1 if counts.failed or not counts.passed else 0)


main()
