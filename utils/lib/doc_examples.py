#!/usr/bin/env python3
# doc_examples.py - runs the commands that README.md and docs/ show
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# doc_examples.py --source DIR --build DIR [--write] [--list] PAGE...
#
# Knows: a ```console block holds commands (after `$ `, continued after `> `)
# and what they print. The blocks of a page are one shell session, from top to
# bottom, in a folder that looks like a clone that utils/quickstart has built.
# In the output that is shown
#   ...   alone on a line stands for any number of lines,
#   [...] in a line for any text;
# runs of blanks count as one, and messages on progress or on this computer's
# memory are left out. A comment right above a block says more:
#   <!-- not run: REASON -->         commands that this test cannot run
#   <!-- figures within N % -->      measured numbers may differ by this much
#   <!-- figures vary -->            any number matches
#   <!-- exit N -->                  the last command's exit status; default 0
#   <!-- hidden: COMMAND -->         run before the block, not shown
# Makes: a line for each command whose output differs from the page, and exit
# status 1; with --write, the page gets the printed lines, even for numbers that
# may differ, shortened where the page was.
# Not here: other blocks; links (check_docs.py).
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FENCE = re.compile(r"^( *)```console\n(.*?)^ *```$", re.S | re.M)
NOTE = re.compile(r"<!-- (not run|figures within|figures vary|exit|hidden)[: ]*(.*?) *-->")
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")
# Messages on standard error that depend on the clock, or on the computer.
LEFT_OUT = re.compile(r"^evenkeel: ([\w ]+: \d+ of \d+.*, \d+ s|"
                      r"this computer has one kind of memory, .*)$")
MARK = "\x01evenkeel-docs "


class Block:
    """One console block: its commands, each with the lines shown below it."""

    def __init__(self, start, end, text, indent, notes):
        self.start, self.end, self.indent = start, end, indent
        self.notes = notes
        self.commands, self.shown = [], []
        for line in text.splitlines():
            line = line[len(indent):]
            if line.startswith("$ "):
                self.commands.append(line[2:])
                self.shown.append([])
            elif line.startswith("> ") and not self.shown[-1]:
                self.commands[-1] += "\n" + line[2:]
            else:
                self.shown[-1].append(line)

    def text(self):
        out = []
        for command, shown in zip(self.commands, self.shown):
            first, *rest = command.split("\n")
            out += [f"$ {first}", *(f"> {r}" for r in rest), *shown]
        return "".join(f"{self.indent}{line}".rstrip() + "\n" for line in out)


def blocks_of(text):
    found = []
    for m in FENCE.finditer(text):
        notes, at = {}, m.start()
        while (above := text.rfind("\n", 0, max(at - 1, 0))) >= -1 and at > 0:
            n = NOTE.fullmatch(text[above + 1:at].strip())
            if not n:
                break
            notes[n.group(1)] = n.group(2)
            at = above + 1
        found.append(Block(m.start(2), m.end(2), m.group(2), m.group(1), notes))
    return found


def same_line(shown, printed, within):
    """Whether a shown line matches a printed one. \\p within: None for exact
    numbers, a share, or infinity for any number."""
    def split(text):
        return re.sub(r"\s+", " ", text).strip()
    shown, printed = split(shown), split(printed)
    if "[...]" in shown:
        parts = [re.escape(p.strip()) for p in shown.split("[...]")]
        if within is not None:
            parts = [re.sub(r"\d+(\\\.\d+)?", r"[\\d.]+", p) for p in parts]
        return re.fullmatch(r"\s*.*?\s*".join(parts), printed) is not None
    if within is None:
        return shown == printed
    if NUMBER.sub("#", shown) != NUMBER.sub("#", printed):
        return False
    for a, b in zip(NUMBER.findall(shown), NUMBER.findall(printed)):
        a, b = float(a), float(b)
        if abs(a - b) > within * max(abs(a), abs(b)):
            return False
    return True


def match(shown, printed, within):
    """The index of the printed line for each shown line, or None if they do not
    match. `...` is None in the list."""
    places, at, free = [], 0, False
    groups, current = [], []
    for line in shown:
        if line.strip() == "...":
            groups.append(current)
            current = []
        else:
            current.append(line)
    groups.append(current)
    for k, group in enumerate(groups):
        if k:
            places.append(None)
        last = k == len(groups) - 1
        starts = range(at, len(printed) - len(group) + 1) if free else [at]
        if free and last:
            starts = [len(printed) - len(group)]
        for s in starts:
            if s >= at and s + len(group) <= len(printed) and all(
                    same_line(g, p, within) for g, p in zip(group, printed[s:])):
                break
        else:
            return None
        if last and s + len(group) != len(printed):
            return None
        places += range(s, s + len(group))
        at, free = s + len(group), True
    return places


def words_of(line):
    return set(re.findall(r"[A-Za-z][\w./:-]+", line))


def likeness(shown, printed):
    """The similarity of two lines without their numbers: 0 to 1."""
    a, b = words_of(shown), words_of(printed)
    return len(a & b) / len(a | b) if a | b else float(not shown.strip() and not printed.strip())


def shortened(shown, printed):
    """The printed line, cut where the shown one is."""
    if not shown.rstrip().endswith("[...]"):
        return printed
    columns = len(re.split(r"\s{2,}", shown.rstrip()[:-len("[...]")].strip()))
    m = re.match(r"\s*" + r"\s{2,}".join([r"\S+(?: \S+)*"] * columns), printed)
    return f"{m.group(0)}  [...]" if m else printed


