# whole_way.sh COMPILE FOLDER - heat and particles, from their records to runs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -e
here=$(dirname "$0")
export OMP_NUM_THREADS=2
mkdir -p "$2/work"
cd "$2"
for program in heat particles; do
  (cd work && $1 ../../$program.f90 -o ../$program)
done
check() { FileCheck --check-prefix="$1" "$here/expected.txt"; }

# watch PROGRAM ARGUMENT..: record --pages, import, plan and run, into PROGRAM.*
watch() {
  evenkeel record --pages --overhead 20% -o $1.json -- ./"$@" >$1.recorded 2>$1.err
  evenkeel import --touches $1.json --program $1 -o $1.ekdb --facts-output $1.facts --stacks $1.stacks >$1.imported
  evenkeel analyze --facts $1.facts --binary $1 --stacks $1.again >/dev/null
  cmp $1.again $1.stacks
  evenkeel plan --facts $1.facts --base $1.ekdb --machine ddr5-cxl --fast 40% -o $1.plan >$1.planned
  ./"$@" >$1.plain
  evenkeel run --plan $1.plan --stacks $1.stacks --provider emulated --summary -- ./"$@" >$1.placed 2>$1.ran
  cmp $1.plain $1.placed
}

watch heat 700 250
check HEAT-PAGES <heat.err
check HEAT-IMPORT <heat.imported
check HEAT-PLAN <heat.planned
check HEAT-RUN <heat.ran

watch particles 300
check PARTICLES-PAGES <particles.err
check PARTICLES-PLAN <particles.planned
check PARTICLES-RUN <particles.ran
