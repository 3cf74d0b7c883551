// Sampled recording: small variables on the stack are no objects, also where
// only a caller shows that a pointer is to one: shared variables of a parallel
// body, and variables that they point to. Heap memory that is passed in the
// same way is tested, and so are pointers from elsewhere. Relaxed atomic
// updates are tested after the update, others before it.
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record EVENKEEL_RECORD_MODE=sampled %clang -O2 -g -fopenmp -fpass-plugin=%ekpass -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR
// RUN: env EVENKEEL_ROOT=%S EVENKEEL_PASS=record EVENKEEL_RECORD_MODE=sampled %clang -O2 -g -fopenmp -fpass-plugin=%ekpass %s -o %t.rec -L%eklib -levenkeel-record -Wl,-rpath,%eklib
// RUN: rm -f %t.raw* && env EVENKEEL_RAW=%t.raw %t.rec 2>&1 | FileCheck %s
#include <stdio.h>
#include <stdlib.h>

struct job {
  long words, step;
};

// IR-LABEL: define {{.*}} @ordered(
// IR: br i1
// IR: call void @__ek_rec_sample(
// IR: atomicrmw add {{.*}} acq_rel
// IR-NOT: call void @__ek_rec_sample(
// IR: {{^}}}
__attribute__((noinline)) long ordered(long *p) {
  return __atomic_fetch_add(p, 1, __ATOMIC_ACQ_REL);
}

// IR-LABEL: define internal void @local.omp_outlined(
// IR-NOT: @__ek_rec_sample(
// IR: {{^}}}
static __attribute__((noinline)) void local(const struct job *job) {
#pragma omp parallel
  {
    long sum = 0;
    for (long i = 0; i < job->words; i += job->step) {
      __asm__ volatile("" ::: "memory");
      sum += i;
    }
#pragma omp critical
    printf("%ld\n", sum);
  }
}

// The array is one access; `to` and `n` are none.
// IR-LABEL: define internal void @update.omp_outlined(
// IR: atomicrmw add
// IR-NEXT: {{%.*}} = ptrtoint
// IR: br i1
// IR: call void @__ek_rec_sample(
// IR-NOT: call void @__ek_rec_sample(
// IR: {{^}}}
static __attribute__((noinline)) void update(long *to, long n) {
#pragma omp parallel
  {
    for (long i = 0; i < n; i++) {
#pragma omp atomic
      to[i * 7919 % n]++;
    }
  }
}

// The variable may point anywhere.
// IR-LABEL: define internal void @elsewhere.omp_outlined(
// IR: call void @__ek_rec_sample(
// IR: {{^}}}
long *given;
static __attribute__((noinline)) void elsewhere(long n) {
  long own[2] = {1, 2}, *p = n > 3 ? given : own;
#pragma omp parallel
  {
    for (long i = 0; i < n; i++) {
      __asm__ volatile("" ::: "memory");
      *p += i;
    }
  }
}

// Small variables do not count as lines that a loop passes either: no record
// contains the position of the stack.
// IR-LABEL: define internal void @table.omp_outlined(
// IR-NOT: @__ek_rec_loop
// IR: {{^}}}
struct table {
  double weight[200];
};
static __attribute__((noinline)) double table(const struct table *t) {
  double all = 0;
#pragma omp parallel reduction(+ : all)
  {
    double sum = 0;
    for (int i = 0; i < 200; i++)
      sum += t->weight[i];
    all += sum;
  }
  return all;
}

// CHECK: sampled: about {{[1-9][0-9]*}} accesses recorded
int main(void) {
  struct job j = {1000, 3};
  long n = 100000, *x = calloc(n, sizeof(long));
  local(&j);
  update(x, n);
  given = x;
  elsewhere(5);
  struct table t = {{1, 2, 3}};
  printf("%g\n", table(&t));
  return (int)ordered(x) < 0;
}
