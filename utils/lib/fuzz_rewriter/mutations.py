# mutations.py - damaged sources for the rewriter
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: how to damage a source by bytes, tokens and lines, and what must hold for
# any text: the rewriter ends in time with status 0 or 2, without a signal; with
# status 2 it wrote nothing; with status 0 the disabled result is, in C, the same
# program (same assembly), the result compiles, and a second rewrite does nothing.
# Makes: "refused", "rewritten", "unchanged", or a Difference.
import os
import random
import re
import shutil

from fuzz_rewriter.check import Difference, run, write
from fuzz_rewriter.program import Program

PIECES = [
    "malloc(3)", "free(0)", "(void *)realloc(0, 4)", "new int[3]", "delete[] p", "calloc", "{", "}", "(", ")", ";",
    ",", "*", "&", "<", ">", "::", "\\\n", "??/\n", "/*", "*/", "//", "\n", "\r\n", "\"", "'", "\0", "\xff", "é", "%:",
    "\n#if 0\n", "\n#if 1\n", "\n#else\n", "\n#endif\n", "\n#ifdef _OPENMP\n", "\n#line 7 \"x.c\"\n", "\n#line 3\n",
    "\n#define malloc(n) (n)\n", "\n#define M malloc\n", "\n#define P(x) x\n", "P(", "\n#undef free\n",
    "\n#include __FILE__\n", "\n#include <evenkeel/ek.h>\n", "\n#pragma once\n", "\n#pragma omp barrier\n",
    "\n#pragma omp parallel for\n", "\n#pragma omp parallel\n", "\n#pragma omp taskwait\n", "\n#pragma omp single\n",
    "_Pragma(\"omp taskwait\")", "\n#pragma omp for nowait\n", "\n#pragma evenkeel exclude\n",
    "\n#pragma evenkeel pin(fast)\n", "[[evenkeel::exclude]]", "[[evenkeel::pin(\"fast\")]]", "[[evenkeel::", "if (1)",
    "else", "for (;;)", "do", "while (0)", "switch (1)", "case 3:", "default:", "x:", "return", "goto x;", "static",
    "extern \"C\" {", "template <class T>", "int a[30000];", "static double big[100000];", "ek_malloc(1, 2)",
    "ek_sync(3, EK_TEAM);", "struct S {", "namespace ek {", "using namespace std;", "sizeof", "_Generic(0, int: ",
    "({", "})", "[&] {", "try {", "} catch (...) {", "constexpr", "inline", "typedef", "auto", "this",
]
TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\"(?:\\.|[^\"\\\n])*\"|\s+|[^\w\s]")


def seeds(tests, programs):
    """The programs to damage: the rewriter's tests, and \a programs."""
    result = []
    for name in sorted(os.listdir(tests)):
        if not name.endswith((".c", ".cpp")):
            continue
        with open(os.path.join(tests, name), newline="", errors="surrogateescape") as f:
            text = f.read()
        run_line = re.search(r"check_rewrite\.py .*? -- (.*)", text)
        if not run_line:
            continue
        cxx = name.endswith(".cpp")
        p = Program(cxx)
        for companion in re.findall(r"--with=(\S+)", text):
            with open(os.path.join(tests, companion), newline="") as f:
                p.add(companion, f.read())
        text = re.sub(r"// *(CHECK-[A-Z-]+|RUN):[^\n]*", "//", text)
        p.add(name, text, ["-w", *run_line.group(1).split()])
        result.append(p)
    return result + programs


def damage(r, text, others):
    for _ in range(r.choice([1, 1, 1, 2, 3, 8])):
        kind = r.randrange(9)
        if kind == 0 and text:  # a byte
            i = r.randrange(len(text))
            text = text[:i] + chr(r.randrange(1, 128)) + text[i + r.randint(0, 1):]
            continue
        if kind == 1:  # lines
            lines = text.splitlines(True)
            if len(lines) > 2:
                i, j = sorted((r.randrange(len(lines)), r.randrange(len(lines))))
                j = min(j, i + 4)
                lines = r.choice([lines[:i] + lines[j:], lines[:j] + lines[i:],
                                  lines[:i] + lines[j:j + 1] + lines[i + 1:j] + lines[i:i + 1] + lines[j + 1:]])
                text = "".join(lines)
            continue
        if kind == 2:  # a line of another program
            lines, other = text.splitlines(True), r.choice(others).splitlines(True)
            if other:
                lines.insert(r.randint(0, len(lines)), r.choice(other))
                text = "".join(lines)
            continue
        tokens = TOKEN.findall(text)
        if not tokens:
            continue
        i = r.randrange(len(tokens))
        names = [k for k, token in enumerate(tokens) if token[0].isalpha() or token[0] == "_"]
        if kind == 3:
            del tokens[i]
        elif kind == 4:
            tokens.insert(i, tokens[i])
        elif kind == 5 and names:  # names keep the grammar
            tokens[r.choice(names)] = tokens[r.choice(names)]
        elif kind == 6:
            j = r.randrange(len(tokens))
            tokens[i], tokens[j] = tokens[j], tokens[i]
        elif kind == 7:
            tokens.insert(i, r.choice(PIECES))
        else: # between statements, so that it may compile
            ends = [k for k, token in enumerate(tokens) if token in ";{}"]
            if ends:
                tokens.insert(r.choice(ends) + 1, "\n" + r.choice(PIECES) + r.choice(["", ";", "\n"]))
        text = "".join(tokens)
    return text


