#!/usr/bin/env python3
# check_arrows.py - which room uses which, as the includes and calls say
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check_arrows.py [--self-test | --counts] [TREE]
# Knows: the rooms of each top folder and what each room may use (ROOMS). An
# arrow is an include or, in the C of the runtime, a call of an `ek_` function
# that another file defines. Three things are wrong: an arrow to a room that may
# not be used, two files that use each other, and a folder with more than
# MOST_SOURCES sources. All of them are printed by name.
# Folders that are not in order yet stand in ALLOWED with today's counts. The
# test fails where a count rises, and where one falls without being lowered here.
# Not here: which functions a C++ file calls; files below test/.
import collections
import os
import re
import sys
import tempfile

MOST_SOURCES = 15

# Of each top folder its rooms, each with the rooms that it may use beside
# itself, from the top down. "other/room" is a room of another top folder, and a
# name that ends in "*" stands for all rooms below it. "." is the folder itself:
# what starts all rooms. A file may be a room of its own.
ROOMS = {
    "runtime": {
        ".": "hooks hooks/replan rows calls arenas placement/moves placement ranks objects providers required observe core include",
        "record": "record/calls record/ending record/files record/tasks record/races record/objects record/caches record/host record/abi core hooks/mpi profiles/format",
        "record/calls": "record/ending record/files record/tasks record/races record/objects record/caches record/host record/abi core hooks/mpi profiles/format",
        "record/ending": "record/files record/tasks record/races record/objects record/caches record/host record/abi core hooks/mpi profiles/format",
        "record/files": "record/tasks record/races record/objects record/caches record/host record/abi core profiles/format",
        "record/tasks": "record/races record/objects record/caches record/host record/abi core profiles/format",
        "record/races": "record/objects record/caches record/host record/abi profiles/format",
        "record/objects": "record/host record/abi core profiles/format",
        "record/caches": "record/host record/abi core profiles/format",
        "record/host": "core profiles/format",
        "record/abi": "",
        "touches": "touches/mechanisms touches/placing touches/base core profiles/chunks profiles/format",
        "touches/mechanisms": "touches/base loads core profiles/format",
        "touches/placing": "touches/base profiles/nodes",
        "touches/base": "core",
        "relaxed": "hooks hooks/mpi include profiles/collectives",
        "hooks/mpi": "hooks core include profiles/format",
        "hooks": "hooks/replan rows calls placement/moves placement ranks objects core include",
        "hooks/replan": "placement ranks objects providers core profiles/planner profiles/predict profiles/predict/* profiles/models profiles/problem profiles/tuning profiles/format",
        "rows": "calls placement objects providers core include",
        "calls": "arenas placement ranks objects providers core include profiles/format",
        "calls/plain": "include",
        "arenas": "placement objects providers core",
        "placement/moves": "placement ranks objects providers core",
        "placement": "ranks objects providers core profiles/format",
        "ranks": "objects providers core profiles/collectives profiles/format",
        "objects": "core",
        "providers": "core profiles/nodes",
        "required": "objects providers core include profiles/required/pools",
        "observe": "loads core profiles/format",
        "loads": "core",
        "core": "profiles/format",
        "include": "",
    },
    "profiles": {
        ".": "",
        "planner/rivals": "advisor planner models problem format tuning",
        "planner": "predict predict/measured predict/base models problem format tuning",
        "advisor": "format",
        "predict/fits": "predict predict/sizes predict/symbols predict/measured predict/base models problem format tuning",
        "predict": "predict/core predict/traffic predict/counts predict/demands predict/sizes predict/symbols predict/measured predict/base models problem format tuning",
        "predict/core": "predict/counts predict/demands predict/sizes predict/symbols predict/base problem format tuning",
        "predict/traffic": "predict/counts predict/demands predict/sizes predict/symbols predict/base problem format tuning",
        "predict/counts": "predict/demands predict/sizes predict/symbols predict/base problem format tuning",
        "predict/demands": "predict/base problem format tuning",
        "predict/sizes": "predict/symbols predict/base problem format tuning",
        "predict/symbols": "predict/measured predict/base problem format tuning",
        "predict/measured": "models problem format tuning",
        "predict/base": "problem format tuning",
        "models": "problem format tuning",
        "problem": "format tuning",
        "format": "",
        "tuning": ". format",
        "text": "",
        "machines": "format",
        "nodes": "format",
        "chunks": "",
        "collectives": "format",
        "rows": "format",
        "required/policies": "required required/pools format",
        "required": "required/pools simulator format text",
        "required/pools": "format",
        "simulator/policies": "simulator chunks format tuning",
        "simulator": "format text tuning",
    },
    "passes": {
        ".": "facts access access/Rows.h objects unit record stacks profiles/format",
        "facts": "access access/values access/calls access/counts access/Rows.h objects unit profiles/format",
        "record": "access access/Rows.h objects unit profiles/format runtime/record/abi",
        "stacks": "unit profiles/format",
        "access": "access/regions access/walks access/formulas access/loops access/values access/calls access/counts access/Rows.h objects unit profiles/format",
        "access/regions": "access/walks access/formulas access/loops access/values access/calls access/counts access/Rows.h objects unit profiles/format",
        "access/walks": "access/formulas access/loops access/values access/calls access/counts access/Rows.h objects unit profiles/format",
        "access/formulas": "access/loops access/values access/calls access/counts access/Rows.h objects unit profiles/format",
        "access/loops": "access/values access/calls access/counts access/Rows.h objects unit profiles/format",
        "access/values": "access/calls access/counts access/Rows.h objects unit profiles/format",
        "access/calls": "access/counts access/Rows.h objects unit profiles/format",
        "access/Rows.h": "access/counts objects unit profiles/format",
        "access/counts": "objects unit profiles/format",
        "objects": "unit profiles/format",
        "unit": "profiles/format",
    },
    "rewriter": {
        "plugin": "report walk rules unit edits profiles/format",
        "command": "kept library report builds walk rules unit edits profiles/format",
        "kept": "edits profiles/format",
        "report": "edits profiles/format profiles/text",
        "walk": "rules library allocators unit edits profiles/format",
        "rules": "library allocators constructs tasks relaxed unit edits profiles/format",
        "library": "allocators unit edits profiles/format",
        "allocators": "unit edits profiles/format",
        "constructs": "unit edits profiles/format",
        "tasks": "edits",
        "relaxed": "unit edits profiles/format",
        "unit": "edits profiles/format",
        "edits": "profiles/format",
        "builds": "profiles/format",
    },
    "utils": {
        "cli": "cli/commands cli/commands/reports cli/common profiles/format profiles/tuning",
        "cli/commands": "cli/bench cli/report cli/replay cli/touches cli/touches/curves cli/tables cli/planning cli/workspace cli/machines cli/programs cli/common rewriter/builds profiles/*",
        "cli/commands/reports": "cli/views cli/report cli/replay cli/touches cli/tables cli/planning cli/workspace cli/programs cli/common profiles/*",
        "cli/views": "cli/report cli/replay cli/tables cli/planning cli/common profiles/*",
        "cli/report": "cli/replay cli/tables cli/planning cli/common profiles/*",
        "cli/bench": "cli/programs cli/common profiles/*",
        "cli/replay": "cli/planning cli/common profiles/*",
        "cli/tables": "cli/planning cli/programs cli/common profiles/*",
        "cli/planning": "cli/workspace cli/programs cli/common profiles/*",
        "cli/touches": "cli/touches/curves cli/views cli/programs cli/common profiles/*",
        "cli/touches/curves": "profiles/*",
        "cli/workspace": "cli/programs cli/common profiles/*",
        "cli/machines": "cli/common profiles/*",
        "cli/programs": "cli/common rewriter/builds profiles/*",
        "cli/common": "profiles/*",
        "wrappers": "cli/common rewriter/builds profiles/*",
        "measure": "",
        "lib": "profiles/* runtime/*",
    },
}

