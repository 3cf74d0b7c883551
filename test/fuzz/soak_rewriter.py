#!/usr/bin/env python3
# soak_rewriter.py - rewritten random programs do what the originals do
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# soak_rewriter.py --build TREE --work FOLDER [--seed N] [--programs N]
# Knows: csmith writes programs without undefined behaviour, and without heap;
# blocks that allocate, compute, free or keep arrays, some in parallel regions,
# are put in at random places. Each program is rewritten; original, rewritten
# with the runtime (emulated tiers, small objects placed too) and rewritten
# with -DEVENKEEL_DISABLE must print the same, and a second rewrite must change
# nothing.
# Makes: for EVENKEEL_FUZZ_SECONDS (60), or for N programs, one line
# `soaked: ...`; a difference is a failure whose folder is kept and named.
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time

CSMITH = ["csmith", "--max-funcs", "5", "--max-block-depth", "3", "--max-expr-complexity", "6",
          "--no-bitfields", "--no-packed-struct", "--no-volatiles", "--max-array-dim", "2"]
PRELUDE = r"""
#include <stdio.h>
#include <stdlib.h>
#define SOAK_NEW(T, n) ((T *)malloc(sizeof(T) * (n)))
#define SOAK_ZERO(T, n) \
  ((T *)calloc((n), sizeof(T)))
struct soak_pair { int a; double b; };
struct soak_box { void *data; int n; };
static unsigned long soak_sum;
static void *soak_kept[64];
static unsigned soak_count;
static void soak_keep(void *p) {
  if (soak_count < 64) soak_kept[soak_count++] = p; else free(p);
}
static void soak_end(void) {
  while (soak_count) free(soak_kept[--soak_count]);
  printf("soak %lu\n", soak_sum);
}
"""


def block(r, k):
    """A block of statements of its own, as source text."""
    t = r.choice(["char", "int", "double", "unsigned long", "struct soak_pair"])
    n = r.choice([1, 3, 17, 130, 1000, 3000])
    bytes_ = r.choice([f"{n} * sizeof({t})", f"sizeof({t}) * {n}", f"{n} * sizeof *h",
                       f"sizeof(*h) * (size_t){n}"])
    make = r.choice([
        f"{t} *h = malloc({bytes_});",
        f"{t} *h = ({t} *)malloc({bytes_});",
        f"{t} *h;\n h = calloc({n}, sizeof *h);",
        f"{t} *h = NULL; h = ({t} *)realloc(h, {bytes_});",
        f"{t} *h = malloc(1); h = realloc(h, /* grows */ {bytes_});",
        f"{t} *h = aligned_alloc(64, ({bytes_} + 63) / 64 * 64);",
        f"void *v; if (posix_memalign(&v, 128, {n} * sizeof({t}))) abort(); {t} *h = v;",
        f"{t} *h = SOAK_NEW({t}, {n});",
        f"{t} *h = SOAK_ZERO({t}, {n});",
        f"{t} *h = (soak_sum & 1) ? malloc({bytes_}) : calloc({bytes_}, 1);",
        f"{t} *h = malloc(\n      {bytes_} // why not\n    );",
        f"{t} *h = memset(malloc({bytes_}), 0, {bytes_});",
        f"struct soak_box x = {{malloc({n} * sizeof({t})), {n}}}; {t} *h = x.data;",
        f"{t} *h = (soak_sum++, malloc({bytes_}));",
        f"{t} *hs[2] = {{malloc({n} * sizeof({t})), calloc({n}, sizeof({t}))}}; "
        f"{t} *h = hs[1]; free(hs[0]);",
    ])
    field = ".a" if t == "struct soak_pair" else ""
    omp = lambda text: f"\n#pragma omp parallel for {text}\n" if r.random() < 0.4 else "\n"
    fill = (omp(r.choice(["", "schedule(static, 8)"])) +
            f"    for (int i = 0; i < {n}; i++) h[i]{field} = (i * 3 + {k}) & 63;")
    use = ("    unsigned long s = 0;" + omp("reduction(+ : s)") +
           f"    for (int i = 0; i < {n}; i++) s += (unsigned long)h[i]{field} * (i + 1);\n"
           "    soak_sum = soak_sum * 31 + s;")
    end = r.choice(["free(h);", "if (h) free(h);", "soak_keep(h);", "free((void *)h), h = 0;",
                    "{ void (*f)(void *) = free; f(h); }", "h = realloc(h, 7); free(h);"])
    return f"  {{ {make}{fill}\n{use}\n    {end} }}\n"


