// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --run=%eklib --hooks-only -- -fopenmp -std=c++20
// Directives in attributes, and such as are chosen by a metadirective.
#include <cstdio>
static double x[1000];

static void attributes(long n) {
  [[omp::directive(parallel for)]]
  for (long i = 0; i < n; i++)
    x[i] += 1;
  // CHECK-FIXES: x[i] += 1;
  // CHECK-FIXES: ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); if (n > 1) {
  if (n > 1)
    [[ omp :: directive (parallel num_threads(2)) ]] {
      [[using omp: directive(for)]] for (long i = 0; i < n; i++) {
        x[i] += 2;
      }
      // CHECK-FIXES: } ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM);
      [[omp::directive(barrier)]];
      // CHECK-FIXES: {{\[\[}}omp::directive(barrier){{\]\]}}; ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM);
      [[omp::directive(single nowait)]] x[1] += 2;
    }
  // CHECK-FIXES: } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL); }
  [[omp::sequence(directive(parallel), omp::directive(for))]]
  for (long i = 0; i < n; i++) {
    x[i] += 3;
  }
  // CHECK-FIXES: x[i] += 3;
  // CHECK-FIXES-NEXT: } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);
}

static void chosen(long n) {
#pragma omp metadirective when(device={kind(cpu)} : parallel for) default(for)
  for (long i = 0; i < n; i++) {
    x[i] += 4;
  }
  // CHECK-FIXES: x[i] += 4;
  // CHECK-FIXES-NEXT: } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);
#pragma omp metadirective when(user={condition(n > 10)} : parallel for) \
    default()
  for (long i = 0; i < n; i++) {
    x[i] += 5;
  }
  // CHECK-FIXES: x[i] += 5;
  // CHECK-FIXES-NEXT: } ek_sync(0x{{[0-9a-f]+}}ULL, EK_SERIAL);
#pragma omp parallel
  {
    if (n > 2)
#pragma omp metadirective when(user={condition(n > 10)} : for) default(nothing)
      for (long i = 0; i < 1; i++)
        x[2] = 6;
    // CHECK-FIXES: if (n > 2) {
    // CHECK-FIXES: x[2] = 6;
    // CHECK-FIXES: ek_sync(0x{{[0-9a-f]+}}ULL, EK_TEAM); }
#pragma omp metadirective when(user={condition(n > 10)} : simd) default(for nowait)
    for (long i = 0; i < 1; i++) {
      x[3] = 7;
    }
    // CHECK-FIXES: x[3] = 7;
    // CHECK-FIXES-NEXT: }
  }
}

int main() {
  attributes(1000);
  chosen(1000);
  std::printf("%g %g %g\n", x[2], x[3], x[999]);
}
// CHECK-INVENTORY: sync-parallel hooks-attributes.cpp:7:20 attributes {{[0-9a-f]+}} serial
// CHECK-REPORT: 10 sync points: 9 hooked, 1 skipped (1 attribute-sequence)
