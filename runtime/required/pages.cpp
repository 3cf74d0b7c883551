//===- pages.cpp - a required tier whose pages move -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the tier is a part of the provider's first tier (a NUMA node, or the
// emulated provider's accounts). All pages that a range touches move in, and to
// the last tier when it leaves; addresses stay. Neighbours may share a page at
// their ends: it is counted once, and stays while one of them is in.
// A page that the system does not move stays where it is, and is counted.
//===----------------------------------------------------------------------===//
#include "core/reserved.h"
#include "core/stats.h"
#include "providers/provider.h"
#include "required/link.h"
#include "required/room.h"

#include <algorithm>
#include <map>

namespace evenkeel::acquire {
namespace {

constexpr uintptr_t Page = EK_PAGE_BYTES;

/// The pages that a range touches: [first, end), by number.
struct Pages {
  uintptr_t First, End;
  explicit Pages(const Range &R)
      : First(R.From / Page), End((R.To + Page - 1) / Page) {}
};

class MovedPages : public Room {
  const uint64_t Capacity;
  Link In, Out;
  uint64_t Used = 0;
  struct Shared {
    unsigned Ranges = 0;  // in the tier that touch the page
    bool Leaving = false; // it is being moved out
  };
  std::map<uintptr_t, Shared> Ends; // first and last pages of ranges, by number

  template <class F> static void forEnds(const Pages &P, F Each) {
    Each(P.First);
    if (P.End - 1 != P.First)
      Each(P.End - 1);
  }

public:
  MovedPages(uint64_t Capacity, uint64_t BytesPerSecond)
      : Capacity(Capacity / Page * Page), In(BytesPerSecond),
        Out(BytesPerSecond) {}

  uint64_t capacity() const override { return Capacity; }
  uint64_t usedBytes() const override { return Used; }

  uint64_t bytesOf(const std::vector<Range> &Ranges) const override {
    std::vector<Range> Sorted = Ranges;
    std::sort(Sorted.begin(), Sorted.end(),
              [](const Range &A, const Range &B) { return A.From < B.From; });
    uintptr_t Next = 0;
    uint64_t Sum = 0;
    for (const Range &R : Sorted) {
      const Pages P(R);
      Sum += P.End - std::min(P.End, std::max(P.First, Next));
      Next = std::max(Next, P.End);
    }
    return Sum * Page;
  }

  bool fit(const std::vector<Range> &Ranges) const override {
    return bytesOf(Ranges) <= Capacity;
  }

  bool isSmall(const Range &) const override { return false; }

  std::optional<uint64_t> take(const Range &R,
                               const required::Request &) override {
    const Pages P(R);
    uint64_t New = P.End - P.First;
    bool Leaving = false;
    forEnds(P, [&](uintptr_t Number) {
      auto It = Ends.find(Number);
      if (It == Ends.end())
        return;
      Leaving |= It->second.Leaving;
      --New;
    });
    if (Leaving || New * Page > Capacity - Used)
      return {};
    Used += New * Page;
    forEnds(P, [&](uintptr_t Number) { ++Ends[Number].Ranges; });
    return 0;
  }

  void give(const Range &R, uint64_t) override {
    const Pages P(R);
    uint64_t Gone = P.End - P.First;
    forEnds(P, [&](uintptr_t Number) {
      auto It = Ends.find(Number);
      if (--It->second.Ranges) {
        --Gone;
        return;
      }
      // Two neighbours that left at the same time have both left their common
      // page to the other one.
      if (!It->second.Leaving)
        move(Number, Number + 1, ek_tier_count - 1);
      Ends.erase(It);
    });
    Used -= Gone * Page;
  }

  double unusableShare(const Range &) const override { return 0; }

  Range leaves(const Range &R) override {
    Pages P(R);
    forEnds(P, [&](uintptr_t Number) {
      Shared &S = Ends[Number];
      S.Leaving = S.Ranges == 1;
    });
    const bool Last = Ends[P.End - 1].Leaving;
    P.First += !Ends[P.First].Leaving;
    P.End -= P.First < P.End && !Last;
    return {P.First * Page, P.End * Page};
  }

  uint64_t bringIn(const Range &R, uint64_t, bool) override {
    const Pages P(R);
    return In.take([&] { return move(P.First, P.End, 0); });
  }

  uint64_t takeBack(const Range &Part, const Range &, uint64_t, bool) override {
    if (!Part.bytes())
      return 0;
    return Out.take([&] {
      return move(Part.From / Page, Part.To / Page, ek_tier_count - 1);
    });
  }

  void *address(uintptr_t P, const Range &, uint64_t) const override {
    return reinterpret_cast<void *>(P);
  }

  bool isApart() const override { return false; }
  uint64_t copyNs() const override { return In.busyNs() + Out.busyNs(); }

private:
  static uint64_t move(uintptr_t First, uintptr_t End, unsigned Tier) {
    void *Ask[EK_BATCH];
    int Status[EK_BATCH];
    uint64_t Moved = 0;
    while (First < End) {
      const size_t Count = std::min<size_t>(End - First, EK_BATCH);
      for (size_t I = 0; I < Count; ++I)
        Ask[I] = reinterpret_cast<void *>((First + I) * Page);
      const size_t Arrived = ek_provider_now->move(Ask, Count, Tier, Status);
      ek_count(EK_WHY_required_refused, Count - Arrived);
      Moved += Arrived;
      First += Count;
    }
    return Moved * Page;
  }
};

} // namespace

std::unique_ptr<Room> makePages(uint64_t Capacity, uint64_t BytesPerSecond) {
  return std::make_unique<MovedPages>(Capacity, BytesPerSecond);
}

} // namespace evenkeel::acquire
