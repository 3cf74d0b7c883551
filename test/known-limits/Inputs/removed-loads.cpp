// Two programs in which a load is gone before accesses are recorded.
// INPUTS 101 67 | 131 89
#include <cstdlib>
#include <deque>
#include <memory>
#define KERNEL __attribute__((noinline)) static void

// KERNEL shared_rows: exact
KERNEL shared_rows(long n, long m) {
  auto rows = std::make_unique<std::unique_ptr<double[]>[]>(31);
  for (int i = 0; i < 31; i++)
    rows[i] = std::make_unique<double[]>(m);
  for (int i = 0; i < 31; i++)
    for (long j = 0; j < m; j++)
      rows[i][j] += n;
}

// KERNEL deque_push: exact
KERNEL deque_push(long n, double *out) {
  std::deque<double> d;
  for (long i = 0; i < n; i++)
    d.push_back(i);
  while (!d.empty()) {
    *out += d.front();
    d.pop_front();
  }
}

int main(int argc, char **argv) {
  double o = 0;
  shared_rows(atol(argv[1]), atol(argv[2]));
  deque_push(atol(argv[1]), &o);
  return o < 0;
}
