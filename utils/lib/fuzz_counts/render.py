# render.py - kernels as C
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns kernels (forms) into one program. Compiled with COUNT, its source counts
each access to each array, and it prints the totals; without COUNT, it is the
program under test, where AT(a, i) is a[i].

A line of the form `k NUMBER aNUMBER TOTAL` is printed for each array that was
accessed.
"""
from fuzz_counts import trees

PROLOGUE = """\
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
enum { %s };
struct sizes { long z2; unsigned b5 : 5; int c4 : 4; };
static volatile long sink;
#ifdef COUNT
static long counts[%d][%d];
#define BUMP(a) __atomic_fetch_add(&counts[KERNEL][n_##a], 1, __ATOMIC_RELAXED)
#define AT(a, i) (*(BUMP(a), &(a)[i]))
#define BOTH(a, i) (*(BUMP(a), BUMP(a), &(a)[i]))
#define OF(q, a, i) (*(BUMP(a), &(q)->a[i]))
#define BOTH_OF(q, a, i) (*(BUMP(a), BUMP(a), &(q)->a[i]))
#define THERE(a, p) (*(BUMP(a), (p)))
#else
#define AT(a, i) (a)[i]
#define BOTH(a, i) (a)[i]
#define OF(q, a, i) (q)->a[i]
#define BOTH_OF(q, a, i) (q)->a[i]
#define THERE(a, p) *(p)
#endif
#define PLACE(a, i) (a)[i]
"""


class Text:
    """Lines of C, and the array that each line creates."""

    def __init__(self):
        self.lines, self.made, self.indent = [], {}, 0

    def add(self, line):
        self.lines.append("  " * self.indent + line if line[:1] != "#"
                          else line)

    def open(self, line):
        self.add(line + " {")
        self.indent += 1

    def close(self, after=""):
        self.indent -= 1
        self.add("}" + after)


def arguments(kernel, declared):
    """The arguments of a kernel's functions besides sizes."""
    out = []
    for array in kernel.arrays:
        pointer = f"{kind(kernel, array.name)} *"
        out.append(pointer + array.name if declared else
                   f"({pointer}){array.name}" if array.sides else array.name)
    q = "struct members *q" if declared else "q"
    return [*out, q] if any(a.member for a in kernel.arrays) else out


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


def kind(kernel, name):
    """The type of an array's elements."""
    array = next(a for a in kernel.arrays if a.name == name)
    return "volatile " * array.volatile + array.element


def at(kernel, fields, both=False, array="array", index="index"):
    """An access to an element; both: one that reads and writes it."""
    name = fields[array]
    member = any(a.name == name and a.member for a in kernel.arrays)
    macro = {(0, 0): "AT(", (0, 1): "BOTH(", (1, 0): "OF(q, ",
             (1, 1): "BOTH_OF(q, "}[member, both]
    return f"{macro}{name}, {fields[index]})"


def one_line(node, kernel):
    """A statement without nested statements, or None if it may have some."""
    f = node.fields
    match node.kind:
        case "read":
            return f"sum += (long){at(kernel, f)};"
        case "write":
            return f"{at(kernel, f)} = sum + 1;"
        case "update":
            return f"{at(kernel, f, True)} += 3;"
        case "store":
            return f"AT({f['array']}, {f['index']}) = {f['value']};"
        case "fetch":
            return f"long {f['name']} = AT({f['array']}, {f['index']});"
        case "limits":
            return (f"int {f['name']}0 = AT({f['array']}, {f['row']}), "
                    f"{f['name']}1 = AT({f['array']}, {f['row']} + 1);")
        case "choice":
            other = at(kernel, f, False, "other", "place")
            return (f"sum += {f['test']} ? (long){at(kernel, f)} : "
                    f"(long){other};")
        case "grid":
            row = f"(({kind(kernel, f['array'])} (*)[{f['width']}])" \
                  f"{f['array']})[{f['row']}]"
            return f"sum += (long)THERE({f['array']}, &{row}[{f['index']}]);"
        case "cell":
            return (f"sum += (long)THERE({f['array']}, &{f['array']}"
                    f"{f['place']});")
        case "through":
            return (f"sum += (long)THERE({f['array']}, &AT({f['rows']}, "
                    f"{f['row']})[{f['index']}]);")
        case "next":
            return f"sum += (long)THERE({f['array']}, {f['pointer']}++);"
        case "set":
            return f"{f['to']} = {f['value']};"
        case "text":
            return f["text"]
        case "call":
            values = [f["x"], f["y"], "k", "w", "s", *arguments(kernel, False)]
            return f"sum += {f['name']}_{kernel.number}({', '.join(values)});"
    return None


def pointed(node, text, kernel):
    """A loop from one pointer to another."""
    f = node.fields
    p, x = f["pointer"], f["array"]
    first, end = f"{x} + {f['first']}", f"{x} + {f['bound']}"
    if f["down"]:
        text.add(f"for ({kind(kernel, x)} *{p} = {end}; {p} > {first};)")
        text.add(f"  sum += (long)THERE({x}, --{p});")
    else:
        text.add(f"for ({kind(kernel, x)} *{p} = {first}; {p} < {end}; "
                 f"{p} += {f['by']})")
        text.add(f"  sum += (long)THERE({x}, {p});")


