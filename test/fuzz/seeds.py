#!/usr/bin/env python3
# seeds.py - writes the seed corpus below corpus/ anew
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: for each fuzz target a few small inputs that together reach every
# field of its format; in regressions/, beside inputs that were found, those that
# have to be refused.
import json
import os
import shutil
import sqlite3
import struct
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ID = "00000000000000%02x"


def write(target, name, data, kind="corpus"):
    folder = os.path.join(HERE, kind, target)
    os.makedirs(folder, exist_ok=True)
    if not isinstance(data, (str, bytes)):
        data = json.dumps(data)
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data.encode() if isinstance(data, str) else data)


def const(n):
    return {"const": n}


def sym(n):
    return {"sym": ID % n}


def op(name, *args):
    return {"op": name, "args": list(args)}


EXPRESSIONS = {
    "const": const(8),
    "fraction": const(0.125),
    "product": op("*", const(8), sym(1)),
    "sum": op("+", op("*", const(-3), sym(1)), const(-1), op("-", sym(2), const(4))),
    "minus": op("-", op("-", op("+", sym(1), sym(2)))),
    "functions": op("max", op("min", sym(1), const(7)), op("ceildiv", sym(2), const(3)),
                    op("floordiv", sym(3), op("share", const(100)))),
    "triangle": op("sum", sym(1), op("max", const(0), op("+", sym(2), op(
        "*", const(-2), {"index": 0})))),
    "shares": op("sharesum", sym(1), op("sum", {"index": 0}, op("floordiv", op(
        "+", {"index": 0}, {"index": 1}), const(3))), const(4)),
    "lines": op("-", op("ceildiv", op("+", op("first", sym(1)), op("share", sym(1))), const(8)),
                op("floordiv", op("first", sym(1)), const(8))),
    "powers": op("sum", op("ceillog", sym(1), const(2)), op("ceildiv", sym(2), op(
        "pow", const(2), op("+", {"index": 0}, const(1))))),
    "chunks": op("+", op("share", sym(1), const(3)), op("evenly", sym(2))),
    "deep": op("*", op("+", op("*", op("+", sym(1), const(1)), sym(2)), const(2)), sym(3)),
}

FACTS = {
    "schema": "evenkeel.facts/1",
    "units": ["src/a.c", "src/b.c"],
    "sites": [
        {"id": ID % 1, "kind": "malloc", "at": "src/a.c:12:3", "function": "main",
         "size": EXPRESSIONS["product"], "element_bytes": 8, "state": "live",
         "sizes": [const(8), sym(1)],
         "contexts": [{"id": ID % 8, "calls": ["src/a.c:30:5"], "size": sym(1)},
                      {"id": ID % 9, "calls": ["src/a.c:31:5", "src/a.c:40:3"], "size": None}],
         "ranges": [{"id": ID % 7, "at": "src/a.c:13:3", "offset": const(64), "size": sym(1)}]},
        {"id": ID % 2, "kind": "global", "at": "src/a.c:9:0", "function": "file",
         "size": None, "element_bytes": None, "state": "elided"}],
    "regions": [{"id": ID % 3, "kind": "parallel", "at": "src/a.c:20:1", "function": "main",
                 "places": {"all": 4, "stack": 1}}],
    "syncs": [{"id": ID % 4, "kind": "parallel", "at": "src/a.c:20:1", "function": "main",
               "context": "serial"}],
    "symbols": [{"id": ID % 1, "name": "main:n", "kind": "given", "scope": "program",
                 "at": "src/a.c:5:7", "scales_with": None},
                {"id": ID % 2, "name": "main:rows", "kind": "measured", "scope": "task",
                 "at": "src/a.c:6:7", "scales_with": sym(1), "value": op("ceildiv", sym(1), const(2))}],
    "accesses": [{"region": ID % 3, "sites": [ID % 2, ID % 1], "class": "stencil", "stride": -16,
                  "element_bytes": 8, "points": 5, "dependent": True,
                  "reads": op("share", sym(1)), "writes": const(0), "exact": False,
                  "at": "src/a.c:22:9", "why": "reason"},
                 {"region": ID % 3, "sites": [ID % 1], "contexts": [ID % 9], "ranges": [ID % 7],
                  "class": "random", "stride": None, "stride_formula": sym(1), "element_bytes": 4,
                  "points": None, "dimensions": 2, "dependent": False, "reads": sym(1),
                  "writes": sym(1), "atomics": sym(1), "conditional": const(1), "reuse": const(3),
                  "run": const(4), "blocks": "strided", "block_bytes": const(256),
                  "block_stride": sym(2), "index_sites": [ID % 2], "places": 3,
                  "library": "dgemm", "exact": True, "at": "src/a.c:23:9", "why": None}],
    "giveups": {"system-header": 2},
}

