/*===- network.h - networks as lists of layers ------------------*- C++ -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what layers a network has, in an order in which each follows its
 * inputs; their shapes and weights (He et al. 2015, from fixed random numbers).
 * Not here: how it is trained (training.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_WORKLOADS_NETWORK_H
#define EVENKEEL_WORKLOADS_NETWORK_H

#include "layers.h"

enum { MOST_LAYERS = 400, MOST_INPUTS = 4 };

enum kind { IMAGES, CONVOLUTION, JOIN, CONCATENATION, POOL, FLATTENING };

struct layer {
  enum kind kind;
  int inputs, from[MOST_INPUTS]; /* layers before */
  int64_t channels, side;        /* of its output */
  int64_t window;
  int rectified;
  int64_t weights;
  float *weight, *speed; /* of convolutions; speed: of their descent */
  float *value, *slope;  /* its output, and the loss' slopes there, while a
                            step needs them */
};

struct network {
  int64_t images; /* in a batch */
  int layers;
  uint64_t seed;
  struct layer layer[MOST_LAYERS];
};

/* Floats in the output of a layer. */
static inline int64_t size_of(const struct network *net,
                              const struct layer *l) {
  return l->channels * net->images * l->side * l->side;
}

static inline struct shape shape_of(const struct network *net,
                                    const struct layer *l) {
  const struct layer *in = &net->layer[l->from[0]];
  struct shape s = {net->images, in->side, in->channels, l->channels,
                    l->window};
  return s;
}

static inline struct layer *new_layer(struct network *net, enum kind kind,
                                      int from) {
  if (net->layers == MOST_LAYERS)
    die("too many layers", "BLOCKS");
  struct layer *l = &net->layer[net->layers++];
  memset(l, 0, sizeof *l);
  l->kind = kind;
  l->inputs = kind != IMAGES;
  l->from[0] = from;
  l->channels = 1;
  l->side = SIDE;
  if (kind != IMAGES) {
    l->channels = net->layer[from].channels;
    l->side = net->layer[from].side;
  }
  return l;
}

/* Each of these adds a layer and returns its number. */
static inline int images(struct network *net) {
  new_layer(net, IMAGES, 0);
  return net->layers - 1;
}

/* `gain`: on the scale of its first weights. */
static inline int convolution(struct network *net, int from, int64_t channels,
                              int64_t window, int rectified, double gain) {
  struct layer *l = new_layer(net, CONVOLUTION, from);
  int64_t depth = l->channels * window * window;
  l->channels = channels;
  l->window = window;
  l->rectified = rectified;
  l->weights = channels * depth + channels;
  l->weight = floats(l->weights);
  l->speed = floats(l->weights);
  double scale = gain * sqrt(6 / (double)depth);
  for (int64_t i = 0; i < l->weights; i++) {
    l->weight[i] = i < channels * depth
                       ? (float)(scale * (2 * random_unit(&net->seed) - 1))
                       : 0;
    l->speed[i] = 0;
  }
  return net->layers - 1;
}

static inline int joined(struct network *net, int a, int b) {
  struct layer *l = new_layer(net, JOIN, a);
  l->from[l->inputs++] = b;
  return net->layers - 1;
}

/* Of two layers to MOST_INPUTS. */
static inline int concatenated(struct network *net, int number,
                               const int *from) {
  struct layer *l = new_layer(net, CONCATENATION, from[0]);
  for (; l->inputs < number; l->inputs++) {
    l->from[l->inputs] = from[l->inputs];
    l->channels += net->layer[from[l->inputs]].channels;
  }
  return net->layers - 1;
}

static inline int pooled(struct network *net, int from, int64_t window) {
  struct layer *l = new_layer(net, POOL, from);
  struct shape s = shape_of(net, l);
  s.window = l->window = window;
  l->side = pooled_side(&s);
  return net->layers - 1;
}

static inline int flattened(struct network *net, int from) {
  struct layer *l = new_layer(net, FLATTENING, from);
  l->channels *= l->side * l->side;
  l->side = 1;
  return net->layers - 1;
}

/* The last layers: a score for each digit. */
static inline int scores(struct network *net, int from) {
  return convolution(net, flattened(net, from), DIGITS, 1, 0, 0.3);
}

static inline void drop_network(struct network *net) {
  for (int i = 0; i < net->layers; i++) {
    free(net->layer[i].speed);
    free(net->layer[i].weight);
  }
}

#endif
