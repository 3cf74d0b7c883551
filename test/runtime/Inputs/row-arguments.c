//===- row-arguments.c - what every build of ek_rows.h promises -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <evenkeel/ek_rows.h>

#include <stdint.h>
#include <stdio.h>

static int failures;
static void expect(int holds, const char *what) {
  if (!holds) {
    printf("not so: %s\n", what);
    ++failures;
  }
}

int main(void) {
  ek_rows *t = NULL;
  expect(ek_rows_open(NULL, 4, 64, NULL) == EINVAL, "no place for a table");
  expect(ek_rows_open(&t, 4, 0, NULL) == EINVAL, "rows without bytes");
  expect(ek_rows_open(&t, (ek_size)1 << 33, 1, NULL) == EOVERFLOW, "too many");
  expect(ek_rows_open(&t, 1000, SIZE_MAX / 999, NULL) == EOVERFLOW,
         "too large");
  char own[4 * 64];
  const ek_rows_options good = {.size = sizeof good, .home = own};
  ek_rows_options bad = good;
  expect(ek_rows_open(&t, 1000, SIZE_MAX / 999, &good) == EOVERFLOW,
         "too large, with an array");
  bad.size = 1;
  expect(ek_rows_open(&t, 4, 64, &bad) == EINVAL, "options of another size");
  bad = good, bad.flags = 99;
  expect(ek_rows_open(&t, 4, 64, &bad) == EINVAL, "unknown flags");
  bad = good, bad.decay = 5;
  expect(ek_rows_open(&t, 4, 64, &bad) == EINVAL, "decay above 1");
  expect(!t, "no table");

  expect(ek_rows_open(&t, 100000, 64, NULL) == 0, "opened");
  expect((uintptr_t)ek_row(t, 1) % 64 == 0, "rows of 64 bytes are aligned");
  char counts[2 * sizeof(ek_rows_counts)];
  expect(ek_rows_count(t, (ek_rows_counts *)counts, sizeof counts) == EINVAL,
         "counts of another size");
  ek_rows_close(t);
  return failures != 0;
}
