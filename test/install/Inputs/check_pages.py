# check_pages.py TREE - the manual pages of an installed tree
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Each command and option of the programs is in a page; man shows every page
# without a warning, and lexgrog finds its name.
import functools
import json
import os
import pathlib
import re
import subprocess
import sys

tree = pathlib.Path(sys.argv[1])
man = tree / "share" / "man"
wrong = []


@functools.lru_cache(maxsize=None)
def shown(page):
    text = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True, cwd=man,
                          env={**os.environ, "MANWIDTH": "78", "LC_ALL": "C.UTF-8", "MANROFFOPT": "-c"})
    if text.returncode or text.stderr:
        wrong.append(f"{page.name}: {text.stderr.strip() or text.returncode}")
    return re.sub(r".\x08", "", text.stdout)


def flat(text):
    """Without what a page's width makes of words: hyphens of groff, line ends."""
    return re.sub(r"\s+", "", re.sub("\u2010\n\\s*", "", text))


table = json.loads(subprocess.run([tree / "bin" / "evenkeel", "--options"], check=True,
                                  capture_output=True, text=True).stdout)
commands = [c for g in table["groups"] for c in g["commands"]]
main = shown(man / "man1" / "evenkeel.1")
for c in commands:
    page = man / "man1" / f"evenkeel-{c['name']}.1"
    if not page.exists():
        wrong.append(f"no {page.name}")
        continue
    text = flat(shown(page))
    for o in c["options"]:
        for words in filter(None, (o["name"], o["alias"], o["help"])):
            if flat(words) not in text:
                wrong.append(f"{page.name} does not say: {words}")
    for words in (c["question"], c["example"]):
        if flat(words) not in text:
            wrong.append(f"{page.name} does not say: {words}")
    if not re.search(rf"^\s+{c['name']}\b", main, re.M):
        wrong.append(f"evenkeel.1 does not name {c['name']}")
pages = sorted((man / "man1").glob("*.1"))
for page in pages:
    shown(page)
    if page.read_text().startswith(".so "):
        continue
    named = subprocess.run(["lexgrog", page], capture_output=True, text=True)
    if named.returncode:
        wrong.append(f"lexgrog does not find the name in {page.name}")
for program in (tree / "bin").iterdir():
    if not (man / "man1" / f"{program.name}.1").exists():
        wrong.append(f"{program.name} has no page")
print("\n".join(wrong))
own = 3 + len(commands)  # evenkeel, and the two compilers
print(f"{own} pages of commands, {len(pages) - own} of other programs, all options, no warnings")
sys.exit(bool(wrong))
