# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints which symbols of a program's formulas a recorded run has no value of,
and for each object how often it was accessed, by formula and as recorded.

usage: formulas.py ROOT FACTS PROFILE
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(sys.argv[1], "utils", "lib"))
import count_formulas  # noqa: E402
import kernel_counts  # noqa: E402


class Program(kernel_counts.File):
    """What is known of a program of several sources."""

    def __init__(self, facts):
        self.facts = facts
        self.sites = {s["id"]: s for s in facts["sites"]}
        self.formulas = count_formulas.Formulas(facts)
        self.symbols = self.formulas.symbols
        self.regions = self.formulas.regions


def symbols(tree):
    if "sym" in tree:
        yield tree["sym"]
    for argument in tree.get("args", []):
        yield from symbols(argument)


def main():
    with open(sys.argv[2]) as f:
        program = Program(json.load(f))
    profile = kernel_counts.read_profile(sys.argv[3])
    profile["tasks"] = {str(k): v for k, v in profile["tasks"].items()}
    rows = program.facts["accesses"]
    told = {row[0] for row in profile["symbols"]}
    used = {s for row in rows for side in ("reads", "writes")
            for s in symbols(row[side])}
    print(f"{len(used)} symbols, {len(used - told)} without a value")
    for name in sorted(program.symbols[s]["name"] for s in used - told):
        print("no value of", name)
    if used - told:
        return
    live = [s for s in program.sites if program.sites[s]["state"] == "live"]
    for group in sorted(count_formulas.groups(live, rows),
                        key=lambda g: min(program.sites[s]["at"] for s in g)):
        mine = [r for r in rows if set(r["sites"]) & set(group)]
        places = ", ".join(sorted(program.sites[s]["at"] for s in group))
        print(f"{places}: {program.formulas.total(mine, profile)} by formula,",
              f"{program.recorded(group, profile)} recorded",
              "exact" if all(r["exact"] for r in mine) else "bound")


main()
