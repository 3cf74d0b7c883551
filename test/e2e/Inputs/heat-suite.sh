# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# heat-suite.sh EVENKEEL EVENKEEL-CC...: a suite of one workload, in this folder
set -e
evenkeel=$1
shift
"$evenkeel" analyze -p build -o facts.json
"$@" --record=misses -O2 -fopenmp heat.c -o heat.recorded -lm
"$evenkeel" record --misses -o base.ekdb -- ./heat.recorded 256 4 2 >/dev/null
"$evenkeel" record --misses --role target -o 2x.ekdb -- ./heat.recorded 512 4 2 >/dev/null
cat >suite.json <<END
{"schema": "evenkeel.suite/1", "workloads": [
 {"name": "heat", "groups": ["tahoe-seven"], "facts": "facts.json", "base": "base.ekdb",
  "targets": [{"name": "2x", "record": "2x.ekdb", "for": ["main:n=512"]}]}]}
END
