#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_rewrite.py - run one rewriter test in clang-tidy's form.

usage: check_rewrite.py SOURCE TMPDIR EKINCLUDE [OPTION...] -- FLAGS...

--hooks-only: CHECK-FIXES is about hooks; the brackets of regions, and the values
before them, are taken out before the comparison.
Copies SOURCE (its CHECK comments blanked, so they cannot match themselves) and
the files given by --with into TMPDIR, rewrites them in place, and checks that
  - the result matches SOURCE's CHECK-FIXES lines, the report CHECK-REPORT,
    the inventory CHECK-INVENTORY (each only if SOURCE has such lines);
  - clang and, where installed, gcc compile the result without warnings from
    -Wall, with and without -DEVENKEEL_DISABLE;
  - with --run=LIBDIR: original and result, built by clang -O2 and by gcc -O0,
    against the library and with -DEVENKEEL_DISABLE, print the same; what the
    library's summary of the run says matches CHECK-SUMMARY;
  - a second application changes nothing.
--settings=A,B: the result is compiled, and run, with each selection of -DA and
-DB, and each has to be as the original is with that selection.
"""
import itertools
import json
import os
import re
import shutil
import subprocess
import sys


def run(args, cwd, ok=True):
    result = subprocess.run(
        args, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    if ok and result.returncode != 0:
        sys.exit(
            "FAILED: %s\n%s%s" % (" ".join(args), result.stdout, result.stderr)
        )
    return result


def file_check(source, prefix, text, tmp):
    if not re.search(prefix + r"(-[A-Z]+)?:", open(source).read()):
        return
    path = os.path.join(tmp, "filecheck." + prefix)
    with open(path, "w") as out:
        out.write(text)
    whole = [] if prefix == "CHECK-SUMMARY" else ["--match-full-lines"]
    run(["FileCheck", source, "--input-file", path, "--check-prefix", prefix]
        + whole, tmp)


def compare_runs(source, tmp, compile, original, fixed, include, lib, name):
    before = os.path.join(tmp, "before-" + name)
    with open(before, "w", newline="") as f:
        f.write(original)
    with open(os.path.join(tmp, "after-" + name), "w", newline="") as f:
        f.write(fixed)
    linked = ["-L" + lib, "-Wl,-rpath," + lib, "-levenkeel"]
    # Each compiler as different from the other as can be.
    for level in ["-O2" if "clang" in compile[0] else "-O0"]:
        want = None
        for text, extra in (("before-", []), ("after-", linked),
                            ("after-", ["-DEVENKEEL_DISABLE"])):
            exe = os.path.join(tmp, "a.out")
            run(compile + [level, "-w", "-I", include, text + name, "-o", exe]
                + extra, tmp)
            summary = os.path.join(tmp, "summary.txt")
            if os.path.exists(summary):
                os.remove(summary)
            os.environ["EVENKEEL_SUMMARY"] = summary
            got = run([exe], tmp, ok=text == "before-")
            result = (got.returncode, got.stdout)
            if want is None:
                want = result
            if result != want:
                sys.exit("FAILED: %s %s %s prints\n%s instead of\n%s%s" % (
                    compile[0], level, text, result, want, got.stderr))
            if extra == linked:
                file_check(source, "CHECK-SUMMARY", open(summary).read(), tmp)


def without_regions(text):
    """The text as if no region had been bracketed and no value handed over."""
    text = re.sub(r"[ \t]*EK_VALUES\(.*\);\n#line[^\n]*\n", "", text)
    text = re.sub(r"[ \t]*\{ ek_region_begin\(\w+\);\n#line[^\n]*\n", "", text)
    text = re.sub(r"\n[ \t]*ek_region_end\(\w+\); \}\n#line[^\n]*\n", "\n", text)
    return re.sub(r" *ek_region_end\(\w+\); \}", "", text)


def main():
    split = sys.argv.index("--")
    options, flags = sys.argv[1:split], sys.argv[split + 1:]
    source, tmp, include = options[:3]
    options = options[3:]
    hooks_only = "--hooks-only" in options
    options = [o for o in options if o != "--hooks-only"]
    companions = [o[len("--with="):] for o in options if o.startswith("--with=")]
    libraries = [o[len("--run="):] for o in options if o.startswith("--run=")]
    names = [n for o in options if o.startswith("--settings=")
             for n in o[len("--settings="):].split(",")]
    settings = [["-D" + n for n in chosen] for k in range(len(names) + 1)
                for chosen in itertools.combinations(names, k)]
    tool_options = [o for o in options
                    if not o.startswith(("--with=", "--run=", "--settings="))]

    shutil.rmtree(tmp, ignore_errors=True)
    os.makedirs(tmp)
    name = os.path.basename(source)
    copy = os.path.join(tmp, name)
    with open(source, newline="") as f:
        text = f.read()
    text = re.sub(r"// *(CHECK-[A-Z-]+|RUN):[^\n]*", "//", text)
    with open(copy, "w", newline="") as f:
        f.write(text)
    for companion in companions:
        target = os.path.join(tmp, companion)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(os.path.join(os.path.dirname(source), companion), target)

    cxx = name.endswith(".cpp")
    with open(os.path.join(tmp, "compile_commands.json"), "w") as f:
        json.dump([{"directory": tmp, "file": name, "arguments":
                    ["g++" if cxx else "gcc"] + flags + ["-c", name]}], f)
    tool = ["evenkeel-rewrite", "-p", tmp, "--root", tmp] + tool_options

    inventory = run(tool + ["--inventory"], tmp).stdout
    file_check(source, "CHECK-INVENTORY", inventory, tmp)
    first = run(tool + ["--in-place"], tmp)
    file_check(source, "CHECK-REPORT", first.stderr, tmp)
    fixed = open(copy, newline="").read()
    fixed = fixed.replace("\r\n", "\n")
    file_check(source, "CHECK-FIXES",
               without_regions(fixed) if hooks_only else fixed, tmp)

    compilers = [["clang++" if cxx else "clang"], ["g++" if cxx else "gcc"]]
    for compiler in compilers:
        if not shutil.which(compiler[0]):
            continue
        for extra in [s + d for s in settings
                      for d in ([], ["-DEVENKEEL_DISABLE"])]:
            run(compiler + ["-Wall", "-Werror", "-Wno-unused",
                            "-Wno-unknown-pragmas"] + flags + [
                "-fsyntax-only", "-I", include] + extra + [name], tmp)

        for lib in libraries:
            for chosen in settings:
                compare_runs(source, tmp, compiler + flags + chosen, text,
                             fixed, include, lib, name)

    again = run(tool + ["--diff"], tmp)
    if again.stdout:
        sys.exit("FAILED: a second application changes\n" + again.stdout)
    before = [line.split(" # ")[0].rsplit(" ", 1)[0] for line in
              inventory.splitlines()]
    after = [line.split(" # ")[0].rsplit(" ", 1)[0] for line in
             run(tool + ["--inventory"], tmp).stdout.splitlines()]

    def without_column(lines):
        return sorted(re.sub(r":\d+ ", " ", l, count=1) for l in lines)
    if without_column(before) != without_column(after):
        sys.exit("FAILED: ids changed by rewriting\n%s\n---\n%s"
                 % ("\n".join(before), "\n".join(after)))


main()
