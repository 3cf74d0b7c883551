/*===- MemPolicy.h - the kernel's memory policies -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what mbind(2), get_mempolicy(2) and move_pages(2) call things, which
 * is part of the kernel's ABI. <linux/mempolicy.h> of older systems lacks some.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_PROFILES_NODES_MEMPOLICY_H
#define EVENKEEL_PROFILES_NODES_MEMPOLICY_H

enum {
  EK_MEMPOLICY_DEFAULT = 0,
  EK_MEMPOLICY_PREFERRED = 1,
  EK_MEMPOLICY_BIND = 2,
  EK_MEMPOLICY_INTERLEAVE = 3,
  EK_MEMPOLICY_PREFERRED_MANY = 5,      /* Linux 5.15 */
  EK_MEMPOLICY_WEIGHTED_INTERLEAVE = 6, /* Linux 6.9 */
  EK_MEMPOLICY_FLAGS = 7 << 13          /* of the mode that is told */
};
enum { EK_MOVE_MINE = 2 }; /* pages that no other process maps */

#endif
