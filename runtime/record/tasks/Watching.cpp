//===- Watching.cpp - watching threads for races --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Watching.h.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Watching.h"
#include "record/host/Report.h"
#include "record/objects/Space.h"

using namespace ekrec;

static Watcher *Watchers[Creators]; // of the team's threads

void ekrec::watch(ThreadState &T) {
  T.Watch = nullptr;
  if (!TheRecorder.Races || T.Width < 2 || !T.Current)
    return;
  Watcher *&W = Watchers[T.Thread];
  if (!W && !(W = makeZeroed<Watcher>())) {
    count(Why::NoMemory);
    return;
  }
  W->begin(T.Thread, T.Phase, T.Region);
  T.Watch = W;
}

void ekrec::unwatch(ThreadState &T) {
  if (T.Watch)
    T.Watch->flush();
  T.Watch = nullptr;
}
