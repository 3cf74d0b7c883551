//===- WriteBacks.h - dirty lines that wait in caches -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a written line is written back after as many bytes as the caches hold
// have been fetched: later in the same task, or in a later task on the same
// worker. So a loop that fills an object writes back all but a cacheful,
// whatever the input's size, and later tasks write back the rest.
// Makes: the objects whose lines each task's fetches push out, for an LRU
// cache, with the fetches of a task evenly mixed.
// Not here: lines that are used again before they are evicted.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_WRITEBACKS_H
#define EVENKEEL_PROFILES_PREDICT_BASE_WRITEBACKS_H

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

namespace evenkeel {
namespace prediction {

/// The caches of all workers.
class DirtyCaches {
public:
  /// Lines of an instance that a task fetches, and how many it makes dirty.
  struct Fetch {
    uint32_t Inst;
    double Lines, Dirty;
  };

  /// \p Capacity: the lines in one worker's caches.
  explicit DirtyCaches(double Capacity) : Capacity(Capacity) {}

  /// Lines of an instance that are written back while a task runs.
  struct Back {
    double Lines = 0;
    double Own = 0; // of these, lines that it fetched itself
  };

  /// A task on \p Worker fetches \p All; adds the lines written back meanwhile
  /// to \p Out, by instance. Returns the share of its fetches before it evicts
  /// its own lines; 1: it never does.
  double run(uint32_t Worker, const std::vector<Fetch> &All,
             std::unordered_map<uint32_t, Back> &Out);

  /// Equal for caches with equal contents, to 1/1024 of a line.
  std::pair<uint64_t, uint64_t> digest() const;

private:
  struct Segment { // of one task
    double Lines;
    std::vector<Fetch> Parts;
  };
  struct Cache {
    std::deque<Segment> Held; // oldest first
    double Lines = 0;
  };
  double Capacity;
  std::unordered_map<uint32_t, Cache> Of;
};

} // namespace prediction
} // namespace evenkeel

#endif
