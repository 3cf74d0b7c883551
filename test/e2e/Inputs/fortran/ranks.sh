# ranks.sh MPI - the solver's ranks, through mpi and mpi_f08
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -e
here=$(dirname "$0")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
mkdir -p "$1"
cd "$1"
sed 's/use mpi$/use mpi_f08/' ../solver.f90 >solver08.f90
for program in solver solver08; do
  source=../solver.f90
  [ $program = solver ] || source=$program.f90
  mpifort.$1 -g -O2 $source -o $program
  evenkeel record --pages --overhead 20% -o $program.json -- mpirun.$1 -n 2 ./$program 200000 300 >plain 2>err
  FileCheck --check-prefix=MPI-PAGES "$here/expected.txt" <err
  evenkeel import --touches $program.json --program $program -o base.ekdb --facts-output facts.json --stacks stacks.json >out
  FileCheck --check-prefix=MPI-IMPORT "$here/expected.txt" <out
  evenkeel plan --facts facts.json --base base.ekdb --machine ddr5-cxl --fast 40% -o plan.json >out
  mpirun.$1 -n 2 evenkeel run --plan plan.json --stacks stacks.json --provider emulated --summary -- ./$program 200000 300 >placed 2>err
  cmp plain placed
  FileCheck --check-prefix=MPI-RUN "$here/expected.txt" <err
done
