#!/usr/bin/env python3
# check_reference.py - tables of docs/reference against the code
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check_reference.py --evenkeel EXE [--write]
# Knows: the command's own --help is the source of the command table, which this
# script writes between the two `options` marks of commands.md (--write) or
# compares (default). Every EVENKEEL_* name that the code reads must have a row
# in the table of variables, and every row must be read by the code; rows of the
# runtime must show the default of runtime/core/options.def.
import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BEGIN = "<!-- options: written by utils/lib/check_reference.py --write -->"
END = "<!-- options end -->"


def run(*args):
    return subprocess.run(args, check=True, capture_output=True, text=True).stdout


def command_table(evenkeel):
    rows = ["| command | option | meaning |", "|---|---|---|"]
    names = re.findall(r"^  (\w+) +\S", run(evenkeel, "--help"), re.M)
    common = {}
    for name in names:
        for line in run(evenkeel, name, "--help").splitlines():
            m = re.match(r"^  (-.*?)  +(\S.*)$", line)
            if not m:
                continue
            option = m.group(1).replace("|", "\\|")
            meaning = m.group(2).replace("|", "\\|")
            if option in ("--json", "-h, --help"):
                common[option] = meaning
            else:
                rows.append(f"| {name} | `{option}` | {meaning} |")
    for option, meaning in sorted(common.items()):
        rows.append(f"| all | `{option}` | {meaning} |")
    return "\n".join(rows)


def variables_in_code():
    found = {}
    for folder in ("passes", "rewriter", "runtime", "profiles", "utils"):
        for path in sorted((ROOT / folder).rglob("*")):
            if not path.is_file() or path.suffix in (".json", ".txt", ".py", ".md"):
                continue
            text = path.read_text(errors="replace")
            names = re.findall(r'"(EVENKEEL_[A-Z0-9_]+)[="]', text)
            if path.parent.name == "wrappers":
                names += re.findall(r"\$\{(EVENKEEL_[A-Z0-9_]+)-", text)
            for name in names:
                found.setdefault(name, path.relative_to(ROOT))
    defaults = {}
    table = ROOT / "runtime" / "core" / "options.def"
    for m in re.finditer(r'EK_OPTION\((\w+), \w+, \w+, "([^"]*)"', table.read_text()):
        found.setdefault("EVENKEEL_" + m.group(1), table.relative_to(ROOT))
        defaults["EVENKEEL_" + m.group(1)] = m.group(2)
    return found, defaults


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--evenkeel", required=True)
    p.add_argument("--write", action="store_true")
    a = p.parse_args()
    commands = ROOT / "docs" / "reference" / "commands.md"
    variables = ROOT / "docs" / "reference" / "variables.md"
    text = commands.read_text()
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    new = "\n" + command_table(a.evenkeel) + "\n"
    wrong = []
    if a.write:
        commands.write_text(before + BEGIN + new + END + after)
    elif old != new:
        wrong.append("the command table differs from --help; run "
                     "utils/lib/check_reference.py --evenkeel build/ci/bin/evenkeel --write")
    rows = {m.group(1): m.group(2).strip(" `") for m in
            re.finditer(r"^\| `(EVENKEEL_\w+)` \|([^|]*)\|", variables.read_text(), re.M)}
    code, defaults = variables_in_code()
    for name in sorted(set(code) - set(rows)):
        wrong.append(f"{name} (read in {code[name]}) has no row in variables.md")
    for name in sorted(set(rows) - set(code)):
        wrong.append(f"{name} has a row in variables.md, but nothing reads it")
    for name, default in sorted(defaults.items()):
        if name in rows and rows[name] != (default or "-"):
            wrong.append(f"{name}: variables.md says default '{rows[name]}', the code '{default}'")
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


main()
