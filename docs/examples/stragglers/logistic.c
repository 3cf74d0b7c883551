/* logistic.c - softmax regression on handwritten digits (see digits.h)
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "digits.h"

static const int SIZE = DIGITS * WIDTH;
static const double RATE = 0.5;

static void begin(double *w) { memset(w, 0, (size_t)SIZE * sizeof *w); }

static double look(const double *w, int i, double *of) {
  for (int d = 0; d < DIGITS; ++d) {
    of[d] = 0;
    for (int p = 0; p < WIDTH; ++p)
      of[d] += w[d * WIDTH + p] * image[i].pixel[p];
  }
  return softmax(of, image[i].label);
}

static void learn(const double *w, int i, double *g) {
  double of[DIGITS];
  look(w, i, of);
  for (int d = 0; d < DIGITS; ++d)
    for (int p = 0; p < WIDTH; ++p)
      g[d * WIDTH + p] += (of[d] - (d == image[i].label)) * image[i].pixel[p];
}
