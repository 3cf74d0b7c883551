// Memory of MPI's own.
// INPUTS 101 67 | 131 89
// NEEDS mpicc
#include <mpi.h>
#include <stdlib.h>
#define KERNEL __attribute__((noinline)) static void

// KERNEL from_mpi: exact
//   a serial stream(8) element 8 reads 0 writes n exact
//   a serial strided(32) element 8 reads floordiv(n - 1, 4) + 1 writes floordiv(n - 1, 4) + 1 exact
KERNEL from_mpi(long n) {
  double *a;
  if (MPI_Alloc_mem(n * sizeof *a, MPI_INFO_NULL, &a))
    abort();
  for (long i = 0; i < n; i++)
    a[i] = i;
  for (long i = 0; i < n; i += 4)
    a[i] *= 2;
  MPI_Free_mem(a);
}

// A row of halo cells on both sides; the inner ones by a team.
// KERNEL from_pmpi: exact
//   a parallel stream(4) element 4 reads 0 writes m*share(n) exact
//   a serial stream(4) element 4 reads m writes 2*m exact
KERNEL from_pmpi(long n, long m) {
  float *a;
  if (PMPI_Alloc_mem((n + 2) * m * sizeof *a, MPI_INFO_NULL, &a))
    abort();
#pragma omp parallel for
  for (long i = 1; i <= n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] = i;
  for (long j = 0; j < m; j++)
    a[j] = a[(n + 1) * m + j] = a[m + j];
  PMPI_Free_mem(a);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  from_mpi(n);
  from_pmpi(n, m);
  MPI_Finalize();
  return 0;
}