# What is not in order yet: arrows to rooms that may not be used, pairs of files
# that use each other (of each top folder), and sources (of each folder).
ALLOWED = {
    "arrows": {},
    "pairs": {},
    "sources": {
    },
}

# Where the compiler looks, as far as the tree sets it.
ROOTS = ["", "runtime", "runtime/include", "profiles", "passes", "rewriter", "utils", "utils/cli"]
SOURCE = (".c", ".cpp")
TEXT = SOURCE + (".h", ".def")

Arrow = collections.namedtuple("Arrow", "source line target what")


def bare(text):
    """The text without comments; lines stay where they are."""
    def blank(m):
        return re.sub(r"[^\n]", " ", m.group(0)) if m.group(0)[0] == "/" else m.group(0)
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def read_tree(root):
    """Text by path, of all files of the top folders."""
    files = {}
    for top in ROOMS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith(TEXT):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as f:
                        files[os.path.relpath(path, root)] = bare(f.read())
    return files


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def includes(files):
    by_name = collections.defaultdict(list)
    for path in files:
        by_name[os.path.basename(path)].append(path)
    for path, text in files.items():
        for m in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', text, re.M):
            name = m.group(1)
            tried = [os.path.normpath(os.path.join(root, name))
                     for root in [os.path.dirname(path), path.partition("/")[0]] + ROOTS]
            found = next((t for t in tried if t in files), None)
            if not found and len(by_name[os.path.basename(name)]) == 1:
                found = by_name[os.path.basename(name)][0]
                if not found.endswith("/" + name):
                    found = None
            if found:
                yield Arrow(path, line_of(text, m.start()), found, "includes " + found)


