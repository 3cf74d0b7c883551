# logistic.sh IMPLEMENTATION - builds and runs docs/examples/stragglers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -e
mpi=$1
. "$INPUTS/mpi.sh"
mkdir "$mpi" && cd "$mpi"
# Images that are easy to tell apart: a digit is a row of bright pixels.
awk 'BEGIN {
  for (i = 0; i < 600; ++i) {
    d = (i + int(i / 5)) % 10
    for (p = 0; p < 64; ++p)
      printf "%d,", p % 10 == d ? 12 + (i + p) % 5 : (i * p) % 5
    print d
  }
}' >digits.csv
mpicc -O2 "$SOURCE/logistic.c" -I"$EKINCLUDE" -L"$EKLIB" -Wl,-rpath,"$EKLIB" -levenkeel-relaxed -lm -o logistic
mpicc -O2 -DEVENKEEL_DISABLE "$SOURCE/logistic.c" -I"$EKINCLUDE" -lm -o plain
right='^loss 0\.[0-3][0-9]* after [0-9.]* s and [0-9]* iterations; accuracy \(9[5-9]\|100\)\.[0-9] %, of the mean \(9[5-9]\|100\)\.'
mpicc -O2 "$SOURCE/mlp.c" -I"$EKINCLUDE" -L"$EKLIB" -Wl,-rpath,"$EKLIB" -levenkeel-relaxed -lm -o mlp
for run in "3 none" "next none"; do
  mpirun -n 4 ./mlp digits.csv $run 0.3 1 >out.txt
  grep -q "$right" out.txt || { echo "$mpi: mlp $run"; cat out.txt; exit 1; }
done
for run in "0 none" "3 random" "2 two"; do
  mpirun -n 4 ./logistic digits.csv $run 0.3 1 >out.txt
  grep -q "$right" out.txt || { echo "$mpi: $run"; cat out.txt; exit 1; }
done
mpirun -n 2 ./logistic digits.csv all none 0.3 1 >out.txt && grep -q "$right" out.txt
mpirun -n 2 ./plain digits.csv 3 none 0.3 1 >out.txt && grep -q "$right" out.txt
! mpirun -n 2 ./logistic no-file.csv 3 none 0.3 1 2>err.txt && grep -q "cannot read the images" err.txt
