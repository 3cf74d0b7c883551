# imbalance.sh - what ranks lose, from a run to the commands that show it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -e
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
export EVENKEEL_RECORD_LEAST=1 OMPI_CC=evenkeel-cc MPICH_CC=evenkeel-cc
fail() { echo "$1" && cat "$2" && exit 1; }
build() { mpicc "$1" -I"$EKSRC/test/workloads/heat" heat-mpi.c -o heat -lm; }
run="mpirun --oversubscribe -n 3 ./heat 400 60"
build -O2
evenkeel tune --machine ddr5-cxl --fast 25% -- $run >tune.txt 2>tune.err
# Nothing is known before the first run.
! grep "^ranks:" tune.txt
evenkeel run -- $run >/dev/null 2>&1
file=$(ls .evenkeel/heat/inputs/*/imbalance.json)
"$PYTHON" "$INPUTS/check_schema.py" "$EKSRC/profiles/schemas/imbalance.schema.json" "$file"
said="^ranks: of the last run's time, an average rank waited [0-9.]* % at collectives: [0-9.]* % systematic, which placement can mend.*heat-mpi.c:[0-9]"
for command in tune plan; do
  evenkeel $command -- $run >$command.txt 2>err.txt
  grep -q "$said" $command.txt || fail "$command does not say it" $command.txt
  evenkeel $command --json -- $run 2>err.txt | grep -q '"dynamic_s"' || fail "$command --json" $command.txt
done
evenkeel report -o report.html -- $run >report.txt 2>&1
grep -q "an average rank waited" report.html || fail "report does not say it" report.txt
# The replay takes the times from there.
evenkeel ranks --ranks 3 -- $run >ranks.txt
grep -q "3 *relaxed" ranks.txt || fail "ranks" ranks.txt
# A file that is cut short, or of another build, does not count.
cp "$file" whole
head -c 100 whole >"$file"
evenkeel plan -- $run | grep -q "^ranks: what ranks lost at collectives cannot be read: not used"
sed 's/"build": "[^"]*"/"build": "0000000000000000"/' whole >"$file"
evenkeel plan -- $run | grep -q "^ranks: what ranks lost at collectives was seen in another build of the program: not used"
