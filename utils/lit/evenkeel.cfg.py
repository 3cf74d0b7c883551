# evenkeel.cfg.py - lit substitutions for compiler tests that ask Evenkeel
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# In a project's lit.cfg.py:
#   lit_config.load_config(config, "<prefix>/share/evenkeel/lit/evenkeel.cfg.py")
#
#   %evenkeel     the command
#   %ek-cc        evenkeel-cc           %ek-c++       evenkeel-c++
#   %ek-clang     clang 19 with the plugin: objects carry their units
#   %ek-clang++   the same for C++
#   %ek-bitcode   clang 19 to the bitcode that the analysis starts from
#   %ek-bitcode++ the same for C++
#   %ek-opt       opt 19 with the plugin, for print<ek-program> and its kin
#   %ek-facts     prints what the program of a bitcode file does, line by line
#   %ek-plugin    EvenkeelPass.so, for -fpass-plugin= and --load-pass-plugin=
#
# Nothing but this file's own place is needed to find the rest, so a moved tree
# works. LLVM 19's tools are those in EVENKEEL_LLVM_BIN, else on PATH with the
# suffix -19, else Debian's. Sets the feature `evenkeel`.
import glob
import os
import shutil

prefix = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))


def llvm(name):
    folder = os.environ.get("EVENKEEL_LLVM_BIN")
    if folder:
        return os.path.join(folder, name)
    return shutil.which(name + "-19") or os.path.join("/usr/lib/llvm-19/bin", name)


def program(name):
    return os.path.join(prefix, "bin", name)


plugins = [
    p
    for pattern in ("lib", "lib64", "lib/*")
    for p in glob.glob(os.path.join(glob.escape(prefix), pattern, "EvenkeelPass.so"))
]
if not plugins:
    lit_config.fatal("no EvenkeelPass.so below " + prefix)


def quoted(path):
    return "'" + path + "'" if " " in path else path


plugin = quoted(plugins[0])
carrying = " -g -fpass-plugin=" + plugin
bitcode = " -O2 -g -Xclang -disable-llvm-passes -emit-llvm -c"
opt = quoted(llvm("opt")) + " -load-pass-plugin " + plugin
# lit takes the first that matches: longer names come first.
config.substitutions[:0] = [
    ("%evenkeel", quoted(program("evenkeel"))),
    (r"%ek-c\+\+", quoted(program("evenkeel-c++"))),
    ("%ek-cc", quoted(program("evenkeel-cc"))),
    (r"%ek-clang\+\+", quoted(llvm("clang++")) + carrying),
    ("%ek-clang", quoted(llvm("clang")) + carrying),
    (r"%ek-bitcode\+\+", quoted(llvm("clang++")) + bitcode),
    ("%ek-bitcode", quoted(llvm("clang")) + bitcode),
    ("%ek-opt", opt),
    ("%ek-facts", opt + " -passes='print<ek-program>' -disable-output"),
    ("%ek-plugin", plugin),
]
config.available_features.add("evenkeel")
# FileCheck, not and count are LLVM's.
config.environment["PATH"] = os.pathsep.join(
    [os.path.dirname(os.path.realpath(llvm("opt"))), config.environment.get("PATH", "")]
)
# Ids and places are relative to a root; tests name theirs or have the default.
config.environment.pop("EVENKEEL_ROOT", None)
