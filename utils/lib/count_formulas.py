# count_formulas.py - count expressions of facts, evaluated for recorded runs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A simple, slow implementation of the expressions of profiles/format/expr/Expr.h:
their value for a task, their text as passes/access/counts/Count.cpp prints it, and
the accesses of a recorded run's tasks according to facts.json, beside the recorded
ones.

Not here: where facts and runs come from (kernel_counts, fuzz_counts)."""
import collections
import fractions
import functools
import json

NO_TASK = 0xFFFFFFFF


class Failure(Exception):
    """One line for the user."""


class OutOfReach(Failure):
    """The formula does not hold for such values."""


def rounds(n, chunk, task, tasks):
    """Iterations that OpenMP's static schedules give to a task."""
    n = max(0, n)
    if chunk is None:
        base, rest = divmod(n, tasks)
        first = task * base + min(task, rest)
        return range(first, first + base + (task < rest))
    chunk = max(1, chunk)
    return [i for i in range(n) if i // chunk % tasks == task]


def ceillog(x, base):
    """The least exponent >= 0 for which the power of the base reaches x."""
    power = 0
    while base ** power < x:
        power += 1
    return power


def parts_of_sum(tree):
    """The body of a sum, and its iterations: their number, and the chunk size."""
    count, body, *chunk = tree["args"]
    return body, (count, *chunk)


def code_of(tree, sums=0):
    """Python code that evaluates an expression of profiles/format/expr/Expr.h,
    with value, task and tasks defined: formulas that step through iterations are
    worth compiling."""
    if "const" in tree:
        return str(tree["const"])
    if "sym" in tree:
        return f"value({tree['sym']!r})"
    if "index" in tree:
        return f"i{sums - 1 - tree['index']}"
    op = tree["op"]
    if op in ("sum", "sharesum"):
        body, rounds_of = parts_of_sum(tree)
        n, *chunk = [code_of(a, sums) for a in rounds_of]
        mine = f"range({n})" if op == "sum" else \
            f"rounds({n}, {chunk[0] if chunk else None}, task, tasks)"
        return f"sum(({code_of(body, sums + 1)}) for i{sums} in {mine})"
    args = [code_of(a, sums) for a in tree["args"]]
    if op in ("+", "-", "*"):
        return "(" + op.join(args) + ")"
    if op in ("max", "min"):
        return f"{op}({', '.join(args)})"
    if op == "floordiv":
        return f"({args[0]}//{args[1]})"
    if op == "ceildiv":
        return f"(-(-({args[0]})//{args[1]}))"
    if op == "pow":
        return f"({args[0]})**max(0, {args[1]})"
    if op == "ceillog":
        return f"ceillog({args[0]}, {args[1]})"
    if op == "share":
        return f"len(rounds({args[0]}, {(args + [None])[1]}, task, tasks))"
    if op == "first":
        return f"rounds({args[0]}, None, task, tasks).start"
    if op == "evenly":
        return f"Fraction({args[0]}, tasks)"
    raise Failure(f"unknown operator '{op}' in a formula")


@functools.cache
def compiled(tree):
    """The function of value, task and tasks for a formula in JSON."""
    names = {"rounds": rounds, "ceillog": ceillog,
             "Fraction": fractions.Fraction}
    return eval("lambda value, task, tasks: " + code_of(json.loads(tree)),
                names)


def evaluate(tree, value, task=0, tasks=1):
    """Evaluates an expression of profiles/format/expr/Expr.h."""
    try:
        return compiled(json.dumps(tree))(
            functools.cache(value), task, tasks)
    except ZeroDivisionError:
        raise Failure("division by zero in a formula") from None


def formula_text(tree, name, sums=0):
    """Infix, as passes/access/counts/Count.cpp prints it."""
    if "const" in tree:
        return str(tree["const"])
    if "sym" in tree:
        return name(tree["sym"])

    def index(level):
        return "ijk"[level] if level < 3 else f"i{level}"
    if "index" in tree:
        return index(sums - 1 - tree["index"])
    op, constant, parts = tree["op"], "", []
    if op in ("sum", "sharesum"):
        body, rounds_of = parts_of_sum(tree)
        texts = [formula_text(a, name, sums) for a in rounds_of]
        return (f"{'sum' if op == 'sum' else 'share'}({index(sums)} < "
                f"{', '.join(texts)}: {formula_text(body, name, sums + 1)})")
    for a in tree["args"]:
        text = formula_text(a, name, sums)
        if op == "*" and a.get("op") == "+":
            text = f"({text})"
        if "const" in a and op in "+*":
            constant = text
        else:
            parts.append(text)
    if op in ("+", "*", "max", "min"):
        parts.sort()
    if op == "*":
        sign = "-" if constant == "-1" else constant
        return sign + ("" if sign in ("", "-") else "*") + "*".join(parts)
    if op == "+":
        parts.sort(key=lambda p: (p[0] == "-", p))
        parts += [constant] if constant else []
        out = parts[0]
        for p in parts[1:]:
            out += f" - {p[1:]}" if p[0] == "-" else f" + {p}"
        return out
    return f"{op}({', '.join(parts)})"


def groups(sites, rows):
    """Lists of sites; sites that rows cannot distinguish are in one list."""
    parent = {s: s for s in sites}

    def find(s):
        while parent[s] != s:
            s = parent[s]
        return s
    for row in rows:
        for s in row["sites"][1:]:
            if s in parent and row["sites"][0] in parent:
                parent[find(s)] = find(row["sites"][0])
    result = collections.defaultdict(list)
    for s in sites:
        result[find(s)].append(s)
    return list(result.values())


class Formulas:
    """The formulas of a facts file."""

    def __init__(self, facts):
        self.symbols = {s["id"]: s for s in facts["symbols"]}
        self.regions = {r["id"]: r for r in facts["regions"]}

    def values(self, profile):
        """The values of symbols in a run (program-wide, and of each task), and the
        executions of each region."""
        if "values" in profile:
            return profile["values"]
        program, per_task = {}, collections.defaultdict(dict)
        for s, task, times, first, low, high, total in profile["symbols"]:
            if not times:
                continue
            kind = self.symbols.get(s, {}).get("kind")
            values = program
            if task != NO_TASK:
                values = per_task[profile["tasks"][str(task)][1]]
            if kind == "measured":
                values[s] = values.get(s, 0) + int(total)
            else:  # where that is not one value: which one is meant?
                ends = values.get(s, (low, high))
                values[s] = min(ends[0], low), max(ends[1], high)
        executions = collections.defaultdict(list)
        for task, (region, first, index, width) in profile["tasks"].items():
            if int(task) == first:
                executions[region].append((first, index, width))
        profile["values"] = program, per_task, executions
        return profile["values"]

    def of_tasks(self, rows, profile, sides=("reads", "writes")):
        """The accesses of the rows in a run, by execution of the region."""
        program, per_task, executions = self.values(profile)
        result = collections.Counter()
        for row in rows:
            region = self.regions.get(row["region"], {"kind": "serial"})
            tasks = executions[row["region"]]
            if region["kind"] == "serial":
                # A region with several parts is counted as a whole.
                tasks, parts = [(NO_TASK, 0, 1)], [t[0] for t in tasks]
                for s in {s for t in parts for s in per_task[t]}:
                    values = [per_task[t].get(s, 0) for t in parts]
                    if self.symbols.get(s, {}).get("kind") == "measured":
                        per_task[NO_TASK][s] = sum(values)
            for task, index, width in tasks:
                for side in sides:
                    if side in row:
                        result[task] += self.of_task(
                            row[side], (per_task[task], program), index, width)
        return result

    def recorded(self, sites, profile):
        """The recorded accesses of the sites in a run, by execution of the region."""
        result = collections.Counter()
        for site in sites:
            for task, n in profile["counts"].get(site, {}).items():
                region = profile["tasks"].get(str(task), [None])[0]
                kind = self.regions.get(region, {"kind": "serial"})["kind"]
                result[NO_TASK if kind == "serial" else int(task)] += n
        return result

    def differences(self, sites, rows, profile):
        """The differences between the tasks of a run and the rows of the sites."""
        recorded = self.recorded(sites, profile)
        mine = self.of_tasks(rows, profile)
        return [f"task {t}: {mine[t]} by formula, {recorded[t]} recorded"
                for t in sorted({*mine, *recorded}) if mine[t] != recorded[t]]

    def of_task(self, tree, known, index, width):
        """The value of one formula; symbols with several values must not matter."""
        doubtful = set()

        def value(s, end=0):
            ends = next((values[s] for values in known if s in values), None)
            if ends is None: # its code did not run
                return self.symbols[s]["kind"] != "measured"
            if not isinstance(ends, tuple):
                return ends # measured: a sum
            if ends[0] < self.symbols.get(s, {}).get("least", ends[0]):
                raise OutOfReach(f"{self.symbols[s]['name']} is {ends[0]}")
            if ends[0] != ends[1]:
                doubtful.add(s)
            return ends[end]
        low = evaluate(tree, value, index, width)
        if doubtful and evaluate(tree, lambda s: value(s, 1), index,
                                 width) != low:
            raise Failure("several values of " + ", ".join(sorted(
                self.symbols[s]["name"] for s in doubtful)))
        return low

    def total(self, rows, profile, sides=("reads", "writes")):
        """The accesses of the rows in a run, over all executions of all regions."""
        return sum(self.of_tasks(rows, profile, sides).values())
