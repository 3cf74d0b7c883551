#!/usr/bin/env python3
# fuzz.py - runs one libFuzzer target for EVENKEEL_FUZZ_SECONDS (60)
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# fuzz.py --target NAME --fuzzer EXE --work FOLDER
# Knows: seeds, found inputs and dictionary of the target; new inputs are kept
# in FOLDER/corpus/NAME, for the next run to start from.
# Makes: one line `soaked: ...` with what was executed; on a crash, a time-out
# or a property that does not hold, the path of the reproducer and status 1.
import argparse
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DICTIONARIES = {"facts": "json", "expression": "json", "plan": "json", "runtime-plan": "json", "stacks": "json",
                "machine": "json", "model": "json", "compile-commands": "commands", "raw": "raw",
                "profile": "profile", "touches": "json", "raw-touches": "raw", "environment": "environment",
                "record-environment": "environment", "given": "sizes", "fast-size": "sizes",
                "paramedir": "ecohmem", "allocsinfo": "ecohmem", "memory-config": "ecohmem",
                "locations": "ecohmem", "stack-log": "ecohmem", "advisor": "ecohmem",
                "sample-ring": "raw", "memprof": "memprof", "damo": "damo", "mappings": "damo"}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--target", required=True)
    p.add_argument("--fuzzer", required=True)
    p.add_argument("--work", required=True)
    a = p.parse_args()
    seconds = int(os.environ.get("EVENKEEL_FUZZ_SECONDS", "60"))
    folders = {}
    for name in ("corpus", "crashes", "scratch"):
        folders[name] = os.path.join(a.work, name, a.target)
        os.makedirs(folders[name], exist_ok=True)
    kept = [os.path.join(HERE, d, a.target) for d in ("corpus", "regressions")]
    command = [a.fuzzer, f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=2048",
               "-max_len=16384", "-close_fd_mask=3", "-print_final_stats=1",
               f"-artifact_prefix={folders['crashes']}/",
               "-dict=" + os.path.join(HERE, "dictionaries", DICTIONARIES[a.target])]
    command += [folders["corpus"], *filter(os.path.isdir, kept)]
    env = dict(os.environ, TMPDIR=folders["scratch"])
    result = subprocess.run(command, env=env, text=True, errors="replace",
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    runs = re.search(r"stat::number_of_executed_units: *(\d+)", result.stdout)
    cover = re.findall(r"cov: (\d+)", result.stdout)
    print(f"soaked: {a.target}: {runs.group(1) if runs else 'no'} inputs in {seconds} s, "
          f"{cover[-1] if cover else 'no'} edges reached")
    if result.returncode == 0 and runs and int(runs.group(1)):
        return
    print(result.stdout[-3000:])
    found = re.findall(r"Test unit written to (\S+)", result.stdout)
    replay = os.path.join(os.path.dirname(a.work.rstrip("/")), "bin", "ek-fuzz-replay")
    for path in found:
        # Standard error was closed for the fuzzed code; here is what it says.
        again = subprocess.run([a.fuzzer, path], env=env, text=True, errors="replace",
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        print(again.stdout[-6000:])
        print(f"reproducer: {path}\n  shown by: {replay} {a.target} {path}")
    print("a found input, once its cause is fixed, belongs into test/fuzz/regressions/" + a.target)
    sys.exit(1)


main()
