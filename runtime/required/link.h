//===- link.h - the way that data takes into the tier, or out -----*- C++ -*-=//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one copy runs at a time in each direction, as in replay, and none is
// faster than the link's rate. How long copies have taken.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_REQUIRED_LINK_H
#define EVENKEEL_RUNTIME_REQUIRED_LINK_H

#include <atomic>
#include <cstdint>
#include <pthread.h>
#include <time.h>

namespace evenkeel::acquire {

inline uint64_t nowNs() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return uint64_t(T.tv_sec) * 1000000000u + uint64_t(T.tv_nsec);
}

class Link {
  pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER;
  const uint64_t BytesPerSecond;
  std::atomic<uint64_t> Busy{0};

public:
  explicit Link(uint64_t BytesPerSecond) : BytesPerSecond(BytesPerSecond) {}

  uint64_t busyNs() const { return Busy; }

  /// \p Copy returns how many bytes it has moved, and so does this.
  template <class F> uint64_t take(F Copy) {
    pthread_mutex_lock(&Lock);
    const uint64_t Start = nowNs();
    const uint64_t Bytes = Copy();
    if (BytesPerSecond) {
      const uint64_t End =
          Start + uint64_t(double(Bytes) / double(BytesPerSecond) * 1e9);
      const timespec Until = {time_t(End / 1000000000u),
                              long(End % 1000000000u)};
      while (nowNs() < End)
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &Until, nullptr);
    }
    Busy += nowNs() - Start;
    pthread_mutex_unlock(&Lock);
    return Bytes;
  }
};

} // namespace evenkeel::acquire

#endif
