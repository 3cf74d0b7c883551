#!/usr/bin/env python3
# workload.py - makes the guest's OpenMP workload as users make theirs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# workload.py --bin DIR --lib DIR --include DIR --clock DIR --source team.c --clang CLANG OUT
# Knows: analyze, record a base run, plan, rewrite, build with an ordinary
# compiler. Makes in OUT: team.plain, team.rewritten, plan.json, and pages.txt:
# the node on which each page is to lie, worked out from plan.json alone: chunk i
# of 256 has its first part fast, and a page is fast once the fast bytes up to
# its end are half a page more than were given so far.
import argparse
import json
import os
import re
import subprocess
import sys

PAGE, CHUNKS = 4096, 256


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"workload: {' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")


def fast_pages(entry, size):
    """Whether each page is to be fast."""
    chunk, spans = size / CHUNKS, []
    for first, last, share in entry["ranges"] or [[0, CHUNKS, entry["share"]]]:
        if not entry["ranges"]:
            spans.append((0, share * size))
        else:
            spans += [(i * chunk, (i + share) * chunk) for i in range(first, last)]
    given, pages = 0, []
    for start in range(0, size, PAGE):
        end = min(start + PAGE, size)
        asked = sum(max(0, min(end, b) - a) for a, b in spans if a < end)
        fast = asked - given >= (end - start) / 2 * (1 - 1e-6)  # ties count, however they round
        given += (end - start) * fast
        pages.append(fast)
    return pages


def main():
    p = argparse.ArgumentParser()
    for name in ("bin", "lib", "include", "source", "clock", "clang"):
        p.add_argument("--" + name, required=True)
    p.add_argument("out")
    a = p.parse_args()
    os.makedirs(a.out, exist_ok=True)
    os.chdir(a.out)
    text = open(a.source).read()
    open("team.c", "w").write(text)
    json.dump([{"directory": a.out, "file": "team.c", "command": "cc -O2 -fopenmp -c team.c -o team.o"}],
              open("compile_commands.json", "w"))
    env = dict(os.environ, EVENKEEL_ROOT=a.out, OMP_NUM_THREADS="2",
               EVENKEEL_RECORD_L2="32768/8", EVENKEEL_RECORD_LLC="65536/16")
    evenkeel = os.path.join(a.bin, "evenkeel")
    run([evenkeel, "analyze", "-p", ".", "-o", "facts.json"], env=env)
    run([os.path.join(a.bin, "evenkeel-cc"), "--record=misses", "-O2", "-fopenmp", "team.c", "-o", "team.recorded"],
        env=env)
    run([evenkeel, "record", "--misses", "-o", "base.ekdb", "--", "./team.recorded", "150", "60", "30", "0"], env=env)
    run([evenkeel, "plan", "--facts", "facts.json", "--base", "base.ekdb", "--machine", "optane-6252n",
         "--fast", "2MiB", "-o", "plan.json"], env=env)
    run([evenkeel, "rewrite", "-p", ".", "--plan", "plan.json", "-o", "rewritten"], env=env)
    run([a.clang, "-O2", "-fopenmp", "team.c", "-o", "team.plain"])
    run([a.clang, "-O2", "-fopenmp", "-DWORK_CLOCK", "-DWORK_CLOCK_FREE_LOOKS", "rewritten/team.c", "-I", a.clock,
         "-I", a.include, "-L", a.lib, "-levenkeel", "-o", "team.rewritten"])
    plan = json.load(open("plan.json"))
    lines = text.split("\n")
    sizes = {"left": 1 << 21, "right": 1 << 21, "spare": 1 << 22}
    out = {}
    for entry in plan["objects"]:
        m = re.search(r"\*(\w+) = malloc", lines[int(entry["at"].split(":")[1]) - 1])
        fast, runs = fast_pages(entry, sizes[m.group(1)]), ""
        start = 0
        for i in range(1, len(fast) + 1):
            if i == len(fast) or fast[i] != fast[start]:
                runs += f"{m.group(1)} {start} {i} {0 if fast[start] else 1}\n"
                start = i
        out[m.group(1)] = (runs, sum(fast))
    if not 0 < out["left"][1] < 512 or not 0 < out["right"][1] < out["left"][1]:
        sys.exit(f"workload: a plan that tests little: {out['left'][1]} and {out['right'][1]} pages are fast")
    open("pages.txt", "w").write("".join(out[name][0] for name in sizes))


main()
