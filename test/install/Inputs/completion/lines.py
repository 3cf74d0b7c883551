# lines.py SHELL FOLDER - what a shell completes, against what it should
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Prints a line for each difference, and ends with status 1 then.
import pathlib
import subprocess
import sys

shell, folder = sys.argv[1:]
here = pathlib.Path(__file__).resolve().parent
# A line, and the words that are offered: all of these, or with ... these among
# others.
LINES = [
    ("evenkeel pl", "plan"),
    ("evenkeel re", "report record rewrite"),
    ("evenkeel plan --m", "--machine --model"),
    ("evenkeel plan --machine gr", "grace-hopper"),
    ("evenkeel plan --machine=gr", "grace-hopper"),
    ("evenkeel plan --model ", "linear regression network correlated overlap"),
    ("evenkeel plan --planner unim", "unimem"),
    ("evenkeel simulate --policy first-touch,sl", "slow-only"),
    ("evenkeel bench --machines optane-6252n,gr", "grace-hopper"),
    ("evenkeel machine ", "list show detect calibrate"),
    ("evenkeel machine show opt", "optane-6252n"),
    ("evenkeel report --format s", "svg speedscope"),
    ("evenkeel run --policy sh", "shambles-lru shambles-window"),
    ("evenkeel touches --map ", "object address scatter"),
    ("evenkeel plan --facts som", "some.file"),
    ("evenkeel rewrite som", "some.file"),
    ("evenkeel-cc --rec", "--record="),
    ("evenkeel-cc --record=m", "misses"),
    ("evenkeel-c++ --no", "--no-rewrite"),
    ("evenkeel-cc som", "some.file"),
]
program = {"bash": ["bash", "--noprofile", "--norc"], "zsh": ["zsh", "-f"],
           "fish": ["fish", "--no-config"]}[shell]
answer = subprocess.run([*program, here / f"complete.{shell}", folder, *(line for line, _ in LINES)],
                        capture_output=True, text=True, timeout=300)
wrong = [answer.stderr] if answer.stderr else []
rows = answer.stdout.splitlines()
if len(rows) != len(LINES):
    wrong.append(f"{len(rows)} answers instead of {len(LINES)}: {answer.stdout}")
for row, (line, words) in zip(rows, LINES):
    offered = row.split("|", 1)[1].split()
    # Some shells offer the whole word, or an option without its =.
    bare = {w.split(",")[-1].rstrip("=") for w in offered}
    bare = {w.split("=")[-1] if w.startswith("--") and "=" in w else w for w in bare}
    if bare != {w.rstrip("=") for w in words.split()}:
        wrong.append(f"{shell}: {line!r} offers {offered} instead of {words}")
print("\n".join(wrong))
sys.exit(bool(wrong))
