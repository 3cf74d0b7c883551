# render.py - kernels as C
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns kernels (forms) into one program. Compiled with COUNT it counts, in its
own source, each access to each array, and prints the totals; without, it is the
program under test, where AT(a, i) is a[i].

A line of the form `k NUMBER aNUMBER TOTAL` is printed for each array that was
accessed.
"""
from fuzz_counts import forms

PROLOGUE = """\
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
enum { %s };
struct sizes { long z2; };
static volatile long sink;
#ifdef COUNT
static long counts[%d][%d];
#define BUMP(a) __atomic_fetch_add(&counts[KERNEL][n_##a], 1, __ATOMIC_RELAXED)
#define AT(a, i) (*(BUMP(a), &(a)[i]))
#define BOTH(a, i) (*(BUMP(a), BUMP(a), &(a)[i]))
#else
#define AT(a, i) (a)[i]
#define BOTH(a, i) (a)[i]
#endif
"""


class Text:
    """Lines of C; and which of them makes which array."""

    def __init__(self):
        self.lines, self.made, self.indent = [], {}, 0

    def add(self, line):
        self.lines.append("  " * self.indent + line if line[:1] != "#"
                          else line)

    def open(self, line):
        self.add(line + " {")
        self.indent += 1

    def close(self, behind=""):
        self.indent -= 1
        self.add("}" + behind)


def arguments(kernel, declared):
    """What functions of a kernel are handed besides sizes."""
    out = []
    for array in kernel.arrays:
        kind = "volatile " * array.volatile + array.element
        out.append(f"{kind} *{array.name}" if declared else array.name)
    return out


def functions(nodes):
    for node in nodes:
        yield from functions(node.inside)
        if node.kind == "call":
            yield node


def loop(node, text, kernel):
    f = node.fields
    pragma = f.get("pragma")
    if f.get("before"):
        text.add(f["before"])
    if pragma:
        sums = " reduction(+ : sum)" if pragma.startswith("parallel") else ""
        text.add(f"#pragma omp {pragma}{sums}")
    start = f"{f['type']} {f['counter']} = {f['start']}"
    if f["style"] == "for":
        text.open(f"for ({start}; {f['test']}; {f['next']})")
        statements(node.inside, text, kernel)
        text.close()
        return
    text.open("")
    text.add(start + ";")
    text.open("do" if f["style"] == "do" else f"while ({f['test']})")
    statements(node.inside, text, kernel)
    text.add(f["next"] + ";")
    text.close(f" while ({f['test']});" if f["style"] == "do" else "")
    text.close()


def statements(nodes, text, kernel):
    for node in nodes:
        f = node.fields
        if node.kind == "loop":
            loop(node, text, kernel)
        elif node.kind == "read":
            text.add(f"sum += (long)AT({f['array']}, {f['index']});")
        elif node.kind == "write":
            text.add(f"AT({f['array']}, {f['index']}) = sum + 1;")
        elif node.kind == "update":
            text.add(f"BOTH({f['array']}, {f['index']}) += 3;")
        elif node.kind == "store":
            text.add(f"AT({f['array']}, {f['index']}) = {f['value']};")
        elif node.kind == "fetch":
            text.add(f"long {f['name']} = AT({f['array']}, {f['index']});")
        elif node.kind == "limits":
            text.add(f"int {f['name']}0 = AT({f['array']}, {f['row']}), "
                     f"{f['name']}1 = AT({f['array']}, {f['row']} + 1);")
        elif node.kind in ("if", "when"):
            text.open(f"if ({f['test']})" if node.kind == "if" else
                      f"if ((AT({f['array']}, {f['index']}) + {f['index']}) "
                      "% 3 == 0)")
            statements(node.inside, text, kernel)
            text.close()
        elif node.kind in ("break", "continue"):
            text.add(f"if ({f['test']})")
            text.add(f"  {node.kind};")
        elif node.kind == "choice":
            text.add(f"sum += {f['test']} ? (long)AT({f['array']}, "
                     f"{f['index']}) : (long)AT({f['other']}, {f['place']});")
        elif node.kind == "set":
            text.add(f"{f['to']} = {f['value']};")
        elif node.kind == "text":
            text.add(f["text"])
        elif node.kind == "call":
            values = [f["x"], f["y"], "k", "w", "s",
                      *arguments(kernel, False)]
            text.add(f"sum += {f['name']}_{kernel.number}"
                     f"({', '.join(values)});")
        elif node.kind == "parallel":
            text.add("#pragma omp parallel reduction(+ : sum)" + f["clause"])
            text.open("")
            statements(node.inside, text, kernel)
            text.close()
        elif node.kind == "single":
            text.add("#pragma omp single")
            statements(node.inside, text, kernel)
        elif node.kind == "task":
            text.add("#pragma omp task")
            text.open("")
            statements(node.inside, text, kernel)
            text.add("sink = sum;")
            text.close()
        else:
            raise AssertionError(node.kind)


def one(kernel, text):
    """The functions of a kernel, and where its arrays are made."""
    number = kernel.number
    text.add(f"#define KERNEL {number}")
    text.add(f"#define z1 z1_{number}")
    text.add("static long z1;")
    for node in functions(kernel.body):
        declared = ["long x", "long y", "long k", "long w",
                    "struct sizes *s", *arguments(kernel, True)]
        text.open("static __attribute__((noinline)) long "
                  f"{node.fields['name']}_{number}({', '.join(declared)})")
        text.add("long sum = 0;")
        statements(node.inside, text, kernel)
        text.add("return sum;")
        text.close()
    text.open(f"{'' if kernel.inline else '__attribute__((noinline)) '}static "
              f"void k{number}(long n, long m, long k, long d, long w, "
              "long room)")
    text.add("long sum = 0, z0 = n;")
    text.add(f"{'static ' * kernel.shared}struct sizes own, *s = &own;")
    text.add("s->z2 = z1 = m;")
    for array in kernel.arrays:
        kind = "volatile " * array.volatile + array.element
        text.made[len(text.lines) + 1] = number, array.name
        if array.where == "heap":
            text.add(f"{kind} *{array.name} = calloc(room, "
                     f"sizeof *{array.name});")
        elif array.where == "stack":
            text.add(f"{kind} {array.name}[room];")
        else:
            text.add(f"static {kind} {array.name}[{forms.ROOM}];")
    statements(kernel.body, text, kernel)
    text.add("sink = sum + z0 + s->z2 + z1;")
    for array in kernel.arrays:
        if array.where == "heap":
            text.add(f"free((void *){array.name});")
    text.close()
    text.add("#undef KERNEL")
    text.add("#undef z1")


def program(kernels):
    """Its text, and by line the (kernel, array) that is made there."""
    text = Text()
    most = max(len(kernel.arrays) for kernel in kernels)
    for line in (PROLOGUE % (", ".join(f"n_a{i}" for i in range(most)),
                             len(kernels), most)).splitlines():
        text.add(line)
    for number, kernel in enumerate(kernels):
        kernel.number = number
        one(kernel, text)
    text.open("int main(int argc, char **argv)")
    names = list(forms.PARAMETERS)
    text.add(f"if (argc < {len(names) + 2})")
    text.add("  return 1;")
    text.add("long " + ", ".join(f"{name} = atol(argv[{at}])" for at, name in
                                 enumerate([*names, "room"], 1)) + ";")
    for kernel in kernels:
        text.add(f"k{kernel.number}(n, m, k, d, w, room);")
        if kernel.calls > 1:
            text.add(f"k{kernel.number}(m, n % 24, k, d, w, room);")
    text.add("#ifdef COUNT")
    text.add(f"for (int i = 0; i < {len(kernels)}; i++)")
    text.add(f"  for (int j = 0; j < {most}; j++)")
    text.add("    if (counts[i][j])")
    text.add('      printf("k %d a%d %ld\\n", i, j, counts[i][j]);')
    text.add("#endif")
    text.add("return 0;")
    text.close()
    return "\n".join(text.lines) + "\n", text.made
