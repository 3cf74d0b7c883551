#!/usr/bin/env python3
# way.py - workloads the whole way, and what became of them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Knows: inputs.json beside it, and the calls of the main job: analyze, build
# and record the base input, plan for a target, rewrite, build and run, record
# the target, simulate. Everything is written below OUT/<workload>; what is
# there from before with the same tools and inputs is used again.
# Makes: a few lines per target, and OUT/suite.json, which evenkeel bench reads
# (of the workloads of this call). --records only analyzes and records. --check turns wrong results, records that
# differ from run to run and rewritten programs that compute something else into
# status 1. MPI programs are recorded and judged, but not rewritten here.
import argparse
import filecmp
import hashlib
import json
import os
import re
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
parser = argparse.ArgumentParser()
parser.add_argument("--build", required=True, help="build or install folder")
parser.add_argument("--out", required=True)
parser.add_argument("--include", help="folder with evenkeel/ek.h")
parser.add_argument("--base", default="base", help="name of the base input")
parser.add_argument("--targets", help="names of inputs, by comma; default all")
THREADS = 8  # of base inputs
parser.add_argument("--threads", type=int, default=THREADS,
                    help="of targets, not of ranks; with --records")
parser.add_argument("--machine", default="optane-6252n")
parser.add_argument("--fast", default="12.5%")
parser.add_argument("--policy", default="all")
parser.add_argument("--check", action="store_true")
parser.add_argument("--records", action="store_true", help="make a suite, no more")
parser.add_argument("--table", help="another inputs.json")
parser.add_argument("workload", nargs="*")
args = parser.parse_args()
if args.threads != THREADS and not args.records:
    parser.error("--threads needs --records")

table_path = args.table or os.path.join(here, "inputs.json")
root = os.path.dirname(os.path.abspath(table_path))
with open(table_path) as f:
    table = json.load(f)
build = os.path.abspath(args.build)
out = os.path.abspath(args.out)
include = args.include or os.path.join(here, "..", "..", "runtime", "include")
os.environ["PATH"] = os.path.join(build, "bin") + ":" + os.environ["PATH"]
os.environ["OMP_NUM_THREADS"] = str(THREADS)
os.environ["EVENKEEL_ROOT"] = root
os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
failed = 0


def say(text):
    print(text, flush=True)


def fail(text):
    global failed
    failed = 1
    say(f"FAILED: {text}")


