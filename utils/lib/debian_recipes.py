# debian_recipes.py - how Debian source packages are built and tested
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PACKAGES by name, and BUILD_SYSTEMS for others. Their commands run in the
unpacked source, with $CC, $CXX (the compilers) and $JOBS. Only packages that
allocate large objects or wait for other tasks are useful here."""

MPIRUN = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe "


def sequences(count, length):
    """Makes in.fa: variants of one random sequence, s0, s1, ..."""
    return ("awk 'BEGIN { srand(1); split(\"A C G T\", b, \" \"); "
            f"for (i = 0; i < {length}; i++) r[i] = b[int(rand() * 4) + 1]; for (s = 0; s < {count}; s++) {{ "
            f"print \">s\" s; t = \"\"; for (i = 0; i < {length}; i++) "
            "t = t (rand() < 0.2 ? b[int(rand() * 4) + 1] : r[i]); print t } }' > in.fa && ")


# name: (source package, build, test)
AUTOCONF = "./configure CC=$CC CXX=$CXX && make -j$JOBS"
PACKAGES = {
    "bzip2": ("bzip2", "make -j$JOBS CC=$CC bzip2 bzip2recover", "make CC=$CC test"),
    "zstd": ("libzstd", "make -j$JOBS CC=$CC CXX=$CXX zstd-release",
             "make -C tests -j$JOBS CC=$CC CXX=$CXX datagen fuzzer && cd tests && "
             "./fuzzer -v -T60s && ./datagen -g20M > big && ../programs/zstd -f -19 -T2 big && "
             "../programs/zstd -t big.zst && ../programs/zstd -df big.zst -o back && cmp big back && "
             "../programs/zstd -b1e3 -i1 big"),
    # With libonig-dev installed; Debian's source has no copy of it.
    "jq": ("jq", "autoreconf -fi && ./configure CC=$CC --disable-maintainer-mode --disable-docs "
           "--disable-valgrind && make -j$JOBS",
           # mantest only writes the manual's examples down, and needs rake.
           "make CC=$CC check TESTS='tests/jqtest tests/onigtest tests/shtest'"),
    "hpcc": ("hpcc", "sed -e 's|^CC .*|CC = mpicc|;s|^LINKER .*|LINKER = mpicc|;s|^CCFLAGS .*|CCFLAGS = $(HPL_DEFS) -O2 "
             # names that MPI 3 has dropped
             "-DMPI_Address=MPI_Get_address -DMPI_Type_struct=MPI_Type_create_struct|;"
             "s|^LAlib .*|LAlib = -lblas|;s|^LAdir .*|LAdir =|;s|^LAinc .*|LAinc =|;s|^MPdir .*|MPdir =|;"
             "s|^MPinc .*|MPinc =|;s|^MPlib .*|MPlib =|;s|^HPL_OPTS .*|HPL_OPTS = -DHPL_CALL_CBLAS|;"
             "s|-lblas|-lblas -lm|' hpl/setup/Make.Linux_PII_CBLAS > hpl/Make.test && "
             "OMPI_CC=$CC MPICH_CC=$CC make -j1 arch=test",
             "cp _hpccinf.txt hpccinf.txt && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
             "mpirun --oversubscribe -np 4 ./hpcc && grep -q Success=1 hpccoutf.txt && "
             "! grep -i 'failed\\b.*[1-9]' hpccoutf.txt"),
    # OpenMP and MPI, on small inputs that are made here where a package has none.
    "fasttree": ("fasttree", "$CC -g -O2 -fopenmp -DOPENMP fasttree.c -o FastTreeMP -lm",
                 sequences(60, 400) + "OMP_NUM_THREADS=2 ./FastTreeMP -nt in.fa > tree && grep -q s59 tree"),
    "cd-hit": ("cd-hit", "make -j$JOBS CC=\"$CXX -g\" openmp=yes",
               sequences(1500, 300) + "./cd-hit-est -i in.fa -o out -T 2 -M 0 -c 0.9 -n 8 && test -s out.clstr"),
    "mrbayes": ("mrbayes", "OMPI_CC=\"$CC -g\" ./configure --with-mpi=yes --without-beagle --with-readline=no "
                "CC=mpicc && OMPI_CC=\"$CC -g\" make -j$JOBS",
                "{ cat examples/primates.nex; printf 'begin mrbayes; set autoclose=yes nowarn=yes seed=1 swapseed=1; "
                "mcmc ngen=2000 printfreq=1000 samplefreq=100 diagnfreq=1000 nruns=2 nchains=2; end;\\n'; } > in.nex && " +
                MPIRUN + "-np 2 src/mb in.nex && test -s in.nex.run1.p"),
    "tachyon": ("tachyon", "cd unix && OMPI_CC=\"$CC -g\" make linux-mpi MPIFLAGS='-O2 -DMPI'",
                MPIRUN + "-np 2 compile/linux-mpi/tachyon scenes/balls.dat -res 256 256 -o out.tga && test -s out.tga"),
    # With bison and flex installed.
    # With libargtable2-dev installed.
    "clustalo": ("clustalo", "./configure CC=\"$CC -g\" CXX=\"$CXX -g\" && make -j$JOBS",
                 sequences(80, 200) + "src/clustalo -i in.fa -o out.fa --threads=2 --force && test -s out.fa"),
    "lzip": ("lzip", AUTOCONF, "make check && ./lzip -k9c testsuite/../*.cc > all.lz && ./lzip -t all.lz"),
    "ddrescue": ("gddrescue", AUTOCONF, "make check"),
}

# Other packages: the first of these files in the source determines the build.
CONFIGURE = "./configure && make -j$JOBS MAKEINFO=true"  # $CC and $CXX are in the environment
CONFIGURE_TEST = "make -k MAKEINFO=true check || make -k test"
BUILD_SYSTEMS = [
    ("configure", CONFIGURE, CONFIGURE_TEST),
    ("configure.ac", "autoreconf -fi && " + CONFIGURE, CONFIGURE_TEST),
    ("CMakeLists.txt", "cmake -S . -B ek-build -DCMAKE_BUILD_TYPE=Release && cmake --build ek-build -j$JOBS",
     "ctest --test-dir ek-build"),
    ("meson.build", "meson setup ek-build --buildtype=release && ninja -C ek-build -j$JOBS", "meson test -C ek-build"),
    ("Makefile", "make -j$JOBS CC=$CC CXX=$CXX", "make -k CC=$CC CXX=$CXX check || make -k CC=$CC CXX=$CXX test"),
]
