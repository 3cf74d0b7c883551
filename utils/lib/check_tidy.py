#!/usr/bin/env python3
# check_tidy.py - clang-tidy-19 with .clang-tidy finds nothing
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check_tidy.py --build BUILD [--changed | FILE...] [--fix] [-j N]
# check_tidy.py --self-test
# Knows: the sources of FOLDERS that BUILD compiles (compile_commands.json), each
# once; with FILEs, only these. --changed: only those that differ from main (on
# main itself, from LAST_COMMITS before), and for each header that differs one
# source that includes it; all of them if .clang-tidy or this script differs,
# without git, or with EVENKEEL_TIDY=all.
# Makes: each finding once, sorted, whichever sources include the header. Exit
# status: 1 if there is a finding, 77 without clang-tidy-19. --fix mends what
# clang-tidy can mend, one source after the other.
# Not here: test inputs and unit tests; the layout (check_format.sh).
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

FOLDERS = ("passes", "profiles", "rewriter", "runtime", "utils")
LAST_COMMITS = 20
RULES = (".clang-tidy", "utils/lib/check_tidy.py")


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


def git(root, *words):
    """Lines of git's output, or None."""
    ran = subprocess.run(["git", "-C", root, *words], capture_output=True, text=True)
    return ran.stdout.splitlines() if ran.returncode == 0 else None


def changed(root):
    """Paths that differ from main, or None: not known."""
    head = git(root, "rev-parse", "HEAD")
    for main_branch in ("origin/main", "main"):
        base = git(root, "merge-base", "HEAD", main_branch)
        if base:
            break
    if not head or not base:
        return None
    base = base[0] if base != head else f"HEAD~{LAST_COMMITS}"
    return git(root, "diff", "--name-only", base)


def includers(root):
    """By file name without folders: the files that include such a file."""
    found = {}
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith((".h", ".c", ".cpp")):
                    path = os.path.relpath(os.path.join(folder, name), root)
                    with open(os.path.join(root, path), encoding="utf-8") as f:
                        for m in re.finditer(r'^ *# *include *[<"]([^>"]+)', f.read(), re.M):
                            found.setdefault(os.path.basename(m.group(1)), set()).add(path)
    return found


def sources_of(paths, listed, included_by):
    """The sources of LISTED to look at for changes of PATHS."""
    chosen = set()
    for path in paths:
        reached, todo = {path}, [path]
        while todo and not any(p in listed for p in todo):
            todo = sorted({q for p in todo for q in included_by.get(os.path.basename(p), ())} - reached)
            reached.update(todo)
        chosen.update([p for p in todo if p in listed][:1])
    return sorted(chosen)


def self_test():
    with tempfile.TemporaryDirectory() as root:
        for path, text in (("profiles/a.h", ""), ("profiles/b.h", '#include "a.h"\n'),
                           ("profiles/b.cpp", '#include "b.h"\n'), ("profiles/c.cpp", '#include "b.h"\n'),
                           ("utils/d.h", ""), ("utils/alone.cpp", "")):
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w") as f:
                f.write(text)
        listed = ["profiles/b.cpp", "profiles/c.cpp", "utils/alone.cpp"]
        for paths, expected in ((["profiles/a.h"], ["profiles/b.cpp"]), (["profiles/c.cpp"], ["profiles/c.cpp"]),
                                (["utils/d.h", "docs/x.md"], []),
                                (["profiles/b.h", "utils/alone.cpp"], ["profiles/b.cpp", "utils/alone.cpp"])):
            said = sources_of(paths, listed, includers(root))
            if said != expected:
                sys.exit(f"for {paths}: {said}, expected {expected}")


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
    if "--self-test" in sys.argv:
        return self_test()
    parser = argparse.ArgumentParser(usage="check_tidy.py --build BUILD [--changed | FILE...] [--fix] [-j N]")
    parser.add_argument("--build", required=True)
    parser.add_argument("--changed", action="store_true")
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("files", nargs="*")
    asked = parser.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    build = os.path.abspath(asked.build)
    if not os.path.exists(os.path.join(build, "compile_commands.json")):
        parser.error(f"no compile_commands.json in {asked.build}; configure it with a preset")
    if not shutil.which("clang-tidy-19"):
        print("SKIP: clang-tidy-19 is not installed; utils/install-packages installs it")
        return 77
    todo = sources(build, root, asked.files)
    paths = changed(root) if asked.changed and os.environ.get("EVENKEEL_TIDY") != "all" else None
    if paths is not None and not set(paths) & set(RULES):
        todo = sources_of(paths, todo, includers(root))
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
