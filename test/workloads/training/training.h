/*===- training.h - steps of training by tasks ------------------*- C++ -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a training step (stochastic gradient descent with momentum) in which
 * the forward and the backward pass of each layer are one OpenMP task that
 * depends on its tensors. A tensor exists from the layer that writes it to the
 * last that needs it: the backward pass of a layer frees its output and the
 * slopes there. A layer computes with one thread, so weights are the same bit
 * by bit whatever the number of threads.
 * Makes: what the programs share, from the arguments to the verdict.
 * `--verify` compares the slopes of the loss with differences of the loss
 * itself in a random direction, and asks that training has lowered the loss.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_WORKLOADS_TRAINING_H
#define EVENKEEL_WORKLOADS_TRAINING_H

#include "network.h"
#include <omp.h>

/* A batch, the rate of descent (0: weights stay), and the loss that comes out.
 */
struct batch {
  const float *pixel;
  const int32_t *label;
  float rate;
  double loss;
};

/* The slopes at a layer's output. Backward passes add to them; whoever asks
 * first is told to clear them. */
static float *slope_of(const struct network *net, struct layer *l, int *clear) {
  *clear = !l->slope;
  if (!l->slope)
    l->slope = floats(size_of(net, l));
  return l->slope;
}

static void zero(int clear, float *x, int64_t n) {
  if (clear)
    memset(x, 0, (size_t)n * sizeof(float));
}

static void forward_images(const struct network *net, struct layer *l,
                           const struct batch *b) {
  const float *from = b->pixel;
  int64_t n = size_of(net, l);
  float *y = l->value = floats(n);
#pragma omp task depend(out : y[0 : n])
  memcpy(y, from, (size_t)n * sizeof(float));
}

static void forward_convolution(const struct network *net, struct layer *l) {
  const struct layer *in = &net->layer[l->from[0]];
  struct shape s = shape_of(net, l);
  int64_t nx = size_of(net, in), ny = size_of(net, l), nw = l->weights;
  int rectified = l->rectified;
  const float *x = in->value, *w = l->weight;
  float *y = l->value = floats(ny);
#pragma omp task depend(in : x[0 : nx], w[0 : nw]) depend(out : y[0 : ny])
  convolve(&s, rectified, x, w, y);
}

static void forward_join(const struct network *net, struct layer *l) {
  const float *a = net->layer[l->from[0]].value;
  const float *b = net->layer[l->from[1]].value;
  int64_t n = size_of(net, l);
  float *y = l->value = floats(n);
#pragma omp task depend(in : a[0 : n], b[0 : n]) depend(out : y[0 : n])
  join(n, a, b, y);
}

static void forward_concatenation(const struct network *net, struct layer *l) {
  const float *x[MOST_INPUTS];
  int64_t size[MOST_INPUTS];
  int number = l->inputs;
  for (int k = 0; k < number; k++) {
    x[k] = net->layer[l->from[k]].value;
    size[k] = size_of(net, &net->layer[l->from[k]]);
  }
  int64_t n = size_of(net, l);
  float *y = l->value = floats(n);
#pragma omp task depend(iterator(k = 0 : number), in : x[k][0 : size[k]])      \
    depend(out : y[0 : n])
  {
    float *to = y;
    for (int k = 0; k < number; to += size[k++])
      memcpy(to, x[k], (size_t)size[k] * sizeof(float));
  }
}

static void forward_pool(const struct network *net, struct layer *l) {
  const struct layer *in = &net->layer[l->from[0]];
  struct shape s = shape_of(net, l);
  int64_t nx = size_of(net, in), ny = size_of(net, l);
  const float *x = in->value;
  float *y = l->value = floats(ny);
#pragma omp task depend(in : x[0 : nx]) depend(out : y[0 : ny])
  pool(&s, x, y);
}

static void forward_flattening(const struct network *net, struct layer *l) {
  struct shape s = shape_of(net, l);
  int64_t n = size_of(net, l);
  const float *x = net->layer[l->from[0]].value;
  float *y = l->value = floats(n);
#pragma omp task depend(in : x[0 : n]) depend(out : y[0 : n])
  flatten(&s, x, y);
}

static void forward(const struct network *net, struct layer *l,
                    const struct batch *b) {
  switch (l->kind) {
  case IMAGES:
    return forward_images(net, l, b);
  case CONVOLUTION:
    return forward_convolution(net, l);
  case JOIN:
    return forward_join(net, l);
  case CONCATENATION:
    return forward_concatenation(net, l);
  case POOL:
    return forward_pool(net, l);
  case FLATTENING:
    return forward_flattening(net, l);
  }
}

static void loss(const struct network *net, struct layer *l, struct batch *b) {
  int64_t number = net->images, n = size_of(net, l);
  const int32_t *label = b->label;
  double *result = &b->loss;
  const float *y = l->value;
  float *dy = l->slope = floats(n);
#pragma omp task depend(in : y[0 : n]) depend(out : dy[0 : n], *result)
  *result = entropy(number, y, label, dy);
}

