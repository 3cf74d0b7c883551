# kernel_counts.py - kernels, their formulas, and the counts of runs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel matrix of test/kernels and its count oracle.

A kernel is a part of a source file that begins with

    // KERNEL name: VERDICT
    //   row
    //   ...

and ends before the next such line. Each row is the result of the analysis for
one object in one region, as in print<ek-access>; objects are named by the
variable that they are assigned to, symbols without their function. VERDICT is
the result of evaluating the rows' formulas with recorded symbols, on each of two
inputs (`// INPUTS a b | c d` in the file):

    exact             all objects: formula = recorder = MemProf
    later PASS,..     formula = recorder; MemProf, which counts at the end of
                      the pipeline, differs, and these passes in between
                      changed loads or stores of the kernel
    removed PASS,..   formula = a recorder applied to exactly the code that was
                      analysed; ours, which is applied after one more round of
                      simplification, counts less, and these passes of that
                      round changed loads or stores of the kernel
    total REASON      as exact for the team as a whole; the distribution over
                      tasks is decided at run time: formulas are its expectation
    bound REASON,..   no closed form: formula >= recorder, with the reasons

A line `// NEEDS mpicc` or `// NEEDS -lNAME` names what the file is compiled and
linked with: a compiler wrapper, which prints its options for -show, or a
library. If it is missing, the file's kernels are not checked.
An atomic read-modify-write is two accesses of ours, a read and a write (rows give
their number), and one of MemProf's.
MemProf instruments heap memory only. For static and stack arrays, mmap, and
memory of MPI or of allocators that choose its kind, the recorder is the only
oracle. For block operations (memset, memcpy), which count 64-byte lines,
MemProf's words must lie in those lines. MemProf counts by granules of 64 bytes:
files allocate blocks that share none (an odd number of doubles, at least 29), and
Inputs/keep.c makes sure that none is reused. Everything runs on one thread but for
teams of kernels' own num_threads, whose increments of one of MemProf's counters may
get lost: of several runs the highest counts hold. Both sides are compiled at the same level, without vectorising and unrolling.

Not here: which rows are right; that is judged when they are written.
"""
import collections
import contextlib
import fcntl
import hashlib
import itertools
import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile

import profile_rows
from count_formulas import NO_TASK, Failure, Formulas, formula_text, groups
from kernel_passes import changing_passes

FLAGS = ["-O2", "-g", "-fopenmp", "-fno-vectorize", "-fno-slp-vectorize",
         "-fno-unroll-loops"]
# Like the pass: containers' code belongs to its caller.
INLINED = ["-mllvm", "-inline-threshold=10000"]
LONGEST = 900  # seconds of a compilation or a run
TEAM = 3  # threads where shares are checked, task by task
# Kinds of sites outside the heap, which MemProf does not count.
NO_MEMPROF = re.compile(r"global|static|stack|alloca|mmap|MPI_Alloc_mem|"
                        r"(memkind|hbw|numa|omp|kmp)_\w+")
KEPT = ["main", "free", "_ZdlPv", "_ZdaPv", "_ZdlPvm"]
# Of a program that makes teams.
MEMPROF_RUNS = 3
MEASURED = r"\b(trip|value|elements|taken|calls|lines)\.(\d+)"
HEAD = re.compile(r"// KERNEL (\w+): (\w+)\s*(.*)$")


class Missing(Failure):
    """Something that a source file needs is not installed."""


Kernel = collections.namedtuple("Kernel", "name verdict why rows first last")


def read_inputs(path):
    """The arguments of each run in a source file's INPUTS line, if any."""
    with open(path) as file:
        inputs = re.findall(r"^// INPUTS (.*)$", file.read(), re.MULTILINE)
    if len(inputs) > 1:
        raise Failure(f"{path}: several lines '// INPUTS'")
    return [part.split() for line in inputs for part in line.split("|")]


