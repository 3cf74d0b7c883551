# sync_places.py - which sync points a run passed, and which had no hook
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs under sync_counter.c, and says why places fell short.

    counter = build(folder)              the library
    environment(counter, tree, folder)   variables of a run that is counted
    places(folder)                       what the runs left in the folder
    explain(places, findings)            the reason of each that fell short
    lines(places)                        the worst of them, for people

A place is a sync point, counted as it was passed, or a caller that makes large
objects without an id, counted in bytes."""
import collections
import glob
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
LLVM = "/usr/lib/llvm-19/bin"


SYSTEM = ("/usr/include/", "/usr/lib/")


class Place:
    """One place in the source, summed over processes and inlined copies."""

    def __init__(self, kind, at, function):
        self.kind, self.at, self.function = kind, at, function
        self.times = self.good = 0  # passed, of them hooked; bytes, 0
        self.reason = ""
        # In a header of the system, which is left as it is.
        self.library = at.startswith(SYSTEM)
        # A barrier that no construct of the source has.
        self.compiler = False

    def missed(self):
        return self.times - self.good

    def is_sync(self):
        return self.kind != "unnamed" and not self.compiler


def build(folder):
    library = os.path.join(folder, "sync_counter.so")
    subprocess.run([LLVM + "/clang", "-O2", "-fPIC", "-shared",
                    "-I" + os.path.join(SOURCE, "runtime"),
                    os.path.join(HERE, "sync_counter.c"), "-o", library],
                   check=True)
    return library


def environment(counter, tree, folder):
    """Variables of runs that leave their counts and their summaries there."""
    audit = os.path.join(tree, "lib", "libevenkeel-audit.so")
    return {"LD_PRELOAD": counter + ":" + audit, "SYNC_COUNTS": folder,
            "EVENKEEL_SUMMARY_JSON": os.path.join(folder, "%p.json")}


def _named(module, offsets):
    """(function, file, line) of the call before each offset. Code that the
    compiler made has line 0; then the nearest code before it that has one."""
    asked, back = [], 4
    for offset in offsets:
        asked += [hex(offset - 1 - 8 * i) for i in range(back)]
    said = subprocess.run([LLVM + "/llvm-symbolizer", "--no-inlines",
                           "--output-style=GNU", "--obj=" + module],
                          input="\n".join(asked), capture_output=True,
                          text=True).stdout.splitlines()
    pairs = list(zip(said[0::2], said[1::2]))
    for first in range(0, len(pairs), back):
        function = pairs[first][0]
        near = [p[1] for p in pairs[first:first + back] if p[0] == function]
        for text in near:
            # "FILE:LINE" or "FILE:LINE (discriminator 2)"
            file, _, line = text.split(" (")[0].rpartition(":")
            if line.isdigit() and int(line):
                break
        yield function, file, int(line) if line.isdigit() else 0


def places(folder):
    rows = collections.defaultdict(list)
    for path in sorted(glob.glob(os.path.join(folder, "[0-9]*"))):
        if path.endswith(".json"):
            continue
        with open(path) as f:
            for line in f:
                kind, times, good, offset, module = line.rstrip("\n").split(" ", 4)
                rows[module].append((int(offset, 16), kind, int(times), int(good)))
    result = {}
    for module in sorted(rows):
        row = sorted(rows[module])
        for (offset, kind, times, good), (function, file, line) in zip(
                row, _named(module, [r[0] for r in row])):
            at = f"{os.path.normpath(file)}:{line}" if line \
                else f"{os.path.basename(module)}+{offset:x}"
            p = result.setdefault((kind, at, function), Place(kind, at, function))
            if kind == "unnamed":
                p.times += good
            else:
                p.times += times
                p.good += good
    return list(result.values())


def syncs(found):
    """(passed, of them hooked, passed in headers of the system)."""
    own = [p for p in found if p.is_sync() and not p.library]
    return (sum(p.times for p in own), sum(p.good for p in own),
            sum(p.times for p in found if p.is_sync() and p.library))


def _findings_at(findings):
    """(file name, line): findings there."""
    at = collections.defaultdict(list)
    for f in findings:
        path, line, _ = f["at"].rsplit(":", 2)
        at[os.path.basename(path), int(line)].append((path, f))
    return at


def _reason(p, path, here, refused):
    reasons = sorted({f["reason"] for f in here if f.get("reason")})
    if p.library:
        return "in a header of the system"
    if reasons:
        return ", ".join(reasons)
    if any(u["unit"] == path or path.endswith("/" + u["unit"])
           for u in refused):
        return "its unit is compiled as it is"
    if here:
        return "annotated, but another copy of the code was run"
    return "nothing is known of this place"


def explain(found, findings, refused=()):
    """Findings and refused are those of `rewrite --report --json`."""
    at = _findings_at(findings)
    for p in found:
        if not p.missed():
            continue
        path, _, text = p.at.rpartition(":")
        line = int(text) if text.isdigit() else 0

        def of(line, name=os.path.basename(path)):
            return [f for known, f in at.get((name, line), ())
                    if path.endswith(known.lstrip("./")) and
                    f["kind"].startswith("sync") == (p.kind != "unnamed")]
        # Of copyin, and of values that are both firstprivate and lastprivate,
        # on the line of the region's directive or body.
        near = of(line) or of(line - 1)
        p.compiler = p.kind == "workshare" and bool(near) and all(
            f["kind"] == "sync-parallel" for f in near)
        p.reason = _reason(p, path, of(line), refused)


def lines(found, most=10):
    """Places that fell short, the worst first."""
    short = sorted((p for p in found
                    if p.missed() and (p.is_sync() or p.kind == "unnamed")),
                   key=lambda p: (p.kind == "unnamed", p.library, -p.missed(),
                                  p.at))
    result = []
    for p in short[:most]:
        what = f"{p.missed()} bytes without an id" if p.kind == "unnamed" \
            else f"{p.missed()} of {p.times} without a hook, {p.kind}"
        function = p.function if len(p.function) <= 60 \
            else p.function[:57] + "..."
        result.append(f"{what}: {p.at} ({function}): {p.reason}")
    if len(short) > most:
        result.append(f"and {len(short) - most} more places")
    return result
