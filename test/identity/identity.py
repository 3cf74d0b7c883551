#!/usr/bin/env python3
# identity.py - do the AST side and the IR side name the same things alike?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: every C and C++ input below test/. For each, the inventory of
# `evenkeel-rewrite --inventory` (Clang AST) and of the pass's
# `print<ek-inventory>` right after the front end (LLVM IR) are compared as sets
# of (kind, coordinate, id).
# Makes: counts of matched, AST-only (why), IR-only (why); fails on any
# difference without one of the reasons below, and on an empty comparison.
#
#   ast-only function-not-emitted   the front end emitted no body (unused static
#                                   or inline function, template never used)
#   ast-only global-not-emitted     unused static array
#   ast-only code-not-emitted       no IR for that line (unreachable or
#                                   unevaluated code)
# Inputs that do not compile are left out where that is their purpose (a folder
# named `broken`) or MPI is missing, and are failures elsewhere.
import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter

INCLUDES = ["profiles", "runtime/include", "runtime"]
LINE = re.compile(r"^(\S+)\s.*?(\S+:\d+:\d+)\b.*?\b([0-9a-f]{16})\b")


def run(args, **kw):
    return subprocess.run(args, capture_output=True, text=True, **kw)


def parse(text):
    found = set()
    for line in text.splitlines():
        m = LINE.match(line)
        if m:
            found.add(m.groups())
    return found


def functions_of(line):
    m = re.search(r"(\S+:\d+:\d+)\s+(?:in\s+)?(\S+)", line)
    return (m.group(1), m.group(2)) if m else None


class Input:
    """One source file: both inventories and what the IR has at all."""

    def __init__(self, opt, path):
        self.opt, self.path = opt, path

    def needs_mpi(self):
        with open(self.path, errors="replace") as f:
            return "#include <mpi.h>" in f.read()

    def machine_flags(self):
        """What its RUN lines ask of the processor."""
        with open(self.path, errors="replace") as f:
            asked = re.findall(r"RUN:.*?\s(-m(?:avx|sse|arch=)\S*)", f.read())
        return sorted(set(asked))

    def compare(self):
        cxx = self.path.endswith(".cpp")
        for standard in ("c++17", "c++20") if cxx else ("gnu17",):
            result = self.compare_as(standard)
            if result is not None:
                return result
        return None

    def compare_as(self, standard):
        o = self.opt
        cxx = self.path.endswith(".cpp")
        flags = ["-fopenmp", "-std=" + standard]
        flags += ["-I" + os.path.join(o.source, folder) for folder in INCLUDES]
        # A small project keeps its headers in `include` or `inc` beside `src`.
        parent = os.path.dirname(os.path.dirname(self.path))
        flags += ["-I" + os.path.join(parent, d) for d in ("include", "inc")]
        flags += o.flags.get(self.path, []) + self.machine_flags()
        if self.needs_mpi():
            flags += mpi_flags()
        flags += ["-Wno-everything"]
        compiler = os.path.join(o.llvm, "clang++" if cxx else "clang")
        with tempfile.TemporaryDirectory() as tmp:
            bitcode = os.path.join(tmp, "unit.bc")
            front = [compiler, *flags, "-g", "-O2", "-Xclang"]
            front += ["-disable-llvm-passes", "-emit-llvm", "-c"]
            if run([*front, self.path, "-o", bitcode], cwd=o.source).returncode:
                return None
            env = dict(os.environ, EVENKEEL_ROOT=o.source)
            ir = run(
                [os.path.join(o.llvm, "opt"), "-load-pass-plugin", o.plugin]
                + ["-passes=print<ek-inventory>", "-disable-output", bitcode],
                env=env,
            )
            if ir.returncode:
                sys.exit(f"identity: {self.path}: opt failed: {ir.stderr}")
            text = run([os.path.join(o.llvm, "llvm-dis"), bitcode, "-o", "-"])
            with open(os.path.join(tmp, "compile_commands.json"), "w") as f:
                command = [compiler, *flags, "-c", self.path]
                json.dump(
                    [{"directory": o.source, "file": self.path,
                      "arguments": command}], f)
            ast = run(
                [o.rewriter, "-p", tmp, "--root", o.source, "--inventory",
                 self.path])
            if ast.returncode:
                sys.exit(f"identity: {self.path}: rewriter: {ast.stderr}")
        a, i = parse(ast.stdout), parse(ir.stdout + ir.stderr)
        names = {m[0]: m[1] for m in
                 filter(None, map(functions_of, ast.stdout.splitlines()))}
        return a & i, self.explain(a - i, names, text.stdout), i - a

    def explain(self, only, names, ir):
        """[(entry, reason or None)] for entries that the AST alone has."""
        result = []
        emitted = set(re.findall(r'DISubprogram\(name: "([^"<]+)', ir))
        lines = set(re.findall(r"DILocation\(line: (\d+)", ir))
        variables = set(re.findall(r'DIGlobalVariable\(name: "([^"]+)"', ir))
        for entry in sorted(only):
            kind, where, _ = entry
            function = names.get(where, "")
            reason = None
            if kind.startswith("global:"):
                if kind[len("global:"):] not in variables:
                    reason = "global-not-emitted"
            elif function != "file" and function not in emitted:
                reason = "function-not-emitted"
            elif where.split(":")[-2] not in lines:
                reason = "code-not-emitted"
            result.append((entry, reason))
        return result