def behind_parenthesis(text, at):
    """What follows the argument list that begins at text[at]."""
    depth = 0
    while at < len(text):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
        if not depth:
            break
    return text[at:at + 200].lstrip()


def calls(files):
    """Of the runtime: calls of functions that another room defines. What stands
    in for the whole library (calls/plain) defines none of them."""
    defined = {}
    used = []
    for path, text in files.items():
        if not path.startswith("runtime/") or not path.endswith(SOURCE):
            continue
        if path.startswith(("runtime/calls/plain/", "runtime/record/")):
            continue
        code = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
        for m in re.finditer(r"\b(ek_\w+)(\)?)[ ]*\(", code):
            name = m.group(1)
            if behind_parenthesis(code, m.end() - 1).startswith("{"):
                defined[name] = path
            else:
                used.append((path, line_of(code, m.start()), name))
    for path, line, name in used:
        to = defined.get(name)
        if to and to != path:
            yield Arrow(path, line, to, f"calls {name} of {to}")


def split(path):
    """The top folder and the room of a file; None: it is in no room."""
    top, _, rest = path.partition("/")
    if rest in ROOMS[top]:  # a file that is a room of its own
        return top, rest
    folder = os.path.dirname(rest) or "."
    while folder not in ROOMS[top]:
        if "/" not in folder:
            return top, "." if folder == "." else None
        folder = os.path.dirname(folder)
    return top, folder


def may_use(top, room, other_top, other):
    if (top, room) == (other_top, other):
        return True
    for allowed in ROOMS[top].get(room, "").split():
        if other_top == top and allowed == other:
            return True
        if allowed.endswith("/*") and f"{other_top}/{other}".startswith(allowed[:-1]):
            return True
        if allowed == f"{other_top}/{other}" and other_top != top:
            return True
    return False


def unit(path):
    """A source and its header are one."""
    return path if path.endswith(".def") else os.path.splitext(path)[0]


def look(files):
    """What is wrong: {kind: {folder: [lines]}}."""
    wrong = {kind: collections.defaultdict(list) for kind in ALLOWED}
    arrows = sorted(set(includes(files)) | set(calls(files)))
    seen = set()
    uses = collections.defaultdict(set)
    for a in arrows:
        if unit(a.source) != unit(a.target):
            uses[unit(a.source)].add(unit(a.target))
        top, room = split(a.source)
        other_top, other = split(a.target)
        key = (unit(a.source), unit(a.target))
        if room is None or other is None or key in seen or key[0] == key[1]:
            continue
        if not may_use(top, room, other_top, other):
            seen.add(key)
            wrong["arrows"][top].append(
                f"{a.source}:{a.line}: {a.what}, but {top}/{room} may not use {other_top}/{other}")
    for one in sorted(uses):
        for two in sorted(uses[one]):
            if one < two and one in uses.get(two, ()):
                wrong["pairs"][one.partition("/")[0]].append(f"{one} and {two} use each other")
    sources = collections.Counter(os.path.dirname(p) for p in files if p.endswith(SOURCE))
    for folder, count in sources.items():
        if count > MOST_SOURCES:
            wrong["sources"][folder] = [f"{folder} has {count} sources, more than {MOST_SOURCES}"] * count
    for path in sorted(files):
        if split(path)[1] is None:
            wrong["arrows"][path.partition("/")[0]].append(f"{path}: is in no room (ROOMS)")
    return wrong


def judge(wrong, allowed):
    """Lines to print; none: all is as it should be."""
    lines = []
    for kind in ("arrows", "pairs", "sources"):
        for folder in sorted(set(wrong[kind]) | set(allowed[kind])):
            now, most = wrong[kind][folder], allowed[kind].get(folder, 0)
            if len(now) > most:
                lines += now[:1] if kind == "sources" else now
                if most:
                    lines.append(f"{folder}: {kind}: {len(now)}, and no more than {most} are allowed")
            elif len(now) < most:
                lines.append(f"{folder}: {kind}: {len(now)} by now: lower the {most} in ALLOWED"
                             f" of {os.path.basename(__file__)}")
    return lines


# --- self test ----------------------------------------------------------------

