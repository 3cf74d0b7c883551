# programs.py - programs from Debian and PyPI, and how to build and start them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PROGRAMS by name; measure.py builds each from an unmodified source package.

  source     ("debian" | "pypi", name of the source package); PyPI: name==version;
             or ("folder", path beside this file)
  needs      Debian packages whose headers or libraries the build uses
  build      shell line, run in the unpacked source, with $CC, $CXX and $JOBS
  program    path of the built program in the source
  inputs     shell line that makes input files; its working folder contains one
             folder for each of the three runs below; {src} stands for the
             source's folder
  arguments  arguments of three runs, each started in the folder of its name:
             `base` is a small input, `target` the input to plan for, and `like`
             another input of about the target's size; {src} as above
  ranks      number of MPI ranks, for programs that mpirun starts
"""


def awk(program, file):
    return f"awk 'BEGIN {{ {program} }}' > {file}"


def sequences(file, count, length, letters="ACGT", spread=0.2):
    """Makes FILE: `count` variants of one random sequence, s0, s1, ..."""
    letters = " ".join(letters)
    return awk(f"srand(1); n = split(\"{letters}\", b, \" \"); "
               f"for (i = 0; i < {length}; i++) r[i] = b[int(rand() * n) + 1]; "
               f"for (s = 0; s < {count}; s++) {{ print \">s\" s; t = \"\"; "
               f"for (i = 0; i < {length}; i++) "
               f"t = t (rand() < {spread} ? b[int(rand() * n) + 1] : r[i]); print t }}", file)


def phylip(file, count, length):
    """Makes FILE: such sequences in the format of PHYLIP."""
    return (f"{sequences('sequences', count, length, spread=0.1)}; awk 'BEGIN {{ print \"{count} {length}\" }} "
            f"/^>/ {{ printf \"%-10s\", substr($0, 2); next }} {{ print }}' sequences > {file}")


def comb(file, count):
    """Makes FILE: a tree of the leaves s0, s1, ... in which each inner node has a leaf."""
    return awk(f"t = \"(s0,s1)\"; for (i = 2; i < {count} - 1; i++) t = \"(\" t \",s\" i \")\"; "
               f"print \"(\" substr(t, 2, length(t) - 2) \",s\" {count} - 1 \");\"", file)


def reads(folder, genomes, length, count):
    """Makes library.fa, map, nodes.dmp, names.dmp and reads.fa in FOLDER: random
    genomes, each its own species, and pieces of 150 bases of them."""
    return (f"(cd {folder}; awk 'BEGIN {{ srand(7); split(\"A C G T\", b, \" \"); for (i = 0; i < 4096; i++) "
            f"{{ w[i] = \"\"; n = i; for (k = 0; k < 6; k++) {{ w[i] = w[i] b[n % 4 + 1]; n = int(n / 4) }} }} "
            f"print \"1\\t|\\t1\\t|\\tno rank\\t|\" > \"nodes.dmp\"; "
            f"print \"1\\t|\\troot\\t|\\t\\t|\\tscientific name\\t|\" > \"names.dmp\"; "
            f"for (g = 0; g < {genomes}; g++) {{ t = \"\"; for (i = 0; i < {length}; i += 6) t = t w[int(4096 * rand())]; "
            f"s[g] = t; print \">g\" g \"\\n\" t > \"library.fa\"; print \"g\" g \"\\t\" g + 10 > \"map\"; "
            f"print g + 10 \"\\t|\\t1\\t|\\tspecies\\t|\" > \"nodes.dmp\"; "
            f"print g + 10 \"\\t|\\tg\" g \"\\t|\\t\\t|\\tscientific name\\t|\" > \"names.dmp\" }} "
            f"for (r = 0; r < {count}; r++) print \">r\" r \"\\n\" "
            f"substr(s[int({genomes} * rand())], 1 + int(({length} - 150) * rand()), 150) > \"reads.fa\" }}')")


def galaxies(file, count, box):
    """Makes FILE: positions in a cube of side `box`, in groups of forty."""
    return awk(f"srand(9); for (i = 0; i < {count}; i++) {{ if (i % 40 == 0) {{ s = 1 + 9 * rand(); "
               f"for (d = 0; d < 3; d++) m[d] = s + ({box} - 2 * s) * rand() }} "
               f"for (d = 0; d < 3; d++) printf \"%.5f \", m[d] + s * (rand() - 0.5); print \"\" }}", file)


def words(file, count):
    """Makes FILE: `count` words of a small vocabulary, as text."""
    return awk(f"srand(5); for (i = 0; i < 2000; i++) {{ w[i] = \"\"; n = 2 + int(rand() * 8); "
               f"for (k = 0; k < n; k++) w[i] = w[i] sprintf(\"%c\", 97 + int(26 * rand() * rand())) }} "
               f"for (i = 0; i < {count}; i++) printf \"%s%s\", w[int(2000 * rand() * rand())], "
               f"(i % 12 == 11 ? \"\\n\" : \" \")", file)


PROGRAMS = {
    # Bioinformatics, OpenMP.
    "fasttree": {
        "source": ("debian", "fasttree"),
        "build": "$CC -g -O2 -fopenmp -DOPENMP fasttree.c -o FastTreeMP -lm",
        "program": "FastTreeMP",
        "inputs": "; ".join([sequences("small.fa", 40, 300), sequences("large.fa", 120, 500),
                             sequences("other.fa", 90, 700)]),
        "arguments": {"base": "-quiet -nt ../small.fa", "target": "-quiet -nt ../large.fa", "like": "-quiet -nt ../other.fa"},
    },
    "cd-hit": {
        "source": ("debian", "cd-hit"),
        "build": "make -j$JOBS CC=\"$CXX -g\" openmp=yes cd-hit-est",
        "program": "cd-hit-est",
        "inputs": "; ".join([sequences("small.fa", 400, 300), sequences("large.fa", 2000, 300),
                             sequences("other.fa", 1500, 400)]),
        "arguments": {"base": "-i ../small.fa -o out -T 8 -M 0 -c 0.9 -n 8",
                      "target": "-i ../large.fa -o out -T 8 -M 0 -c 0.9 -n 8",
                      "like": "-i ../other.fa -o out -T 8 -M 0 -c 0.9 -n 8"},
    },
    "kraken2": {
        "source": ("debian", "kraken2"),
        "build": "make -C src -j$JOBS CXX=\"$CXX -g\" build_db classify",
        "program": "src/classify",
        "inputs": "; ".join(
            f"{reads(run, genomes, length, count)}; (cd {run}; {{src}}/src/build_db -k 35 -l 31 -H hash -t taxonomy "
            f"-o options -n . -m map -c {cells} -p 1 < library.fa; rm library.fa)"
            for run, genomes, length, count, cells in (("base", 8, 60000, 4000, 300000), ("target", 20, 200000, 50000, 2500000),
                                                       ("like", 10, 300000, 40000, 1900000))),
        "arguments": {run: "-H hash -t taxonomy -o options -p 8 reads.fa" for run in ("base", "target", "like")},
    },
    "velvet": {
        "source": ("debian", "velvet"), "needs": "zlib1g-dev",
        # Debian removes its copy of zlib, one of whose headers it names by its path.
        "build": "mkdir -p third-party/zlib-1.2.3 && echo '#include <zlib.h>' > third-party/zlib-1.2.3/zlib.h && "
                 "make -j$JOBS CC=\"$CC -g -std=gnu89\" OPENMP=1 obj velveth velvetg",
        "program": "velvetg",
        "inputs": "; ".join(f"{reads(run, 1, length, count)}; (cd {run}; OMP_NUM_THREADS=1 {{src}}/velveth . 21 -fasta -short reads.fa)"
                            for run, length, count in (("base", 18000, 1500), ("target", 90000, 7500), ("like", 72000, 6500))),
        "arguments": {run: ". -cov_cutoff 3" for run in ("base", "target", "like")},
    },
    # Astronomy, OpenMP: pairs of galaxies by distance.
    "corrfunc": {
        "source": ("pypi", "Corrfunc==2.5.3"),
        "build": "make -C theory/DD CC=\"$CC -g\" PYTHON=python3 DD",
        "program": "theory/DD/DD",
        "inputs": "; ".join([awk("for (r = 0.1; r < 8; r *= 1.4) print r, r * 1.4", "bins"), galaxies("small", 30000, 250),
                             galaxies("large", 250000, 500), galaxies("other", 200000, 420)]),
        "arguments": {"base": "../small a ../small a ../bins 250 8", "target": "../large a ../large a ../bins 500 8",
                      "like": "../other a ../other a ../bins 420 8"},
    },
    # Neural networks, OpenMP: one picture through networks without their weights.
    "darknet": {
        "source": ("debian", "darknet"),
        "build": "mkdir -p obj backup results && make -j$JOBS OPENMP=1 CC=\"$CC -g\" darknet",
        "program": "darknet",
        "inputs": "; ".join(f"sed 's/^height=.*/height={size}/;s/^width=.*/width={size}/' {{src}}/cfg/{net}.cfg > {run}/net.cfg"
                            for run, net, size in (("base", "tiny", 64), ("target", "tiny", 160), ("like", "darknet", 160))),
        "arguments": {run: "speed net.cfg 1" for run in ("base", "target", "like")},
    },
    # Text, OpenMP: a suffix array.
    "libdivsufsort": {
        "source": ("debian", "libdivsufsort"),
        "build": "cmake -B made -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-g -DUSE_OPENMP=ON -DBUILD_EXAMPLES=ON "
                 "-DBUILD_SHARED_LIBS=OFF -DCMAKE_POLICY_VERSION_MINIMUM=3.5 && make -C made -j$JOBS mksary",
        "program": "made/examples/mksary",
        "inputs": "; ".join([words("small.txt", 20000), words("large.txt", 160000), words("other.txt", 120000)]),
        "arguments": {"base": "../small.txt out", "target": "../large.txt out", "like": "../other.txt out"},
    },
    # Semidefinite programs, OpenMP: the theta number of a random graph.
    "csdp": {
        "source": ("debian", "coinor-csdp"), "needs": "liblapack-dev libblas-dev",
        "build": "for d in lib solver theta; do make -C $d CC=\"$CC -g\" CFLAGS='-O2 -fopenmp -std=gnu90 -DBIT64 -DUSEOPENMP "
                 "-DSETNUMTHREADS -DUSESIGTERM -DUSEGETTIME -I../include' LIBS='-L../lib -lsdp -llapack -lblas -lm' "
                 "$(case $d in lib) echo libsdp.a;; solver) echo csdp;; *) echo rand_graph graphtoprob;; esac) || exit 1; done",
        "program": "solver/csdp",
        "inputs": "; ".join(f"{{src}}/theta/rand_graph {run}.graph {nodes} {share} 1; "
                            f"{{src}}/theta/graphtoprob {run}.graph {run}.dat-s"
                            for run, nodes, share in (("base", 40, 0.2), ("target", 100, 0.15), ("like", 80, 0.25))),
        "arguments": {run: f"../{run}.dat-s out" for run in ("base", "target", "like")},
    },
    # Linear algebra, OpenMP: products of dense matrices.
    "eigen-gemm": {
        "source": ("debian", "eigen3"),
        "build": "$CXX -g -O2 -DNDEBUG -DSCALAR=double -fopenmp -I. bench/bench_gemm.cpp -o gemm -lrt",
        "program": "gemm",
        "arguments": {"base": "-s 192 192 192 -p 2", "target": "-s 512 512 512 -p 2", "like": "-s 640 384 512 -p 2"},
    },
    # MPI.
    "tachyon": {
        "source": ("debian", "tachyon"),
        "build": "cd unix && OMPI_CC=\"$CC -g\" MPICH_CC=\"$CC -g\" make linux-mpi MPIFLAGS='-O2 -DMPI'",
        "program": "compile/linux-mpi/tachyon", "ranks": 4,
        "arguments": {"base": "{src}/scenes/balls.dat -res 64 64 -o out.tga",
                      "target": "{src}/scenes/balls.dat -res 256 192 -o out.tga",
                      "like": "{src}/scenes/balls.dat -res 192 256 -o out.tga"},
    },
    "hypre": {
        "source": ("debian", "hypre"),
        "build": "cd src && export OMPI_CC=\"$CC -g\" MPICH_CC=\"$CC -g\" && ./configure --with-MPI --without-fei "
                 "--disable-fortran CC=mpicc CFLAGS=-O2 && make -j$JOBS && make -C test ij",
        "program": "src/test/ij", "ranks": 4,
        "arguments": {"base": "-n 20 20 20 -P 2 2 1 -solver 1", "target": "-n 44 44 44 -P 2 2 1 -solver 1",
                      "like": "-n 36 54 40 -P 2 2 1 -solver 1"},
    },
    "mrbayes": {
        "source": ("debian", "mrbayes"),
        "build": "OMPI_CC=\"$CC -g\" MPICH_CC=\"$CC -g\" ./configure --with-mpi=yes --without-beagle --with-readline=no "
                 "CC=mpicc && OMPI_CC=\"$CC -g\" MPICH_CC=\"$CC -g\" make -j$JOBS",
        "program": "src/mb", "ranks": 4,
        "inputs": "; ".join(
            f"{{ cat {{src}}/examples/{data}; printf 'begin mrbayes; set autoclose=yes nowarn=yes seed=1 swapseed=1; "
            f"mcmc ngen={steps} printfreq=1000 samplefreq=100 diagnfreq=1000 nruns=2 nchains=2; end;\\n'; }} > {file}"
            for data, steps, file in (("primates.nex", 200, "small.nex"), ("primates.nex", 1000, "large.nex"),
                                      ("replicase.nex", 1200, "other.nex"))),
        "arguments": {"base": "../small.nex", "target": "../large.nex", "like": "../other.nex"},
    },
    "examl": {
        "source": ("debian", "examl"),
        "build": "make -C parser -f Makefile.SSE3.gcc parse-examl && "
                 "OMPI_CC=\"$CC -g\" MPICH_CC=\"$CC -g\" make -C examl -f Makefile.SSE3.gcc -j$JOBS examl",
        "program": "examl/examl", "ranks": 4,
        "inputs": "; ".join(f"{phylip(run + '/in', taxa, length)}; {comb(run + '/tree', taxa)}; "
                            f"(cd {run} && rm -f *.in *.binary && {{src}}/parser/parse-examl -s in -m DNA -n in)"
                            for run, taxa, length in (("base", 12, 1000), ("target", 24, 6000), ("like", 40, 4000))),
        "arguments": {run: "-s in.binary -t tree -m GAMMA -n out -f E" for run in ("base", "target", "like")},
    },
    "hpcc": {
        "source": ("debian", "hpcc"), "needs": "libblas-dev",
        # Names that MPI 3 dropped are given their new ones.
        "build": "sed -e 's|^CC .*|CC = mpicc|;s|^LINKER .*|LINKER = mpicc|;s|^CCFLAGS .*|CCFLAGS = $(HPL_DEFS) -O2 -g "
                 "-DMPI_Address=MPI_Get_address -DMPI_Type_struct=MPI_Type_create_struct|;"
                 "s|^LAlib .*|LAlib = -lblas|;s|^LAdir .*|LAdir =|;s|^LAinc .*|LAinc =|;s|^MPdir .*|MPdir =|;"
                 "s|^MPinc .*|MPinc =|;s|^MPlib .*|MPlib =|;s|^HPL_OPTS .*|HPL_OPTS = -DHPL_CALL_CBLAS|;"
                 "s|-lblas|-lblas -lm|' hpl/setup/Make.Linux_PII_CBLAS > hpl/Make.test && "
                 "OMPI_CC=$CC MPICH_CC=$CC make -j1 arch=test",
        "program": "hpcc", "ranks": 4,
        "inputs": "; ".join(f"sed '6s/.*/{n} Ns/;8s/.*/32 NBs/;11s/.*/2 Ps/;12s/.*/2 Qs/' {{src}}/_hpccinf.txt > {run}/hpccinf.txt"
                            for n, run in ((300, "base"), (1000, "target"), (850, "like"))),
        # It opens this file by its name, and ignores arguments: said here, it tells the inputs apart.
        "arguments": {run: "hpccinf.txt" for run in ("base", "target", "like")},
    },
}
