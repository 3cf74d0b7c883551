//===- Arena.h - canonical addresses and their objects ----------*- C++ -*-===//
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
// (Mapping.cpp). Not here: stacks and memory of code that was not
// instrumented.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_ARENA_H
#define EVENKEEL_RUNTIME_RECORD_ARENA_H

#include "record/host/Vec.h"
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

/// Reserves the tables. False: nothing can be tracked. \p Spans: pages of large
/// objects are told of together.
bool initSpace(bool Spans);

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

/// Addresses around one for which instanceOfByte() gives the same answer.
struct Surroundings {
  uint64_t Low, Size;
};
Surroundings surroundingsOf(uint64_t Canonical);
/// The same of any address.
Surroundings surroundingsAround(uint64_t Address);

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

/// A block for \p Site; nullptr: the caller must ask the C library (counted).
/// Only the thread that is the creator may call with a creator's range. \p
/// Align is a power of two.
void *allocate(Maker By, Asked Who, size_t Bytes, size_t Align, bool Zero,
               uint32_t Phase);
/// The same for a block that was moved: a small one is none of its own.
void *resized(Maker By, Asked Who, size_t Bytes, uint32_t Phase);
/// The same, of whole pages and never shared with others.
void *allocatePages(Maker By, Asked Who, size_t Bytes, size_t Align,
                    uint32_t Phase);
/// Takes back one of ours(), from any thread.
void release(Maker By, void *P, uint32_t Phase);
/// Usable bytes of one of ours().
size_t capacityOf(const void *P);
Asked askedFor(const void *P);
/// The block of its own that \p P lies in; nullptr: it lies in a slab, or in
/// none that lives.
Instance *blockOf(const void *P);
/// A large block resized within its pages (same instance). False: move it.
bool resizeInPlace(void *P, size_t Bytes);

/// Gives blocks freed by other threads back; only while no team runs.
void absorbRemoteFrees();

/// A static array; again is harmless.
void registerGlobal(uint64_t Site, void *P, size_t Bytes);

/// Threads outside teams get no more blocks. \p Child: this is a process that
/// was forked, where nobody holds a lock.
void closeSpace(bool Child);

/// Sizes of shared instances become final. Before reading Table.
void finishInstances();

} // namespace ekrec

#endif
