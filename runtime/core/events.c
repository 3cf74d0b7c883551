/*===- events.c - the one table of events -------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See events.h.
 *===----------------------------------------------------------------------===*/
#include "core/events.h"

#include <assert.h>

ek_listeners ek_listening;

#define EK_EVENT(name, parameters, arguments)                                  \
  void ek_listen_##name(void(*listener) parameters) {                          \
    unsigned i = 0;                                                            \
    while (ek_listening.name[i] && ek_listening.name[i] != listener)           \
      ++i;                                                                     \
    assert(i < EK_MOST_LISTENERS);                                             \
    ek_listening.name[i] = listener;                                           \
  }
#include "core/events.def"
#undef EK_EVENT