def check(tools, programs, seed, folder):
    r = random.Random(f"mutant {seed}")
    old = r.choice(programs)
    p = Program(old.cxx)
    p.units = old.units
    p.files = dict(old.files)
    victim = r.choice(sorted(p.files))
    others = [text for q in programs if q.cxx == old.cxx for text in q.files.values()]
    p.files[victim] = damage(r, p.files[victim], others).encode("utf-8", "surrogateescape").decode("latin-1")
    for name in p.files:
        if name != victim:
            p.files[name] = p.files[name].encode("utf-8", "surrogateescape").decode("latin-1")
    shutil.rmtree(folder, ignore_errors=True)
    work, out = os.path.join(folder, "source"), os.path.join(folder, "out")

    def raw(path):
        with open(path, "rb") as f:
            return f.read()
    write_bytes(p, work)
    tool = [tools.rewriter, "-p", work, "--root", work]
    # A memory limit protects the machine. A timeout in CPU time, or a very long
    # one, detects hangs; a busy machine is not a hang.
    limited = ["bash", "-c", 'ulimit -v 4000000; ulimit -t 30; exec timeout -k 1 900 "$@"', "-"]
    extra = ["--keep-going"] if r.random() < 0.3 else []
    first = run(limited + tool + extra + ["-o", out], folder)
    said = (first.stdout + first.stderr)[-2000:]
    if first.returncode not in (0, 2):
        raise Difference(f"the rewriter ends with status {first.returncode}: {said}")
    for name, text in p.files.items():
        if raw(os.path.join(work, name)) != text.encode("latin-1"):
            raise Difference(f"-o changed the source {name}")
    if first.returncode == 2:
        if not extra and os.path.exists(out):
            raise Difference("refused, but something was written")
        if not re.search(r"(?m)^evenkeel: error: ", first.stderr):
            raise Difference(f"refused without a line that says why: {said}")
        return "refused"
    changed = any(os.path.exists(os.path.join(out, n)) and raw(os.path.join(out, n)) != t.encode("latin-1")
                  for n, t in p.files.items())
    if not changed:
        return "unchanged"
    for name in p.files: # the mirrored tree has only the edited files
        target = os.path.join(out, name)
        if not os.path.exists(target):
            shutil.copy(os.path.join(work, name), target)
    compiler = tools.compilers[p.cxx][0]
    for name, flags in p.units:
        base = run([compiler, "-O1", *flags, "-S", name, "-o", "-"], work)
        if base.returncode:
            continue # rejected by the code generator, such as a too large array
        include = "-I" + tools.include
        off = run([compiler, "-O1", *flags, "-DEVENKEEL_DISABLE", include, "-S", name, "-o", "-"], out)
        # In C++, clean-up after a throwing constructor calls another delete.
        if off.returncode or (not p.cxx and off.stdout != base.stdout):
            raise Difference(f"{name} disabled is other code: {off.stderr[:1000]}")
        on = run([compiler, "-O0", *flags, include, "-S", name, "-o", os.devnull], out)
        if on.returncode:
            raise Difference(f"{name} rewritten does not compile: {on.stderr[:1000]}")
    again = run(limited + [tools.rewriter, "-p", out, "--root", out, "--diff"] + extra, folder)
    if again.returncode or again.stdout:
        raise Difference(f"a second rewrite changes something: {(again.stdout + again.stderr)[:2000]}")
    return "rewritten"


def write_bytes(program, folder):
    copy = Program(program.cxx)
    copy.units = program.units
    write(copy, folder)
    for name, text in program.files.items():
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "wb") as f:
            f.write(text.encode("latin-1"))
