// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --hooks-only --with=Inputs/mpi_stub.h -- -fopenmp -std=gnu99 -pedantic
// Calls in which tasks wait: the hook follows inside the expression.
#include "Inputs/mpi_stub.h"
#include <pthread.h>
#define CHECK_LINE(n) typedef char line[__LINE__ == (n) ? 1 : -1]
#define CALL(x)                                                                \
  do {                                                                         \
    if ((x) != 0)                                                              \
      fail();                                                                  \
  } while (0)
#define SHOW(x) note(#x, x)
#define TWICE(x) ((x) + (x))
#define SYNC() MPI_Barrier(MPI_COMM_WORLD)
#define SYNC_ALL                                                               \
  MPI_Barrier(MPI_COMM_WORLD);                                                 \
  MPI_Barrier(1)
void fail(void);
void note(const char *, int);

int f(MPI_Request *r, MPI_Status *s, double *a, pthread_barrier_t *b) {
  int flag = 0, error = MPI_Barrier(MPI_COMM_WORLD);
  // CHECK-FIXES: int flag = 0, error = ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL, MPI_Barrier(MPI_COMM_WORLD));
  if (MPI_Wait(r, s) || error)
    return MPI_Waitall(2, r, s);
  // CHECK-FIXES: if (ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL | EK_PARTIAL, MPI_Wait(r, s)) || error)
  // CHECK-FIXES-NEXT: return ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL | EK_PARTIAL, MPI_Waitall(2, r, s));
  MPI_Test(r, &flag, s); // waits for nobody
  // CHECK-FIXES: MPI_Test(r, &flag, s); // waits for nobody
  MPI_Start(r), MPI_Wait(r, s);
  // CHECK-FIXES: ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL | EK_PARTIAL, MPI_Start(r)), ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL | EK_PARTIAL, MPI_Wait(r, s));
  CALL(MPI_Allreduce(a, a + 1, 1, 0,
                     0, MPI_COMM_WORLD));
  // CHECK-FIXES: CALL(ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL, MPI_Allreduce(a, a + 1, 1, 0,
  // CHECK-FIXES-NEXT: 0, MPI_COMM_WORLD)));
  SHOW(MPI_Barrier(0));
  flag = TWICE(MPI_Barrier(0));
  SYNC_ALL;
  // CHECK-FIXES: SHOW(MPI_Barrier(0));
  // CHECK-FIXES-NEXT: flag = TWICE(MPI_Barrier(0));
  // CHECK-FIXES-NEXT: SYNC_ALL;
  SYNC();
  // CHECK-FIXES: ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL, SYNC());
  for (int i = MPI_Bcast_c(a, 1L, 0, 0, 0); i < PMPI_Barrier(0); i++)
    flag++;
  // CHECK-FIXES: for (int i = ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL, MPI_Bcast_c(a, 1L, 0, 0, 0)); i < ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL, PMPI_Barrier(0)); i++)
#pragma omp parallel
  {
    MPI_Barrier(1);
#pragma omp single
    MPI_Barrier(2);
  }
  // CHECK-FIXES: ek_after(0x{{[0-9a-f]+}}ULL, EK_TEAM, MPI_Barrier(1));
  // CHECK-FIXES: ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL, MPI_Barrier(2));
  return pthread_barrier_wait(b) == PTHREAD_BARRIER_SERIAL_THREAD;
  // CHECK-FIXES: return ek_after(0x{{[0-9a-f]+}}ULL, EK_TEAM | EK_PARTIAL, pthread_barrier_wait(b)) == PTHREAD_BARRIER_SERIAL_THREAD;
}
void g(pthread_t *t, int n) {
  while (n--)
    pthread_join(t[n], 0);
  // CHECK-FIXES: ek_after(0x{{[0-9a-f]+}}ULL, EK_SERIAL | EK_PARTIAL, pthread_join(t[n], 0));
  (void)sizeof(MPI_Barrier(0)); // never called
}
CHECK_LINE(63);
// CHECK-INVENTORY: sync-mpi-collective wait-call.c:21:25 f {{[0-9a-f]+}} serial
// CHECK-INVENTORY-NEXT: sync-mpi-wait wait-call.c:23:7 f {{[0-9a-f]+}} serial
// CHECK-REPORT: 20 sync points: 15 hooked, 5 skipped (2 macro-body, 1 macro-stringised, 2 repeated-text)
