#!/usr/bin/env python3
# make_manual.py - manual pages, from the programs' option tables
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   make_manual.py --bin BIN --out DIR
#
# Makes: DIR/evenkeel.1, a page for each command (evenkeel-plan.1), for the
# compilers and for the programs that the command calls. No dates in them, so
# that the same tree gives the same pages.
import argparse
import re
import subprocess
from pathlib import Path

import option_table

STATUS = """.SH EXIT STATUS
.TP
.B 0
The command did what it was asked.
.TP
.B 2
It did not: one line on standard error says what is wrong and what to do, and
nothing was written.
"""


def text(words):
    """Text as roff shows it unchanged; options get real hyphens."""
    words = words.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    words = words.replace("^", "\\(ha").replace("~", "\\(ti")
    return "\n".join("\\&" + line if line[:1] in ".'" else line for line in words.split("\n"))


def bold(words):
    return f"\\fB{text(words)}\\fR"


def head(version, name, what):
    return (f'.TH {text(name.upper())} 1 "" "Evenkeel {version}" "Evenkeel"\n'
            f".SH NAME\n{text(name)} \\- {text(what)}\n")


def synopsis(*forms):
    lines = ".SH SYNOPSIS\n.nh\n.ad l\n"
    return lines + "\n.br\n".join(forms) + "\n.ad b\n.hy\n"


def example(lines):
    return f".SH EXAMPLE\n.EX\n{text(lines)}\n.EE\n"


def see_also(names):
    return ".SH SEE ALSO\n" + ",\n".join(f"\\fB{text(n)}\\fR(1)" for n in names) + "\n"


def option_rows(options):
    out = ""
    for o in options:
        names = ", ".join(bold(n) for n in (o["alias"], o["name"]) if n)
        value = f" \\fI{text(o['value'])}\\fR" if o["value"] else ""
        default = f" (default {o['default']})" if o["default"] else ""
        out += f".TP\n{names}{value}\n{text(o['help'] + default)}\n"
    return out


def forms(command):
    """The forms of a usage: `a X | a Y` are two lines."""
    name = command["name"]
    parts = re.split(rf" \| (?={re.escape(name)} )", command["usage"])
    return [f"{bold('evenkeel ' + name)} {text(p[len(name):].strip())}" for p in parts]


def command_page(version, c, others):
    name = f"evenkeel-{c['name']}"
    page = head(version, name, c["question"]) + synopsis(*forms(c))
    page += ".SH OPTIONS\n" + option_rows(c["options"]) + example(c["example"]) + STATUS
    if c["takes"] == "program":
        page += text("A program after -- that ends with another status passes it on.") + "\n"
    return name, page + see_also(["evenkeel"] + [f"evenkeel-{o}" for o in others if o != c["name"]])


def main_page(table):
    page = head(table["version"], "evenkeel",
                "places data in fast and slow memory so that all tasks finish soonest")
    page += synopsis(f"{bold('evenkeel')} \\fICOMMAND\\fR [\\fIOPTION\\fR]...",
                     bold("evenkeel --help"), bold("evenkeel --version"))
    page += ".SH COMMANDS\n"
    for group in table["groups"]:
        page += f".SS {text(group['title'].capitalize())}\n"
        for c in group["commands"]:
            page += f".TP\n{bold(c['name'])}\n{text(c['question'])}\n"
    page += STATUS + ".SH ENVIRONMENT\n.TP\n.B EVENKEEL_WORKSPACE\n"
    page += "The folder for what commands keep of a program; else .evenkeel beside the program.\n"
    page += ".TP\n.B EVENKEEL_MACHINES\nA folder with machine files of your own.\n.PP\n"
    page += "\\fBevenkeel\\-options\\fR(1) has the variables that running programs read.\n"
    names = [f"evenkeel-{c['name']}" for c in table["commands"]]
    return "evenkeel", page + see_also(names + ["evenkeel-cc", "evenkeel-options"])


def compiler_page(version, c):
    page = head(version, "evenkeel-cc", c["question"])
    usage = c["usage"].split(" ", 1)[1]
    page += synopsis(f"{bold('evenkeel-cc')} {text(usage)}", f"{bold('evenkeel-c++')} {text(usage)}",
                     bold("evenkeel-llvm-ar") + " ...", bold("evenkeel-llvm-ranlib") + " ...")
    page += f".SH DESCRIPTION\n{text(c['about'])}\n.PP\n{text(c['behind'])}\n.PP\n"
    page += text("evenkeel-llvm-ar and evenkeel-llvm-ranlib are the archivers of LLVM 19.") + "\n"
    page += ".SH OPTIONS\n" + "".join(f".TP\n{bold(n)}\n{text(m)}\n" for n, m in c["options"])
    page += ".SH ENVIRONMENT\n" + "".join(f".TP\n{bold(n)}\n{text(m)}\n" for n, m in c["variables"])
    return page + example(c["example"]) + see_also(["evenkeel", "evenkeel-rewrite"])


def variables_page(version, program):
    """From the table that evenkeel-options prints, in its columns."""
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    starts = [lines[0].index(word) for word in ("variable", "default", "value", "does")]
    page = head(version, "evenkeel-options", "shows the variables that annotated programs read")
    page += synopsis(bold("evenkeel-options")) + ".SH VARIABLES\n"
    for line in lines[1:]:
        name, default, value, does = (line[a:b].strip() for a, b in
                                      zip(starts, starts[1:] + [None]))
        shown = "" if default in ("", "-") else f" (default {default})"
        page += f".TP\n{bold(name)}=\\fI{text(value)}\\fR\n{text(does + shown)}\n"
    return page + see_also(["evenkeel", "evenkeel-run"])


# Programs that the command calls, with what they do and their arguments.
HELPERS = {
    "evenkeel-lines": ("finds source lines of addresses, for evenkeel", "IN OUT"),
    "evenkeel-measure": ("measures memory, for evenkeel machine calibrate",
                         "BYTES SECONDS NODE..."),
    "evenkeel-stacks": ("finds the call stacks of allocation sites, for evenkeel analyze",
                        "FACTS ROOT OUT BINARY..."),
}


def helper_page(version, name):
    what, words = HELPERS[name]
    return (head(version, name, what) + synopsis(f"{bold(name)} \\fI{text(words)}\\fR")
            + ".SH DESCRIPTION\nThe command \\fBevenkeel\\fR(1) starts this program where it is needed.\n"
            + see_also(["evenkeel"]))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", required=True, type=Path, help="folder with the commands")
    p.add_argument("--out", required=True, type=Path)
    a = p.parse_args()
    table = option_table.read(a.bin / "evenkeel")
    version = table["version"]
    names = [c["name"] for c in table["commands"]]
    pages = dict(command_page(version, c, names) for c in table["commands"])
    pages.update([main_page(table)])
    pages["evenkeel-cc"] = compiler_page(version, option_table.compiler(a.bin / "evenkeel-cc"))
    for name in ("evenkeel-c++", "evenkeel-llvm-ar", "evenkeel-llvm-ranlib"):
        pages[name] = ".so man1/evenkeel-cc.1\n"
    if (a.bin / "evenkeel-options").exists():
        pages["evenkeel-options"] = variables_page(version, a.bin / "evenkeel-options")
    for name in HELPERS:
        if (a.bin / name).exists():
            pages[name] = helper_page(version, name)
    a.out.mkdir(parents=True, exist_ok=True)
    for old in a.out.glob("*.1"):
        old.unlink()
    for name, page in pages.items():
        (a.out / f"{name}.1").write_text(page)


main()