def aligned(shown, printed):
    """The shown lines as they are printed now: each becomes the most similar
    printed line, in order; `...` stays. None if nothing was shortened, or if a
    line has no similar one."""
    out, at = [], 0
    if not any("..." in line for line in shown):
        return None
    for line in shown:
        if line.strip() == "...":
            out.append(line)
            continue
        best = max(range(at, len(printed)), default=None,
                   key=lambda i: (likeness(line, printed[i]), -i))
        if best is None or likeness(line, printed[best]) < 0.3:
            return None
        out.append(shortened(line, printed[best]))
        at = best + 1
    return out


def make_clone(source, build, here):
    """A folder that looks like a clone in which utils/quickstart ran."""
    ignore = shutil.ignore_patterns("build", "out", "__pycache__")
    for name in ("docs/examples", "docs/pictures", "test/workloads"):
        shutil.copytree(source / name, here / name, ignore=ignore)
    for name in ("utils", "runtime"):
        (here / name).symlink_to(source / name)
    (here / "build").mkdir()
    (here / "build" / "release").symlink_to(build)


def run_page(blocks, source, build):
    """What each command printed, and its exit status, by block and command."""
    with tempfile.TemporaryDirectory() as temp:
        here = Path(temp, "evenkeel").resolve()
        here.mkdir()
        make_clone(source, build, here)
        lines = ["exec 2>&1"]
        for b, block in enumerate(blocks):
            if "not run" in block.notes:
                continue
            if "hidden" in block.notes:
                lines += [f"printf '{MARK}{b} -1\\n'", block.notes["hidden"],
                          f"printf '{MARK}= %s\\n' $?"]
            for c, command in enumerate(block.commands):
                lines += [f"printf '{MARK}{b} {c}\\n'", command,
                          f"printf '{MARK}= %s\\n' $?"]
        env = {k: v for k, v in os.environ.items()
               if not k.startswith("EVENKEEL_") and k != "OMP_NUM_THREADS"}
        env.update(HOME=str(here), COLUMNS="100", OMPI_ALLOW_RUN_AS_ROOT="1",
                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   PATH=f"{build / 'bin'}:{env['PATH']}")
        r = subprocess.run(["bash", "-c", "\n".join(lines)], cwd=here, env=env,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           timeout=900)
        text = r.stdout.decode(errors="replace").replace(str(here), "~/evenkeel")
    printed, status, key = {}, {}, None
    for line in text.split("\n"):
        at = line.find(MARK)
        if at < 0:
            if key and not LEFT_OUT.match(line):
                printed[key].append(line.rstrip())
            continue
        if at and key:
            printed[key].append(line[:at])
        word, value = line[at + len(MARK):].split()
        if word == "=":
            status[key] = int(value)
        else:
            key = (int(word), int(value))
            printed[key] = []
    return printed, status


def wrong_of(block, number, printed, status, write):
    """Lines about differing commands of \\p block; with \\p write, takes over their
    output."""
    wrong = []
    within = None
    if "figures vary" in block.notes:
        within = float("inf")
    elif "figures within" in block.notes:
        within = float(block.notes["figures within"].rstrip("% ")) / 100
    if "hidden" in block.notes and status.get((number, -1)) != 0:
        wrong.append(f"hidden: {block.notes['hidden']}\n  failed:\n" +
                     "\n".join("  | " + x for x in printed.get((number, -1), [])[-12:]))
    for c, command in enumerate(block.commands):
        key = (number, c)
        last = c == len(block.commands) - 1
        expected = int(block.notes.get("exit", 0)) if last else 0
        if status.get(key) != expected:
            wrong.append(f"$ {command}\n  ended with status {status.get(key, 'none')}, not "
                         f"{expected}:\n" + "\n".join("  | " + x for x in printed.get(key, [])[-12:]))
            continue
        shown, said = block.shown[c], printed[key]
        while said and not said[-1]:
            said.pop()
        if not shown and not said:
            continue
        # Also if they match: the page should contain real output.
        if write:
            places = match(shown, said, within)
            if places is None:
                places = match(shown, said, float("inf"))
            near = aligned(shown, said) if places is None else [
                s if p is None or "[...]" in s.rstrip()[:-5] else shortened(s, said[p])
                for s, p in zip(shown, places)]
            block.shown[c] = said if near is None else near
            continue
        if match(shown, said, within):
            continue
        wrong.append(f"$ {command}\n  the page shows\n" + "\n".join("  - " + x for x in shown) +
                     "\n  it printed\n" + "\n".join("  + " + x for x in said))
    return wrong


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--source", required=True, type=Path)
    p.add_argument("--build", required=True, type=Path)
    p.add_argument("--write", action="store_true")
    p.add_argument("--list", action="store_true", help="print the commands that are not run, and why")
    p.add_argument("pages", nargs="+", type=Path)
    a = p.parse_args()
    failed = 0
    for page in a.pages:
        path = a.source / page
        text = path.read_text()
        blocks = blocks_of(text)
        if a.list:
            for b in blocks:
                if "not run" in b.notes:
                    for command in b.commands:
                        print(f"{page}: {command}  ({b.notes['not run']})")
            continue
        printed, status = run_page(blocks, a.source.resolve(), a.build.resolve())
        for n, b in enumerate(blocks):
            if "not run" in b.notes:
                continue
            wrong = wrong_of(b, n, printed, status, a.write)
            failed += len(wrong)
            for w in wrong:
                print(f"{page}: {w}")
        if a.write:
            for b in reversed(blocks):
                text = text[:b.start] + b.text() + text[b.end:]
            path.write_text(text)
        ran = sum(len(b.commands) for b in blocks if "not run" not in b.notes)
        print(f"{page}: {ran} commands run, {failed} not as shown")
    sys.exit(1 if failed else 0)


main()
