#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""portability.py SOURCE TMPDIR INCLUDE LIB - one rewritten source, everywhere.

For each of clang and gcc and each standard that the original compiles under:
  - the result compiles, with the warnings of the original, on the same lines;
  - the header compiles included first and alone, without any warning;
  - disabled, the compiler makes the same instructions of it as of the original;
  - debug information speaks of the same lines.
For one standard of each compiler the result is linked and run, too. tcc, where
it is installed, has to compile C.
"""
import json
import os
import re
import shutil
import subprocess
import sys

source, tmp, include, lib = sys.argv[1:]
name = os.path.basename(source)
cxx = name.endswith(".cpp")
# gcc 12 and clang 19 both know these names.
standards = (["gnu89", "c99", "c11", "c17", "gnu17", "c2x"] if not cxx
             else ["c++11", "c++14", "c++17", "c++20"])
compilers = ["clang++", "g++"] if cxx else ["clang", "gcc"]
strict = ["-Wall", "-Wextra", "-Werror", "-pedantic"]
failures = []


def run(arguments, cwd):
    return subprocess.run(arguments, cwd=cwd, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)


def expect(holds, what):
    if not holds:
        failures.append(what)


def warnings(text):
    """(line, message) of each warning; columns move behind an edit."""
    return sorted(re.findall(r"^%s:(\d+):\d+: warning: (.*)$" % re.escape(name), text, re.M))


def lines_of(assembler):
    """Lines of the source that the line table speaks of."""
    files = {number for number, path in re.findall(r'\.file\s+(\d+) .*"([^"\n]*)"', assembler)
             if os.path.basename(path) == name}
    return {int(line) for number, line in re.findall(r"\.loc\s+(\d+) (\d+)", assembler)
            if number in files}


def code(assembler):
    return [line for line in assembler.splitlines() if not line.lstrip().startswith(".file")]


shutil.rmtree(tmp, ignore_errors=True)
original, rewritten, alone = (os.path.join(tmp, d) for d in ("original", "rewritten", "alone"))
for folder in (original, rewritten, alone):
    os.makedirs(folder)
shutil.copy(source, original)
shutil.copy(source, rewritten)
with open(os.path.join(alone, name), "w") as out:
    out.write("#include <evenkeel/ek.h>\nint main(%s) { return 0; }\n" % ("" if cxx else "void"))
with open(os.path.join(rewritten, "compile_commands.json"), "w") as out:
    json.dump([{"directory": rewritten, "file": name,
                "arguments": [compilers[0], "-fopenmp", "-c", name]}], out)
result = run(["evenkeel-rewrite", "-p", rewritten, "--root", rewritten, "--in-place"], rewritten)
expect(result.returncode == 0, "the rewriter fails: " + result.stderr)

covered = 0
for compiler in compilers:
    if not shutil.which(compiler):
        continue
    for std in standards:
        flags = [compiler, "-std=" + std, "-fopenmp"]
        old = run(flags + ["-Wall", "-Wextra", "-O1", "-c", name, "-o", os.devnull], original)
        if old.returncode:
            continue  # not this compiler's standard
        covered += 1
        where = compiler + " -std=" + std
        new = run(flags + ["-I", include, "-Wall", "-Wextra", "-O1", "-c", name, "-o", os.devnull], rewritten)
        expect(new.returncode == 0, where + ": does not compile\n" + new.stderr)
        expect(warnings(old.stderr), where + ": the original is to warn")
        expect(warnings(new.stderr) == warnings(old.stderr),
               where + ": other warnings\n" + old.stderr + "---\n" + new.stderr)
        for extra in ([], ["-DEVENKEEL_DISABLE"]) if std != "gnu89" else ():
            header = run([compiler, "-std=" + std, *strict, "-I", include, *extra, "-fsyntax-only", name], alone)
            expect(header.returncode == 0, where + ": the header alone\n" + header.stderr)
    std = "-std=" + (standards[-2])
    flags = [compiler, std, "-fopenmp", "-w"]
    listing = ["-O2", "-S", name, "-o", "-"]
    old = run(flags + listing, original).stdout
    off = run(flags + ["-DEVENKEEL_DISABLE", "-I", include] + listing, rewritten).stdout
    expect(code(old) and (code(old) == code(off) or cxx), compiler + ": disabled is other code")
    debug = ["-g", "-O0", "-S", name, "-o", "-"]
    old = lines_of(run(flags + debug, original).stdout)
    new = lines_of(run(flags + ["-I", include] + debug, rewritten).stdout)
    expect(old and old <= new, compiler + ": lines without code: %s" % sorted(old - new))
    expect(all(line <= max(old) for line in new), compiler + ": lines beyond the source: %s" % sorted(new - old))
    for extra, link in (([], ["-L" + lib, "-levenkeel", "-Wl,-rpath," + lib]), (["-DEVENKEEL_DISABLE"], [])):
        built = run(flags + ["-O2", "-I", include, *extra, name, "-o", "exe", *link], rewritten)
        expect(built.returncode == 0, compiler + ": does not link\n" + built.stderr)
        ran = run(["./exe"], rewritten) if built.returncode == 0 else None
        expect(ran and ran.returncode == 0, compiler + ": the result fails")
    if cxx:
        for flag in ("-fno-rtti", "-fno-exceptions"):
            bare = run([compiler, "-std=c++17", flag, *strict, "-I", include, "-fsyntax-only", name], alone)
            expect(bare.returncode == 0, compiler + " " + flag + "\n" + bare.stderr)
if not cxx and shutil.which("tcc"):
    for extra in ([], ["-DEVENKEEL_DISABLE"]):
        # Not /dev/null, which tcc replaces by a file of its own.
        other = run(["tcc", "-w", "-I", include, *extra, "-c", name, "-o", name + ".tcc.o"], rewritten)
        expect(other.returncode == 0, "tcc\n" + other.stderr)
expect(covered >= 4, "only %d standards were covered" % covered)
if failures:
    sys.exit("FAILED:\n" + "\n".join(failures))
