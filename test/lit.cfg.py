# lit rules shared by every suite: substitutions and features.
#   %clang %clangxx %gcc %gxx %opt %llvm-link %FileCheck-style tools by name
#   %ekpass          the pass plugin, for -fpass-plugin= and -load-pass-plugin=
#   %evenkeel        the command        %ekrewrite   the rewriter
#   %eklit           lit itself
#   %ekinclude       folder with evenkeel/ek.h      %eklib   folder with libevenkeel
#   %sklearnpython   a Python with scikit-learn, where the feature sklearn is there
#   %S, %s, %t as everywhere
import glob
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "Evenkeel-" + os.path.basename(config.test_source_root)
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".ll", ".c", ".cpp", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt"]

llvm_bin = config.ek_llvm_bin
binary = config.ek_binary_root
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(binary, "bin"), llvm_bin, os.environ.get("PATH", "")]
)
for name in ("HOME", "LANG", "TMPDIR", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["EVENKEEL_MODELS"] = os.path.join(
    config.ek_source_root, "profiles", "models", "trained"
)
config.environment["EVENKEEL_MACHINES"] = os.path.join(
    config.ek_source_root, "profiles", "machines"
)

for pattern, value in [
    ("%clangxx", os.path.join(llvm_bin, "clang++")),
    ("%clang", os.path.join(llvm_bin, "clang")),
    ("%gxx", shutil.which("g++") or "g++"),
    ("%gcc", shutil.which("gcc") or "gcc"),
    ("%python", sys.executable),
    ("%opt", os.path.join(llvm_bin, "opt")),
    ("%llvm-link", os.path.join(llvm_bin, "llvm-link")),
    ("%ekpass", os.path.join(config.ek_program_root, "lib", "EvenkeelPass.so")),
    ("%ekplugin", os.path.join(config.ek_program_root, "lib", "EvenkeelRewrite.so")),
    ("%ekrewrite", os.path.join(binary, "bin", "evenkeel-rewrite")),
    ("%evenkeel", os.path.join(binary, "bin", "evenkeel")),
    ("%ekcxx", os.path.join(config.ek_program_root, "bin", "evenkeel-c++")),
    ("%ekcc", os.path.join(config.ek_program_root, "bin", "evenkeel-cc")),
    ("%ekinclude", os.path.join(config.ek_source_root, "runtime", "include")),
    ("%ekbuild", binary),
    ("%eklit", config.ek_lit),
    ("%eklib", os.path.join(config.ek_program_root, "lib")),
    ("%eksrc", config.ek_source_root),
]:
    config.substitutions.append((pattern, value))

# What utils/install-packages takes from the Python package index.
config.environment["PATH"] = os.pathsep.join([
    config.environment["PATH"],
    os.path.join(config.ek_source_root, "build", "unpacked", "python", "bin"),
])
for tool in ("gcc", "g++", "meson", "node", "chromium", "automake", "ccache", "mpicc", "mpicc.openmpi", "mpicc.mpich",
             "damo", "fish", "man", "modulecmd", "zsh", "gfortran", "mpifort.openmpi", "mpifort.mpich"):
    if shutil.which(tool, path=config.environment["PATH"]):
        config.available_features.add(tool)
if shutil.which("flang-new-19"):
    config.available_features.add("flang")
# Debian's packages serve its own Python, which need not be the first one.
for python in (sys.executable, "/usr/bin/python3"):
    if (
        os.path.exists(python)
        and subprocess.run(
            [
                python,
                "-c",
                "import sys, importlib.util as u; sys.exit(u.find_spec('sklearn') is None)",
            ]
        ).returncode
        == 0
    ):
        config.available_features.add("sklearn")
        config.substitutions.append(("%sklearnpython", python))
        break
# Tracing is forbidden in some containers even where strace is installed.
if shutil.which("strace") and (
    subprocess.run(
        ["strace", "-o", os.devnull, "true"], stderr=subprocess.DEVNULL
    ).returncode
    == 0
):
    config.available_features.add("strace")
if os.path.exists("/usr/lib/llvm-19/include/c++/v1/vector"):
    config.available_features.add("libc++")
# FlexMalloc is in no distribution: whoever has built it names its library.
flexmalloc = os.environ.get("EVENKEEL_TEST_FLEXMALLOC", "")
if os.path.isfile(flexmalloc):
    config.available_features.add("flexmalloc")
    config.substitutions.append(("%flexmalloc", flexmalloc))
if (
    subprocess.run(
        [os.path.join(llvm_bin, "clang"), "-E", "-include", "memkind.h", "-x", "c", os.devnull],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ).returncode
    == 0
):
    config.available_features.add("memkind")
if glob.glob("/usr/lib/*/libmimalloc.so.2"):
    config.available_features.add("mimalloc")
if config.ek_sanitize:
    config.available_features.add("sanitize")