static void drop_images(struct network *net, struct layer *l) {
  float *y = l->value;
  int64_t n = size_of(net, l);
#pragma omp task depend(inout : y[0 : n])
  free(y);
}

static void update(const struct layer *l, float *dw, float rate) {
  int64_t nw = l->weights;
  float *w = l->weight, *v = l->speed;
#pragma omp task depend(inout : dw[0 : nw], v[0 : nw], w[0 : nw])
  {
    descend(nw, rate, dw, v, w);
    free(dw);
  }
}

static void back_convolution(struct network *net, struct layer *l, float rate) {
  struct layer *in = &net->layer[l->from[0]];
  struct shape s = shape_of(net, l);
  int64_t nx = size_of(net, in), ny = size_of(net, l), nw = l->weights;
  int rectified = l->rectified, clear = 0;
  const float *x = in->value, *w = l->weight;
  float *y = l->value, *dy = l->slope, *dw = floats(nw);
  if (in->kind == IMAGES) {
#pragma omp task depend(in : x[0 : nx], w[0 : nw]) depend(out : dw[0 : nw])    \
    depend(inout : y[0 : ny], dy[0 : ny])
    {
      convolve_back(&s, rectified, x, w, y, dy, NULL, dw);
      free(dy);
      free(y);
    }
  } else {
    float *dx = slope_of(net, in, &clear);
#pragma omp task depend(in : x[0 : nx], w[0 : nw]) depend(out : dw[0 : nw])    \
    depend(inout : y[0 : ny], dy[0 : ny], dx[0 : nx])
    {
      zero(clear, dx, nx);
      convolve_back(&s, rectified, x, w, y, dy, dx, dw);
      free(dy);
      free(y);
    }
  }
  update(l, dw, rate);
}

static void back_join(struct network *net, struct layer *l) {
  int clear_a, clear_b;
  int64_t n = size_of(net, l);
  float *da = slope_of(net, &net->layer[l->from[0]], &clear_a);
  float *db = slope_of(net, &net->layer[l->from[1]], &clear_b);
  float *y = l->value, *dy = l->slope;
#pragma omp task depend(inout : y[0 : n], dy[0 : n], da[0 : n], db[0 : n])
  {
    zero(clear_a, da, n);
    zero(clear_b, db, n);
    join_back(n, y, dy, da, db);
    free(dy);
    free(y);
  }
}

static void back_concatenation(struct network *net, struct layer *l) {
  float *dx[MOST_INPUTS];
  int64_t size[MOST_INPUTS];
  int clear[MOST_INPUTS], number = l->inputs;
  for (int k = 0; k < number; k++) {
    dx[k] = slope_of(net, &net->layer[l->from[k]], &clear[k]);
    size[k] = size_of(net, &net->layer[l->from[k]]);
  }
  int64_t n = size_of(net, l);
  float *y = l->value, *dy = l->slope;
#pragma omp task depend(iterator(k = 0 : number), inout : dx[k][0 : size[k]])  \
    depend(inout : y[0 : n], dy[0 : n])
  {
    const float *from = dy;
    for (int k = 0; k < number; from += size[k++]) {
      zero(clear[k], dx[k], size[k]);
      add(size[k], from, dx[k]);
    }
    free(dy);
    free(y);
  }
}

static void back_pool(struct network *net, struct layer *l) {
  struct layer *in = &net->layer[l->from[0]];
  struct shape s = shape_of(net, l);
  int clear;
  int64_t nx = size_of(net, in), ny = size_of(net, l);
  const float *x = in->value;
  float *y = l->value, *dy = l->slope, *dx = slope_of(net, in, &clear);
#pragma omp task depend(in : x[0 : nx])                                        \
    depend(inout : y[0 : ny], dy[0 : ny], dx[0 : nx])
  {
    zero(clear, dx, nx);
    pool_back(&s, x, dy, dx);
    free(dy);
    free(y);
  }
}

static void back_flattening(struct network *net, struct layer *l) {
  struct layer *in = &net->layer[l->from[0]];
  struct shape s = shape_of(net, l);
  int clear;
  int64_t n = size_of(net, l);
  float *y = l->value, *dy = l->slope, *dx = slope_of(net, in, &clear);
#pragma omp task depend(inout : y[0 : n], dy[0 : n], dx[0 : n])
  {
    zero(clear, dx, n);
    flatten_back(&s, dy, dx);
    free(dy);
    free(y);
  }
}

/* Before the layers behind it in the list, so that its output's slopes are
 * complete. */
static void back(struct network *net, struct layer *l, float rate) {
  switch (l->kind) {
  case IMAGES:
    return drop_images(net, l);
  case CONVOLUTION:
    return back_convolution(net, l, rate);
  case JOIN:
    return back_join(net, l);
  case CONCATENATION:
    return back_concatenation(net, l);
  case POOL:
    return back_pool(net, l);
  case FLATTENING:
    return back_flattening(net, l);
  }
}

