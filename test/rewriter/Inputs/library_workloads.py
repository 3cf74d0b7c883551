#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""library_workloads.py WORKLOADS DIR COMPILER NAME...: rewrites the workloads
with all sites, and with every other site, in fast memory (--style omp), and
compares what they print with what they printed before."""
import json
import os
import shutil
import subprocess
import sys

workloads, folder, compiler, *names = sys.argv[1:]
INPUTS = os.path.dirname(__file__)
table = json.load(open(workloads + "/inputs.json"))


def build_and_run(workload, out, arguments):
    sources = [f"{out}/{s}" for s in workload["sources"]]
    subprocess.run([compiler, *workload["flags"], *sources, "-o", out + "/program",
                    *workload["libraries"]], check=True)
    run = subprocess.run([out + "/program", *arguments], capture_output=True, text=True)
    return run.returncode, run.stdout


def rewritten(workload, every):
    name = workload["name"]
    arguments = next(i for i in workload["inputs"] if i["role"] == "test")["arguments"]
    out = f"{folder}/{name}-{every}"
    shutil.copytree(workloads + "/common", out + "/common")
    shutil.copytree(f"{workloads}/{name}", f"{out}/{name}")
    before = build_and_run(workload, out, arguments)
    subprocess.run([sys.executable, INPUTS + "/database.py", out, compiler,
                    *workload["sources"], "--", *workload["flags"]], check=True)
    options = ["evenkeel-rewrite", "-p", out, "--root", out]
    lines = subprocess.run([*options, "--inventory"], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    ids = [line.split()[3] for line in lines if line.startswith("site ")]
    with open(out + "/plan.json", "w") as f:
        json.dump({
            "schema": "evenkeel.plan/1", "program": "0" * 16, "planner": "balanced",
            "model": "overlap", "machine": "hbm-ddr5", "fast_bytes": 1 << 30,
            "keeps_first_touch": False, "base_input": "", "objects": [
                {"site": site, "at": "", "share": float(i % every == 0), "ranges": [],
                 "predicted_bytes": 1 << 20, "gain_s": 0.0, "reason": "test"}
                for i, site in enumerate(ids)],
            "predicted": {"makespan_s": 1.0, "phases": []}, "replan": {}, "assumed": []}, f)
    report = subprocess.run([*options, "--style", "omp", "--plan", out + "/plan.json",
                             "--in-place"], check=True, capture_output=True, text=True).stderr
    after = build_and_run(workload, out, arguments)
    same = "same" if before == after and before[0] == 0 else f"{before} {after}"
    print(f"{name} 1/{every}: {report.splitlines()[0]}: {same}")


for workload in table["workloads"]:
    if workload["name"] in names:
        for every in (1, 2):
            rewritten(workload, every)
