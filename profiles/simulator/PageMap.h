//===- PageMap.h - the tier of every page -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: for each page (EK_PAGE bytes) of each instance of a record, its tier;
// and per tier the live bytes, their peak and the capacity. The last page of an
// instance counts with its actual bytes, so that a small instance does not
// count as a whole page. Capacities are enforced here for all policies, and
// what does not fit is counted.
// Makes: the queue of page moves that a policy requested.
// Not here: the time of moves (PhaseRun), and decisions (policies). There are
// no access counts: a policy sees only sizes and places.
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

  /// A move that a policy requested; moves are carried out in order.
  struct Move {
    uint32_t Instance, Page;
    uint8_t To;
  };

  /// \p Capacities: bytes per tier, fastest first. \p R must outlive the map.
  PageMap(const PreparedRecord &R, std::vector<uint64_t> Capacities);

  unsigned tiers() const { return unsigned(Capacity.size()); }
  const ek_raw_inst &instance(uint32_t Instance) const;
  uint32_t pages(uint32_t Instance) const;
  /// The first page of the instance, as a global page number.
  uint64_t firstPage(uint32_t Instance) const;
  /// EK_PAGE; less for the last page of an instance.
  uint64_t pageBytes(uint32_t Instance, uint32_t Page) const;
  /// Unplaced until it is placed. Kept after the instance is freed, because
  /// dirty lines may still be written back to the page.
  uint8_t tier(uint32_t Instance, uint32_t Page) const;
  uint8_t tierOf(uint64_t GlobalPage) const { return Tier[GlobalPage]; }
  bool isLive(uint32_t Instance) const { return Live[Instance]; }
  /// The number of instances released so far.
  uint64_t releases() const { return Released; }

  ///
  /// ame Sets of global pages for policies that watch. They are maintained
  /// after keepSets(), which must be called before any page is placed.
  /// @{
  void keepSets();
  /// Placed pages of live instances, in tier 0 and elsewhere.
  const PageSet &fastPages() const { return Fast; }
  const PageSet &slowPages() const { return Slow; }
  bool holds(uint64_t GlobalPage) const {
    return Fast.contains(GlobalPage) || Slow.contains(GlobalPage);
  }
  /// All pages that were ever placed, including freed ones.
  const PageSet &placedPages() const { return Placed; }
  /// @}

  uint64_t capacity(unsigned Tier) const { return Capacity[Tier]; }
  uint64_t used(unsigned Tier) const { return Used[Tier]; }
  uint64_t peak(unsigned Tier) const { return Peak[Tier]; }
  /// Bytes that a policy wanted to place in a full tier.
  uint64_t refusedBytes() const { return Refused; }

  bool fits(uint32_t Instance, uint32_t Page, unsigned Tier) const;
  /// Places an unplaced page of a live instance. If the tier is full, counts a
  /// refusal, leaves the page unplaced and returns false.
  bool place(uint32_t Instance, uint32_t Page, unsigned Tier);
  /// Places the page in the first tier from \p Tier on with room, and counts
  /// refusals. The slowest tier accepts everything. Returns the tier.
  unsigned placeFrom(uint32_t Instance, uint32_t Page, unsigned Tier);
  /// Places a page in tier 0 if there is room beside the pages placed
  /// otherwise, or beside \p Reserved bytes if that is less; otherwise as
  /// placeFrom(.., 1). Does not count refusals. Returns the tier.
  unsigned placeBeside(uint32_t Instance, uint32_t Page, uint64_t Reserved);

  /// Requests a move of a placed page; carried out after the hook.
  void requestMove(uint32_t Instance, uint32_t Page, unsigned To);
  /// Cancels the requested moves whose copy has not begun.
  void cancelMoves() { Moves.clear(); }
  bool hasMoves() const { return !Moves.empty(); }

  /// \name For the replay engine.
  /// @{
  void allocate(uint32_t Instance) { Live[Instance] = true; }
  /// Frees the space of all pages of the instance, and that reserved for its
  /// moves.
  void release(uint32_t Instance);
  std::deque<Move> &moves() { return Moves; }

  /// Reserves space in the destination. False (counted) if there is none, if
  /// the instance was freed, or if the page is there already.
  bool beginMove(const Move &M);
  /// Ends a move: the page now lies in the new tier. False if its instance was
  /// freed in the meantime (its space was released then).
  bool finishMove(const Move &M);
  /// @}

private:
  const PreparedRecord &R;
  std::vector<uint64_t> Capacity, Used, Peak;
  std::vector<uint8_t> Tier;      // by global page
  std::vector<bool> Live;         // by instance
  std::vector<uint64_t> BesideOf; // by instance: bytes placed by placeBeside()
  uint64_t Beside = 0;            // sum over instances
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
