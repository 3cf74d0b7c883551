// Task times of work that no call in the source encloses, without waits: from
// libomp, and by interposing libgomp; otherwise the tasks are counted as
// missing. A thread's time is its work (work_clock.h), so waits and a busy
// computer add nothing.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang -O1 -fopenmp %s -I %ekinclude -L %eklib -levenkeel -Wl,-rpath,%eklib -o %t/clang
// RUN: env EVENKEEL_SUMMARY_JSON=%t/s.json %t/clang
// RUN: python3 -c "import json; s = json.load(open('%t/s.json')); t = [x['seconds'] for x in s['teams'] if x['ended_by'] == '0000000000000010']; r = [x for x in s['regions'] if x['region'] == '0000000000000020']; assert len(t) == 4 and all(abs(t[i] - .02 * (i + 1)) < 1e-9 for i in range(4)), s; assert all(x['times'] == 2 for x in s['teams'] if x['ended_by'] == '0000000000000010'), s; assert len(r) == 2 and [(x['waits'], round(x['seconds'], 9)) for x in r] == [(0, .001), (0, .051)], s; assert 'no-task-time' not in s['fallbacks'], s"
// RUN: gcc -O1 -fopenmp %s -I %ekinclude -L %eklib -levenkeel -Wl,-rpath,%eklib -o %t/gcc
// RUN: env EVENKEEL_SUMMARY_JSON=%t/g.json %t/gcc
// RUN: python3 -c "import json; s = json.load(open('%t/g.json')); t = [x['seconds'] for x in s['teams'] if x['ended_by'] == '0000000000000010']; r = [x for x in s['regions'] if x['region'] == '0000000000000020']; assert len(t) == 4 and all(abs(t[i] - .02 * (i + 1)) < 1e-9 for i in range(4)), s; assert all(x['times'] == 2 for x in s['teams'] if x['ended_by'] == '0000000000000010'), s; assert len(r) == 2 and [(x['waits'], round(x['seconds'], 9)) for x in r] == [(0, .001), (0, .051)], s; assert 'no-task-time' not in s['fallbacks'], s"
// RUN: gcc -O1 -fopenmp %s -I %ekinclude -lgomp -L %eklib -levenkeel -Wl,-rpath,%eklib -o %t/behind
// RUN: env EVENKEEL_SUMMARY_JSON=%t/b.json %t/behind
// RUN: python3 -c "import json; s = json.load(open('%t/b.json')); assert not s['teams'] and 'no-task-time' in s['fallbacks'], s; assert [x['waits'] for x in s['regions']] == [1, 1], s"
// REQUIRES: gcc
// UNSUPPORTED: sanitize
#include "Inputs/work_clock.h"

static void rest(int ms) { clock_work((uint64_t)ms * 1000000); }

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