PLAN = {
    "schema": "evenkeel.plan/1", "program": "0123456789abcdef", "planner": "balanced",
    "model": "overlap", "machine": "m", "fast_bytes": 4096, "keeps_first_touch": False,
    "base_input": "00000000000000aa",
    "objects": [
        {"site": ID % 1, "at": "a.c:1:2", "creator": None, "ordinal": None, "share": 0.5,
         "ranges": [[0, 128, 1], [200, 256, 0.25]], "predicted_bytes": 4096, "gain_s": 0.125,
         "reason": "hot"},
        {"site": ID % 1, "at": "a.c:1:2", "creator": 1, "ordinal": 0, "share": 1, "ranges": []},
        {"site": ID % 1, "at": "a.c:1:2", "context": ID % 9, "calls": ["a.c:30:5", "a.c:40:3"],
         "creator": 0, "ordinal": 2, "ordinal_of_site": 5, "share": 0.25, "ranges": []},
        {"site": ID % 1, "at": "a.c:1:2", "context": ID % 8, "calls": [], "creator": None,
         "ordinal": None, "bytes_of_each": [4096, 8192], "share": 0, "ranges": []}],
    "changes": [{"phase": 1, "objects": [
        {"site": ID % 1, "at": "a.c:1:2", "creator": 1, "ordinal": 0, "share": 0.25,
         "ranges": [[0, 64, 1]], "predicted_bytes": 0, "gain_s": 0, "reason": "moved"},
        {"site": ID % 1, "at": "a.c:1:2", "creator": 2, "ordinal": 5, "share": 0, "ranges": [],
         "predicted_bytes": 0, "gain_s": 0, "reason": "moved"},
        {"site": ID % 2, "at": "a.c:2:2", "creator": 0, "ordinal": 3, "share": 1,
         "ranges": [[0, 256, 1]], "predicted_bytes": 0, "gain_s": 0, "reason": "moved"}]}],
    "predicted": {"makespan_s": 1.5, "phases": [
        {"phase": 0, "region": ID % 3, "at": "a.c:3:1", "seconds": 1.5, "tasks": [
            {"index": 0, "explicit": False, "seconds": 1, "slow_only_s": 2, "fast_only_s": 0.5},
            {"index": 0, "explicit": True, "seconds": 1, "slow_only_s": 2, "fast_only_s": 0.5}]}]},
    "replan": {},
    "assumed": ["something"],
}

STACKS = {
    "schema": "evenkeel.stacks/1", "program": "0123456789abcdef",
    "frames": [{"at": "a.c:1:2", "sites": [ID % 1]}, {"at": "a.c:9:3", "sites": []},
               {"at": "a.c:4:4", "sites": [ID % 2, ID % 3]}],
    "contexts": [{"site": ID % 1, "context": ID % 9, "calls": [1]},
                 {"site": ID % 1, "context": ID % 8, "calls": [1, 1, 1, 1]}],
    "modules": [{"name": "app", "build": "id:00ff", "ranges": [
        [16, 32, [0, 1]], [32, 40, []], [64, 80, [2, -1]], [80, 90, [1]], [90, 95, [0]]],
        "globals": [{"site": ID % 4, "at": "a.c:2:0", "address": 4096, "bytes": 65536}],
        "giveups": {"line-zero": 3}}, {"name": "lib.so", "build": "text:01", "ranges": []}],
}


def fig(value, assumed=False):
    return {"value": value, "assumed" if assumed else "source": "why"}


SEEN = {
    "schema": "evenkeel.seen/1", "build": ID % 1, "program": [4096, "17.5"], "command": ["app", "in.dat", "200"],
    "folder": "/home/me", "threads": "4", "files": [[1, 77, "12.3"]], "rank": 1, "ranks": 2, "planned": True,
    "seconds": 1.5, "values": [[ID % 0x10, ID % 0x20, 200, 200, 200], [ID % 0x10, ID % 0x21, -5, -6, 7]],
    "objects": [[ID % 0x30, ID % 0, 0, 0, 0, 65536], [ID % 0x30, ID % 9, 3, 1, 0, 2 ** 40]],
    "phases": [[ID % 0x40, 3, 0.25]], "tasks": [[ID % 0x10, 2, 3, 0.125]], "teams": [[ID % 0, 0, 1, 2]],
    "left_out": {"objects": 12},
    "types": {"base": ID % 5, "rows": [[ID % 0x10, ID % 0x40, False, 1, 2, 1e-3, 10, 2e-3, 1e-3]]},
}

MACHINE = {
    "schema": "evenkeel.machine/1", "name": "m", "title": "a machine", "cores": fig(4),
    "ghz": fig(2.5), "rob_instructions": fig(224),
    "caches": {"l1_bytes": fig(32768), "l1_ways": fig(8), "l2_bytes": fig(1048576),
               "l2_ways": fig(16), "llc_bytes": fig(4194304), "llc_ways": fig(11, True)},
    "prefetch_depth": fig(20),
    "tiers": [{"name": name, "capacity_bytes": fig(1 << 30), "read_latency_ns": fig(80 * k),
               "write_latency_ns": fig(90 * k), "read_bandwidth_gbps": fig(100 / k),
               "write_bandwidth_gbps": fig(50 / k, True)} for k, name in ((1, "fast"), (3, "slow"))],
    "loaded_latency": {"points": [[0, 1], [0.5, 1.2], [0.95, 3]], "assumed": "why"},
    "migration": {"page_us": fig(2), "bandwidth_gbps": fig(1.5)},
}

