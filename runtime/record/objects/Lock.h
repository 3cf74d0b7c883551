//===- Lock.h - locks that signal handlers survive ------------ -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which thread holds a lock.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_LOCK_H
#define EVENKEEL_RUNTIME_RECORD_LOCK_H

#include <atomic>
#include <sched.h>

namespace ekrec {

/// Zero-initialised: free.
class Lock {
  static inline __thread char Self __attribute__((tls_model("initial-exec")));
  std::atomic<const void *> Holder;

public:
  bool take() {
    const void *Nobody = nullptr;
    return Holder.compare_exchange_strong(Nobody, &Self,
                                          std::memory_order_acquire);
  }
  bool isMine() const {
    return Holder.load(std::memory_order_relaxed) == &Self;
  }
  void give() { Holder.store(nullptr, std::memory_order_release); }
};

/// Holds a lock while it exists. A signal handler that allocates, and has
/// interrupted the holder, continues without the lock.
class Held {
  Lock *Its;

public:
  explicit Held(Lock &L) : Its(&L) {
    for (unsigned Tries = 0; Its && !L.take();) {
      if (L.isMine())
        Its = nullptr;
      else if (++Tries % 64 == 0)
        sched_yield();
    }
  }
  ~Held() {
    if (Its)
      Its->give();
  }
  Held(const Held &) = delete;
  Held &operator=(const Held &) = delete;
};

} // namespace ekrec

#endif
