"""The text of a random program, and what is expected of its hooks."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import random
import sys

from fuzz_hooks.maker import Maker
from fuzz_hooks.shapes import (ONE_THREAD, Block, If, Leaf, Omp, Switch,
                               TooLong)


class Emitter:
    """The text, and the line and context of each waiting directive."""

    HEAD = """\
/* made by fuzz-hooks, seed %s */
#include <stdio.h>
#define PRAGMA(x) _Pragma(#x)
#define OMP(...) PRAGMA(omp __VA_ARGS__)
#define ADD_BOTH(a, b) do { add((unsigned)(a)); add((unsigned)(b)); } while (0)
int one = 1, zero, unused, spare, last, tally[8], dep[2];
static unsigned long sum;
static void add(unsigned v)
{
#pragma omp atomic
  sum += v;
}
"""

    def __init__(self, rng, seed, edge):
        self.rng, self.edge = rng, edge
        self.lines = (self.HEAD % seed).splitlines()
        self.depth = 0
        self.constructs, self.waits, self.waiting = [], [], []
        self.function, self.value = "file", ""

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def nested(self, f):
        self.depth += 1
        f()
        self.depth -= 1

    def sub(self, node):
        """The statement of an if, a loop or a directive. A stand-alone directive
        must not be such a statement by itself."""
        if isinstance(node, Omp) and not node.body:
            node = Block([node])
        self.nested(lambda: node.emit(self))

    def comment(self):
        return self.rng.choice(["", "", "", " // why", " /* why */"])

    @staticmethod
    def c23_labels(node):
        """Before C23, a stand-alone directive must not follow a label; gcc and clang
        accept different ones."""
        return not isinstance(node, (Block, Leaf, If, Switch))

    def context(self, wait):
        for names in reversed(self.constructs):
            for name in names:
                if name in ONE_THREAD:
                    return "serial"
                if name.startswith("parallel"):
                    return "team"
        if wait.kind == "parallel" or self.function == "main":
            return "serial"
        return "team"

    def directive(self, omp):
        form = "plain"
        r = self.rng.random()
        if r < self.edge:
            form = self.rng.choice(["_Pragma", "macro", "comment", "spliced",
                                    "ifdef"])
        start = len(self.lines) + 1
        if form == "_Pragma":
            self.line('_Pragma("omp %s")' % omp.text)
        elif form == "macro":
            self.line("OMP(%s)" % omp.text)
        elif form == "comment":
            self.line("#pragma omp %s // omp barrier" % omp.text)
        elif form == "spliced":
            first, _, rest = omp.text.partition(" ")
            self.line("#pragma omp \\")
            self.line("    %s%s" % (first, " \\" if rest else ""))
            if rest:
                self.line("    " + rest)
        elif form == "ifdef":
            self.line("#ifdef _OPENMP")
            self.line("#pragma omp %s" % omp.text)
            self.line("#endif")
            start += 1
        else:
            self.line("#pragma omp " + omp.text)
        if omp.wait:
            omp.wait.line, omp.wait.form = start, form
            omp.wait.context = self.context(omp.wait)
            self.waits.append(omp.wait)
            self.waiting.append(omp)


class Walk:
    def __init__(self, threads, limit=60000):
        self.threads, self.left = threads, limit

    def step(self):
        self.left -= 1
        if self.left < 0:
            raise TooLong


class Program:
    """The text and the expectations of one seed."""

    def __init__(self, seed, edge):
        for attempt in range(100):
            rng = random.Random("%s/%d" % (seed, attempt))
            self.functions, self.main = Maker(rng).program()
            e = Emitter(rng, seed, edge)
            for f in self.functions:
                f.emit(e)
            e.function, e.value = "main", "0"
            e.line("int main(void)")
            e.line("{")
            e.nested(lambda: [k.emit(e) for k in self.main.kids])
            e.line('  printf("%lu\\n", sum);')
            e.line("  return 0;")
            e.line("}")
            self.cancels = any(w.hooks for w in e.waiting)
            self.text, self.waits = "\n".join(e.lines) + "\n", e.waits
            try:
                self.expect(4)
            except TooLong:
                continue
            if sum(w.count for w in self.waits):
                return
        sys.exit("fuzz-hooks: seed %s makes no program that ends soon" % seed)

    def expect(self, threads):
        """{(kind, line): (context, count)} for this number of threads."""
        for w in self.waits:
            w.count = 0
        self.main.run(Walk(threads), {}, 1, 1)
        return {(w.kind, w.line): (w.context, w.count) for w in self.waits}
