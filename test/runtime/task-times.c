// Task times: from libomp what no call in the source brackets, without waits;
// from libgomp nothing of that, which is counted.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang -O1 -fopenmp %s -I %ekinclude -L %eklib -levenkeel -Wl,-rpath,%eklib -o %t/clang
// RUN: env EVENKEEL_SUMMARY_JSON=%t/s.json %t/clang
// RUN: python3 -c "import json; s = json.load(open('%t/s.json')); t = [x['seconds'] for x in s['teams'] if x['ended_by'] == '0000000000000010']; r = [x for x in s['regions'] if x['region'] == '0000000000000020']; assert len(t) == 4 and all(t[i] >= .0195 * (i + 1) for i in range(4)) and t[0] < .75 * t[3], s; assert all(x['times'] == 2 for x in s['teams'] if x['ended_by'] == '0000000000000010'), s; assert len(r) == 2 and r[0]['waits'] == 0 and r[0]['seconds'] < .75 * r[1]['seconds'], s; assert 'no-task-time' not in s['fallbacks'], s"
// RUN: gcc -O1 -fopenmp %s -I %ekinclude -L %eklib -levenkeel -Wl,-rpath,%eklib -o %t/gcc
// RUN: env EVENKEEL_SUMMARY_JSON=%t/g.json %t/gcc
// RUN: python3 -c "import json; s = json.load(open('%t/g.json')); assert not s['teams'] and 'no-task-time' in s['fallbacks'], s; assert [x['waits'] for x in s['regions']] == [1, 1], s"
// REQUIRES: gcc
// UNSUPPORTED: sanitize
#include <evenkeel/ek.h>
#include <time.h>

static void rest(int ms) {
  struct timespec t = {0, ms * 1000000L};
  nanosleep(&t, 0);
}

int main(void) {
  for (int round = 0; round < 2; ++round) {
#pragma omp parallel for num_threads(4) schedule(static, 1)
    for (int i = 0; i < 4; ++i) {
      rest(10 * (i + 1));
    } ek_sync(0x10, EK_SERIAL);
  }
#pragma omp parallel num_threads(2)
  { ek_region_begin(0x20);
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 2; ++i) {
      rest(50 * i + 1);
    } ek_sync(0x21, EK_TEAM);
  } ek_region_end(0x20); } ek_sync(0x22, EK_SERIAL);
  return 0;
}
