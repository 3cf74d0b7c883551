// Rows of a sparse matrix, sorted where they lie: how the library's loops move
// is known only from how it is called. The facts agree with themselves.
// RUN: rm -rf %t && mkdir -p %t && cp %s %t/a.cpp
// RUN: echo '[{"directory": "%t", "file": "a.cpp", "command": "clang++ -O2 -fopenmp -c a.cpp"}]' > %t/compile_commands.json
// RUN: %evenkeel analyze -p %t --root %t --verify -o %t/facts.json | FileCheck %s
// CHECK: facts.json: {{.*}} accesses
#include <algorithm>
#include <cstdlib>

struct Graph {
  long n;
  int **row;
};

long squish(const Graph &g, long *diffs) {
  int *from, *to;
#pragma omp parallel for private(from, to)
  for (long n = 0; n < g.n; n++) {
    from = g.row[n];
    to = g.row[n + 1];
    std::sort(from, to);
    int *end = std::unique(from, to);
    end = std::remove(from, end, int(n));
    diffs[n] = end - from;
  }
  return diffs[0];
}

int main(int argc, char **argv) {
  Graph g;
  g.n = std::atol(argv[1]);
  int *column = static_cast<int *>(std::malloc(4 * g.n * sizeof(int)));
  g.row = static_cast<int **>(std::malloc((g.n + 1) * sizeof(int *)));
  for (long i = 0; i <= g.n; i++)
    g.row[i] = column + 4 * i;
  for (long i = 0; i < 4 * g.n; i++)
    column[i] = int(i * 7919 % g.n);
  long *diffs = static_cast<long *>(std::malloc(g.n * sizeof(long)));
  return squish(g, diffs) < 0;
}
