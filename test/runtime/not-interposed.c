// Another allocator precedes the runtime's: nothing is placed, and hooks do
// nothing for a plan with moves, nor for one that could be made again.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang -shared -fPIC -DOTHER %s -o %t/libother.so
// RUN: %clang -O1 %s -I %ekinclude -L %eklib -levenkeel -Wl,-rpath,%eklib -o %t/program
// RUN: python3 -c "import json; o = {'site': '0000000000000001', 'at': '', 'creator': None, 'ordinal': None, 'share': 1, 'ranges': [], 'gain_s': 1, 'reason': ''}; json.dump({'schema': 'evenkeel.plan/1', 'program': '', 'planner': '', 'model': '', 'machine': '', 'fast_bytes': 1048576, 'objects': [o], 'changes': [{'phase': k, 'objects': [dict(o, share=k %% 2)]} for k in (1, 2)], 'predicted': {'makespan_s': 1, 'phases': [{'phase': k, 'region': '0000000000000002', 'sync': '0000000000000010', 'sync_at': 'waves.c:48 sweep', 'seconds': 1} for k in range(4)]}}, open('%t/plan.json', 'w'))"
// RUN: env LD_PRELOAD=%t/libother.so EVENKEEL_PLAN=%t/plan.json EVENKEEL_TIERS=fast=1MiB,slow=64MiB EVENKEEL_SUMMARY=%t/s %t/program
// RUN: FileCheck %s < %t/s
// CHECK: not-interposed: 1 runs
// RUN: env EVENKEEL_PLAN=%t/plan.json EVENKEEL_TIERS=fast=1MiB,slow=64MiB EVENKEEL_SUMMARY=%t/s %t/program
// RUN: FileCheck --check-prefix=OURS %s < %t/s
// OURS: moved {{[1-9][0-9]*}} pages
// OURS: phase {{ *}}times {{ *}}predicted s
// OURS-NEXT: after waves.c:48 sweep {{.*}} 4
// UNSUPPORTED: sanitize
#ifdef OTHER
#include <stddef.h>
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t k, size_t n);
void *__libc_realloc(void *p, size_t n);
void __libc_free(void *p);
void *malloc(size_t n) { return __libc_malloc(n); }
void *calloc(size_t k, size_t n) { return __libc_calloc(k, n); }
void *realloc(void *p, size_t n) { return __libc_realloc(p, n); }
void free(void *p) { __libc_free(p); }
#else
#include <evenkeel/ek.h>

int main(void) {
  char *p = ek_malloc(1, 1 << 19);
  for (int i = 0; i < 1 << 19; ++i)
    p[i] = 1;
  for (int phase = 0; phase < 4; ++phase)
    ek_sync(0x10, EK_SERIAL);
  int sum = 0;
  for (int i = 0; i < 1 << 19; ++i)
    sum += p[i];
  ek_free(p);
  return sum != 1 << 19;
}
#endif
