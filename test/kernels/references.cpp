// C++: tasks and teams of functions that are called for several objects.
// INPUTS 101 67 | 131 89
#include <cstdlib>
#include <cstring>
#define KERNEL __attribute__((noinline)) static void
#define HELPER __attribute__((noinline)) static void

namespace {
struct Row {
  long Length;
  double *Cells;
};
} // namespace

// KERNEL row_by_tasks: exact
//   new task stream(8) element 8 reads R writes R exact
//   new serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   new serial stream(64) element 64 reads 0 writes ceildiv(8*m, 64) exact
HELPER add_by_tasks(const Row &R) {
  for (int t = 0; t < 4; t++)
#pragma omp task firstprivate(t) shared(R)
    for (long i = 0; i < R.Length; i++)
      R.Cells[i] += t;
#pragma omp taskwait
}
KERNEL row_by_tasks(long n, long m) {
  Row a = {n, new double[n]()}, b = {m, new double[m]()};
#pragma omp parallel
#pragma omp single
  {
    add_by_tasks(a);
    add_by_tasks(b);
  }
  delete[] a.Cells;
  delete[] b.Cells;
}

// KERNEL row_by_team: exact
//   new parallel stream(8) element 8 reads share(R.Length) writes share(R.Length) exact
//   new serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   new serial stream(64) element 64 reads 0 writes ceildiv(8*m, 64) exact
HELPER add_by_team(const Row &R) {
#pragma omp parallel for
  for (long i = 0; i < R.Length; i++)
    R.Cells[i] += 1;
}
KERNEL row_by_team(long n, long m) {
  Row a = {n, new double[n]()}, b = {m, new double[m]()};
  add_by_team(a);
  add_by_team(b);
  delete[] a.Cells;
  delete[] b.Cells;
}

// KERNEL pointer_by_tasks: exact
//   new task stream(8) element 8 reads R->Length writes R->Length exact
//   new serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   new serial stream(64) element 64 reads 0 writes ceildiv(8*m, 64) exact
HELPER add_behind_pointer(const Row *R) {
#pragma omp task shared(R)
  for (long i = 0; i < R->Length; i++)
    R->Cells[i] += 1;
#pragma omp taskwait
}
KERNEL pointer_by_tasks(long n, long m) {
  Row a = {n, new double[n]()}, b = {m, new double[m]()};
#pragma omp parallel
#pragma omp single
  {
    add_behind_pointer(&a);
    add_behind_pointer(&b);
  }
  delete[] a.Cells;
  delete[] b.Cells;
}

// KERNEL rows_in_turn: exact
//   rows task invariant element 8 reads min(1, max(0, R)) + 1 writes 0 exact
//   cells task stream(8) element 8 reads R writes R exact
//   cells serial stream(64) element 64 reads 0 writes ceildiv(32*m*n, 64) exact
//   rows serial strided(16) element 8 reads 0 writes 8 exact
HELPER add_in_turn(const Row &R) {
#pragma omp task shared(R)
  for (long i = 0; i < R.Length; i++)
    R.Cells[i] += 1;
#pragma omp taskwait
}
KERNEL rows_in_turn(long n, long m) {
  auto *rows = new Row[4];
  auto *cells = new double[4 * n * m]();
  for (long g = 0; g < 4; g++)
    rows[g] = {n + g, cells + g * n * m};
#pragma omp parallel
#pragma omp single
  for (long g = 0; g < 4; g++)
    add_in_turn(rows[g]);
  delete[] cells;
  delete[] rows;
}

// KERNEL parts_of_rows: exact
//   new task stream(64) element 64 reads 0 writes lines+3 exact
//   rows task invariant element 8 reads 2 writes 0 exact
//   rows serial strided(16) element 8 reads 9 writes 18 exact
HELPER clear_part(const Row &R, long from) {
#pragma omp task firstprivate(from) shared(R)
  std::memset(R.Cells + from, 0, (R.Length - from) * sizeof(double));
#pragma omp taskwait
}
KERNEL parts_of_rows(long n, long m) {
  auto *rows = new Row[9];
  for (long g = 0; g < 9; g++)
    rows[g] = {m % 9 + 2, new double[m % 9 + 2]};
#pragma omp parallel
#pragma omp single
  for (long g = 0; g < 9; g++)
    clear_part(rows[g], g % 2);
  for (long g = 0; g < 9; g++)
    delete[] rows[g].Cells;
  delete[] rows;
}

// KERNEL one_object: exact
//   new parallel stream(8) element 8 reads share(R.Length) writes share(R.Length) exact
//   new serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
HELPER add_to_one(const Row &R) {
#pragma omp parallel for
  for (long i = 0; i < R.Length; i++)
    R.Cells[i] += 1;
}
KERNEL one_object(long n, long m) {
  Row a = {n, new double[n]()};
  for (long k = 0; k < m; k++)
    add_to_one(a);
  delete[] a.Cells;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = std::atol(argv[1]), m = std::atol(argv[2]);
  row_by_tasks(n, m);
  row_by_team(n, m);
  pointer_by_tasks(n, m);
  rows_in_turn(n, m);
  parts_of_rows(n, m);
  one_object(n, m);
  return 0;
}