def run(words, **more):
    done = subprocess.run(words, text=True, capture_output=True, **more)
    if done.returncode:
        sys.exit(
            f"way.py: '{' '.join(words)}' ended with status "
            f"{done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        )
    return done.stdout


def digest(*parts):
    h = hashlib.sha256()
    for part in parts:
        if os.path.isfile(part):
            with open(part, "rb") as f:
                h.update(f.read())
        h.update(part.encode() + b"\0")
    return h.hexdigest()


def once(made, key, words):
    """Runs words unless `made` stands for the same key."""
    mark = made + ".done"
    key = digest(*key, *words)
    if os.path.isfile(made) and os.path.isfile(mark):
        with open(mark) as f:
            if f.read() == key:
                return
    if os.path.isfile(mark):
        os.remove(mark)
    run(words)
    with open(mark, "w") as f:
        f.write(key)


class Workload:
    def __init__(self, entry):
        self.entry = entry
        self.name = entry["name"]
        self.inputs = {i["name"]: i for i in entry["inputs"]}
        self.dir = os.path.join(out, self.name)
        os.makedirs(self.dir, exist_ok=True)
        os.chdir(self.dir)
        self.ranks = entry.get("mpi")
        self.plus = entry["sources"][0].endswith((".cpp", ".cc"))
        self.sources = [os.path.join(root, s) for s in entry["sources"]]
        # Everything the program is made of, headers too, and what makes it.
        folders = {os.path.dirname(s) for s in self.sources}
        common = os.path.join(root, "common")
        if os.path.isdir(common):
            folders.add(common)
        self.texts = sorted(
            os.path.join(d, n) for d in folders for n in os.listdir(d)
        ) + [
            os.path.join(build, "lib", n)
            for n in ("EvenkeelPass.so", "libevenkeel-record.so")
        ]

    def arguments(self, name):
        entry = self.inputs[name]
        return [a.format(**table["folders"]) for a in entry["arguments"]]

    def with_threads(self):
        return ["env", f"OMP_NUM_THREADS={args.threads}"] if args.threads != THREADS else []

    def launch(self, program, name):
        words = [program, *self.arguments(name)]
        if not self.ranks:
            return words
        return ["mpirun", "--oversubscribe", "-n", str(self.ranks), *words]

    def compile(self, compiler, program, sources, more=()):
        if self.ranks:
            behind = [f"{v}={compiler[0]}" for v in ("OMPI_CC", "MPICH_CC")]
            compiler = ["env", *behind, "mpicc", *compiler[1:]]
        return [
            *compiler,
            *self.entry["flags"],
            *sources,
            "-o",
            program,
            *more,
            *self.entry["libraries"],
        ]

    def prepare(self):
        headers = []
        if self.ranks:
            shown = run(["mpicc", "-show"]).split()
            headers = [w for w in shown if w.startswith("-I")]
        clang = "clang++-19" if self.plus else "clang-19"
        with open("compile_commands.json", "w") as f:
            json.dump(
                [
                    {
                        "directory": root,
                        "file": s,
                        "arguments": [clang, *self.entry["flags"], *headers, "-c", s],
                    }
                    for s in self.sources
                ],
                f,
            )
        once(
            "facts.json",
            self.texts,
            ["evenkeel", "analyze", "-p", ".", "--root", root, "-o", "facts.json"],
        )
        wrapper = ["evenkeel-c++" if self.plus else "evenkeel-cc", "--record=misses"]
        once("recorded", self.texts, self.compile(wrapper, "./recorded", self.sources))
        wrapper[1] = "--record=sampled"
        once("sampled", self.texts, self.compile(wrapper, "./sampled", self.sources))
        once("original", self.texts, self.compile([clang], "./original", self.sources))

    def facts(self):
        with open("facts.json") as f:
            facts = json.load(f)
        rows = facts["accesses"]
        unknown = [r for r in rows if r["class"] == "unknown"]
        lost = [r for r in rows if not r.get("sites")]
        say(
            f"{self.name}: {len(rows)} access rows, {len(unknown)} of class "
            f"unknown, {len(lost)} without object; give-ups "
            + json.dumps(facts["giveups"])
        )
        for r in unknown + lost:
            say(f"  {r['at']}: {r['class']} {r.get('why', '')}")

    def record(self, name, role, to):
        words = ["evenkeel", "record", "--misses", "--role", role]
        words += ["--machine", args.machine, "-o", to, "--"]
        if role == "target":
            words = [*self.with_threads(), *words]
        once(to, [*self.texts, "recorded"], words + self.launch("./recorded", name))

    def record_beginning(self, name, to):
        """Of the target itself. The runs take milliseconds, so short records may
        end, too."""
        words = [*self.with_threads(), "env", "EVENKEEL_RECORD_LEAST=1"]
        words += ["evenkeel", "record", "--sampled", "--until", "phases"]
        words += ["--role", "prefix", "--machine", args.machine, "-o", to, "--"]
        once(to, [*self.texts, "sampled"], words + self.launch("./sampled", name))

    def same_record(self, name, first):
        """Once more, on one processor: threads take other turns."""
        words = ["taskset", "-c", "0", "evenkeel", "record", "--misses"]
        words += ["--role", "base", "--machine", args.machine, "-o", "again.ekdb"]
        run(words + ["--", *self.launch("./recorded", name)])
        if not filecmp.cmp(first, "again.ekdb", shallow=False):
            fail(f"{self.name} {name}: two runs gave different records")
        os.remove("again.ekdb")

    def rewrite(self, name, plan):
        run(["rm", "-rf", "rewritten"])
        words = ["evenkeel", "rewrite", "-p", ".", "--root", root, "--plan", plan]
        run([*words, "-o", "rewritten"])
        # Files without an edit are not in the mirror; then the original's.
        made = []
        for s in self.entry["sources"]:
            mirrored = os.path.join("rewritten", s)
            made.append(mirrored if os.path.exists(mirrored) else os.path.join(root, s))
        lib = os.path.join(build, "lib")
        run(
            self.compile(
                ["g++" if self.plus else "gcc", "-I", include],
                "./rewritten.program",
                made,
                ["-L", lib, "-Wl,-rpath," + lib, "-levenkeel"],
            )
        )
        # The reference comes from the same compiler.
        run(self.compile(["g++" if self.plus else "gcc"], "./plain", self.sources))
        arguments = self.arguments(name)
        run(["./plain", *arguments, "--out", "original.bin"])
        run(
            ["evenkeel", "run", "--plan", plan, "--provider", "emulated", "--"]
            + ["./rewritten.program", *arguments, "--out", "rewritten.bin"]
        )
        if not filecmp.cmp("original.bin", "rewritten.bin", shallow=False):
            fail(f"{self.name} {name}: rewritten program gives another result")
        os.remove("original.bin")
        os.remove("rewritten.bin")

    def symbol(self, template):
        """A trip count is named after its loop's line: {line:TEXT OF IT}."""

        def line_of(match):
            for path in self.sources:
                with open(path) as f:
                    for number, text in enumerate(f, 1):
                        if match.group(1) in text:
                            return str(number)
            sys.exit(f"way.py: {self.name}: no line has '{match.group(1)}'")

        return re.sub(r"\{line:(.*)\}", line_of, template)

    def given(self, name):
        """What is known of a target before it runs, as NAME=VALUE."""
        given = [f"{k}={v}" for k, v in self.inputs[name].get("given", {}).items()]
        names = self.entry.get("describe")
        if not names:
            return given
        arguments = self.arguments(name)
        for number, path in enumerate(arguments, 1):
            if os.path.isfile(path):
                for symbol in names.get(f"bytes of argument {number}", []):
                    given.append(f"{symbol}={os.path.getsize(path)}")
        words = [*self.with_threads(), "./original", "--describe", *arguments]
        for line in run(words).split():
            key, value = line.split("=")
            key, at, task = key.partition("@")
            for template in names.get(key + at, []):
                given.append(f"{self.symbol(template)}{at}{task}={value}")
        return given

    def judge(self, name):
        plan, target = f"plan.{name}.json", f"{name}.ekdb"
        given = [w for g in self.given(name) for w in ("--for", g)]
        common = ["--facts", "facts.json", "--base", "base.ekdb"]
        common += ["--machine", args.machine, "--fast", args.fast, *given]
        run(["evenkeel", "plan", *common, "-o", plan])
        if not self.ranks:
            self.rewrite(name, plan)
        self.record(name, "target", target)
        text = run(
            ["evenkeel", "simulate", "--json", "--record", target, *common]
            + ["--policy", args.policy, "--allow-other-phases"]
        )
        with open(f"simulation.{name}.json", "w") as f:
            f.write(text)
        found = json.loads(text)
        by = {p["name"]: p for p in found["policies"]}
        say(f"{self.name} {name}:")
        for policy, p in by.items():
            say(f"  {policy:16} {p['makespan_s']*1e3:10.3f} ms  A.C.V. {p['acv']:.3f}")
        for p in found.get("prediction", []):
            say(
                f"  predicted {p['policy']:16} ({p['predicted']}): mean "
                f"{p['mean_error']*100:.1f} %, worst {p['worst_error']*100:.1f} %,"
                f" by time {p['mean_error_by_time']*100:.1f} %"
            )

    def whole(self):
        self.prepare()
        self.facts()
        self.record(args.base, "base", "base.ekdb")
        if args.check:
            out = run([*self.launch("./original", args.base), "--verify"])
            if "FAILED" in out:
                fail(f"{self.name} {args.base}: {out}")
            self.same_record(args.base, "base.ekdb")
        chosen = [i["name"] for i in self.entry["inputs"] if i["role"] == "target"]
        if args.targets:
            # A workload has some of the inputs that others have.
            chosen = [n for n in args.targets.split(",") if n in self.inputs]
        if args.threads != THREADS and self.ranks:
            say(f"{self.name}: left out: it has ranks, not threads")
            chosen = []
        for name in chosen:
            if args.records:
                self.record(name, "target", f"{name}.ekdb")
                self.record_beginning(name, f"{name}.prefix.ekdb")
                say(f"{self.name} {name}: recorded")
            else:
                self.judge(name)
        return {
            "name": self.name,
            "groups": [self.entry["suite"]],
            "facts": f"{self.name}/facts.json",
            "base": f"{self.name}/base.ekdb",
            "targets": [
                {
                    "name": name,
                    "record": f"{self.name}/{name}.ekdb",
                    **({"prefix": f"{self.name}/{name}.prefix.ekdb"} if args.records else {}),
                    "for": self.given(name),
                    **({"threads": args.threads} if args.threads != THREADS else {}),
                }
                for name in chosen
            ],
        }


known = {i["name"] for w in table["workloads"] for i in w["inputs"]
         if not args.workload or w["name"] in args.workload}
for name in (args.targets or args.base).split(","):
    if name not in known:
        print(f"way.py: error: no workload has an input '{name}'; there are "
              + ", ".join(sorted(known)), file=sys.stderr)
        sys.exit(2)
suite = []
for entry in table["workloads"]:
    if not args.workload or entry["name"] in args.workload:
        suite.append(Workload(entry).whole())
suite_path = os.path.join(out, "suite.json")
with open(suite_path + ".new", "w") as f:
    json.dump({"schema": "evenkeel.suite/1", "workloads": suite}, f, indent=1)
os.replace(suite_path + ".new", suite_path)
sys.exit(failed)