def mpi_flags():
    """Where mpi.h is, as the MPI compiler tells; empty without one."""
    try:
        return [w for w in shlex.split(run(["mpicc", "-show"]).stdout)
                if w.startswith("-I")]
    except OSError:
        return []


def build_flags(build):
    """-D, -I and -isystem of each file that the project's own build compiles."""
    flags = {}
    try:
        entries = json.load(open(os.path.join(build, "compile_commands.json")))
    except OSError:
        return flags
    for e in entries:
        words = shlex.split(e["command"])
        flags[os.path.realpath(e["file"])] = [
            w for before, w in zip([""] + words, words)
            if w.startswith(("-D", "-I", "-isystem")) or before == "-isystem"]
    return flags


def main():
    p = argparse.ArgumentParser(description="Compare AST and IR identities.")
    p.add_argument("--source", required=True)
    p.add_argument("--plugin", required=True)
    p.add_argument("--rewriter", required=True)
    p.add_argument("--build", default="", help="build tree of the project")
    p.add_argument("--llvm", default="/usr/lib/llvm-19/bin")
    p.add_argument("inputs", nargs="*")
    o = p.parse_args()
    o.source = os.path.realpath(o.source)
    o.flags = build_flags(o.build)
    inputs = [os.path.realpath(f) for f in o.inputs]
    for folder, folders, files in os.walk(os.path.join(o.source, "test")):
        folders.sort()
        if not o.inputs:
            inputs += [os.path.join(folder, f) for f in sorted(files)
                       if f.endswith((".c", ".cpp"))]
    matched, left_out, reasons, bad = 0, [], Counter(), 0
    for path in inputs:
        shown = os.path.relpath(path, o.source)
        outcome = Input(o, path).compare()
        if outcome is None:
            left_out.append(shown)
            continue
        same, ast_only, ir_only = outcome
        matched += len(same)
        for entry, reason in ast_only:
            reasons["ast-only " + (reason or "UNEXPLAINED")] += 1
            if reason is None:
                bad += 1
                print(f"{shown}: AST only: {' '.join(entry)}")
        for entry in sorted(ir_only):
            reasons["ir-only UNEXPLAINED"] += 1
            bad += 1
            print(f"{shown}: IR only: {' '.join(entry)}")
    print(f"{len(inputs) - len(left_out)} inputs compared, {matched} entities "
          "matched")
    for reason, n in sorted(reasons.items()):
        print(f"  {reason}: {n}")
    for path in left_out:
        why = ""
        if os.path.basename(os.path.dirname(path)) == "broken":
            why = ", as meant"
        elif not mpi_flags() and Input(o, os.path.join(o.source, path)).needs_mpi():
            why = " without MPI, which is not installed"
        bad += not why
        print(f"  not compared, does not compile{why}: {path}")
    if bad or not matched:
        sys.exit("identity: the two sides disagree" if bad
                 else "identity: nothing was compared")


if __name__ == "__main__":
    main()