def program(seed, path):
    text = subprocess.run([*CSMITH, "--seed", str(seed)], check=True, capture_output=True,
                          text=True, timeout=60).stdout
    r = random.Random(seed)
    out, k = [], 0
    for line in text.splitlines(True):
        out.append(line)
        if '#include "csmith.h"' in line:
            out.append(PRELUDE)
        elif re.search(r"\{ /\* block id: \d+ \*/", line) and r.random() < 0.6:
            k += 1
            out.append(block(r, k))
        elif "platform_main_end(" in line:
            out.append("    soak_end();\n")
    with open(path, "w") as f:
        f.write("".join(out))
    return k


class Difference(Exception):
    pass


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--build", required=True)
    p.add_argument("--work", required=True)
    p.add_argument("--seed", type=int, default=int(time.time()))
    p.add_argument("--programs", type=int, default=0)
    a = p.parse_args()
    if not shutil.which("csmith") or not os.path.exists("/usr/include/csmith/csmith.h"):
        print("SKIP: csmith is not installed (packages csmith and libcsmith-dev)")
        sys.exit(77)
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    clang = shutil.which("clang-19") or "clang"
    rewriter = os.path.join(a.build, "bin", "evenkeel-rewrite")
    lib = os.path.join(a.build, "lib")
    flags = ["-O1", "-w", "-fopenmp", "-std=gnu17", "-I/usr/include/csmith"]
    header = ["-I" + os.path.join(source, "runtime", "include")]
    env = dict(os.environ, OMP_NUM_THREADS="2", EVENKEEL_THRESHOLD="1KiB",
               EVENKEEL_TIERS="fast=1MiB,slow=1GiB", LD_LIBRARY_PATH="/usr/lib/llvm-19/lib")
    seconds = int(os.environ.get("EVENKEEL_FUZZ_SECONDS", "60"))
    end = time.time() + seconds
    compared = endless = blocks = calls = 0
    seed = a.seed

    def must(command, what, cwd):
        result = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120)
        if result.returncode:
            raise Difference(f"{what}: {' '.join(command)}\n{result.stdout}{result.stderr}")
        return result

    def outcome(exe, limit):
        result = subprocess.run([exe], env=env, capture_output=True, text=True, timeout=limit)
        return result.returncode, result.stdout

    def one(folder):
        nonlocal compared, endless, blocks, calls
        path = os.path.join(folder, "p.c")
        k = program(seed, path)
        exe = {name: os.path.join(folder, name) for name in ("original", "rewritten", "disabled")}
        must([clang, *flags, path, "-o", exe["original"]], "the original does not compile", folder)
        try:
            want = outcome(exe["original"], 5)
        except subprocess.TimeoutExpired:
            endless += 1
            return
        with open(os.path.join(folder, "compile_commands.json"), "w") as f:
            json.dump([{"directory": folder, "file": "p.c",
                        "arguments": ["clang", *flags, "-c", "p.c"]}], f)
        shutil.copy(path, path + ".original")
        tool = [rewriter, "-p", folder, "--root", folder]
        must(tool + ["--in-place"], "the rewriter fails", folder)
        with open(path) as f:
            calls += len(re.findall(r"\bek_\w+\(", f.read()))
        must([clang, *flags, *header, path, "-o", exe["rewritten"], "-L" + lib, "-levenkeel",
              "-Wl,-rpath," + lib], "the result does not compile", folder)
        must([clang, *flags, *header, "-DEVENKEEL_DISABLE", path, "-o", exe["disabled"]],
             "the disabled result does not compile", folder)
        for name in ("rewritten", "disabled"):
            try:
                have = outcome(exe[name], 60)
            except subprocess.TimeoutExpired:
                raise Difference(f"{name}: does not end")
            if have != want:
                raise Difference(f"{name}: {have}\noriginal: {want}")
        if must(tool + ["--diff"], "the second rewrite fails", folder).stdout:
            raise Difference("a second rewrite changes something")
        compared += 1
        blocks += k

    print(f"first seed {a.seed}", flush=True)
    while (compared + endless < a.programs) if a.programs else (time.time() < end):
        folder = os.path.join(a.work, str(seed))
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        try:
            one(folder)
        except Difference as e:
            print(f"seed {seed}: {e}\nreproducer: {folder}")
            sys.exit(1)
        shutil.rmtree(folder)
        seed += 1
    print(f"soaked: rewriter: {compared} programs with {blocks} inserted blocks and {calls} calls "
          f"rewritten, {endless} endless ones left out, seeds {a.seed}..{seed - 1}")
    if not compared or not calls:
        sys.exit("nothing was compared")


main()
