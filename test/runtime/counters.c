// Counters of tasks, by a stand-in for PAPI: each reading is 1000 instructions
// and 2000 cycles more; it has no misses. A region's counts exclude those of
// the regions inside it.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang -shared -fPIC -DPAPI %s -o %t/libpapi.so.7.0
// RUN: %clang -O1 %s -I %ekinclude -L %eklib -levenkeel -Wl,-rpath,%eklib -o %t/program
// RUN: env LD_LIBRARY_PATH=%t EVENKEEL_COUNTERS=1 EVENKEEL_SUMMARY=%t/s EVENKEEL_SUMMARY_JSON=%t/s.json %t/program
// RUN: python3 -c "import json; s = json.load(open('%t/s.json')); r = {x['region'][-2:]: x for x in s['regions']}; assert [(r[i]['instructions'], r[i]['cycles'], r[i]['llc_misses']) for i in ('20', '21')] == [(2000, 4000, None), (1000, 2000, None)], s; assert 'counters-unavailable' not in s['fallbacks'], s"
// RUN: FileCheck %s < %t/s
// CHECK: region{{ +}}instructions{{ +}}cycles{{ +}}llc_misses
// CHECK-NEXT: 0000000000000020{{ +}}2000{{ +}}4000{{ +}}-
// A library of another version, or the one of this computer: the runtime
// reports why it does not count, or counts; it reports nothing unless counters
// are on.
// RUN: env LD_LIBRARY_PATH=%t OLD=1 EVENKEEL_COUNTERS=1 EVENKEEL_SUMMARY=%t/o EVENKEEL_SUMMARY_JSON=%t/o.json %t/program
// RUN: FileCheck --check-prefix=OLD %s < %t/o
// OLD: no counters: the PAPI library has another version
// OLD: counters-unavailable: 1 runs
// RUN: env EVENKEEL_COUNTERS=1 EVENKEEL_SUMMARY_JSON=%t/h.json %t/program
// RUN: python3 -c "import json; s = json.load(open('%t/h.json')); assert ('counters-unavailable' in s['fallbacks']) != ('cycles' in s['regions'][0]), s"
// RUN: env EVENKEEL_SUMMARY_JSON=%t/n.json %t/program
// RUN: python3 -c "import json; s = json.load(open('%t/n.json')); assert 'counters-unavailable' not in s['fallbacks'] and 'cycles' not in s['regions'][0], s"
// REQUIRES: papi
// UNSUPPORTED: sanitize
#ifdef PAPI
#include <papi.h>
#include <stdlib.h>

static long long readings;
int PAPI_library_init(int version) {
  return getenv("OLD") ? PAPI_VERSION_NUMBER(5, 0, 0, 0) : version;
}
int PAPI_thread_init(unsigned long (*id)(void)) { return PAPI_OK; }
int PAPI_create_eventset(int *set) { return *set = 1, PAPI_OK; }
int PAPI_add_event(int set, int event) {
  return event == PAPI_L3_TCM ? PAPI_ENOEVNT : PAPI_OK;
}
int PAPI_start(int set) { return PAPI_OK; }
int PAPI_read(int set, long long *values) {
  ++readings;
  values[0] = 1000 * readings;
  values[1] = 2000 * readings;
  return PAPI_OK;
}
#else
#include <evenkeel/ek.h>

int main(void) {
  ek_region_begin(0x20);
  ek_region_begin(0x21);
  ek_region_end(0x21);
  ek_region_end(0x20);
  return 0;
}
#endif
