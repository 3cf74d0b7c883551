# facts_shares.py - a program's facts in a few shares
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program's facts.json as a line of a table. Each row counts once, whatever it
does at run time; serial parts of main are omitted."""

HEADS = ("sites", "elided", "rows", "one", "some", "class", "exact", "measured",
         "estimate")


def symbols(expression):
    if expression is None:
        return set()
    if "sym" in expression:
        return {expression["sym"]}
    return set().union(*(symbols(a) for a in expression.get("args", [])))


def shares(facts):
    """The texts for HEADS."""
    measured = {s["id"] for s in facts["symbols"] if s["kind"] == "measured"}
    serial = {r["id"] for r in facts["regions"] if r["kind"] == "serial"}
    rows = [r for r in facts["accesses"] if r["region"] not in serial]
    contexts = {s["id"]: {c["id"] for c in s.get("contexts", [])}
                for s in facts["sites"]}

    def objects(r):
        """The number of sites of the row, counting each of its contexts."""
        named = set(r.get("contexts", []))
        return sum(max(1, len(named & contexts[s])) for s in r["sites"])

    def share(test):
        return "%.1f%%" % (100 * sum(bool(test(r)) for r in rows) / len(rows)) \
            if rows else "-"

    def runs(r):
        return bool(measured & (symbols(r["reads"]) | symbols(r["writes"])))
    return (str(sum(max(1, len(c)) for c in contexts.values())),
            str(sum(s["state"] == "elided" for s in facts["sites"])),
            str(len(rows)),
            share(lambda r: objects(r) == 1), share(lambda r: r["sites"]),
            share(lambda r: r["class"] != "unknown"),
            share(lambda r: r["exact"] and not runs(r)),
            share(lambda r: r["exact"] and runs(r)),
            share(lambda r: not r["exact"]))