# Rows as in ProfileJson.cpp: two tasks of a team, two objects, three histograms.
BASE = {
    "mode": "misses", "input": "00000000000000aa", "one_in": 1, "races": 0,
    "conf": [64, 32768, 8, 1048576, 16, 65536, 11, 224, 20, 2, 200000, 2.5, 0, 1000] + [65536 << k for k in range(8)],
    "inst": [[1, 9, 0, 0, 1 << 20, 0, 4294967295], [2, 0, 0, 0, 1 << 16, 0, 1]],
    "phase": [[0, 0, 1], [4, 1, 2]],
    "task": [[5, 0, 0, 0, 0, 1000, 1000, 0], [3, 1, 0, 0, 0, 5000, 5000, 0], [3, 1, 1, 1, 1, 5000, 5000, 0]],
    "dep": [[2, 1]], "access": [[1, 0, 8000, 10], [2, 1, 100, 100]],
    "histograms": [[[0, 10, 2, 4.5], [255, 7, 0, 7.0, (1 << 64) - 1]], [[3, 100, 100, 20.0]], []],
    "misses": [[1, 0, 0], [2, 1, 1], [2, 0, 2]],
    "curve": [[1, 0] + [200 - 20 * k for k in range(8)]],
    "symbol": [[1, 4294967295, 1, 1000, 1000, 1000, 1000, 1000.0], [2, 1, 3, 5, 9, 5, 9, 21.0]],
}
# The same with each phase three times, the rows once.
FOLDED = {**BASE, "like": [0, 1, 0, 1, 0, 1]}
PLAN["replan"] = {"fast": "25%", "planner": "balanced", "model": "overlap",
                  "for": [["main:n", None, 2000], ["main:rows", 1, 7]], "facts": FACTS,
                  "machine": MACHINE, "base": BASE, "methods": {"size ratio": 2},
                  "sizes": [[ID % 1, ID % 0, 0, 0, 0, 1048576], [ID % 1, ID % 9, 1, 2, 1, 65536.0]],
                  "seen": {"base": "00000000000000aa",
                           "rows": [["0000000000000003", "0000000000000004", False, 1, 0,
                                     5e-6, 110, 2e-3, 1e-3]]}}

FUNCTION = {"schema": "evenkeel.model/1", "name": "m", "predicts": "gap_left",
            "inputs": ["a", "b"], "low": -1, "high": 2.5, "probes": [], "training": {}}
FUNCTIONS = {
    "linear": {"bias": 0.5, "weights": [1, -2e-3]},
    "network": {"mean": [0, 1], "scale": [1, 0.5],
                "layers": [{"bias": [0.1, 0.2], "weights": [[1, 2], [3, -4]]},
                           {"bias": [0], "weights": [[0.5, 0.25]]}]},
    "trees": {"bias": 0.25,
              "trees": [{"input": [1, -1, -1], "threshold": [0.5, 0, 0], "left": [1, 0, 0],
                         "right": [2, 0, 0], "value": [0, 1, -1]}]},
}

COMMANDS = {
    "arguments": [{"directory": "/p/build", "file": "../src/a.c",
                   "arguments": ["ccache", "gcc", "-O2", "-g", "-DX=\"1 2\"", "-o", "a.o", "-c",
                                 "../src/a.c"], "output": "a.o"}],
    "command": [{"directory": ".", "file": "src/b.cpp",
                 "command": "c++ -I 'a b' -DY=\\\"z\\\" -MD -MF b.d -o b.o -c src/b.cpp"},
                {"directory": ".", "file": "src/c.f90", "command": "gfortran -c src/c.f90"}],
}

NO_TASK = 0xFFFFFFFF
# Columns of profile.ekdb in their order in ek_raw.h: (name, struct code), with
# x for members that are not kept.
CONF = [(n, "I") for n in ("line_bytes l1_bytes l1_ways l2_bytes l2_ways llc_share_bytes llc_ways "
                           "rob_instructions prefetch_depth workers").split()]
