# check.py hot RECORD TRUTH | mixed RECORD | picture SVG NAMES | damo DATA RECORD |
#          curve SVG NAMES | curves JSON |
#          size PLAIN WATCHED | overhead RECORD LIMIT
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys
import xml.etree.ElementTree
import zlib


def means(record):
    """Touched share of each object, by (name, ordinal)."""
    touched, resident = {}, {}
    for _, o, _, _, r, t, _ in record["rows"]:
        touched[o] = touched.get(o, 0) + (t or 0)
        resident[o] = resident.get(o, 0) + r
    return {o: touched[o] / resident[o] for o in resident if resident[o]}


def hot(record, truth):
    record = json.load(open(record))
    share = means(record)
    blocks = [o for o in share if record["objects"][o]["kind"] == "block"]
    best = sorted(blocks, key=lambda o: -share[o])[:20]
    found = {record["objects"][o]["ordinal"] for o in best}
    known = {int(line) for line in open(truth)}
    assert len(known) == 20 and found == known, (sorted(found), sorted(known))
    for o in best:
        its = record["objects"][o]
        assert its["name"].startswith("hot.c:") and its["stack"][0].startswith("make ("), its
        assert its["stack"][1].startswith("main ("), its


def mixed(record):
    record = json.load(open(record))
    share = means(record)
    seen = {}
    for o in share:
        its = record["objects"][o]
        seen.setdefault((its["kind"], its["name"].split(" (")[0].split(":")[0], its["process"]), []).append(its)
    assert len(record["processes"]) == 2, record["processes"]
    assert len(seen[("block", "mixed.c", 0)]) >= 5, seen.keys()
    assert ("data", "grid", 0) in seen, seen.keys()
    assert ("mapping", "mixed.c", 0) in seen and ("mapping", "mixed.c", 1) in seen, seen.keys()
    assert not any("touches" in o["name"] for o in record["objects"])


def picture(path, names):
    """A heat map: well-formed, with cells of several shades, and each name."""
    root = xml.etree.ElementTree.parse(path).getroot()
    texts = "".join(t.text or "" for t in root.iter("{http://www.w3.org/2000/svg}text"))
    shades = {r.get("fill-opacity") for r in root.iter("{http://www.w3.org/2000/svg}rect")}
    assert len(shades) > 12, shades
    for name in names.split(","):
        assert name in texts, (name, texts)
    assert "not cache misses" in open(path).read()


def curve(path, names):
    """Lines or points in several colours, and each name."""
    root = xml.etree.ElementTree.parse(path).getroot()
    svg = "{http://www.w3.org/2000/svg}"
    texts = "".join(t.text or "" for t in root.iter(svg + "text"))
    colours = {p.get("class").split()[0] for p in root.iter(svg + "path")}
    assert len(colours & {"o0", "o1", "o2", "o3"}) == 4, colours
    for name in names.split(","):
        assert name in texts, (name, texts)
    assert "not cache misses" in open(path).read()


def curves(figures):
    """What phased.py says, as figures."""
    j = json.load(open(figures))
    mib = 1 << 20
    assert j["working_set"]["percentiles"]["50"] == 24 * mib + 4096, j["working_set"]["percentiles"]
    assert j["working_set"]["objects"][1]["name"] == "a.c:20"
    assert j["working_set"]["objects"][1]["touched_bytes"] == [16 * mib] * 5 + [0] * 5
    ages = dict(zip(j["recency"]["ages_s"], j["recency"]["within_bytes"]))
    assert abs(ages[2.0] - (8 + 6.4 + 1) * mib) < 3e4, ages
    assert j["recency"]["passes"] == 5 and max(ages) == 4.5, ages


def damo(data, record):
    """The addresses that are accessed most in damo's format are those of the record."""
    record = json.load(open(record))
    (one,) = json.loads(zlib.decompress(open(data, "rb").read()))
    assert len(one["snapshots"]) == len(record["passes"]), one["snapshots"]
    hot, times = {}, -1
    for s in one["snapshots"]:
        assert times < int(s["start_time"]) < int(s["end_time"]), s
        times = int(s["start_time"])
        end = 0
        for r in s["regions"]:
            assert end <= int(r["start"]) < int(r["end"]), (end, r)
            end = int(r["end"])
            assert 0 <= r["nr_accesses"]["samples"] <= 100
            for n, o in enumerate(record["objects"]):
                if o["kind"] == "block" and o["address"] <= int(r["start"]) < o["address"] + o["bytes"]:
                    hot[n] = hot.get(n, 0) + r["nr_accesses"]["samples"] * (end - int(r["start"]))
    share = means(record)
    blocks = [o for o in share if o in hot]
    by_share = sorted(blocks, key=lambda o: -share[o])[:20]
    by_damo = sorted(blocks, key=lambda o: -hot[o])[:20]
    assert len(set(by_share) & set(by_damo)) >= 19, (by_share, by_damo)


def size(plain, watched):
    plain, watched = (int(open(f).read()) for f in (plain, watched))
    assert watched <= plain * 1.01, (plain, watched)


def overhead(record, limit):
    record = json.load(open(record))
    spent = sum(p["spent_ns"] for p in record["processes"])
    program = sum(p["program_ns"] for p in record["processes"])
    assert len(record["passes"]) > 1, record["passes"]
    # One pass may cost more than the one before it.
    assert spent <= program * float(limit) * 1.25, (spent, program)


globals()[sys.argv[1]](*sys.argv[2:])
