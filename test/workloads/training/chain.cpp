/*===- chain.cpp - training a network without forks ------------------------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Simonyan and Zisserman 2015: convolutions one after the other, twice BLOCKS
 * of WIDTH channels and, once images have shrunk by half, twice BLOCKS of twice
 * as many. No tensor waits for a join: the control for what forks cost.
 *
 *   chain DIGITS.csv.gz BATCH WIDTH BLOCKS STEPS [--out FILE] [--verify]
 *===----------------------------------------------------------------------===*/
#define PROGRAM "chain"
#include "training.h"

static void build(struct network *net, int64_t width, int64_t blocks) {
  int to = images(net);
  for (int64_t i = 0; i < 2 * blocks; i++)
    to = convolution(net, to, width, 3, 1, 1);
  to = pooled(net, to, 2);
  for (int64_t i = 0; i < 2 * blocks; i++)
    to = convolution(net, to, 2 * width, 3, 1, 1);
  scores(net, to);
}

int main(int argc, char **argv) { return train_on_digits(argc, argv, build); }
