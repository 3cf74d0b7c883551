# check.py - a rewritten program is equivalent to the original
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: how to rewrite a Program, with which compilers and levels to build it,
# and what must hold:
#   - the rewritten program exits and prints like the original, for every compiler
#     and level, under several settings of the runtime, with and without a plan;
#   - with EVENKEEL_DISABLE, compilers generate the same assembly for both;
#   - a second rewrite changes nothing, and the first changed no other file.
# Makes: a tally, or a Difference with a description and how to reproduce it.
# Not here: how programs are made.
import difflib
import json
import os
import re
import shutil
import subprocess


class Difference(Exception):
    """Something that must hold does not hold."""


class Endless(Exception):
    """The original does not end in time, so there is nothing to compare."""


class Tools:
    """The paths of the build tree and the compilers."""

    def __init__(self, build):
        self.rewriter = os.path.join(build, "bin", "evenkeel-rewrite")
        self.lib = os.path.join(build, "lib")
        self.include = os.path.join(build, "include") # of the same build as the library

        def first(*names):
            return next((n for n in names if shutil.which(n)), None)
        self.compilers = {False: [first("clang-19", "clang"), first("gcc")],
                          True: [first("clang++-19", "clang++"), first("g++")]}

    def problem(self):
        """A missing tool, or None."""
        for path in (self.rewriter, os.path.join(self.lib, "libevenkeel.so")):
            if not os.path.exists(path):
                return f"'{path}' is missing; build first"
        for names in self.compilers.values():
            if None in names:
                return "clang-19 and gcc are both needed; see utils/packages.txt"
        return None


# Environment of the rewritten program, by (compiler, level).
SETTINGS = {
    (0, "-O0"): {"EVENKEEL_THRESHOLD": "1KiB", "EVENKEEL_TIERS": "fast=1MiB,slow=1GiB"},
    (0, "-O2"): {},
    (1, "-O0"): {"EVENKEEL_DISABLE": "1"},
    (1, "-O2"): {"EVENKEEL_THRESHOLD": "4KiB", "EVENKEEL_TIERS": "fast=64KiB,slow=1GiB"},
}


def run(command, cwd, env=None, limit=600):
    try:
        return subprocess.run(command, cwd=cwd, env=env, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=limit)
    except subprocess.TimeoutExpired:
        raise Difference(f"no end within {limit} s: (cd {cwd}; {' '.join(command)})")


def must(command, what, cwd, env=None):
    result = run(command, cwd, env)
    if result.returncode:
        raise Difference(f"{what}: (cd {cwd}; {' '.join(command)})\n{result.stdout}{result.stderr}")
    return result


def write(program, folder):
    os.makedirs(folder)
    for name, text in program.files.items():
        with open(os.path.join(folder, name), "w", newline="") as f:
            f.write(text)
    with open(os.path.join(folder, "compile_commands.json"), "w") as f:
        json.dump([{"directory": folder, "file": name,
                    "arguments": ["c++" if program.cxx else "cc", *flags, "-c", name]}
                   for name, flags in program.units], f)


def read(program, folder):
    texts = {}
    for name in program.files:
        with open(os.path.join(folder, name), newline="") as f:
            texts[name] = f.read()
    return texts


def random_plan(r, inventory, path):
    """A plan with random shares for the sites of the inventory."""
    sites = sorted(set(re.findall(r"(?m)^site .* ([0-9a-f]{16}) ", inventory)))
    objects = [{"site": site, "at": "p:1:1", "creator": None, "ordinal": None,
                "share": r.random(), "ranges": [], "predicted_bytes": 1000, "gain_s": 0.0,
                "reason": "test"} for site in sites if r.random() < 0.7]
    with open(path, "w") as f:
        json.dump({"schema": "evenkeel.plan/1", "program": "0" * 16, "planner": "balanced",
                   "model": "overlap", "machine": "test", "fast_bytes": 1 << 20,
                   "keeps_first_touch": False, "base_input": "", "objects": objects,
                   "predicted": {"makespan_s": 1.0, "phases": []}, "replan": {}, "assumed": []}, f)
    return bool(objects)


