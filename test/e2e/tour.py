#!/usr/bin/env python3
# tour.py - runs the README's tour, in a copy of what it needs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: the first ```sh blocks behind two headings of README.md, at most 15
# lines each, run as one shell script that stops at the first error. Only the
# build folder's name differs from what people type.
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

p = argparse.ArgumentParser()
p.add_argument("--source", required=True, type=Path)
p.add_argument("--build", required=True, type=Path)
a = p.parse_args()

text = (a.source / "README.md").read_text()


def walk(heading, folder):
    block = re.search(rf"## {heading}.*?```sh\n(.*?)```", text, re.S).group(1)
    lines = block.splitlines()
    if not 5 <= len(lines) <= 15:
        sys.exit(f"{heading}: {len(lines)} lines, not at most 15")
    if "$PWD/build/release/bin" not in block:
        sys.exit(f"{heading}: the release build is not named")
    with tempfile.TemporaryDirectory() as here:
        workloads = Path(here, "test", "workloads")
        shutil.copytree(a.source / "test" / "workloads", workloads)
        script = block.replace("$PWD/build/release/bin", str(a.build.resolve() / "bin"))
        r = subprocess.run(["bash", "-euxo", "pipefail", "-c", script], cwd=here)
        if r.returncode:
            sys.exit(f"{heading}: stopped with status {r.returncode}")
        out = Path(here, "out", folder)
        for name, schema in (("facts.json", "evenkeel.facts/1"), ("plan.json", "evenkeel.plan/1")):
            if json.loads((out / name).read_text())["schema"] != schema:
                sys.exit(f"{name} is not {schema}")
        if here in (out / "facts.json").read_text() or here in (out / "plan.json").read_text():
            sys.exit("an absolute path is in facts.json or plan.json")


walk("Your own program", "own")
walk("Tour", "tour")
