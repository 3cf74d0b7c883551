# workload_counts.py - exact formulas of whole programs against their runs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records a program on some inputs and compares, task by task, the rows that are
called exact with the recorder's counts. Effects of optimisation after the
analysis are only in these counts: if they differ, a recorder applied to the
analysed code decides.

Not here: programs of several sources or ranks; rows that are not called exact;
accesses by library functions, which are not recorded.
"""
import collections
import json
import os
import tempfile

import kernel_counts
from count_formulas import Failure, Formulas, OutOfReach, groups


def measure(source, root, build, inputs, flags, any_status):
    """Facts, and the runs' profiles."""
    suffix = "c++" if source.endswith(".cpp") else "cc"
    with tempfile.TemporaryDirectory() as folder:
        facts = os.path.join(folder, "facts.json")
        kernel_counts.run(
            [build.wrapper + suffix, "--record=misses", *kernel_counts.FLAGS,
             source, "-o", "recorded", "-lm", *flags], folder,
            EVENKEEL_ROOT=root, EVENKEEL_FACTS=facts)
        runs = [profile for _, _, profile in
                kernel_counts.recorded(folder, build, inputs, any_status)]
        with open(facts) as file:
            return json.load(file), json.loads(json.dumps(runs))


def compare(source, root, build, inputs, flags=(), any_status=False):
    """Lines about differences, and the number of groups of indistinguishable
    objects for each verdict. any_status: the exit status does not matter."""
    facts, runs = measure(source, root, build, inputs, flags, any_status)
    formulas, analysed = Formulas(facts), None
    at = {site["id"]: site["at"] for site in facts["sites"]}
    rows = [row for row in facts["accesses"]
            if row["sites"] and "library" not in row]
    sites = sorted({s for row in rows for s in row["sites"]})
    problems, verdicts = [], collections.Counter()
    for group in groups(sites, rows):
        mine = [row for row in rows if set(row["sites"]) & set(group)]
        if not all(row["exact"] for row in mine):
            verdicts["not exact"] += 1
            continue
        found = []
        for profile in runs:
            try:
                found += formulas.differences(group, mine, profile)
            except OutOfReach:
                verdicts["runs with values that formulas leave out"] += 1
            except Failure as problem:
                found.append(str(problem))
        if not found:
            verdicts["exact"] += 1
            continue
        try:
            if analysed is None:
                analysed = kernel_counts.measure_analysed(
                    source, build, inputs, flags, root, any_status)
            found = [line for profile in analysed for line in
                     formulas.differences(group, mine, profile)]
        except Failure:
            pass  # it was found before
        verdicts["exact, accesses changed later"] += not found
        if found:
            verdicts["differ"] += 1
            problems.append(", ".join(sorted(at[s] for s in group)) + ": " +
                            "; ".join(found[:3]))
    return problems, verdicts
