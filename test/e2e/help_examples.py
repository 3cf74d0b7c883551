#!/usr/bin/env python3
# help_examples.py - every --help has a question and an example that works
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: the lines behind `example:` of each command's help are what a shell
# takes; run one after the other in a folder with a small program, each finds
# what those before have made. Of `bench` the suite is written here, from what
# the other examples have recorded.
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

WIDTH = 88  # of the questions; all else breaks at 80

# What each example leaves on stdout, on stderr, or in a file.
EXPECTED = {
    "evenkeel-cc": ("file", "solver", rb"ek_malloc"),
    "tune": ("out", "", rb"next: evenkeel run -- ./solver"),
    "status": ("out", "", rb"build [0-9a-f]{16}"),
    "doctor": ("out", "", rb"memory tiers"),
    "analyze": ("file", "facts.json", rb"evenkeel\.facts/1"),
    "record": ("file", "base.ekdb", rb"SQLite format 3"),
    "touches": ("out", "", rb"solver\.c:1[0-9] +block"),
    "probe": ("file", "probe.ekdb", rb"SQLite format 3"),
    "plan": ("file", "plan.json", rb"evenkeel\.plan/1"),
    "rewrite": ("out", "", rb"\+.*ek_malloc(_at)?\("),
    "run": ("err", "", rb"evenkeel: summary"),
    "simulate": ("out", "", rb"\nbalanced .*\n"),
    "report": ("file", "report.html", rb"evenkeel\.report/1"),
    "strip": ("file", "released", rb"^\x7fELF"),
    "show": ("out", "", rb"next: .*evenkeel run -- ./solver"),
    "machine": ("out", "", rb"optane"),
    "rows": ("out", "", rb" 2.10 M +256 B +500 k"),
    "ranks": ("out", "", rb"relaxed"),
    "whatif": ("out", "", rb"cheapest"),
    "bench": ("out", "", rb"balanced"),
    "import": ("file", "extrae.ekdb", rb"SQLite format 3"),
    "export": ("file", "for-ecohmem/allocsinfo.json", rb'"version": 1'),
    "advise": ("out", "", rb"size 1048576 bytes\na.c:3 @ posix\nb.c:9 @ posix\n"),
}


def fail(line):
    sys.exit(f"help_examples.py: {line}")


def help_of(command):
    text = subprocess.run(command + ["--help"], check=True, capture_output=True, text=True).stdout
    name = " ".join(command)
    lines = text.splitlines()
    if not re.fullmatch(r"[A-Z].*\?", lines[0]) or len(lines[0]) > WIDTH or lines[1]:
        fail(f"{name} --help begins with no question: {lines[0]}")
    for line in lines[1:]:
        if len(line) > 80:
            fail(f"{name} --help has a line of {len(line)} columns: {line}")
    example = re.search(r"^example:\n((?:  .*\n)+)", text, re.M)
    if not example:
        fail(f"{name} --help has no example")
    return re.sub(r"^  ", "", example.group(1), flags=re.M)


def write_suite(here):
    (here / "out" / "suite").mkdir(parents=True)
    for name in ("facts.json", "base.ekdb", "target.ekdb"):
        shutil.copy(here / name, here / "out" / "suite")
    target = {"name": "2x", "record": "target.ekdb", "for": ["n=1000"]}
    workload = {"name": "solver", "groups": [], "facts": "facts.json", "base": "base.ekdb"}
    suite = {"schema": "evenkeel.suite/1", "workloads": [{**workload, "targets": [target]}]}
    (here / "out" / "suite" / "suite.json").write_text(json.dumps(suite))


def run_example(name, script, here, env):
    r = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", script], cwd=here, env=env, capture_output=True
    )
    shown = (r.stdout + r.stderr).decode(errors="replace")
    if r.returncode:
        fail(f"the example of {name} ends with status {r.returncode}:\n{script}{shown}")
    where, file, wanted = EXPECTED[name]
    text = {"out": r.stdout, "err": r.stderr}.get(where)
    if text is None:
        text = (here / file).read_bytes() if (here / file).exists() else b""
    if not re.search(wanted, text):
        fail(f"the example of {name} leaves no {wanted.decode()} in {file or where}:\n{script}{shown}")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", required=True, type=Path, help="folder with the commands")
    a = p.parse_args()
    tools = a.bin.resolve()
    evenkeel = str(tools / "evenkeel")
    overview = subprocess.run([evenkeel, "--help"], check=True, capture_output=True, text=True)
    commands = re.findall(r"^  ([a-z]+) +[A-Z].*\?$", overview.stdout, re.M)
    # In the order of work: run needs a plan, and some judge what others have
    # recorded.
    late = ["run", "report", "simulate", "whatif", "bench"]
    order = [c for c in commands if c not in late] + [c for c in late if c in commands]
    if sorted(order) != sorted(set(EXPECTED) - {"evenkeel-cc"}):
        fail(f"commands without an expectation here: {order}")
    tests = Path(__file__).resolve().parent
    inputs = tests / "Inputs" / "help"
    examples = tests.parent.parent / "docs" / "examples"
    env = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", OMP_NUM_THREADS="4")
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        for file in inputs.iterdir():
            shutil.copy(file, here)
        shutil.copy(examples / "lookups" / "lookups.c", here)
        (here / "build").mkdir()
        unit = {"directory": folder, "file": "solver.c", "command": "cc -O2 -fopenmp -c solver.c"}
        (here / "build" / "compile_commands.json").write_text(json.dumps([unit]))
        run_example("evenkeel-cc", help_of([str(tools / "evenkeel-cc")]), here, env)
        for name in order:
            if name == "bench":
                write_suite(here)
            run_example(name, help_of([evenkeel, name]), here, env)


main()
