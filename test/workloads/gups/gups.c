/*===- gups.c - RandomAccess: updates of a table at random words ----------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The HPC Challenge's RandomAccess (Luszczek et al. 2006) in shared memory: a
 * table of 2^LOG2 words takes four updates a word, table[r mod size] ^= r,
 * where r runs through the powers of x in GF(2)[x] / (x^64 + x^2 + x + 1). Each
 * thread has one stretch of the sequence and looks 1024 updates ahead, as the
 * rules allow; updates are atomic, so none is lost and the result is the same
 * for any number of threads. `--verify` runs all updates once more, which must
 * bring the table back to its start.
 *
 *   gups LOG2 [--out FILE] [--verify]
 *===----------------------------------------------------------------------===*/
#define PROGRAM "gups"
#include "../common/support.h"
#include <omp.h>

enum { LOOK_AHEAD = 1024, UPDATES_PER_WORD = 4 };

static uint64_t times_x(uint64_t r) { return r << 1 ^ (r >> 63 ? 7 : 0); }

static uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  for (; b; b >>= 1, a = times_x(a))
    if (b & 1)
      product ^= a;
  return product;
}

/* Element n of the sequence: x^n. */
static uint64_t element(uint64_t n) {
  uint64_t power = 1, square = 2;
  for (; n; n >>= 1, square = times(square, square))
    if (n & 1)
      power = times(power, square);
  return power;
}

static void start(uint64_t *table, uint64_t size) {
#pragma omp parallel for schedule(static)
  for (uint64_t i = 0; i < size; i++)
    table[i] = i;
}

static void update(uint64_t *table, uint64_t size) {
  uint64_t updates = UPDATES_PER_WORD * size;
#pragma omp parallel
  {
    uint64_t team = (uint64_t)omp_get_num_threads();
    uint64_t me = (uint64_t)omp_get_thread_num();
    uint64_t from = updates / team * me + updates % team * me / team;
    uint64_t to = updates / team * (me + 1) + updates % team * (me + 1) / team;
    uint64_t r = element(from), ahead[LOOK_AHEAD];
    while (from < to) {
      uint64_t n = to - from < LOOK_AHEAD ? to - from : LOOK_AHEAD;
      for (uint64_t k = 0; k < n; k++)
        ahead[k] = r = times_x(r);
      for (uint64_t k = 0; k < n; k++) {
        uint64_t *word = &table[ahead[k] & (size - 1)];
#pragma omp atomic
        *word ^= ahead[k];
      }
      from += n;
    }
  }
}

static uint64_t changed(const uint64_t *table, uint64_t size) {
  uint64_t wrong = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong)
  for (uint64_t i = 0; i < size; i++)
    wrong += table[i] != i;
  return wrong;
}

int main(int argc, char **argv) {
  struct options o = take_options(&argc, argv);
  const char *usage = "LOG2 [--out FILE] [--verify]";
  int64_t log2size = number(argc == 2 ? argv[1] : "", 4, 40, usage);
  uint64_t size = UINT64_C(1) << log2size;
  uint64_t *table = need(malloc(size * sizeof(uint64_t)));
  start(table, size);
  update(table, size);

  uint64_t sum = 0;
  for (uint64_t i = 0; i < size; i++)
    sum += table[i] * (2 * i + 1);
  printf(
      "%llu words, %llu updates: checksum %016llx\n", (unsigned long long)size,
      (unsigned long long)(UPDATES_PER_WORD * size), (unsigned long long)sum);
  if (o.out)
    write_out(o.out, table, size * sizeof(uint64_t));
  int status = 0;
  if (o.verify) {
    update(table, size);
    status = judge("words that differ once all updates are undone",
                   (double)changed(table, size), 0);
  }
  free(table);
  return status;
}