CONF += [("quantum_cycles", "Q")] + [("llc_size_%d" % i, "I") for i in range(8)]
CONF += [("ghz", "d"), ("untracked_accesses", "Q"), ("tracked_accesses", "Q")]
TABLES = [
    ("CONF", "conf", CONF,
     [[64, 32768, 8, 1 << 20, 16, 1 << 20, 11, 224, 20, 2, 200000] + [1 << i for i in range(16, 24)]
      + [2.5, 1, 900]]),
    ("INST", "inst", [("site", "Q"), ("context", "Q"), ("ordinal", "I"), ("creator", "I"),
                      ("bytes", "Q"), ("alloc_phase", "I"), ("free_phase", "I"),
                      ("in_context", "I"), ("number", "I")],
     [[1, 0, 0, 0, 8192, 0, NO_TASK, 0, 0], [2 ** 63 + 2, 7, 0, 1, 4096, 0, 1, 0, 0]]),
    ("PHAS", "phase", [("sync", "Q"), ("kind", "I"), ("width", "I")], [[4, 1, 2], [0, 0, 1]]),
    ("TASK", "task", [("region", "Q"), ("phase", "I"), ("index", "I"), ("worker", "I"),
                      ("flags", "I"), ("core_cycles", "Q"), ("instructions", "Q"), ("wall_ns", "Q")],
     [[3, 0, 0, 0, 0, 1000, 900, 0], [3, 0, 1, 1, 0, 1100, 900, 0], [3, 1, 0, 0, 1, 10, 9, 5]]),
    ("DEPS", "dep", [("task", "I"), ("pred", "I")], [[2, 0]]),
    ("PART", "part", [("task", "I"), ("first", "I")], [[2, 0]]),
    ("ACCS", "access", [("task", "I"), ("inst", "I"), ("reads", "Q"), ("writes", "Q")],
     [[0, 0, 500, 100], [1, 1, 400, 0]]),
    ("MISS", "miss", [("task", "I"), ("inst", "I"), ("chunk", "I"), ("reserved", "x"),
                      ("reads", "Q"), ("writes", "Q"), ("weight", "d"), ("course", "Q")],
     [[0, 0, 0, 0, 50, 10, 25.5, (1 << 64) - 1], [1, 1, 255, 0, 40, 0, 40.0, 0]]),
    ("MRCV", "curve", [("task", "I"), ("inst", "I")] + [("reads_%d" % i, "Q") for i in range(8)],
     [[0, 0] + list(range(80, 0, -10))]),
    ("SYMB", "symbol", [("symbol", "Q"), ("task", "I"), ("reserved", "x"), ("times", "Q"),
                        ("first", "q"), ("last", "q"), ("min", "q"), ("max", "q"), ("sum", "d")],
     [[1, NO_TASK, 0, 1, 5, 5, 5, 5, 5.0], [2, 1, 0, 3, -1, 4, -1, 4, 6.0]]),
]
PAGES = [[0, 0, 0, 0, 50, 10, 25.5, 3], [1, 0, 1, 0, 40, 0, 40.0, 0]]


def page(row):
    return struct.pack("<6IfI", *row)


def changed(tables, table, column, value):
    """TABLES with another value in the first row of one."""
    return [(tag, name, columns, [[value if i == 0 and columns[k][0] == column else v for k, v in enumerate(row)]
                                  for i, row in enumerate(rows)] if name == table else rows)
            for tag, name, columns, rows in tables]


def row_hash(row):
    """ek_row_hash of ek_rows.h."""
    x = (row + 0x9E3779B97F4A7C15) % (1 << 64)
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % (1 << 64)
    x = (x ^ x >> 27) * 0x94D049BB133111EB % (1 << 64)
    return x ^ x >> 31


# Look-ups of rows (ek_rows.h): half of the rows are in the sample, and some were
# in tables beyond the limit.
SAMPLED = [row for row in range(20) if row_hash(row) < 1 << 63]
ROWS = [
    ("ROWT", None, [("region", "Q"), ("inst", "I"), ("worker", "I"), ("row_bytes", "Q"), ("first", "Q"), ("lookups", "Q"),
                    ("error", "Q"), ("rows", "I"), ("sampled", "I"), ("shift", "I"), ("reserved", "x")],
     [[3, 0, 0, 256, 0, 90, 2, 2, len(SAMPLED), 1, 0], [3, 0, 1, 256, 0, 10, 0, 1, 0, 0, 0],
      [0, NO_TASK, 0, 0, 0, 5, 5, 0, 0, 0, 0]]),
    ("ROWC", None, [("row", "Q"), ("lookups", "Q"), ("over", "Q")], [[4, 60, 0], [9, 12, 2], [4, 10, 0]]),
    ("ROWS", None, [("row", "Q"), ("lookups", "Q")], [[row, 1 + row] for row in SAMPLED]),
]


def raw(mode, with_pages, tables=TABLES):
    out = struct.pack("<8sII", b"EKRAW\0\0\3", 0, mode)

    def section(tag, count, data):
        return struct.pack("<4sIQ", tag.encode(), count, len(data)) + data

    for tag, _, columns, rows in tables:
        code = "<" + "".join("I" if c == "x" else c for _, c in columns)
        if not with_pages and tag in ("MISS", "MRCV"):
            continue
        out += section(tag, len(rows), b"".join(struct.pack(code, *r) for r in rows))
    if with_pages:
        out += section("PAGE", len(PAGES), b"".join(map(page, PAGES)))
    return out + section("NEW?", 1, b"12345678") + section("END!", 0, b"")


def signed(v):
    return v - (1 << 64) if isinstance(v, int) and v >= 1 << 63 else v


def packed_column(values, code):
    """The bytes of profiles/format/profile/PackedColumn.h."""
    out, before = bytearray(), 0
    for value in values:
        if code == "d":
            bits = struct.unpack("<Q", struct.pack("<d", value))[0]
            number = int.from_bytes((bits ^ before).to_bytes(8, "little"), "big")
        else:
            bits = value
            step = (bits - before) % (1 << 64)
            number = (step << 1 ^ -(step >> 63)) % (1 << 64)
        before = bits
        while number >= 0x80:
            out.append(number & 0x7F | 0x80)
            number >>= 7
        out.append(number)
    return bytes(out)


