# programs.py - counts of kernels' runs against their formulas
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a program of kernels twice: with clang alone, where the source counts
its own accesses, and with the recorder, which provides the values of symbols.
Evaluates the formulas that are called exact for each input, and names the arrays
for which they differ.

The source's counts are the truth for volatile arrays. The optimiser may remove
accesses to other arrays, some of them after the analysis; their formulas must not
be below the recorder's final counts. If the totals agree, so must each task. A
bound must not be below the recorder's count.

Not here: accesses to unknown objects; classes; inputs with values for which
formulas do not hold (`least` of symbols in facts).
"""
import collections
import itertools
import json
import os
import subprocess
import tempfile

import count_formulas
import kernel_counts
from fuzz_counts import render, trees

THREADS = (1, kernel_counts.TEAM)

Finding = collections.namedtuple("Finding", "kernel array what rows")


class Measured:
    """Counts, facts and recorded runs of one program."""

    def __init__(self, kernels, build):
        self.kernels = kernels
        self.text, self.made = render.program(kernels)
        with tempfile.TemporaryDirectory() as folder:
            self.measure(folder, build)

    def measure(self, folder, build):
        with open(os.path.join(folder, "kernels.c"), "w") as out:
            out.write(self.text)
        run = kernel_counts.run
        run([os.path.join(build.llvm, "clang"), "-O1", "-fopenmp", "-w",
             "-DCOUNT", "kernels.c", "-o", "counting"], folder)
        run([build.wrapper + "cc", "--record=misses", *kernel_counts.FLAGS,
             "-w", "kernels.c", "-o", "recorded"], folder,
            EVENKEEL_ROOT=folder,
            EVENKEEL_FACTS=os.path.join(folder, "facts.json"))
        with open(os.path.join(folder, "facts.json")) as file:
            self.facts = json.load(file)
        inputs = [[str(each[name]) for name in trees.PARAMETERS] +
                  [str(trees.ROOM)] for each in trees.INPUTS]
        self.counts = {}  # by input and threads
        for number, threads in itertools.product(range(len(inputs)), THREADS):
            counts = collections.Counter()
            for line in run(["./counting", *inputs[number]], folder,
                            OMP_NUM_THREADS=str(threads)).splitlines():
                _, kernel, array, total = line.split()
                counts[int(kernel), array] = int(total)
            self.counts[number, threads] = counts
        self.runs = []  # input, threads, profile
        for number, arguments in enumerate(inputs):
            for threads in THREADS:
                run([build.evenkeel, "record", "--threads", str(threads), "-o",
                     "p.ekdb", "--", "./recorded", *arguments], folder,
                    EVENKEEL_MACHINES=build.machines)
                profile = kernel_counts.read_profile(
                    os.path.join(folder, "p.ekdb"))
                # As if read from a file: keys become strings.
                self.runs.append((number, threads,
                                  json.loads(json.dumps(profile))))


def row_text(row, name):
    text = count_formulas.formula_text
    return (f"{row['at']} {row['class']} reads {text(row['reads'], name)} "
            f"writes {text(row['writes'], name)} "
            f"{'exact' if row['exact'] else 'bound'}"
            f"{' why ' + row['why'] if row['why'] else ''}")


def compare(measured):
    """Findings, and the number of arrays called exact, or the reasons why not."""
    facts, formulas = measured.facts, count_formulas.Formulas(measured.facts)
    array_of = {}
    for site in facts["sites"]:
        line = int(site["at"].rsplit(":", 2)[1])
        array_of[site["id"]] = measured.made.get(line)
    rows = collections.defaultdict(list)
    shared = set() # arrays that a row cannot distinguish from others
    for row in facts["accesses"]:
        arrays = sorted({array_of.get(s) for s in row["sites"]} - {None})
        for array in arrays:
            rows[array].append(row)
        if len(arrays) > 1:
            shared.update(arrays)
    findings, verdicts = [], collections.Counter()
    seen = {key for counts in measured.counts.values() for key in counts}
    for key in sorted(seen | set(rows)):
        kernel = measured.kernels[key[0]]
        array = next(a for a in kernel.arrays if a.name == key[1])
        mine = rows.get(key, [])
        exact = all(row["exact"] for row in mine)
        whys = sorted({w for row in mine if not row["exact"]
                       for w in row["why"].split(", ")})
        if key in shared:
            verdicts["shared"] += 1
            continue
        problem, beyond = difference(measured, formulas, key, array, mine,
                                     exact, whys)
        verdict = "exact" if exact else "bound: " + ", ".join(whys)
        if beyond == len(measured.runs):
            verdict = "beyond their values on every input"
        verdicts[verdict] += 1
        if problem:
            findings.append(Finding(key[0], key[1], problem, [
                row_text(row, lambda s: formulas.symbols[s]["name"])
                for row in mine]))
    return findings, verdicts


def difference(measured, formulas, key, array, rows, exact, whys):
    """The difference between runs and the rows (empty: none), and the number of
    runs for which the formulas do not hold."""
    sites = {s for row in rows for s in row["sites"]}
    beyond = 0
    for number, threads, profile in measured.runs:
        recorded = formulas.recorded(sites, profile)
        truth = measured.counts[number, threads][key]
        where = f"input {number}, {threads} threads"
        try:
            said = formulas.of_tasks(rows, profile)
        except count_formulas.OutOfReach:
            beyond += 1
            continue
        except count_formulas.Failure as problem:
            if exact:
                return f"{where}: {problem}", beyond
            continue
        total = sum(said.values())
        if not exact:
            low = total < sum(recorded.values())
            # Which of several tasks ran code that it has no row for is not
            # known, nor what tasks without work would have counted.
            if low and (threads == 1 or "dynamic-schedule" not in whys):
                return f"{where}: at most {total}, recorded " \
                       f"{sum(recorded.values())}", beyond
            if threads == 1 and whys == ["dynamic-schedule"] and \
                    total not in (truth, sum(recorded.values())):
                return f"{where}: {total} in all, {truth} counted", beyond
            continue
        least = truth if array.volatile else sum(recorded.values())
        if not least <= total <= truth:
            return f"{where}: {total} by formula, {truth} counted, " \
                   f"{sum(recorded.values())} recorded", beyond
        for task in {*said, *recorded}:
            if said[task] != recorded[task] and sum(recorded.values()) == total:
                return f"{where}: task {task} of " \
                       f"{profile['tasks'].get(str(task))}: {said[task]} by " \
                       f"formula, {recorded[task]} recorded", beyond
    return "", beyond
