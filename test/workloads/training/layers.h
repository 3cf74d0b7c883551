/*===- layers.h - what one layer computes -----------------------*- C++ -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: convolutions as matrix products of oneDNN, maximum pooling, joins,
 * concatenation, flattening and the loss, forward and backward, over a whole
 *batch. A tensor is one array [channel][image][row][column]: then a product
 *covers many images, and channels that are put together lie one behind the
 *other. Backward functions add to the slopes of their inputs. Not here: tasks
 *and memory of tensors (network.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_WORKLOADS_LAYERS_H
#define EVENKEEL_WORKLOADS_LAYERS_H

#include "digits.h"
#include <math.h>
#include <oneapi/dnnl/dnnl.h>

static const int64_t CHUNK = 16; /* images that are unfolded at once */

/* Returns the block as it is, so that each caller's blocks have a name. */
static inline float *floats(int64_t n) {
  float *x = (float *)malloc((size_t)n * sizeof(float));
  need(x);
  return x;
}

/* Of one layer: `from` input channels of `images` squares, `to` output ones. */
struct shape {
  int64_t images, side, from, to;
  int64_t window; /* odd, or 2 for pooling with stride 2 */
};

/* c (m x n) = a (m x k) b (k x n) + keep * c. Matrices lie row by row; where a
 * letter is T, the transposed one does. */
static inline void product(char a_is, char b_is, int64_t m, int64_t n,
                           int64_t k, const float *a, const float *b,
                           float keep, float *c) {
  if (dnnl_sgemm(a_is, b_is, m, n, k, 1, a, a_is == 'N' ? k : m, b,
                 b_is == 'N' ? n : k, keep, c, n) != dnnl_success)
    die("oneDNN's product failed", "dnnl_sgemm");
}

/* Copies what the window sees at each position of images `first` to `first` +
 * `count`: one row for each channel and place in the window. */
static inline void unfold(const struct shape *s, const float *x, int64_t first,
                          int64_t count, float *columns) {
  int64_t side = s->side, half = s->window / 2, plane = side * side;
  for (int64_t c = 0; c < s->from; c++)
    for (int64_t dr = -half; dr <= half; dr++)
      for (int64_t dc = -half; dc <= half; dc++)
        for (int64_t i = first; i < first + count; i++) {
          const float *image = x + (c * s->images + i) * plane;
          for (int64_t r = dr; r < side + dr; r++)
            for (int64_t k = dc; k < side + dc; k++)
              *columns++ = r >= 0 && r < side && k >= 0 && k < side
                               ? image[r * side + k]
                               : 0;
        }
}

/* Adds the columns up where they came from. */
static inline void fold(const struct shape *s, const float *columns,
                        int64_t first, int64_t count, float *x) {
  int64_t side = s->side, half = s->window / 2, plane = side * side;
  for (int64_t c = 0; c < s->from; c++)
    for (int64_t dr = -half; dr <= half; dr++)
      for (int64_t dc = -half; dc <= half; dc++)
        for (int64_t i = first; i < first + count; i++) {
          float *image = x + (c * s->images + i) * plane;
          for (int64_t r = dr; r < side + dr; r++)
            for (int64_t k = dc; k < side + dc; k++, columns++)
              if (r >= 0 && r < side && k >= 0 && k < side)
                image[r * side + k] += *columns;
        }
}

/* Values of a layer's weights: a row of from * window * window for each output
 * channel; behind them a bias for each. */
static inline int64_t depth_of(const struct shape *s) {
  return s->from * s->window * s->window;
}

/* y = the convolution of x, and 0 instead of what is negative if `rectified`.
 */
static inline void convolve(const struct shape *s, int rectified,
                            const float *x, const float *weight, float *y) {
  int64_t plane = s->side * s->side, depth = depth_of(s);
  const float *bias = weight + s->to * depth;
  float *columns = floats(depth * CHUNK * plane);
  float *part = floats(s->to * CHUNK * plane);
  for (int64_t i = 0; i < s->images; i += CHUNK) {
    int64_t count = i + CHUNK < s->images ? CHUNK : s->images - i;
    int64_t width = count * plane;
    unfold(s, x, i, count, columns);
    product('N', 'N', s->to, width, depth, weight, columns, 0, part);
    for (int64_t c = 0; c < s->to; c++)
      for (int64_t p = 0; p < width; p++) {
        float v = part[c * width + p] + bias[c];
        y[(c * s->images + i) * plane + p] = rectified && v < 0 ? 0 : v;
      }
  }
  free(part);
  free(columns);
}

