//===- DramCache.h - memory in front of memory, as Memory Mode --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a direct-mapped, write-back cache of lines in fast memory in front of
// the next tier (Intel's Memory Mode, "2LM"). Each 4 KiB page that is used gets
// a page frame; frame modulo cache size is the set of frames that it shares
// with others, line by line. A read looks into fast memory first; on a miss the
// line comes from slow memory and displaces the one of the same place, which is
// written back if it is dirty. A line written back by the processor's caches is
// written to fast memory whole, so it needs no fetch.
// A record knows pages per quantum, not lines. The caches in front have taken
// out what comes back soon, so a page's transfers are taken to walk its lines
// in turn: n transfers are n different lines, from where the last ones ended;
// above 64, each line comes again and hits.
// Not here: prefetch into the cache, its bypass under load, and huge pages.
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

  /// \p Shuffled: page frames in random order, as free lists hand them out on a
  /// machine that has run for a while; else in order of first use.
  DramCache(const PreparedRecord &R, uint64_t Bytes, bool Shuffled);

  Transfers access(uint64_t Page, uint32_t Reads, uint32_t Writes);
  /// The frames of pages [From, To) are free again; their lines are dropped.
  void release(uint64_t From, uint64_t To);

  /// Lines that lie in the cache now, and those of them that are dirty.
  uint64_t residentLines() const;
  uint64_t dirtyLines() const;

private:
  static constexpr uint32_t None = 0xffffffff;
  struct Page {
    uint64_t Resident = 0, Dirty = 0; // a bit per line
    uint32_t Frame = None, Next = None;
    uint8_t ReadAt = 0, WriteAt = 0; // the line that comes next
  };
  uint64_t Sets;
  bool Shuffled;
  std::vector<Page> Pages;
  std::vector<uint32_t> First; // per set: pages with resident lines
  std::vector<uint32_t> Free;  // frames given back, last first
  uint32_t NextFrame = 0;

  uint64_t setOf(uint32_t Frame) const;
  void unlink(uint32_t P);
  /// Makes room for \p Lines of \p P; dirty lines displaced.
  uint64_t displace(uint32_t P, uint64_t Lines);
};

} // namespace evenkeel

#endif
