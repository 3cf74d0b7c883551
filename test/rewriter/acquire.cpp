// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --acquire --run=%eklib -- -fopenmp -std=c++17
// The same in C++: members, references, templates; and target regions.
#include <cstdio>
#include <vector>

struct Grid {
  double *now, *next;
  long n;

  void step() {
#pragma omp task depend(in : now[0 : n]) depend(out : next[0])
    {
      for (long i = 1; i < n; i++)
        next[i] = now[i] + now[i - 1];
    }
  // CHECK-FIXES: {{.*}}{ ek_need ek_needs_[] = {EK_RANGE(now, n * sizeof now[0], EK_READ), EK_OBJECT(next, sizeof next[0], EK_READ_WRITE)}; ek_announce(0x{{[0-9a-f]+}}ULL, ek_needs_, 2);
#pragma omp taskwait
  }
};

template <class T> void scale(T *x, long n) {
#pragma omp task depend(inout : x[0 : n])
  for (long i = 0; i < n; i++)
    x[i] *= 2;
  // CHECK-FIXES: {{.*}}{ ek_need ek_needs_[] = {EK_RANGE(x, n * sizeof x[0], EK_READ_WRITE)}; ek_announce(0x{{[0-9a-f]+}}ULL, ek_needs_, 1);
#pragma omp taskwait
}

static void grow(double (&v)[8]) {
#pragma omp task depend(inout : v[0]) shared(v)
  {
    for (double &x : v)
      x += 1;
    for (int i = 0; i < 8; i++)
      v[i] *= 2;
  }
  // CHECK-FIXES: {{.*}}{ ek_need ek_needs_[] = {EK_RANGE(v, 8 * sizeof v[0], EK_READ_WRITE)}; ek_announce(0x{{[0-9a-f]+}}ULL, ek_needs_, 1);
#pragma omp taskwait
}

static void device(double *a, double *b, long n) {
#pragma omp target map(to : a[0 : n]) map(from : b[0 : n])
  for (long i = 0; i < n; i++)
    b[i] = a[i] * 2;
  // CHECK-FIXES: {{.*}}{ ek_need ek_needs_[] = {EK_RANGE(a, n * sizeof a[0], EK_READ), EK_RANGE(b, n * sizeof b[0], EK_WRITE)}; ek_acquire_all(0x{{[0-9a-f]+}}ULL, ek_needs_, 2);
  // CHECK-FIXES-NEXT: #line {{.*}}
  // CHECK-FIXES-NEXT: #pragma omp target map(to : a[0 : n]) map(from : b[0 : n])
  if (n > 3)
#pragma omp target map(tofrom : a[0 : n])
    for (long i = 0; i < n; i++)
      a[i] += 1;
  // CHECK-FIXES: {{.*}}{ ek_need ek_needs_[] = {EK_RANGE(a, n * sizeof a[0], EK_READ_WRITE)}; ek_acquire_all(0x{{[0-9a-f]+}}ULL, ek_needs_, 1);
  // CHECK-FIXES: {{.*}}ek_release_all(0x{{[0-9a-f]+}}ULL, ek_needs_, 1); }{{.*}}
}

int main() {
  std::vector<double> v(1000, 1), w(1000), u(1000);
#pragma omp parallel
#pragma omp single
  {
    Grid g = {v.data(), w.data(), 1000};
    g.step();
    scale(w.data(), 1000);
    grow(*(double(*)[8])w.data());
    device(w.data(), u.data(), 1000);
  }
  std::printf("%g %g %g\n", v[1], w[999], u[0] + u[999]);
  return 0;
}
