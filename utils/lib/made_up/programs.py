"""programs - made-up parallel programs that run on several inputs

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Knows: how work and data of real programs depend on the input: by formulas of the
arguments, by formulas that no analysis can see, by the data itself (row lengths,
frontiers, loops until convergence, probes of a hash table, recursion), or not at
all. A program is a random choice of arrays and of regions over them. A seed gives
the same program on every machine.
Not here: names, sizes or loops of test/workloads, on which predictions are judged,
nor of the programs in test/strangers.
"""
import math
import random

HEAD = """#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <omp.h>
static inline unsigned long mix(unsigned long x) {
  x *= 0x9e3779b97f4a7c15ul;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9ul;
  return x ^ x >> 32;
}
"""

# How the program gets its size n from its first argument. The second string is the
# argument for a size of about N.
INPUTS = [
    ("long n = atol(argv[1]);", lambda n: n),
    ("long n = strtol(argv[1], 0, 10); if (n < 64) n = 64;", lambda n: n),
    ("long side = atol(argv[1]), n = side * side;", lambda n: round(n ** (1 / 2))),
    ("long side = atol(argv[1]), n = side * side * side;", lambda n: round(n ** (1 / 3))),
    ("long n = (long)pow(10, atof(argv[1]));", None),
    ("long n = 0; for (char *c = argv[1]; *c; c++) n = 10 * n + (*c - '0');", lambda n: n),
    ("char *text = strdup(argv[1]); long n = atol(strtok(text, \"x\")) * 4;",
     lambda n: n // 4),
]

# Elements of arrays, as C expressions of n. `hidden` is n with noise that only the
# run knows.
ELEMENTS = ["n", "n", "n", "2 * n", "3 * n + 1", "n / 2 + 64", "(n / 64 + 1) * 80",
            "hidden", "hidden * 2", "(long)(n * log2(n) / 8)", "(long)(40 * sqrt(n)) + 64",
            "32768", "200000"]

# Trip counts.
TRIPS = ["n", "n", "n", "n / 2", "2 * n", "hidden", "(long)(n * log2(n) / 8)",
         "(long)(200 * sqrt(n))", "100000", "n + hidden % 1000"]

# Degrees of row i.
DEGREES = ["2 + mix(i) % 6", "1 + (mix(i) % 50 ? mix(i) % 5 : 150)", "4",
           "1 + (long)log2(n) / 2", "1 + (long)(20 * (double)i / n)",
           "1 + (long)(2.0 / (0.02 + (double)(mix(i) % 1000) / 1000))"]

WALKS = ["s += {A}[i % {N}];", "{A}[i % {N}] = s + i;", "{A}[i % {N}] = {A}[i % {N}] * 0.5 + s;",
         "s += {A}[(i * {K}) % {N}];", "s += {A}[(i + {K}) % {N}] + {A}[i % {N}];",
         "s += {A}[mix(i) % {N}];", "{A}[mix(i + {K}) % {N}] = s;",
         "s += {A}[(i + mix(i) % {K}) % {N}];", "if (mix(i) % {K} == 0) s += {A}[i % {N}];"]


class Program:
    """One program: text is its source, n its small size, and arguments(n, rounds) its
    command line."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.seed = seed
        self.read, self.argument = rng.choice(INPUTS)
        self.arrays = [("a%d" % k, rng.choice(ELEMENTS)) for k in range(rng.randint(2, 4))]
        self.functions, self.setup, self.body = [], [], []
        self.n = int(2 ** rng.uniform(15, 17.5))
        self.graph = rng.random() < 0.7
        self.degree = rng.choice(DEGREES)
        if self.graph:
            self.make_graph()
        kinds = [self.loop, self.loop, self.until, self.triangle, self.tasks, self.table,
                 self.compute, self.blocks, self.chase]
        if self.graph:
            kinds += [self.rows, self.rows, self.frontier, self.frontier]
        for _ in range(rng.randint(2, 4)):
            rng.choice(kinds)()
        self.text = self.source()

    def arguments(self, n, rounds):
        first = "%.3f" % math.log10(n) if self.argument is None else str(self.argument(n))
        return [first, str(rounds)]

    # --- data ---
    def make_graph(self):
        self.setup += [
            "long *first = malloc((n + 1) * sizeof *first);",
            "first[0] = 0;",
            "for (long i = 0; i < n; i++) first[i + 1] = first[i] + (%s);" % self.degree,
            "int *to = malloc(first[n] * sizeof *to);",
            "#pragma omp parallel for schedule(static)",
            "for (long i = 0; i < n; i++)",
            "  for (long e = first[i]; e < first[i + 1]; e++)",
            "    to[e] = %s;" % self.rng.choice(
                ["mix(e) % n", "(i + mix(e) % 64) % n",
                 "mix(e) % 7 ? (i + e % 9) % n : mix(e) % n"]),
            "double *at = malloc(n * sizeof *at);",
            "for (long i = 0; i < n; i++) at[i] = i & 15;"]

    # --- regions ---
    def function(self, name, parameters, lines, call):
        """Lines as a function of their own, or in place."""
        if self.rng.random() < 0.6:
            self.functions += ["static double %s(%s) {" % (name, parameters), "  double total = 0;",
                               *("  " + l for l in lines), "  return total;", "}"]
            return ["total += %s(%s);" % (name, call)]
        return ["{", *("  " + l for l in lines), "}"]

    def number(self):
        return len(self.functions) * 31 + len(self.body)

    def walks(self, some):
        out = []
        for _ in range(some):
            a, size = self.rng.choice(self.arrays)
            k = self.rng.choice([2, 3, 7, 8, 16, 33, 64, 129])
            out.append(self.rng.choice(WALKS).format(A=a, N="n_" + a, K=k))
            out += ["s = s * 0.99 + %d;" % k] * self.rng.choice([0, 0, 1, 3, 8])
        return out

    def everything(self):
        """Parameters and arguments for a function that may use any array."""
        names = [a for a, _ in self.arrays]
        extra = [("long *", "first"), ("int *", "to"), ("double *", "at")] if self.graph else []
        parameters = ["long n", "long hidden"] + ["double *restrict " + a for a in names] + \
            ["long n_" + a for a in names] + [t + v for t, v in extra]
        call = ["n", "hidden"] + names + ["n_" + a for a in names] + [v for _, v in extra]
        return ", ".join(parameters), ", ".join(call)

    def add(self, lines):
        parameters, call = self.everything()
        self.body += self.function("f%d" % self.number(), parameters, lines, call)

    def schedule(self):
        return self.rng.choice(["schedule(static)"] * 5 +
                               ["schedule(dynamic, 64)", "schedule(static, 16)"])

    def loop(self):
        self.add(["#pragma omp parallel for %s reduction(+ : total)" % self.schedule(),
                  "for (long i = 0; i < %s; i++) {" % self.rng.choice(TRIPS),
                  "  double s = 1;", *("  " + w for w in self.walks(self.rng.randint(1, 3))),
                  "  total += s;", "}"])

    def until(self):
        """Rounds that end when something has become small."""
        step = self.rng.choice(["left /= 2", "left -= left / 3 + 1", "left = (long)sqrt(left)"])
        work = self.rng.choice(["left", "n / 4", "n"])
        self.add(["for (long left = n; left > 16; %s) {" % step,
                  "  #pragma omp parallel for %s reduction(+ : total)" % self.schedule(),
                  "  for (long i = 0; i < %s; i++) {" % work,
                  "    double s = 1;", *("    " + w for w in self.walks(1)),
                  "    total += s;", "  }", "}"])

    def triangle(self):
        inner = self.rng.choice(["j < i", "j < i && j < 300", "j < m / 2"])
        self.add(["long m = (long)sqrt(n);",
                  "#pragma omp parallel for %s reduction(+ : total)" % self.schedule(),
                  "for (long k = 0; k < m; k++) {",
                  "  for (long j = 0, i = k; %s; j++, i += m) {" % inner.replace("j < i", "j < k"),
                  "    double s = 1;", *("    " + w for w in self.walks(1)),
                  "    total += s;", "  }", "}"])

    def rows(self):
        self.add(["#pragma omp parallel for %s reduction(+ : total)" % self.schedule(),
                  "for (long i = 0; i < n; i++) {", "  double s = 0;",
                  "  for (long e = first[i]; e < first[i + 1]; e++) s += at[to[e]];",
                  "  %s = s;" % self.rng.choice(["at[i]", "a0[i % n_a0]"]), "  total += s;", "}"])

    def frontier(self):
        start = self.rng.choice(["0", "mix(r + 5) % n", "n / 2"])
        self.add(["char *seen = calloc(n, 1);",
                  "int *now = malloc(n * sizeof *now), *next = malloc(n * sizeof *next);",
                  "long many = 1, levels = 0, r = 0;", "now[0] = %s;" % start, "seen[now[0]] = 1;",
                  "while (many && levels++ < 24) {", "  long found = 0;",
                  "  #pragma omp parallel for schedule(dynamic, 64) reduction(+ : total)",
                  "  for (long i = 0; i < many; i++)",
                  "    for (long e = first[now[i]]; e < first[now[i] + 1]; e++) {",
                  "      int v = to[e]; char was;",
                  "      #pragma omp atomic capture",
                  "      { was = seen[v]; seen[v] = 1; }",
                  "      if (was) continue;",
                  "      long w;", "      #pragma omp atomic capture", "      w = found++;",
                  "      next[w] = v; total += at[v];", "    }",
                  "  int *old = now; now = next; next = old; many = found;", "}",
                  "free(seen); free(now); free(next);"])

    def table(self):
        """A hash table that becomes as large as its keys need."""
        self.add(["long room = 1024, keys = %s;" % self.rng.choice(["n / 2", "hidden / 3"]),
                  "while (room < 2 * keys) room *= 2;",
                  "long *slot = calloc(room, sizeof *slot);",
                  "for (long k = 1; k <= keys; k++) {",
                  "  long h = mix(k) % room;", "  while (slot[h]) h = (h + 1) % room;",
                  "  slot[h] = k;", "}",
                  "#pragma omp parallel for %s reduction(+ : total)" % self.schedule(),
                  "for (long i = 0; i < keys; i++) {",
                  "  long h = mix(i * 3) % room;",
                  "  while (slot[h] && slot[h] != i * 3) h = (h + 1) % room;",
                  "  total += slot[h] != 0;", "}", "free(slot);"])

    def compute(self):
        limit = self.rng.choice(["40", "(long)log2(n)", "1 + mix(i) % 200", "(long)sqrt(n) / 8"])
        self.add(["#pragma omp parallel for %s reduction(+ : total)" % self.schedule(),
                  "for (long i = 0; i < n / 4; i++) {", "  double s = a0[i % n_a0], z = 0.3;",
                  "  for (long k = 0; k < %s && z * z < 1e6; k++)" % limit,
                  "    z = z * z * 0.5 + s * 1e-9 + 0.1;",
                  "  total += z;", "}"])

    def blocks(self):
        block = self.rng.choice([512, 4096, 16384])
        a, _ = self.rng.choice(self.arrays)
        self.add(["#pragma omp parallel for schedule(dynamic) reduction(+ : total)",
                  "for (long b = 0; b < n / %d; b++)" % block,
                  "  for (long again = 0; again < %s; again++)" % self.rng.choice(
                      ["3", "2 + b % 4", "1 + n / 60000"]),
                  "    for (long i = 0; i < %d; i++)" % block,
                  "      total += %s[(b * %d + i) %% n_%s];" % (a, block, a)])

    def chase(self):
        name = "link%d" % self.number()
        steps = self.rng.choice(["n / 8", "20000", "hidden / 16"])
        count = self.rng.choice(["n", "n / 2", "hidden"])
        self.setup += ["long c_%s = %s;" % (name, count),
                       "int *%s = malloc(c_%s * sizeof *%s);" % (name, name, name),
                       "for (long i = 0; i < c_%s; i++) %s[i] = i;" % (name, name),
                       "for (long i = c_%s - 1; i > 0; i--) {" % name,
                       "  long j = mix(i) % i;",
                       "  int t = %s[i]; %s[i] = %s[j]; %s[j] = t;" % ((name,) * 4), "}"]
        self.body += ["#pragma omp parallel reduction(+ : total)", "{",
                      "  long p = omp_get_thread_num() * (c_%s / 16);" % name,
                      "  #pragma omp for schedule(static)",
                      "  for (long i = 0; i < %s; i++) p = %s[p];" % (steps, name),
                      "  total += p;", "}"]

    def tasks(self):
        """Recursive halving with explicit tasks."""
        name, a = "g%d" % self.number(), self.arrays[0][0]
        cut = self.rng.choice(["4096", "n / 32"])
        leaf = self.rng.choice(["for (long i = lo; i < hi; i++) a[i] = a[i] * 0.5 + 1;",
                                "for (long i = lo; i < hi; i++) a[lo + mix(i) % (hi - lo)] += 1;",
                                "for (long i = lo; i < hi; i++)"
                                " for (long k = 0; k < mix(lo) % 4; k++) a[i] += k;"])
        uneven = self.rng.choice(["(lo + hi) / 2", "lo + (hi - lo) / 3",
                                  "lo + (hi - lo) / 2 + mix(lo) % ((hi - lo) / 8)"])
        self.functions += [
            "static void %s(double *a, long lo, long hi, long n) {" % name,
            "  if (hi - lo <= %s || hi - lo < 64) { %s return; }" % (cut, leaf),
            "  long at = %s;" % uneven,
            "  #pragma omp task", "  %s(a, lo, at, n);" % name,
            "  #pragma omp task", "  %s(a, at, hi, n);" % name,
            "  #pragma omp taskwait", "}"]
        self.body += ["#pragma omp parallel", "#pragma omp single",
                      "%s(%s, 0, n_%s, n);" % (name, a, a)]

    def source(self):
        out = [HEAD, *self.functions, "int main(int argc, char **argv) {", "  double total = 0;",
               "  if (argc < 3) return 2;", "  " + self.read, "  long rounds = atol(argv[2]);",
               # A value that depends on the data, about as large as n.
               "  long hidden = 0;",
               "  for (long i = 0; i < n; i++) hidden += mix(i + %d) %% 3;" % self.seed]
        for a, size in self.arrays:
            out += ["  long n_%s = %s;" % (a, size),
                    "  double *%s = malloc(n_%s * sizeof *%s);" % (a, a, a)]
            if self.rng.random() < 0.5:
                out.append("  #pragma omp parallel for schedule(static)")
            out.append("  for (long i = 0; i < n_%s; i++) %s[i] = i & 255;" % (a, a))
        out += ["  " + l for l in self.setup]
        out += ["  for (long round = 0; round < rounds; round++) {",
                *("    " + l for l in self.body),
                "  }"]
        out += ['  printf("%g\\n", total);', "  return 0;", "}", ""]
        return "\n".join(out)