# Each a made-up tree, and what must be said of it; "" for nothing.
TREES = [
    ({"runtime/hooks/hook.c": '#include "placement/place.h"\n', "runtime/placement/place.h": ""}, ""),
    ({"runtime/placement/place.c": '\n#include "hooks/hook.h"\n', "runtime/hooks/hook.h": ""},
     "runtime/placement/place.c:2: includes runtime/hooks/hook.h, but runtime/placement may not use runtime/hooks"),
    ({"runtime/placement/place.c": "void f(void) {\n  ek_sync(1);\n}\n",
      "runtime/hooks/hook.c": "void ek_sync(int id) {\n}\n"},
     "runtime/placement/place.c:2: calls ek_sync of runtime/hooks/hook.c, but"),
    ({"runtime/placement/place.c": "void f(void) { /* ek_sync(1) */ g(\"ek_sync(1)\"); }\n",
      "runtime/hooks/hook.c": "void ek_sync(int id) {}\n"}, ""),
    ({"runtime/hooks/hook.c": "void f(void) { ek_event(1); }\n",
      "runtime/observe/event.c": "void ek_event(int id) {}\n"},
     "runtime/hooks/hook.c:1: calls ek_event of runtime/observe/event.c, but"),
    ({"runtime/placement/a.c": '#include "b.h"\n', "runtime/placement/a.h": "",
      "runtime/placement/b.h": '#include "placement/a.h"\n'},
     "runtime/placement/a and runtime/placement/b use each other"),
    ({"runtime/placement/a.c": "void ek_a(void) { ek_b(); }\n",
      "runtime/placement/b.c": "void ek_b(void) { ek_a(); }\n"},
     "runtime/placement/a and runtime/placement/b use each other"),
    ({f"runtime/ranks/f{i}.c": "" for i in range(MOST_SOURCES)}, ""),
    ({f"runtime/ranks/f{i}.c": "" for i in range(MOST_SOURCES + 1)}, "runtime/ranks has 16 sources, more than 15"),
    ({"runtime/cellar/x.c": ""}, "runtime/cellar/x.c: is in no room"),
    ({"passes/access/Walk.cpp": '#include "format/Facts.h"\n', "profiles/format/Facts.h": ""}, ""),
    ({"passes/access/Walk.cpp": '#include "planner/Planner.h"\n', "profiles/planner/Planner.h": ""},
     "passes/access/Walk.cpp:1: includes profiles/planner/Planner.h, but passes/access may not use profiles/planner"),
    ({"passes/access/calls/Calls.cpp": '#include "access/Rows.h"\n', "passes/access/Rows.h": ""}, ""),
    ({"passes/access/calls/Calls.cpp": '#include "access/Access.h"\n', "passes/access/Access.h": ""},
     "passes/access/calls/Calls.cpp:1: includes passes/access/Access.h, but passes/access/calls may not use passes/access"),
    ({"passes/access/calls/Calls.cpp": '#include "access/walks/Walk.h"\n', "passes/access/walks/Walk.h": ""},
     "passes/access/calls/Calls.cpp:1: includes passes/access/walks/Walk.h, but passes/access/calls may not use"),
    ({"profiles/format/Plan.h": '#include "cli/common/Cli.h"\n', "utils/cli/common/Cli.h": ""},
     "profiles/format/Plan.h:1: includes utils/cli/common/Cli.h, but"),
]


def self_test():
    nothing = {kind: {} for kind in ALLOWED}
    for tree, expected in TREES:
        with tempfile.TemporaryDirectory() as root:
            for path, text in tree.items():
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                    f.write(text)
            said = "\n".join(judge(look(read_tree(root)), nothing))
        if expected not in said or bool(expected) != bool(said):
            sys.exit(f"of {tree}\nexpected: {expected}\nsaid: {said}")
    wrong = {kind: collections.defaultdict(list) for kind in ALLOWED}
    wrong["arrows"]["passes"] = ["one", "two"]
    for most, expected in ((2, 0), (1, 3), (3, 1)):
        said = judge(wrong, {**nothing, "arrows": {"passes": most}})
        if len(said) != expected:
            sys.exit(f"with {most} allowed of two: {said}")
    # No room is above itself.
    for top, rooms in ROOMS.items():
        done = set()
        while len(done) < len(rooms):
            free = [r for r in rooms if r not in done and set(rooms[r].split()) & set(rooms) <= done]
            if not free:
                sys.exit(f"ROOMS of {top}: {sorted(set(rooms) - done)} use each other")
            done.update(free)


def main():
    args = sys.argv[1:]
    if "--self-test" in args:
        self_test()
        return
    root = next((a for a in args if not a.startswith("-")),
                os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    wrong = look(read_tree(root))
    if "--counts" in args:
        for kind, folders in wrong.items():
            print(kind, {folder: len(lines) for folder, lines in sorted(folders.items())})
        return
    lines = judge(wrong, ALLOWED)
    print("\n".join(lines))
    sys.exit(1 if lines else 0)


if __name__ == "__main__":
    main()
