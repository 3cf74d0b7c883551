//===- PageMap.h - the tier of every page, with accounting ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: for each page (EK_PAGE bytes) of each instance of a record, the tier
// it lies in, and per tier the live bytes, their peak and the capacity. The
// last page of an instance counts with the bytes it really has, so that small
// instances do not weigh a page each. Capacities are enforced here, so that no
// policy can cheat; what does not fit is counted.
// Makes: the queue of page moves that a policy asked for.
// Not here: when moves happen (PhaseRun), and who decides (policies). It
// holds no access counts: a policy sees sizes and places only.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_PAGEMAP_H
#define EVENKEEL_PROFILES_SIMULATOR_PAGEMAP_H

#include "PageSet.h"
#include "format/profile/Profile.h"
#include <cstdint>
#include <deque>
#include <vector>

namespace evenkeel {

struct PreparedRecord;

class PageMap {
public:
  static constexpr uint8_t Unplaced = 0xff;

  /// A move that a policy asked for, carried out in order of asking.
  struct Move {
    uint32_t Instance, Page;
    uint8_t To;
  };

  /// \p Capacity: bytes per tier, fastest first. \p R must outlive the map.
  PageMap(const PreparedRecord &R, std::vector<uint64_t> Capacity);

  unsigned tiers() const { return unsigned(Capacity.size()); }
  const ek_raw_inst &instance(uint32_t Instance) const;
  uint32_t pages(uint32_t Instance) const;
  /// The instance's first page in the numbering of the whole record.
  uint64_t firstPage(uint32_t Instance) const;
  /// EK_PAGE, less for an instance's last page.
  uint64_t pageBytes(uint32_t Instance, uint32_t Page) const;
  /// Unplaced until placed; kept after the instance was freed, because dirty
  /// lines may still be on their way to that page.
  uint8_t tier(uint32_t Instance, uint32_t Page) const;
  uint8_t tierOf(uint64_t GlobalPage) const { return Tier[GlobalPage]; }
  bool isLive(uint32_t Instance) const { return Live[Instance]; }
  /// Instances released so far.
  uint64_t releases() const { return Released; }

  /// \name Sets of pages of the whole record, for policies that watch: kept
  /// from keepSets() on, which comes before any is placed.
  /// @{
  void keepSets();
  /// Placed pages of live instances: those in tier 0, and the others.
  const PageSet &fastPages() const { return Fast; }
  const PageSet &slowPages() const { return Slow; }
  bool holds(uint64_t GlobalPage) const {
    return Fast.contains(GlobalPage) || Slow.contains(GlobalPage);
  }
  /// Pages placed at some time, freed ones as well.
  const PageSet &placedPages() const { return Placed; }
  /// @}

  uint64_t capacity(unsigned Tier) const { return Capacity[Tier]; }
  uint64_t used(unsigned Tier) const { return Used[Tier]; }
  uint64_t peak(unsigned Tier) const { return Peak[Tier]; }
  /// Bytes that a policy wanted in a tier that was full.
  uint64_t refusedBytes() const { return Refused; }

  bool fits(uint32_t Instance, uint32_t Page, unsigned Tier) const;
  /// Places an unplaced page of a live instance. When the tier is full, counts
  /// a refusal, leaves the page unplaced and returns false.
  bool place(uint32_t Instance, uint32_t Page, unsigned Tier);
  /// The first tier from \p Tier on that takes the page gets it; refusals
  /// count. The slowest tier takes everything. Returns the tier.
  unsigned placeFrom(uint32_t Instance, uint32_t Page, unsigned Tier);
  /// Places a page in tier 0 while that has room beside pages placed otherwise,
  /// or beside \p Reserved bytes if those are fewer; else as placeFrom(.., 1).
  /// Nothing counts as refused. Returns the tier.
  unsigned placeBeside(uint32_t Instance, uint32_t Page, uint64_t Reserved);

  /// Asks for a move of a placed page; carried out after the hook.
  void requestMove(uint32_t Instance, uint32_t Page, unsigned To);
  /// Forgets the moves asked for that are not being copied yet.
  void cancelMoves() { Moves.clear(); }
  bool hasMoves() const { return !Moves.empty(); }

  /// \name For the replay engine.
  /// @{
  void allocate(uint32_t Instance) { Live[Instance] = true; }
  /// Gives back the bytes of all pages, and of moves under way.
  void release(uint32_t Instance);
  std::deque<Move> &moves() { return Moves; }

  /// Reserves room at the destination; false (counted) when there is none,
  /// when the instance is gone, or when the page already lies there.
  bool beginMove(const Move &M);
  /// The page was copied: it now lies in the new tier. False if its instance
  /// was freed meanwhile (its room was given back then).
  bool finishMove(const Move &M);
  /// @}

private:
  const PreparedRecord &R;
  std::vector<uint64_t> Capacity, Used, Peak;
  std::vector<uint8_t> Tier;      // by global page
  std::vector<bool> Live;         // by instance
  std::vector<uint64_t> BesideOf; // by instance: bytes in tier 0, placed so
  uint64_t Beside = 0;            // of all
  bool KeepsSets = false;
  PageSet Fast, Slow, Placed;
  std::deque<Move> Moves;
  std::vector<Move> UnderWay;
  uint64_t Refused = 0;
  uint64_t Released = 0;

  void charge(unsigned Tier, uint64_t Bytes);
};

} // namespace evenkeel

#endif
