# walk_shares.py - shares of a run's accesses
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weighs classes by the accesses of a run. Large: in objects of 64 KiB or more.

    accesses  millions of accesses to objects (block operations: lines)
    large     share of these in large objects
    memprof   millions that MemProf counted in large heap blocks
    known     share of MemProf's accesses in large blocks (for static arrays and
              mmap: of our own) whose rows name the object and have a class.
              MemProf counts by object; our walks give the fraction of an
              object's accesses
    right     share of the run's large accesses whose row names the right object
    one       share of these whose row names only that object
    made      share of these whose row names no other object that the run
              accessed (objects of other options do not count)
    several   share of these whose row accessed two of its objects or more in
              the run: it is not about a single one
    agree     share of these whose class agrees with the measurement
              (walk_classes.py); all: of large and small ones
    strict    share that agree in the strict sense: random must be measured as
              random, accesses that stay at their address as invariant; a gather
              of even indices by its stride
    lucky     share that agree as random only because of the loads before them
    once      share without evidence, not part of agree
"""
import collections
import json

import walk_classes

HEADS = ("accesses", "large", "memprof", "known", "right", "one", "made",
         "several", "agree",
         "all", "strict", "lucky", "once")
LARGE = 1 << 16
NOT_HEAP = ("global", "static", "mmap")


def percent(part, whole):
    return "%.1f%%" % (100 * part / whole) if whole else "-"


def times(walks):
    return sum(w["times"] for w in walks)


def names_it(walk):
    return walk["site"] in walk["claim"]["sites"]


def names_one(walk):
    return names_it(walk) and len(walk["claim"]["sites"]) == 1


def row_of(walk):
    """A key that is equal for walks of one row."""
    return json.dumps(walk["claim"], sort_keys=True)


def met(walks):
    """Sites that the run accessed; by row, those of them that it met."""
    rows = collections.defaultdict(set)
    for walk in walks:
        if walk["times"]:
            rows[row_of(walk)].add(walk["site"])
    return set().union(*rows.values()), rows


def agreement(walks):
    """Accesses that agree, that could, that are lucky, and that say nothing."""
    agree = lucky = once = 0
    for walk in walks:
        verdict = walk_classes.agrees(walk)
        if verdict is None:
            once += walk["times"]
        elif verdict:
            agree += walk["times"]
            lucky += walk["times"] * bool(walk_classes.is_lucky(walk))
    return agree, times(walks) - once, lucky, once


def known_share(facts, walks, blocks):
    """(accesses in large objects, those with a class), by MemProf."""
    total, known = collections.Counter(), collections.Counter()
    for walk in walks:
        if walk["large"]:
            total[walk["site"]] += walk["times"]
            if names_it(walk) and walk["claim"]["class"] != "unknown":
                known[walk["site"]] += walk["times"]
    at = collections.defaultdict(set)
    others = set()
    for site in facts["sites"]:
        at[site["at"]].add(site["id"])
        if site["kind"] in NOT_HEAP:
            others.add(site["id"])
    all_, good = 0, 0
    lost = []
    for block in blocks:
        if block.size < LARGE:
            continue
        sites = next((s for f in block.frames for a, s in at.items()
                      if f.endswith("/" + a)), set())
        ours = sum(total[s] for s in sites)
        share = sum(known[s] for s in sites) / ours if ours else 0
        all_ += block.accesses
        good += block.accesses * share
        lost.append((block.accesses * (1 - share),
                     block.frames[0] if block.frames else "no place"))
    heap = all_
    for site in others:
        all_ += total[site]
        good += known[site]
    return heap, all_, good, sorted(lost, reverse=True)


def shares(facts, walks, blocks):
    """Texts for HEADS."""
    large = [w for w in walks if w["large"]]
    agree, could, lucky, once = agreement(large)
    every, could_all, _, _ = agreement(walks)
    heap, total, known, _ = known_share(facts, walks, blocks)
    made, rows = met(walks)
    return ("%.2f" % (times(walks) / 1e6), percent(times(large), times(walks)),
            "%.2f" % (heap / 1e6), percent(known, total),
            percent(times(w for w in large if names_it(w)), times(large)),
            percent(times(w for w in large if names_one(w)), times(large)),
            percent(times(w for w in large if names_it(w) and
                          len(made & set(w["claim"]["sites"])) == 1),
                    times(large)),
            percent(times(w for w in large if names_it(w) and
                          len(rows[row_of(w)]) > 1), times(large)),
            percent(agree, could), percent(every, could_all),
            percent(times(w for w in large if walk_classes.agrees_strictly(w)),
                    could),
            percent(lucky, could), percent(once, times(large)))


def confusion(walks):
    """Lines: class claimed against class measured, shares of the accesses."""
    cells = collections.Counter()
    for walk in walks:
        found = walk_classes.measured(walk) or "once"
        cells[walk["claim"]["class"], found] += walk["times"]
    columns = ("stream", "strided", "random", "chase", "invariant", "once")
    yield "%-10s" % "claimed" + "".join("%10s" % c for c in columns)
    for name in sorted({claimed for claimed, _ in cells}):
        yield "%-10s" % name + "".join(
            "%10s" % percent(cells[name, c], times(walks)) for c in columns)


def worst(walks, number):
    """Lines: accesses that disagree, most frequent first."""
    bad = [w for w in walks if walk_classes.agrees(w) is False]
    bad.sort(key=lambda w: -w["times"])
    for walk in bad[:number]:
        claim = walk["claim"]
        stride = "(%d)" % claim["stride"] if "stride" in claim else ""
        deltas = ", ".join("%d: %s" % (d, percent(n, walk["pairs"]))
                           for d, n in walk["deltas"][:5])
        yield "%6s %s %s%s/%d %s, measured %s; %s; near %s fresh %s grown %s%s" \
            % (percent(walk["times"], times(walks)), claim["at"],
               claim["class"], stride, claim["element_bytes"], claim["why"],
               walk_classes.measured(walk), deltas,
               percent(walk["near"], walk["pairs"]),
               percent(walk["fresh"], walk["pairs"]),
               percent(walk["grown"], walk["pairs"]),
               "" if names_it(walk) else "; another object")
