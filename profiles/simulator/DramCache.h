//===- DramCache.h - fast memory as a cache (Memory Mode) -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a direct-mapped, write-back cache of lines in fast memory in front of
// the next tier (Intel's Memory Mode, "2LM"). Each used 4 KiB page gets a page
// frame; frames that are equal modulo the cache size share its lines. A read is
// looked up in fast memory first; on a miss, the line comes from slow memory
// and replaces the line at its place, which is written back if it is dirty. A
// line that the processor's caches write back is written to fast memory as a
// whole, so it needs no fetch.
// A record has pages per quantum, not lines. The caches in front have absorbed
// short-term reuse, so the transfers of a page are assumed to walk through its
// lines in turn: n transfers are n different lines, continuing where the last
// ones ended; beyond 64, lines repeat and hit.
// Not here: prefetching into the cache, its bypass under load, and huge pages.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_DRAMCACHE_H
#define EVENKEEL_PROFILES_SIMULATOR_DRAMCACHE_H

#include <cstdint>
#include <vector>

namespace evenkeel {

struct PreparedRecord;

class DramCache {
public:
  struct Transfers { // in lines
    uint64_t ReadHits = 0, ReadMisses = 0;
    uint64_t WriteHits = 0, WriteMisses = 0;
    uint64_t WrittenBack = 0; // dirty lines displaced into slow memory
  };

  /// \p Shuffled: page frames are in random order, as on a machine that has run
  /// for a while; otherwise in order of first use.
  DramCache(const PreparedRecord &R, uint64_t Bytes, bool Shuffled);

  Transfers access(uint64_t GlobalPage, uint32_t Reads, uint32_t Writes);
  /// Frees the frames of pages [From, To) and drops their lines.
  void release(uint64_t From, uint64_t To);

  /// Lines in the cache, and the dirty ones among them.
  uint64_t residentLines() const;
  uint64_t dirtyLines() const;

private:
  static constexpr uint32_t None = 0xffffffff;
  struct Page {
    uint64_t Resident = 0, Dirty = 0; // a bit per line
    uint32_t Frame = None, Next = None;
    uint8_t ReadAt = 0, WriteAt = 0; // the next line
  };
  uint64_t Sets;
  bool Shuffled;
  std::vector<Page> Pages;
  std::vector<uint32_t> First; // per set: pages with resident lines
  std::vector<uint32_t> Free;  // freed frames, the last one first
  uint32_t NextFrame = 0;

  uint64_t setOf(uint32_t Frame) const;
  void unlink(uint32_t P);
  /// Makes room for \p Lines of \p P; returns the number of dirty lines
  /// replaced.
  uint64_t displace(uint32_t P, uint64_t Lines);
};

} // namespace evenkeel

#endif