# The directive's clause, and the text around the access.
ATOMICS = {"added": ("", "", True, " += 3"), "taken": (" read", "t = ", False,
                                                      ""),
           "put": (" write", "", False, " = 5")}
PRAGMAS = {"single": "single", "section": "section", "ordered": "ordered",
           "parallel": "parallel reduction(+ : sum)",
           "sections": "parallel sections reduction(+ : sum)", "task": "task"}


def statements(nodes, text, kernel):
    for node in nodes:
        f = node.fields
        line = one_line(node, kernel)
        if line is not None:
            text.add(line)
        elif node.kind == "loop":
            loop(node, text, kernel)
        elif node.kind == "pointed":
            pointed(node, text, kernel)
        elif node.kind in ("if", "when", "switch"):
            text.open(f"if ((AT({f['array']}, {f['index']}) + {f['index']}) "
                      "% 3 == 0)" if node.kind == "when" else
                      f"{node.kind} ({f['test']})")
            statements(node.inside, text, kernel)
            text.close()
        elif node.kind == "case":
            text.open(f"{f['label']}:")
            statements(node.inside, text, kernel)
            if f["end"]:
                text.add(f["end"] + ";")
            text.close()
        elif node.kind in ("break", "continue"):
            text.add(f"if ({f['test']})")
            text.add(f"  {node.kind};")
        elif node.kind in ATOMICS:
            clause, before, both, after = ATOMICS[node.kind]
            if node.kind == "taken":
                text.open("")
                text.add("long t;")
            text.add(f"#pragma omp atomic{clause}")
            text.add(f"{before}{at(kernel, f, both)}{after};")
            if node.kind == "taken":
                text.add("sum += t;")
                text.close()
        elif node.kind == "top":
            text.add(f"long {f['name']} = {at(kernel, f)};")
            text.add(f"top = {f['name']} > top ? {f['name']} : top;")
        elif node.kind == "from":
            text.open("")
            text.add(f"{kind(kernel, f['array'])} *{f['pointer']} = "
                     f"{f['array']};")
            statements(node.inside, text, kernel)
            text.close()
        else:
            text.add(f"#pragma omp {PRAGMAS[node.kind]}{f.get('clause', '')}")
            text.open("")
            statements(node.inside, text, kernel)
            if node.kind == "task":
                text.add("sink = sum;")
            text.close()


def one(kernel, text):
    """The functions of a kernel, and the creation of its arrays."""
    number = kernel.number
    text.add(f"#define KERNEL {number}")
    text.add(f"#define z1 z1_{number}")
    text.add("static long z1;")
    members = [a for a in kernel.arrays if a.member]
    if members:
        text.add(f"#define members members_{number}")
        text.add("struct members { " + " ".join(
            f"{kind(kernel, a.name)} *{a.name};" for a in members) + " };")
    for node in functions(kernel.body):
        declared = ["long x", "long y", "long k", "long w",
                    "struct sizes *s", *arguments(kernel, True)]
        text.open("static __attribute__((noinline)) long "
                  f"{node.fields['name']}_{number}({', '.join(declared)})")
        text.add("long sum = 0, top = 0;")
        statements(node.inside, text, kernel)
        text.add("return sum;")
        text.close()
    text.open(f"{'' if kernel.inline else '__attribute__((noinline)) '}static "
              f"void k{number}(long n, long m, long k, long d, long w, "
              "long room)")
    text.add("long sum = 0, top = 0, z0 = n;")
    text.add(f"{'static ' * kernel.shared}struct sizes own, *s = &own;")
    text.add("s->z2 = z1 = m, s->b5 = n + 3, s->c4 = d;")
    for array in kernel.arrays:
        text.made[len(text.lines) + 1] = number, array.name
        if array.where == "heap":
            text.add(f"{kind(kernel, array.name)} *{array.name} = calloc(room, "
                     f"sizeof *{array.name});")
        elif array.sides:
            text.add(f"{kind(kernel, array.name)} {array.name}" + "".join(
                f"[{side}]" for side in array.sides) + ";")
        elif array.where == "stack":
            text.add(f"{kind(kernel, array.name)} {array.name}[room];")
        else:
            text.add(f"static {kind(kernel, array.name)} {array.name}[{trees.ROOM}];")
    if members:
        text.add("struct members all = {" + ", ".join(
            a.name for a in members) + "}, *q = &all;")
    statements(kernel.body, text, kernel)
    text.add("sink = sum + top + z0 + s->z2 + z1;")
    for array in kernel.arrays:
        if array.where == "heap":
            text.add(f"free((void *){array.name});")
    text.close()
    text.add("#undef KERNEL")
    text.add("#undef members")
    text.add("#undef z1")


def program(kernels):
    """The program text, and by line the (kernel, array) that is created there."""
    text = Text()
    most = max(len(kernel.arrays) for kernel in kernels)
    for line in (PROLOGUE % (", ".join(f"n_a{i}" for i in range(most)),
                             len(kernels), most)).splitlines():
        text.add(line)
    for number, kernel in enumerate(kernels):
        kernel.number = number
        one(kernel, text)
    text.open("int main(int argc, char **argv)")
    names = list(trees.PARAMETERS)
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