def build(tools, program, folder, which, level, exe, extra=(), link=()):
    command = [tools.compilers[program.cxx][which], level]
    units = []
    for name, flags in program.units:
        out = name + ".o"
        must([*command, *flags, *extra, "-c", name, "-o", out], "it does not compile", folder)
        units.append(out)
    must([*command, *program.link, *units, "-o", exe, *link, "-pthread"], "it does not link", folder)


def assembler(tools, program, folder, which, name, flags, extra):
    text = must([tools.compilers[program.cxx][which], "-O1", *flags, *extra, "-S", name, "-o", "-"],
                "it does not compile", folder).stdout
    return text.splitlines(True)


def check_disabled(tools, program, before, after, which, outcome):
    """Disabled code is the original code, instruction by instruction; in C++,
    where clean-up after throwing constructors may differ, by its output."""
    disabled = ["-DEVENKEEL_DISABLE", "-I" + tools.include]
    compiler = tools.compilers[program.cxx][which]
    for name, flags in program.units:
        old = assembler(tools, program, before, which, name, flags, [])
        new = assembler(tools, program, after, which, name, flags, disabled)
        if old == new:
            continue
        if not program.cxx:
            diff = "".join(list(difflib.unified_diff(old, new, "original", "disabled", n=2))[:40])
            raise Difference(f"{name} disabled is other code than the original ({compiler} -O1)\n{diff}")
        build(tools, program, after, which, "-O2", "./exe", disabled)
        want, have = outcome("./exe", before, {}, 60), outcome("./exe", after, {}, 60)
        if have != want:
            raise Difference(f"disabled, {compiler} -O2: {have}\noriginal: {want}")
        return


def check(tools, program, folder, r):
    """Checks \a program in \a folder, which is created anew. Returns a tally. C++
    compiles slowly, so each compiler gets one of the levels, in turn."""
    shutil.rmtree(folder, ignore_errors=True)
    before, after = os.path.join(folder, "original"), os.path.join(folder, "rewritten")
    write(program, before)
    write(program, after)
    env = dict(os.environ, OMP_NUM_THREADS="2", LD_LIBRARY_PATH="/usr/lib/llvm-19/lib")
    for name in list(env):
        if name.startswith("EVENKEEL_"):
            del env[name]

    def outcome(exe, cwd, settings, limit):
        result = subprocess.run([exe], cwd=cwd, env={**env, **settings}, text=True, errors="replace",
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=limit)
        return result.returncode, result.stdout

    tool = [tools.rewriter, "-p", after, "--root", after]
    plan = []
    if r.random() < 0.3:
        inventory = must(tool + ["--inventory"], "no inventory", after).stdout
        if random_plan(r, inventory, os.path.join(folder, "plan.json")):
            plan = ["--plan", os.path.join(folder, "plan.json")]
    must(tool + plan + ["--in-place"], "the rewriter fails", after)
    texts = read(program, after)
    calls = sum(len(re.findall(r"\bek_\w+ *\(|\bek::site\(", t)) for t in texts.values())
    again = must(tool + plan + ["--diff"], "the second rewrite fails", after).stdout
    if again:
        raise Difference(f"a second rewrite changes something\n{again[:2000]}")

    turn = r.randint(0, 1)
    for which, level in SETTINGS:
        if program.cxx and (which ^ (level == "-O2")) != turn:
            continue
        compiler = tools.compilers[program.cxx][which]
        build(tools, program, before, which, level, "./exe")
        try:
            want = outcome("./exe", before, {}, 3)
        except subprocess.TimeoutExpired:
            raise Endless()
        build(tools, program, after, which, level, "./exe", ["-I" + tools.include],
              ["-L" + tools.lib, "-levenkeel", "-Wl,-rpath," + tools.lib])
        try:
            have = outcome("./exe", after, SETTINGS[which, level], 60)
        except subprocess.TimeoutExpired:
            raise Difference(f"rewritten, {compiler} {level}: does not end")
        if have != want:
            raise Difference(f"rewritten, {compiler} {level}, {SETTINGS[which, level]}: {have}\n"
                             f"original: {want}")
    which = r.randint(0, 1)
    check_disabled(tools, program, before, after, which, outcome)
    return {"blocks": program.blocks, "calls": calls, "planned": bool(plan)}
