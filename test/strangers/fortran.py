#!/usr/bin/env python3
# fortran.py - programs in Fortran from Debian, from their records to runs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: test/strangers/fortran.py --build BUILD [options] [PROGRAM]...

Not run by the tests, because it downloads source packages: it needs apt-get with
deb-src lines, gfortran, and the packages that the programs need to build (with
--needs, it prints them). For each program below it builds the unmodified source
with -g, and does what docs/how-to/fortran.md shows: record --pages, import
--touches, plan and run, with the emulated provider.

  --build BUILD    a build or install folder
  --out DIR        folder for sources and results (default out/fortran); programs
                   of an earlier call are used again
  --needs          prints the Debian packages that the builds use

Prints one row for each program: SITES and SYNCS that import found; KNOWN, the share
of touched pages whose object has a place in the source; OBJECTS of the run, with
static arrays, and PLANNED ones among them; HOOKED, the share of passed waits with a
hook: those inside parallel regions and in libraries have none. A program without a
row: standard error says why.
"""
import argparse
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from measure import Failed, shell, unpack_debian  # noqa: E402

LEGACY = "-g -O2 -w -std=legacy"
PROGRAMS = {
    # Random fields of cosmology, MPI with mpi_f08.
    "mpgrafic": {
        "needs": "fftw-dev libgsl-dev libopenmpi-dev",
        "build": "CC=mpicc.openmpi FC=mpifort.openmpi FCFLAGS='-g -O2 -w -fallow-argument-mismatch' ./configure && make",
        "programs": ["src/mpgrafic"],
        "run": "{src}/src/mpgrafic --np=192 < {src}/Input.stdin",
        "launch": "mpirun.openmpi -n 2",
    },
    # Legendre polynomials for maps of the sky, OpenMP, in a library of its own.
    "healpix-fortran": {
        "needs": "libcfitsio-dev libsharp-dev",
        "build": "mkdir -p lib include bin && b=\"OS=Linux BUILDDIR=$PWD/src/f90 LIBDIR=$PWD/lib INCDIR=$PWD/include "
                 "BINDIR=$PWD/bin FC=gfortran LIBSUFFIX=.so MOD=mod MODDIR=-J\" && "
                 "make -C src/f90/mod $b AR='gfortran -shared -fopenmp -Wl,-soname,libhealpix.so -o' "
                 "FFLAGS='-g -O2 -fPIC -fopenmp -w' && make -C src/f90/plmgen $b "
                 "FFLAGS=\"-g -O2 -fopenmp -w -I$PWD/include\" LDFLAGS=\"-L$PWD/lib -lhealpix -Wl,-rpath,$PWD/lib\"",
        "programs": ["bin/plmgen", "lib/libhealpix.so"],
        "run": "rm -f plm.fits; printf 'nsmax = 256\\nnlmax = 400\\nnmmax = 400\\npolarisation = .true.\\noutfile = plm.fits\\n' "
               "> plm.par; {src}/bin/plmgen plm.par",
    },
    # Flow around airfoils, Fortran 77 with COMMON blocks.
    "xfoil": {
        "needs": "libx11-dev",
        "build": "make -C orrs/bin -f Makefile_DP osgen && (cd orrs && bin/osgen osmaps_ns.lst) && make -C plotlib && "
                 "FFLAGS='-g -O2' make -C bin CHK=-fallow-argument-mismatch xfoil",
        "programs": ["bin/xfoil"],
        "run": "printf 'PLOP\\nG F\\n\\nNACA 2412\\nPANE\\nOPER\\nITER 200\\nVISC 1e6\\nASEQ 0 4 0.01\\n\\n\\nQUIT\\n' | "
               "{src}/bin/xfoil",
    },
}
HEAD = ["PROGRAM", "SITES", "SYNCS", "KNOWN", "OBJECTS", "PLANNED", "HOOKED"]
RANKS = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}


class Program:
    def __init__(self, name, args):
        self.name, self.what = name, PROGRAMS[name]
        self.folder = os.path.abspath(os.path.join(args.out, name))
        self.evenkeel = os.path.abspath(os.path.join(args.build, "bin", "evenkeel"))
        self.runs = os.path.join(self.folder, "run")
        os.makedirs(self.runs, exist_ok=True)
        self.env = dict(os.environ, OMP_NUM_THREADS="2", **RANKS)

    def build(self):
        unpacked = os.path.join(self.folder, "source")
        built = os.path.join(self.folder, "built")
        with open(os.path.join(self.folder, "build.log"), "w", encoding="utf-8") as log:
            if not os.path.isdir(unpacked):
                os.makedirs(unpacked)
                unpack_debian(self.name, unpacked, log)
            folders = [f for f in os.listdir(unpacked) if os.path.isdir(os.path.join(unpacked, f))]
            if len(folders) != 1:
                raise Failed(f"{unpacked} does not hold one folder with the source")
            self.src = os.path.join(unpacked, folders[0])
            if not os.path.exists(built):
                if shell(self.what["build"], self.src, log):
                    raise Failed(f"does not build; see {log.name}")
                open(built, "w", encoding="utf-8").close()

    def command(self, words):
        """The program's command line, with WORDS before it; a launcher starts them for
        each rank, or they start the launcher."""
        before, _, line = self.what["run"].format(src=self.src).rpartition(self.src + "/" + self.what["programs"][0])
        return f"{before}{words} {self.src}/{self.what['programs'][0]}{line}"

    def step(self, line, name):
        out, err = os.path.join(self.runs, name + ".out"), os.path.join(self.runs, name + ".err")
        with open(out, "w", encoding="utf-8") as o, open(err, "w", encoding="utf-8") as e:
            status = subprocess.run(["bash", "-c", line], cwd=self.runs, env=self.env, stdout=o, stderr=e,
                                    stdin=subprocess.DEVNULL, check=False).returncode
        if status:
            raise Failed(f"{name} ended with status {status}; see {err}")
        with open(out, encoding="utf-8", errors="replace") as o, open(err, encoding="utf-8", errors="replace") as e:
            return o.read(), e.read()

    def row(self):
        launch = self.what.get("launch", "")
        binaries = " ".join(f"--program {self.src}/{p}" for p in self.what["programs"])
        self.step(self.command(f"{self.evenkeel} record --pages --overhead 10% -o touches.json -- {launch}"), "record")
        out, _ = self.step(f"{self.evenkeel} import --touches touches.json {binaries} --json", "import")
        known = json.loads(out)
        self.step(f"{self.evenkeel} plan --facts facts.json --base base.ekdb --machine ddr5-cxl --fast 30% -o plan.json", "plan")
        _, err = self.step(self.command(f"{launch} {self.evenkeel} run --plan plan.json --stacks stacks.json "
                                        "--provider emulated --summary --"), "run")
        with open(os.path.join(self.runs, "facts.json"), encoding="utf-8") as f:
            facts = json.load(f)
        # The sums over ranks come first.
        objects = re.search(r"objects (\d+): planned (\d+).*globals (\d+)", err)
        if not objects:
            raise Failed(f"run left no summary; see {self.runs}")
        made, planned, static = map(int, objects.groups())
        passed = re.search(r"sync points passed: (\d+) with a hook, (\d+) without", err)
        hooked, bare = (int(passed.group(1)), int(passed.group(2))) if passed else (0, 0)
        left = sum(x["touched_share"] for x in known["left_out"].values())
        return [self.name, len(facts["sites"]), len(facts["syncs"]), f"{100 * (1 - left):.1f} %", made + static, planned,
                f"{100 * hooked / (hooked + bare):.1f} %" if hooked + bare else "-"]


def main():
    p = argparse.ArgumentParser(usage=__doc__, add_help=False)
    p.add_argument("-h", "--help", action="store_true")
    p.add_argument("--build")
    p.add_argument("--out", default="out/fortran")
    p.add_argument("--needs", action="store_true")
    p.add_argument("program", nargs="*")
    a = p.parse_args()
    wrong = [n for n in a.program if n not in PROGRAMS]
    if a.help:
        print(__doc__)
        return 0
    if wrong:
        print(f"fortran.py: no program '{wrong[0]}'; known: {', '.join(PROGRAMS)}", file=sys.stderr)
        return 2
    names = a.program or list(PROGRAMS)
    if a.needs:
        print(" ".join(PROGRAMS[n]["needs"] for n in names))
        return 0
    if not a.build:
        print("fortran.py: name a build with --build", file=sys.stderr)
        return 2
    rows, status = [HEAD], 0
    for name in names:
        try:
            program = Program(name, a)
            program.build()
            rows.append([str(x) for x in program.row()])
        except Failed as e:
            print(f"fortran.py: {name}: {e}", file=sys.stderr)
            status = 1
    widths = [max(len(r[i]) for r in rows) for i in range(len(HEAD))]
    for r in rows:
        print("  ".join(c.ljust(w) if not i else c.rjust(w) for i, (c, w) in enumerate(zip(r, widths))))
    return status


if __name__ == "__main__":
    sys.exit(main())