def read_kernels(path):
    """The kernels of a source file, in order, and its inputs."""
    lines = open(path).read().split("\n")
    heads = [(i, HEAD.match(line)) for i, line in enumerate(lines, 1)]
    heads = [(i, m) for i, m in heads if m]
    kernels = []
    for k, (first, match) in enumerate(heads):
        last = heads[k + 1][0] - 1 if k + 1 < len(heads) else len(lines)
        rows = []
        for line in lines[first:last]:
            if not line.startswith("//   "):
                break
            rows.append(" ".join(line[2:].split()))
        kernels.append(Kernel(match[1], match[2], match[3].strip(), rows,
                              first, last))
    if len({k.name for k in kernels}) != len(kernels):
        raise Failure(f"{path}: two kernels have one name")
    inputs = read_inputs(path)
    if len(inputs) < 2:
        raise Failure(f"{path}: no line '// INPUTS A | B' with two inputs")
    return kernels, inputs


def needed_options(path, build):
    """Compiler options for the file's NEEDS lines."""
    options = []
    for line in open(path):
        match = re.match(r"// NEEDS (\S+)$", line)
        if not match:
            continue
        need = match[1]
        if need.startswith("-l"):
            found = subprocess.run(
                [os.path.join(build.llvm, "clang"), "-x", "c", "-", "-o",
                 os.devnull, need], input="int main(void) { return 0; }",
                capture_output=True, text=True).returncode == 0
            options.append(need)
        else:
            found = shutil.which(need)
            if found:
                options += run([need, "-show"], None).split()[1:]
        if not found:
            raise Missing(f"{os.path.basename(path)} needs {need}, which is "
                          "not installed")
    return options


# ---------------------------------------------------------------------------
# Measuring

class Build:
    """The tools that build the programs under test."""

    def __init__(self, root, program=None, llvm="/usr/lib/llvm-19/bin"):
        program = program or root
        self.root, self.llvm = root, llvm
        tree = os.path.join(os.path.dirname(__file__), "..", "..")
        self.wrapper = os.path.join(program, "bin", "evenkeel-")
        self.evenkeel = os.path.join(root, "bin", "evenkeel")
        self.libraries = [os.path.join(program, "lib", name) for name in
                          ("EvenkeelPass.so", "libevenkeel-record.so")]
        self.machines = os.path.join(tree, "profiles", "machines")
        self.keep = os.path.join(tree, "test", "kernels", "Inputs", "keep.c")

    def stamp(self, source):
        digest = hashlib.sha256(open(source, "rb").read())
        for name in self.libraries + [__file__, self.evenkeel]:
            status = os.stat(name)
            digest.update(f"{status.st_size} {status.st_mtime_ns}".encode())
        return digest.hexdigest()


