//===- Space.h - canonical addresses and their objects ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the addresses of recorded objects. Each creator (thread number of the
// team; 0 in serial code) allocates from its own range of fixed addresses, so
// an address depends only on the previous allocations and frees of that
// creator, not on ASLR or other threads. Threads outside recorded teams share
// one more range: their blocks are named like those of the creator that the
// runtime would see, without moving that creator's blocks. Static arrays get
// canonical addresses from their offset in their image. One table maps every
// canonical page to its object.
//
//   Base + creator * 64 GiB         blocks; the address is the canonical one
//   Base + 251 * 64 GiB             blocks of other threads
//   Base + (252 + image) * 64 GiB   static arrays of an image, shifted
//
// Blocks of 64 KiB or more are objects of their own and page-aligned. So are
// the first blocks of 1 KiB or more that a creator allocates at a site in a
// context, because they may be large on another input. All other blocks of a
// site and creator share slabs and are together one object (instance), whose
// pages are numbered in order of first use. Blocks freed by another thread are
// reused after the next fork or join. Mappings lie in blocks of their own
// (Mapping.cpp).
// Not here: stacks, and memory of code that was not instrumented.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_SPACE_H
#define EVENKEEL_RUNTIME_RECORD_SPACE_H

#include "format/ek_sizes.h"
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
  PageBits = EK_PAGE_SHIFT,
  NoCreator = ~0u,
  Never = ~0u // free phase of a live object
};
constexpr uint64_t Base = 0x200000000000ull;
constexpr uint64_t SlotBytes = 1ull << SlotBits;
constexpr size_t LargeBytes = EK_LARGE_BYTES, OwnBytes = 1 << 10;
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
  uint64_t Unmapped; // bytes of a mapping that were unmapped
  uint32_t Span;     // a row describes 2^Span pages (ek_raw.h); sampled runs
};

/// The requester of a block: its site, and the enclosing wrapper calls.
struct Asked {
  uint64_t Site, Context; // ek_context.h
};

/// The range that a block comes from, and its nominal creator.
struct Maker {
  unsigned Range, Creator; // Range NoCreator: the C library's
};

struct Image {
  uint64_t Low, High, Canonical;
};

struct Space {
  Page *Pages;     // by canonical page; nullptr: nothing is tracked
  Page *Before;    // the entry before the phase of the present instance
  Instance *Table; // by instance number, from 1
  uint32_t NumInstances;
  Image Image_[Images];
  unsigned NumImages;
  bool Spans; // rows describe several pages of large objects together
};
extern Space TheSpace;

/// Whether \p P is in a range of blocks.
inline bool ours(const void *P) {
  return reinterpret_cast<uint64_t>(P) - Base < uint64_t(Ranges) << SlotBits;
}

/// The canonical address; 0 = not near a tracked object.
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

/// For a page with several arrays (StaticArrays.cpp).
Page lookupMixed(uint64_t Canonical);

/// Instance and page number; Instance 0 if there is none.
inline Page lookup(uint64_t Canonical) {
  Page P = TheSpace.Pages[(Canonical - Base) >> PageBits];
  return __builtin_expect(P.Instance == MixedPage, 0) ? lookupMixed(Canonical)
                                                      : P;
}

/// The instance to which the whole page belongs; 0: none.
inline uint32_t onlyInstance(uint64_t Canonical) {
  uint32_t I = TheSpace.Pages[(Canonical - Base) >> PageBits].Instance;
  return I == MixedPage ? 0 : I;
}

/// The instance of a byte; 0 if there is none. In lines that two static arrays
/// share, lookup() may return the other one.
uint32_t instanceOfMixed(uint64_t Canonical);
inline uint32_t instanceOfByte(uint64_t Canonical) {
  uint32_t I = TheSpace.Pages[(Canonical - Base) >> PageBits].Instance;
  return __builtin_expect(I == MixedPage, 0) ? instanceOfMixed(Canonical) : I;
}

/// The owner of a line that \p Thread filled and a cache now writes back. Other
/// threads may free and allocate in the meantime, depending on timing, so
/// allocations in \p Phase by others are ignored: the line is older.
inline Page lookupDirty(uint64_t Canonical, uint32_t Thread, uint32_t Phase) {
  Page P = lookup(Canonical);
  const Instance &I = TheSpace.Table[P.Instance];
  if (P.Instance && I.Creator != Thread && I.AllocPhase == Phase)
    return TheSpace.Before[(Canonical - Base) >> PageBits];
  return P;
}

/// The exponent of the number of pages that a row describes, for an object of
/// \p Bytes.
uint32_t spanOf(uint64_t Bytes);

} // namespace ekrec

#endif
