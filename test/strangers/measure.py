#!/usr/bin/env python3
# measure.py - predictions and plans for programs from Debian, against replay
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: test/strangers/measure.py --build BUILD [options] [PROGRAM]...

Not run by the tests, because it downloads source packages: it needs apt-get with
deb-src lines, pip, and the packages that the programs need to build. For each program
of programs.py it builds the unmodified source once, analyzes it, records a small input,
the target, and the beginning of the target's run, plans from the small input and the
target's arguments alone (no --for) and from the beginning, and replays the target's
full record under the plans.

  --build BUILD    a build or install folder
  --out DIR        folder for sources, programs and records (default
                   out/strangers); files of an earlier call with the same tools
                   are used again
  --records        build and record only; writes OUT/suite.json, which
                   `evenkeel bench` and utils/ablate read
  --target NAME    the run to plan for and replay: target (default) or like
  --base NAMES     the runs to plan from, separated by commas: base (default),
                   like, or both
  --programs FILE  programs as in programs.py, which is the default
  --cells A:B,..   cells: machine and amount of fast memory (default
                   optane-6252n:12.5%,ddr5-cxl:25%)
  --no-prefix      records no beginning of the target's run
  --json FILE      writes the rows as JSON

Prints one row for each program and cell. SLOW OFF, FAST OFF, PLAN OFF: mean error of
task times that are predicted before the run, weighted by time, with all data slow,
all data fast and under the plan; a phase is compared with the plan's phase that its
hook ends. WHOLE: error of the sum of all tasks' times, all data slow; much smaller
than SLOW OFF where other threads do the work. MISSING: share of the tasks' time in
phases that the plan does not have. HOOKS OFF: mean of these errors if hooks predict.
VS TOUCH, VS RIVAL, GAP: makespan under the plan, with moves at hooks, against first
touch, the best rival and the best placement found. UNKNOWN: share of the tasks' time
that rests on quantities of the target that its arguments and files do not tell. Last,
the same for a plan from the beginning of the run, with moves at hooks. A program
without a row: standard error says why.
"""
import argparse
import glob
import hashlib
import json
import os
import runpy
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
OURS = ["balanced-static", "balanced"]
NOT_RIVALS = OURS + ["slow-only", "fast-only", "first-touch", "oracle"]
THREADS = 8


class Failed(Exception):
    pass


def shell(line, folder, log, env=None):
    log.write(f"$ {line}\n")
    log.flush()
    return subprocess.run(["bash", "-c", line], cwd=folder, env=env, stdout=log, stderr=log,
                          stdin=subprocess.DEVNULL).returncode


def run(words, **more):
    done = subprocess.run(words, text=True, capture_output=True, stdin=subprocess.DEVNULL, **more)
    if done.returncode:
        raise Failed(f"'{' '.join(words)}' ended with status {done.returncode}: {done.stderr.strip()[-1500:]}")
    return done.stdout


def unpack_debian(name, folder, log):
    """An archive may lack the newest version or Debian's changes; then the
    original source alone will do."""
    shown = subprocess.run(["apt-cache", "showsrc", name], stdout=subprocess.PIPE, text=True).stdout
    versions = [line.split()[1] for line in shown.splitlines() if line.startswith("Version:")]
    for one in [name] + [f"{name}={v}" for v in versions]:
        if shell(f"apt-get source -q {one}", folder, log) == 0:
            return
        if shell(f"apt-get source -q --tar-only {one} && tar xf *.orig.tar.*", folder, log) == 0:
            return
    raise Failed(f"no source package '{name}'; apt-get needs deb-src lines")


def unpack_pypi(name, folder, log):
    """pip asks the package for its name, which takes what builds it: that may be
    prebuilt, the package itself not."""
    alone = name.split("==")[0]
    if shell(f"{sys.executable} -m pip download -q --no-deps --no-binary '{alone}' '{name}' && tar xf *.tar.gz && rm *.tar.gz",
             folder, log):
        raise Failed(f"no source '{name}' from PyPI; see {log.name}")


def unpack_folder(path, folder, log):
    if not os.path.isdir(path):
        raise Failed(f"no folder '{path}' with the source")
    shutil.copytree(path, os.path.join(folder, os.path.basename(path)))


def digest(*parts):
    h = hashlib.sha256()
    for part in parts:
        h.update(str(part).encode() + b"\0")
        if os.path.isfile(str(part)):
            with open(part, "rb") as f:
                h.update(f.read())
    return h.hexdigest()


def done_before(made, key):
    try:
        with open(made + ".key") as f:
            return os.path.exists(made) and f.read() == key
    except OSError:
        return False


def mark(made, key):
    with open(made + ".key", "w") as f:
        f.write(key)


class Program:
    def __init__(self, name, what, args):
        self.name, self.what, self.args = name, what, args
        self.folder = os.path.join(args.out, name)
        self.runs = os.path.join(self.folder, "runs")
        for run_name in self.what["arguments"]:
            os.makedirs(os.path.join(self.runs, run_name), exist_ok=True)
        self.tools = [os.path.join(args.build, "lib", n) for n in ("EvenkeelPass.so", "EvenkeelRewrite.so",
                                                                   "libevenkeel-record.so")]

    def unpacked(self):
        """The folder with the source as the archive has it; unpacked once."""
        folder = os.path.join(self.folder, "unpacked")
        if not os.path.isdir(folder):
            os.makedirs(folder + ".new", exist_ok=True)
            with open(os.path.join(self.folder, "unpack.log"), "w") as log:
                archive, package = self.what["source"]
                if archive == "folder":
                    package = os.path.join(os.path.dirname(self.args.programs), package)
                {"debian": unpack_debian, "pypi": unpack_pypi, "folder": unpack_folder}[archive](package, folder + ".new", log)
            os.rename(folder + ".new", folder)
        found = glob.glob(os.path.join(folder, "*/"))
        if len(found) != 1:
            raise Failed(f"{folder} does not hold one folder with the source")
        return found[0].rstrip("/")

    def source(self):
        """The folder in which the program is built."""
        return os.path.join(self.folder, "source", os.path.basename(self.unpacked()))

    def build(self):
        """Built in a fresh copy, because make keeps what other tools compiled."""
        source = self.source()
        program = os.path.join(source, self.what["program"])
        key = digest(self.what["build"], *self.tools)
        if not done_before(program, key):
            # With the recording twins, which tools of other code may have made.
            for old in ("source", "workspace"):
                shutil.rmtree(os.path.join(self.folder, old), ignore_errors=True)
            shutil.copytree(self.unpacked(), source, symlinks=True)
            env = dict(os.environ, JOBS=str(self.args.jobs), EVENKEEL_ROOT=source, CC="evenkeel-cc", CXX="evenkeel-c++")
            with open(os.path.join(self.folder, "build.log"), "w") as log:
                if shell(self.what["build"], source, log, env) or not os.path.exists(program):
                    needs = self.what.get("needs")
                    raise Failed(f"does not build; see {log.name}"
                                 + (f"; it needs the packages {needs}" if needs else ""))
            mark(program, key)
        return program

    def launch(self, program, run_name):
        line = self.what["arguments"][run_name].format(src=self.source())
        words = [program, *line.split()]
        ranks = self.what.get("ranks")
        return ["mpirun", "--oversubscribe", "-n", str(ranks), *words] if ranks else words

    def record(self, program, run_name, role):
        made = os.path.join(self.folder, {"prefix": role, run_name: role}.get(role, f"{run_name}-{role}") + ".ekdb")
        how = ["--sampled", "--role", "prefix", "--until", "phases"] if role == "prefix" else ["--misses", "--role", role]
        words = ["evenkeel", "record", *how, "--workspace", os.path.join(self.folder, "workspace"), "-o", made, "--",
                 *self.launch(program, run_name)]
        # The words as one part: the file that the record replaces is no input of it.
        key = digest(" ".join(words), program, self.what.get("inputs"), self.tools[2])
        if not done_before(made, key):
            # In a copy, because some programs refuse to replace what they wrote before.
            folder = os.path.join(self.runs, run_name)
            shutil.rmtree(folder + ".run", ignore_errors=True)
            shutil.copytree(folder, folder + ".run")
            run(words, cwd=folder + ".run")
            mark(made, key)
        return made

    def prepare(self):
        program = self.build()
        made = os.path.join(self.runs, ".inputs")
        if not done_before(made, digest(self.what.get("inputs"))):
            line = self.what.get("inputs", "true").replace("{src}", self.source())
            with open(made, "w") as log:
                if shell(line, self.runs, log):
                    raise Failed(f"its inputs are not made; see {made}")
            mark(made, digest(self.what.get("inputs")))
        self.facts = os.path.join(self.folder, "facts.json")
        key = digest(program, self.tools[0])
        if not done_before(self.facts, key):
            run(["evenkeel", "analyze", program, "-o", self.facts])
            mark(self.facts, key)
        self.bases = [self.record(program, name, "base") for name in self.args.base]
        self.prefix = self.record(program, self.args.target, "prefix") if self.args.prefix else None
        self.target = self.record(program, self.args.target, "target")

    def suite_entry(self):
        path = lambda p: os.path.relpath(p, self.args.out)
        return {"name": self.name, "groups": ["strangers"], "facts": path(self.facts), "base": path(self.bases[0]),
                "more_bases": [path(base) for base in self.bases[1:]],
                "targets": [{"name": self.args.target, "record": path(self.target), "for": [],
                             **({"prefix": path(self.prefix)} if self.prefix else {})}]}

    def judge(self, machine, fast):
        found = json.loads(run(
            ["evenkeel", "simulate", "--json", "--tasks", "--record", self.target, "--machine", machine, "--fast", fast,
             "--facts", self.facts, *[word for base in self.bases for word in ("--base", base)],
             *(["--prefix", self.prefix] if self.prefix else []), "--policy", "all", "--placements", "0%",
             "--allow-other-phases"]))
        by = {p["name"]: p["makespan_s"] for p in found["policies"]}
        touch = by["first-touch"]
        predicted = {(p["predicted"], p["policy"]): p for p in found.get("prediction", [])}
        off = lambda when, policy: predicted.get((when, policy), {}).get("mean_error_by_time")
        hook = [off("hook", policy) for policy in ("slow-only", "fast-only", *OURS)]
        rivals = {n: t for n, t in by.items() if n not in NOT_RIVALS and "@" not in n}
        best = min(rivals, key=rivals.get)
        prefix = [p["mean_error_by_time"] for p in found.get("prediction", [])
                  if p["policy"] == "balanced-static@prefix"]
        return {"program": self.name, "machine": machine, "fast": fast,
                "slow_off": off("offline", "slow-only"), "fast_off": off("offline", "fast-only"),
                "plan_off": off("offline", "balanced-static"),
                "whole_off": whole_off(predicted.get(("offline", "slow-only"), {})), "hook_off": mean_of(hook),
                "missing": predicted.get(("offline", "slow-only"), {}).get("unpredicted_share"),
                "prefix_off": prefix[0] if prefix else None, "unknown": not_determined(found),
                "prefix": 100 * by["balanced@prefix"] / touch if self.prefix else None, "plan": 100 * by["balanced-static"] / touch,
                "hooks": 100 * by["balanced"] / touch, "rival": best, "best_rival": 100 * rivals[best] / touch,
                "oracle": 100 * by["oracle"] / touch}


def mean_of(values):
    values = [v for v in values if v is not None]
    return statistics.mean(values) if values else None


def whole_off(predicted):
    """The error of the sum of all tasks' times: small where phases are predicted well, but
    not in the order in which the target has them. None: no task was compared."""
    tasks = predicted.get("task_seconds", [])
    replayed = sum(t["replayed"] for t in tasks)
    return abs(sum(t["predicted"] for t in tasks) / replayed - 1) if replayed else None


def not_determined(found):
    """The share of the tasks' time, all data slow, whose counts rest on quantities of the
    target that neither the arguments nor the files tell: `--for` could tell them.
    None: no task was compared."""
    tasks = [t for p in found["placements"] if p["predicted"] == "offline" and p["model"] == "overlap"
             for t in p["task_seconds"] if "determined" in t]
    time = sum(t["replayed"] for t in tasks)
    return sum(t["replayed"] for t in tasks if not t["determined"]) / time if time else None


def percent(x, sign=""):
    return "-" if x is None else f"{100 * x:{sign}.1f} %"


def versus(a, b):
    return "-" if a is None else percent(a / b - 1, "+")


def show(rows):
    print(f"{'PROGRAM':14} {'MACHINE':13} {'FAST':>6} {'SLOW OFF':>9} {'FAST OFF':>9} {'PLAN OFF':>9} {'WHOLE':>8} {'MISSING':>8} {'HOOKS OFF':>9} "
          f"{'VS TOUCH':>8} {'VS RIVAL':>8} {'GAP':>8} {'UNKNOWN':>8} {'PREFIX OFF':>10} {'VS TOUCH':>8} {'GAP':>8}  BEST RIVAL")
    for r in rows:
        print(f"{r['program']:14} {r['machine']:13} {r['fast']:>6} {percent(r['slow_off']):>9} "
              f"{percent(r['fast_off']):>9} {percent(r['plan_off']):>9} {percent(r['whole_off']):>8} {percent(r['missing']):>8} {percent(r['hook_off']):>9} "
              f"{versus(r['hooks'], 100):>8} {versus(r['hooks'], r['best_rival']):>8} "
              f"{versus(r['hooks'], r['oracle']):>8} {percent(r['unknown']):>8} {percent(r['prefix_off']):>10} "
              f"{versus(r['prefix'], 100):>8} {versus(r['prefix'], r['oracle']):>8}  {r['rival']}")
    if not rows:
        return
    mean = lambda key: mean_of([r[key] for r in rows])
    worst = lambda key: max((r[key] for r in rows if r[key] is not None), default=None)
    print(f"\n{len({r['program'] for r in rows})} programs, {len(rows)} cells")
    for title, key in (("task times off, all data slow", "slow_off"), ("task times off, all data fast", "fast_off"),
                       ("task times off, under the plan", "plan_off"), ("sum of task times off", "whole_off"),
                       ("time in phases not in the plan", "missing"), ("task times off, at hooks", "hook_off"),
                       ("task times off, from the beginning", "prefix_off")):
        print(f"{title:36} mean {percent(mean(key))}, worst {percent(worst(key))}")
    print(f"{'counts left to guesses':36} in {len({r['program'] for r in rows if r['unknown']})} programs")
    for title, key in (("hooks", "hooks"), ("beginning", "prefix")):
        its = [r for r in rows if r[key] is not None]
        if not its:
            continue
        touch = [r[key] / 100 - 1 for r in its]
        behind = [r[key] / r["best_rival"] - 1 for r in its]
        gaps = [r[key] / r["oracle"] - 1 for r in its]
        print(f"{title + ': against first touch':36} mean {percent(statistics.mean(touch), '+')}, worst {percent(max(touch), '+')}")
        print(f"{title + ': against the best rival':36} mean {percent(statistics.mean(behind), '+')}, "
              f"worst {percent(max(behind), '+')}; as good in {sum(b <= 0.001 for b in behind)} cells")
        print(f"{title + ': gap to the best found':36} mean {percent(statistics.mean(gaps), '+')}, worst {percent(max(gaps), '+')}")


def wrong(text):
    print(f"measure.py: error: {text}", file=sys.stderr)
    sys.exit(2)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("--build", required=True)
    parser.add_argument("--out", default="out/strangers")
    parser.add_argument("--records", action="store_true")
    parser.add_argument("--programs", default=os.path.join(HERE, "programs.py"))
    parser.add_argument("--target", default="target", choices=["target", "like"])
    parser.add_argument("--base", default="base")
    parser.add_argument("--cells", default="optane-6252n:12.5%,ddr5-cxl:25%")
    parser.add_argument("--no-prefix", dest="prefix", action="store_false")
    parser.add_argument("--json")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("program", nargs="*")
    args = parser.parse_args()
    args.build, args.out = os.path.abspath(args.build), os.path.abspath(args.out)
    args.base = args.base.split(",")
    args.programs = os.path.abspath(args.programs)
    if not set(args.base) <= {"base", "like"} or args.target in args.base:
        wrong(f"--base is base, like or base,like, and not the run to plan for ({args.target})")
    if not os.path.isfile(args.programs):
        wrong(f"no file '{args.programs}' for --programs")
    programs = runpy.run_path(args.programs).get("PROGRAMS", {})
    unknown = [p for p in args.program if p not in programs]
    if unknown:
        wrong(f"no program '{unknown[0]}'; there are {', '.join(programs)}")
    if not shutil.which("evenkeel", path=os.path.join(args.build, "bin")):
        wrong(f"no bin/evenkeel in {args.build}; name a build or install folder")
    os.environ["PATH"] = os.path.join(args.build, "bin") + ":" + os.environ["PATH"]
    os.environ["OMP_NUM_THREADS"] = str(THREADS)
    os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
    os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    rows, entries, failed = [], [], 0
    for name in args.program or programs:
        program = Program(name, programs[name], args)
        try:
            program.prepare()
            entries.append(program.suite_entry())
            if not args.records:
                rows += [program.judge(*cell.split(":")) for cell in args.cells.split(",")]
            print(f"{name}: done", file=sys.stderr, flush=True)
        except Failed as error:
            print(f"measure.py: error: {name}: {error}", file=sys.stderr, flush=True)
            failed = 2
    with open(os.path.join(args.out, "suite.json"), "w") as f:
        json.dump({"schema": "evenkeel.suite/1", "workloads": entries}, f, indent=1)
        f.write("\n")
    show(rows)
    if args.json:
        with open(args.json, "w") as f:
            json.dump({"schema": "evenkeel.strangers/1", "rows": rows}, f, indent=1)
    return failed


if __name__ == "__main__":
    sys.exit(main())
