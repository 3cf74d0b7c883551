# real_program.py - the analysis of a program, and two measurements
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds of one program, from its compile database:

    facts    evenkeel analyze
    walks    the analysed code, instrumented to report how its accesses walk
             (passes/record/Walks.h)
    MemProf  the sources, by stock clang with -fmemory-profile

The last two run with one thread.
"""
import json
import os
import shlex
import subprocess
import time

import memprof_text

LLVM = "/usr/lib/llvm-19/bin"
COUNTING = ["-O2", "-g", "-fno-vectorize", "-fno-slp-vectorize",
            "-fno-unroll-loops", "-fno-omit-frame-pointer",
            "-mno-omit-leaf-frame-pointer", "-fno-optimize-sibling-calls", "-w"]
HERE = os.path.dirname(os.path.abspath(__file__))


class Failure(Exception):
    """One line for the user."""


def run(command, cwd=None, limit=None, strict=True, **environment):
    """The command's standard output; Failure has the first line of an error. Not
    strict: ignores the exit status of a program that ran to its end."""
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True,
                              errors="replace", timeout=limit,
                              env=dict(os.environ, OMP_NUM_THREADS="1",
                                       LC_ALL="C", **environment))
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]} ran longer than {limit} s") from None
    except OSError as problem:
        raise Failure(str(problem)) from None
    if done.returncode and (strict or done.returncode < 0):
        raise Failure(f"{os.path.basename(command[0])} failed with "
                      f"{done.returncode}: {why(done.stderr)}")
    return done.stdout


def why(said):
    """The line of said that describes the error."""
    lines = said.strip().splitlines() or ["it said nothing"]
    for mark in "undefined reference", "error":
        for line in lines:
            if mark in line:
                return line
    return lines[0]


class Program:
    """NAME=BUILD, NAME=BUILD:EXE or NAME=PROGRAM."""

    def __init__(self, text, tree, temp):
        self.name, _, place = text.partition("=")
        self.place, _, self.exe = place.partition(":")
        if not self.name or not self.place:
            raise Failure(f"'{text}' is not NAME=BUILD or NAME=PROGRAM")
        self.tree = os.path.abspath(tree)
        self.temp = temp
        self.facts, self.cpu, self.wall, self.peak = None, 0, 0, 0

    def path(self, end):
        return os.path.join(self.temp, self.name + end)

    def analyze(self, walks):
        """Reads the facts; with walks, also writes the instrumented code."""
        words = ["-p", self.place] if os.path.isdir(self.place) \
            else [self.place]
        if self.exe:
            words += ["--link", self.exe]
        out = self.path(".json")
        if os.path.exists(out):
            os.remove(out)
        environment = dict(os.environ)
        if walks:
            environment["EVENKEEL_WALKS_CODE"] = self.path(".bc")
        start = time.monotonic()
        child = subprocess.Popen(
            [os.path.join(self.tree, "bin", "evenkeel"), "analyze", *words,
             "--verify", "-o", out], env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        said = child.stderr.read()
        _, status, used = os.wait4(child.pid, 0)
        if status:
            raise Failure(why(said))
        self.wall = time.monotonic() - start
        self.cpu = used.ru_utime + used.ru_stime
        self.peak = used.ru_maxrss / 1024
        with open(out) as f:
            self.facts = json.load(f)

    def units(self):
        """The entries of the compile database to which the facts belong."""
        path = os.path.join(self.place, "compile_commands.json")
        if not os.path.exists(path):
            raise Failure(f"{self.name}: MemProf needs a "
                          f"build with compile_commands.json, not {self.place}")
        with open(path) as f:
            entries = json.load(f)
        entries = [(os.path.realpath(os.path.join(e["directory"], e["file"])),
                    e) for e in entries]
        result = {}
        for name in self.facts["units"]:
            for full, entry in entries:
                if full == "/" + name or full.endswith("/" + name):
                    result[full] = entry
        return sorted(result.items())

    def walks(self, arguments, libraries, limit):
        """The measured accesses of a run: objects of Walks.h."""
        lib = os.path.join(self.tree, "lib")
        run([LLVM + "/clang", "-O1", "-Wno-override-module", "-fPIE", "-c",
             self.path(".bc"), "-o", self.path(".walks.o")])
        run([LLVM + "/clang++", "-fopenmp", self.path(".walks.o"), "-o",
             self.path(".walks"), "-L" + lib, "-levenkeel-record",
             "-Wl,-rpath," + lib, *libraries])
        out = self.path(".walks.txt")
        run([self.path(".walks"), *arguments], self.cwd(), limit,
            strict=False, EVENKEEL_WALKS=out)
        with open(out) as f:
            return [json.loads(line) for line in f]

    def cwd(self):
        return self.place if os.path.isdir(self.place) else None

    def memprof(self, arguments, libraries, limit):
        """The blocks that a run allocated, as counted by MemProf."""
        objects = [self.path(".release.o")]
        run([LLVM + "/clang", "-O1", "-c", HERE + "/memprof_release.c", "-o",
             objects[0]])
        for number, (full, entry) in enumerate(self.units()):
            words = entry.get("arguments") or shlex.split(entry["command"])
            words = [w for w in words[1:] if w not in ("-c", entry["file"]) and
                     not w.startswith(("-O", "-g", "-flto"))]
            while "-o" in words:
                at = words.index("-o")
                del words[at:at + 2]
            objects.append(self.path(f".{number}.o"))
            clang = "/clang" if full.endswith(".c") else "/clang++"
            run([LLVM + clang, *words, *COUNTING, "-fmemory-profile", "-c",
                 full, "-o", objects[-1]], entry["directory"])
        run([LLVM + "/clang++", "-fopenmp", "-fmemory-profile", *objects, "-o",
             self.path(".memprof"), *libraries])
        log = self.path(".log")
        run([self.path(".memprof"), *arguments], self.cwd(), limit,
            strict=False, MEMPROF_OPTIONS=f"print_text=1:log_path={log}",
            PATH=LLVM + os.pathsep + os.environ.get("PATH", ""))
        logs = [os.path.join(self.temp, n) for n in os.listdir(self.temp)
                if n.startswith(self.name + ".log.")]
        text = ""
        for path in logs:
            with open(path, errors="replace") as f:
                text += f.read()
            os.remove(path)
        return memprof_text.read_blocks(text)
