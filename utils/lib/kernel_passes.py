"""Which compiler pass changed the accesses of a kernel (kernel_counts.py)."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import os
import re
import subprocess


def code_of(module):
    """Per function: its loads, stores and block operations, block by block."""
    result, current = {}, None
    for line in module:
        start = re.match(r'define .*?@"?([\w.$]+)"?\(', line)
        if start:
            current = result.setdefault(start[1], [])
        elif line == "}":
            current = None
        elif current is not None:
            if re.match(r"[\w.]+:", line):
                if current[-1:] != ["block"]:  # empty ones come and go
                    current.append("block")
            elif re.search(r"= (load|atomicrmw|cmpxchg) | store |@llvm\.mem",
                           line):
                access = re.sub(r"[%!#][\w.]+", "%", line.strip())
                current.append(re.sub(r"\btail call", "call", access))
    return result


def spelled(mangled):
    """The identifiers in a mangled name: each follows its length."""
    words, at = [], 0
    while number := re.compile(r"\d+").search(mangled, at):
        at = number.end() + int(number[0])
        words.append(mangled[number.end():at])
    return words


def dumps(command, **environment):
    """The name of each pass of a compilation, and the code after it."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, errors="replace",
                          env={**os.environ, **environment}) as compiler:
        name, body = None, []
        for line in compiler.stderr:
            if line.startswith("; *** IR Dump After "):
                if name:
                    yield name, body
                name, body = line.removeprefix("; *** IR Dump After "), []
                name = name.split(" on ")[0].split("::")[-1]
            else:
                body.append(line.rstrip("\n"))
        if name:
            yield name, body


def changing_passes(source, build, kernel, lines, when, flags):
    """Passes that changed accesses in the kernel's functions: after the
    analysis of a build ("later"), or between a recording's analysis and its
    recorder ("removed"). flags: what the source is compiled with."""
    suffix = "++" if source.endswith(".cpp") else ""
    text = "\n".join(lines[kernel.first - 1:kernel.last])

    def mine(function):
        words = spelled(function) if function.startswith("_Z") \
            else [function.split(".")[0]]
        return any(re.search(rf"\b{re.escape(w)}\(", text) for w in words)
    clang = os.path.join(build.llvm, "clang" + suffix)
    module = subprocess.run(
        [clang, *flags, "-S", "-emit-llvm", "-o", "-", "-Xclang",
         "-disable-llvm-passes", source], capture_output=True, text=True)
    # Also the functions that they call, pass to OpenMP's runtime, or take from
    # a header.
    calls, current = {}, None
    for line in module.stdout.split("\n"):
        start = re.match(r'define .*?@"?([\w.$]+)"?\(', line)
        if start:
            current = calls.setdefault(start[1], set())
        elif current is not None:
            current.update(re.findall(r'@"?([\w.$]+)', line))
    names, work = set(), [name for name in calls if mine(name)]
    while work:
        name = work.pop()
        if name in calls and name not in names:
            names.add(name)
            work += calls[name]
    command = [clang, *flags, "-S", "-emit-llvm", "-o", os.devnull, "-mllvm",
               "-print-after-all", "-mllvm",
               "-filter-print-funcs=" + ",".join(sorted(names)), source]
    environment, first, last = {}, ("LoopDistributePass", "Float2IntPass"), ()
    if when == "removed":
        command.append("-fpass-plugin=" + build.libraries[0])
        environment = {"EVENKEEL_PASS": "record"}
        first, last = ("StartPass",), ("RecordPass",)
    known, found, ours = {}, [], False
    with contextlib.closing(dumps(command, **environment)) as passes:
        for name, body in passes:
            if name in last:
                break
            # Builds are analysed before the last round of loop passes begins.
            before, ours = ours, ours or name in first
            for function, code in code_of(body).items():
                if last:  # accesses that are gone, not blocks
                    code = [line for line in code if line != "block"]
                if (before if last else ours) and function in names and \
                        name not in found and known.get(function, code) != code:
                    found.append(name)
                known[function] = code
    return found
