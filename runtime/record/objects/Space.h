//===- Space.h - canonical addresses and whose they are ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where recorded objects lie. Each creator (thread number of the team;
// 0 in serial code) hands out memory from its own range of fixed addresses, so
// an address depends only on what that creator allocated and freed before, not
// on ASLR or on other threads. Threads that no recorded team has share one more
// range: their blocks are named as those of the creator that the run time takes
// them for, and move none of the others. Static arrays get canonical addresses
// by their offset in their image. One table maps every canonical page to its
// object.
//
//   Base + creator * 64 GiB         blocks; the address is the canonical one
//   Base + 251 * 64 GiB             blocks of other threads
//   Base + (252 + image) * 64 GiB   static arrays of an image, shifted
//
// Blocks of 64 KiB and more are objects of their own, page-aligned, and so are
// the first of 1 KiB and more that a creator makes at a site in a context: they
// may be large on another input. All others share slabs with those of the same
// site and creator, and all of those together are one object (instance), whose
// pages are numbered in order of first use. Blocks freed by another thread go
// back at the next fork or join. Mappings lie in blocks of their own
// (Mapping.cpp).
// Not here: stacks and memory of code that was not instrumented.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_SPACE_H
#define EVENKEEL_RUNTIME_RECORD_SPACE_H

#include <cstddef>
#include <cstdint>

namespace ekrec {

enum : unsigned {
  SlotBits = 36,
  Slots = 256,
  Creators = 251,
  OthersRange = Creators, // of threads outside teams
  Ranges = Creators + 1,
  Images = Slots - Ranges,
  PageBits = 12,
  NoCreator = ~0u,
  Never = ~0u // phase in which a live object is freed
};
constexpr uint64_t Base = 0x200000000000ull;
constexpr uint64_t SlotBytes = 1ull << SlotBits;
constexpr size_t LargeBytes = 64 << 10, OwnBytes = 1 << 10;
constexpr uint32_t MostOwnSmall = 64;
constexpr uint32_t MixedPage = ~0u;

struct Page {
  uint32_t Instance; // 0 = none, MixedPage = several
  uint32_t Number;   // within the instance
};

struct Instance {
  uint64_t Site, Context, Bytes;
  uint64_t Start;    // canonical; large blocks and static arrays
  uint64_t Capacity; // bytes reserved; large blocks
  uint32_t Ordinal, InContext, Number; // as in ek_raw_inst
  uint32_t Creator, AllocPhase, FreePhase;
  uint64_t Unmapped; // bytes of a mapping that were given back
  uint32_t Span;     // a row of pages tells of 2^Span (ek_raw.h); sampled runs
};

/// Who asks for a block: the site, and the calls of wrappers around it.
struct Asked {
  uint64_t Site, Context; // ek_context.h
};

/// Whose range a block comes from, and whose it is said to be.
struct Maker {
  unsigned Range, Creator; // Range NoCreator: the C library's
};

struct Image {
  uint64_t Low, High, Canonical;
};

struct Space {
  Page *Pages;     // by canonical page; nullptr: nothing is tracked
  Page *Before;    // what was there before the phase of the present instance
  Instance *Table; // by instance number, from 1
  uint32_t NumInstances;
  Image Image_[Images];
  unsigned NumImages;
  bool Spans; // pages of large objects are told of together
};
extern Space TheSpace;

/// \p P lies in a range of blocks.
inline bool ours(const void *P) {
  return reinterpret_cast<uint64_t>(P) - Base < uint64_t(Ranges) << SlotBits;
}

/// The canonical address; 0 = not of a tracked object's neighbourhood.
inline uint64_t canonical(uint64_t A) {
  if (A - Base < uint64_t(Ranges) << SlotBits)
    return A;
  for (unsigned I = 0; I < TheSpace.NumImages; ++I) {
    const Image &M = TheSpace.Image_[I];
    if (A - M.Low < M.High - M.Low)
      return A - M.Low + M.Canonical;
  }
  return 0;
}

/// Of a page that several arrays have (StaticArrays.cpp).
Page lookupMixed(uint64_t Canonical);

/// Instance and page number; Instance 0 where there is none.
inline Page lookup(uint64_t Canonical) {
  Page P = TheSpace.Pages[(Canonical - Base) >> PageBits];
  return __builtin_expect(P.Instance == MixedPage, 0) ? lookupMixed(Canonical)
                                                      : P;
}

/// The instance that has all of the page; 0: none has.
inline uint32_t onlyInstance(uint64_t Canonical) {
  uint32_t I = TheSpace.Pages[(Canonical - Base) >> PageBits].Instance;
  return I == MixedPage ? 0 : I;
}

/// The instance of a byte; 0 where there is none. In lines that two static
/// arrays share, lookup() may name the other one.
uint32_t instanceOfMixed(uint64_t Canonical);
inline uint32_t instanceOfByte(uint64_t Canonical) {
  uint32_t I = TheSpace.Pages[(Canonical - Base) >> PageBits].Instance;
  return __builtin_expect(I == MixedPage, 0) ? instanceOfMixed(Canonical) : I;
}

/// Whose line a cache writes back, of one that \p Thread filled. Other threads
/// may free and allocate meanwhile; when, is a matter of timing. So what they
/// allocated in \p Phase is not seen: the line is older.
inline Page lookupDirty(uint64_t Canonical, uint32_t Thread, uint32_t Phase) {
  Page P = lookup(Canonical);
  const Instance &I = TheSpace.Table[P.Instance];
  if (P.Instance && I.Creator != Thread && I.AllocPhase == Phase)
    return TheSpace.Before[(Canonical - Base) >> PageBits];
  return P;
}

/// Rows of an object of \p Bytes tell of 2^spanOf() of its pages.
uint32_t spanOf(uint64_t Bytes);

} // namespace ekrec

#endif
