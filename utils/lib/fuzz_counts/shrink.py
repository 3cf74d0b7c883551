# shrink.py - reducing a kernel that differs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Removes statements, loops and clauses from a kernel while its formulas still
differ from the counts of runs. All candidates of a round are one program, so a
round costs one compilation."""
import kernel_counts
from fuzz_counts import programs

MOST = 60  # candidates in a program


def simpler(node):
    """Copies of a statement with less in its fields."""
    f = node.fields
    for key, plain in (("pragma", ""), ("clause", ""), ("start", "0"),
                       ("style", "for"), ("type", "long")):
        if f.get(key, plain) != plain:
            copy = node.copy()
            copy.fields[key] = plain
            yield copy
    if " schedule" in f.get("pragma", ""):
        copy = node.copy()
        copy.fields["pragma"] = f["pragma"].split(" schedule")[0]
        yield copy
    if node.kind in ("update", "write"):
        copy = node.copy()
        copy.kind = "read"
        yield copy


def without(nodes):
    """Lists of statements, one step smaller each."""
    for at, node in enumerate(nodes):
        yield nodes[:at] + nodes[at + 1:]
        if node.kind in ("loop", "if", "when", "parallel", "single", "task",
                         "ordered", "from"):
            yield nodes[:at] + node.inside + nodes[at + 1:]
        if node.kind in ("switch", "sections"):
            yield nodes[:at] + [inner for part in node.inside
                                for inner in part.inside] + nodes[at + 1:]
        for less in simpler(node):
            yield nodes[:at] + [less] + nodes[at + 1:]
        for inside in without(node.inside):
            copy = node.copy()
            copy.inside = inside
            yield nodes[:at] + [copy] + nodes[at + 1:]


def candidates(kernel):
    if kernel.calls > 1:
        copy = kernel.copy()
        copy.calls = 1
        yield copy
    for body in without(kernel.body):
        copy = kernel.copy()
        copy.body = body
        used = set()

        def note(nodes):
            for node in nodes:
                used.update(node.fields.get(key) for key in (
                    "array", "other", "rows"))
                note(node.inside)
        note(body)
        # Some occur in the text of an index.
        text = repr(body)
        copy.arrays = [a for a in copy.arrays if a.name in used or
                       f"({a.name}," in text]
        if copy.arrays:
            yield copy


def differing(kernels, build):
    """The kernels that differ; tested one by one if some do not compile."""
    try:
        findings, _ = programs.compare(programs.Measured(kernels, build))
        return {f.kernel: f for f in reversed(findings)}
    except kernel_counts.Failure:
        if len(kernels) == 1:
            return {}
    half = len(kernels) // 2
    out = differing(kernels[:half], build)
    for number, finding in differing(kernels[half:], build).items():
        out[half + number] = finding._replace(kernel=half + number)
    return out


def smallest(kernel, finding, build):
    """The kernel and its finding, reduced as far as possible."""
    tried = True
    while tried:
        tried = False
        rest = list(candidates(kernel))
        while rest:
            some, rest = rest[:MOST], rest[MOST:]
            found = differing(some, build)
            if found:
                first = min(found)
                kernel, finding = some[first], found[first]
                tried = True
                break
    return kernel, finding
