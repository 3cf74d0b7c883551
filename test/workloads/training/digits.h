/*===- digits.h - a small set of real images --------------------*- C++ -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: handwritten digits of 8 x 8 pixels with their labels, as scikit-learn
 * ships them (digits.csv.gz: 64 values of 0 to 16 and the digit in each line;
 * Alpaydin and Kaynak 1998). Makes batches, in an order that is shuffled once.
 * Errors end the program with one line and status 2.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_WORKLOADS_DIGITS_H
#define EVENKEEL_WORKLOADS_DIGITS_H

#include "../common/support.h"
#include <zlib.h>

enum { SIDE = 8, PIXELS = SIDE * SIDE, DIGITS = 10 };

struct digits {
  int64_t images;
  float *pixel; /* images x PIXELS, in [0, 1] */
  int32_t *label;
};

/* The file's text, with a 0 at its end. */
static inline char *unpack(const char *path) {
  gzFile file = gzopen(path, "rb");
  if (!file)
    die(strerror(errno), path);
  size_t used = 0, room = 1 << 20;
  char *text = (char *)need(malloc(room + 1));
  for (;;) {
    int got = gzread(file, text + used, (unsigned)(room - used));
    if (got < 0)
      die("cannot unpack", path);
    if (!got)
      break;
    used += (size_t)got;
    if (used == room)
      text = (char *)need(realloc(text, (room *= 2) + 1));
  }
  gzclose(file);
  text[used] = 0;
  return text;
}

static inline int64_t value(char **at, int64_t most, const char *path) {
  char *end;
  double v = strtod(*at, &end);
  if (end == *at || (*end && *end != ',' && *end != '\n') || !(v >= 0) ||
      v > (double)most)
    die("not a table of images", path);
  *at = end + (*end != 0);
  return (int64_t)v;
}

static inline void read_digits(const char *path, struct digits *d) {
  char *text = unpack(path), *at = text;
  d->images = 0;
  for (const char *p = text; *p; p++)
    d->images += *p == '\n';
  if (!d->images)
    die("not a table of images", path);
  size_t images = (size_t)d->images;
  d->pixel = (float *)need(malloc(images * PIXELS * sizeof(float)));
  d->label = (int32_t *)need(malloc(images * sizeof(int32_t)));
  uint64_t seed = 1797;
  for (int64_t i = 0; i < d->images; i++) { /* Fisher and Yates, inside out */
    int64_t j = (int64_t)(random_next(&seed) % (uint64_t)(i + 1));
    memmove(d->pixel + i * PIXELS, d->pixel + j * PIXELS,
            PIXELS * sizeof(float));
    d->label[i] = d->label[j];
    for (int64_t p = 0; p < PIXELS; p++)
      d->pixel[j * PIXELS + p] = (float)value(&at, 16, path) / 16;
    d->label[j] = (int32_t)value(&at, DIGITS - 1, path);
  }
  free(text);
}

static inline void drop_digits(struct digits *d) {
  free(d->label);
  free(d->pixel);
}

#endif