def run(command, cwd, any_status=False, **environment):
    """The output of a command. any_status: the exit status need not be 0."""
    env = {k: v for k, v in os.environ.items()
           if not k.startswith(("EVENKEEL_", "OMP_", "MEMPROF_"))}
    env.update({"OMP_NUM_THREADS": "1", "LC_ALL": "C", **environment})
    try:
        done = subprocess.run(command, cwd=cwd, env=env, capture_output=True,
                              text=True, errors="replace", timeout=LONGEST,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise Failure(f"{' '.join(command)} runs for more than {LONGEST} "
                      "seconds") from None
    if done.returncode and not (any_status and 0 < done.returncode < 126):
        lines = [x for x in done.stderr.splitlines() if "error" in x]
        raise Failure(f"{os.path.basename(command[0])} failed with "
                      f"{done.returncode}: {(lines or [done.stderr])[0]}")
    return done.stdout


def memprof_counts(text, source):
    """Accesses of heap blocks, by the calls' places in the source."""
    counts = {}
    for match in re.finditer(
            r"stack id = (\d+)\n\talloc_count (\d+),.*\n"
            r"\taccess_count \(ave/min/max\): ([\d.]+)", text):
        stack, times, average = match.groups()
        # Averages with two decimals are not precise enough.
        counts[stack] = round(float(average) * int(times)) \
            if int(times) < 100 else float("nan")
    result = collections.Counter()
    for match in re.finditer(r"Stack for id (\d+):\n((?:    #.*\n)+)", text):
        frames = re.findall(re.escape(source) + r":(\d+:\d+)", match[2])
        if frames:
            result[" ".join(frames)] += counts[match[1]]
    return dict(result)


def read_profile(path):
    db = sqlite3.connect(path)
    unsigned = lambda v: f"{v & 0xFFFFFFFFFFFFFFFF:016x}"
    sites = {row: unsigned(site) for row, (site,) in
             enumerate(profile_rows.rows_of(db, "inst", "site"))}
    width = dict(db.execute('select "row", width from phase'))
    # The rows of one execution of a region count as one task here.
    begun = dict(db.execute("select task, first from part"))
    tasks, made = {}, collections.Counter()
    phases = {}  # of tasks that deal out a loop: those of a phase do
    for row, (region, phase, index, flags) in enumerate(
            profile_rows.tasks_of(db, 'region, phase, "index", flags')):
        region, first = unsigned(region), begun.get(row, row)
        # Region, first row, place in its team, size of the team.
        phases[row] = phases.get(first, phase)
        tasks[row] = [region, first, *(
            tasks[first][2:] if first != row else
            (made[phase, region], None) if flags & 1 else
            (index, width[phase]))]
        made[phase, region] += first == row and flags & 1
    for row, task in tasks.items():  # those of a taskloop deal it out
        if task[3] is None:
            task[3] = made[phases[row], task[0]]
    counts = collections.defaultdict(collections.Counter)
    accesses = profile_rows.of_table(db, "access", "inst", "reads, writes")
    for task, rows in accesses.items():
        for (inst,), (reads, writes) in rows.items():
            counts[sites[inst]][NO_TASK if task is None else tasks[task][1]] += \
                reads + writes
    told = profile_rows.of_table(db, "symbol", "symbol",
                                 "times, first, min, max, sum")
    symbols = [[unsigned(symbol), NO_TASK if task is None else task, *figures]
               for task, rows in told.items()
               for (symbol,), figures in rows.items()]
    return {"counts": counts, "tasks": tasks, "symbols": symbols}


def recorded(folder, build, inputs, any_status=False):
    """Runs of the program `recorded`: threads, arguments, profile."""
    path = os.path.join(folder, "p.ekdb")
    for arguments, threads in itertools.product(inputs, (1, TEAM)):
        run([build.evenkeel, "record", "--threads", str(threads), "-o",
             "p.ekdb", "--", "./recorded", *arguments], folder, any_status,
            EVENKEEL_MACHINES=build.machines)
        if not os.path.exists(path):
            raise Failure(f"./recorded {' '.join(arguments)} left no profile")
        yield threads, arguments, read_profile(path)
        os.remove(path)


def measure_analysed(source, build, inputs, flags=(), root=None,
                     any_status=False):
    """The counts of a recorder applied where the formulas are made: after the
    pass ek-start, and no other."""
    suffix = "c++" if source.endswith(".cpp") else "cc"
    clang = "clang++" if suffix == "c++" else "clang"
    root = root or os.path.dirname(os.path.realpath(source))
    needed = [*needed_options(source, build), *flags]
    wrapper = [build.wrapper + suffix, "--record=misses"]
    with tempfile.TemporaryDirectory() as temp:
        done = subprocess.run(
            [*wrapper, *FLAGS, *(f for f in needed if not f.startswith("-l")),
             os.path.realpath(source), "-S", "-o",
             os.devnull, "-mllvm", "-print-after=ek-start", "-mllvm",
             "-print-module-scope"], capture_output=True, text=True, cwd=temp,
            env={**os.environ, "EVENKEEL_ROOT": root})
        with open(os.path.join(temp, "analysed.ll"), "w") as out:
            out.write(done.stderr)
        run([os.path.join(build.llvm, clang), "-O0", "-c", "analysed.ll", "-o",
             "analysed.o", "-fpass-plugin=" + build.libraries[0]], temp,
            EVENKEEL_ROOT=root, EVENKEEL_PASS="record")
        run([*wrapper, "-fopenmp", "analysed.o", "-o", "recorded", "-lm",
             *needed], temp)
        runs = [profile for _, _, profile in
                recorded(temp, build, inputs, any_status)]
    return json.loads(json.dumps(runs))


def measure(source, build, inputs):
    """Facts of the source and, for each input, the counts of both oracles."""
    source = os.path.realpath(source)
    suffix = "c++" if source.endswith(".cpp") else "cc"
    clang = "clang++" if suffix == "c++" else "clang"
    root = os.path.dirname(source)
    needed = needed_options(source, build)
    with open(source, encoding="utf-8") as text:
        makes_teams = "num_threads" in text.read()
    with tempfile.TemporaryDirectory() as temp:
        run([build.wrapper + suffix, "--record=misses", *FLAGS, source, "-o",
             "recorded", "-lm", *needed], temp, EVENKEEL_ROOT=root,
            EVENKEEL_FACTS=os.path.join(temp, "facts.json"))
        profile = [os.path.join(build.llvm, clang), *FLAGS, "-fmemory-profile"]
        # Frame pointers: MemProf walks stacks by them.
        run([*profile, "-fno-omit-frame-pointer",
             "-mno-omit-leaf-frame-pointer", *INLINED, "-c", source, "-o",
             "profiled.o", *needed], temp)
        run([os.path.join(build.llvm, "clang"), "-O1", "-c", build.keep, "-o",
             "keep.o"], temp)
        run([*profile, "profiled.o", "keep.o", "-o", "profiled", "-lm",
             *needed, *(f"-Wl,--wrap={name}" for name in KEPT)], temp)
        facts = json.load(open(os.path.join(temp, "facts.json")))
        runs = []
        for threads, arguments, profile in recorded(temp, build, inputs):
            runs.append(profile)
            if threads > 1:
                continue
            counts = {}
            for _ in range(MEMPROF_RUNS if makes_teams else 1):
                text = run(["./profiled", *arguments], temp, MEMPROF_OPTIONS=
                           "print_text=1:log_path=stdout", PATH=build.llvm +
                           os.pathsep + os.environ.get("PATH", ""))
                for stack, n in memprof_counts(text, source).items():
                    counts[stack] = max(n, counts.get(stack, 0))
            runs[-1]["memprof"] = counts
    return {"facts": facts, "runs": runs}


def measured(source, build, inputs, cache):
    """Like measure; several processes that request one file share the work."""
    if not cache:
        return json.loads(json.dumps(measure(source, build, inputs)))
    os.makedirs(cache, exist_ok=True)
    kept = os.path.join(cache, os.path.basename(source) + ".json")
    with open(kept + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = build.stamp(source)
        with contextlib.suppress(OSError, ValueError):
            data = json.load(open(kept))
            if data["stamp"] == stamp:
                if "failure" in data:
                    raise Failure(data["failure"])
                return data
        try:
            data = measure(source, build, inputs)
        except Failure as problem:
            data = {"failure": str(problem)}
        data["stamp"] = stamp
        with open(kept + ".new", "w") as out:
            json.dump(data, out)
        os.replace(kept + ".new", kept)
        if "failure" in data:
            raise Failure(data["failure"])
        return json.loads(json.dumps(data))


# ---------------------------------------------------------------------------
# Comparing

Result = collections.namedtuple("Result", "verdict why rows counts")


class File:
    """A source file with all of its measurements."""

    def __init__(self, source, build, cache=None):
        self.source, self.build = source, build
        self.kernels, self.inputs = read_kernels(source)
        needed_options(source, build)
        data = measured(source, build, self.inputs, cache)
        self.analysed = None  # see is_removed
        self.facts, self.runs = data["facts"], data["runs"]
        self.lines = open(source).read().split("\n")
        self.sites = {s["id"]: s for s in self.facts["sites"]}
        self.formulas = Formulas(self.facts)
        self.symbols = self.formulas.symbols
        self.regions = self.formulas.regions

    @staticmethod
    def place(at):
        line, column = at.rsplit(":", 2)[1:]
        return int(line), int(column)

    def holds(self, kernel, site):
        line, _ = self.place(self.sites[site]["at"])
        return kernel.first <= line <= kernel.last

    def label(self, site):
        """The variable to which the call's value is assigned."""
        line, column = self.place(self.sites[site]["at"])
        text = self.lines[line - 1]
        if not column:  # a static array
            return re.search(r"(\w+)\s*\[", text)[1]
        before = re.search(r"([\w.\->\[\]*]+)\s*=\s*(\([^()]*\)\s*|"
                           r"static_cast<[^<>]*>\()*(std)?(::)?$",
                           text[:column - 1])
        here = re.match(r"\w+", text[column - 1:])
        if not before and re.match(r"\w+\s*[({]", text[column - 1:]):
            called = text[column - 1:]
            inside = re.search(r"(?:\(void \*\*\))?&\(?(\w+)", called)
            if re.match(r"\w*(posix_memalign|Alloc_mem)", called) and inside:
                return inside[1]
        return before[1].lstrip("*") if before else here[0] if here \
            else f"{line}:{column}"

    def row_text(self, kernel, row):
        used, names = set(), collections.defaultdict(set)

        def collect(tree):
            if "sym" in tree:
                used.add(tree["sym"])
            for a in tree.get("args", []):
                collect(a)
        parts = [p["offset"] for s in row["sites"]
                 for p in self.sites[s].get("ranges", [])
                 if p["id"] in row.get("ranges", [])]
        formulas = [row.get(key) for key in (
            "reads", "writes", "atomics", "conditional", "reuse",
            "stride_formula", "block_bytes", "block_stride")]
        for tree in filter(None, formulas + parts):
            collect(tree)
        for s in used:
            names[self.symbols[s]["name"].split(":", 1)[1]].add(s)

        def name(s):
            full = self.symbols[s]["name"]
            short = full.split(":", 1)[1]
            if len(names[short]) > 1:
                short = full
            # Lines are relative to the end of the rows, so that they do not
            # depend on the text before the code; except those of libraries.
            head = kernel.first + len(kernel.rows)
            at = self.symbols[s]["at"]
            if not at.startswith("<system>/") and \
                    os.path.basename(at.split(":")[0]) != \
                    os.path.basename(self.source):
                return re.sub(MEASURED, r"\1@" + os.path.basename(
                    at.split(":")[0]) + r":\2", short)
            if at.startswith("<system>/"):
                return re.sub(MEASURED + r"(\.\d+)?", r"\1@" + os.path.basename(
                    at.split(":")[0]), short)
            return re.sub(MEASURED, lambda m:
                          f"{m[1]}+{int(m[2]) - head}", short)
        region = self.regions.get(row["region"], {"kind": "serial"})["kind"]
        objects = ",".join(sorted({self.label(s) for s in row["sites"]}))
        if parts:
            objects += "[%s]" % ",".join(sorted(
                formula_text(tree, name) if tree else "?" for tree in parts))
        atomics, conditional, reuse, stride, block, apart = [
            formula_text(tree, name) if tree else "" for tree in formulas[2:]]
        if row["stride"] is not None:
            stride = str(row["stride"])
        stride = stride and f"({stride})"
        blocks = row.get("blocks", "") and f"blocks {row['blocks']}" + (
            apart and f"({apart})") + (block and f" of {block} bytes")
        index = ",".join(sorted({self.label(s)
                                 for s in row.get("index_sites", [])}))
        points = "" if row["points"] is None else f" points {row['points']}"
        return " ".join(filter(None, (
            objects, region, row["class"] + stride + points,
            f"element {row['element_bytes']}",
            "dependent" if row["dependent"] else "",
            "reads", formula_text(row["reads"], name),
            "writes", formula_text(row["writes"], name),
            atomics and f"atomics {atomics}",
            conditional and f"conditional {conditional}",
            reuse and f"reuse {reuse}",
            blocks,
            f"dimensions {row['dimensions']}" if "dimensions" in row else "",
            index and f"index {index}",
            "exact" if row["exact"] else "bound",
            f"why {row['why']}" if row["why"] else "")))

    @staticmethod
    def recorded(group, profile):
        """Accesses of all tasks to the sites of \p group."""
        return sum(sum(profile["counts"].get(s, {}).values()) for s in group)

    def is_removed(self, group, rows):
        """Whether the recorder misses accesses, while one applied to the
        analysed code counts what formulas predict, task by task."""
        try:
            missed = [self.formulas.total(rows, profile) - self.recorded(group, profile)
                      for profile in self.runs]
            if min(missed) < 0 or max(missed) == 0:
                return False
            if self.analysed is None:
                self.analysed = measure_analysed(self.source, self.build,
                                                 self.inputs)
            return not any(self.formulas.differences(group, rows, profile)
                           for profile in self.analysed)
        except Failure:
            return False

    def agrees(self, rows, profile, memprof):
        """Block operations count lines here and 8-byte words in MemProf,
        read-modify-writes a read and a write here."""
        memprof += self.formulas.total(rows, profile, ["atomics"])
        blocks = [r for r in rows if r["element_bytes"] == 64]
        words = memprof - self.formulas.total(
            [r for r in rows if r["element_bytes"] != 64], profile)
        lines = self.formulas.total(blocks, profile)
        # MemProf 19 clears one of the eight bytes of the counter of a block's
        # last line: earlier counts there add a multiple of 256.
        return lines <= words <= 8 * lines or (
            not blocks and words > 0 and words % 256 == 0)

    def check(self, kernel):
        rows = [r for r in self.facts["accesses"]
                if any(self.holds(kernel, s) for s in r["sites"])]
        sites = sorted({s for r in rows for s in r["sites"]} |
                       {s for s in self.sites if self.holds(kernel, s) and
                        self.sites[s]["state"] != "elided"})
        verdicts, why, counts = set(), set(), []
        for group in groups(sites, rows):
            mine = [r for r in rows if set(r["sites"]) & set(group)]
            name = ",".join(sorted({self.label(s) for s in group}))
            heap = not any(NO_MEMPROF.fullmatch(self.sites[s]["kind"])
                           for s in group)
            certain = all(r["exact"] for r in mine)
            shared = not certain and all(
                r["exact"] or r["why"] == "dynamic-schedule" for r in mine)
            spots = {f"{l}:{c}" for l, c in
                     (self.place(self.sites[s]["at"]) for s in group)}
            removed = certain and self.is_removed(group, mine)
            if removed:
                verdicts.add("removed")
            for profile in self.runs:
                try:
                    formula = self.formulas.total(mine, profile)
                except Failure as problem:
                    formula = str(problem)
                recorder = self.recorded(group, profile)
                if removed:
                    if "memprof" in profile:
                        counts.append((name, formula, recorder, None))
                    continue
                if "memprof" not in profile:
                    if not isinstance(formula, str) and certain:
                        for line in self.formulas.differences(group, mine,
                                                              profile):
                            verdicts.add("wrong")
                            why.add(f"{name}: {line}")
                    elif isinstance(formula, str) or formula < recorder or (
                            shared and formula > recorder):
                        verdicts.add("wrong")
                        why.add(f"{name}: {formula} by formula, {recorder} "
                                f"recorded by {TEAM} threads")
                    continue
                memprof = sum(n for stack, n in profile["memprof"].items()
                              if spots & set(stack.split())) if heap else None
                if memprof != memprof:
                    raise Failure(f"{name}: a call allocates 100 blocks or "
                                  "more; MemProf's averages are too coarse")
                counts.append((name, formula, recorder, memprof))
                if formula == recorder:
                    if not certain:
                        verdicts.add("total" if shared else "bound")
                    elif memprof is not None and not self.agrees(
                            mine, profile, memprof):
                        verdicts.add("later")
                elif certain or shared or isinstance(formula, str) or \
                        formula < recorder:
                    verdicts.add("wrong")
                    why.add(f"{name}: {formula} by formula, {recorder} "
                            "recorded")
                else:
                    verdicts.add("bound")
            if not certain:
                why.update(w for r in mine if not r["exact"]
                           for w in (r["why"] or "unnamed").split(", "))
        for worst in ("wrong", "bound", "removed", "later", "total", "exact"):
            if worst in verdicts or worst == "exact":
                break
        if worst in ("later", "removed"):
            why = set(changing_passes(
                self.source, self.build, kernel, self.lines, worst,
                [*FLAGS, *needed_options(self.source, self.build)]))
        if worst == "exact":
            why = set()
        rows.sort(key=lambda r: (self.place(r["at"]), r["class"]))
        return Result(worst, ",".join(sorted(why)),
                      [self.row_text(kernel, r) for r in rows], counts)


def differences(kernel, result):
    """The differences between the source and the result."""
    problems = []
    if (kernel.verdict, kernel.why) != (result.verdict, result.why):
        problems.append(f"verdict: {result.verdict} {result.why} (stated: "
                        f"{kernel.verdict} {kernel.why})")
    problems += [f"not stated: {r}" for r in result.rows if r not in kernel.rows]
    problems += [f"not found:  {r}" for r in kernel.rows if r not in result.rows]
    if not problems and kernel.rows != result.rows:
        problems.append("the rows' order differs")
    if not result.counts:
        problems.append("no object of the kernel is known")
    return problems
