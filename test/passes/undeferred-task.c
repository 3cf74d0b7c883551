// RUN: %bitcode %s -o %t.bc && %ekopt -passes='print<ek-inventory>' -disable-output %t.bc | FileCheck %s
// A task that its thread executes at once waits for its dependences: that is no
// wait in the source. `taskwait depend` is one.
void work(double *to, const double *from);
void both(double *a, double *b, int large) {
#pragma omp task depend(out : a[0])
  work(a, b);
#pragma omp task depend(in : a[0]) depend(out : b[0]) if (large)
  work(b, a);
#pragma omp taskwait depend(in : b[0])
  work(a, b);
#pragma omp taskwait
}
// CHECK-NOT: sync-taskwait {{.*}}undeferred-task.c:8:
// CHECK: sync-taskwait {{.*}}undeferred-task.c:10:
// CHECK-NEXT: sync-taskwait {{.*}}undeferred-task.c:12:
// CHECK-NOT: sync-taskwait
