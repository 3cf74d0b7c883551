//===- Orders.cpp - synchronisation between threads -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how the program's locks, reductions and fences are reported to the
// watcher (Races.h).
// Not here: barriers (Regions.cpp).
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "record/abi/record_abi.h"
#include "record/races/Races.h"
#include "record/tasks/ThreadState.h"

using namespace ekrec;

extern "C" void __ek_rec_lock(void) {
  if (Watcher *W = State.Watch)
    W->lock();
}

extern "C" void __ek_rec_unlock(void) {
  if (Watcher *W = State.Watch)
    W->unlock();
}

extern "C" void __ek_rec_alone(void) {
  if (Watcher *W = State.Watch)
    W->skip(true);
}

extern "C" void __ek_rec_alone_end(void) {
  if (Watcher *W = State.Watch)
    W->skip(false);
}

extern "C" void __ek_rec_reduce(int32_t How) {
  ThreadState &T = State;
  if (!T.Watch || T.Reducing == (How == 1))
    return;
  T.Reducing = How == 1;
  if (T.Reducing)
    T.Watch->lock();
  else
    T.Watch->unlock();
}

extern "C" void __ek_rec_orders(void) {
  if (Watcher *W = State.Watch)
    W->orders();
}
