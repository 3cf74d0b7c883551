// RUN: %bitcode %s -o %t.bc && %ekopt -passes='function(mem2reg),ek-inventory,print<ek-calls>' -disable-output %t.bc | FileCheck %s
// Which functions run on teams, and parallel bodies that a team's tasks start.
double sum[64];
static void add(int i) { sum[i] += 1; }
static void inner(int i) {
#pragma omp parallel num_threads(2)
  add(i);
}
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 64; i++)
    inner(i);
  return sum[0] > 64;
}

// CHECK-DAG: {{^}}function main live{{$}}
// CHECK-DAG: {{^}}function inner live on-team calls inner.omp_outlined{{( |$)}}
// CHECK-DAG: {{^}}function inner.omp_outlined live on-team forked-by-team calls inner.omp_outlined_debug__{{$}}
// CHECK-DAG: {{^}}function add live on-team writes sum{{$}}
