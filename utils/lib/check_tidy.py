#!/usr/bin/env python3
# check_tidy.py - clang-tidy-19 with .clang-tidy finds nothing
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check_tidy.py --build BUILD [--fix] [-j N] [FILE...]
# Knows: the sources of the five top folders that BUILD compiles
# (compile_commands.json), each once; with FILEs, only these.
# Makes: each finding once, sorted, whichever sources include the header; exit
# status 1 if there is one. --fix mends what clang-tidy can mend, one source
# after the other.
# Not here: test inputs and unit tests; the layout (check_format.sh).
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys

FOLDERS = ("passes", "profiles", "rewriter", "runtime", "utils")


def sources(build, root, only):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as f:
        listed = {os.path.relpath(e["file"], root) for e in json.load(f)}
    listed = {p for p in listed if p.split(os.sep)[0] in FOLDERS}
    if only:
        asked = {os.path.relpath(os.path.abspath(p), root) for p in only}
        unknown = sorted(asked - listed)
        if unknown:
            raise SystemExit(f"check_tidy.py: error: '{unknown[0]}' is not compiled in {build}")
        listed &= asked
    return sorted(listed)


def findings(build, root, source, fix):
    """Lines `file:line:column: what [check]` for one source, or an error."""
    ran = subprocess.run(["clang-tidy-19", "-p", build, "--quiet"] + (["--fix"] if fix else []) + [source],
                         cwd=root, capture_output=True, text=True)
    shown = [(os.path.relpath(m.group(1), root), m.group(2))
             for m in re.finditer(r"^(/[^:\n]+)(:\d+:\d+: (?:error|warning): .*)$", ran.stdout, re.M)]
    # The system's headers name the parameters of functions that we interpose.
    found = {path + what for path, what in shown if not path.startswith("..")}
    if shown and not found:
        return set()
    if ran.returncode and not found:
        found = {f"{source}: {(ran.stdout + ran.stderr).strip()}"}
    return {re.sub(r": (?:error|warning): ", ": ", line).replace(",-warnings-as-errors", "") for line in found}


def main():
    parser = argparse.ArgumentParser(usage="check_tidy.py --build BUILD [--fix] [-j N] [FILE...]")
    parser.add_argument("--build", required=True)
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("files", nargs="*")
    asked = parser.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    build = os.path.abspath(asked.build)
    if not os.path.exists(os.path.join(build, "compile_commands.json")):
        parser.error(f"no compile_commands.json in {asked.build}; configure it with a preset")
    todo = sources(build, root, asked.files)
    found = set()
    with concurrent.futures.ThreadPoolExecutor(1 if asked.fix else asked.j) as pool:
        for lines in pool.map(lambda s: findings(build, root, s, asked.fix), todo):
            found |= lines
    for line in sorted(found):
        print(line)
    print(f"{len(todo)} sources, {len(found)} findings", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