def profile(mode, with_rows, tables=TABLES, pages=PAGES, packed=()):
    r"""Pages of 512 bytes instead of 4096: the file is an input, not a product.
    \p packed: names of tables in the form of large profiles."""
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "p.ekdb")
        db = sqlite3.connect(path, isolation_level=None)
        db.execute("PRAGMA page_size=512")
        db.execute("PRAGMA journal_mode=OFF")
        db.execute("CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
        schema = "evenkeel.profile/3" if packed else "evenkeel.profile/1"
        for key, value in (("schema", schema), ("role", "base"), ("mode", mode),
                           ("input", "00000000000000aa"), ("command", "solver n=8")):
            db.execute("INSERT INTO meta VALUES(?,?)", (key, value))
        for _, name, columns, rows in tables:
            kept = [(i, n, c) for i, (n, c) in enumerate(columns) if c != "x"]
            if name in packed:
                db.execute('CREATE TABLE %s("row" INTEGER PRIMARY KEY, "rows" INTEGER NOT NULL, %s)' % (
                    name, ", ".join('"%s" BLOB NOT NULL' % n for _, n, _ in kept)))
                db.execute("INSERT INTO %s VALUES(0,?%s)" % (name, ",?" * len(kept)), [
                    len(rows), *(packed_column([row[i] for row in rows], c) for i, _, c in kept)])
                continue
            types = ", ".join('"%s" %s NOT NULL' % (n, "REAL" if c == "d" else "INTEGER")
                              for _, n, c in kept)
            db.execute('CREATE TABLE %s("row" INTEGER PRIMARY KEY, %s)' % (name, types))
            for r, row in enumerate(rows if with_rows or name in ("conf", "phase", "task") else []):
                db.execute("INSERT INTO %s VALUES(%s)" % (name, ",".join("?" * (len(kept) + 1))),
                           [r] + [signed(row[i]) for i, _, _ in kept])
        db.execute('CREATE TABLE pages(task INTEGER PRIMARY KEY, "rows" INTEGER NOT NULL, '
                   "data BLOB NOT NULL)")
        for row in pages if with_rows else []:
            db.execute("INSERT INTO pages VALUES(?,?,?)", (row[0], 1, page(row)))
        db.close()
        with open(path, "rb") as f:
            return f.read()


def machine(field, value):
    tiers = [dict(t) for t in MACHINE["tiers"]]
    tiers[1][field] = fig(value)
    return {**MACHINE, "tiers": tiers}


def refused():
    """What has to be refused in one line, by kinds (test/faults.md)."""
    def write(target, name, data, own=globals()["write"]):
        own(target, name, data, "regressions")

    for name, text in (("negative", "n=-2000"), ("half", "n=2000.5"), ("too-far", "n=1e19"),
                       ("size-of-a-task", "main:n@1=2000")):
        write("given", name, text)
    for name, text in (("more-than-all", "500%"), ("hardly-more", "100.01%"), ("above-any", "9000000TiB")):
        write("fast-size", name, text)
    for name, value in (("latency", ("read_latency_ns", 1e15)), ("bandwidth", ("write_bandwidth_gbps", 1e15)),
                        ("capacity", ("capacity_bytes", 1e30))):
        write("machine", name, machine(*value))
    for name, member in (("rank", {"rank": 2}), ("no-program", {"command": []}),
                         ("first", {"values": [[ID % 1, ID % 2, 9, 1, 2]]}),
                         ("no-such-word", {"files": [[3, 1, "1.0"]]}), ("seconds", {"seconds": -1}),
                         ("endless", {"objects": [[ID % 1, ID % 0, 0, 0, 0, 2 ** 63]]}),
                         ("id", {"objects": [["0x30", ID % 0, 0, 0, 0, 1]]})):
        write("seen", name, {**SEEN, **member})
    write("stack-log", "comment-as-path", "# evenkeel call stacks\n%s %s 40 # Static /e!0b\n" % (ID % 0x11, ID % 0x22))
    write("machine", "not-a-number", json.dumps(machine("read_latency_ns", float("nan"))))
    for name, value in (("minus-one", 2 ** 64 - 1), ("two-to-63", 2 ** 63)):
        tables = changed(TABLES, "inst", "bytes", value)
        write("profile", name, profile("misses", True, tables))
        write("raw", name, raw(2, True, tables))
        base = {**BASE, "inst": [[1, 0, 0, 0, value, 0, 4294967295]]}
        write("plan", name, {**PLAN, "replan": {**PLAN["replan"], "base": base}})
    objects = [{**o, "site": ID % 0} for o in PLAN["objects"]]
    for target in ("plan", "runtime-plan"):
        write(target, "site-zero", {**PLAN, "objects": objects})
    replan = PLAN["replan"]
    unnamed = {**BASE, "inst": [[0, *row[1:]] for row in BASE["inst"]]}
    write("plan", "objects-of-no-site", {**PLAN, "replan": {**replan, "base": unnamed}})
    for name, given in (("given-twice", [["main:n", None, 2000]] * 2), ("given-negative", [["main:n", None, -1]]),
                        ("given-for-a-task", [["main:n", 1, 2000]])):
        write("plan", name, {**PLAN, "replan": {**replan, "for": given}})
    for name, size in (("negative", -1), ("endless", 1e30), ("none", None)):
        write("plan", "size-" + name, {**PLAN, "replan": {**replan, "sizes": [[ID % 1, ID % 0, 0, 0, 0, size]]}})
    for name, value in (("latency", ("read_latency_ns", 1e15)), ("capacity", ("capacity_bytes", 1e30))):
        write("plan", "machine-" + name, {**PLAN, "replan": {**replan, "machine": machine(*value)}})
    for name, like in (("later", [1, 1]), ("of-one-without-rows", [0, 1, 1, 2]), ("of-none", [0, 1, 7]),
                       ("of-too-few", [0, 0]), ("no-number", ["x"])):
        write("plan", "like-" + name, {**PLAN, "replan": {**replan, "base": {**BASE, "like": like}}})
    for name, again in (("before", [1, 0]), ("of-itself", [0]), ("no-numbers", {"a": 1})):
        for target in ("plan", "runtime-plan"):
            write(target, "again-" + name, {**PLAN, "predicted": {
                "makespan_s": 1, "phases": [{"phase": 0, "region": ID % 3, "seconds": 1, "again": again}]}})
    huge = [{**PLAN["objects"][0], "predicted_bytes": 2 ** 64 - 1}, {**PLAN["objects"][1], "bytes_of_each": [0, 2 ** 63]}]
    for target in ("plan", "runtime-plan"):
        write(target, "huge-sizes", {**PLAN, "objects": huge})
    write("stacks", "huge-module", {**STACKS, "modules": [{**STACKS["modules"][0], "ranges": [[2 ** 63, 2 ** 64 - 1, [0]]],
                                                           "globals": [{"site": ID % 4, "at": "a.c:2:0", "address": 2 ** 64 - 1,
                                                                        "bytes": 2 ** 63}]}]})
    write("facts", "huge-figures", {**FACTS, "sites": [{**FACTS["sites"][0], "size": const(1e300), "element_bytes": 2 ** 64 - 1}]})
    write("facts", "no-site", {**FACTS, "sites": [], "accesses": []})
    write("stacks", "site-zero", {**STACKS, "contexts": [{"site": ID % 0, "context": ID % 9, "calls": [1]}]})
    write("environment", "no-files", "PLAN=/dev/zero\nRAW=/proc/self/mem\nSUMMARY=/\nSUMMARY_JSON=/dev/full\n")
    write("environment", "too-much", "TIERS=fast=9000000TiB,slow=-1\nTHRESHOLD=-1\nRESERVE=18446744073709551616\n")


def builds():
    """Databases that projects have."""
    gcc = ["gcc", "-c", "a.c"]
    write("compile-commands", "listed-twice", [
        {"directory": "/p", "file": "a.c", "arguments": gcc + ["-fPIC", "-DPIC", "-o", ".libs/a.o"]},
        {"directory": "/p", "file": "a.c", "arguments": gcc + ["-o", "a.o"]}])
    write("compile-commands", "precompiled", [
        {"directory": "/p/b", "file": "/p/b/pch.h.c", "command": "clang -x c-header -o pch.h.pch -c pch.h.c"},
        {"directory": "/p/b", "file": "/p/a.c", "command": "clang -Winvalid-pch -Xclang -include-pch -Xclang pch.h.pch "
         "-Xclang -include -Xclang pch.h -c ../a.c"}])
    write("compile-commands", "wrapper", [{"directory": "/", "file": "/a.c", "command": "mpicc -c /a.c"}])
    write("compile-commands", "far-away", [
        {"directory": "/proc/self/task", "file": "/dev/zero/a.c", "command": "cc -c a.c"},
        {"directory": "gone/away", "file": "/dev/stdin", "command": "cc -c -"}])


TOUCHES = {
    "schema": "evenkeel.touches/1", "command": "a 1", "mechanism": "accessed-bits", "page_bytes": 4096,
    "overhead_limit": 0.01,
    "processes": [{"program": "a", "rank": 0, "program_ns": 9, "spent_ns": 1, "ended": True, "notes": {"not-split": 1}},
                  {"program": "a", "rank": None, "program_ns": 9, "spent_ns": 1}],
    "objects": [{"process": 0, "kind": "block", "name": "a.c:1", "stack": ["f (a.c:1)"], "ordinal": 0,
                 "address": 65536, "bytes": 65536, "born_ns": 1},
                {"process": 1, "kind": "heap", "name": "h", "stack": [], "ordinal": 0, "address": 0, "bytes": 1,
                 "born_ns": 0}],
    "passes": [{"process": p, "time_ns": 5, "window_ns": 1, "resident_pages": 20, "chunk_bytes": 65536}
               for p in (0, 1)],
    "rows": [[0, 0, 0, 16, 16, 4, None], [1, 1, 0, 1, 1, None, 1]]}


def touches_item(kind, body):
    body += b"\0" * (-len(body) % 8)
    return struct.pack("<II", kind, len(body)) + body


def raw_touches(mechanism=1):
    """A stream as libevenkeel-touches writes it (profiles/format/ek_touches.h)."""
    out = struct.pack("<8sIIiId64s", b"EKTCH\0\0\2", 4096, mechanism, -1, 7, 0.01, b"a")
    out += touches_item(1, struct.pack("<QII", 4096, 0, 4) + b"/a/b")
    frames = struct.pack("<IIQ", 0, 0, 77) + b"\0" * 16 * 11
    out += touches_item(2, struct.pack("<QQQIIIIII", 65536, 65536, 1, 3, 0, NO_TASK, 0, 1, 0) + frames)
    rows = struct.pack("<8I", 3, 0, 16, 16, 4, NO_TASK, 2, 0)
    out += touches_item(3, struct.pack("<QQQQQQII", 5, 1, 9, 1, 20, 65536, 30, 1) + rows)
    out += touches_item(6, struct.pack("<12Q", 5, 1, 4, 9, 3, 65536, 0, 1, 65536, 65536, 0, 0))
    out += touches_item(7, struct.pack("<II6Q", 3, 0, 65536, 65536, 9, 3, 65536, 0))
    return out + touches_item(4, struct.pack("<6I", 0, 1, 0, 0, 2, 3)) + touches_item(5, struct.pack("<QQQ", 9, 8, 1))


def sample_ring():
    """A ring that a kernel has written, and one with a record of each kind (runtime/loads/ring.h)."""
    recorded = os.path.join(HERE, "..", "runtime", "Inputs", "rings", "faults.ring")
    write("sample-ring", "faults", open(recorded, "rb").read())

    def record(kind, *body):
        return struct.pack("<IHH", kind, 0, 8 + 8 * len(body)) + struct.pack("<%dQ" % len(body), *body)
    sample = record(9, 7 | 8 << 32, 4096, 30, 0)
    all_kinds = sample + record(2, 1, 5) + record(13, 3) + record(5, 1, 2, 3) + record(6, 1, 2, 3) + sample
    ring = all_kinds + b"\0" * (512 - len(all_kinds))
    write("sample-ring", "kinds", struct.pack("<QQ", 1 << 20, (1 << 20) + len(all_kinds)) + ring)
    write("sample-ring", "cut", struct.pack("<QQ", 1 << 20, (1 << 20) + 44) + ring)  # within a header


def ecohmem():
    tiers = "DRAM,1,1,16K,posix\nPMEM,5,10,1.5G,memkind/pmem\n"
    row = "\t[a.c:3 > b.c:9]\t[a.c:3]\tcounter\t(c.c:1)\t[Unresolved]\t\nAverage\t1\t1\t1\t1\t1\t\nTotal\t%s\t\n"
    loads, sizes, stores = (row % "\t".join(n.split()) for n in (
        "900 40.00 1 0 9", "9000 12000 64 0 9", "9 0 1 5 1e3"))
    fields = ["app", "proc", "func", "alloc_time", "free_time", "bytes", "obj_id"]
    allocs = json.dumps({"version": 1, "objects": {"1": "x [a.c:3 > b.c:9]", "2": "[a.c:3]", "3": "[counter]"},
                         "more": {"a": [1, {}]}, "fields": fields,
                         "allocs": [[1, 1, 1, 5, 50, 9000, 1], [1, 10, 1, 5, 50, 9000, 1],
                                    [1, 10, 1, 60, 90, 12000, 2], [1, 1, 1, 7, 0, 12000, 2]]})
    write("memory-config", "two", tiers)
    write("paramedir", "loads", loads)
    write("allocsinfo", "full", allocs)
    write("advisor", "full", "====\n".join([tiers, loads, sizes, stores, allocs]))
    write("advisor", "loads", "====\n".join([tiers, loads, sizes]))
    write("locations", "lines", "# Memory configuration for DRAM with size 16384 bytes\na.c:3 > b.c:9 @ posix\n"
          "# Static counter @ posix\n# Memory configuration for PMEM with size 9 bytes\na.c:3 @ memkind/pmem\n")
    write("locations", "addresses", "# Memory configuration for DRAM with size 16384.5 bytes\n/a!1f > /b!2e @ posix\n")
    write("stack-log", "two", "# evenkeel call stacks\n%s %s 4096 /a!1f > /b!2e\n%s %s 99 /a!2f\n" % (
        ID % 0x11, ID % 0x22, ID % 0x11, ID % 0))


def memprof():
    frame = "      -\n        Function: %d\n        SymbolName: f\n        LineOffset: %d\n        Column: 7\n"
    figures = ("      MemInfoBlock:\n        AllocCount: 2\n        TotalAccessCount: 900\n        TotalSize: 8192\n"
               "        MaxSize: 4096\n        AllocTimestamp: 10\n        DeallocTimestamp: 90\n"
               "        TotalLifetime: 70\n")
    site = "    -\n      Callstack:\n" + frame % (7, 2) + frame % (9, 5) + figures
    write("memprof", "two", "MemprofProfile:\n  Summary:\n    Version: 4\n  Records:\n"
          "  -\n    FunctionGUID: 7\n    AllocSites:\n" + site +
          "  -\n    FunctionGUID: 9\n    AllocSites:\n" + site + "    CallSites:\n    -\n" + frame % (7, 2))


def damo():
    """What damo writes: of Inputs/damo, and small ones by hand."""
    folder = os.path.join(HERE, "..", "e2e", "Inputs", "damo")
    for name in ("json_compressed", "perf_script"):
        write("damo", name, open(os.path.join(folder, name), "rb").read())
    region = {"start": "4,096", "end": 8192, "nr_accesses": {"samples": 5, "percent": None}}
    more = {"start": 8192, "end": "1,048,576", "nr_accesses": {"samples": None, "percent": "12.5"}}
    write("damo", "small", [{"intervals": {"sample_us": "5,000", "aggr_us": 100000}, "target_id": 3, "snapshots": [
        {"start_time": t, "end_time": t + 1000.0, "regions": [region, more]} for t in (0, 1000)]},
        {"target_id": "4", "snapshots": [{"start_time": "0", "end_time": 9, "regions": [region]}]}])
    write("mappings", "full", open(os.path.join(folder, "maps"), "rb").read())


def main():
    shutil.rmtree(os.path.join(HERE, "corpus"), ignore_errors=True)
    for name, e in EXPRESSIONS.items():
        write("expression", name, e)
    bare = {k: [] for k in ("sites", "regions", "symbols", "accesses")}
    write("facts", "full", FACTS)
    write("facts", "empty", dict(bare, schema="evenkeel.facts/1"))
    write("stacks", "full", STACKS)
    write("touches", "full", TOUCHES)
    write("touches", "loads", {**TOUCHES, "mechanism": "loads",
                               "rows": [[0, 0, 0, 16, 16, 4, None, 7], [1, 1, 0, 1, 1, None, 1]]})
    write("touches", "empty", {**TOUCHES, "processes": [], "objects": [], "passes": [], "rows": []})
    write("raw-touches", "full", raw_touches())
    write("raw-touches", "writes", raw_touches(2))
    write("raw-touches", "loads", raw_touches(16))
    sample_ring()
    write("raw-touches", "killed", raw_touches()[:-40])
    write("stacks", "mpi", {**STACKS, "modules": [{**STACKS["modules"][0], "syncs": [
        {"sync": ID % 0xf1, "kind": "mpi-collective", "from": 99, "to": 104}]}, STACKS["modules"][1]]})
    write("stacks", "small", {**STACKS, "contexts": [], "modules": []})
    for target in ("plan", "runtime-plan"):
        write(target, "full", PLAN)
        write(target, "folded", {**PLAN, "replan": {**PLAN["replan"], "base": FOLDED}, "predicted": {
            "makespan_s": 1, "phases": [{**PLAN["predicted"]["phases"][0], "phase": 0, "again": [1, 3]},
                                        {**PLAN["predicted"]["phases"][0], "phase": 2}]}})
        write(target, "small", {k: PLAN[k] for k in ("schema", "program", "planner", "model",
                                                     "machine", "fast_bytes", "objects")})
    write("machine", "full", MACHINE)
    write("seen", "full", SEEN)
    write("seen", "least", {k: type(v)() if k in ("files", "values", "objects", "phases", "tasks", "teams", "left_out")
                            else v for k, v in SEEN.items() if k != "types"})
    for name, function in FUNCTIONS.items():
        write("model", name, dict(FUNCTION, **{name: function}))
    for name, text in (("number", "n=4000000"), ("task", "main:rows@3=1e6"), ("compare", "i<=n=-2.5")):
        write("given", name, text)
    for name, text in (("percent", "12.5%"), ("binary", "512MiB"), ("decimal", "1.5GB"), ("bytes", "4096")):
        write("fast-size", name, text)
    for name, db in COMMANDS.items():
        write("compile-commands", name, db)
    write("raw", "counts", raw(1, False))
    write("raw", "misses", raw(2, True))
    write("raw", "times", raw(3, False))
    write("raw", "rows", raw(2, True, TABLES + ROWS))
    write("profile", "counts", profile("counts", True, [
        (*t[:3], [] if t[1] in ("miss", "curve") else t[3]) for t in TABLES], []))
    write("profile", "misses", profile("misses", True))
    write("profile", "small", profile("times", False))
    write("profile", "packed", profile("misses", True, packed=("inst", "access", "miss", "curve")))
    write("environment", "tiers", "TIERS=fast=4MiB,slow=1.5GiB\nTHRESHOLD=64KiB\nPROVIDER=emulated\n")
    write("environment", "all", "DISABLE=0\nHELP=\nMIGRATE=0\nPLAN=plan.json\nRAW=raw/run\n"
          "RESERVE=1TiB\nRETAIN=2MB\nSUMMARY=1\nSUMMARY_JSON=s.json\n")
    write("record-environment", "caches", "RECORD_L1=32768/8\nRECORD_L2=1048576/16\n"
          "RECORD_LLC=1562166/11\nRECORD_LLC_SIZES=65536,131072\n")
    write("record-environment", "core", "RECORD_LLC_CYCLES=50\nRECORD_QUANTUM=200000\n"
          "RECORD_ROB=224\nRECORD_FILL_BUFFERS=12\nRECORD_PREFETCH=20\nRECORD_GHZ=2.3\n")
    ecohmem()
    memprof()
    damo()
    refused()
    builds()


main()
