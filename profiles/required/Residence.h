//===- Residence.h - what the fast tier holds at a moment -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: for each datum, where its room is, whether the contents are newer than
// the backing object, and who holds on to it; the peak and the fragmentation of
// the pool.
// Not here: time and streams (Streams.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_REQUIRED_RESIDENCE_H
#define EVENKEEL_PROFILES_REQUIRED_RESIDENCE_H

#include "TaskGraph.h"
#include "pools/Pool.h"

namespace evenkeel::required {

struct Resident {
  std::optional<uint64_t> Offset; // none: it has no room
  bool Backed = false;            // the backing object has the contents
  bool Filled = false;  // has contents at all, here or in the backing object
  bool Loading = false; // being copied in
  bool Queued = false;  // waits to be copied out
  bool CopyingOut = false;
  bool Leaving = false; // loses its room once it is backed
  uint32_t Users = 0;   // running steps
  uint32_t Writers = 0; // those of them that write it
  uint32_t Claims = 0;  // steps that will start, for which it stays

  bool isDirty() const { return Filled && !Backed; }
  bool isHeld() const { return Users || Claims || Loading; }
};

class Residence {
  const TaskGraph &G;
  std::unique_ptr<Pool> Room;
  std::vector<Resident> All;
  double FragmentationSum = 0;
  uint64_t Requests = 0;

public:
  uint64_t PeakBytes = 0, LeastSpareBytes = 0;
  double WorstFragmentation = 0;

  Residence(const TaskGraph &G, std::unique_ptr<Pool> Pool);

  Resident &operator[](uint32_t Datum) { return All[Datum]; }
  const Resident &operator[](uint32_t Datum) const { return All[Datum]; }
  const Pool &pool() const { return *Room; }
  double meanFragmentation() const {
    return Requests ? FragmentationSum / double(Requests) : 0;
  }
  /// Gives \p Datum room; false: there is none.
  bool admit(uint32_t Datum, Mobility Kind, uint32_t References);
  /// Takes its room; contents that are not backed are lost.
  void release(uint32_t Datum);
};

} // namespace evenkeel::required

#endif