/* All tasks of one step. */
static void step(struct network *net, struct batch *b, int threads) {
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    for (int i = 0; i < net->layers; i++)
      forward(net, &net->layer[i], b);
    loss(net, &net->layer[net->layers - 1], b);
    for (int i = net->layers - 1; i >= 0; i--)
      back(net, &net->layer[i], b->rate);
  }
  for (int i = 0; i < net->layers; i++)
    net->layer[i].value = net->layer[i].slope = NULL;
}

static int64_t weights_of(const struct network *net) {
  int64_t number = 0;
  for (int i = 0; i < net->layers; i++)
    number += net->layer[i].weights;
  return number;
}

/* Adds to all weights, in a row, `by` times `direction`. */
static void shift(struct network *net, float by, const float *direction) {
  for (int i = 0; i < net->layers; i++)
    for (int64_t k = 0; k < net->layer[i].weights; k++)
      net->layer[i].weight[k] += by * *direction++;
}

/* How far the slopes in a random direction are from the difference of the loss
 * there, as a share of all slopes' length; all is as before afterwards. */
static double slope_error(struct network *net, struct batch *b, int threads) {
  int64_t number = weights_of(net), at = 0;
  float *direction = floats(number), *kept = floats(number);
  uint64_t seed = 8;
  double length = 0, along = 0;
  const float by = 2e-4F;
  b->rate = 0;
  step(net, b, threads); /* leaves the slopes in `speed` */
  for (int i = 0; i < net->layers; i++)
    for (int64_t k = 0; k < net->layer[i].weights; k++, at++) {
      float *speed = &net->layer[i].speed[k];
      kept[at] = net->layer[i].weight[k];
      direction[at] = random_next(&seed) & 1 ? 1 : -1;
      length += *speed * *speed;
      along += *speed * direction[at];
    }
  shift(net, by, direction);
  step(net, b, threads);
  double above = b->loss;
  shift(net, -2 * by, direction);
  step(net, b, threads);
  double below = b->loss;
  at = 0;
  for (int i = 0; i < net->layers; i++)
    for (int64_t k = 0; k < net->layer[i].weights; k++) {
      net->layer[i].weight[k] = kept[at++];
      net->layer[i].speed[k] = 0;
    }
  free(kept);
  free(direction);
  return fabs((above - below) / (2 * by) - along) / sqrt(length);
}

static void write_weights(const struct network *net, const char *path) {
  float *all = floats(weights_of(net)), *to = all;
  for (int i = 0; i < net->layers; to += net->layer[i++].weights)
    for (int64_t k = 0; k < net->layer[i].weights; k++)
      to[k] = net->layer[i].weight[k];
  write_out(path, all, (size_t)weights_of(net) * sizeof(float));
  free(all);
}

/* Trains for `steps` batches of net->images; returns the program's status. */
static int train(struct network *net, const struct digits *d, int64_t steps,
                 float rate, const struct options *o) {
  int threads = omp_get_max_threads(), status = 0;
  omp_set_num_threads(1); /* inside a task */
  struct batch b = {d->pixel, d->label, 0, 0};
  if (o->verify)
    status = judge("slopes against differences, share of their length",
                   slope_error(net, &b, threads), 5e-2);
  double first = 0;
  int64_t start = 0;
  b.rate = rate;
  for (int64_t i = 0; i < steps; i++) {
    b.pixel = d->pixel + start * PIXELS;
    b.label = d->label + start;
    step(net, &b, threads);
    if (!i)
      first = b.loss;
    start += net->images;
    if (start + net->images > d->images)
      start = 0;
  }
  printf("%d layers, %lld weights, %lld steps of %lld images: loss %.6f, then "
         "%.6f\n",
         net->layers, (long long)weights_of(net), (long long)steps,
         (long long)net->images, first, b.loss);
  if (o->verify) /* a few steps can only begin to lower it */
    status |= judge("last loss as a share of the first", b.loss / first,
                    steps < 30 ? 0.999 : 0.5);
  if (o->out)
    write_weights(net, o->out);
  return status;
}

/* BATCH WIDTH BLOCKS STEPS behind the file: `build` makes the layers. */
static int train_on_digits(int argc, char **argv,
                           void (*build)(struct network *net, int64_t width,
                                         int64_t blocks)) {
  struct options o = take_options(&argc, argv);
  const char *usage =
      "DIGITS.csv.gz BATCH WIDTH BLOCKS STEPS [--out FILE] [--verify]";
  int64_t batch = number(argc == 6 ? argv[2] : "", 1, 1 << 20, usage);
  int64_t width = number(argv[3], 4, 4096, usage);
  int64_t blocks = number(argv[4], 1, 100, usage);
  int64_t steps = number(argv[5], 1, 1000000, usage);
  struct digits d;
  read_digits(argv[1], &d);
  if (batch > d.images)
    die("more than the file has", "BATCH");
  static struct network net;
  net.images = batch;
  net.seed = 2016;
  build(&net, width, blocks);
  /* Sums over more channels have steeper slopes. */
  int status = train(&net, &d, steps, 0.16F / (float)width, &o);
  drop_network(&net);
  drop_digits(&d);
  return status;
}

#endif
