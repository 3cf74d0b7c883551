# option_table.py - the commands and their options, as the programs know them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: `evenkeel --options`, the help text of evenkeel-cc, and which values
# each option takes, for make_manual.py and make_completion.py.
# An option whose values are not known here is an error, and so are words for
# values that its help does not mention: nothing goes stale unseen.
import json
import re
import subprocess
import sys

# What the placeholder of an option stands for, where VALUES does not say it.
PLACEHOLDERS = {
    "FILE": "file", "EXE": "file", "NAME|FILE": "machines", "M": "machines",
    "DIR": "folder", "FOLDER": "folder", "BUILD": "folder",
    "A,B": "nothing", "A,B,..": "nothing", "LIST": "nothing", "N": "nothing",
    "N,N...": "nothing", "NAME": "nothing", "NAME,...": "nothing", "NAME=N": "nothing",
    "NAME=VALUE": "nothing", "NS": "nothing", "P%": "nothing", "PERCENT": "nothing",
    "POLICY.NAME=N": "nothing", "S": "nothing", "SHARE": "nothing", "SHARE,..": "nothing",
    "SHARE|all": "nothing", "SIZE": "nothing", "TIER=PRICE": "nothing", "TIME": "nothing",
    "COLUMNS": "nothing", "'CMD'": "nothing", "KIND": "nothing", "WHAT": "nothing",
}
# Values that a command lists: its words, and the row of the first value.
LISTS = {
    "machines": (("machine", "list"), 2),
    "policies": (("simulate", "--policy", "list"), 2),
    "planners": (("plan", "--planner", "list"), 1),
    "models": (("plan", "--model", "list"), 1),
}
# Words that an option takes, or the list that they are in; "COMMAND OPTION" goes
# before "OPTION". With a comma at its end, several of them, with commas.
VALUES = {
    "--algo": "greedy precise",
    "--balance": "sizes times",
    "--by": "line object",
    "--curve": "working-set recency",
    "--fast-allocator": "posix memkind/hbwmalloc",
    "--format": "html svg perfetto speedscope",
    "--machines": "machines,",
    "--map": "object address scatter",
    "--mechanism": "accessed-bits idle-pages write-protect soft-dirty loads auto",
    "--metric": "latencies misses",
    "--model": "models",
    "--plan-machine": "machines",
    "--planner": "planners",
    "--policy": "policies,",
    "--provider": "numa memkind emulated posix",
    "--rank-statistics": "Total Average",
    "--role": "base prefix target",
    "--slow-allocator": "posix memkind/pmem",
    "--style": "numbers kept omp memkind",
    "--until": "phases end",
    "--view": "tasks memory",
    "run --policy": "shambles-lru shambles-window first-touch",
}
# The words that a command takes in place of a program: the first, and after it.
FIRST_WORDS = {"machine": {"list": "nothing", "show": "machines", "detect": "nothing",
                           "calibrate": "nothing"}}


def stop(line):
    sys.exit(f"option_table.py: {line}")


def wanted(command, option, helps):
    """What an option takes: nothing, file, folder, a list, or (words, several)."""
    known = VALUES.get(f"{command} {option['name']}", VALUES.get(option["name"]))
    if known is None:
        if option["value"] not in PLACEHOLDERS:
            stop(f"what does {option['name']} {option['value']} of {command} take? "
                 "say it in PLACEHOLDERS or VALUES")
        return {"kind": PLACEHOLDERS[option["value"]], "words": [], "several": False}
    several = known.endswith(",")
    if known.rstrip(",") in LISTS:
        return {"kind": known.rstrip(","), "words": [], "several": several}
    for word in known.split():
        if not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", helps[option["name"]]):
            stop(f"{option['name']} takes {word}, but its help does not say so")
    return {"kind": "words", "words": known.split(), "several": several}


def read(evenkeel):
    """The table of `evenkeel --options`; each option knows what it takes."""
    table = json.loads(subprocess.run([evenkeel, "--options"], check=True, capture_output=True,
                                      text=True).stdout)
    commands = [c for g in table["groups"] for c in g["commands"]]
    helps = {}
    for c in commands:
        for o in c["options"]:
            helps[o["name"]] = f"{helps.get(o['name'], '')} {o['help']} {o['default'] or ''} {c['usage']}"
    for c in commands:
        c["words"] = FIRST_WORDS.get(c["name"], {})
        for word in c["words"]:
            if not re.search(rf"\b{word}\b", c["usage"]):
                stop(f"{c['name']} takes {word}, but its usage does not say so")
        for o in c["options"]:
            o["takes"] = wanted(c["name"], o, helps) if o["value"] else None
    for name in VALUES:
        if name.split()[-1] not in helps:
            stop(f"VALUES has {name}, which no command has")
    table["commands"] = commands
    return table


def compiler(evenkeel_cc):
    """The help of evenkeel-cc in its sections; options as [(name, meaning)]."""
    text = subprocess.run([evenkeel_cc, "--help"], check=True, capture_output=True, text=True,
                          env={"PATH": "/usr/bin:/bin"}).stdout
    question, rest = text.split("\n\nusage: ", 1)
    usage, rest = rest.split("\n\nexample:\n", 1)
    example, rest = rest.split("\n\n", 1)
    about, rest = rest.split("\n\noptions:\n", 1)
    options, rest = rest.split("\n\nvariables:\n", 1)
    variables, behind = rest.split("\n\n", 1)
    return {"question": question, "usage": "evenkeel-cc " + usage.split(" ", 1)[1],
            "example": example.strip(), "about": " ".join(about.split()),
            "options": rows(options), "variables": rows(variables),
            "behind": " ".join(behind.split())}


def rows(text):
    """[(name, meaning)] of lines `  NAME  MEANING`, which may go on below."""
    out = []
    for line in text.splitlines():
        m = re.match(r"^  (\S.*?)(?:\s\s+(\S.*))?$", line)
        if m and not line.startswith("   "):
            out.append([m.group(1), m.group(2) or ""])
        else:
            out[-1][1] = (out[-1][1] + " " + line.strip()).strip()
    return [tuple(row) for row in out]