/* Slopes of the weights, and of x unless dx is null. */
static inline void convolve_back(const struct shape *s, int rectified,
                                 const float *x, const float *weight,
                                 const float *y, const float *dy, float *dx,
                                 float *dweight) {
  int64_t plane = s->side * s->side, depth = depth_of(s);
  float *dbias = dweight + s->to * depth;
  float *columns = floats(depth * CHUNK * plane);
  float *part = floats(s->to * CHUNK * plane);
  for (int64_t c = 0; c < s->to; c++)
    dbias[c] = 0;
  for (int64_t i = 0; i < s->images; i += CHUNK) {
    int64_t count = i + CHUNK < s->images ? CHUNK : s->images - i;
    int64_t width = count * plane;
    for (int64_t c = 0; c < s->to; c++)
      for (int64_t p = 0; p < width; p++) {
        int64_t at = (c * s->images + i) * plane + p;
        part[c * width + p] = rectified && y[at] <= 0 ? 0 : dy[at];
        dbias[c] += part[c * width + p];
      }
    unfold(s, x, i, count, columns);
    product('N', 'T', s->to, depth, width, part, columns, i != 0, dweight);
    if (dx) {
      product('T', 'N', depth, width, s->to, weight, part, 0, columns);
      fold(s, columns, i, count, dx);
    }
  }
  free(part);
  free(columns);
}

/* Momentum of 0.9. */
static inline void descend(int64_t n, float rate, const float *slope,
                           float *speed, float *weight) {
  for (int64_t i = 0; i < n; i++) {
    speed[i] = 0.9F * speed[i] + slope[i];
    weight[i] -= rate * speed[i];
  }
}

static inline void join(int64_t n, const float *a, const float *b, float *y) {
  for (int64_t i = 0; i < n; i++)
    y[i] = a[i] + b[i] > 0 ? a[i] + b[i] : 0;
}

static inline void join_back(int64_t n, const float *y, const float *dy,
                             float *da, float *db) {
  for (int64_t i = 0; i < n; i++)
    if (y[i] > 0) {
      da[i] += dy[i];
      db[i] += dy[i];
    }
}

static inline void add(int64_t n, const float *from, float *to) {
  for (int64_t i = 0; i < n; i++)
    to[i] += from[i];
}

/* Where the largest value that the window sees at (r, k) lies in the image. */
static inline int64_t largest(const struct shape *s, const float *image,
                              int64_t r, int64_t k) {
  int64_t r0 = s->window == 2 ? 2 * r : r - 1, r1 = r0 + s->window;
  int64_t k0 = s->window == 2 ? 2 * k : k - 1, k1 = k0 + s->window;
  int64_t best = -1;
  for (int64_t i = r0 < 0 ? 0 : r0; i < r1 && i < s->side; i++)
    for (int64_t j = k0 < 0 ? 0 : k0; j < k1 && j < s->side; j++)
      if (best < 0 || image[i * s->side + j] > image[best])
        best = i * s->side + j;
  return best;
}

/* Windows of 2 with stride 2, or of 3 with stride 1. */
static inline int64_t pooled_side(const struct shape *s) {
  return s->window == 2 ? s->side / 2 : s->side;
}

static inline void pool(const struct shape *s, const float *x, float *y) {
  int64_t small = pooled_side(s), plane = s->side * s->side;
  for (int64_t i = 0; i < s->from * s->images; i++)
    for (int64_t r = 0; r < small; r++)
      for (int64_t k = 0; k < small; k++)
        *y++ = x[i * plane + largest(s, x + i * plane, r, k)];
}

static inline void pool_back(const struct shape *s, const float *x,
                             const float *dy, float *dx) {
  int64_t small = pooled_side(s), plane = s->side * s->side;
  for (int64_t i = 0; i < s->from * s->images; i++)
    for (int64_t r = 0; r < small; r++)
      for (int64_t k = 0; k < small; k++)
        dx[i * plane + largest(s, x + i * plane, r, k)] += *dy++;
}

/* Each pixel of each channel to a channel of its own. */
static inline void flatten(const struct shape *s, const float *x, float *y) {
  int64_t plane = s->side * s->side;
  for (int64_t c = 0; c < s->from; c++)
    for (int64_t p = 0; p < plane; p++)
      for (int64_t i = 0; i < s->images; i++)
        *y++ = x[(c * s->images + i) * plane + p];
}

static inline void flatten_back(const struct shape *s, const float *dy,
                                float *dx) {
  int64_t plane = s->side * s->side;
  for (int64_t c = 0; c < s->from; c++)
    for (int64_t p = 0; p < plane; p++)
      for (int64_t i = 0; i < s->images; i++)
        dx[(c * s->images + i) * plane + p] += *dy++;
}

/* Mean cross entropy of the softmax of `score` (digits x images); its slopes
 * in `dscore`. */
static inline double entropy(int64_t images, const float *score,
                             const int32_t *label, float *dscore) {
  double sum = 0;
  for (int64_t i = 0; i < images; i++) {
    double top = score[i], total = 0;
    for (int64_t d = 1; d < DIGITS; d++)
      top = fmax(top, score[d * images + i]);
    for (int64_t d = 0; d < DIGITS; d++)
      total += exp(score[d * images + i] - top);
    for (int64_t d = 0; d < DIGITS; d++) {
      double share = exp(score[d * images + i] - top) / total;
      dscore[d * images + i] =
          (float)((share - (d == label[i])) / (double)images);
    }
    sum += top + log(total) - score[label[i] * images + i];
  }
  return sum / (double)images;
}

#endif
