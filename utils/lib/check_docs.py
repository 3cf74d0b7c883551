#!/usr/bin/env python3
# check_docs.py - README.md and docs/: size, links, options, pictures
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check_docs.py --evenkeel EXE
#
# Knows: README.md has at most 8 KiB and its links work; options and commands of
# evenkeel, and scripts of utils/, that a page names in `code` exist; pictures
# match their data; each how-to page and each console block that no test runs
# gives a reason.
# Not here: the output of commands (doc_examples.py), links between the pages of
# docs/ (Sphinx, by utils/docs), docs/reference (make_reference.py).
import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MOST_BYTES = 8192
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")
# Options of other programs in pages.
OTHERS = {"--mode", "--membind", "--preferred", "--interleave", "--version", "--lit",
          "--remove-section", "--load-pass-plugin", "--oversubscribe", "--showme",
          "--exclude-label", "--preset", "--build", "--target"}


def run(*args):
    return subprocess.run(args, check=True, capture_output=True, text=True).stdout


def known_options(evenkeel):
    commands = re.findall(r"^  (\w+) +\S", run(evenkeel, "--help"), re.M)
    options = {name: set(re.findall(r"--[a-z][a-z-]*", run(evenkeel, name, "--help")))
               for name in commands}
    everywhere = set().union(*options.values())
    for folder in ("utils", "utils/wrappers"):
        for path in (ROOT / folder).iterdir():
            if path.is_file():
                everywhere |= set(re.findall(r"--[a-z][a-z-]*", path.read_text(errors="replace")))
    return options, everywhere


def wrong_code(text, options, everywhere):
    for code in CODE.findall(text):
        m = re.match(r"evenkeel (\w+)", code)
        if m and m.group(1) not in options:
            yield f"`{code}` names no command"
            continue
        known = options[m.group(1)] if m else everywhere
        if m or code.startswith("--"):
            own = code.split(" -- ")[0]
            for option in re.findall(r"(?:^|\s)(--[a-z][a-z-]*)", own):
                if option not in known | OTHERS:
                    yield f"`{code}`: no option {option}"
        m = re.match(r"utils/([\w-]+)", code)
        if m and not (ROOT / "utils" / m.group(1)).exists():
            yield f"`{code}` is not there"


def wrong_links(path, text):
    for target, _ in LINK.findall(text):
        if re.match(r"https?:", target):
            continue
        if not (path.parent / target).exists():
            yield f"link to {target}, which is not there"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--evenkeel", required=True)
    a = p.parse_args()
    wrong = []
    options, everywhere = known_options(a.evenkeel)
    readme = ROOT / "README.md"
    size = len(readme.read_bytes())
    if size > MOST_BYTES:
        wrong.append(f"README.md has {size} bytes, {MOST_BYTES} at most")
    for path in [readme, *sorted((ROOT / "docs").rglob("*.md"))]:
        text = path.read_text()
        if path == readme or "examples" in path.parts:
            wrong += [f"{path.relative_to(ROOT)}: {w}" for w in wrong_links(path, text)]
        wrong += [f"{path.relative_to(ROOT)}: {w}"
                  for w in wrong_code(text, options, everywhere)]
    pictures = ROOT / "docs" / "pictures"
    for data in sorted(pictures.glob("*.json")):
        drawn = run(sys.executable, str(pictures / "draw_tasks.py"), "--draw", str(data))
        if drawn != data.with_suffix(".svg").read_text():
            wrong.append(f"{data.with_suffix('.svg').name} is not what {data.name} draws; run "
                         "docs/pictures/draw_tasks.py --draw")
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


main()
