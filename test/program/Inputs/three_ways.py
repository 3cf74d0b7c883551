#!/usr/bin/env python3
"""three_ways.py - one program, three ways to facts, the same bytes.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Copies a folder of sources, builds it once with the pass plugin at two jobs and
once for a full-LTO link, in two orders of units each, and compares facts.json
of the compile database, of the programs, and of the link. Ends with one line
that says how much there was to compare; any difference is an error.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys


def main():
    p = argparse.ArgumentParser()
    for name in ("sources", "work", "evenkeel", "plugin", "clang", "clangxx"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--flags", default="-O2 -g -fopenmp")
    a = p.parse_args()
    shutil.rmtree(a.work, ignore_errors=True)
    os.makedirs(a.work)
    source = os.path.join(a.work, "src")
    shutil.copytree(a.sources, source)
    os.environ.pop("EVENKEEL_ROOT", None)
    units = sorted(f for f in os.listdir(source) if f.endswith((".c", ".cpp")))
    flags = a.flags.split()

    def compiler(unit):
        return a.clangxx if unit.endswith(".cpp") else a.clang

    linker = a.clangxx if units[0].endswith(".cpp") else a.clang

    def command(unit, *more):
        return [compiler(unit), *flags, *more, "-c", unit, "-o", unit + ".o"]

    def run(words, **more):
        subprocess.run(words, check=True, cwd=source, **more)

    def read(path):
        with open(os.path.join(a.work, path), "rb") as f:
            return f.read()

    facts = {}

    def analyze(name, *words):
        out = os.path.join(a.work, name + ".json")
        subprocess.run(
            [a.evenkeel, "analyze", *words, "-o", out],
            check=True, cwd=a.work, stdout=subprocess.DEVNULL)
        facts[name] = read(name + ".json")

    def build(extra, order):
        """All units, two at a time, started in the given order."""
        running = []
        for unit in order:
            running.append(subprocess.Popen(command(unit, *extra), cwd=source))
            if len(running) == 2 and running.pop(0).wait() != 0:
                sys.exit("a unit does not compile")
        if any(r.wait() != 0 for r in running):
            sys.exit("a unit does not compile")

    for name, order in (("database", units), ("database-reversed", units[::-1])):
        with open(os.path.join(a.work, "src", "compile_commands.json"), "w") as f:
            json.dump([{"directory": ".", "file": u, "arguments": command(u)}
                       for u in order], f)
        analyze(name, "-p", "src", "-j2")

    plugin = "-fpass-plugin=" + a.plugin
    outputs = []
    for name, order in (("units", units), ("units-reversed", units[::-1])):
        build([plugin], order)
        run([linker, "-fopenmp", *(u + ".o" for u in order), "-o", name])
        analyze(name, "src/" + name)
        outputs.append(subprocess.run([os.path.join(source, name)], check=True,
                                      stdout=subprocess.PIPE).stdout)
    analyze("objects", *("src/" + u + ".o" for u in units))
    for name, order in (("link", units), ("link-reversed", units[::-1])):
        build([plugin, "-flto=full"], order)
        out = os.path.join(a.work, name + ".json")
        run([linker, "-fopenmp", "-O2", "-flto=full", "-fuse-ld=lld",
             "-Wl,--load-pass-plugin=" + a.plugin,
             *(u + ".o" for u in order), "-o", name],
            env={**os.environ, "EVENKEEL_FACTS": out})
        facts[name] = read(name + ".json")
        # The program of such a link tells the same again.
        analyze(name + "-program", "src/" + name)
        outputs.append(subprocess.run([os.path.join(source, name)], check=True,
                                      stdout=subprocess.PIPE).stdout)

    different = sorted(n for n, f in facts.items() if f != facts["database"])
    if different:
        sys.exit("facts differ from those of the compile database: "
                 + ", ".join(different) + "; see " + a.work)
    if len(set(outputs)) != 1:
        sys.exit("the programs print different results")
    f = json.loads(facts["database"])
    print("%d equal facts: %d units, %d sites, %d regions, %d accesses"
          % (len(facts), len(f["units"]), len(f["sites"]), len(f["regions"]),
             len(f["accesses"])))


main()
