// Sampled addresses. Page faults work wherever the kernel permits them: each
// first touch of an object's page, by any thread, is a sample of the object's
// site. Loads need a processor that samples them; else the reason is reported.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang -O1 %s -I %ekinclude -L %eklib -levenkeel -Wl,-rpath,%eklib -o %t/program -pthread
// RUN: env EVENKEEL_SAMPLES=faults EVENKEEL_SUMMARY=%t/f EVENKEEL_SUMMARY_JSON=%t/f.json %t/program
// RUN: %python -c "import json; s = json.load(open('%t/f.json')); n = {x['site'][-2:]: x['samples'] for x in s['samples']}; assert 'samples-unavailable' in s['fallbacks'] or (200 <= n['41'] <= 300 and n['00'] > 0 and '42' not in n), (n, s['fallbacks'])"
// RUN: env EVENKEEL_SAMPLES=loads EVENKEEL_SUMMARY=%t/l EVENKEEL_SUMMARY_JSON=%t/l.json %t/program
// RUN: %python -c "import json; s = json.load(open('%t/l.json')); assert ('samples-unavailable' in s['fallbacks']) == ('no samples: ' in open('%t/l').read()), s"
// RUN: env EVENKEEL_SAMPLES=nonsense EVENKEEL_SUMMARY=1 %t/program 2>&1 | FileCheck --check-prefix=NONSENSE %s
// NONSENSE: evenkeel: EVENKEEL_SAMPLES=nonsense is not loads or faults; using the default ''
// NONSENSE-NOT: no samples
// NONSENSE: bad-option: 1 options
// RUN: env EVENKEEL_SUMMARY=%t/o %t/program
// RUN: not grep -i sampl %t/o
// UNSUPPORTED: sanitize
#include <evenkeel/ek.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

static void *touch(void *p) { return memset(p, 1, 1 << 19); }

int main(void) {
  pthread_t other;
  char *p = ek_malloc(0x41, 1 << 20), *q = ek_malloc(0x42, 1 << 20);
  madvise(p, 1 << 20, MADV_NOHUGEPAGE);
  madvise(q, 1 << 20, MADV_NOHUGEPAGE);
  pthread_create(&other, 0, touch, p);
  pthread_join(other, 0);
  touch(p + (1 << 19));
  ek_sync(1, EK_SERIAL);
  ek_free(p);
  ek_free(q);
  return 0;
}
