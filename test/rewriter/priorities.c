// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --priorities -- -fopenmp -std=c99
// Tasks get priorities by the longest chain of dependences to them.
void work(double *to, const double *from);

void tree(double *a, double *b, double *c, double *d, double *e, double *own) {
#pragma omp task depend(out : a[0])
  work(a, own);
#pragma omp task depend(out : b[0])
  work(b, own);
#pragma omp task depend(in : a[0]) depend(out : c[0:8])
  work(c, a);
#pragma omp task depend(in : b[0]) depend(out : d[0])
  work(d, b);
#pragma omp task depend(in : c[2], d[0]) depend(out : e[0]) if (a != b)
  work(e, d);
#pragma omp task depend(in : c[0]) priority(9)
  work(own, c);
#pragma omp task
  work(own, own);
#pragma omp taskwait
  // CHECK-FIXES: #pragma omp task depend(out : a[0]) priority(1)
  // CHECK-FIXES: #pragma omp task depend(out : b[0]) priority(1)
  // CHECK-FIXES: #pragma omp task depend(in : a[0]) depend(out : c[0:8]) priority(2)
  // CHECK-FIXES: #pragma omp task depend(in : b[0]) depend(out : d[0]) priority(2)
  // CHECK-FIXES: #pragma omp task depend(in : c[2], d[0]) depend(out : e[0]) priority(3) if (a != b)
  // CHECK-FIXES: #pragma omp task depend(in : c[0]) priority(9)
  // CHECK-FIXES: #pragma omp task
}

struct grid {
  double *now, *next;
};

// Names of one array are the same data; what follows in a loop's next iteration
// does not count. A task inside another one is deeper.
void layers(double **in, double **left, struct grid *g, int n) {
  for (int l = 0; l < n; l++) {
    double *x = in[l], *y = *(in + l + 1), *a = &left[l][0];
#pragma omp task depend(in : x[0]) depend(out : a[0])
    {
      work(a, x);
#pragma omp task depend(inout : g->now[0])
      work(g->now, g->now);
#pragma omp taskwait
    }
#pragma omp task depend(in : *a) depend(out : y[0])
    work(y, a);
  }
#pragma omp taskwait
  // CHECK-FIXES: #pragma omp task depend(in : x[0]) depend(out : a[0]) priority(1)
  // CHECK-FIXES: #pragma omp task depend(inout : g->now[0]) priority(2)
  // CHECK-FIXES: #pragma omp task depend(in : *a) depend(out : y[0]) priority(2)
}

#define TASK _Pragma("omp task depend(out : a[0])")
void hidden(double *a) {
  TASK
  work(a, a);
#pragma omp taskwait
}
// CHECK-REPORT: 8 tasks have priorities up to 3; OMP_MAX_TASK_PRIORITY=3 puts them into force
// CHECK-REPORT-NEXT: {{.*}}no priority: priorities.c:{{[0-9]+}}:{{[0-9]+}} (task)
