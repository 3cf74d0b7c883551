# build.sh COMPILER PROGRAM: each unit in its own folder, without any makefile.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -e
(cd src && $1 -O2 -fopenmp -I../include -c main.c)
(cd src/deep && $1 -O2 -fopenmp -c part.c)
$1 -O2 -fopenmp src/main.o src/deep/part.o -o "$2"
