// In C++, kept sources have macros for new, containers and wrappers; without
// Evenkeel they are what was there.
// RUN: rm -rf %t && mkdir -p %t && sed '/RUN:/d;/CHECK/d' %s > %t/a.cpp && cd %t
// RUN: echo 'DisableFormat: true' > .clang-format
// RUN: python3 %S/Inputs/database.py %t %clangxx a.cpp -- -fopenmp
// RUN: evenkeel-rewrite -p . --root . --style kept -o kept 2> report
// RUN: FileCheck %s --input-file=kept/a.cpp
// RUN: FileCheck %s --input-file=report --check-prefix=CHECK-REPORT
// RUN: evenkeel-rewrite -p kept --root kept --style kept --diff | count 0
// RUN: %clangxx -Wall -Werror -fopenmp a.cpp -o was && ./was > was.txt
// RUN: %clangxx -Wall -Werror -fopenmp kept/a.cpp -o plain && ./plain | diff was.txt -
// RUN: %gxx -Wall -Werror -fopenmp kept/a.cpp -o plain && ./plain | diff was.txt -
// RUN: %gxx -Wall -Werror -fopenmp -I%ekinclude -c kept/a.cpp -o with.o
// RUN: %ekcxx -fopenmp kept/a.cpp -o with && ./with | diff was.txt -
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

struct Field {
  double *data;
  explicit Field(std::size_t n) : data(new double[n]()) {}
  ~Field() { delete[] data; }
};

static double *need(std::size_t n) {
  return static_cast<double *>(std::calloc(n, sizeof(double)));
}

template <class T> T *make(std::size_t n) { return new T[n]; }

int main(int argc, char **) {
  std::size_t n = 100000 * argc;
  std::vector<double> v;
  v.resize(n);
  double *p = new double[n];
  double *q = new (std::nothrow) double[n];
  double *r = need(n);
  int *t = make<int>(n);
  Field f(n);
#pragma omp parallel for
  for (std::size_t i = 0; i < n; i++)
    p[i] = q[i] = r[i] = v[i] + i;
  std::printf("%g %zu\n", p[7] + q[3] + r[2] + f.data[1], n);
  delete[] p;
  delete[] q;
  std::free(r);
  delete[] t;
  return 0;
}
// CHECK: : data(EK_NEW(Field_new) double[n]()) {}
// CHECK: static_cast<double *>(ek_calloc(EK_SITE(need_calloc), n, sizeof(double)));
// CHECK: return EK_NEW(make_new) T[n];
// CHECK: EK_AT(main_v, v).resize(n);
// CHECK: double *p = EK_NEW(main_p) double[n];
// CHECK: double *q = EK_NEW_WITH(main_q, std::nothrow) double[n];
// CHECK: double *r = EK_CALLED(main_r, need(n));
// CHECK: int *t = EK_CALLED(main_t, make<int>(n));
// CHECK: EK_REGION_VALUES(main_parallel, n);
// CHECK-NEXT: #pragma omp parallel for
// CHECK: ek_sync(EK_SYNC(main_parallel), EK_SERIAL);
// CHECK: delete[] p;
// CHECK-NEXT: delete[] q;
// CHECK-NEXT: std::free(r);

// CHECK-REPORT: 6 sites: 6 rewritten
// CHECK-REPORT: kept-style: a.cpp:{{.*}} (Field::Field)
