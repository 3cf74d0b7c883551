# programs.py - programs from Debian, and how to build and start them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PROGRAMS by name; measure.py builds each from an unmodified source package.

  source     name of the Debian source package
  build      shell line, run in the unpacked source, with $CC, $CXX and $JOBS
  program    path of the built program in the source
  inputs     shell line that makes input files; its working folder contains one
             folder for each of the three runs below
  arguments  arguments of three runs, each started in the folder of its name:
             `base` is a small input, `target` the input to plan for, and `like`
             another input of about the target's size. {src} stands for the
             source's folder.
  ranks      number of MPI ranks, for programs that mpirun starts
"""


def sequences(file, count, length, letters="ACGT", spread=0.2):
    """Makes FILE: `count` variants of one random sequence, s0, s1, ..."""
    letters = " ".join(letters)
    return (f"awk 'BEGIN {{ srand(1); n = split(\"{letters}\", b, \" \"); "
            f"for (i = 0; i < {length}; i++) r[i] = b[int(rand() * n) + 1]; "
            f"for (s = 0; s < {count}; s++) {{ print \">s\" s; t = \"\"; "
            f"for (i = 0; i < {length}; i++) "
            f"t = t (rand() < {spread} ? b[int(rand() * n) + 1] : r[i]); print t }} }}' > {file}")


PROGRAMS = {
    # Bioinformatics, OpenMP.
    "fasttree": {
        "source": "fasttree",
        "build": "$CC -g -O2 -fopenmp -DOPENMP fasttree.c -o FastTreeMP -lm",
        "program": "FastTreeMP",
        "inputs": "; ".join([sequences("small.fa", 40, 300), sequences("large.fa", 120, 500),
                             sequences("other.fa", 90, 700)]),
        "arguments": {"base": "-quiet -nt ../small.fa", "target": "-quiet -nt ../large.fa", "like": "-quiet -nt ../other.fa"},
    },
    "cd-hit": {
        "source": "cd-hit",
        "build": "make -j$JOBS CC=\"$CXX -g\" openmp=yes cd-hit-est",
        "program": "cd-hit-est",
        "inputs": "; ".join([sequences("small.fa", 400, 300), sequences("large.fa", 2000, 300),
                             sequences("other.fa", 1500, 400)]),
        "arguments": {"base": "-i ../small.fa -o out -T 8 -M 0 -c 0.9 -n 8",
                      "target": "-i ../large.fa -o out -T 8 -M 0 -c 0.9 -n 8",
                      "like": "-i ../other.fa -o out -T 8 -M 0 -c 0.9 -n 8"},
    },
    # MPI.
    "tachyon": {
        "source": "tachyon",
        "build": "cd unix && OMPI_CC=\"$CC -g\" MPICH_CC=\"$CC -g\" make linux-mpi MPIFLAGS='-O2 -DMPI'",
        "program": "compile/linux-mpi/tachyon", "ranks": 4,
        "arguments": {"base": "{src}/scenes/balls.dat -res 64 64 -o out.tga",
                      "target": "{src}/scenes/balls.dat -res 256 192 -o out.tga",
                      "like": "{src}/scenes/balls.dat -res 192 256 -o out.tga"},
    },
}
