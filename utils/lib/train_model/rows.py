"""rows - task times under many placements, with the tasks' events

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Knows: the commands that turn a program into rows: build for recording, record,
get each task's events from `plan`, replay random placements of whole objects.
The truth is the replay of the program's own record; a model may use the events,
the shares, and (for `correlated`) the two complete placements.
"""
import json
import os
import random
import subprocess

TASKS = 8
PLACEMENTS = 6


class Failed(Exception):
    pass


def call(argv, **more):
    run = subprocess.run(argv, capture_output=True, text=True, **more)
    if run.returncode:
        raise Failed("%s: %s" % (os.path.basename(argv[0]) + " " + argv[1],
                                 (run.stderr.strip() or "status %d" % run.returncode)
                                 .split("\n")[-1]))
    return run.stdout


def record(bin_dir, folder, text):
    """Facts and record of the program \\p text in \\p folder."""
    path = os.path.join(folder, "region.c")
    with open(path, "w") as f:
        f.write(text)
    env = dict(os.environ, EVENKEEL_ROOT=folder, OMP_NUM_THREADS=str(TASKS))
    with open(os.path.join(folder, "compile_commands.json"), "w") as f:
        json.dump([{"directory": folder, "file": "region.c",
                    "command": "clang-19 -O2 -fopenmp -c region.c -o region.o"}], f)
    tool = lambda name: os.path.join(bin_dir, name)
    call([tool("evenkeel"), "analyze", "-p", folder, "--root", folder,
          "-o", os.path.join(folder, "facts.json")])
    call([tool("evenkeel-cc"), "--record=misses", "-O2", "-fopenmp", path,
          "-o", os.path.join(folder, "region"), "-lm"], env=env)
    call([tool("evenkeel"), "record", "--misses", "--role", "base", "-o",
          os.path.join(folder, "region.ekdb"), "--", os.path.join(folder, "region")], env=env)


def shares_of_tasks(plan, fast):
    """(phase, index) -> share of the task's lines in fast memory."""
    all_lines, fast_lines = {}, {}
    for o in plan["objects"]:
        for a in o["accesses"]:
            for index, lines in enumerate(a["main_memory_lines"]):
                key = (a["phase"], index)
                all_lines[key] = all_lines.get(key, 0) + lines
                fast_lines[key] = fast_lines.get(key, 0) + lines * fast.get(o["site"], 0)
    return {k: fast_lines[k] / v if v else 0 for k, v in all_lines.items()}


def placements(sites, rng):
    """Shares by site: several that differ in which objects are fast, not only in
    how many."""
    for n in range(PLACEMENTS):
        if n % 2:
            yield {s: rng.choice([0.0, 1.0]) for s in sites}
        else:
            yield {s: round(rng.random(), 3) for s in sites}


def rows_of(bin_dir, folder, seed, machines):
    """Rows of the program recorded in \\p folder, by machine and placement."""
    evenkeel = os.path.join(bin_dir, "evenkeel")
    files = {n: os.path.join(folder, n) for n in ("facts.json", "region.ekdb", "plan.json")}
    rng = random.Random(seed)
    out = []
    for machine in machines:
        plan = json.loads(call([
            evenkeel, "plan", "--json", "--facts", files["facts.json"], "--base",
            files["region.ekdb"], "--machine", machine, "--fast", "50%",
            "-o", files["plan.json"]]))
        events = {(t["phase"], t["index"]): t.get("events")
                  for t in plan["predicted_task_seconds"]}
        with open(files["plan.json"]) as f:
            document = json.load(f)
        sites = sorted(o["site"] for o in plan["objects"])
        for fast in placements(sites, rng):
            document["objects"] = [
                {"site": s, "at": "", "context": None, "creator": None, "ordinal": None,
                 "share": x, "ranges": [[0, 256, x]], "predicted_bytes": 0,
                 "gain_s": 0, "reason": ""} for s, x in sorted(fast.items())]
            document["changes"] = []
            document["keeps_first_touch"] = False
            with open(files["plan.json"], "w") as f:
                json.dump(document, f)
            told = json.loads(call([
                evenkeel, "simulate", "--json", "--tasks", "--record", files["region.ekdb"],
                "--machine", machine, "--fast", "100%", "--plan", files["plan.json"],
                "--policy", "slow-only,fast-only,balanced-static"]))
            seconds = [{(t["phase"], t["index"]): t["seconds"] for t in p["tasks"]}
                       for p in told["policies"]]
            share = shares_of_tasks(plan, fast)
            for key, e in sorted(events.items()):
                slow, quick, mixed = (s.get(key) for s in seconds)
                # Serial set-up phases and very short tasks are not
                # representative of parallel tasks.
                if not e or not slow or slow < 1e-5:
                    continue
                out.append({"program": seed, "machine": machine, "phase": key[0],
                            "task": key[1], "events": e, "fast_share": share.get(key, 0),
                            "slow_s": slow, "fast_s": quick, "seconds": mixed})
    return out
