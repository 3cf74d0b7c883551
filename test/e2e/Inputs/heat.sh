# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# heat.sh DIR SOURCE-ROOT: in DIR, a copy of the heat workload with a compile
# database, so that the tests can analyse and rewrite it.
rm -rf "$1" && mkdir -p "$1/build" && cp "$2/test/workloads/heat/heat.c" "$1" &&
  printf '[{"directory": "%s", "file": "heat.c", "command": "cc -O2 -fopenmp -c heat.c -o heat.o"}]\n' "$1" \
    >"$1/build/compile_commands.json"
