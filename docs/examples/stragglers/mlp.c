/* mlp.c - a neural network with a hidden layer on handwritten digits
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * As digits.h says, with other weights: WIDTH for each hidden unit, then HIDDEN
 * + 1 for each digit.
 */
#include "digits.h"

enum { HIDDEN = 32, OUT = HIDDEN * WIDTH };
static const int SIZE = OUT + DIGITS * (HIDDEN + 1);
static const double RATE = 0.2;

static void begin(double *w) {
  for (int k = 0; k < SIZE; ++k) {
    const double x = (double)(mix((uint64_t)k + 1) >> 11) / (1ull << 53) - 0.5;
    w[k] = x * (k < OUT ? 0.5 : 0.6);
  }
}

static void hidden(const double *w, int i, double *h) {
  for (int u = 0; u < HIDDEN; ++u) {
    h[u] = 0;
    for (int p = 0; p < WIDTH; ++p)
      h[u] += w[u * WIDTH + p] * image[i].pixel[p];
    h[u] = h[u] > 0 ? h[u] : 0;
  }
  h[HIDDEN] = 1;
}

static double outputs(const double *w, int i, const double *h, double *of) {
  for (int d = 0; d < DIGITS; ++d) {
    of[d] = 0;
    for (int u = 0; u <= HIDDEN; ++u)
      of[d] += w[OUT + d * (HIDDEN + 1) + u] * h[u];
  }
  return softmax(of, image[i].label);
}

static double look(const double *w, int i, double *of) {
  double h[HIDDEN + 1];
  hidden(w, i, h);
  return outputs(w, i, h, of);
}

static void learn(const double *w, int i, double *g) {
  double h[HIDDEN + 1], back[HIDDEN] = {0}, of[DIGITS];
  hidden(w, i, h);
  outputs(w, i, h, of);
  for (int d = 0; d < DIGITS; ++d) {
    const double *row = w + OUT + d * (HIDDEN + 1);
    const double error = of[d] - (d == image[i].label);
    for (int u = 0; u <= HIDDEN; ++u)
      g[OUT + d * (HIDDEN + 1) + u] += error * h[u];
    for (int u = 0; u < HIDDEN; ++u)
      back[u] += error * row[u];
  }
  for (int u = 0; u < HIDDEN; ++u)
    for (int p = 0; p < WIDTH && h[u] > 0; ++p)
      g[u * WIDTH + p] += back[u] * image[i].pixel[p];
}
