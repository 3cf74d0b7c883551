// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --hooks-only -- -fopenmp
// Who reaches a hook: one thread, or a team.
void work(int);

void orphan(int n) {
#pragma omp for
  for (int i = 0; i < n; i++) {
    work(i);
  }
#pragma omp taskwait
  work(0);
#pragma omp parallel
  {
#pragma omp barrier
#pragma omp parallel
    work(1);
#pragma omp master
    {
#pragma omp task
      {
#pragma omp taskwait
      }
#pragma omp taskwait
    }
#pragma omp taskgroup
    {
    }
#pragma omp master
    {
#pragma omp taskloop
      for (int i = 0; i < n; i++)
        work(i);
#pragma omp taskloop nogroup
      for (int i = 0; i < n; i++)
        work(i);
    }
  }
}
int main(void) {
#pragma omp taskwait
  return 0;
}
// CHECK-INVENTORY: sync-for hooks-context.c:6:1 orphan {{[0-9a-f]+}} team
// CHECK-INVENTORY-NEXT: sync-taskwait hooks-context.c:10:1 orphan {{[0-9a-f]+}} team
// CHECK-INVENTORY-NEXT: region hooks-context.c:12:1 orphan {{[0-9a-f]+}} parallel
// CHECK-INVENTORY-NEXT: sync-parallel hooks-context.c:12:1 orphan {{[0-9a-f]+}} serial
// CHECK-INVENTORY-NEXT: sync-barrier hooks-context.c:14:1 orphan {{[0-9a-f]+}} team
// CHECK-INVENTORY-NEXT: region hooks-context.c:15:1 orphan {{[0-9a-f]+}} parallel
// CHECK-INVENTORY-NEXT: sync-parallel hooks-context.c:15:1 orphan {{[0-9a-f]+}} team
// CHECK-INVENTORY-NEXT: region hooks-context.c:19:1 orphan {{[0-9a-f]+}} task
// CHECK-INVENTORY-NEXT: sync-taskwait hooks-context.c:21:1 orphan {{[0-9a-f]+}} serial
// CHECK-INVENTORY-NEXT: sync-taskwait hooks-context.c:23:1 orphan {{[0-9a-f]+}} serial
// CHECK-INVENTORY-NEXT: sync-taskgroup hooks-context.c:25:1 orphan {{[0-9a-f]+}} team
// CHECK-INVENTORY-NEXT: region hooks-context.c:30:1 orphan {{[0-9a-f]+}} taskloop # no-task-time
// CHECK-INVENTORY-NEXT: sync-taskloop hooks-context.c:30:1 orphan {{[0-9a-f]+}} serial
// CHECK-INVENTORY-NEXT: region hooks-context.c:33:1 orphan {{[0-9a-f]+}} taskloop # no-task-time
// CHECK-INVENTORY-NEXT: region hooks-context.c:39:0 main {{[0-9a-f]+}} serial
// CHECK-INVENTORY-NEXT: sync-taskwait hooks-context.c:40:1 main {{[0-9a-f]+}} serial
// CHECK-REPORT: 10 sync points: 10 hooked, 0 skipped
