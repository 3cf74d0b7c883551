/*===- inception.cpp - training a network of parallel branches -------------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Szegedy et al. 2015 and 2016: a block passes its input through four branches
 * (1 x 1; 1 x 1 and 3 x 3; 1 x 1 and twice 3 x 3; maximum and 1 x 1) and puts
 * their outputs together. Each branch gives WIDTH channels. Images shrink by
 * half between two groups of BLOCKS blocks.
 *
 *   inception DIGITS.csv.gz BATCH WIDTH BLOCKS STEPS [--out FILE] [--verify]
 *===----------------------------------------------------------------------===*/
#define PROGRAM "inception"
#include "training.h"

static int block(struct network *net, int from, int64_t width) {
  int branch[4];
  branch[0] = convolution(net, from, width, 1, 1, 1);
  int to = convolution(net, from, width, 1, 1, 1);
  branch[1] = convolution(net, to, width, 3, 1, 1);
  to = convolution(net, from, width, 1, 1, 1);
  to = convolution(net, to, width, 3, 1, 1);
  branch[2] = convolution(net, to, width, 3, 1, 1);
  branch[3] = convolution(net, pooled(net, from, 3), width, 1, 1, 1);
  return concatenated(net, 4, branch);
}

static void build(struct network *net, int64_t width, int64_t blocks) {
  int to = convolution(net, images(net), width, 3, 1, 1);
  for (int64_t i = 0; i < blocks; i++)
    to = block(net, to, width);
  to = pooled(net, to, 2);
  for (int64_t i = 0; i < blocks; i++)
    to = block(net, to, width);
  scores(net, to);
}

int main(int argc, char **argv) { return train_on_digits(argc, argv, build); }
