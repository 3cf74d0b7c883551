/* dwell.c - phases that each dwell on other parts of memory
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * dwell ADDRESS MIB PHASES SECONDS
 * Like masim: MIB MiB at ADDRESS in eight parts. In a phase, half of the
 * accesses go to one part, half of the rest to the next one, and so on; each
 * phase begins with another part, and takes SECONDS, whoever else computes.
 * Accesses are words of random pages, about one in a thousand instructions, so
 * that a window of a few milliseconds sees nearly all pages of the first part and
 * few of the last one.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { PARTS = 8, PAGE = 4096, SPIN = 150, BETWEEN_LOOKS = 256 };

static uint64_t state = 88172645463325252u;

static uint32_t pick(uint32_t below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 32) * below >> 32);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  if (argc != 5)
    return 2;
  size_t bytes = strtoul(argv[2], NULL, 0) << 20;
  unsigned phases = (unsigned)atoi(argv[3]);
  double seconds = atof(argv[4]), begin = now();
  char *memory = mmap((void *)strtoul(argv[1], NULL, 0), bytes,
                      PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED) {
    perror("mmap");
    return 1;
  }
  for (size_t at = 0; at < bytes; at += PAGE)
    memory[at] = 1;
  size_t part = bytes / PARTS;
  for (unsigned phase = 0; phase < phases; ++phase)
    for (unsigned i = 0; i % BETWEEN_LOOKS || now() < begin + (phase + 1) * seconds;
         ++i) {
      unsigned which = 0;
      while (which < PARTS - 1 && pick(2))
        ++which;
      size_t first = (which + 3 * phase) % PARTS * part;
      ++memory[first + (size_t)pick((uint32_t)(part / PAGE)) * PAGE];
      for (volatile int spin = 0; spin < SPIN;)
        spin = spin + 1;
    }
  return 0;
}
