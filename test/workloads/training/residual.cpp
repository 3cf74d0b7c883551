/*===- residual.cpp - training a residual network --------------------------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * He et al. 2016: blocks of two convolutions whose output is added to the
 * block's input, which therefore lives until the join. Between two groups of
 * BLOCKS blocks, the images shrink by half and the channels double, from WIDTH;
 * there the input passes a convolution of 1 x 1 on its way to the join.
 *
 *   residual DIGITS.csv.gz BATCH WIDTH BLOCKS STEPS [--out FILE] [--verify]
 *===----------------------------------------------------------------------===*/
#define PROGRAM "residual"
#include "training.h"

/* No normalisation: the last convolution of a block begins small. */
static int block(struct network *net, int from, int64_t channels, double gain) {
  int past = from;
  if (net->layer[from].channels != channels)
    past = convolution(net, from, channels, 1, 0, 0.7);
  int to = convolution(net, from, channels, 3, 1, 1);
  to = convolution(net, to, channels, 3, 0, gain);
  return joined(net, to, past);
}

static void build(struct network *net, int64_t width, int64_t blocks) {
  double gain = 0.5 / sqrt((double)blocks);
  int to = convolution(net, images(net), width, 3, 1, 1);
  for (int64_t i = 0; i < blocks; i++)
    to = block(net, to, width, gain);
  to = pooled(net, to, 2);
  for (int64_t i = 0; i < blocks; i++)
    to = block(net, to, 2 * width, gain);
  scores(net, to);
}

int main(int argc, char **argv) { return train_on_digits(argc, argv, build); }
