# make_graph.py - prints a graph: one edge a line
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# make_graph.py NODES DEGREE: each node has DEGREE neighbours, spread by a fixed
# rule over all nodes.
import sys

nodes, degree = map(int, sys.argv[1:3])
x = 12345
lines = []
for n in range(nodes):
    for _ in range(degree):
        x = (x * 1103515245 + 12345) & 0x7fffffff
        lines.append(f"{n} {x % nodes}\n")
sys.stdout.write("".join(lines))
