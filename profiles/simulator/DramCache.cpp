//===- DramCache.cpp - fast memory as a cache (Memory Mode) ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DramCache.h.
//===----------------------------------------------------------------------===//
#include "DramCache.h"
#include "PreparedRecord.h"
#include <algorithm>

namespace evenkeel {

static unsigned count(uint64_t Lines) {
  return unsigned(__builtin_popcountll(Lines));
}

/// A mask of the next \p N lines from \p At on, which advances.
static uint64_t walk(uint8_t &At, uint32_t N) {
  uint64_t Run = N >= 64 ? ~uint64_t(0) : (uint64_t(1) << N) - 1;
  uint64_t Lines = At ? Run << At | Run >> (64 - At) : Run;
  At = uint8_t((At + N) % 64);
  return Lines;
}

DramCache::DramCache(const PreparedRecord &R, uint64_t Bytes, bool Shuffled)
    : Sets(Bytes / EK_PAGE), Shuffled(Shuffled), Pages(R.totalPages()),
      First(Sets, None) {}

uint64_t DramCache::setOf(uint32_t Frame) const {
  uint64_t Z = Frame;
  if (Shuffled) { // SplitMix64's finalizer, a fixed bijection
    Z = (Z + 1) * 0x9e3779b97f4a7c15;
    Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9;
    Z = (Z ^ (Z >> 27)) * 0x94d049bb133111eb;
    Z ^= Z >> 31;
  }
  return Z % Sets;
}

void DramCache::unlink(uint32_t P) {
  uint32_t *At = &First[setOf(Pages[P].Frame)];
  while (*At != P)
    At = &Pages[*At].Next;
  *At = Pages[P].Next;
}

uint64_t DramCache::displace(uint32_t P, uint64_t Lines) {
  uint64_t Dirty = 0;
  if (!Pages[P].Resident && Lines) {
    uint32_t &Head = First[setOf(Pages[P].Frame)];
    Pages[P].Next = Head;
    Head = P;
  }
  uint32_t *At = &First[setOf(Pages[P].Frame)];
  while (*At != None) {
    Page &Other = Pages[*At];
    if (*At != P) {
      Dirty += count(Other.Dirty & Lines);
      Other.Resident &= ~Lines;
      Other.Dirty &= ~Lines;
    }
    if (*At != P && !Other.Resident)
      *At = Other.Next;
    else
      At = &Other.Next;
  }
  Pages[P].Resident |= Lines;
  return Dirty;
}

DramCache::Transfers DramCache::access(uint64_t GlobalPage, uint32_t Reads,
                                       uint32_t Writes) {
  Transfers T;
  if (!Sets) {
    T.ReadMisses = Reads;
    T.WriteMisses = T.WrittenBack = Writes;
    return T;
  }
  const uint32_t P = uint32_t(GlobalPage);
  Page &X = Pages[P];
  if (X.Frame == None) {
    if (Free.empty()) {
      X.Frame = NextFrame++;
    } else {
      X.Frame = Free.back();
      Free.pop_back();
    }
  }
  if (Reads) {
    uint64_t Missing = walk(X.ReadAt, Reads) & ~X.Resident;
    T.ReadMisses = count(Missing);
    T.ReadHits = Reads - T.ReadMisses;
    T.WrittenBack += Missing ? displace(P, Missing) : 0;
  }
  if (Writes) {
    uint64_t Lines = walk(X.WriteAt, Writes), Missing = Lines & ~X.Resident;
    T.WriteMisses = count(Missing);
    T.WriteHits = Writes - T.WriteMisses;
    T.WrittenBack += Missing ? displace(P, Missing) : 0;
    X.Dirty |= Lines;
  }
  return T;
}

void DramCache::release(uint64_t From, uint64_t To) {
  for (uint64_t P = From; P < To; ++P) {
    Page &X = Pages[P];
    if (X.Frame == None)
      continue;
    if (X.Resident)
      unlink(uint32_t(P));
    Free.push_back(X.Frame);
    X = Page();
  }
}

uint64_t DramCache::residentLines() const {
  uint64_t Sum = 0;
  for (const Page &P : Pages)
    Sum += count(P.Resident);
  return Sum;
}

uint64_t DramCache::dirtyLines() const {
  uint64_t Sum = 0;
  for (const Page &P : Pages)
    Sum += count(P.Dirty);
  return Sum;
}

} // namespace evenkeel
