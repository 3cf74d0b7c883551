"""regions - made-up parallel programs for training cost models

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Knows: the ways in which regions walk through arrays (the access classes), mixed
at random: which ones, how many at a time, how much arithmetic between two
accesses, and how large the arrays are relative to a core's caches. A seed gives
the same program on every machine.
Not here: names, sizes or loops of test/workloads, on which models are judged.
"""
import random

# Statements of a loop over i with n steps; A is the array, N its elements, K a
# constant. Each adds to s or writes; `mix` spreads i over the array.
WALKS = {
    "read": "s += A[i % N];",
    "write": "A[i % N] = s + i;",
    "update": "A[i % N] = A[i % N] * 0.5 + s;",
    "strided": "s += A[(i * K) % N];",
    "stencil": "s += A[(i + K) % N] + A[(i + 1) % N] + A[i % N];",
    "gather": "s += A[mix(i) % N];",
    "scatter": "A[mix(i + K) % N] = s;",
    "bump": "A[mix(i ^ K) % N] += 1;",
    "near": "s += A[(i + mix(i) % K) % N];",
}

HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
static inline unsigned long mix(unsigned long x) {
  x *= 0x9e3779b97f4a7c15ul;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9ul;
  return x ^ x >> 32;
}
"""


def arithmetic(rng):
    """Dependent work on s, so that no compiler removes it."""
    return " ".join("s = s * 0.99 + %d;" % rng.randint(1, 9)
                    for _ in range(rng.choice([0, 0, 1, 2, 4, 8, 16])))


def source(seed):
    """A C program that prints a checksum."""
    rng = random.Random(seed)
    arrays = ["a%d" % k for k in range(rng.randint(2, 4))]
    # 8-byte elements, 1 to 16 MiB: from the size of a core's part of the last
    # level to many times that.
    size = {a: int(2 ** rng.uniform(17, 21)) for a in arrays}
    out = [HEAD, "int main(void) {", "  double total = 0;"]
    for a in arrays:
        out.append("  double *%s = malloc(%d * sizeof *%s);" % (a, size[a], a))
        out.append("  for (long i = 0; i < %d; i++) %s[i] = i & 255;" % (size[a], a))
    chased = rng.random() < 0.6
    if chased:
        links = int(2 ** rng.uniform(17, 20))
        out += ["  long links = %d;" % links,
                "  long *next = malloc(links * sizeof *next);",
                "  for (long i = 0; i < links; i++) next[i] = i;",
                # One cycle through all (Sattolo 1986).
                "  for (long i = links - 1; i > 0; i--) {",
                "    long j = mix(i + %d) %% i, t = next[i];" % seed,
                "    next[i] = next[j];", "    next[j] = t;", "  }"]
    for _ in range(rng.randint(2, 3)):
        steps = int(2 ** rng.uniform(16, 18.5))
        body = []
        for _ in range(rng.randint(1, 3)):
            a = rng.choice(arrays)
            k = rng.choice([2, 3, 5, 8, 16, 33, 64, 129])
            walk = WALKS[rng.choice(sorted(WALKS))]
            body.append(walk.replace("A", a).replace("N", str(size[a])).replace("K", str(k)))
            body.append(arithmetic(rng))
        if chased and rng.random() < 0.5:
            body.append("p = next[p]; s += p;")
            body.append(arithmetic(rng))
        out += ["#pragma omp parallel reduction(+ : total)", "  {", "    double s = 1;"]
        if chased:
            out.append("    long p = omp_get_thread_num() * (links / 16);")
        out += ["#pragma omp for schedule(static)",
                "    for (long i = 0; i < %d; i++) {" % steps]
        out += ["      " + line for line in body if line]
        out += ["    }", "    total += s;"]
        if chased:
            out.append("    total += p;")
        out.append("  }")
    out += ['  printf("%g\\n", total);']
    out += ["  free(%s);" % a for a in arrays + (["next"] if chased else [])]
    out += ["  return 0;", "}", ""]
    return "\n".join(out)
